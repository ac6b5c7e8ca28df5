// The 32 addresses of a warp's access, to find out which of them are alike.
//
// Owns: AddressKeys, 32-bit numbers that stand for addresses. Guarantees: exact, wherever in 64 bits the lanes lie.
// Does not model: widths; an access is where it begins.
#pragma once

#include <bit>
#include <cstdint>

#include "scope/machine/access.h"
#include "scope/machine/simd/lane_sets.h"

namespace tilescope::observers {

class AddressKeys {
public:
    static constexpr unsigned kMaxShift = 5;

    explicit AddressKeys(const machine::Access& access);

    // 32 keys below 2^(31 - shift), alike where the addresses are that lose `shift` of their low bits; shift is at most
    // kMaxShift. A lane outside the access has the key of the lowest lane in it.
    void write(unsigned shift, std::uint32_t* keys) const;
    unsigned count_distinct(unsigned shift = 0) const;
    // Lanes that share an address take turns, one turn each: distinct addresses over all turns, without `shift` low
    // bits.
    unsigned count_in_turns(unsigned shift) const;
    // Of these, the lanes that are the first at each.
    std::uint32_t first_in_turns(unsigned shift) const;

private:
    const machine::Access& access_;
    bool wide_ = false;        // 32 bits do not hold their distances
    std::uint32_t phase_ = 0;  // of the lowest address: its low bits
    alignas(64) std::uint32_t offsets_[machine::kWarpSize];
};

// How many distinct values key(lane) takes over the active lanes of `mask`.
template <class Key>
unsigned count_distinct(std::uint32_t mask, Key key) {
    std::uint64_t seen[machine::kWarpSize];
    unsigned count = 0;
    bool ascending = true;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const std::uint64_t value = key(static_cast<unsigned>(std::countr_zero(left)));
        if (count != 0 && ascending) {
            if (value == seen[count - 1]) continue;
            ascending = value > seen[count - 1];
        }
        if (!ascending) {
            bool known = false;
            for (unsigned i = 0; i < count; ++i) known |= seen[i] == value;
            if (known) continue;
        }
        seen[count++] = value;
    }
    return count;
}

}  // namespace tilescope::observers
