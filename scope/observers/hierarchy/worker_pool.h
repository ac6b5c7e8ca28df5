// WorkerPool: a leading thread, and helpers that run its tasks in parallel.
//
// Guarantees: run() returns when every task has ended. The leader and the next tasks see everything that the tasks
// wrote. The leader runs the tasks alone if no helper comes. Does not model: fairness.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace tilescope::observers {

class WorkerPool {
public:
    // The leader's: task(0) to task(tasks - 1), fewer than 65,536. `worth`: it pays to have them done by several.
    void run(unsigned tasks, bool worth, const std::function<void(unsigned)>& task);
    // Others': helps until dismiss(), or until `leave` says so between two tasks.
    void help(const std::function<bool()>& leave);
    void dismiss();
    // From here on there is somebody to help.
    void assemble() { dismissed_ = false; }

private:
    bool take(std::uint64_t& ticket, unsigned& task);

    // The number of the run, how many tasks it has and which is next.
    static constexpr unsigned kTaskBits = 16, kTaskMask = (1u << kTaskBits) - 1;  // numeric: of a ticket
    std::atomic<std::uint64_t> ticket_{0};
    std::atomic<unsigned> left_{0}, helpers_{0};
    std::atomic<bool> dismissed_{true};
    const std::function<void(unsigned)>* task_ = nullptr;
};

}  // namespace tilescope::observers
