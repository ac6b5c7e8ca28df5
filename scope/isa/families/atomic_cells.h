// What atomics do to the cells of their lanes, once the access is known to be legal: one value a lane, or a vector.
#pragma once

#include <bit>

#include "scope/isa/families/atomic_functions.h"
#include "scope/isa/families/memory_move.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// One lane after another, lowest first. Alone on its memory, a worker
// needs no host atomics. Of 128 bits there are none, and none is needed: a swap makes the program order-dependent,
// which one worker runs alone, or happens in shared memory, which is the worker's own.
template <class T, class F>
struct Scalar {
    static void run(Warp& warp, const Op& op, const SiteMemo& memo, std::byte* at) {
        alignas(64) T olds[kWarpSize] = {};
        if (memo.delta_bits == 0)
            update_one(warp, op, reinterpret_cast<T*>(at), olds);
        else
            update_each(warp, op, memo, at, olds);
        if (op.flags & kNoResult) return;
        machine::TILESCOPE_TARGET::write_lanes(warp.exec, warp.target<T>(op.dst), [&](unsigned i) { return olds[i]; });
    }
    static void give_zeros(Warp& warp, const Op& op) {
        if (op.flags & kNoResult) return;
        machine::TILESCOPE_TARGET::write_lanes(warp.exec, warp.target<T>(op.dst), [](unsigned) { return T{}; });
    }

private:
    static bool is_alone(const Warp& warp) { return sizeof(T) == 16 || warp.worker->alone; }

    static void update_each(Warp& warp, const Op& op, const SiteMemo& memo, std::byte* at, T* olds) {
        const T* b = warp.source<T>(op.b);
        const T* c = warp.source<T>(op.c);
        const bool alone = is_alone(warp);
        for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(left));
            T* cell = reinterpret_cast<T*>(at + memo.deltas[i]);
            T old{};
            if (alone) {
                old = *cell;
                *cell = F::apply(old, b[i], c[i]);
            } else if constexpr (sizeof(T) <= 8) {
                old = __atomic_load_n(cell, __ATOMIC_RELAXED);
                while (!__atomic_compare_exchange_n(cell, &old, F::apply(old, b[i], c[i]), false, __ATOMIC_SEQ_CST,
                                                    __ATOMIC_RELAXED)) {
                }
            }
            olds[i] = old;
        }
    }

    // All lanes want one cell: they have it in turn, with nobody else in between.
    static void update_one(Warp& warp, const Op& op, T* cell, T* olds) {
        const T* b = warp.source<T>(op.b);
        const T* c = warp.source<T>(op.c);
        const auto all_turns = [&](T value) {
            for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
                const auto i = static_cast<unsigned>(std::countr_zero(left));
                olds[i] = value;
                value = F::apply(value, b[i], c[i]);
            }
            return value;
        };
        if (is_alone(warp)) {
            *cell = all_turns(*cell);
        } else if constexpr (sizeof(T) <= 8) {
            T old = __atomic_load_n(cell, __ATOMIC_RELAXED);
            while (
                !__atomic_compare_exchange_n(cell, &old, all_turns(old), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
            }
        }
    }
};

// The registers of a vector atomic; Op::extra.
struct VectorOperands {
    ElementList to, from;
};

// Each element is an atomic of its own. They are floating-point ones: order-dependent, so that the worker is alone.
template <class T, class F>
struct Elements {
    static void run(Warp& warp, const Op& op, const SiteMemo& memo, std::byte* at) {
        const auto& with = *static_cast<const VectorOperands*>(op.extra);
        alignas(64) T olds[8][kWarpSize] = {};
        for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(left));
            for (unsigned k = 0; k < with.from.count; ++k) {
                T* cell = reinterpret_cast<T*>(at + memo.deltas[i]) + k;
                olds[k][i] = *cell;
                *cell = F::apply(*cell, warp.source<T>(with.from.registers[k])[i], T{});
            }
        }
        give(warp, op, olds);
    }
    static void give_zeros(Warp& warp, const Op& op) {
        alignas(64) static constexpr T kZeros[8][kWarpSize] = {};
        give(warp, op, kZeros);
    }

private:
    static void give(Warp& warp, const Op& op, const T (*olds)[kWarpSize]) {
        if (op.flags & kNoResult) return;
        const auto& with = *static_cast<const VectorOperands*>(op.extra);
        for (unsigned k = 0; k < with.to.count; ++k)
            if (with.to.present[k])
                machine::TILESCOPE_TARGET::write_lanes(warp.exec, warp.target<T>(with.to.registers[k]),
                                                       [&](unsigned i) { return olds[k][i]; });
    }
};

}  // namespace tilescope::isa::TILESCOPE_TARGET
