#include "scope/session/launch/check_budget.h"

#include <algorithm>
#include <cmath>

namespace tilescope {
namespace {

// Estimated times in nanoseconds of one core, measured on six programs of bench/caches/programs.py on 28 November 2026
// (bench/README.md, "--check auto"): a warp instruction, an access, an access to global memory that goes through the
// simulation of the caches.
constexpr double kOfInstruction = 9, kOfAccess = 25, kOfSimulated = 650;
// Of a launch's own time, what checks of races and undefined values may add. The cheap checks add about 0.3.
constexpr double kShare = 0.1;
// A launch shorter than this runs on one core with or without checks.
constexpr double kAlone = 100e3;
// What two cores share of a launch's time: checked blocks keep one of them waiting for half of it.
constexpr double kLost = 0.5;

}  // namespace

// What emulation takes, which all cores share; the caches are simulated on one.
double CheckBudget::emulation_time(double instructions, const observers::CheckEffort& effort) {
    return kOfInstruction * instructions + kOfAccess * static_cast<double>(effort.shared + effort.global);
}

double CheckBudget::time_of(double instructions, const observers::CheckEffort& effort) const {
    const double simulated = has_caches_ ? kOfSimulated * static_cast<double>(effort.global) : 0;
    return emulation_time(instructions, effort) + simulated;
}

void CheckBudget::begin(observers::CheckEffort& effort) const {
    effort.granted = std::max(credit_, 0.0);
    effort.share = kShare * (has_caches_ ? kOfSimulated : kOfAccess);
    effort.is_over = credit_ < 0;
}

std::uint64_t CheckBudget::blocks_checked(std::uint64_t instructions, std::uint64_t blocks,
                                          observers::CheckEffort& effort) const {
    effort.granted = HUGE_VAL;
    const auto ran = static_cast<double>(instructions);
    const auto all = static_cast<double>(blocks);
    const double emulated = emulation_time(ran, effort);
    const double extra = effort.spent + (emulated * all > kAlone ? kLost * emulated : 0);
    const double allowed = std::max(credit_, 0.0) + kShare * time_of(ran, effort) * all;
    if (extra * all <= allowed) return blocks;
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(allowed / extra));
}

void CheckBudget::end(std::uint64_t instructions, std::uint64_t checked, std::uint64_t blocks,
                      const observers::CheckEffort& effort) {
    const double part = blocks == 0 ? 1 : static_cast<double>(checked) / static_cast<double>(blocks);
    const double ran = part * static_cast<double>(instructions);
    const double all = part > 0 ? time_of(ran, effort) / part : kOfInstruction * static_cast<double>(instructions);
    const double emulated = emulation_time(ran, effort);
    credit_ += kShare * all - effort.spent - (part > 0 && emulated / part > kAlone ? kLost * emulated : 0);
}

}  // namespace tilescope
