// Lanes of a warp one by one, for code that follows single threads.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tilescope::observers {

template <class Visit>
void for_each_lane(std::uint32_t lanes, Visit visit) {
    for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

// One lane's value of `bytes` out of a bank; 0 for one that is wider than 64 bits.
inline std::uint64_t lane_bits(const std::byte* values, unsigned bytes, unsigned lane) {
    std::uint64_t bits = 0;
    if (bytes <= sizeof bits) std::memcpy(&bits, values + std::size_t{lane} * bytes, bytes);
    return bits;
}

}  // namespace tilescope::observers
