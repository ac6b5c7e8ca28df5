// CUDA's intrinsics of two or three integers at once, __vimax3_s32 and its kin: extremes, of sums, not below zero, and
// which of the two it was; of words and of pairs of 16 bits.
#pragma once

#define TILESCOPE_EXTREME static __inline__ __attribute__((host, device, always_inline))

// What is asked of one element. Sums wrap around.
template <class T>
struct __tilescope_extreme {
#define TILESCOPE_ELEMENT static __inline__ __attribute__((host, device, always_inline)) T
    TILESCOPE_ELEMENT max(T x, T y) { return x > y ? x : y; }
    TILESCOPE_ELEMENT min(T x, T y) { return x < y ? x : y; }
    TILESCOPE_ELEMENT max_relu(T x, T y) { return max(max(x, y), T(0)); }
    TILESCOPE_ELEMENT min_relu(T x, T y) { return max(min(x, y), T(0)); }
    TILESCOPE_ELEMENT max3(T x, T y, T z) { return max(max(x, y), z); }
    TILESCOPE_ELEMENT min3(T x, T y, T z) { return min(min(x, y), z); }
    TILESCOPE_ELEMENT max3_relu(T x, T y, T z) { return max_relu(max(x, y), z); }
    TILESCOPE_ELEMENT min3_relu(T x, T y, T z) { return min_relu(min(x, y), z); }
    TILESCOPE_ELEMENT sum(T x, T y) { return static_cast<T>(static_cast<unsigned>(x) + static_cast<unsigned>(y)); }
    TILESCOPE_ELEMENT addmax(T x, T y, T z) { return max(sum(x, y), z); }
    TILESCOPE_ELEMENT addmin(T x, T y, T z) { return min(sum(x, y), z); }
    TILESCOPE_ELEMENT addmax_relu(T x, T y, T z) { return max_relu(sum(x, y), z); }
    TILESCOPE_ELEMENT addmin_relu(T x, T y, T z) { return min_relu(sum(x, y), z); }
    TILESCOPE_ELEMENT bmax(T x, T y, bool* first) { return (*first = x >= y) ? x : y; }
    TILESCOPE_ELEMENT bmin(T x, T y, bool* first) { return (*first = x <= y) ? x : y; }
#undef TILESCOPE_ELEMENT
};
TILESCOPE_EXTREME unsigned __tilescope_pair_of(unsigned high, unsigned low) { return high << 16 | (low & 0xffffu); }

#define TILESCOPE_EXTREME2(name, kind, type, word)                                              \
    TILESCOPE_EXTREME word __vi##name##_##kind##32##type(word x, word y) {                      \
        return __tilescope_extreme<word>::name##type(x, y);                                     \
    }                                                                                           \
    TILESCOPE_EXTREME unsigned __vi##name##_##kind##16x2##type(unsigned x, unsigned y) {        \
        typedef __tilescope_extreme<decltype(__tilescope_half_word((word)0))> half;             \
        return __tilescope_pair_of(half::name##type(x >> 16, y >> 16), half::name##type(x, y)); \
    }
#define TILESCOPE_EXTREME3(name, kind, type, word)                                                          \
    TILESCOPE_EXTREME word __vi##name##_##kind##32##type(word x, word y, word z) {                          \
        return __tilescope_extreme<word>::name##type(x, y, z);                                              \
    }                                                                                                       \
    TILESCOPE_EXTREME unsigned __vi##name##_##kind##16x2##type(unsigned x, unsigned y, unsigned z) {        \
        typedef __tilescope_extreme<decltype(__tilescope_half_word((word)0))> half;                         \
        return __tilescope_pair_of(half::name##type(x >> 16, y >> 16, z >> 16), half::name##type(x, y, z)); \
    }
#define TILESCOPE_EXTREME_WHICH(name, kind, word)                                                         \
    TILESCOPE_EXTREME word __vi##name##_##kind##32(word x, word y, bool* first) {                         \
        return __tilescope_extreme<word>::name(x, y, first);                                              \
    }                                                                                                     \
    TILESCOPE_EXTREME unsigned __vi##name##_##kind##16x2(unsigned x, unsigned y, bool* high, bool* low) { \
        typedef __tilescope_extreme<decltype(__tilescope_half_word((word)0))> half;                       \
        return __tilescope_pair_of(half::name(x >> 16, y >> 16, high), half::name(x, y, low));            \
    }
short __tilescope_half_word(int);
unsigned short __tilescope_half_word(unsigned);

TILESCOPE_EXTREME2(max, s, _relu, int)
TILESCOPE_EXTREME2(min, s, _relu, int)
TILESCOPE_EXTREME3(max3, s, , int)
TILESCOPE_EXTREME3(max3, u, , unsigned)
TILESCOPE_EXTREME3(min3, s, , int)
TILESCOPE_EXTREME3(min3, u, , unsigned)
TILESCOPE_EXTREME3(max3, s, _relu, int)
TILESCOPE_EXTREME3(min3, s, _relu, int)
TILESCOPE_EXTREME3(addmax, s, , int)
TILESCOPE_EXTREME3(addmax, u, , unsigned)
TILESCOPE_EXTREME3(addmin, s, , int)
TILESCOPE_EXTREME3(addmin, u, , unsigned)
TILESCOPE_EXTREME3(addmax, s, _relu, int)
TILESCOPE_EXTREME3(addmin, s, _relu, int)
TILESCOPE_EXTREME_WHICH(bmax, s, int)
TILESCOPE_EXTREME_WHICH(bmax, u, unsigned)
TILESCOPE_EXTREME_WHICH(bmin, s, int)
TILESCOPE_EXTREME_WHICH(bmin, u, unsigned)

#undef TILESCOPE_EXTREME_WHICH
#undef TILESCOPE_EXTREME3
#undef TILESCOPE_EXTREME2
#undef TILESCOPE_EXTREME
