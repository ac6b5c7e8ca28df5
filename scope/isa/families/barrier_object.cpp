// mbarrier: barrier objects in shared memory, on which threads and asynchronous copies arrive and threads wait.
//
// Copies happen when they are issued, so an arrival that hardware makes at their end is made at once.
#include <cstring>
#include <iterator>
#include <string>

#include "scope/isa/families/barrier_object_cells.h"
#include "scope/isa/table/access_words.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::OpFn;
using machine::TILESCOPE_TARGET::write_lanes;

void initialise(Warp& warp, const Op& op) {
    const auto* counts = warp.source<std::uint32_t>(op.b);
    for_each_object(warp, op, BarrierObjectKind::kInit, true, [&](unsigned lane, std::byte* cell, ObjectsUsed& used) {
        if (counts[lane] == 0 || counts[lane] > BarrierObject::kMaxArrivals)
            return refuse_use(warp, op, lane,
                              "an mbarrier for " + std::to_string(counts[lane]) + " arrivals: there are 1 to " +
                                  std::to_string(BarrierObject::kMaxArrivals));
        BarrierObject object;
        object.pending = object.expected = counts[lane];
        write_object(cell, object);
        used.note(lane);
    });
}

void invalidate(Warp& warp, const Op& op) {
    for_each_object(warp, op, BarrierObjectKind::kInvalidate, true,
                    [&](unsigned lane, std::byte* cell, ObjectsUsed& used) {
                        if (!is_object(warp, op, lane, read_object(cell))) return;
                        std::memset(cell, 0, sizeof(std::uint64_t));
                        used.note(lane);
                    });
}

// Bytes that the phase waits for from now on, or fewer than before.
bool add_bytes(const Warp& warp, const Op& op, unsigned lane, BarrierObject& object, std::int64_t bytes) {
    const std::int64_t sum = object.bytes + bytes;
    if (sum < -BarrierObject::kMaxBytes || sum > BarrierObject::kMaxBytes) {
        refuse_use(warp, op, lane,
                   "an mbarrier that waits for " + std::to_string(sum) + " bytes: it counts no more than " +
                       std::to_string(BarrierObject::kMaxBytes));
        return false;
    }
    object.bytes = static_cast<std::int32_t>(sum);
    return true;
}

bool count_arrivals(const Warp& warp, const Op& op, unsigned lane, BarrierObject& object, std::uint32_t count,
                    bool& completes) {
    if (count == 0 || count > object.pending) {
        refuse_use(warp, op, lane,
                   std::to_string(count) + (count == 1 ? " arrival" : " arrivals") + " at an mbarrier that waits for " +
                       std::to_string(object.pending));
        return false;
    }
    object.pending -= count;
    if (op.flags & kDrops) object.expected -= count;
    completes = object.complete();
    if (completes && op.flags & kNoComplete) {
        refuse_use(warp, op, lane, "an arrival with .noComplete completes the mbarrier's phase");
        return false;
    }
    return true;
}

// Gives each lane the object as it was before.
template <BarrierObjectKind kKind>
void arrive(Warp& warp, const Op& op) {
    const auto* counts = warp.source<std::uint32_t>(op.b);
    alignas(64) std::uint64_t states[kWarpSize] = {};
    for_each_object(warp, op, kKind, true, [&](unsigned lane, std::byte* cell, ObjectsUsed& used) {
        BarrierObject object = read_object(cell);
        if (!is_object(warp, op, lane, object)) return;
        states[lane] = object.bits();
        if (op.flags & kExpects && !add_bytes(warp, op, lane, object, counts[lane])) return;
        const bool counted = op.flags & kHasCount && !(op.flags & kExpects);
        bool completes = false;
        if (!count_arrivals(warp, op, lane, object, counted ? counts[lane] : 1, completes)) return;
        write_object(cell, object);
        used.note(lane, completes);
    });
    if (op.flags & kNoResult) return;
    write_lanes(warp.exec, warp.target<std::uint64_t>(op.dst), [&](unsigned i) { return states[i]; });
}

template <bool kCompletes>
void expect_bytes(Warp& warp, const Op& op) {
    const auto* counts = warp.source<std::uint32_t>(op.b);
    constexpr auto kKind = kCompletes ? BarrierObjectKind::kBytesArrive : BarrierObjectKind::kExpectBytes;
    for_each_object(warp, op, kKind, true, [&](unsigned lane, std::byte* cell, ObjectsUsed& used) {
        BarrierObject object = read_object(cell);
        const std::int64_t bytes = kCompletes ? -std::int64_t{counts[lane]} : std::int64_t{counts[lane]};
        if (!is_object(warp, op, lane, object) || !add_bytes(warp, op, lane, object, bytes)) return;
        // Also when bytes come to be expected that have arrived: seen on an H200.
        const bool completes = object.complete();
        write_object(cell, object);
        used.note(lane, completes);
    });
}

// Whether the phase is over that the lane names: by a state that an arrival gave it, or by being even or odd. Lanes
// whose access was refused are not kept waiting for what they cannot see.
template <class T>
void wait(Warp& warp, const Op& op) {
    const T* phases = warp.source<T>(op.b);
    std::uint32_t over = 0;
    over |= for_each_object(warp, op, BarrierObjectKind::kWaitPassed, false,
                            [&](unsigned lane, std::byte* cell, ObjectsUsed& used) {
                                const BarrierObject object = read_object(cell);
                                bool odd;
                                if constexpr (sizeof(T) == 8)
                                    odd = BarrierObject::read(phases[lane]).odd_phase;
                                else
                                    odd = (phases[lane] & 1) != 0;
                                const bool valid = is_object(warp, op, lane, object);
                                if (valid && object.odd_phase != odd) used.note(lane);
                                if (!valid || object.odd_phase != odd) over |= 1u << lane;
                            });
    warp.set_predicate(op.dst, over);
    if (warp.exec & ~over) warp.worker->yields = true;
}

void pending_count(Warp& warp, const Op& op) {
    const auto* states = warp.source<std::uint64_t>(op.a);
    write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst),
                [&](unsigned i) { return BarrierObject::read(states[i]).pending; });
}
OpFn bind_pending_count(Binding&) { return &pending_count; }

// What they have in common: the object's address, and the operand behind it.
void bind_object(Binding& binding, std::size_t address) {
    Op& op = binding.op;
    op.width = sizeof(std::uint64_t);
    op.a = binding.operands[address].slot;
    op.immediate = binding.operands[address].value;
    // What hardware counts for these is not known.
    op.flags |= kUncounted | (binding.operands[address].bytes == 4 ? kNarrowAddress : 0) |
                (is_shared(binding.form) ? kOnShared : 0);
    if (binding.operands.size() > address + 1) op.b = binding.operands[address + 1].slot;
}

OpFn bind_initialise(Binding& binding) {
    bind_object(binding, 0);
    binding.op.flags |= kHasCount;
    return &initialise;
}
OpFn bind_invalidate(Binding& binding) {
    bind_object(binding, 0);
    return &invalidate;
}
OpFn bind_bytes(Binding& binding) {
    bind_object(binding, 0);
    binding.op.flags |= kHasCount;
    return binding.has("complete_tx") ? &expect_bytes<true> : &expect_bytes<false>;
}
OpFn bind_wait(Binding& binding) {
    bind_object(binding, 1);
    return binding.has("parity") ? &wait<std::uint32_t> : &wait<std::uint64_t>;
}

OpFn bind_arrive(Binding& binding) {
    Op& op = binding.op;
    bind_object(binding, 1);
    const bool is_sink = binding.operands[0].kind == BoundKind::kAbsent;
    if (is_sink) op.flags |= kNoResult;
    if (binding.has("arrive_drop")) op.flags |= kDrops;
    if (binding.has("noComplete")) op.flags |= kNoComplete;
    if (binding.has("expect_tx")) op.flags |= kExpects;
    const BoundOperand& count = binding.operands[2];
    if (count.kind != BoundKind::kValue) return &arrive<BarrierObjectKind::kArrive>;
    op.flags |= kHasCount;
    if (count.is_immediate && count.value == 0 && !binding.has("expect_tx")) {
        binding.fail("a count of 0");
        return nullptr;
    }
    return &arrive<BarrierObjectKind::kArrive>;
}

// The object of another block of the cluster gives no state back.
OpFn bind_arrive_in_cluster(Binding& binding) {
    if (binding.operands[0].kind == BoundKind::kAbsent) return bind_arrive(binding);
    binding.fail("a state of a barrier in .shared::cluster");
    return nullptr;
}

// Hardware lets the phase wait for one arrival more, and makes it when the copies are there: they are, so nothing is
// left to do. With .noinc the arrival is one of those that the phase waits for.
void count_copies(Warp& warp, const Op& op) {
    for_each_object(warp, op, BarrierObjectKind::kCopiesArrive, false,
                    [&](unsigned lane, std::byte* cell, ObjectsUsed& used) {
                        if (is_object(warp, op, lane, read_object(cell))) used.note(lane);
                    });
}

OpFn bind_copies_arrive(Binding& binding) {
    bind_object(binding, 0);
    binding.op.flags |= kNoResult;
    return binding.has("noinc") ? &arrive<BarrierObjectKind::kCopiesArrive> : &count_copies;
}

#define SHARED "{.[shared shared::cta]}"
#define ARRIVING .order = machine::Order::kRelease, .scope = machine::Scope::kBlock
#define WAITING .order = machine::Order::kAcquire, .scope = machine::Scope::kBlock
#define COUNTING .order = machine::Order::kRelaxed, .scope = machine::Scope::kBlock
#define OBJECT .kind = Class::kMemory, .effect = effect::kObject

constexpr Row kBarrierObjectRows[] = {
    {.syntax = "mbarrier.init~" SHARED ".b64",
     .operands = "[] u32",
     OBJECT,
     .bind = &bind_initialise,
     .needs = {70, 80},
     .note = "no access of a barrier object is counted"},
    {.syntax = "mbarrier.inval~" SHARED ".b64", .operands = "[]", OBJECT, .bind = &bind_invalidate, .needs = {70, 80}},
    {.syntax = "mbarrier.[arrive arrive_drop]~" SHARED ".b64",
     .operands = "=b64 [] u32?",
     OBJECT,
     .bind = &bind_arrive,
     .needs = {70, 80},
     ARRIVING},
    {.syntax = "mbarrier.[arrive arrive_drop]~.[release relaxed].[cta cluster]" SHARED ".b64",
     .operands = "=b64 [] u32?",
     OBJECT,
     .bind = &bind_arrive,
     .needs = {80, 90}},
    {.syntax = "mbarrier.[arrive arrive_drop]~.shared::cluster.b64",
     .operands = "=b64 [] u32?",
     OBJECT,
     .bind = &bind_arrive_in_cluster,
     .needs = {80, 90},
     ARRIVING},
    {.syntax = "mbarrier.[arrive arrive_drop]~.[release relaxed].[cta cluster].shared::cluster.b64",
     .operands = "=b64 [] u32?",
     OBJECT,
     .bind = &bind_arrive_in_cluster,
     .needs = {80, 90}},
    {.syntax = "mbarrier.[arrive arrive_drop]~.noComplete" SHARED ".b64",
     .operands = "=b64 [] u32",
     OBJECT,
     .bind = &bind_arrive,
     .needs = {70, 80},
     ARRIVING},
    {.syntax = "mbarrier.[arrive arrive_drop]~.noComplete.release.cta" SHARED ".b64",
     .operands = "=b64 [] u32",
     OBJECT,
     .bind = &bind_arrive,
     .needs = {70, 80}},
    {.syntax = "mbarrier.[arrive arrive_drop].expect_tx~" SHARED ".b64",
     .operands = "=b64 [] u32",
     OBJECT,
     .bind = &bind_arrive,
     .needs = {80, 90},
     ARRIVING},
    {.syntax = "mbarrier.[arrive arrive_drop].expect_tx~.[release relaxed].[cta cluster]" SHARED ".b64",
     .operands = "=b64 [] u32",
     OBJECT,
     .bind = &bind_arrive,
     .needs = {80, 90}},
    {.syntax = "mbarrier.[arrive arrive_drop].expect_tx~.shared::cluster.b64",
     .operands = "=b64 [] u32",
     OBJECT,
     .bind = &bind_arrive_in_cluster,
     .needs = {80, 90},
     ARRIVING},
    {.syntax = "mbarrier.[arrive arrive_drop].expect_tx~.[release relaxed].[cta cluster].shared::cluster.b64",
     .operands = "=b64 [] u32",
     OBJECT,
     .bind = &bind_arrive_in_cluster,
     .needs = {80, 90}},
    {.syntax = "mbarrier.[expect_tx complete_tx]~{.[shared shared::cta shared::cluster]}.b64",
     .operands = "[] u32",
     OBJECT,
     .bind = &bind_bytes,
     .needs = {80, 90},
     COUNTING},
    {.syntax = "mbarrier.[expect_tx complete_tx]~.relaxed.[cta cluster]{.[shared shared::cta shared::cluster]}.b64",
     .operands = "[] u32",
     OBJECT,
     .bind = &bind_bytes,
     .needs = {80, 90}},
    {.syntax = "mbarrier.test_wait~" SHARED ".b64",
     .operands = "=pred [] b64",
     OBJECT,
     .bind = &bind_wait,
     .needs = {70, 80},
     .control = Control::kYield,
     WAITING},
    {.syntax = "mbarrier.test_wait~.[acquire relaxed].[cta cluster]" SHARED ".b64",
     .operands = "=pred [] b64",
     OBJECT,
     .bind = &bind_wait,
     .needs = {80, 90},
     .control = Control::kYield},
    {.syntax = "mbarrier.try_wait~" SHARED ".b64",
     .operands = "=pred [] b64 u32?",
     OBJECT,
     .bind = &bind_wait,
     .needs = {78, 90},
     .control = Control::kYield,
     WAITING,
     .note = "waits no time before it says no"},
    {.syntax = "mbarrier.try_wait~.[acquire relaxed].[cta cluster]" SHARED ".b64",
     .operands = "=pred [] b64 u32?",
     OBJECT,
     .bind = &bind_wait,
     .needs = {80, 90},
     .control = Control::kYield},
    {.syntax = "mbarrier.test_wait.parity~" SHARED ".b64",
     .operands = "=pred [] u32",
     OBJECT,
     .bind = &bind_wait,
     .needs = {70, 80},
     .control = Control::kYield,
     WAITING},
    {.syntax = "mbarrier.test_wait.parity~.[acquire relaxed].[cta cluster]" SHARED ".b64",
     .operands = "=pred [] u32",
     OBJECT,
     .bind = &bind_wait,
     .needs = {80, 90},
     .control = Control::kYield},
    {.syntax = "mbarrier.try_wait.parity~" SHARED ".b64",
     .operands = "=pred [] u32 u32?",
     OBJECT,
     .bind = &bind_wait,
     .needs = {78, 90},
     .control = Control::kYield,
     WAITING,
     .note = "waits no time before it says no"},
    {.syntax = "mbarrier.try_wait.parity~.[acquire relaxed].[cta cluster]" SHARED ".b64",
     .operands = "=pred [] u32 u32?",
     OBJECT,
     .bind = &bind_wait,
     .needs = {80, 90},
     .control = Control::kYield},
    {.syntax = "mbarrier.pending_count~.b64",
     .operands = "=u32 b64",
     .kind = Class::kInteger,
     .bind = &bind_pending_count,
     .needs = {70, 80}},
    {.syntax = "cp.async.mbarrier.arrive~{.noinc}" SHARED ".b64",
     .operands = "[]",
     OBJECT,
     .bind = &bind_copies_arrive,
     .needs = {70, 80},
     ARRIVING,
     .note = "copies happen when issued"},
};

}  // namespace

const Family& barrier_object_family() {
    static constexpr Family kFamily{"barrier_object", "barriers in shared memory", kBarrierObjectRows,
                                    std::size(kBarrierObjectRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
