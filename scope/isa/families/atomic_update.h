// An atomic operation of a warp: where its lanes' cells are, what is announced of it, and the update itself.
//
// Owns: update() and update_vector(), whose instances are the ops of atom and red. Guarantees: lanes that must not
// reach their cell get 0 and change nothing; a generic address is shared memory's first, then the others'. Does not
// model which operation: the functions of atomic_functions.h are.
#pragma once

#include "scope/isa/families/atomic_cells.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// What machine code makes of it.
inline AccessKind counted_kind_of(const Warp& warp, const Op& op, Space space) {
    if (op.flags & kLoops || (op.flags & kLoopsOnShared && space == Space::kShared)) return AccessKind::kSwapLoop;
    const bool combined = op.flags & kCombined || (op.flags & kCombinedIfFull && warp.exec == machine::kFullMask);
    if (!(op.flags & kNoResult) || op.flags & kStaysAtomic)
        return combined ? AccessKind::kCombinedAtomic : AccessKind::kAtomic;
    if (op.flags & kAddsOne && space == Space::kShared) return AccessKind::kIncrement;
    return combined ? AccessKind::kCombined : AccessKind::kReduction;
}

template <class OnShared, class OnGlobal>
void update_at(Warp& warp, const Op& op, SiteMemo& memo, Located at, Space space) {
    if (memo.space != space) at.same = false;
    memo.space = space;
    const std::uint32_t all = warp.exec;
    const bool together = permit(warp, op, memo, at, space, true);
    if (warp.exec != all) {
        const std::uint32_t permitted = warp.exec;
        warp.exec = all & ~permitted;
        OnShared::give_zeros(warp, op);
        warp.exec = permitted;
    }
    if (warp.exec != 0) {
        announce(warp, op, memo, at, space, op.flags & kNoResult ? AccessKind::kReduction : AccessKind::kAtomic,
                 counted_kind_of(warp, op, space));
        if (space == Space::kShared)
            OnShared::run(warp, op, memo, bytes_of<Space::kShared>(warp, memo, at));
        else if (together) [[likely]]
            OnGlobal::run(warp, op, memo, bytes_of<Space::kGlobal>(warp, memo, at));
        else
            OnGlobal::run(warp, op, apart(warp, memo, at.first), bytes_of<Space::kGlobal>(warp, memo, at));
    }
    warp.exec = all;
}

template <class OnShared, class OnGlobal>
void update_cells(Warp& warp, const Op& op) {
    SiteMemo& memo = warp.worker->memos[op.site];
    Located at = locate(warp, op, memo);
    if (op.flags & (kOnShared | kOnGlobal)) {
        update_at<OnShared, OnGlobal>(warp, op, memo, at, op.flags & kOnShared ? Space::kShared : Space::kGlobal);
        return;
    }
    // Generic: lanes that mean shared memory first, then the others.
    const std::uint32_t all = warp.exec;
    std::uint32_t shared = 0;
    for (unsigned i = 0; i < kWarpSize; ++i)
        if ((all >> i & 1) &&
            at.first + static_cast<std::uint64_t>(memo.deltas[i]) - machine::kSharedWindow < machine::kWindowBytes)
            shared |= 1u << i;
    for (const std::uint32_t lanes : {shared, all & ~shared}) {
        if (lanes == 0) continue;
        warp.exec = lanes;
        if (lanes != all) at = locate(warp, op, memo);
        if (lanes == shared) at.first -= warp.worker->shared_window;
        update_at<OnShared, OnGlobal>(warp, op, memo, at, lanes == shared ? Space::kShared : Space::kGlobal);
    }
    warp.exec = all;
}

template <class T, class F>
void update(Warp& warp, const Op& op) {
    update_cells<Scalar<T, F>, Scalar<T, typename OnGlobal<F>::type>>(warp, op);
}

template <class T, class F>
void update_vector(Warp& warp, const Op& op) {
    using Body = Elements<T, typename OnGlobal<F>::type>;  // there is none on shared memory
    update_cells<Body, Body>(warp, op);
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
