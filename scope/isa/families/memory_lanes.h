// Loads and stores of all lanes: in one space, or by generic addresses.
//
// Owns: access() and access_generic(), what the memory family binds its rows to.
#pragma once

#include <type_traits>

#include "scope/isa/families/memory_move.h"

namespace tilescope::isa::TILESCOPE_TARGET {

template <class E>
void load_elements(Warp& warp, const Op& op, const SiteMemo& memo, const std::byte* at) {
    alignas(64) E values[kWarpSize];
    const bool sign = op.flags & kSignExtend;
    const auto& list = *static_cast<const ElementList*>(op.extra);
    // All elements are read before any register is written: an address register may be among the results.
    alignas(64) E held[8][kWarpSize];
    for (unsigned k = 0; k < list.count; ++k) gather(at + k * sizeof(E), memo, list.count == 1 ? values : held[k]);
    for (unsigned k = 0; k < list.count; ++k)
        if (list.present[k])
            write_register(warp, list.registers[k], list.register_bytes[k], sign, list.count == 1 ? values : held[k]);
}

template <class E>
void store_elements(Warp& warp, const Op& op, const SiteMemo& memo, std::byte* at) {
    const auto& list = *static_cast<const ElementList*>(op.extra);
    alignas(64) E values[kWarpSize];
    for (unsigned k = 0; k < list.count; ++k) {
        read_register(warp, list.registers[k], list.register_bytes[k], values);
        scatter(at + k * sizeof(E), memo, values);
    }
}

// Loads from where the bytes of all lanes lie in the process as their addresses do: all but local ones.
template <class E>
inline __attribute__((always_inline)) void load_pattern(Warp& warp, const Op& op, const SiteMemo& memo,
                                                        const std::byte* from) {
    if (op.extra) {
        load_elements<E>(warp, op, memo, from);
        return;
    }
    // One element of the register's own width: the common case, straight from memory to the register.
    E* to = warp.target<E>(op.dst);
    if (memo.shape == Shape::kContiguous) {
        std::memcpy(static_cast<void*>(to), from, sizeof(E) * kWarpSize);
    } else if (memo.shape == Shape::kUniform) {
        E value;
        std::memcpy(&value, from, sizeof(E));
        for (unsigned i = 0; i < kWarpSize; ++i) to[i] = value;
    } else if (memo.shape == Shape::kHalves) {
        constexpr unsigned kHalf = kWarpSize / 2;
        for (unsigned half = 0; half < 2; ++half) {
            const std::byte* at_half = from + memo.deltas[half * kHalf];
            if (memo.half_uniform[half]) {
                E value;
                std::memcpy(&value, at_half, sizeof(E));
                for (unsigned i = 0; i < kHalf; ++i) to[half * kHalf + i] = value;
            } else {
                std::memcpy(static_cast<void*>(to + half * kHalf), at_half, sizeof(E) * kHalf);
            }
        }
    } else if (warp.exec == kFullMask) {
        for (unsigned i = 0; i < kWarpSize; ++i) std::memcpy(&to[i], from + memo.deltas[i], sizeof(E));
    } else {
        alignas(64) E values[kWarpSize];
        gather(from, memo, values);
        machine::TILESCOPE_TARGET::write_lanes(warp.exec, to, [&](unsigned i) { return values[i]; });
    }
}

template <class E>
__attribute__((noinline, cold)) void load_apart(Warp& warp, const Op& op, const SiteMemo& memo, const Located& at) {
    load_pattern<E>(warp, op, apart(warp, memo, at.first), bytes_of<Space::kGlobal>(warp, memo, at));
}

// Observers take about as long as memory takes to answer. Lanes that lie all over have too many lines to ask for.
inline __attribute__((always_inline)) void prefetch_lanes(const SiteMemo& memo, const std::byte* from) {
    if (memo.shape == Shape::kGeneral) return;
    constexpr unsigned kHalf = kWarpSize / 2;
    __builtin_prefetch(from);
    __builtin_prefetch(from + memo.deltas[kHalf]);
    __builtin_prefetch(from + memo.deltas[kWarpSize - 1]);
}

template <class E, Space kSpace>
void load_direct_at(Warp& warp, const Op& op, SiteMemo& memo, const Located& at, bool together) {
    if constexpr (kSpace == Space::kGlobal) prefetch_lanes(memo, bytes_of<kSpace>(warp, memo, at));
    announce(warp, op, memo, at, kSpace, AccessKind::kLoad);
    if (together) [[likely]]
        load_pattern<E>(warp, op, memo, bytes_of<kSpace>(warp, memo, at));
    else
        load_apart<E>(warp, op, memo, at);
}

template <class E>
void load_local_at(Warp& warp, const Op& op, SiteMemo& memo, const Located& at) {
    announce(warp, op, memo, at, Space::kLocal, AccessKind::kLoad);
    const auto& list = *static_cast<const ElementList*>(op.extra);
    alignas(64) E held[8][kWarpSize] = {};
    for (unsigned k = 0; k < list.count; ++k) gather_local(warp, at.first + k * sizeof(E), memo, held[k]);
    for (unsigned k = 0; k < list.count; ++k)
        if (list.present[k])
            write_register(warp, list.registers[k], list.register_bytes[k], op.flags & kSignExtend, held[k]);
}

template <class E>
inline __attribute__((always_inline)) void store_pattern(Warp& warp, const Op& op, const SiteMemo& memo,
                                                         std::byte* to) {
    if (op.extra) {
        store_elements<E>(warp, op, memo, to);
        return;
    }
    const E* from = warp.source<E>(op.b);
    if (memo.shape == Shape::kContiguous)
        std::memcpy(to, static_cast<const void*>(from), sizeof(E) * kWarpSize);
    else
        scatter(to, memo, from);
}

template <class E>
__attribute__((noinline, cold)) void store_apart(Warp& warp, const Op& op, const SiteMemo& memo, const Located& at) {
    store_pattern<E>(warp, op, apart(warp, memo, at.first), bytes_of<Space::kGlobal>(warp, memo, at));
}

template <class E, Space kSpace>
void store_direct_at(Warp& warp, const Op& op, SiteMemo& memo, const Located& at, bool together) {
    announce(warp, op, memo, at, kSpace, AccessKind::kStore);
    if (together) [[likely]]
        store_pattern<E>(warp, op, memo, bytes_of<kSpace>(warp, memo, at));
    else
        store_apart<E>(warp, op, memo, at);
}

template <class E>
void store_local_at(Warp& warp, const Op& op, SiteMemo& memo, const Located& at) {
    announce(warp, op, memo, at, Space::kLocal, AccessKind::kStore);
    const auto& list = *static_cast<const ElementList*>(op.extra);
    alignas(64) E values[kWarpSize] = {};
    for (unsigned k = 0; k < list.count; ++k) {
        read_register(warp, list.registers[k], list.register_bytes[k], values);
        scatter_local(warp, at.first + k * sizeof(E), memo, values);
    }
}

// together: the bytes of all lanes lie memo.shift from their addresses.
template <class E, bool kStore, Space kSpace>
void move_at(Warp& warp, const Op& op, SiteMemo& memo, const Located& at, bool together) {
    if constexpr (kStore) {
        if constexpr (kSpace == Space::kLocal)
            store_local_at<E>(warp, op, memo, at);
        else
            store_direct_at<E, kSpace>(warp, op, memo, at, together);
    } else {
        if constexpr (kSpace == Space::kLocal)
            load_local_at<E>(warp, op, memo, at);
        else
            load_direct_at<E, kSpace>(warp, op, memo, at, together);
    }
}

// What the lanes of exec get whose load is not permitted.
template <class E>
void load_zeros(Warp& warp, const Op& op) {
    alignas(64) static constexpr E kZeros[kWarpSize] = {};
    if (!op.extra) {
        machine::TILESCOPE_TARGET::write_lanes(warp.exec, warp.target<E>(op.dst), [](unsigned i) { return kZeros[i]; });
        return;
    }
    const auto& list = *static_cast<const ElementList*>(op.extra);
    for (unsigned k = 0; k < list.count; ++k)
        if (list.present[k]) write_register(warp, list.registers[k], list.register_bytes[k], false, kZeros);
}

template <class E, bool kStore, Space kSpace>
void access_at(Warp& warp, const Op& op, SiteMemo& memo, Located at) {
    const std::uint32_t all = warp.exec;
    const bool together = permit(warp, op, memo, at, kSpace, kStore);
    if (warp.exec == all) [[likely]] {
        move_at<E, kStore, kSpace>(warp, op, memo, at, together);
        return;
    }
    const std::uint32_t permitted = warp.exec;
    if constexpr (!kStore) {
        warp.exec = all & ~permitted;
        load_zeros<E>(warp, op);
        warp.exec = permitted;
    }
    if (permitted != 0) move_at<E, kStore, kSpace>(warp, op, memo, at, together);
    warp.exec = all;
}

template <class E, bool kStore, Space kSpace>
void access(Warp& warp, const Op& op) {
    SiteMemo& memo = warp.worker->memos[op.site];
    Located at = locate(warp, op, memo);
    if constexpr (kSpace == Space::kConstant)
        if (op.flags & kNarrowAddress) at.first |= warp.worker->program->constant_base;
    access_at<E, kStore, kSpace>(warp, op, memo, at);
}

inline Space space_of(const Warp& warp, std::uint64_t address) {
    if (address - machine::kSharedWindow < machine::kWindowBytes) return Space::kShared;
    if (address - machine::kLocalWindow < machine::kWindowBytes) return Space::kLocal;
    const machine::Worker& worker = *warp.worker;
    if (address - reinterpret_cast<std::uint64_t>(worker.parameters) < worker.parameter_bytes) return Space::kParam;
    return Space::kGlobal;
}

// Whether no lane can lie in another space than the first one.
inline bool is_one_space(const Warp& warp, const Located& at, const SiteMemo& memo, Space space) {
    const std::uint64_t low = at.first + static_cast<std::uint64_t>(memo.low);
    if (space == Space::kShared || space == Space::kLocal) {
        const std::uint64_t offset = low - (space == Space::kShared ? machine::kSharedWindow : machine::kLocalWindow);
        return offset < machine::kWindowBytes && memo.extent <= machine::kWindowBytes - offset;
    }
    // Below the windows, and on one side of the parameters.
    if (space != Space::kGlobal || low >= machine::kSharedWindow || memo.extent > machine::kSharedWindow - low)
        return false;
    const auto parameters = reinterpret_cast<std::uint64_t>(warp.worker->parameters);
    return low + memo.extent <= parameters || low >= parameters + warp.worker->parameter_bytes;
}

// A generic address says by its window which space it means. Lanes of different spaces are served one space at a time.
template <class E, bool kStore>
void access_generic(Warp& warp, const Op& op) {
    SiteMemo& memo = warp.worker->memos[op.site];
    const std::uint32_t all = warp.exec;
    std::uint32_t left = all;
    while (left != 0) {
        warp.exec = left;
        Located at = locate(warp, op, memo);
        const Space space = space_of(warp, at.first);
        if (!is_one_space(warp, at, memo, space)) {
            std::uint32_t same = 0;
            for (unsigned i = 0; i < kWarpSize; ++i)
                if ((left >> i & 1) && space_of(warp, at.first + static_cast<std::uint64_t>(memo.deltas[i])) == space)
                    same |= 1u << i;
            if (same != left) {
                warp.exec = same;
                at = locate(warp, op, memo);
            }
        }
        left &= ~warp.exec;
        if (memo.space != space) at.same = false;
        memo.space = space;
        if (space == Space::kShared) {
            at.first -= warp.worker->shared_window;
            access_at<E, kStore, Space::kShared>(warp, op, memo, at);
        } else if (space == Space::kLocal) {
            at.first -= machine::kLocalWindow;
            access_at<E, kStore, Space::kLocal>(warp, op, memo, at);
        } else if (space == Space::kParam) {
            if constexpr (kStore)
                (void)permit(warp, op, memo, at, space, true);  // they are read-only: no lane may
            else
                access_at<E, kStore, Space::kParam>(warp, op, memo, at);
        } else {
            access_at<E, kStore, Space::kGlobal>(warp, op, memo, at);
        }
    }
    warp.exec = all;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
