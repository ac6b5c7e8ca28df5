// A line on the terminal while a launch runs: how far, how fast, how long still.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tilescope {

// What the line says: "name [=====>    ]  42 %  1.2 G instructions/s  3 s left". No time is left to tell at the very
// beginning, and no rate before the first block has ended.
std::string progress_text(const std::string& what, double share, std::uint64_t warp_instructions, double seconds);

class ProgressLine {
public:
    explicit ProgressLine(std::string what) : what_(std::move(what)), start_(Clock::now()) {}
    ~ProgressLine() { clear(); }
    // Draws when a second has passed since the start.
    void update(double share, std::uint64_t warp_instructions);

private:
    using Clock = std::chrono::steady_clock;
    void clear();

    bool drawn_ = false;
    std::string what_;
    Clock::time_point start_;
};

}  // namespace tilescope
