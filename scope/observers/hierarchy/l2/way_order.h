// The ways of a set in LRU order: four bits each, the most recently used lowest.
#pragma once

#include <bit>
#include <cstdint>

namespace tilescope::observers {

inline constexpr std::uint64_t kAnyOrder = 0xfedcba9876543210ull;  // numeric: sixteen ways

// The same when one has been used.
// numeric: the lowest, and the highest, of each four bits
inline constexpr std::uint64_t kLowest = 0x1111111111111111ull, kHighest = 0x8888888888888888ull;
inline constexpr unsigned kWayBits = 4, kWayMask = (1u << kWayBits) - 1;  // numeric: they name one of sixteen
inline constexpr int kLastWay = 60;                                       // numeric: where the last four begin

inline std::uint64_t used_now(std::uint64_t order, unsigned way) {
    const std::uint64_t differs = order ^ way * kLowest;
    // The lowest four bits that are zero: those below them have none, so nothing is borrowed there.
    const std::uint64_t zeros = (differs - kLowest) & ~differs & kHighest;
    const int at = std::countr_zero(zeros) / int{kWayBits} * int{kWayBits};
    const std::uint64_t below = order & ((std::uint64_t{1} << at) - 1);
    const std::uint64_t above = at == kLastWay ? 0 : order >> (at + kWayBits) << (at + kWayBits);
    return above | below << kWayBits | way;
}

// Of some ways, the one whose last use is longest ago.
inline unsigned oldest_of(std::uint64_t order, unsigned ways) {
    for (int at = kLastWay; at >= 0; at -= int{kWayBits})
        if ((ways >> (order >> at & kWayMask) & 1) != 0) return static_cast<unsigned>(order >> at & kWayMask);
    return 0;
}

}  // namespace tilescope::observers
