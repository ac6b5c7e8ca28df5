// How many sectors a request to global memory touches, and how many would do. Pure functions.
//
// Rule (H200, tests/truth): the distinct aligned 32-byte pieces in which the active lanes' accesses begin, whatever the
// width, as accesses are aligned to theirs. Ideal are as many as the distinct elements' bytes fill. Of a copy past L1
// (cp.async.cg): the distinct sectors of shared memory to which each line of global memory goes, in all 263 launches of
// bench/hardware/copy_places.cu on one NVIDIA H200 (driver 580.159.04, 27 November 2026). Does not model: lanes of
// atomics that take turns (coalescing.cpp).
#pragma once

#include "scope/machine/access.h"
#include "scope/observers/address_set.h"
#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {

inline unsigned touched_sectors(const AddressKeys& addresses) { return addresses.count_distinct(kSectorShift); }
// Of a copy that knows where it goes.
inline unsigned copied_sectors(const machine::Access& access) {
    constexpr unsigned kSectorOfShared = 20;  // numeric: bits that a sector of shared memory has room in
    return count_distinct(access.mask, [&](unsigned lane) {
        return access.address(lane) >> kLineShift << kSectorOfShared | access.to(lane) >> kSectorShift;
    });
}
// `addresses`: how many distinct ones the lanes have, of `width` bytes each.
inline unsigned ideal_sectors(unsigned addresses, unsigned width) {
    return (addresses * width + kSectorBytes - 1) / kSectorBytes;
}
inline unsigned touched_lines(const machine::Access& access) {
    return count_distinct(access.mask, [&](unsigned lane) { return access.address(lane) >> kLineShift; });
}

}  // namespace tilescope::observers
