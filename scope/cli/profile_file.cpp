#include "scope/cli/profile_file.h"

#include "scope/base/files.h"
#include "scope/report/json.h"

namespace tilescope::cli {

Result<Profile> load_profile(const std::string& file) {
    const auto text = read_whole_file(file);
    if (!text) return error("cli-unreadable", {file}, "cannot read this file");
    return report::from_json(*text, file);
}

}  // namespace tilescope::cli
