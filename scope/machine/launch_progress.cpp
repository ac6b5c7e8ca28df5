#include "scope/machine/launch_progress.h"

#include <algorithm>

namespace tilescope::machine {
namespace {

// Of the time of a launch with caches, what leading its requests through them takes; the rest is to run it.
constexpr double kReplayPart = 0.75;
// There is always something left to do, if only to add up.
constexpr double kMost = 0.99;

}  // namespace

void LaunchProgress::add(std::uint64_t blocks, std::uint64_t instructions) {
    blocks_run_.fetch_add(blocks, std::memory_order_relaxed);
    instructions_.fetch_add(instructions, std::memory_order_relaxed);
}

double LaunchProgress::share() const {
    const double ran = std::min(1.0, static_cast<double>(blocks_run_) / std::max(1.0, blocks_.load()));
    if (!has_replay_) return std::min(kMost, ran);
    return std::min(kMost, (1 - kReplayPart) * ran + kReplayPart * std::clamp(replayed_.load(), 0.0, 1.0));
}

void LaunchProgress::tell() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || !listener_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < every_) return;
    last_ = now;
    told_ = std::max(told_, share());
    listener_(told_, instructions_.load(std::memory_order_relaxed));
}

}  // namespace tilescope::machine
