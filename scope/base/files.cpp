#include "scope/base/files.h"

#include <fstream>
#include <sstream>

namespace tilescope {

std::optional<std::string> read_whole_file(const std::filesystem::path& path) {
    std::error_code failed;
    if (std::filesystem::is_directory(path, failed)) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    std::ostringstream text;
    text << file.rdbuf();  // fails for an empty file, too: only the file itself tells whether reading did
    if (file.bad()) return std::nullopt;
    return std::move(text).str();
}

}  // namespace tilescope
