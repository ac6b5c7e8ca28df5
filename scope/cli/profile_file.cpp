#include "scope/cli/profile_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "scope/report/json.h"

namespace tilescope::cli {

Result<Profile> load_profile(const std::string& file) {
    std::error_code failed;
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    if (std::filesystem::is_directory(file, failed) || !stream || !(text << stream.rdbuf()))
        return error("cli-unreadable", {file}, "cannot read this file");
    return report::from_json(text.view(), file);
}

}  // namespace tilescope::cli
