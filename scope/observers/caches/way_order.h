// The ways of a set in the order of their use: four bits each, the one used last lowest.
#pragma once

#include <bit>
#include <cstdint>

namespace tilescope::observers {

inline constexpr std::uint64_t kAnyOrder = 0xfedcba9876543210ull;

// The same when one has been used.
inline std::uint64_t used_now(std::uint64_t order, unsigned way) {
    const std::uint64_t differs = order ^ way * 0x1111111111111111ull;
    // The lowest four bits that are zero: those below them have none, so nothing is borrowed there.
    const std::uint64_t zeros = (differs - 0x1111111111111111ull) & ~differs & 0x8888888888888888ull;
    const int at = std::countr_zero(zeros) & ~3;
    const std::uint64_t below = order & ((std::uint64_t{1} << at) - 1);
    const std::uint64_t above = at == 60 ? 0 : order >> (at + 4) << (at + 4);
    return above | below << 4 | way;
}

// Of some ways, the one whose last use is longest ago.
inline unsigned oldest_of(std::uint64_t order, unsigned ways) {
    for (int at = 60; at >= 0; at -= 4)
        if ((ways >> (order >> at & 15) & 1) != 0) return static_cast<unsigned>(order >> at & 15);
    return 0;
}

}  // namespace tilescope::observers
