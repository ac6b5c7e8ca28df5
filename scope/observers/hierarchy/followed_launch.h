// FollowedLaunch: feeds one launch's requests to the cache simulation, or reuses the result of an identical earlier
// launch (known_launches.h).
//
// Owns: the simulation, if one runs, and the requests of blocks that are held back while the launch still matches a
// known one (at most kMaxHeld bytes). Guarantees: the result does not depend on which path was taken. Thread safety:
// every member except answer() may be called from any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "scope/machine/launch_progress.h"
#include "scope/observers/hierarchy/known_launches.h"
#include "scope/observers/hierarchy/replay.h"

namespace tilescope::observers {

class FollowedLaunch {
public:
    // `known`: null: no launch is alike another one. `progress`: told how far the replay is; null: nobody is.
    FollowedLaunch(LaunchTerms terms, std::shared_ptr<SecondLevel> second, std::shared_ptr<KnownLaunches> known,
                   machine::LaunchProgress* progress);

    // As of the replay (replay.h).
    bool grow(std::uint64_t bytes);
    void deliver(BlockTraffic&& traffic, std::uint64_t grown);
    void enter();
    void leave();

    // Of a launch that has ended; null where it was not followed to its end. Once it is known, others may be answered
    // by it.
    std::shared_ptr<const ReplayAnswer> answer();
    const LaunchTerms& terms() const { return terms_; }

private:
    // Beyond, blocks are led through the caches though all may yet turn out to be known.
    static constexpr std::uint64_t kMaxHeld = 128 << 20;  // numeric: of the host's memory

    struct Held {
        BlockTraffic traffic;
        std::uint64_t grown = 0;
    };

    bool agrees(const KnownLaunch& known, std::uint64_t block) const;
    Replay& make_replay();
    void begin_replay(std::unique_lock<std::mutex>& lock);

    const LaunchTerms terms_;
    const std::shared_ptr<SecondLevel> second_;
    const std::shared_ptr<KnownLaunches> known_;
    machine::LaunchProgress* const progress_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::unique_ptr<Replay> replay_;
    std::atomic<Replay*> leads_{nullptr};                    // replay_, once blocks go there
    std::vector<std::shared_ptr<const KnownLaunch>> alike_;  // that have requested all that came so far
    std::vector<Held> held_;
    std::uint64_t held_bytes_ = 0, growing_ = 0;
    unsigned working_ = 0, waiting_ = 0;  // who bring blocks; of these, who have no more
    std::vector<TrafficHash> hashes_;     // by block; none where nobody remembers launches of so many
    std::uint64_t came_ = 0;              // blocks
    std::shared_ptr<const ReplayAnswer> answer_;
};

}  // namespace tilescope::observers
