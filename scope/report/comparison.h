// Comparison: two launches side by side, figure by figure, and what of two profiles is gone, new, or slower.
//
// Owns: which launches, lines, hazards and advice belong together, and what differs between them. Guarantees: pure
// functions of profiles; every counter, ratio and fact that either side has is there; a figure that one side does not
// have is missing, not 0; what only the first has is gone, what only the second has is new. Does not model: which side
// is better.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"
#include "scope/report/ncu_csv.h"
#include "scope/report/profile.h"

namespace tilescope::report {

// Where something is, of two sides.
enum class Presence : std::uint8_t { kBoth, kGone, kNew };
// What became of a figure.
enum class FigureChange : std::uint8_t { kSame, kLess, kMore, kGone, kNew };

struct ComparedFigure {
    std::string_view name, unit;
    std::optional<double> before, after;
    std::string_view origin{};  // Metric::origin(), of either side
    // The same to a thousandth: hardware's own counts differ by as much from run to run.
    bool equal() const;
    // Nothing, and nothing of something, are the same.
    FigureChange change() const;
};

// Modelled microseconds of one thing, and what most of them are spent on where that is known.
struct ComparedTime {
    std::optional<double> before, after;
    std::optional<TimeBound> bound_before, bound_after;
    bool is_known() const { return before || after; }
    Presence presence() const { return !after ? Presence::kGone : !before ? Presence::kNew : Presence::kBoth; }
};
struct NamedTime {
    std::string_view name;  // "time_line", "kernels", "copies", "host_waits"
    ComparedTime time;
};

// Of all launches of a kernel that were counted.
struct ComparedKernel {
    std::string kernel, other_kernel;  // the other where it has another name
    std::size_t launches_before = 0, launches_after = 0;
    std::size_t hazards_before = 0, hazards_after = 0, advice_before = 0, advice_after = 0;
    ComparedTime time;  // bounds are those of the longest launch
    Presence presence() const {
        return launches_after == 0 ? Presence::kGone : launches_before == 0 ? Presence::kNew : Presence::kBoth;
    }
};

// A line of the source, and what it moves through L1 and shared memory. Lines are 0 where they are not.
struct ComparedLine {
    std::string file;
    std::string file_before{};  // where its name was another one
    std::uint32_t before = 0, after = 0;
    std::uint64_t bytes_before = 0, bytes_after = 0;
    Presence presence() const { return after == 0 ? Presence::kGone : before == 0 ? Presence::kNew : Presence::kBoth; }
};

// A hazard or a piece of advice. `before` and `after` count a hazard, or are the microseconds that advice saves.
struct ComparedFinding {
    std::string kind;  // of the hazard, or the rule
    std::string file;
    std::string file_before{};                      // where its name was another one
    std::uint32_t line_before = 0, line_after = 0;  // 0 where there is none
    Presence presence = Presence::kBoth;
    std::optional<double> before{}, after{};
    std::string message{};  // after's, or before's where it is gone
};

// Hazards of either side that nobody can say became what, for the other side's list is not all here (ReadLimits).
struct NotCompared {
    std::uint64_t before = 0, after = 0;
    bool is_any() const { return before != 0 || after != 0; }
};

struct ComparedLaunch {
    std::string kernel;                   // before's
    std::string other_kernel;             // after's, where it has another name
    std::uint32_t before = 0, after = 0;  // indices in their profiles
    std::vector<ComparedFigure> figures;  // counters, ratios, facts
    // Nothing of a profiler's launch.
    std::optional<Dim3> grid_before{}, grid_after{}, block_before{}, block_after{};
    ComparedTime time{};
    std::vector<ComparedLine> lines{};  // that move bytes on either side
    std::vector<ComparedFinding> hazards{}, advice{};
    NotCompared hazards_not_compared{};
};

struct Comparison {
    std::string before, after;  // what is compared: files, devices or kernels
    std::vector<ComparedLaunch> launches;
    std::vector<std::string> only_before, only_after;  // launches without a partner: "naive (2nd launch)"
    std::string device_before{}, device_after{};       // empty where it is not known
    std::vector<NamedTime> program{};                  // those that either side knows
    std::vector<ComparedKernel> kernels{};             // in the order of their first launches, new ones last
    std::vector<ComparedFinding> hazards{}, advice{};  // of host code, and about the program
    NotCompared hazards_not_compared{};                // of those of host code
};

// Launches of one kernel are paired in order, those of the same shape first; the kernel is known by its whole name or,
// failing that, by its short one (compilers spell types differently). Launches that were not counted are left out.
Comparison compare(const Profile& before, const Profile& after);

// The profiler's counters against ours: only figures that both have.
Comparison compare(const Profile& model, const std::vector<MeasuredLaunch>& measured);

// Two kernels, by patterns as --kernel takes them: the n-th launch of one in `before` with the n-th of the other in
// `after`, which may be the same profile. "compare-no-kernel" names the pattern that no launch matches, with the
// kernels there are.
Result<Comparison> compare_kernels(const Profile& before, std::string_view one, const Profile& after,
                                   std::string_view other);

}  // namespace tilescope::report
