#include "scope/machine/run_observers.h"

namespace tilescope::machine {

void RunObservers::add(std::unique_ptr<RunObserver> observer) {
    const std::lock_guard lock(mutex_);
    observers_.push_back(std::move(observer));
    listens_.store(true, std::memory_order_release);
}

std::unique_lock<std::recursive_mutex> RunObservers::keep_order() {
    return is_empty() ? std::unique_lock<std::recursive_mutex>() : std::unique_lock(mutex_);
}

std::vector<std::unique_ptr<Observer>> RunObservers::on_launch_begin(const LaunchEvent& event) {
    std::vector<std::unique_ptr<Observer>> looking;
    if (is_empty()) return looking;
    const std::lock_guard lock(mutex_);
    for (const auto& observer : observers_) looking.push_back(observer->on_launch_begin(event));
    return looking;
}

// Observers that came during the launch did not see it begin.
void RunObservers::on_launch_end(const LaunchEvent& event, const std::vector<const Observer*>& seen) {
    if (is_empty()) return;
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < seen.size(); ++i) observers_[i]->on_launch_end(event, seen[i]);
}

}  // namespace tilescope::machine
