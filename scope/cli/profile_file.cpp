#include "scope/cli/profile_file.h"

#include <filesystem>
#include <fstream>
#include <istream>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "scope/base/files.h"
#include "scope/report/json.h"

namespace tilescope::cli {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

// What may be read piece by piece. Closed where it is no regular file, or too large: reading it whole says why.
std::ifstream open_regular(const std::string& file) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(file, failed) || std::filesystem::file_size(file, failed) > kMostOfProfile)
        return {};
    return std::ifstream(file, std::ios::binary);
}

// A profile opens with a brace; what a profiler writes does not. Leaves the stream at its begin.
bool begins_as_profile(std::istream& text) {
    char first = ' ';
    while (kBlank.find(first) != std::string_view::npos && text.get(first)) {
    }
    text.clear();
    text.seekg(0);
    return first == '{';
}

}  // namespace

Result<Profile> load_profile(const std::string& file) {
    std::string why;
    const auto text = read_input(file, kMostOfProfile, why);
    if (!text) return error("cli-unreadable", {file}, "cannot read this profile: " + why);
    return report::from_json(*text, file);
}

Result<Profile> load_profile(const std::string& file, const report::ReadLimits& limits) {
    std::ifstream text = open_regular(file);
    return text.is_open() ? report::from_json(text, file, limits) : load_profile(file);
}

Result<std::variant<Profile, std::string>> load_profile_or_text(const std::string& file,
                                                                const report::ReadLimits& limits) {
    using Either = std::variant<Profile, std::string>;
    if (std::ifstream pieces = open_regular(file); pieces.is_open() && begins_as_profile(pieces)) {
        auto profile = report::from_json(pieces, file, limits);
        if (!profile) return profile.errors();
        return Either(std::move(*profile));
    }
    // A pipe gives what it has once.
    std::string why;
    auto text = read_input(file, kMostOfProfile, why);
    if (!text) return error("cli-unreadable", {file}, "cannot read this file: " + why);
    std::istringstream pieces(*text);
    if (!begins_as_profile(pieces)) return Either(std::move(*text));
    auto profile = report::from_json(*text, file);
    if (!profile) return profile.errors();
    return Either(std::move(*profile));
}

}  // namespace tilescope::cli
