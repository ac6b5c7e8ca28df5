// What NVIDIA's Nsight Compute wrote with --csv: the counters of launches, under our names.
//
// Guarantees: reads both of its layouts, a row a launch (--page raw) and a row a figure (--page details); values come
// back in base units, thousands separators and prefixed units ("Kbyte") undone. Figures that have no counterpart here
// are left out. Does not model: its binary reports; run `ncu --import FILE --page raw --csv` on those.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"

namespace tilescope::report {

struct MeasuredFigure {
    std::string_view name;  // of our counter or fact
    std::string_view unit;  // ours
    double value = 0;
};

struct MeasuredLaunch {
    std::uint32_t index = 0;  // the profiler's ID
    std::string kernel;
    std::vector<MeasuredFigure> figures;
};

// "ncu-csv" when the text is no such file, or none of its metrics is one that we count; the hint names what to ask ncu
// for.
Result<std::vector<MeasuredLaunch>> read_ncu_csv(std::string_view text);

// The profiler's metrics that have a counterpart here, as its --metrics takes them.
std::string ncu_metrics();

}  // namespace tilescope::report
