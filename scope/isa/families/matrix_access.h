// What loads and stores of matrices tell observers: accesses that differ in width and lanes from what is written.
#pragma once

#include "scope/isa/families/memory_access.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// The lanes that come to a warp-wide instruction, wherever they stand.
inline std::uint32_t lanes_together(const Warp& warp) { return warp.meeting ? warp.meeting->lanes : warp.exec; }

// `op` has the access's own width. `stored`: of a store, 32 values of that width; else nullptr.
inline void tell_of(Warp& warp, const Op& op, const SiteMemo& memo, const Located& at, Space space, AccessKind counted,
                    const std::byte* stored) {
    const std::uint32_t bit = machine::bit_of(space);
    const AccessKind kind = stored != nullptr ? AccessKind::kStore : AccessKind::kLoad;
    if (memo.written_spaces & bit) announce_written(warp, op, memo, at, space, kind, nullptr, stored);
    if (!(memo.counted_spaces & bit)) return;
    Access access = describe(warp, op, memo, at, space, counted);
    access.width = op.width;
    memo.counted->tell(access);
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
