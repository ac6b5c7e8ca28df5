// The common part of everything that touches memory: addresses, checks and the announcement to observers.
//
// Lane code (target namespace). A site remembers the address pattern of its previous access (SiteMemo): in loops the
// pattern repeats and only the first address moves, so checks and counts cost next to nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

#include "scope/isa/families/memory_bounds.h"
#include "scope/isa/table/memory_flags.h"
#include "scope/machine/simd/lane_compare.h"
#include "scope/machine/simd/lanes.h"
#include "scope/machine/worker.h"

namespace tilescope::isa::TILESCOPE_TARGET {

using machine::Access;
using machine::AccessKind;
using machine::kFullMask;
using machine::kWarpSize;
using machine::Listeners;
using machine::Op;
using machine::Shape;
using machine::SiteMemo;
using machine::Space;
using machine::Warp;

// Describes the new pattern. Off the fast path.
void remember_pattern(SiteMemo& memo, const std::int64_t* __restrict deltas, std::uint32_t mask, unsigned width);

// The same, of addresses as they lie in a register; out of the way of those that find the pattern they know.
template <class Base>
__attribute__((noinline)) void remember_bases(SiteMemo& memo, const Base* base, Base origin, std::uint32_t mask,
                                              unsigned width) {
    alignas(64) std::int64_t deltas[kWarpSize];
    // 32-bit bases may lie below zero (p - i, with the constant offset to follow), so differences wrap as they do.
    using Signed = std::make_signed_t<Base>;
    for (unsigned i = 0; i < kWarpSize; ++i)
        deltas[i] = std::int64_t{static_cast<Signed>(static_cast<Base>(base[i] - origin))} &
                    -static_cast<std::int64_t>(mask >> i & 1u);
    remember_pattern(memo, deltas, mask, width);
}

// Of shared memory `first` is a place in the block's array: what an instruction adds to an address, or its window, has
// the array's own address in it already.
struct Located {
    std::uint64_t first = 0;
    bool same = false;
};

// First address and deltas of the active lanes, whose bases these are; updates the memo.
template <class Base>
inline __attribute__((always_inline)) Located locate_bases(const Warp& warp, const Op& op, SiteMemo& memo,
                                                           const Base* base) {
    const std::uint32_t exec = warp.exec;
    const auto lead = static_cast<unsigned>(std::countr_zero(exec));
    const Base origin = base[lead];
    Located located;
    located.first = static_cast<std::uint64_t>(static_cast<Base>(origin + static_cast<Base>(op.immediate)));
    if (op.flags & kFrameRelative) located.first += warp.local_frame;
    // Compared in the register's own width.
    const Base* known;
    if constexpr (sizeof(Base) == 4)
        known = memo.narrow;
    else
        known = reinterpret_cast<const Base*>(memo.deltas);
    located.same = exec == memo.mask && machine::TILESCOPE_TARGET::follow_steps<Base>(base, origin, known, exec);
    if (located.same) return located;
    remember_bases(memo, base, origin, exec, op.width);
    return located;
}

inline __attribute__((always_inline)) Located locate(const Warp& warp, const Op& op, SiteMemo& memo) {
    return op.flags & kNarrowAddress ? locate_bases(warp, op, memo, warp.source<std::uint32_t>(op.a))
                                     : locate_bases(warp, op, memo, warp.source<std::uint64_t>(op.a));
}

// The access as it is written, but for its width, which the observer's view decides.
inline Access describe(const Warp& warp, const Op& op, const SiteMemo& memo, const Located& at, Space space,
                       AccessKind kind) {
    Access access;
    access.block = &warp.worker->block;
    access.clock = &warp.clock;
    access.op = op.index;
    access.site = op.site;
    access.space = space;
    access.kind = kind;
    access.same_pattern = at.same;
    access.order = memo.order;
    access.scope = memo.scope;
    access.mask = warp.exec;
    access.thread = warp.index * kWarpSize;
    access.first = at.first;
    if (space == Space::kParam) access.first -= reinterpret_cast<std::uint64_t>(warp.worker->parameters);
    access.deltas = memo.deltas;
    return access;
}

// The further accesses that the assembler makes of one, at sites of their own.
void announce_more(Warp& warp, const Op& op, const Listeners& listeners, unsigned count, Access access,
                   std::uint64_t first);

// To those who want accesses as they are written. `stored`: what lanes store, 32 values of the width, where it is not
// what the instruction's registers hold lane by lane.
void announce_written(Warp& warp, const Op& op, const SiteMemo& memo, const Located& at, Space space, AccessKind kind,
                      const std::uint32_t* sizes, const std::byte* stored = nullptr);

// To those who listen to the site. `counted_kind`: what machine code makes of it. `sizes`: see permit().
// `to`: of a copy's reads, where they go.
struct Destination {
    std::uint64_t first = 0;
    const std::int64_t* deltas = nullptr;
    bool same = false;
};
inline void announce(Warp& warp, const Op& op, const SiteMemo& memo, const Located& at, Space space, AccessKind kind,
                     AccessKind counted_kind, const std::uint32_t* sizes = nullptr, const Destination& to = {}) {
    const std::uint32_t bit = machine::bit_of(space);
    if (memo.written_spaces & bit) [[unlikely]]
        announce_written(warp, op, memo, at, space, kind, sizes);
    if (!(memo.counted_spaces & bit)) return;
    Access access = describe(warp, op, memo, at, space, counted_kind);
    access.width = memo.counted_width;
    access.first += static_cast<std::uint64_t>(std::int64_t{memo.counted_shift});
    if (op.flags & kHasPolicy) [[unlikely]]
        access.policy = warp.source<std::uint64_t>(op.c)[std::countr_zero(warp.exec)];
    if (to.deltas != nullptr) [[unlikely]] {
        access.to_first = to.first;
        access.to_deltas = to.deltas;
        access.same_pattern = at.same && to.same;
    }
    memo.counted->tell(access);
    if (memo.more_pieces != 0) [[unlikely]]
        announce_more(warp, op, *memo.counted, memo.more_pieces, access, at.first);
}

inline void announce(Warp& warp, const Op& op, const SiteMemo& memo, const Located& at, Space space, AccessKind kind) {
    announce(warp, op, memo, at, space, kind, kind);
}

// Whether the memo already knows that every active lane's access is aligned to its width and lies inside one allocation
// (global, constant, parameters) or inside the block's shared memory or the lane's stack. Nothing is added to an
// extent: lanes may lie anywhere in 64 bits, and a sum that wraps would let them all pass.
inline __attribute__((always_inline)) bool is_known_lawful(const Warp& warp, const Op& op, const SiteMemo& memo,
                                                           const Located& at, Space space, bool writes) {
    const std::uint64_t low = at.first + static_cast<std::uint64_t>(memo.low);
    const std::uint64_t alignment = (op.width & (op.width - 1)) == 0 ? op.width - 1u : 0u;
    if (((at.first | memo.delta_bits) & alignment) != 0) return false;
    const auto fits = [&](std::uint64_t offset, std::uint64_t room) {
        return offset <= room && memo.extent <= room - offset;
    };
    if (space == Space::kShared) {
        const std::uint64_t own = warp.worker->shared_own;
        return fits(low - own, warp.worker->shared_bytes - own);
    }
    if (space == Space::kLocal) return fits(low, warp.worker->local_bytes);
    return fits(low - memo.allowed_from, memo.allowed_bytes) &&
           memo.allowed_version == warp.worker->memory->version() && (!writes || memo.allowed_writable);
}

// Looks every active lane up (memory_bounds.h). Where a run goes on after faults, warp.exec, the memo and `at` are left
// with the lanes that may make the access, perhaps none. `sizes`: bytes that each lane touches, if fewer than the
// width. False when the lanes' bytes are not all memo.shift from their addresses.
bool permit_slowly(Warp& warp, const Op& op, SiteMemo& memo, Located& at, Space space, bool writes,
                   const std::uint32_t* sizes);

// What every access passes before it touches memory. It ends the kernel, or narrows warp.exec, for lanes that may not.
// True: the bytes of all lanes lie memo.shift from their addresses. False: not at one distance, see apart().
[[nodiscard]] inline __attribute__((always_inline)) bool permit(Warp& warp, const Op& op, SiteMemo& memo, Located& at,
                                                                Space space, bool writes,
                                                                const std::uint32_t* sizes = nullptr) {
    if (writes) ++warp.worker->writes;
    if (is_known_lawful(warp, op, memo, at, space, writes)) [[likely]]
        return true;
    return permit_slowly(warp, op, memo, at, space, writes, sizes);
}

// Where the first lane's byte of a permitted access is.
template <Space kSpace>
inline std::byte* bytes_of(const Warp& warp, const SiteMemo& memo, const Located& at) {
    if constexpr (kSpace == Space::kShared)
        return warp.worker->shared + at.first;
    else
        return reinterpret_cast<std::byte*>(at.first + memo.shift);
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
