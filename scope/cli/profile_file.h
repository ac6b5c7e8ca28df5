// Profiles in files.
#pragma once

#include <string>

#include "scope/base/result.h"
#include "scope/report/profile.h"

namespace tilescope::cli {

Result<Profile> load_profile(const std::string& file);

}  // namespace tilescope::cli
