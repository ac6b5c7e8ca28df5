// Units of a document's values, and how a value reads.
//
// Guarantees: one row for each unit; a renderer needs no other knowledge of one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilescope::views {

enum class Unit : std::uint8_t {
    kNone,
    kText,
    kBytes,
    kBytesShort,  // megabytes and their like, where nobody needs each byte
    kSharedBytes,
    kFlop,
    kFlopPerByte,
    kShare,
    kTimes,
    kMicroseconds,
    kGigabytesPerSecond,
    kMicrojoules,
    kSectors,
    kConflicts,
    kRequests,
    kPasses,
    kMisses,
    kDivergentBranches,
    kSectorsPerRequest,
    kWavefrontsPerRequest,
    kPassesPerRequest,
    kRegisters,
    kBlocks,
    kWarpsPerSm,
    kThreads,
    kLaunches,
    kCopies,
    kFaults,
    kPlain,   // any figure, as exact as it is
    kChange,  // microseconds more, or fewer
    kCount,
};

// How the number is written.
enum class NumberStyle : std::uint8_t {
    kWhole,         // 16,777,216
    kTenths,        // 31.5
    kPercent,       // 7 %
    kPrefixed,      // 4.8 M
    kMultiple,      // 2.5×
    kIntensity,     // 0.25, 13.9
    kMicroseconds,  // 2.4, and 12,345 where it is long
    kMicrojoules,   // 3.8 µJ, 14.4 mJ
    kSigned,        // +2.4
    kPlain,         // 16,777,216 where it is whole, else 0.887
    kRate,          // 3,970, and 2.4 where it is small
    kText,
};

struct UnitInfo {
    Unit unit;
    std::string_view name;       // for programs: "sectors"
    std::string_view one, many;  // behind the number
    NumberStyle style;
};
const UnitInfo& info(Unit unit);

struct Value;
// "at most 2.5× faster", "2.0 sectors per request (ideal 1.5)"
std::string text_of(const Value& value);
// The number and its unit alone.
std::string amount_text(const Value& value);
// "0.25", "13.9": halves go up, as people round.
std::string intensity_text(double value);
// "2.4 GB/s", "3,970 GB/s"
std::string rate_text(double gigabytes_per_second);

}  // namespace tilescope::views
