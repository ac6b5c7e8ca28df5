// A stop watch by the names that NVIDIA's samples use for theirs. Ours.
#pragma once
#include <chrono>

class StopWatchInterface {
public:
    void start() { begin_ = std::chrono::steady_clock::now(); }
    void stop() { total_ += std::chrono::steady_clock::now() - begin_; }
    float getTime() const { return total_.count(); }

private:
    std::chrono::steady_clock::time_point begin_;
    std::chrono::duration<float, std::milli> total_{};
};
inline bool sdkCreateTimer(StopWatchInterface** timer) { return (*timer = new StopWatchInterface) != nullptr; }
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
    (*timer)->start();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
    (*timer)->stop();
    return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) { return (*timer)->getTime(); }
