// Which kernel of a file the user means.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/report/profile.h"

namespace tilescope::cli {

struct KernelName {
    std::string name;   // demangled
    std::string entry;  // as in the PTX
    std::string shown;  // in messages; empty: the name
};

// The one kernel that `wanted` names: its entry exactly, else a pattern that matches one kernel only; "" where there is
// but one. The error lists what there is and ends its first sentence with `how`, say "choose one with --kernel".
Result<std::size_t> choose_kernel(const std::vector<KernelName>& kernels, const std::string& wanted,
                                  const std::string& file, const std::string& how);

// An error for each pattern of --kernel that no launch of the profile matches, with the kernels that there are.
Diagnostics unmatched_kernels(const std::vector<std::string>& patterns, const Profile& profile);

}  // namespace tilescope::cli
