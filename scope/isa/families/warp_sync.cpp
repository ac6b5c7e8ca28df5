// Barriers, and what lanes of one warp do together: shfl, vote, match, redux.
#include <bit>
#include <iterator>

#include "scope/isa/families/absent_sources.h"
#include "scope/isa/families/lane_functions.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"
#include "scope/machine/worker.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::BarrierSite;
using machine::kWarpSize;

// ---- barriers of the block: the machine waits, the function below delivers a reduction's result --------------------

enum class Reduction : std::uint16_t { kPopc, kAnd, kOr };

template <Reduction kWhich>
void deliver(Warp& warp, const Op& op) {
    const auto& found = warp.worker->barrier_result;
    if constexpr (kWhich == Reduction::kPopc)
        write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst), [&](unsigned) { return found.count; });
    else
        warp.set_predicate(op.dst, (kWhich == Reduction::kAnd ? found.all : found.any) ? ~0u : 0u);
}

OpFn bind_barrier(Binding& binding) {
    BarrierSite site;
    const bool reduces = binding.has("red");
    site.waits = !binding.has("arrive");
    std::size_t next = reduces ? 1 : 0;
    site.id = binding.operands[next++].slot;
    const BoundOperand& count = binding.operands[next++];
    site.has_count = count.kind == BoundKind::kValue;
    site.count = count.slot;
    if (reduces) {
        site.has_predicate = true;
        site.predicate = binding.operands[next].slot;
        site.predicate_negated = binding.operands[next].negated;
    }
    binding.op.extra = binding.keep(site);
    if (!reduces) return &nothing;
    if (binding.has("popc")) return &deliver<Reduction::kPopc>;
    return binding.has("and") ? &deliver<Reduction::kAnd> : &deliver<Reduction::kOr>;
}

// ---- what the lanes of a warp-wide instruction bring ----------------------------------------------------------------

std::uint32_t taking_part(const Warp& warp) { return warp.meeting ? warp.meeting->lanes : warp.exec; }

// `which` of the operands that lanes hand over (Row::meets), `own` being where it stands.
template <class T>
const T* brought(const Warp& warp, machine::Operand own, unsigned which = 0) {
    return warp.meeting ? reinterpret_cast<const T*>(warp.meeting->brought[which]) : warp.source<T>(own);
}

// ---- shuffles -------------------------------------------------------------------------------------------------------

enum class Shuffle : std::uint8_t { kUp, kDown, kButterfly, kIndex };

struct ShuffleOperands {
    machine::Operand source, lane, clamp, predicate;
    bool has_predicate = false, has_result = true;
};

template <Shuffle kMode>
void shuffle(Warp& warp, const Op& op) {
    const auto& with = *static_cast<const ShuffleOperands*>(op.extra);
    const auto* a = brought<std::uint32_t>(warp, with.source);
    // Lanes at this instruction can be read, also those that belong to another group; the others give 0, as on an H200.
    const std::uint32_t here = taking_part(warp) | warp.active;
    const auto* b = warp.source<std::uint32_t>(with.lane);
    const auto* c = warp.source<std::uint32_t>(with.clamp);
    alignas(64) std::uint32_t values[kWarpSize];
    alignas(64) std::uint32_t sources[kWarpSize];
    std::uint32_t inside = 0;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const std::uint32_t lane = b[i] & 31u, clamp = c[i] & 31u, segment = c[i] >> 8 & 31u;
        const std::uint32_t low = i & segment, high = (clamp & ~segment) | low;
        std::uint32_t from = 0;
        bool in_range = false;
        if constexpr (kMode == Shuffle::kUp) {
            in_range = static_cast<std::int32_t>(i - lane) >= static_cast<std::int32_t>(high);
            from = i - lane;
        } else if constexpr (kMode == Shuffle::kDown) {
            from = i + lane;
            in_range = from <= high;
        } else if constexpr (kMode == Shuffle::kButterfly) {
            from = i ^ lane;
            in_range = from <= high;
        } else {
            from = low | (lane & ~segment);
            in_range = from <= high;
        }
        sources[i] = in_range ? from & 31u : i;
        values[i] = here >> sources[i] & 1u ? a[sources[i]] : 0u;
        inside |= static_cast<std::uint32_t>(in_range) << i;
    }
    if (taking_part(warp) != machine::kFullMask) note_absent_sources(warp, op, taking_part(warp), sources);
    if (with.has_result)
        write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst), [&](unsigned i) { return values[i]; });
    if (with.has_predicate) warp.set_predicate(with.predicate, inside);
}

// Where a value and, beside it, a predicate go: "d", "d|p" or "_|p".
ShuffleOperands read_destinations(Binding& binding) {
    ShuffleOperands with;
    const BoundOperand& to = binding.operands[0];
    const bool pair = to.kind == BoundKind::kVector;
    const BoundOperand& value = pair ? to.elements[0] : to;
    with.has_result = value.kind == BoundKind::kValue;
    binding.op.dst = value.slot;
    if (pair && to.elements[1].kind == BoundKind::kValue) {
        with.has_predicate = true;
        with.predicate = to.elements[1].slot;
    }
    with.source = binding.operands[1].slot;
    return with;
}

OpFn bind_shuffle(Binding& binding) {
    ShuffleOperands with = read_destinations(binding);
    with.lane = binding.operands[2].slot;
    with.clamp = binding.operands[3].slot;
    binding.op.extra = binding.keep(with);
    if (binding.has("up")) return &shuffle<Shuffle::kUp>;
    if (binding.has("down")) return &shuffle<Shuffle::kDown>;
    return binding.has("bfly") ? &shuffle<Shuffle::kButterfly> : &shuffle<Shuffle::kIndex>;
}

// ---- votes ----------------------------------------------------------------------------------------------------------

std::uint32_t votes(const Warp& warp, const Op& op) {
    const std::uint32_t holds = *brought<std::uint32_t>(warp, op.a);
    return (op.flags & 1 ? ~holds : holds) & taking_part(warp);
}
void vote_all(Warp& warp, const Op& op) { warp.set_predicate(op.dst, votes(warp, op) == taking_part(warp) ? ~0u : 0u); }
void vote_any(Warp& warp, const Op& op) { warp.set_predicate(op.dst, votes(warp, op) != 0 ? ~0u : 0u); }
void vote_uni(Warp& warp, const Op& op) {
    const std::uint32_t found = votes(warp, op);
    warp.set_predicate(op.dst, found == 0 || found == taking_part(warp) ? ~0u : 0u);
}
void vote_ballot(Warp& warp, const Op& op) {
    const std::uint32_t found = votes(warp, op);
    write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst), [&](unsigned) { return found; });
}

OpFn bind_vote(Binding& binding) {
    binding.op.flags = binding.operands[1].negated ? 1 : 0;
    if (binding.has("all")) return &vote_all;
    if (binding.has("any")) return &vote_any;
    return binding.has("uni") ? &vote_uni : &vote_ballot;
}

void active_mask(Warp& warp, const Op& op) {
    const std::uint32_t active = warp.active;
    write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst), [&](unsigned) { return active; });
}
OpFn bind_active_mask(Binding&) { return &active_mask; }

void elect(Warp& warp, const Op& op) {
    const auto& with = *static_cast<const ShuffleOperands*>(op.extra);
    const auto leader = static_cast<std::uint32_t>(std::countr_zero(taking_part(warp)));
    if (with.has_result) write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst), [&](unsigned) { return leader; });
    if (with.has_predicate) warp.set_predicate(with.predicate, 1u << leader);
}

OpFn bind_elect(Binding& binding) {
    binding.op.extra = binding.keep(read_destinations(binding));
    return &elect;
}

// ---- match ----------------------------------------------------------------------------------------------------------

template <class T>
std::uint32_t equal_lanes(const T* values, std::uint32_t among, unsigned lane) {
    std::uint32_t same = 0;
    for (unsigned i = 0; i < kWarpSize; ++i)
        if ((among >> i & 1) && values[i] == values[lane]) same |= 1u << i;
    return same;
}

template <class T>
void match_any(Warp& warp, const Op& op) {
    const T* values = brought<T>(warp, op.a);
    alignas(64) std::uint32_t found[kWarpSize];
    for (unsigned i = 0; i < kWarpSize; ++i) found[i] = equal_lanes(values, taking_part(warp), i);
    write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst), [&](unsigned i) { return found[i]; });
}

template <class T>
void match_all(Warp& warp, const Op& op) {
    const auto& with = *static_cast<const ShuffleOperands*>(op.extra);
    const T* values = brought<T>(warp, with.source);
    const std::uint32_t lanes = taking_part(warp);
    const bool all = equal_lanes(values, lanes, static_cast<unsigned>(std::countr_zero(lanes))) == lanes;
    const std::uint32_t mask = all ? lanes : 0u;
    if (with.has_result) write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst), [&](unsigned) { return mask; });
    if (with.has_predicate) warp.set_predicate(with.predicate, all ? ~0u : 0u);
}

OpFn bind_match(Binding& binding) {
    const bool wide = bytes_of(binding.type()) == 8;
    if (binding.has("any")) return wide ? &match_any<std::uint64_t> : &match_any<std::uint32_t>;
    binding.op.extra = binding.keep(read_destinations(binding));
    return wide ? &match_all<std::uint64_t> : &match_all<std::uint32_t>;
}

// ---- redux ----------------------------------------------------------------------------------------------------------

template <class T, class F>
void reduce(Warp& warp, const Op& op) {
    const T* values = brought<T>(warp, op.a);
    const std::uint32_t lanes = taking_part(warp);
    T total = values[std::countr_zero(lanes)];
    for (std::uint32_t left = lanes & (lanes - 1); left != 0; left &= left - 1)
        total = F::apply(total, values[std::countr_zero(left)]);
    write_lanes(warp.exec, warp.target<T>(op.dst), [&](unsigned) { return total; });
}

template <class T>
struct Sum {
    static T apply(T a, T b) { return a + b; }
};
template <class T>
struct Least {
    static T apply(T a, T b) { return a < b ? a : b; }
};
template <class T>
struct Greatest {
    static T apply(T a, T b) { return a > b ? a : b; }
};
template <class T>
struct BitAnd {
    static T apply(T a, T b) { return a & b; }
};
template <class T>
struct BitOr {
    static T apply(T a, T b) { return a | b; }
};
template <class T>
struct BitXor {
    static T apply(T a, T b) { return a ^ b; }
};

OpFn bind_reduce(Binding& binding) {
    using U = std::uint32_t;
    using S = std::int32_t;
    const bool sign = is_signed(binding.type());
    if (binding.has("add")) return &reduce<U, Sum<U>>;
    if (binding.has("min")) return sign ? &reduce<S, Least<S>> : &reduce<U, Least<U>>;
    if (binding.has("max")) return sign ? &reduce<S, Greatest<S>> : &reduce<U, Greatest<U>>;
    if (binding.has("and")) return &reduce<U, BitAnd<U>>;
    return binding.has("or") ? &reduce<U, BitOr<U>> : &reduce<U, BitXor<U>>;
}

// Libraries hold it in branches that only launches with clusters take.
void refuse_cluster_barrier(Warp& warp, const Op& op) {
    if (warp.exec == 0) return;
    machine::raise(warp, op, machine::FaultKind::kIllegalInstruction, "",
                   static_cast<unsigned>(std::countr_zero(warp.exec)),
                   "barrier.cluster is not supported: blocks do not run as clusters here");
}

OpFn bind_cluster_barrier(Binding&) { return &refuse_cluster_barrier; }

#define BARRIER Class::kSync, .bind = &bind_barrier
#define CONVERGE(...) .control = Control::kConverge, .meets = meet_by(__VA_ARGS__)

constexpr Row kWarpSyncRows[] = {
    {.syntax = "bar{.cta}.sync~", .operands = "u32 u32?", .kind = BARRIER, .control = Control::kBarrier},
    {.syntax = "bar{.cta}.arrive~", .operands = "u32 u32", .kind = BARRIER, .control = Control::kBarrier},
    {.syntax = "bar{.cta}.red~.popc.u32",
     .operands = "=u32 u32 u32? pred",
     .kind = BARRIER,
     .control = Control::kBarrier},
    {.syntax = "bar{.cta}.red~.[and or].pred",
     .operands = "=pred u32 u32? pred",
     .kind = BARRIER,
     .control = Control::kBarrier},
    {.syntax = "barrier{.cta}~.sync{.aligned}",
     .operands = "u32 u32?",
     .kind = BARRIER,
     .needs = {60, 30},
     .control = Control::kBarrier},
    {.syntax = "barrier{.cta}.arrive~{.aligned}",
     .operands = "u32 u32",
     .kind = BARRIER,
     .needs = {60, 30},
     .control = Control::kBarrier},
    {.syntax = "barrier{.cta}.red~.popc{.aligned}.u32",
     .operands = "=u32 u32 u32? pred",
     .kind = BARRIER,
     .needs = {60, 30},
     .control = Control::kBarrier},
    {.syntax = "barrier{.cta}.red~.[and or]{.aligned}.pred",
     .operands = "=pred u32 u32? pred",
     .kind = BARRIER,
     .needs = {60, 30},
     .control = Control::kBarrier},
    {.syntax = "barrier.cluster.arrive~{.[release relaxed]}{.aligned}",
     .operands = "",
     .kind = Class::kSync,
     .bind = &bind_cluster_barrier,
     .needs = {78, 90},
     .note = "accepted; a kernel that executes it ends"},
    {.syntax = "barrier.cluster.wait~{.acquire}{.aligned}",
     .operands = "",
     .kind = Class::kSync,
     .bind = &bind_cluster_barrier,
     .needs = {78, 90},
     .note = "accepted; a kernel that executes it ends"},
    {.syntax = "bar.warp.sync~",
     .operands = "b32",
     .kind = Class::kSync,
     .bind = &bind_nothing,
     .needs = {60, 30},
     CONVERGE(0),
     .order = machine::Order::kAcquireRelease,
     .scope = machine::Scope::kBlock},
    {.syntax = "shfl.sync.[up down bfly idx].b32",
     .operands = "=b32|pred b32 b32 b32 b32",
     .kind = Class::kSync,
     .effect = effect::kShuffle,
     .bind = &bind_shuffle,
     .needs = {60, 30},
     CONVERGE(4, {1})},
    {.syntax = "shfl.[up down bfly idx].b32",
     .operands = "=b32|pred b32 b32 b32",
     .kind = Class::kSync,
     .effect = effect::kShuffle,
     .bind = &bind_shuffle,
     .needs = {30, 30},
     .note = "without .sync: the lanes that happen to be active"},
    {.syntax = "vote.sync.[all any uni].pred",
     .operands = "=pred pred b32",
     .kind = Class::kSync,
     .effect = effect::kAgree,
     .bind = &bind_vote,
     .needs = {60, 30},
     CONVERGE(2, {1})},
    {.syntax = "vote.sync.ballot.b32",
     .operands = "=b32 pred b32",
     .kind = Class::kSync,
     .effect = effect::kBallot,
     .bind = &bind_vote,
     .needs = {60, 30},
     CONVERGE(2, {1})},
    {.syntax = "vote.[all any uni].pred",
     .operands = "=pred pred",
     .kind = Class::kSync,
     .effect = effect::kAgree,
     .bind = &bind_vote,
     .needs = {12, 12}},
    {.syntax = "vote.ballot.b32",
     .operands = "=b32 pred",
     .kind = Class::kSync,
     .effect = effect::kBallot,
     .bind = &bind_vote,
     .needs = {12, 20}},
    {.syntax = "match.any.sync.[b32 b64]",
     .operands = "=b32 T0 b32",
     .kind = Class::kSync,
     .effect = effect::kExchange,
     .bind = &bind_match,
     .needs = {60, 70},
     CONVERGE(2, {1})},
    {.syntax = "match.all.sync.[b32 b64]",
     .operands = "=b32|pred T0 b32",
     .kind = Class::kSync,
     .effect = effect::kExchange,
     .bind = &bind_match,
     .needs = {60, 70},
     CONVERGE(2, {1})},
    {.syntax = "activemask.b32",
     .operands = "=b32",
     .kind = Class::kSync,
     .effect = effect::kExchange,
     .bind = &bind_active_mask,
     .needs = {62, 30}},
    {.syntax = "redux.sync.[add min max].[u32 s32]",
     .operands = "=T0 T0 b32",
     .kind = Class::kSync,
     .effect = effect::kAgree,
     .bind = &bind_reduce,
     .needs = {70, 80},
     CONVERGE(2, {1})},
    {.syntax = "redux.sync.[and or xor].b32",
     .operands = "=T0 T0 b32",
     .kind = Class::kSync,
     .effect = effect::kAgree,
     .bind = &bind_reduce,
     .needs = {70, 80},
     CONVERGE(2, {1})},
    {.syntax = "elect.sync",
     .operands = "=b32|pred b32",
     .kind = Class::kSync,
     .effect = effect::kExchange,
     .bind = &bind_elect,
     .needs = {80, 90},
     CONVERGE(1)},
};

}  // namespace

const Family& warp_sync_family() {
    static constexpr Family kFamily{"warp_sync", "barriers, shuffles and votes", kWarpSyncRows,
                                    std::size(kWarpSyncRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
