// Comparison: two launches side by side, figure by figure.
//
// Owns: which launches belong together, and what differs between them. Guarantees: pure functions of profiles; every
// counter, ratio and fact that either side has is there; a figure that one side does not have is missing, not 0.
// Does not model: which side is better.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"
#include "scope/report/ncu_csv.h"
#include "scope/report/profile.h"

namespace tilescope::report {

struct ComparedFigure {
    std::string_view name, unit;
    std::optional<double> before, after;
    std::string_view origin{};  // Metric::origin(), of either side
    // The same to a thousandth: hardware's own counts differ by as much from run to run.
    bool equal() const;
};

struct ComparedLaunch {
    std::string kernel;                   // before's
    std::string other_kernel;             // after's, where it has another name
    std::uint32_t before = 0, after = 0;  // indices in their profiles
    std::vector<ComparedFigure> figures;  // counters, ratios, facts
};

struct Comparison {
    std::string before, after;  // what is compared: files, devices or kernels
    std::vector<ComparedLaunch> launches;
    std::vector<std::string> only_before, only_after;  // launches without a partner: "naive (2nd launch)"
};

// Launches of one kernel are paired in order; the kernel is known by its whole name or, failing that, by its short one
// (compilers spell types differently). Launches that were not counted are left out.
Comparison compare(const Profile& before, const Profile& after);

// The profiler's counters against ours: only figures that both have.
Comparison compare(const Profile& model, const std::vector<MeasuredLaunch>& measured);

// Two kernels of one profile, by patterns as --kernel takes them: the n-th launch of one with the n-th of the other.
// "compare-no-kernel" names the pattern that no launch matches, with the kernels there are.
Result<Comparison> compare_kernels(const Profile& profile, std::string_view one, std::string_view other);

}  // namespace tilescope::report
