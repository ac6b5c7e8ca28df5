#include "scope/cli/profile_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "scope/base/files.h"
#include "scope/report/json.h"

namespace tilescope::cli {

Result<Profile> load_profile(const std::string& file) {
    std::string why;
    const auto text = read_input(file, kMostOfProfile, why);
    if (!text) return error("cli-unreadable", {file}, "cannot read this profile: " + why);
    return report::from_json(*text, file);
}

Result<Profile> load_profile(const std::string& file, const report::ReadLimits& limits) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(file, failed) || std::filesystem::file_size(file, failed) > kMostOfProfile)
        return load_profile(file);
    std::ifstream text(file, std::ios::binary);
    if (!text) return load_profile(file);  // which says why
    return report::from_json(text, file, limits);
}

}  // namespace tilescope::cli
