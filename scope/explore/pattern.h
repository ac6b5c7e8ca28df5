// What an index expression does to memory: which banks and sectors a warp's lanes go to, and what would cure it.
//
// Owns: PatternQuestion and explore_pattern(). Guarantees: a pure function; costs are counted by the rules by which a
// run's observers count (scope/observers: sector_rule.h, bank_rule.h); a cure is only named that the same rules find to
// have no conflict. Does not model: atomics; instructions and caches; what the rest of a kernel does with the array, so
// that a cure of one access may harm another one.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scope/base/result.h"
#include "scope/report/pattern.h"

namespace tilescope::explore {

struct PatternQuestion {
    std::string index;           // "tid*17", or row and column: "tid, 0"
    unsigned element_bytes = 4;  // 1, 2, 4, 8 or 16
    bool stores = false;
    std::uint32_t block_x = 32, block_y = 32, warp = 0;
    std::int64_t width = 0;  // elements of a row; 0: 32, or of an index by itself as many as fill the banks once
    std::int64_t pad = 0;    // unused elements behind each row
    std::string swizzle;     // of `i`, or of `row` and `col`: where the element is kept
    std::int64_t offset_bytes = 0;
    std::vector<std::pair<std::string, std::int64_t>> names;  // of the user's own
    // First and last value of `stride`, for a table; none: `stride` is no name.
    std::optional<std::pair<std::int64_t, std::int64_t>> strides;
};

inline constexpr std::int64_t kMaxWidth = 1 << 20, kMaxPad = 1 << 10, kMaxStride = 1 << 20, kMaxStrideRows = 256;

Result<Pattern> explore_pattern(const PatternQuestion& question);

}  // namespace tilescope::explore
