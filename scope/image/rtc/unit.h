// What a compiler is given for a program that came as text (nvrtcCreateProgram), and what is read out of its PTX: the
// names that it gave to what the program asked for by expressions.
//
// Guarantees: pure functions of text, safe on any. Lines and file names of the program are its own. Does not model: a
// source that ends inside a comment or a conditional, which takes the names with it: the compiler then says so.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scope/image/rtc/options.h"

namespace tilescope::image {

// Where messages place what is wrong with an expression; NVRTC's own name.
inline constexpr std::string_view kNameMap = "__nv_name_map";

// host_headers: those of the host are there, so that what NVRTC knows of itself is in them. Functions without a word of
// where they run become the device's in clang's words, where the options say so.
std::string rtc_unit(std::string_view source, const std::string& name, const RtcOptions& options,
                     std::span<const std::string> expressions, bool host_headers);

// Takes the names out of the PTX: of each expression what it names, or nothing where the PTX has no answer.
std::vector<std::optional<std::string>> take_lowered_names(std::string& ptx, std::size_t expressions);

// Whether the PTX calls a function without a body that no device has of its own: a header that only declares it, for
// NVRTC would know it.
bool calls_unknown_functions(std::string_view ptx);

// The PTX's lines then name `kept`, a file that holds the source, where they named the program.
std::string with_source_file(std::string ptx, const std::string& name, const std::filesystem::path& kept);

// Where a header lies below `folder` that the program calls by this name; nothing where that would be outside.
// kRtcFolders: what stands between, so that names may begin with "../".
inline constexpr const char* kRtcFolders = "1/2/3/4";
std::optional<std::filesystem::path> rtc_header_path(const std::filesystem::path& folder, const std::string& name);

// A file's name made of a program's, of plain letters alone.
std::string rtc_file_name(const std::string& name);

}  // namespace tilescope::image
