// How many sectors a request to global memory touches, and how many would do. Pure functions.
//
// Rule (H200, tests/truth): the distinct aligned 32-byte pieces in which the active lanes' accesses begin, whatever the
// width, as accesses are aligned to theirs. Ideal are as many as the distinct elements' bytes fill. Does not model:
// lanes of atomics that take turns (coalescing.cpp).
#pragma once

#include "scope/machine/access.h"
#include "scope/observers/address_set.h"
#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {

inline unsigned touched_sectors(const AddressKeys& addresses) { return addresses.count_distinct(kSectorShift); }
// `addresses`: how many distinct ones the lanes have, of `width` bytes each.
inline unsigned ideal_sectors(unsigned addresses, unsigned width) {
    return (addresses * width + kSectorBytes - 1) / kSectorBytes;
}
inline unsigned touched_lines(const machine::Access& access) {
    return count_distinct(access.mask, [&](unsigned lane) { return access.address(lane) >> kLineShift; });
}

}  // namespace tilescope::observers
