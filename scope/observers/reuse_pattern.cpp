#include "scope/observers/reuse_pattern.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace tilescope::observers {

bool GranulePattern::fits(std::int64_t low, std::int64_t high, unsigned unit_shift) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max() - 1;
    const unsigned shift = unit_shift + kGranuleShift;
    return (high >> shift) < kMax && (low >> shift) > -kMax;
}

void GranulePattern::work_out(const machine::Access& access, unsigned unit_shift) {
    const std::uint64_t first_unit = access.first >> unit_shift;
    Place& place = places_[first_unit % kGranuleUnits];
    place.begin = static_cast<std::uint16_t>(parts_.size());
    for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
        const std::uint64_t unit = access.address(static_cast<unsigned>(std::countr_zero(left))) >> unit_shift;
        const auto granule = static_cast<std::int32_t>((unit >> kGranuleShift) - (first_unit >> kGranuleShift));
        const std::uint32_t units = unit_bits(unit, access.width, unit_shift);
        // Neighbouring lanes mostly share a granule: the last part is the likely one.
        const auto end = parts_.rend() - place.begin;
        const auto found =
            std::find_if(parts_.rbegin(), end, [&](const GranulePart& part) { return part.granule == granule; });
        if (found != end)
            found->units |= units;
        else
            parts_.push_back({granule, units});
    }
    place.count = static_cast<std::uint16_t>(parts_.size() - place.begin);
}

}  // namespace tilescope::observers
