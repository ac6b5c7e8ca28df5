// Values of options that are more than a word or a number.
//
// Guarantees: what parses is in range; errors show the text and say what would do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scope/base/result.h"
#include "scope/report/profile.h"

namespace tilescope::cli {

// "32" or "32,8" or "32,8,2", each at least 1. `option` is for messages.
Result<Dim3> parse_dimensions(const std::string& text, const std::string& option);
// "5" or "5,0" or "5,0,2": a place in a grid, counted from 0.
Result<Dim3> parse_place(const std::string& text, const std::string& option);
using Range = std::pair<std::uint64_t, std::uint64_t>;
// "A..B", "A.." and "A": first and last of things that are counted from `least`; `what` is one of them.
Result<Range> parse_range(const std::string& text, const std::string& option, const std::string& what,
                          std::uint64_t least);
// The same for launches, counted from 0.
Result<Range> parse_launches(const std::string& text);
// Digits, with k, M, G or T behind them for powers of `base` (1000 or 1024).
Result<std::uint64_t> parse_amount(const std::string& text, const std::string& option, std::uint64_t base);
// A number of bytes, from 0: digits, with B, k, KB, KiB, M, MB, ... behind them, all powers of 1024, as sizes of memory
// are meant; "48KB" and "48k" are 49,152. Case does not matter.
std::optional<std::uint64_t> bytes_of(std::string_view text);

// A number above 0, with k, M, G, T or P behind it for powers of 1000: "200G", "19.5T", "0.25".
// 0 to 255, or 0x00 to 0xff.
Result<std::uint8_t> parse_byte(const std::string& text, const std::string& option);
Result<double> parse_quantity(const std::string& text, const std::string& option);

// The value into `into`, or what is wrong with it to the other errors.
template <class T, class U>
void take(Result<T> result, U& into, Diagnostics& errors) {
    if (result)
        into = std::move(*result);
    else
        errors.insert(errors.end(), result.errors().begin(), result.errors().end());
}

}  // namespace tilescope::cli
