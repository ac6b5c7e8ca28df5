// What an index does to memory, as plain data: where a warp's lanes go, what it costs, and what would cure it.
//
// Owns: Pattern and its parts. Guarantees: values only; counts are those of the counters' own rules. Does not model:
// how they are found (scope/explore), or what is said of them (views/words/pattern.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/access_picture.h"

namespace tilescope {

struct PatternLane {
    std::uint32_t thread_x = 0, thread_y = 0;
    std::int64_t row = 0, column = 0;  // of a two-dimensional form, as it is typed
    std::int64_t index = 0;            // elements from the array's begin, as it is typed
    std::int64_t place = 0;            // the same with padding and swizzle
};

// What one request of the warp costs.
struct PatternCost {
    std::uint32_t lanes = 0, addresses = 0;  // that take part; distinct ones
    std::uint32_t sectors = 0, ideal_sectors = 0, lines = 0;
    std::uint64_t bytes_asked = 0, bytes_moved = 0;  // of distinct elements, and of whole sectors
    // In shared memory; nothing where the elements lie further apart than it could ever hold.
    bool fits_shared = true;
    std::uint32_t wavefronts = 0, ideal_wavefronts = 0, conflicts = 0;
};

enum class SectorsWhy : std::uint8_t {
    kIdeal,
    kMisaligned,  // neighbours all, but the first of them does not begin a sector
    kScattered,
};

// Why the request takes as many sectors, and the banks as many wavefronts, as they do.
struct PatternReason {
    SectorsWhy sectors = SectorsWhy::kIdeal;
    std::optional<std::int64_t> stride;  // elements from each lane to the next, where that is always the same
    std::uint32_t places = 0;            // elements side by side in one row of the banks; 0: smaller than a bank
    std::uint32_t factor = 0;            // greatest common divisor of stride and places
    bool explains = false;               // the wavefronts follow from it
    std::uint32_t bank = 0;              // the busiest
    std::vector<std::uint32_t> lanes;    // that it serves one after the other, in the busiest group
    bool is_broadcast = false;           // all lanes want one element
};

// In which wavefront each lane is served by the banks, from 0, and how many there are.
struct BankService {
    std::vector<std::uint32_t> wavefront_of;
    std::uint32_t wavefronts = 0;
};

// A way to keep the elements elsewhere, and what it costs then, by the same counter.
struct PatternCure {
    std::int64_t pad = 0;    // elements left unused behind each row
    std::int64_t width = 0;  // elements of such a row
    std::string swizzle;     // else an expression of where an element is kept
    PatternCost cost;
};

struct PatternStrideRow {
    std::int64_t stride = 0;
    PatternCost cost;
    PatternReason reason;
    std::optional<PatternCure> padding;  // the smallest that cures conflicts; none where there are none or none does
};

struct Pattern {
    std::string index;  // as typed
    std::uint32_t element_bytes = 4;
    bool stores = false;
    bool two_dimensional = false;
    std::uint32_t block_x = 0, block_y = 0, warp = 0;
    std::int64_t width = 0, pad = 0;  // elements of a row
    std::string swizzle;              // as typed
    std::int64_t offset_bytes = 0;    // of the first element behind a line's begin
    std::array<std::optional<PatternLane>, 32> lanes{};
    PatternCost cost;
    PatternReason reason;
    std::optional<PatternCure> padding, swizzling;  // where there are conflicts, and there is one
    std::int64_t pads_tried = 0;                    // from 1 on
    AccessPicture sectors, banks;
    BankService service;
    std::vector<PatternStrideRow> strides;  // where a table was asked for; then the rest is that of its first row
};

}  // namespace tilescope
