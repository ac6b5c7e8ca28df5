// Values of golden cases: lists of numbers of one type, as text and as bytes.
//
// Types: u8..u64, s8..s64, b8..b64 (printed in hexadecimal), f32, f64. A list is numbers with spaces between; V*N is N
// times V. Floating point: decimal, or the exact bits as PTX writes them (0f3f800000, 0d3ff0000000000000).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::golden {

struct ValueType {
    char kind = 'u';  // u, s, b or f
    unsigned bytes = 4;
};

std::optional<ValueType> value_type(std::string_view name);
// "iota", "zeros" and "ones" fill `count` elements; else a list of exactly `count`. Nothing when it does not read.
std::optional<std::vector<std::byte>> read_values(ValueType type, std::string_view text, std::size_t count);
// Numbers in the list, repetitions counted.
std::size_t count_values(std::string_view text);
// Read back by read_values(); equal neighbours as V*N.
std::string print_values(ValueType type, std::span<const std::byte> bytes);
std::string print_value(ValueType type, const std::byte* at);

// How far floating-point values may be apart: so many units in the last place, or so much.
struct Tolerance {
    std::uint64_t ulps = 0;
    double absolute = 0;
};
// Whether two elements are equal, or close enough (NaNs are all alike where there is a tolerance).
bool is_close(ValueType type, const std::byte* a, const std::byte* b, const Tolerance& within);

}  // namespace tilescope::golden
