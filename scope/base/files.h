// Whole files as text.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tilescope {

// The bytes of a file, which may be none; nothing for a folder, or when the file is not there or cannot be read.
std::optional<std::string> read_whole_file(const std::filesystem::path& path);

}  // namespace tilescope
