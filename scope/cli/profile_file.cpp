#include "scope/cli/profile_file.h"

#include "scope/base/files.h"
#include "scope/report/json.h"

namespace tilescope::cli {

Result<Profile> load_profile(const std::string& file) {
    std::string why;
    const auto text = read_input(file, kMostOfProfile, why);
    if (!text) return error("cli-unreadable", {file}, "cannot read this profile: " + why);
    return report::from_json(*text, file);
}

}  // namespace tilescope::cli
