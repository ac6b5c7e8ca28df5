#include "scope/report/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilescope::report {
namespace {

struct Scaled {
    double value = 0;
    const char* prefix = "";
};
Scaled scaled(double value) {
    constexpr std::array<Scaled, 5> kPrefixes = {{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
    // What rounds to 1000 of one is 1 of the next.
    constexpr double kRounds = 0.9995;
    for (const Scaled& row : kPrefixes)
        if (value >= kRounds * row.value) return {value / row.value, row.prefix};
    return {value, ""};
}

constexpr int kShort = 3, kOfRoofs = 4, kExact = 6, kShareShort = 2, kShareExact = 4;

std::string with_more(double value, int few, int many, const std::string& unit, const std::string& in_brackets = {}) {
    const std::string brief = digits(value, few), full = digits(value, many);
    return brief + unit + (brief == full ? "" : " (" + full + in_brackets + ")");
}

}  // namespace

std::string digits(double value, int count) {
    if (value == 0) return "0";
    if (!std::isfinite(value)) return fmt::format("{}", value);
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double unit = std::pow(10.0, exponent - count + 1);
    const double shown = std::round(value / unit) * unit;
    std::string text = fmt::format("{:.{}f}", shown, std::max(0, count - 1 - exponent));
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return text;
}
std::string rounded(double value) {
    const std::string text = digits(value, kShort);
    // "2.0" rather than "2": it is not a count.
    return text.size() == 1 ? text + ".0" : text;
}
std::string with_exact(double value, const std::string& unit) {
    const std::string exact = digits(value, kExact);
    return rounded(value) + " " + unit + (exact == digits(value, kShort) ? "" : " (" + exact + ")");
}
std::string rate(double value, const std::string& unit) {
    const Scaled parts = scaled(value);
    return digits(parts.value, kShort) + " " + parts.prefix + unit;
}
std::string rate_of_roof(double value, const std::string& unit) {
    const Scaled parts = scaled(value);
    return digits(parts.value, kOfRoofs) + " " + parts.prefix + unit;
}
std::string rate_with_exact(double value, const std::string& unit) {
    const Scaled parts = scaled(value);
    return with_more(parts.value, kShort, kExact, std::string(" ") + parts.prefix + unit);
}
std::string share(double fraction) { return digits(100 * fraction, kShareShort) + " %"; }
std::string share_with_exact(double fraction) {
    return with_more(100 * fraction, kShareShort, kShareExact, " %", " %");
}

std::string roof_name(MemoryLevel level) {
    switch (level) {
        case MemoryLevel::kDram: return "DRAM";
        case MemoryLevel::kL2: return "L2";
        case MemoryLevel::kL1: return "L1";
        case MemoryLevel::kShared: return "shared memory";
    }
    return "memory";
}
std::string roof_name(const std::string& bound) {
    const auto level = report::by_name<MemoryLevel>(bound);
    return level ? roof_name(*level) : bound;
}

}  // namespace tilescope::report
