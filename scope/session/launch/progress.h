// A line on the terminal while a launch runs: how far, how fast, how long still.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tilescope {

class Progress {
public:
    Progress(bool enabled, std::string what) : enabled_(enabled), what_(std::move(what)), start_(Clock::now()) {}
    ~Progress() { clear(); }
    // Draws when a second has passed since the start; thread instructions are an estimate from one worker.
    void update(std::uint64_t done, std::uint64_t all, std::uint64_t instructions);

private:
    using Clock = std::chrono::steady_clock;
    void clear();

    bool enabled_ = false, drawn_ = false;
    std::string what_;
    Clock::time_point start_;
};

}  // namespace tilescope
