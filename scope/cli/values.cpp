#include "scope/cli/values.h"

#include <cctype>
#include <charconv>
#include <limits>
#include <string_view>

namespace tilescope::cli {
namespace {

// All of `text` as a number, or false.
template <class T>
bool whole(std::string_view text, T& value) {
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    return status == std::errc() && end == text.data() + text.size() && !text.empty();
}

Diagnostic bad_value(const std::string& option, const std::string& text, const std::string& hint) {
    return error("cli-value", {}, option + ": cannot use \"" + text + "\"", hint);
}

}  // namespace

Result<Dim3> parse_dimensions(const std::string& text, const std::string& option) {
    const std::string hint = "write X, X,Y or X,Y,Z with numbers of at least 1";
    Dim3 extent{1, 1, 1};
    std::string_view rest = text;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t comma = rest.find(',');
        if (!whole(rest.substr(0, comma), extent[i]) || extent[i] == 0) return bad_value(option, text, hint);
        if (comma == std::string_view::npos) return extent;
        rest.remove_prefix(comma + 1);
    }
    return bad_value(option, text, hint);
}

Result<Range> parse_launches(const std::string& text) { return parse_range(text, "--launches", "launch", 0); }

Result<Range> parse_range(const std::string& text, const std::string& option, const std::string& what,
                          std::uint64_t least) {
    const std::string hint =
        "write FIRST..LAST, FIRST.. or one number; the first " + what + " is " + std::to_string(least);
    Range range{least, std::numeric_limits<std::uint64_t>::max()};
    const std::string_view view = text;
    const std::size_t dots = view.find("..");
    if (dots == std::string_view::npos) {
        if (!whole(view, range.first) || range.first < least) return bad_value(option, text, hint);
        range.second = range.first;
        return range;
    }
    if (!whole(view.substr(0, dots), range.first) || range.first < least) return bad_value(option, text, hint);
    const std::string_view last = view.substr(dots + 2);
    if (!last.empty() && !whole(last, range.second)) return bad_value(option, text, hint);
    if (range.second < range.first) return bad_value(option, text, "the last " + what + " comes before the first");
    return range;
}

Result<Dim3> parse_place(const std::string& text, const std::string& option) {
    const std::string hint = "write X, X,Y or X,Y,Z; the first is 0";
    Dim3 at{0, 0, 0};
    std::string_view rest = text;
    for (std::uint32_t& coordinate : at) {
        const std::size_t comma = rest.find(',');
        if (!whole(rest.substr(0, comma), coordinate)) return bad_value(option, text, hint);
        if (comma == std::string_view::npos) return at;
        rest.remove_prefix(comma + 1);
    }
    return bad_value(option, text, hint);
}

std::optional<std::uint64_t> bytes_of(std::string_view text) {
    std::size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
    std::uint64_t value = 0;
    if (!whole(text.substr(0, digits), value)) return std::nullopt;
    std::string unit;
    for (const char letter : text.substr(digits))
        unit += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    std::uint64_t factor = 1;
    constexpr std::string_view kPrefixes = "KMGT";
    if (const std::size_t power = unit.empty() ? std::string::npos : kPrefixes.find(unit.front());
        power != std::string_view::npos) {
        factor <<= 10 * (power + 1);
        unit.erase(0, 1);
        if (unit == "IB") unit = "B";
    }
    if ((!unit.empty() && unit != "B") || __builtin_mul_overflow(value, factor, &value)) return std::nullopt;
    return value;
}

Result<std::uint64_t> parse_amount(const std::string& text, const std::string& option, std::uint64_t base) {
    const std::string hint = "write a whole number of at least 1, with k, M, G or T behind it if you like";
    if (base == 1024) {
        const auto bytes = bytes_of(text);
        if (!bytes || *bytes == 0)
            return bad_value(option, text, "write a size of at least 1 byte: 4096, 64k, 48KB, 2GiB");
        return *bytes;
    }
    std::string_view digits = text;
    std::uint64_t factor = 1;
    constexpr std::string_view kSuffixes = "kMGT";
    if (!digits.empty()) {
        const char last = digits.back() == 'K' ? 'k' : digits.back();
        if (const std::size_t power = kSuffixes.find(last); power != std::string_view::npos) {
            for (std::size_t i = 0; i <= power; ++i) factor *= base;
            digits.remove_suffix(1);
        }
    }
    std::uint64_t value = 0;
    if (!whole(digits, value) || value == 0 || __builtin_mul_overflow(value, factor, &value))
        return bad_value(option, text, hint);
    return value;
}

Result<std::uint8_t> parse_byte(const std::string& text, const std::string& option) {
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    const char* const first = text.data() + (is_hex ? 2 : 0);
    std::uint8_t byte = 0;
    const auto [end, failed] = std::from_chars(first, text.data() + text.size(), byte, is_hex ? 16 : 10);
    if (failed != std::errc{} || end != text.data() + text.size())
        return error("cli-value", {}, option + " is a byte, not \"" + text + "\"", "0 to 255, or 0x00 to 0xff");
    return byte;
}

Result<double> parse_quantity(const std::string& text, const std::string& option) {
    constexpr std::string_view kSuffixes = "kMGTP";
    std::string_view digits = text;
    double factor = 1;
    if (!digits.empty()) {
        const char last = digits.back() == 'K' ? 'k' : digits.back();
        if (const std::size_t power = kSuffixes.find(last); power != std::string_view::npos) {
            for (std::size_t i = 0; i <= power; ++i) factor *= 1000;
            digits.remove_suffix(1);
        }
    }
    double value = 0;
    constexpr double kLeast = 1e-30, kMax = 1e30;  // far beyond any machine, and products of two are numbers still
    if (!whole(digits, value) || !(value * factor >= kLeast) || !(value * factor <= kMax))
        return bad_value(option, text, "write a number above 0, with k, M, G, T or P behind it if you like");
    return value * factor;
}

}  // namespace tilescope::cli
