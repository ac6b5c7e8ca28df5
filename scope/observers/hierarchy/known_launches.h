// KnownLaunches: what launches of late have requested of the caches, and what came of it, for those that request the
// same.
//
// Owns: of each launch the rules that it went by, the state in which it found the caches, a hash of each block's
// requests (128 bits), and the answer. Guarantees: two launches are alike only where all of these are equal; no more
// than kMaxLaunches and kMaxBytes are kept, those found longest ago go first. Does not model: somebody who makes two
// blocks of one hash: he would deceive himself alone.
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
