// LaunchProgress: the progress of a launch, in blocks that have run and in the cache simulation.
//
// Guarantees: the reported share never falls, and is less than 1 while the launch runs. One thread at a time calls the
// listener, and not more often than requested. Does not model: the remaining time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>

namespace tilescope::machine {

class LaunchProgress {
public:
    // The share of the launch that is done, and warp instructions so far.
    using Listener = std::function<void(double share, std::uint64_t instructions)>;
    explicit LaunchProgress(std::chrono::milliseconds every) : every_(every) {}
    // Before the launch begins, and none again when it has ended.
    void set_listener(Listener listener) { listener_ = std::move(listener); }

    // Of the run itself; from any thread.
    void set_blocks(double blocks) { blocks_ = blocks; }
    void add(std::uint64_t blocks, std::uint64_t instructions);
    // What is asked of memory will be led through models of caches, which takes longer than to run it; how much of it
    // has been; and that it will not be after all.
    void expect_replay() { has_replay_ = true; }
    void set_replayed(double share) { replayed_ = share; }
    void drop_replay() { has_replay_ = false; }

    double share() const;
    // Calls the listener if it is time.
    void tell();

private:
    const std::chrono::milliseconds every_;
    Listener listener_;
    std::atomic<double> blocks_{1}, replayed_{0};
    std::atomic<std::uint64_t> blocks_run_{0}, instructions_{0};
    std::atomic<bool> has_replay_{false};
    std::mutex mutex_;
    double told_ = 0;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace tilescope::machine
