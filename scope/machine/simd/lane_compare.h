// Comparisons of all lanes at once whose answer is a mask or a yes.
//
// Lane code (target namespace).
#pragma once

#include <cstdint>

#include "scope/machine/op.h"
#include "scope/machine/simd/target.h"
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace tilescope::machine::TILESCOPE_TARGET {

// Whether values[i] is origin + steps[i], as wide as they are, in all lanes of `among`.
template <class T>
inline __attribute__((always_inline)) bool follow_steps(const T* values, T origin, const T* steps,
                                                        std::uint32_t among) {
#if defined(__AVX512F__)
    // Compilers fold the lanes' differences step by step; the mask of a comparison is there at once.
    std::uint32_t differ = 0;
    if constexpr (sizeof(T) == 4) {
        const __m512i from = _mm512_set1_epi32(static_cast<int>(origin));
        for (unsigned i = 0; i < kWarpSize; i += 16)
            differ |= std::uint32_t{_mm512_cmpneq_epi32_mask(_mm512_sub_epi32(_mm512_loadu_si512(values + i), from),
                                                             _mm512_loadu_si512(steps + i))}
                      << i;
    } else {
        const __m512i from = _mm512_set1_epi64(static_cast<long long>(origin));
        for (unsigned i = 0; i < kWarpSize; i += 8)
            differ |= std::uint32_t{_mm512_cmpneq_epi64_mask(_mm512_sub_epi64(_mm512_loadu_si512(values + i), from),
                                                             _mm512_loadu_si512(steps + i))}
                      << i;
    }
    return (differ & among) == 0;
#else
    T differ = 0;
    if (among == kFullMask) {
        for (unsigned i = 0; i < kWarpSize; ++i) differ |= static_cast<T>(values[i] - origin) ^ steps[i];
    } else {
        for (unsigned i = 0; i < kWarpSize; ++i)
            differ |=
                (static_cast<T>(values[i] - origin) ^ steps[i]) & static_cast<T>(-static_cast<T>(among >> i & 1u));
    }
    return differ == 0;
#endif
}

}  // namespace tilescope::machine::TILESCOPE_TARGET
