// What NVIDIA's Nsight Compute calls what a profile has, both ways.
//
// Owns: the table of metric names and that of stall reasons. Guarantees: a row's two sides mean the same, unless it
// says in what they differ. Sources: the documentation of Nsight Compute (2025); tests/truth holds counts of an H200
// and an H100 against ours. Does not model: units and rollups other than those named; a share here is a percentage
// there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scope/report/profile.h"

namespace tilescope::report {

struct ProfilerName {
    std::string_view ours;    // counter, ratio or fact of a launch
    std::string_view theirs;  // as ncu --metrics takes it
    // Whether figures that the profiler wrote are read beside ours (ncu_csv.h). Not so what only holds where caches
    // begin alike.
    bool is_read = false;
    // Of what is near and not the same: what theirs has that ours has not. Such rows are behind all others.
    std::string_view differs = {};
};
std::span<const ProfilerName> profiler_names();

// Null: none. A name without a rollup ("smsp__inst_executed") is that of the first metric that has one.
const ProfilerName* by_profiler_name(std::string_view theirs);
// What means the same; null: nothing does.
const ProfilerName* profiler_name_of(std::string_view ours);
// Of what means the same and is of the same unit of the device, what has the most words in common with a metric that is
// not in the table; null: nothing has more than the unit.
const ProfilerName* nearest_profiler_name(std::string_view theirs);

// What a warp does not go on for, as the profiler tells it.
struct StallReason {
    std::string_view name;   // "long scoreboard"
    std::string_view brief;  // in its view of the source: "long_sb"
    std::string_view ours;   // StallRow::name; empty: nothing of the kind is modelled
    std::string_view about;  // what the warp waits for
};
std::span<const StallReason> stall_reasons();
// By any of its names: "Long scoreboard", "stall_long_sb", a metric such as
// smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio. Null: none.
const StallReason* stall_reason(std::string_view theirs);

// What warps wait for on the replay's clock.
struct StallRow {
    double ReplayClock::*cycles;
    std::string_view name, about;  // the replay's field, and in words
};
std::span<const StallRow> stall_rows();
// The profiler's reasons for it: "LG throttle, MIO throttle".
std::string reasons_of(std::string_view stall_row);

}  // namespace tilescope::report
