// Lines and sectors of the caches.
#pragma once

#include <cstdint>

namespace tilescope::observers {

inline constexpr unsigned kLineShift = 7, kLineBytes = 1u << kLineShift;        // geometry: 128 bytes a line
inline constexpr unsigned kSectorShift = 5, kSectorBytes = 1u << kSectorShift;  // geometry: 32 bytes a sector
inline constexpr unsigned kSectorsPerLine = kLineBytes / kSectorBytes, kAllSectors = (1u << kSectorsPerLine) - 1;
inline constexpr unsigned kMaxWarps = 32;  // geometry: of a block
// Of an SM, each with warps of its own.
inline constexpr unsigned kSchedulers = 4;  // geometry: quarters of an SM

// Of a line's sectors, how many: not every processor that this runs on counts bits by itself.
constexpr unsigned sector_count(unsigned sectors) {
    // geometry: a count of four bits for each set of four sectors
    return static_cast<unsigned>(0x4332322132212110ull >> 4 * (sectors & 15) & 15);
}

// Spreads what is alike in its low bits: what is looked for in a table goes by the high bits of a product with it.
inline constexpr std::uint64_t kHash = 0x9e3779b97f4a7c15ull;  // numeric: 2^64 over the golden ratio

}  // namespace tilescope::observers
