#include "scope/session/launch/progress.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "scope/base/safe_text.h"

namespace tilescope {
namespace {

constexpr unsigned kBarCells = 24;

}  // namespace

std::string progress_text(const std::string& what, double share, std::uint64_t warp_instructions, double seconds) {
    constexpr double kWarp = 32, kGiga = 1e9, kPercent = 100, kWorthTelling = 0.01;
    const auto full = static_cast<unsigned>(share * kBarCells);
    std::string bar;
    for (unsigned i = 0; i < kBarCells; ++i) bar += i < full ? '=' : i == full ? '>' : ' ';
    // Rounded down: what is not done is not said to be.
    std::string text = fmt::format("{:.40} [{}] {:3.0f} %", what, bar, std::floor(share * kPercent));
    if (warp_instructions != 0 && seconds > 0)
        text +=
            fmt::format("  {:.1f} G instructions/s", static_cast<double>(warp_instructions) * kWarp / seconds / kGiga);
    if (share >= kWorthTelling) text += fmt::format("  {:.0f} s left", seconds / share - seconds);
    return text;
}

void ProgressLine::update(double share, std::uint64_t warp_instructions) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (seconds < 1.0) return;
    const std::string line = "\r\x1b[K" + progress_text(safe_text(what_), share, warp_instructions, seconds);
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
    drawn_ = true;
}

void ProgressLine::clear() {
    if (!drawn_) return;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    drawn_ = false;
}

}  // namespace tilescope
