// The driver's own log: a line for each call that failed, for programs that ask for it.
//
// Owns: DriverLog. Guarantees: the latest hundred lines; whoever registered is told of each as it comes. Does not
// model: NVIDIA's words and times: a line is the call's name and our reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>

namespace tilescope::runtime::driver {

using LogCallback = void (*)(void* data, int level, char* line, std::size_t bytes);

class DriverLog {
public:
    // One per process, never destroyed.
    static DriverLog& get();

    void add(const std::string& line);
    // How many lines there ever were.
    unsigned count();
    // Lines from the `first` on, as far as they are kept.
    std::string lines_from(unsigned first);
    std::uintptr_t listen(LogCallback callback, void* data);
    bool stop(std::uintptr_t handle);

private:
    struct Listener {
        LogCallback callback;
        void* data;
    };
    std::mutex mutex_;
    std::deque<std::string> lines_;
    unsigned count_ = 0;
    std::map<std::uintptr_t, Listener> listeners_;
    std::uintptr_t last_ = 0;
};

}  // namespace tilescope::runtime::driver
