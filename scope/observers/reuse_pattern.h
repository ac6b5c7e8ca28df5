// Which units of memory a pattern of addresses touches, worked out once for each way it can lie.
//
// A unit is the widest piece (1 to 16 bytes) that every access of a kernel is a multiple of; 32 units, aligned, are a
// granule, whose units fit the bits of one word. Owns: GranulePattern, the parts of an access by granule, kept for each
// of the 32 places within a granule that its first lane can have. Guarantees: exact to the byte, as long as accesses
// are aligned to their width, which the machine sees to, and no wider than a granule. Does not model: who the lanes
// are.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "scope/machine/access.h"

namespace tilescope::observers {

inline constexpr unsigned kGranuleUnits = 32;
inline constexpr unsigned kGranuleShift = 5;

struct GranulePart {
    std::int32_t granule = 0;  // counted from that of the first lane
    std::uint32_t units = 0;   // bit = unit
};

// The `width >> unit_shift` units from `unit` on, as bits of their granule.
inline std::uint32_t unit_bits(std::uint64_t unit, unsigned width, unsigned unit_shift) {
    const unsigned count = width >> unit_shift;
    const std::uint32_t low = count >= kGranuleUnits ? ~0u : (1u << count) - 1;
    return low << (unit % kGranuleUnits);
}

class GranulePattern {
public:
    // Another pattern of deltas from now on.
    void clear() {
        places_ = {};
        parts_.clear();
    }

    // Parts of the access, which has the pattern at hand; valid until the next call.
    std::span<const GranulePart> parts(const machine::Access& access, unsigned unit_shift) {
        const Place& place = places_[(access.first >> unit_shift) % kGranuleUnits];
        if (place.count == 0) [[unlikely]]
            work_out(access, unit_shift);
        return {parts_.data() + place.begin, place.count};
    }

    // Whether part offsets fit their type; patterns that reach farther than that are not kept.
    static bool fits(std::int64_t low, std::int64_t high, unsigned unit_shift);

private:
    struct Place {
        std::uint16_t begin = 0, count = 0;
    };
    void work_out(const machine::Access& access, unsigned unit_shift);

    std::array<Place, kGranuleUnits> places_{};
    std::vector<GranulePart> parts_;
};

}  // namespace tilescope::observers
