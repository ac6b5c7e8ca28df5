// Requests of the code to L1 and L2 beside its accesses: priorities, sizes and prefetches.
//
// Owns: the meaning of each hint, measured on an H200 (bench/hardware/README.md, November 2026). Guarantees: loads and
// stores without a hint get no policy. Does not model: hints of stores to L1, and prefetches that hardware drops.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "scope/machine/cache_policy.h"
#include "scope/machine/events.h"
#include "scope/observers/hierarchy/record/addresses.h"
#include "scope/observers/hierarchy/record/traffic.h"

namespace tilescope::observers {

// `brought`: what the access has as a policy, if its spelling has one.
machine::CachePolicy policy_of(const machine::CacheHints& hints, std::uint64_t brought);
Reach reach_of(const machine::CacheHints& hints);
// Among the lines of L1. Those of `.cs` and of `.L1::evict_unchanged` are as those that are to go first.
Rank rank_of(const machine::CacheHints& hints);
// A load that L1 neither answers nor keeps.
bool goes_past_first(const machine::CacheHints& hints);

class PrefetchRecorder {
public:
    // Adds shapes to `words`, and says which and at what line. Lanes that request what no allocation holds are dropped.
    void take(const machine::Prefetch& event, const CacheAddresses& addresses, std::vector<std::uint64_t>& words,
              const std::function<void(std::uint64_t line, std::uint32_t shape)>& note);
    // `words` begin anew.
    void forget_shapes() { known_.clear(); }

private:
    struct Known {
        std::uint32_t mask = 0, shape = 0;
        std::uint64_t phase = 0;
        std::array<std::int64_t, machine::kWarpSize> deltas{};
    };
    std::unordered_map<std::uint32_t, Known> known_;  // by op, of its last one
};

}  // namespace tilescope::observers
