// KnownLaunches: requests and results of recent launches, so that an identical launch can reuse a result.
//
// Owns: for each launch its rules, the cache state it started with, a 128-bit hash of each block's requests, and the
// result. Guarantees: two launches match only if all of these are equal. It keeps at most kMaxLaunches and kMaxBytes,
// and drops the least recently matched first. Does not model: deliberate hash collisions, which would mislead only
// their author.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "scope/observers/hierarchy/answer.h"
#include "scope/observers/hierarchy/record/buffers.h"
#include "scope/observers/hierarchy/record/traffic.h"
#include "scope/observers/hierarchy/rules.h"

namespace tilescope::observers {

struct TrafficHash {
    std::uint64_t low = 0, high = 0;
    bool operator==(const TrafficHash&) const = default;
};

// Of all that a block requests, in its order; of the numbers in them, not of what they mean.
TrafficHash hash_of(const BlockTraffic& traffic);

// All that decides, beside what its blocks request, what caches do for a launch.
struct LaunchTerms {
    std::shared_ptr<const HierarchyRules> rules;
    std::uint64_t blocks = 0;
    std::size_t ops = 0;
    std::shared_ptr<const BufferMap> buffers;
    // What is in L2 when the launch begins (SecondLevel::state()); nothing: nobody can tell. And whether the next
    // launch finds what this one leaves.
    std::optional<std::uint64_t> state;
    bool is_kept = false;

    bool alike(const LaunchTerms& other) const;
};

// Where L2 is kept, it was the same behind the launch as before.
struct KnownLaunch {
    LaunchTerms terms;
    std::vector<TrafficHash> blocks;  // by number
    std::shared_ptr<const ReplayAnswer> answer;
};

// Not for several threads at once.
class KnownLaunches {
public:
    static constexpr std::size_t kMaxLaunches = 64;              // numeric: more than programs go round by
    static constexpr std::uint64_t kMaxBytes = 64 << 20;         // numeric: of the host's memory
    static constexpr std::uint64_t kMaxBlocks = kMaxBytes / 64;  // numeric: of one launch, a quarter of that

    // Those that a launch of these terms may be alike.
    std::vector<std::shared_ptr<const KnownLaunch>> alike(const LaunchTerms& terms);
    void add(KnownLaunch launch);
    // It has answered another one.
    void used(const std::shared_ptr<const KnownLaunch>& launch);
    std::size_t count() const { return launches_.size(); }
    std::uint64_t answered() const { return answered_; }  // launches so far

private:
    static std::uint64_t bytes_of(const KnownLaunch& launch);

    std::list<std::shared_ptr<const KnownLaunch>> launches_;  // the one used last first
    std::uint64_t bytes_ = 0, answered_ = 0;
};

}  // namespace tilescope::observers
