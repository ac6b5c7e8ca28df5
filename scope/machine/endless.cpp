#include "scope/machine/endless.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <string_view>

namespace tilescope::machine {
namespace {

constexpr std::uint64_t kSharedCell = std::uint64_t{1} << 63;

}  // namespace

EndlessProof::EndlessProof(const Program& program, const std::vector<OpFlow>& flow,
                           std::vector<std::span<std::byte>> state)
    : program_(program), flow_(flow), state_(std::move(state)) {
    std::size_t bytes = 0;
    for (const std::span<std::byte> piece : state_) {
        first_mark_.push_back(bytes);
        bytes += piece.size();
    }
    marks_.resize(bytes);
}

void EndlessProof::mark_differences(const std::vector<std::byte>& before) {
    std::size_t at = 0;
    for (const std::span<std::byte> piece : state_)
        for (const std::byte now : piece) {
            marks_[at] |= static_cast<std::uint8_t>(before[at] ^ now);
            ++at;
        }
}

void EndlessProof::begin_turn() {
    marks_at_start_ = marks_;
    cells_at_start_ = cells_.size();
    carry_at_start_ = carry_marked_;
    polls_.clear();
}

bool EndlessProof::end_turn() {
    bool grew = cells_.size() != cells_at_start_ || carry_marked_ != carry_at_start_;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        grew |= (marks_[i] & ~marks_at_start_[i]) != 0;
        marks_[i] |= marks_at_start_[i];
    }
    return !grew && !failed_;
}

std::uint8_t* EndlessProof::marks_of(const void* at) {
    const auto* byte = static_cast<const std::byte*>(at);
    const auto above = std::upper_bound(state_.begin(), state_.end(), byte, [](const std::byte* wanted, auto piece) {
        return std::less<>()(wanted, static_cast<const std::byte*>(piece.data()));
    });
    if (above == state_.begin()) return nullptr;
    const auto piece = static_cast<std::size_t>(above - state_.begin()) - 1;
    const auto offset = static_cast<std::size_t>(byte - state_[piece].data());
    return offset < state_[piece].size() ? marks_.data() + first_mark_[piece] + offset : nullptr;
}

// bytes 0: a predicate, one bit a lane.
bool EndlessProof::is_marked(const Warp& warp, Operand place, unsigned bytes, unsigned lane) {
    const auto* at = warp.source<std::byte>(place);
    if (!in_state(at)) return false;
    const std::uint8_t* marks = marks_of(at);
    if (bytes == 0) return marks[lane / 8] >> lane % 8 & 1;
    return std::any_of(marks + lane * bytes, marks + (lane + 1) * bytes, [](std::uint8_t bits) { return bits != 0; });
}

void EndlessProof::mark(Warp& warp, Operand place, unsigned bytes, unsigned lane, bool marked) {
    const auto* at = warp.source<std::byte>(place);
    if (!in_state(at)) return;
    std::uint8_t* marks = marks_of(at);
    if (bytes != 0) {
        std::fill_n(marks + lane * bytes, bytes, marked ? 0xff : 0);
        return;
    }
    const auto bit = static_cast<std::uint8_t>(1u << lane % 8);
    marks[lane / 8] = static_cast<std::uint8_t>(marked ? marks[lane / 8] | bit : marks[lane / 8] & ~bit);
}

bool EndlessProof::sources_marked(const Warp& warp, const OpFlow& flow, unsigned lane) {
    for (const FlowValue& source : flow.sources)
        if (source.bytes != 0 && is_marked(warp, source.place, source.bytes, lane)) return true;
    return std::any_of(flow.predicates.begin(), flow.predicates.end(),
                       [&](Operand predicate) { return is_marked(warp, predicate, 0, lane); });
}

EndlessProof::Lanes EndlessProof::lanes_of(const Warp& warp, const Op& op) {
    Lanes lanes{warp.active, 0};
    if (!op.guarded) return lanes;
    const std::uint32_t holds = warp.predicate(op.guard);
    for (unsigned i = 0; i < kWarpSize; ++i)
        if ((warp.active >> i & 1) && is_marked(warp, op.guard, 0, i)) lanes.uncertain |= 1u << i;
    lanes.run = warp.active & (op.guard_negated ? ~holds : holds);
    return lanes;
}

EndlessProof::Place EndlessProof::place_of(const Warp& warp, const FlowAddress& address, unsigned lane) {
    if (is_marked(warp, address.base, address.base_bytes, lane)) failed_ = true;
    Place place{address.space, static_cast<std::uint64_t>(address.offset)};
    if (address.base_bytes == 4)
        place.address = static_cast<std::uint32_t>(warp.source<std::uint32_t>(address.base)[lane] + place.address);
    else
        place.address += warp.source<std::uint64_t>(address.base)[lane];
    if (address.frame_relative) place.address += warp.local_frame;
    if (place.space != Space::kGeneric) return place;
    place.space = Space::kGlobal;
    for (const auto& [window, space] : {std::pair{kSharedWindow, Space::kShared}, {kLocalWindow, Space::kLocal}})
        if (place.address - window < kWindowBytes) return {space, place.address - window};
    return place;
}

// The op itself has not been checked yet.
bool EndlessProof::is_valid(const Warp& warp, const Place& place, unsigned bytes) {
    const auto inside = [&](std::uint64_t limit) { return place.address <= limit && bytes <= limit - place.address; };
    if (place.space == Space::kShared) return inside(warp.worker->shared_bytes);
    if (place.space == Space::kLocal) return inside(warp.worker->local_bytes);
    if (place.space != Space::kGlobal) return true;
    const std::optional<Allocation> found = warp.worker->memory->find(place.address);
    return found && found->contains(place.address, bytes);
}

// One byte of a place, where the machine keeps it.
std::byte* EndlessProof::bytes_at(const Warp& warp, const Place& place, unsigned lane, std::uint64_t offset) {
    const std::uint64_t address = place.address + offset;
    if (place.space == Space::kShared) return warp.worker->shared + address;
    if (place.space == Space::kLocal) return warp.local + (address / 4 * kWarpSize + lane) * 4 + address % 4;
    if (place.space == Space::kGlobal) return warp.worker->memory->bytes(address);
    return reinterpret_cast<std::byte*>(address);
}

bool EndlessProof::cells_marked(const Warp& warp, const Place& place, unsigned lane, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) {
        if (place.space == Space::kLocal) {
            if (*marks_of(bytes_at(warp, place, lane, i)) != 0) return true;
            continue;
        }
        const std::uint64_t cell = (place.address + i) / 4 | (place.space == Space::kShared ? kSharedCell : 0);
        if (cells_.count(cell) != 0) return true;
    }
    return false;
}

void EndlessProof::mark_cells(const Warp& warp, const Place& place, unsigned lane, unsigned bytes, bool marked) {
    for (unsigned i = 0; i < bytes; ++i) {
        if (place.space == Space::kLocal) {
            *marks_of(bytes_at(warp, place, lane, i)) = marked ? 0xff : 0;
        } else if (marked) {
            cells_.insert((place.address + i) / 4 | (place.space == Space::kShared ? kSharedCell : 0));
            changes_global_ |= place.space == Space::kGlobal;
        }
    }
}

std::set<std::uint64_t> EndlessProof::changes() const { return {cells_.begin(), cells_.lower_bound(kSharedCell)}; }

void EndlessProof::note_read(const Place& place, unsigned bytes) {
    if (place.space != Space::kGlobal) return;
    for (std::uint64_t cell = place.address / 4; cell <= (place.address + bytes - 1) / 4; ++cell) reads_.insert(cell);
}

void EndlessProof::note_poll(const Warp& warp, const Op& op, const Place& place, unsigned lane, unsigned bytes) {
    if (place.space != Space::kGlobal && place.space != Space::kShared) return;
    for (const EndlessPoll& poll : polls_)
        if (poll.op == op.index && poll.warp == warp.index) return;
    EndlessPoll poll{op.index, warp.index, lane, place.space, place.address, 0, static_cast<std::uint8_t>(bytes)};
    poll.is_barrier = op.index < flow_.size() && flow_[op.index].kind == FlowKind::kObject && bytes == 8 &&
                      place.space == Space::kShared;
    std::memcpy(&poll.value, bytes_at(warp, place, lane, 0), std::min<std::size_t>(bytes, sizeof poll.value));
    polls_.push_back(poll);
}

void EndlessProof::run(Warp& warp, const Op* first, const Op* end) {
    for (const Op* op = first; op != end; ++op) step(warp, *op);
}

void EndlessProof::step(Warp& warp, const Op& op) {
    const OpFlow& flow = flow_[op.index];
    const Lanes lanes = lanes_of(warp, op);
    if (program_.facts[op.index].mix == Counter::kMemoryInstructions && flow.address.space != Space::kParam &&
        flow.kind != FlowKind::kMove) {
        step_memory(warp, op, flow, lanes);
        return;
    }
    std::uint32_t marked = 0;
    for (unsigned i = 0; i < kWarpSize; ++i)
        if (flow.varies || (carry_marked_ && flow.reads_carry) || sources_marked(warp, flow, i)) marked |= 1u << i;
    carry_marked_ |= flow.writes_carry && (marked & (lanes.run | lanes.uncertain)) != 0;
    op.fn(warp, op);
    for (unsigned i = 0; i < kWarpSize; ++i) {
        if (!((lanes.run | lanes.uncertain) >> i & 1)) continue;
        for (const FlowValue& result : flow.results)
            mark(warp, result.place, result.bytes, i, ((marked | lanes.uncertain) >> i & 1) != 0);
    }
}

void EndlessProof::step_memory(Warp& warp, const Op& op, const OpFlow& flow, const Lanes& lanes) {
    if (flow.is_hint) return op.fn(warp, op);
    const bool both = flow.kind == FlowKind::kAtomic || flow.kind == FlowKind::kObject;
    const bool loads = flow.kind == FlowKind::kLoad || both;
    const bool stores = flow.kind == FlowKind::kStore || flow.kind == FlowKind::kCopy || both;
    if (!loads && !stores) {
        failed_ = true;
        return op.fn(warp, op);
    }
    const std::uint32_t all = lanes.run | lanes.uncertain;
    const unsigned bytes = flow.kind == FlowKind::kCopy ? flow.element_bytes : op.width;
    Place places[kWarpSize];
    std::vector<std::byte> before(stores ? kWarpSize * bytes : 0);
    std::uint32_t marked = lanes.uncertain;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        if (!(all >> i & 1)) continue;
        places[i] = place_of(warp, flow.address, i);
        failed_ |= !is_valid(warp, places[i], bytes);
        if (failed_) return op.fn(warp, op);
        if (sources_marked(warp, flow, i)) marked |= 1u << i;
        if (loads && cells_marked(warp, places[i], i, bytes)) marked |= 1u << i;
        if (flow.kind == FlowKind::kCopy) {
            const Place from = place_of(warp, flow.from, i);
            if (cells_marked(warp, from, i, bytes)) marked |= 1u << i;
            note_read(from, bytes);
        }
        if (loads) note_read(places[i], bytes);
        if (loads && (lanes.run >> i & 1)) note_poll(warp, op, places[i], i, bytes);
        if (stores && (lanes.run >> i & 1))
            for (unsigned b = 0; b < bytes; ++b) before[i * bytes + b] = *bytes_at(warp, places[i], i, b);
    }
    op.fn(warp, op);
    for (unsigned i = 0; i < kWarpSize; ++i) {
        if (!(all >> i & 1)) continue;
        bool is_marked = (marked >> i & 1) != 0;
        // A thread's own stack is part of the arena: what differs there is marked like a register.
        if (stores && places[i].space != Space::kLocal && (lanes.run >> i & 1))
            for (unsigned b = 0; b < bytes; ++b) is_marked |= before[i * bytes + b] != *bytes_at(warp, places[i], i, b);
        if (stores) mark_cells(warp, places[i], i, bytes, is_marked);
        if (loads)
            for (const FlowValue& result : flow.results) mark(warp, result.place, result.bytes, i, is_marked);
    }
}

void EndlessProof::at_end(const Warp& warp, std::uint32_t lanes, const Terminator& end) {
    if (!end.op) return;
    const OpFlow& flow = flow_[end.op->index];
    const bool indexed = end.kind == TerminatorKind::kBranchIndexed;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        if (!(lanes >> i & 1)) continue;
        failed_ |= end.op->guarded != nullptr && is_marked(warp, end.op->guard, 0, i);
        failed_ |= indexed && is_marked(warp, program_.branch_tables[end.extra].index, 4, i);
        if (end.kind == TerminatorKind::kCall) {
            const CallSite& site = program_.call_sites[end.extra];
            failed_ |= site.function == kNoBlock && is_marked(warp, site.pointer, 8, i);
            continue;
        }
        // Values that other threads see: masks and votes, numbers of barriers.
        failed_ |= sources_marked(warp, flow, i);
        for (const FlowValue& result : flow.results)
            mark(const_cast<Warp&>(warp), result.place, result.bytes, i, false);
    }
}

void EndlessProof::copied(const std::byte* to, const std::byte* from, std::size_t bytes) {
    if (!in_state(to)) return;
    if (in_state(from))
        std::memmove(marks_of(to), marks_of(from), bytes);
    else
        std::fill_n(marks_of(to), bytes, 0);
}

}  // namespace tilescope::machine
