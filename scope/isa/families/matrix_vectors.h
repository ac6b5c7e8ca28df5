// Vectors as wide as the target's own registers, for products of matrices.
//
// Owns: their types, loads, stores, and the turning of four by four words. Guarantees: the same results on every
// target; only the order in which turned rows lie hangs on the width, and it is the same for all matrices of a target.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstring>
#include <limits>

#include "scope/isa/families/float_lanes.h"

namespace tilescope::isa::TILESCOPE_TARGET {

#if defined(__AVX512BW__)
inline constexpr unsigned kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr unsigned kVectorBytes = 32;
#else
inline constexpr unsigned kVectorBytes = 16;
#endif
inline constexpr unsigned kVectorWords = kVectorBytes / 4;

using VectorFloats = float __attribute__((vector_size(kVectorBytes)));
using VectorWords = std::int32_t __attribute__((vector_size(kVectorBytes)));
using VectorUnsigned = std::uint32_t __attribute__((vector_size(kVectorBytes)));
using VectorHalves = std::int16_t __attribute__((vector_size(kVectorBytes)));
using VectorBytes = std::uint8_t __attribute__((vector_size(kVectorBytes)));

template <class Vector, class Element>
TILESCOPE_LANE Vector vector_at(const Element* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof vector);
    return vector;
}
template <class Element, class Vector>
TILESCOPE_LANE void put_vector(Element* to, const Vector& vector) {
    std::memcpy(to, &vector, sizeof vector);
}

template <class Vector>
TILESCOPE_LANE Vector least_of(const Vector& a, const Vector& b) {
    return a < b ? a : b;
}
template <class Vector>
TILESCOPE_LANE Vector greatest_of(const Vector& a, const Vector& b) {
    return a < b ? b : a;
}

// Bits as floats, and floats as bits.
TILESCOPE_LANE VectorFloats as_floats(const VectorWords& bits) { return reinterpret_cast<VectorFloats>(bits); }

TILESCOPE_LANE bool any_bit(const VectorWords& words) {
#if defined(__AVX512BW__)
    const auto all = reinterpret_cast<__m512i>(words);
    return _mm512_test_epi32_mask(all, all) != 0;
#elif defined(__AVX2__)
    const auto all = reinterpret_cast<__m256i>(words);
    return _mm256_testz_si256(all, all) == 0;
#else
    std::int32_t any = 0;
    for (unsigned i = 0; i < kVectorWords; ++i) any |= words[i];
    return any != 0;
#endif
}

// The largest float that is no larger than each number, or the other way round below zero: its bits.
TILESCOPE_LANE VectorWords cut_to_floats(const VectorWords& numbers) {
#if defined(__AVX512BW__)
    constexpr int kCut = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    return reinterpret_cast<VectorWords>(_mm512_cvt_roundepi32_ps(reinterpret_cast<__m512i>(numbers), kCut));
#else
    // Of a size of 24 + n bits its upper n have a one where the first bit lies that a float loses. Without that, and
    // perhaps some below it, what is lost is less than half a step, so that rounding to the nearest cuts it off.
#if defined(__AVX2__)
    const auto size = reinterpret_cast<VectorWords>(_mm256_abs_epi32(reinterpret_cast<__m256i>(numbers)));
#else
    const VectorWords sign = numbers >> 31, size = (numbers ^ sign) - sign;
#endif
    const VectorFloats cut = __builtin_convertvector(size & ~(size >> 24), VectorFloats);
    return reinterpret_cast<VectorWords>(cut) | (numbers & std::numeric_limits<std::int32_t>::min());
#endif
}

// Four vectors that each hold rows of four words become four columns: out[t] has word t of all rows. Where the rows of
// in[v] begin at 4 q, out[t] has them at 4 q + v. Twice, it changes nothing.
TILESCOPE_LANE void turn_fours(const VectorWords (&in)[4], VectorWords (&out)[4]) {
#if defined(__AVX512BW__)
#define TILESCOPE_LOW 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define TILESCOPE_HIGH 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define TILESCOPE_FIRST 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define TILESCOPE_SECOND 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#elif defined(__AVX2__)
#define TILESCOPE_LOW 0, 8, 1, 9, 4, 12, 5, 13
#define TILESCOPE_HIGH 2, 10, 3, 11, 6, 14, 7, 15
#define TILESCOPE_FIRST 0, 1, 8, 9, 4, 5, 12, 13
#define TILESCOPE_SECOND 2, 3, 10, 11, 6, 7, 14, 15
#else
#define TILESCOPE_LOW 0, 4, 1, 5
#define TILESCOPE_HIGH 2, 6, 3, 7
#define TILESCOPE_FIRST 0, 1, 4, 5
#define TILESCOPE_SECOND 2, 3, 6, 7
#endif
    const VectorWords a = __builtin_shufflevector(in[0], in[1], TILESCOPE_LOW);
    const VectorWords b = __builtin_shufflevector(in[2], in[3], TILESCOPE_LOW);
    const VectorWords c = __builtin_shufflevector(in[0], in[1], TILESCOPE_HIGH);
    const VectorWords d = __builtin_shufflevector(in[2], in[3], TILESCOPE_HIGH);
    out[0] = __builtin_shufflevector(a, b, TILESCOPE_FIRST);
    out[1] = __builtin_shufflevector(a, b, TILESCOPE_SECOND);
    out[2] = __builtin_shufflevector(c, d, TILESCOPE_FIRST);
    out[3] = __builtin_shufflevector(c, d, TILESCOPE_SECOND);
#undef TILESCOPE_LOW
#undef TILESCOPE_HIGH
#undef TILESCOPE_FIRST
#undef TILESCOPE_SECOND
}

// Neighbours change places: one with the next, two with the next two.
TILESCOPE_LANE VectorWords swap_ones(const VectorWords& words) {
#if defined(__AVX512BW__)
    return __builtin_shufflevector(words, words, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
#elif defined(__AVX2__)
    return __builtin_shufflevector(words, words, 1, 0, 3, 2, 5, 4, 7, 6);
#else
    return __builtin_shufflevector(words, words, 1, 0, 3, 2);
#endif
}
TILESCOPE_LANE VectorWords swap_twos(const VectorWords& words) {
#if defined(__AVX512BW__)
    return __builtin_shufflevector(words, words, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
#elif defined(__AVX2__)
    return __builtin_shufflevector(words, words, 2, 3, 0, 1, 6, 7, 4, 5);
#else
    return __builtin_shufflevector(words, words, 2, 3, 0, 1);
#endif
}

// The greatest of each four neighbours, in all four.
template <class Vector>
TILESCOPE_LANE Vector greatest_of_fours(const Vector& numbers) {
    const auto pair = greatest_of(numbers, reinterpret_cast<Vector>(swap_ones(reinterpret_cast<VectorWords>(numbers))));
    return greatest_of(pair, reinterpret_cast<Vector>(swap_twos(reinterpret_cast<VectorWords>(pair))));
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
