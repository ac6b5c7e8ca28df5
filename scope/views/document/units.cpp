#include "scope/views/document/units.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "scope/report/format.h"
#include "scope/views/document/document.h"

namespace tilescope::views {
namespace {

using N = NumberStyle;
constexpr std::array<UnitInfo, static_cast<std::size_t>(Unit::kCount)> kUnits = {{
    {Unit::kNone, "", "", "", N::kWhole},
    {Unit::kText, "text", "", "", N::kText},
    {Unit::kBytes, "bytes", "B", "B", N::kWhole},
    {Unit::kBytesShort, "bytes", "B", "B", N::kPrefixed},
    {Unit::kSharedBytes, "bytes", "B shared", "B shared", N::kWhole},
    {Unit::kFlop, "FLOP", "FLOP", "FLOP", N::kWhole},
    {Unit::kFlopPerByte, "FLOP/byte", "FLOP/B", "FLOP/B", N::kIntensity},
    {Unit::kShare, "share", "", "", N::kPercent},
    {Unit::kTimes, "times", "", "", N::kMultiple},
    {Unit::kMicroseconds, "microseconds", "µs", "µs", N::kMicroseconds},
    {Unit::kGigabytesPerSecond, "GB/s", "GB/s", "GB/s", N::kRate},
    {Unit::kMicrojoules, "microjoules", "µJ", "µJ", N::kMicrojoules},
    {Unit::kSectors, "32 B sectors", "sector", "sectors", N::kWhole},
    {Unit::kConflicts, "wavefronts", "conflict", "conflicts", N::kWhole},
    {Unit::kRequests, "requests", "request", "requests", N::kWhole},
    {Unit::kPasses, "passes", "pass", "passes", N::kWhole},
    {Unit::kMisses, "lookups", "miss", "misses", N::kWhole},
    {Unit::kDivergentBranches, "branches", "divergent branch", "divergent branches", N::kWhole},
    {Unit::kSectorsPerRequest, "32 B sectors/request", "sectors per request", "sectors per request", N::kTenths},
    {Unit::kWavefrontsPerRequest, "wavefronts/request", "wavefronts per request", "wavefronts per request", N::kTenths},
    {Unit::kPassesPerRequest, "passes/request", "passes per request", "passes per request", N::kTenths},
    {Unit::kRegisters, "registers/thread", "register", "registers", N::kWhole},
    {Unit::kBlocks, "blocks", "block", "blocks", N::kWhole},
    {Unit::kWarpsPerSm, "warps/SM", "warp per SM", "warps per SM", N::kWhole},
    {Unit::kThreads, "threads", "thread", "threads", N::kWhole},
    {Unit::kLaunches, "launches", "launch", "launches", N::kWhole},
    {Unit::kCopies, "copies", "copy", "copies", N::kWhole},
    {Unit::kFaults, "faults", "fault", "faults", N::kWhole},
    {Unit::kPlain, "", "", "", N::kPlain},
    {Unit::kChange, "microseconds", "", "", N::kSigned},
}};

double as_double(const Value& value) {
    if (const auto* whole = std::get_if<std::uint64_t>(&value.amount)) return static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&value.amount)) return *number;
    return 0;
}

std::uint64_t as_whole(const Value& value) {
    if (const auto* whole = std::get_if<std::uint64_t>(&value.amount)) return *whole;
    return static_cast<std::uint64_t>(std::llround(as_double(value)));
}

std::string plain_text(double number) {
    constexpr double kExact = 9007199254740992.0;  // numeric: 2^53, a double counts up to here
    if (number == std::floor(number) && number >= 0 && number < kExact)
        return report::thousands(static_cast<std::uint64_t>(number));
    return report::plain_number(number);
}

std::string microjoules_text(double number) {
    constexpr double kThousand = 1e3;  // numeric: of SI prefixes
    if (number >= kThousand * kThousand) return report::per_request(number / kThousand / kThousand) + " J";
    if (number >= kThousand) return report::per_request(number / kThousand) + " mJ";
    return report::per_request(number) + " µJ";
}

std::string number_text(const Value& value, NumberStyle style) {
    const double number = as_double(value);
    switch (style) {
        case N::kWhole: return report::thousands(as_whole(value));
        case N::kTenths: return report::per_request(number);
        case N::kPercent: return report::percent(number);
        case N::kPrefixed: return report::with_prefix(number);
        case N::kMultiple: return report::times_text(number) + "×";
        case N::kIntensity: return intensity_text(number);
        case N::kMicroseconds: return report::microseconds_text(number);
        case N::kMicrojoules: return microjoules_text(number);
        case N::kSigned: return (number < 0 ? "-" : "+") + report::microseconds_text(std::fabs(number));
        case N::kPlain: return plain_text(number);
        case N::kRate: return rate_text(number);
        case N::kText: break;
    }
    return {};
}

}  // namespace

const UnitInfo& info(Unit unit) { return kUnits[static_cast<std::size_t>(unit)]; }

std::string intensity_text(double value) {
    char buffer[32];  // geometry: more than a double takes
    // Halves go up: 1 FLOP for 8 bytes is 0.13, not printf's 0.12.
    constexpr double kUp = 1 + 1e-9, kTwoDigits = 10;  // numeric: rounding
    std::snprintf(buffer, sizeof buffer, value < kTwoDigits ? "%.2f" : "%.1f", value * kUp);
    return buffer;
}

std::string rate_text(double gigabytes_per_second) {
    constexpr double kWhole = 10;  // numeric: from here on tenths are noise
    return (gigabytes_per_second < kWhole
                ? report::per_request(gigabytes_per_second)
                : report::thousands(static_cast<std::uint64_t>(std::llround(gigabytes_per_second)))) +
           " GB/s";
}

std::string amount_text(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value.amount)) return *text;
    const UnitInfo& unit = info(value.unit);
    std::string text = number_text(value, unit.style);
    const bool has_unit =
        unit.style == N::kMicroseconds || unit.style == N::kMicrojoules || unit.style == N::kRate || unit.one.empty();
    if (!has_unit) {
        const bool is_one = unit.style == N::kWhole && as_whole(value) == 1;
        // "4.8 M" and "B" are written as one word.
        if (unit.style != N::kPrefixed) text += " ";
        text += is_one ? unit.one : unit.many;
    }
    if (value.ideal) text += " (ideal " + report::per_request(*value.ideal) + ")";
    return text;
}

std::string text_of(const Value& value) {
    std::string text = value.lead.empty() ? "" : value.lead + " ";
    text += amount_text(value);
    return value.tail.empty() ? text : text + " " + value.tail;
}

}  // namespace tilescope::views
