// What NVIDIA's Nsight Compute calls what a profile has, both ways.
//
// Owns: the table of metric names and that of stall reasons. Guarantees: a row's two sides mean the same; what only
// resembles is not in it. Sources: the documentation of Nsight Compute (2025); tests/truth holds counts of an H200 and
// an H100 against ours. Does not model: units and rollups other than those named.
#pragma once

#include <span>
#include <string_view>

#include "scope/report/profile.h"

namespace tilescope::report {

struct ProfilerName {
    std::string_view ours;    // counter, ratio or fact of a launch
    std::string_view theirs;  // as ncu --metrics takes it
    // Whether figures that the profiler wrote are read beside ours (ncu_csv.h). Not so what only holds where caches
    // begin alike.
    bool is_read = false;
};
std::span<const ProfilerName> profiler_names();

// Null: none.
const ProfilerName* by_profiler_name(std::string_view theirs);
const ProfilerName* profiler_name_of(std::string_view ours);

// What warps wait for on the replay's clock, and why the profiler says that they stall.
struct StallRow {
    double ReplayClock::*cycles;
    std::string_view name, about;  // the replay's field, and in words
    std::string_view theirs;       // "long scoreboard", one or two reasons that only the profiler tells apart
};
std::span<const StallRow> stall_rows();

}  // namespace tilescope::report
