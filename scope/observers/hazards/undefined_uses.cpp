// The side of --check init that looks at registers: how undefined bits go through instructions, and where they decide.
#include "scope/observers/hazards/undefined_uses.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "scope/machine/program.h"
#include "scope/machine/worker.h"

namespace tilescope::observers {

using machine::FlowKind;
using machine::FlowValue;
using machine::kWarpSize;
using machine::Op;
using machine::OpFlow;
using machine::OpFn;
using machine::Spread;
using machine::Terminator;
using machine::TerminatorKind;
using machine::Warp;

namespace {

const LaneBits kDefined;

bool is_memory(FlowKind kind) {
    return kind == FlowKind::kLoad || kind == FlowKind::kStore || kind == FlowKind::kAtomic ||
           kind == FlowKind::kCopy || kind == FlowKind::kObject;
}

// All bits of some lanes.
LaneBits all_bits(std::uint32_t lanes, std::uint32_t value) {
    LaneBits bits;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        bits.low[i] = bits.high[i] = ~std::uint64_t{0};
        bits.value[i] = value;
    }
    return bits;
}

}  // namespace

std::unique_ptr<machine::Observer> UndefinedUses::make_shard(const machine::Program& program) const {
    auto shard = std::make_unique<UndefinedUses>();
    shard->context_ = context_;
    shard->program_ = &program;
    shard->sites_.resize(program.sites.size());
    shard->stores_data_.resize(program.ops.size());
    shard->functions_ = FunctionsByOp(program);
    return shard;
}

machine::Follower* UndefinedUses::follower() { return program_->flow.empty() ? nullptr : this; }

void UndefinedUses::begin_block(const machine::BlockPlace& place) {
    std::unique_ptr<BlockState>& block = blocks_[place.number];
    if (spare_) {
        block = std::move(spare_);
        block->shared.reset();
    } else {
        block = std::make_unique<BlockState>(context_.shared_bytes);
    }
    // CUDA's own part is zero when a block begins.
    if (program_->shared_reserved != 0) block->shared.define(0, program_->shared_reserved);
    block->number = place.number;
    current_ = block.get();
}

void UndefinedUses::end_block(const machine::BlockPlace& place) {
    const auto at = blocks_.find(place.number);
    if (at == blocks_.end()) return;
    spare_ = std::move(at->second);
    blocks_.erase(at);
    current_ = nullptr;
}

UndefinedUses::BlockState& UndefinedUses::block_of(std::uint64_t number) {
    if (current_ == nullptr || current_->number != number) current_ = blocks_.at(number).get();
    return *current_;
}

UndefinedUses::WarpState& UndefinedUses::state_of(const Warp& warp) {
    return block_of(warp.worker->block.number).warps[warp.index];
}

void UndefinedUses::begin_warp(const Warp& warp, std::span<const std::byte> registers) {
    std::vector<WarpState>& warps = block_of(warp.worker->block.number).warps;
    if (warps.size() <= warp.index) warps.resize(warp.index + 1);
    WarpState& state = warps[warp.index];
    state.registers.begin(registers);
    state.frames.reset();
    const std::uint64_t bytes = warp.worker->local_bytes * kWarpSize;
    if (bytes == 0) return;
    if (state.local)
        state.local->reset();
    else
        state.local = std::make_unique<UndefinedBytes>(bytes);
}

void UndefinedUses::run(Warp& warp, const Op* first, const Op* end) {
    WarpState& state = state_of(warp);
    if (first != end) functions_.note(first->index, warp.local_frame, state.frames);
    for (const Op* op = first; op != end; ++op) {
        if (state.registers.any()) [[unlikely]] {
            step(warp, *op, state);
            continue;
        }
        op->fn(warp, *op);
        if (loaded_.lanes != 0) [[unlikely]]
            take_loaded(warp, *op, state, loaded_.lanes);
        if (warp.worker->absent_sources != 0) [[unlikely]]
            take_absent(warp, *op, state);
    }
}

// What a shuffle brought from lanes that take no part in it is no value at all.
void UndefinedUses::take_absent(const Warp& warp, const Op& op, WarpState& state) {
    const std::uint32_t lanes = std::exchange(warp.worker->absent_sources, 0);
    const OpFlow& flow = program_->flow[op.index];
    if (lanes == 0 || flow.results.empty()) return;
    UndefinedValue value;
    value.space = HazardSpace::kNone;
    value.read = {program_, op.index, {}, {}, 0};
    value.is_computed = true;  // no copy of something, so that whoever shows it shows a wrong result
    value.memory.naming = MemoryNaming::kAbsentLane;
    value.block = warp.worker->block.number;
    value.thread = warp.index * kWarpSize + static_cast<unsigned>(std::countr_zero(lanes));
    state.registers.set(warp, flow.results[0], lanes, all_bits(lanes, values().number_of(value)));
}

void UndefinedUses::step(Warp& warp, const Op& op, WarpState& state) {
    UndefinedRegisters& registers = state.registers;
    const OpFlow& flow = program_->flow[op.index];
    if (!registers.touches(warp, op, flow)) {
        op.fn(warp, op);
        if (loaded_.lanes != 0) take_loaded(warp, op, state, loaded_.lanes);
        if (warp.worker->absent_sources != 0) take_absent(warp, op, state);
        return;
    }
    std::uint32_t acting = warp.exec, doubtful = 0, doubt = 0;
    if (op.guarded) {
        const std::uint32_t holds = warp.predicate(op.guard);
        acting &= op.guard_negated ? ~holds : holds;
        doubtful = registers.predicate(warp, op.guard) & warp.exec;
        if (doubtful != 0)
            doubt = registers.value_of(warp, op.guard, static_cast<unsigned>(std::countr_zero(doubtful)));
    }
    if (is_memory(flow.kind)) {
        use(warp, op.index, state, {op.guard, 0}, doubtful, Deed::kGuardedBy);
        return step_memory(warp, op, state, acting);
    }
    if (flow.spread == Spread::kLanes || flow.spread == Spread::kBallot || flow.spread == Spread::kAgree) {
        const std::uint32_t all = warp.exec;
        warp.exec = acting;
        if (acting != 0) exchange(warp, op, op.guarded ? op.guarded : op.fn, state);
        warp.exec = all;
        return;
    }
    if (flow.is_surface) {
        // Those of a read are its coordinates; among those of a write is what it brings.
        if (!flow.results.empty())
            for (const FlowValue& source : flow.sources) use(warp, op.index, state, source, acting, Deed::kAddressFrom);
        op.fn(warp, op);
        return take_loaded(warp, op, state, acting);
    }
    const std::vector<LaneBits> results = registers.spread(warp, flow, acting, values());
    op.fn(warp, op);
    for (std::size_t k = 0; k < results.size(); ++k) {
        registers.set(warp, flow.results[k], acting, results[k]);
        if (doubtful != 0) registers.set(warp, flow.results[k], doubtful, all_bits(doubtful, values().computed(doubt)));
    }
}

void UndefinedUses::step_memory(Warp& warp, const Op& op, WarpState& state, std::uint32_t acting) {
    const OpFlow& flow = program_->flow[op.index];
    use(warp, op.index, state, {flow.address.base, flow.address.base_bytes}, acting, Deed::kAddressFrom);
    if (flow.kind == FlowKind::kCopy)
        use(warp, op.index, state, {flow.from.base, flow.from.base_bytes}, acting, Deed::kAddressFrom);
    if (flow.kind == FlowKind::kStore || flow.kind == FlowKind::kAtomic) give_stored(warp, op, state, acting);
    op.fn(warp, op);
    stored_.clear();
    take_loaded(warp, op, state, acting);
}

// What was loaded goes to the op's results.
void UndefinedUses::take_loaded(const Warp& warp, const Op& op, WarpState& state, std::uint32_t acting) {
    const OpFlow& flow = program_->flow[op.index];
    const bool loads = flow.kind == FlowKind::kLoad || flow.kind == FlowKind::kAtomic || flow.is_surface;
    const unsigned bytes = flow.element_bytes;
    for (std::size_t k = 0; k < flow.results.size(); ++k) {
        LaneBits result;
        for (std::uint32_t left = loads ? loaded_.lanes & acting : 0; left != 0; left &= left - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(left));
            if ((k + 1) * bytes > kWidest) break;
            const std::uint8_t* const from = loaded_.bits[i] + k * bytes;
            std::memcpy(&result.low[i], from, std::min(bytes, 8u));
            if (bytes > 8) std::memcpy(&result.high[i], from + 8, bytes - 8);
            const bool sign = bytes < 8 && flow.to_type.is_signed && (from[bytes - 1] & 0x80) != 0;
            if (sign) result.low[i] |= ~std::uint64_t{0} << 8 * bytes;
            result.value[i] = loaded_.value[i];
        }
        state.registers.set(warp, flow.results[k], acting, result);
    }
    loaded_.clear();
}

// What an access is about to bring to memory.
void UndefinedUses::give_stored(const Warp& warp, const Op& op, const WarpState& state, std::uint32_t acting) {
    const OpFlow& flow = program_->flow[op.index];
    const unsigned bytes = flow.element_bytes;
    for (std::size_t k = 0; k < flow.sources.size(); ++k) {
        const LaneBits source = state.registers.bits(warp, flow.sources[k].place, flow.sources[k].bytes);
        // Of an atomic each source is of the one element.
        const std::size_t at = flow.kind == FlowKind::kStore ? k * bytes : 0;
        if (at + bytes > kWidest) break;
        for (std::uint32_t left = source.lanes() & acting; left != 0; left &= left - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(left));
            std::uint8_t held[16];
            std::memcpy(held, &source.low[i], 8);
            std::memcpy(held + 8, &source.high[i], 8);
            bool is_undefined = false;
            for (unsigned b = 0; b < std::min(bytes, 16u); ++b) {
                stored_.bits[i][at + b] |= held[b];
                is_undefined = is_undefined || held[b] != 0;
            }
            if (!is_undefined) continue;
            stored_.lanes |= 1u << i;
            stored_.value[i] = source.value[i];
        }
    }
}

void UndefinedUses::meet(Warp& warp, const Op& op, OpFn run) {
    WarpState& state = state_of(warp);
    if (state.registers.any() && state.registers.touches(warp, op, program_->flow[op.index]))
        return exchange(warp, op, run, state);
    run(warp, op);
    // Rows of matrices, which lanes share out (ldmatrix, wmma): what came undefined of them is not followed.
    loaded_.clear();
    if (warp.worker->absent_sources != 0) take_absent(warp, op, state);
}

// The lanes of exec exchange values.
void UndefinedUses::exchange(Warp& warp, const Op& op, OpFn run, WarpState& state) {
    UndefinedRegisters& registers = state.registers;
    const OpFlow& flow = program_->flow[op.index];
    if (flow.spread == Spread::kLanes) return shuffle(warp, op, run, state);
    std::uint32_t lanes = 0, value = 0;
    if (!flow.predicates.empty()) {
        lanes = registers.predicate(warp, flow.predicates[0]) & warp.exec;
        if (lanes != 0)
            value = registers.value_of(warp, flow.predicates[0], static_cast<unsigned>(std::countr_zero(lanes)));
    } else if (!flow.sources.empty()) {
        const LaneBits source = registers.bits(warp, flow.sources[0].place, flow.sources[0].bytes);
        lanes = source.lanes() & warp.exec;
        if (lanes != 0) value = source.value[std::countr_zero(lanes)];
    }
    run(warp, op);
    LaneBits result = lanes == 0 ? LaneBits() : all_bits(warp.exec, values().computed(value));
    if (flow.spread == Spread::kBallot)
        for (unsigned i = 0; i < kWarpSize && lanes != 0; ++i) result.low[i] = lanes;
    for (const FlowValue& to : flow.results) registers.set(warp, to, warp.exec, result);
}

// The instruction itself is asked which lane reads which: it moves the undefined bits, and what value they are, first.
void UndefinedUses::shuffle(Warp& warp, const Op& op, OpFn run, WarpState& state) {
    const OpFlow& flow = program_->flow[op.index];
    const LaneBits source = state.registers.bits(warp, flow.sources[0].place, flow.sources[0].bytes);
    LaneBits result;
    if (!flow.results[0].is_absent && (source.lanes() & warp.exec) != 0) {
        std::uint32_t brought[kWarpSize], kept[kWarpSize], lanes_found[kWarpSize];
        auto* const to = warp.target<std::uint32_t>(flow.results[0].place);
        std::copy_n(to, kWarpSize, kept);
        const machine::Findings findings = warp.worker->findings;
        const machine::Meeting* const meeting = warp.meeting;
        std::uint32_t second = 0;
        const bool has_second = flow.results.size() > 1 && !flow.results[1].is_absent;
        if (has_second) second = warp.predicate(flow.results[1].place);
        const std::byte* const handed_over[] = {reinterpret_cast<const std::byte*>(brought)};
        const machine::Meeting moved{warp.exec, handed_over};
        warp.meeting = &moved;
        for (unsigned i = 0; i < kWarpSize; ++i) brought[i] = static_cast<std::uint32_t>(source.low[i]);
        run(warp, op);
        std::copy_n(to, kWarpSize, lanes_found);
        std::copy_n(kept, kWarpSize, to);
        std::copy_n(source.value, kWarpSize, brought);
        run(warp, op);
        for (unsigned i = 0; i < kWarpSize; ++i) {
            result.low[i] = lanes_found[i];
            result.value[i] = to[i];
        }
        std::copy_n(kept, kWarpSize, to);
        if (has_second) *warp.target<std::uint32_t>(flow.results[1].place) = second;
        warp.meeting = meeting;
        warp.worker->findings = findings;
    }
    warp.worker->absent_sources = 0;
    run(warp, op);
    state.registers.set(warp, flow.results[0], warp.exec, result);
    if (flow.results.size() > 1) state.registers.set(warp, flow.results[1], warp.exec, kDefined);
    if (warp.worker->absent_sources != 0) take_absent(warp, op, state);
}

void UndefinedUses::at_end(Warp& warp, std::uint32_t lanes, const Terminator& end) {
    if (end.op == nullptr) return;
    WarpState& state = state_of(warp);
    if (!state.registers.any()) return;
    const std::uint32_t op = end.op->index;
    if (end.op->guarded) use(warp, op, state, {end.op->guard, 0}, lanes, Deed::kBranchOn);
    const OpFlow& flow = program_->flow[op];
    switch (end.kind) {
        case TerminatorKind::kBranchIndexed:
            use(warp, op, state, {program_->branch_tables[end.extra].index, 4}, lanes, Deed::kBranchOn);
            return;
        case TerminatorKind::kCall:
            if (program_->call_sites[end.extra].function == machine::kNoBlock)
                use(warp, op, state, {program_->call_sites[end.extra].pointer, 8}, lanes, Deed::kCallTo);
            return;
        case TerminatorKind::kConverge: use(warp, op, state, {end.member_mask, 4}, lanes, Deed::kMeetBy); return;
        case TerminatorKind::kBarrier:
            for (const FlowValue& value : flow.sources) use(warp, op, state, value, lanes, Deed::kMeetBy);
            for (const machine::Operand predicate : flow.predicates)
                use(warp, op, state, {predicate, 0}, lanes, Deed::kMeetBy);
            for (const FlowValue& value : flow.results) state.registers.set(warp, value, lanes, kDefined);
            return;
        default: return;
    }
}

void UndefinedUses::enter(const Warp& warp, std::uint64_t local_frame, std::uint32_t bytes) {
    const WarpState& state = state_of(warp);
    if (bytes == 0 || !state.local) return;
    if (warp.active == machine::kFullMask)
        return state.local->undefine(local_frame * kWarpSize, std::uint64_t{bytes} * kWarpSize);
    for (std::uint64_t word = local_frame / 4; word < (local_frame + bytes) / 4; ++word)
        for (std::uint32_t left = warp.active; left != 0; left &= left - 1)
            state.local->undefine((word * kWarpSize + static_cast<unsigned>(std::countr_zero(left))) * 4, 4);
}

// What is passed on the stack counts as defined.
void UndefinedUses::copied(const Warp& warp, const std::byte* to, const std::byte* from, std::size_t bytes,
                           bool is_predicate) {
    WarpState& state = state_of(warp);
    state.registers.copy(to, from, bytes, is_predicate ? warp.active : 0);
    if (state.local && to >= warp.local && to < warp.local + state.local->size())
        state.local->define(static_cast<std::uint64_t>(to - warp.local), bytes);
}

void UndefinedUses::forget(const Warp& warp) {
    state_of(warp).registers.forget();
    warp.worker->absent_sources = 0;
    loaded_.clear();
    stored_.clear();
}

// Tells of the lanes in which the value is undefined, once: from here on it counts as defined.
void UndefinedUses::use(const Warp& warp, std::uint32_t op, WarpState& state, const FlowValue& value,
                        std::uint32_t lanes, Deed deed) {
    if (lanes == 0 || !state.registers.is_marked(warp, value.place, value.bytes)) return;
    LaneBits bits;
    std::uint32_t undefined = 0;
    if (value.bytes == 0) {
        undefined = state.registers.predicate(warp, value.place) & lanes;
        for (unsigned i = 0; i < kWarpSize; ++i)
            if (undefined >> i & 1) bits.value[i] = state.registers.value_of(warp, value.place, i);
    } else {
        bits = state.registers.bits(warp, value.place, value.bytes);
        undefined = bits.lanes() & lanes;
    }
    if (undefined == 0) return;
    for (std::uint32_t left = undefined; left != 0;) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        tell(warp, op, lane, bits.value[lane], deed);
        for (unsigned i = lane; i < kWarpSize; ++i)
            if (bits.value[i] == bits.value[lane]) left &= ~(1u << i);
    }
    state.registers.set(warp, value, undefined, kDefined);
}

void UndefinedUses::tell(const Warp& warp, std::uint32_t op, unsigned lane, std::uint32_t value, Deed deed) {
    if (value == 0) return;
    const UndefinedValue& from = values()[value];
    FoundHazard hazard;
    hazard.kind = HazardKind::kUninitialized;
    hazard.space = from.space;
    hazard.at = {deed, op, warp.worker->block.number, warp.index * kWarpSize + lane};
    hazard.address = from.address;
    hazard.bytes = 1;
    if (from.read.program == program_) {
        hazard.other = {Deed::kRead, from.read.op, from.block, from.thread};
    } else {
        hazard.earlier_file = from.read.file;
        hazard.earlier_line = from.read.line;
        hazard.earlier_kernel = from.read.kernel;
        hazard.earlier_memory = from.memory;
    }
    if (from.stored.program == program_) hazard.stored_op = from.stored.op;
    hazards_.add(hazard);
}

std::unique_ptr<HazardObserver> make_undefined_uses() { return std::make_unique<UndefinedUses>(); }

}  // namespace tilescope::observers
