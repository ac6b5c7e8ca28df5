// Which source files are a user's own.
#pragma once

#include <span>
#include <string_view>

namespace tilescope {

// Where distributions and NVIDIA's installers put headers; each ends in a slash or in what versions follow.
std::span<const std::string_view> library_folders();

// Whether a file belongs to a compiler, a toolkit, tilescope or the system rather than to the program: what happens in
// there is told at the line that called it.
bool is_library_source(std::string_view path);

}  // namespace tilescope
