#include "scope/observers/hierarchy/worker_pool.h"

#include <thread>

namespace tilescope::observers {
namespace {

// Looks before one who waits gives its processor away: a window of the replay takes some hundred microseconds.
constexpr unsigned kLooks = 2000;  // numeric: by time that it took here

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

// The next task of the run that the ticket says is under way.
bool WorkerPool::take(std::uint64_t& ticket, unsigned& task) {
    ticket = ticket_.load(std::memory_order_acquire);
    while (true) {
        const unsigned next = ticket & kTaskMask, tasks = ticket >> kTaskBits & kTaskMask;
        if (next >= tasks) return false;
        if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) continue;
        task = next;
        return true;
    }
}

void WorkerPool::run(unsigned tasks, bool worth, const std::function<void(unsigned)>& task) {
    if (!worth || tasks < 2 || helpers_ == 0) {
        for (unsigned i = 0; i < tasks; ++i) task(i);
        return;
    }
    task_ = &task;
    left_ = tasks;
    const std::uint64_t run = (ticket_.load() >> 2 * kTaskBits) + 1;
    ticket_.store(run << 2 * kTaskBits | std::uint64_t{tasks} << kTaskBits, std::memory_order_release);
    std::uint64_t ticket;
    unsigned mine;
    while (take(ticket, mine)) {
        task(mine);
        left_.fetch_sub(1, std::memory_order_acq_rel);
    }
    // There may be more threads than processors.
    for (unsigned looks = 0; left_.load(std::memory_order_acquire) != 0; ++looks) {
        if (looks < kLooks)
            pause();
        else
            std::this_thread::yield();
    }
}

void WorkerPool::help(const std::function<bool()>& leave) {
    ++helpers_;
    unsigned looks = 0;
    while (!dismissed_ && !leave()) {
        std::uint64_t ticket;
        unsigned mine;
        if (!take(ticket, mine)) {
            if (++looks < kLooks)
                pause();
            else
                std::this_thread::yield();
            continue;
        }
        looks = 0;
        (*task_)(mine);
        left_.fetch_sub(1, std::memory_order_acq_rel);
    }
    --helpers_;
}

void WorkerPool::dismiss() { dismissed_ = true; }

}  // namespace tilescope::observers
