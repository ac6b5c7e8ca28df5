// RunObservers: passes the actions of a run to its observers. Without observers it costs a look at one flag.
//
// Owns: the observers. Guarantees: they are called in the order in which they were added, by one thread at a time.
// Code that holds keep_order() is announced in its order of execution.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "scope/machine/run_observer.h"

namespace tilescope::machine {

class RunObservers {
public:
    void add(std::unique_ptr<RunObserver> observer);
    bool is_empty() const { return !listens_.load(std::memory_order_acquire); }

    // For whoever does something and tells of it: nobody tells of anything in between.
    std::unique_lock<std::recursive_mutex> keep_order();

    void on_allocate(const AllocationEvent& event) { tell(&RunObserver::on_allocate, event); }
    void on_release_begin(const AllocationEvent& event) { tell(&RunObserver::on_release_begin, event); }
    void on_release(const AllocationEvent& event) { tell(&RunObserver::on_release, event); }
    void on_set(const SetEvent& event) { tell(&RunObserver::on_set, event); }
    void on_copy(const CopyEvent& event) { tell(&RunObserver::on_copy, event); }
    void on_changed() {
        if (is_empty()) return;
        const std::lock_guard lock(mutex_);
        for (const auto& observer : observers_) observer->on_changed();
    }
    void on_prefetch(const PrefetchEvent& event) { tell(&RunObserver::on_prefetch, event); }
    void on_advice(const AdviceEvent& event) { tell(&RunObserver::on_advice, event); }
    void on_stream(const StreamEvent& event) { tell(&RunObserver::on_stream, event); }
    void on_graph_launch(const GraphLaunchEvent& event) { tell(&RunObserver::on_graph_launch, event); }
    void on_host_access(const HostAccessEvent& event) { tell(&RunObserver::on_host_access, event); }
    // What looks into the launch: one for each observer of the run, or nullptr.
    std::vector<std::unique_ptr<Observer>> on_launch_begin(const LaunchEvent& event);
    // `seen`: what these have become.
    void on_launch_end(const LaunchEvent& event, const std::vector<const Observer*>& seen);

private:
    template <class E>
    void tell(void (RunObserver::*call)(const E&), const E& event) {
        if (is_empty()) return;
        const std::lock_guard lock(mutex_);
        for (const auto& observer : observers_) (observer.get()->*call)(event);
    }

    std::recursive_mutex mutex_;
    std::atomic<bool> listens_{false};
    std::vector<std::unique_ptr<RunObserver>> observers_;
};

}  // namespace tilescope::machine
