// The runs behind `tilescope boundaries`: a program at several sizes, as it is and without each of its checks in turn.
//
// Guarantees: each run is a tilescope of its own, whose faults and limits end that run alone; what comes out follows
// from the program alone, not from the order of runs. Does not model: what is said of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/report/boundaries.h"

namespace tilescope::cli {

struct BoundaryRequest {
    std::vector<std::string> programs, arguments;  // in these {n} stands for the size
    std::vector<std::string> sizes;    // none: around the width of the first launch's block, if {n} is there
    std::vector<std::string> options;  // words for `tilescope run`
    // Told before each run: its number, from 1, and what it is about.
    std::function<void(std::uint64_t, const std::string&)> progress;
};

bool has_size(const std::vector<std::string>& arguments);

Result<Boundaries> run_boundaries(const BoundaryRequest& request);

}  // namespace tilescope::cli
