// Loops over the 32 lanes of a warp.
//
// Guarantees: one body, written as plain lane arithmetic, becomes straight vector code on every target: a full mask
// writes all lanes; any other mask computes all lanes into a scratch and writes the active ones. So a lane body must be
// total: defined for every bit pattern, as inactive lanes hold leftovers.
// Does not model: instructions; see scope/isa.
#pragma once

#include <cstdint>

#include "scope/machine/simd/target.h"
#include "scope/machine/warp.h"

namespace tilescope::machine::TILESCOPE_TARGET {

// Writes value(i) to every active lane i of d. value may read d's own old lane i only.
template <class D, class Value>
inline __attribute__((always_inline)) void write_lanes(std::uint32_t exec, D* __restrict d, Value value) {
    if (exec == kFullMask) {
#pragma GCC ivdep
        for (unsigned i = 0; i < kWarpSize; ++i) d[i] = value(i);
        return;
    }
    alignas(64) D scratch[kWarpSize];
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) scratch[i] = value(i);
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) d[i] = (exec >> i & 1u) ? scratch[i] : d[i];
}

// The mask of lanes where test(i) holds.
template <class Test>
inline __attribute__((always_inline)) std::uint32_t lanes_where(Test test) {
    std::uint32_t mask = 0;
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) mask |= static_cast<std::uint32_t>(test(i) ? 1u : 0u) << i;
    return mask;
}

}  // namespace tilescope::machine::TILESCOPE_TARGET
