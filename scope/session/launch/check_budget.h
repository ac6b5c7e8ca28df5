// CheckBudget: how much of each launch --check auto looks at for races and undefined values, the checks that cost.
//
// Owns: the run's account of estimated time. Guarantees: decisions follow from counts (warp instructions, accesses,
// blocks), never from a clock, so that a program's report is the same on every machine and at any --jobs. The goal is a
// run of at most 1.5 times the time of --check none on two cores; checked blocks run on one of these.
// Does not model: the cheap checks (memory, barriers, streams), which see every launch whole.
#pragma once

#include <cstdint>

#include "scope/observers/hazards/effort.h"

namespace tilescope {

class CheckBudget {
public:
    explicit CheckBudget(bool has_caches) : has_caches_(has_caches) {}

    // What checks of a launch that begins may spend before anybody knows how long it is.
    void begin(observers::CheckEffort& effort) const;
    // Blocks of a grid that are checked, from the first on, when the first has run with so many warp instructions and
    // `effort` has its accesses: 1 to `blocks`. From then on `effort` ends nothing.
    std::uint64_t blocks_checked(std::uint64_t instructions, std::uint64_t blocks,
                                 observers::CheckEffort& effort) const;
    // A launch of so many warp instructions and blocks is over, of which the first `checked` were checked.
    void end(std::uint64_t instructions, std::uint64_t checked, std::uint64_t blocks,
             const observers::CheckEffort& effort);

private:
    static double emulation_time(double instructions, const observers::CheckEffort& effort);
    double time_of(double instructions, const observers::CheckEffort& effort) const;

    bool has_caches_;
    // Nanoseconds that checks may take beside what each launch's own time allows.
    double credit_ = 60e6;
};

}  // namespace tilescope
