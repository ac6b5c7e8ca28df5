// Numbers and texts as reports show them.
//
// Guarantees: no locale; the same value gives the same text everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scope/report/profile.h"

namespace tilescope::report {

std::string thousands(std::uint64_t value);  // 16,777,216
// "1 conflict", "2,048 conflicts": `many` where an s is not enough.
std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});
std::string plain_number(double value);       // 4, 2.5, 0.3333: at most 6 significant digits, integers whole
std::string per_request(double value);        // 2.0, 31.5
std::string times_text(double factor);        // 16, 2.3: how often something happens
std::string percent(double fraction);         // 100 %, 7 %, 0.3 %
std::string with_prefix(double value);        // 4.8 G, 950 M, 12
std::string microseconds_text(double value);  // 2.4 µs, 12,345 µs
std::string duration(double seconds);         // 0.9 s, 35 ms, 2 min 5 s
// "3 full waves of 1,056, then 928 (88 % of a wave)"; "97 % of the 1,056 that fit at once, 40 SMs idle".
std::string waves_text(const OccupancyWaves& waves);
// "modeled" of a figure's origin, which data spell "modelled"; other origins as they are.
std::string_view origin_words(std::string_view origin);
std::string gpu_name(std::string_view device);  // "H200" of "h200", as NVIDIA writes it; other names as they are
std::string dimensions(const Dim3& extent);     // 32×32, 4096: trailing ones are left out

// What keeps the next block out of an SM: "warps", "shared memory".
std::string_view words_of(SmResource resource);

// Columns that the text takes on a terminal: code points, which holds for all that reports print.
std::size_t columns(std::string_view text);
// Filled with spaces to `width` columns; what is wider stays as it is.
std::string padded(const std::string& text, std::size_t width);
std::string right_aligned(const std::string& text, std::size_t width);
// At most `width` columns, the rest cut off with an ellipsis.
std::string cut(std::string_view text, std::size_t width);
// Broken at spaces into lines of at most `width` columns; a longer word has a line of its own.
std::vector<std::string> wrap(std::string_view text, std::size_t width);
// As safe_text() has it, on one line: tabs and line feeds become spaces.
std::string printable(std::string_view text);
// "/long/path/matmul.cu" to "matmul.cu".
std::string_view file_name(std::string_view path);

}  // namespace tilescope::report
