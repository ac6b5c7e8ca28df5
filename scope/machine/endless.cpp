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
constexpr std::uint64_t kPathFactor = 0x9e3779b97f4a7c15;  // odd, with bits all over the word

// Whether a later time comes out as something later or the same: what is true of it now stays true. Single bits of a
// clock come round, and so does what is hashed of it.
bool keeps_time(const OpFlow& flow) {
    const auto is_truth = [](const FlowValue& result) { return result.bytes == 0; };
    if (std::all_of(flow.results.begin(), flow.results.end(), is_truth)) return true;
    const auto is_narrow = [](const FlowValue& result) { return result.bytes < 4; };
    if (std::any_of(flow.results.begin(), flow.results.end(), is_narrow)) return false;
    switch (flow.kind) {
        case FlowKind::kMove:
        case FlowKind::kAdd:
        case FlowKind::kSubtract:
        case FlowKind::kMultiply:
        case FlowKind::kMultiplyAdd:
        case FlowKind::kNegate:
        case FlowKind::kSelect: return true;
        case FlowKind::kApply:
        case FlowKind::kOther: break;
        default: return false;
    }
    switch (flow.function) {
        case FlowFunction::kShiftRight:
        case FlowFunction::kDivide:
        case FlowFunction::kCompare:
        case FlowFunction::kConvert:
        case FlowFunction::kExtreme:
        case FlowFunction::kUpperHalf: return true;
        default: return false;
    }
}

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
    by_time_.resize(bytes);
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
    by_time_at_start_ = by_time_;
    path_ = 0;
    cells_at_start_ = cells_.size();
    carry_at_start_ = carry_marked_;
    polls_.clear();
}

bool EndlessProof::end_turn() {
    bool grew = cells_.size() != cells_at_start_ || carry_marked_ != carry_at_start_;
    const auto keep = [&](Marks& marks, const Marks& at_start) {
        for (std::size_t i = 0; i < marks.size(); ++i) {
            grew |= (marks[i] & ~at_start[i]) != 0;
            marks[i] |= at_start[i];
        }
    };
    keep(marks_, marks_at_start_);
    keep(by_time_, by_time_at_start_);
    return !grew && !failed_;
}

std::optional<std::size_t> EndlessProof::index_of(const void* at) const {
    const auto* byte = static_cast<const std::byte*>(at);
    const auto above = std::upper_bound(state_.begin(), state_.end(), byte, [](const std::byte* wanted, auto piece) {
        return std::less<>()(wanted, static_cast<const std::byte*>(piece.data()));
    });
    if (above == state_.begin()) return std::nullopt;
    const auto piece = static_cast<std::size_t>(above - state_.begin()) - 1;
    const auto offset = static_cast<std::size_t>(byte - state_[piece].data());
    if (offset >= state_[piece].size()) return std::nullopt;
    return first_mark_[piece] + offset;
}

// bytes 0: a predicate, one bit a lane.
EndlessProof::Cause EndlessProof::cause_of(const Warp& warp, Operand place, unsigned bytes, unsigned lane) const {
    const auto at = index_of(warp.source<std::byte>(place));
    if (!at) return kNone;
    const auto is_in = [&](const Marks& marks) {
        if (bytes == 0) return (marks[*at + lane / 8] >> lane % 8 & 1) != 0;
        const auto* const first = marks.data() + *at + std::size_t{lane} * bytes;
        return std::any_of(first, first + bytes, [](std::uint8_t bits) { return bits != 0; });
    };
    return static_cast<Cause>((is_in(marks_) ? kTries : kNone) | (is_in(by_time_) ? kTime : kNone));
}

void EndlessProof::mark(Warp& warp, Operand place, unsigned bytes, unsigned lane, Cause cause) {
    const auto at = index_of(warp.source<std::byte>(place));
    if (!at) return;
    const auto set = [&](Marks& marks, bool is_marked) {
        if (bytes != 0) {
            std::fill_n(marks.data() + *at + std::size_t{lane} * bytes, bytes, is_marked ? 0xff : 0);
            return;
        }
        const auto bit = static_cast<std::uint8_t>(1u << lane % 8);
        std::uint8_t& bits = marks[*at + lane / 8];
        bits = static_cast<std::uint8_t>(is_marked ? bits | bit : bits & ~bit);
    };
    set(marks_, (cause & kTries) != 0);
    set(by_time_, (cause & kTime) != 0);
}

EndlessProof::Cause EndlessProof::cause_of_sources(const Warp& warp, const OpFlow& flow, unsigned lane) const {
    Cause cause = kNone;
    for (const FlowValue& source : flow.sources)
        if (source.bytes != 0) cause |= cause_of(warp, source.place, source.bytes, lane);
    for (const Operand predicate : flow.predicates) cause |= cause_of(warp, predicate, 0, lane);
    return cause;
}

// A branch hangs on a value.
void EndlessProof::decides(Cause cause) {
    failed_ |= (cause & kTries) != 0;
    asks_time_ |= cause != kNone;
}

EndlessProof::Lanes EndlessProof::lanes_of(const Warp& warp, const Op& op) {
    Lanes lanes{warp.active, 0};
    if (!op.guarded) return lanes;
    const std::uint32_t holds = warp.predicate(op.guard);
    for (unsigned i = 0; i < kWarpSize; ++i)
        if ((warp.active >> i & 1) && cause_of(warp, op.guard, 0, i) != kNone) lanes.uncertain |= 1u << i;
    lanes.run = warp.active & (op.guard_negated ? ~holds : holds);
    return lanes;
}

EndlessProof::Place EndlessProof::place_of(const Warp& warp, const FlowAddress& address, unsigned lane) {
    if (cause_of(warp, address.base, address.base_bytes, lane) != kNone) failed_ = true;
    Place place{address.space, static_cast<std::uint64_t>(address.offset)};
    if (address.base_bytes == 4)
        place.address = static_cast<std::uint32_t>(warp.source<std::uint32_t>(address.base)[lane] + place.address);
    else
        place.address += warp.source<std::uint64_t>(address.base)[lane];
    if (address.frame_relative) place.address += warp.local_frame;
    if (place.space != Space::kGeneric) return place;
    place.space = Space::kGlobal;
    for (const auto& [window, space] : {std::pair{kSharedWindow, Space::kShared}, {kLocalWindow, Space::kLocal}})
        if (place.address - window < kWindowBytes)
            return {space, place.address - (space == Space::kShared ? warp.worker->shared_window : window)};
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

EndlessProof::Cause EndlessProof::cause_of_cells(const Warp& warp, const Place& place, unsigned lane,
                                                 unsigned bytes) const {
    Cause cause = kNone;
    for (unsigned i = 0; i < bytes; ++i) {
        if (place.space == Space::kLocal) {
            const std::size_t at = *index_of(bytes_at(warp, place, lane, i));
            cause |= (marks_[at] != 0 ? kTries : kNone) | (by_time_[at] != 0 ? kTime : kNone);
            continue;
        }
        const std::uint64_t cell = (place.address + i) / 4 | (place.space == Space::kShared ? kSharedCell : 0);
        if (cells_.count(cell) != 0) return kTries;
    }
    return cause;
}

// What other threads can see of a clock is as good as any other difference.
void EndlessProof::mark_cells(const Warp& warp, const Place& place, unsigned lane, unsigned bytes, Cause cause) {
    for (unsigned i = 0; i < bytes; ++i) {
        if (place.space == Space::kLocal) {
            const std::size_t at = *index_of(bytes_at(warp, place, lane, i));
            marks_[at] = cause & kTries ? 0xff : 0;
            by_time_[at] = cause & kTime ? 0xff : 0;
        } else if (cause != kNone) {
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
    Cause causes[kWarpSize] = {};
    const bool varies = (flow.varies && !flow.reads_clock) || (carry_marked_ && flow.reads_carry);
    for (unsigned i = 0; i < kWarpSize; ++i) {
        causes[i] = cause_of_sources(warp, flow, i);
        if ((causes[i] & kTime) != 0 && !keeps_time(flow)) causes[i] |= kTries;
        if (flow.reads_clock) causes[i] |= kTime;
        if (varies || (lanes.uncertain >> i & 1) != 0) causes[i] |= kTries;
        const bool runs = ((lanes.run | lanes.uncertain) >> i & 1) != 0;
        carry_marked_ |= flow.writes_carry && runs && causes[i] != kNone;
    }
    op.fn(warp, op);
    for (unsigned i = 0; i < kWarpSize; ++i) {
        if (!((lanes.run | lanes.uncertain) >> i & 1)) continue;
        for (const FlowValue& result : flow.results) mark(warp, result.place, result.bytes, i, causes[i]);
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
    Cause causes[kWarpSize] = {};
    for (unsigned i = 0; i < kWarpSize; ++i) {
        if (!(all >> i & 1)) continue;
        places[i] = place_of(warp, flow.address, i);
        failed_ |= !is_valid(warp, places[i], bytes);
        if (failed_) return op.fn(warp, op);
        causes[i] = cause_of_sources(warp, flow, i);
        if (lanes.uncertain >> i & 1) causes[i] |= kTries;
        if (loads) causes[i] |= cause_of_cells(warp, places[i], i, bytes);
        if (flow.kind == FlowKind::kCopy) {
            const Place from = place_of(warp, flow.from, i);
            causes[i] |= cause_of_cells(warp, from, i, bytes);
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
        // A thread's own stack is part of the arena: what differs there is marked like a register.
        if (stores && places[i].space != Space::kLocal && (lanes.run >> i & 1))
            for (unsigned b = 0; b < bytes; ++b)
                if (before[i * bytes + b] != *bytes_at(warp, places[i], i, b)) causes[i] |= kTries;
        if (stores) mark_cells(warp, places[i], i, bytes, causes[i]);
        if (loads)
            for (const FlowValue& result : flow.results) mark(warp, result.place, result.bytes, i, causes[i]);
    }
}

void EndlessProof::at_end(const Warp& warp, std::uint32_t lanes, const Terminator& end) {
    for (const std::uint64_t part :
         {std::uint64_t{warp.index}, std::uint64_t{lanes}, reinterpret_cast<std::uint64_t>(&end)})
        path_ = (path_ ^ part) * kPathFactor;
    if (!end.op) return;
    const OpFlow& flow = flow_[end.op->index];
    const bool indexed = end.kind == TerminatorKind::kBranchIndexed;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        if (!(lanes >> i & 1)) continue;
        if (end.op->guarded != nullptr) decides(cause_of(warp, end.op->guard, 0, i));
        if (indexed) decides(cause_of(warp, program_.branch_tables[end.extra].index, 4, i));
        if (end.kind == TerminatorKind::kCall) {
            const CallSite& site = program_.call_sites[end.extra];
            failed_ |= site.function == kNoBlock && cause_of(warp, site.pointer, 8, i) != kNone;
            continue;
        }
        // Values that other threads see: masks and votes, numbers of barriers.
        failed_ |= cause_of_sources(warp, flow, i) != kNone;
        for (const FlowValue& result : flow.results)
            mark(const_cast<Warp&>(warp), result.place, result.bytes, i, kNone);
    }
}

void EndlessProof::copied(const std::byte* to, const std::byte* from, std::size_t bytes) {
    const auto target = index_of(to), source = index_of(from);
    if (!target) return;
    for (Marks* const marks : {&marks_, &by_time_}) {
        if (source)
            std::memmove(marks->data() + *target, marks->data() + *source, bytes);
        else
            std::fill_n(marks->data() + *target, bytes, std::uint8_t{0});
    }
}

}  // namespace tilescope::machine
