// Whole files as text.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tilescope {

// The bytes of a file, which may be none; nothing for a folder, or when the file is not there or cannot be read.
std::optional<std::string> read_whole_file(const std::filesystem::path& path);

// The same of a file that a stranger may have named, at most `most` bytes: neither a device that never ends nor a pipe
// that nobody writes into holds us up. Nothing, and `why` in words, where it is larger, not there or not readable. What
// is no file (a pipe, /dev/stdin) may hold kMostOfPipe bytes, and has to say something every `patience`.
inline constexpr std::uint64_t kMostOfPipe = 256 << 20;
std::optional<std::string> read_input(const std::filesystem::path& path, std::uint64_t most, std::string& why,
                                      std::chrono::milliseconds patience = std::chrono::seconds(30));

// Writes the parts one after another. They are written aside, in the same folder, and the result is renamed: whoever
// reads sees the old file or the whole new one, also when we are killed half way. A symbolic link stays one, and what
// is no file (a pipe, /dev/stdout) or lies in a folder that takes no new file is written in place. The system's reason
// where it fails; nothing is left behind then.
std::error_code write_whole_file(const std::filesystem::path& path, std::initializer_list<std::string_view> parts);
// The same of what `tell` hands to its sink piece by piece, which need never be there at once.
using FileSink = std::function<void(std::string_view)>;
std::error_code write_file_by(const std::filesystem::path& path, const std::function<void(const FileSink&)>& tell);

}  // namespace tilescope
