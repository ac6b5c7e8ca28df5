#include "scope/session/launch/progress.h"

#include <cstdio>

#include <fmt/format.h>

#include "scope/base/safe_text.h"

namespace tilescope {
namespace {

constexpr unsigned kBarCells = 24;

}  // namespace

void Progress::update(std::uint64_t done, std::uint64_t all, std::uint64_t instructions) {
    if (!enabled_ || all == 0) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (seconds < 1.0) return;
    const double share = static_cast<double>(done) / static_cast<double>(all);
    const auto full = static_cast<unsigned>(share * kBarCells);
    std::string bar;
    for (unsigned i = 0; i < kBarCells; ++i) bar += i < full ? '=' : i == full ? '>' : ' ';
    const double left = share > 0 ? seconds / share - seconds : 0;
    const std::string line =
        fmt::format("\r\x1b[K{:.40} [{}] {:3.0f} %  {:.1f} G instructions/s  {:.0f} s left", safe_text(what_), bar,
                    100 * share, static_cast<double>(instructions) * 32 / seconds / 1e9, left);
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
    drawn_ = true;
}

void Progress::clear() {
    if (!drawn_) return;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    drawn_ = false;
}

}  // namespace tilescope
