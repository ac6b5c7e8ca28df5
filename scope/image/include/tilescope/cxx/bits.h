// cuda::std: counting, rotating and rounding of bits, whatever the standard that is asked for.
#pragma once

#include "traits.h"

namespace cuda {
namespace std {

enum class endian { little = 0, big = 1, native = little };

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From), "bit_cast is between types of one size");
    return __builtin_bit_cast(To, from);
}

}  // namespace std

namespace tilescope_detail {
template <class T>
inline constexpr int kBits = static_cast<int>(sizeof(T) * 8);
template <class T>
using if_unsigned = ::std::enable_if_t<::std::is_unsigned_v<T> && !::std::is_same_v<T, bool>, int>;
}  // namespace tilescope_detail

namespace std {

template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr int popcount(T x) noexcept {
    return sizeof(T) == 8 ? __builtin_popcountll(x) : __builtin_popcount(static_cast<unsigned>(x));
}
template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr int countl_zero(T x) noexcept {
    if (x == 0) return tilescope_detail::kBits<T>;
    return sizeof(T) == 8 ? __builtin_clzll(x)
                          : __builtin_clz(static_cast<unsigned>(x)) - (32 - tilescope_detail::kBits<T>);
}
template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr int countr_zero(T x) noexcept {
    if (x == 0) return tilescope_detail::kBits<T>;
    return sizeof(T) == 8 ? __builtin_ctzll(x) : __builtin_ctz(static_cast<unsigned>(x));
}
template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr int countl_one(T x) noexcept {
    return countl_zero(static_cast<T>(~x));
}
template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr int countr_one(T x) noexcept {
    return countr_zero(static_cast<T>(~x));
}
template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr int bit_width(T x) noexcept {
    return tilescope_detail::kBits<T> - countl_zero(x);
}
template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr bool has_single_bit(T x) noexcept {
    return x != 0 && (x & (x - 1)) == 0;
}
template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr T bit_floor(T x) noexcept {
    return x == 0 ? T(0) : static_cast<T>(T(1) << (bit_width(x) - 1));
}
template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr T bit_ceil(T x) noexcept {
    return x <= 1 ? T(1) : static_cast<T>(T(1) << bit_width(static_cast<T>(x - 1)));
}
template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr T rotl(T x, int by) noexcept {
    const unsigned left = static_cast<unsigned>(by) % tilescope_detail::kBits<T>;
    return left == 0 ? x : static_cast<T>((x << left) | (x >> (tilescope_detail::kBits<T> - left)));
}
template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr T rotr(T x, int by) noexcept {
    return rotl(x, static_cast<int>(0u - static_cast<unsigned>(by)));
}
template <class T, tilescope_detail::if_unsigned<T> = 0>
constexpr T byteswap(T x) noexcept {
    T swapped = 0;
    for (unsigned i = 0; i < sizeof(T); ++i) swapped = static_cast<T>((swapped << 8) | ((x >> (8 * i)) & 0xff));
    return swapped;
}

}  // namespace std
}  // namespace cuda
