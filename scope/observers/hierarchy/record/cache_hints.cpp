#include "scope/observers/hierarchy/record/cache_hints.h"

#include <bit>

#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {
namespace {

using machine::CacheHints;
using machine::CacheOperator;
using machine::CachePolicy;
using machine::Eviction;

Eviction eviction_of(const CacheHints& hints) {
    if (hints.second_level != Eviction::kNone) return hints.second_level;
    // What is not to stay in L1 is not to stay in L2; what is to stay there, or as it is, says nothing of L2.
    const bool is_first = hints.first_level == Eviction::kFirst || hints.first_level == Eviction::kNoAllocate ||
                          hints.operation == CacheOperator::kStreaming || hints.operation == CacheOperator::kLastUse;
    return is_first ? Eviction::kFirst : Eviction::kNone;
}

CachePolicy of_all(Eviction eviction) {
    return eviction == Eviction::kNone ? CachePolicy() : CachePolicy::of_fraction(eviction, Eviction::kUnchanged, 1);
}

}  // namespace

CachePolicy policy_of(const CacheHints& hints, std::uint64_t brought) {
    const CachePolicy policy(hints.has_policy ? brought : 0);
    return policy.asks() ? policy : of_all(eviction_of(hints));
}

Reach reach_of(const CacheHints& hints) {
    // geometry: bytes that PTX spells
    return hints.prefetch_bytes >= 256 ? Reach::kTwoLines : hints.prefetch_bytes >= 128 ? Reach::kLine : Reach::kPair;
}

Rank rank_of(const CacheHints& hints) {
    switch (hints.first_level) {
        case Eviction::kFirst:
        case Eviction::kUnchanged: return Rank::kFirst;
        case Eviction::kLast: return Rank::kLast;
        case Eviction::kNone: return hints.operation == CacheOperator::kStreaming ? Rank::kFirst : Rank::kNormal;
        case Eviction::kNormal:
        case Eviction::kNoAllocate: break;
    }
    return Rank::kNormal;
}

bool goes_past_first(const CacheHints& hints) {
    return hints.operation == CacheOperator::kSecondLevel || hints.operation == CacheOperator::kAnew ||
           hints.operation == CacheOperator::kLastUse || hints.first_level == Eviction::kNoAllocate;
}

void PrefetchRecorder::take(const machine::Prefetch& event, const CacheAddresses& addresses,
                            std::vector<std::uint64_t>& words,
                            const std::function<void(std::uint64_t line, std::uint32_t shape)>& note) {
    for (std::uint32_t left = event.mask; left != 0;) {
        machine::Access access;
        access.op = event.op;
        access.width = 1;
        access.first = event.addresses[std::countr_zero(left)];
        const CacheAddresses::Range range = addresses.find(access.first);
        Known now;
        for (std::uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
            if (!range.holds(event.addresses[lane])) continue;
            now.mask |= 1u << lane;
            now.deltas[lane] = static_cast<std::int64_t>(event.addresses[lane] - access.first);
        }
        left &= ~now.mask;
        if (!addresses.knows(access.first)) continue;
        access.mask = now.mask;
        access.deltas = now.deltas.data();
        now.phase = access.first % (1u << kLineShift);
        Known& last = known_[event.op];
        if (last.mask != now.mask || last.phase != now.phase || last.deltas != now.deltas) {
            Shape shape;
            shape.op = event.op;
            shape.kind = RequestKind::kPrefetch;
            // One with a priority brings the line.
            shape.reach = event.eviction == Eviction::kNone ? Reach::kPair : Reach::kLine;
            const CachePolicy policy = of_all(event.eviction);
            shape.has_policy = policy.asks();
            now.shape = add_shape(words, shape, access, policy.bits(), range.shift);
            last = now;
        }
        note(first_line(access, range.shift), last.shape);
    }
}

}  // namespace tilescope::observers
