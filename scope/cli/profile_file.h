// Profiles in files.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "scope/base/result.h"
#include "scope/report/json.h"
#include "scope/report/profile.h"

namespace tilescope::cli {

// Bytes that a profile, or what a profiler wrote, may have.
inline constexpr std::uint64_t kMostOfProfile = 1 << 30;

Result<Profile> load_profile(const std::string& file);
// Of a regular file, without its text in memory; of anything else the whole.
Result<Profile> load_profile(const std::string& file, const report::ReadLimits& limits);
// A profile, or the text of what is none.
Result<std::variant<Profile, std::string>> load_profile_or_text(const std::string& file,
                                                                const report::ReadLimits& limits);

}  // namespace tilescope::cli
