// What the lanes of a warp ask of each other: shuffles, votes, matches, reductions, barriers.
#pragma once

#define TILESCOPE_WARP static __inline__ __attribute__((device, always_inline))

// The last operand of shfl: the bounds of a lane's segment above, the highest lane that may be read (0 for "up") below.
TILESCOPE_WARP int __tilescope_segment(int width, int bound) { return ((32 - width) << 8) | bound; }

#define TILESCOPE_SHUFFLE_WORDS(name, mode, offset_type, bound)                                               \
    TILESCOPE_WARP int name(unsigned mask, int value, offset_type offset, int width = 32) {                   \
        return __nvvm_shfl_sync_##mode##_i32(mask, value, offset, __tilescope_segment(width, bound));         \
    }                                                                                                         \
    TILESCOPE_WARP unsigned int name(unsigned mask, unsigned int value, offset_type offset, int width = 32) { \
        return (unsigned int)name(mask, (int)value, offset, width);                                           \
    }                                                                                                         \
    TILESCOPE_WARP float name(unsigned mask, float value, offset_type offset, int width = 32) {               \
        return __nvvm_shfl_sync_##mode##_f32(mask, value, offset, __tilescope_segment(width, bound));         \
    }                                                                                                         \
    TILESCOPE_WARP unsigned long long name(unsigned mask, unsigned long long value, offset_type offset,       \
                                           int width = 32) {                                                  \
        const unsigned int low = name(mask, (unsigned int)value, offset, width);                              \
        const unsigned int high = name(mask, (unsigned int)(value >> 32), offset, width);                     \
        return ((unsigned long long)high << 32) | low;                                                        \
    }
#define TILESCOPE_SHUFFLE_LIKE(name, offset_type, type)                                                            \
    TILESCOPE_WARP type name(unsigned mask, type value, offset_type offset, int width = 32) {                      \
        return __builtin_bit_cast(type, name(mask, __builtin_bit_cast(unsigned long long, value), offset, width)); \
    }
#define TILESCOPE_SHUFFLE(name, mode, offset_type, bound)    \
    TILESCOPE_SHUFFLE_WORDS(name, mode, offset_type, bound)  \
    TILESCOPE_SHUFFLE_LIKE(name, offset_type, long long)     \
    TILESCOPE_SHUFFLE_LIKE(name, offset_type, long)          \
    TILESCOPE_SHUFFLE_LIKE(name, offset_type, unsigned long) \
    TILESCOPE_SHUFFLE_LIKE(name, offset_type, double)

TILESCOPE_SHUFFLE(__shfl_sync, idx, int, 31)
TILESCOPE_SHUFFLE(__shfl_up_sync, up, unsigned int, 0)
TILESCOPE_SHUFFLE(__shfl_down_sync, down, unsigned int, 31)
TILESCOPE_SHUFFLE(__shfl_xor_sync, bfly, int, 31)

TILESCOPE_WARP int __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
TILESCOPE_WARP int __any_sync(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
TILESCOPE_WARP int __uni_sync(unsigned mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
TILESCOPE_WARP unsigned int __ballot_sync(unsigned mask, int predicate) {
    return __nvvm_vote_ballot_sync(mask, predicate);
}
TILESCOPE_WARP unsigned int __activemask() {
    unsigned int mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
TILESCOPE_WARP void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
TILESCOPE_WARP void __barrier_sync(unsigned id) { asm volatile("barrier.sync %0;" ::"r"(id) : "memory"); }
TILESCOPE_WARP void __barrier_sync_count(unsigned id, unsigned threads) {
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
TILESCOPE_WARP unsigned int __fns(unsigned mask, unsigned base, int offset) { return __nvvm_fns(mask, base, offset); }

// By inline PTX: the builtins of clang 14 get the 64-bit forms wrong.
#define TILESCOPE_MATCH(type, as, ptx, c)                                                                 \
    TILESCOPE_WARP unsigned int __match_any_sync(unsigned mask, type value) {                             \
        unsigned int lanes;                                                                               \
        asm volatile("match.any.sync." ptx " %0, %1, %2;"                                                 \
                     : "=r"(lanes)                                                                        \
                     : c(__builtin_bit_cast(as, value)), "r"(mask));                                      \
        return lanes;                                                                                     \
    }                                                                                                     \
    TILESCOPE_WARP unsigned int __match_all_sync(unsigned mask, type value, int* predicate) {             \
        unsigned int lanes;                                                                               \
        int all;                                                                                          \
        asm volatile("{ .reg .pred all; match.all.sync." ptx " %0|all, %2, %3; selp.s32 %1, 1, 0, all; }" \
                     : "=r"(lanes), "=r"(all)                                                             \
                     : c(__builtin_bit_cast(as, value)), "r"(mask));                                      \
        *predicate = all;                                                                                 \
        return lanes;                                                                                     \
    }
TILESCOPE_MATCH(int, int, "b32", "r")
TILESCOPE_MATCH(unsigned int, int, "b32", "r")
TILESCOPE_MATCH(float, int, "b32", "r")
TILESCOPE_MATCH(long, long long, "b64", "l")
TILESCOPE_MATCH(unsigned long, long long, "b64", "l")
TILESCOPE_MATCH(long long, long long, "b64", "l")
TILESCOPE_MATCH(unsigned long long, long long, "b64", "l")
TILESCOPE_MATCH(double, long long, "b64", "l")

#define TILESCOPE_REDUX(name, type, operation)                                                       \
    TILESCOPE_WARP type __reduce_##name##_sync(unsigned mask, type value) {                          \
        type result;                                                                                 \
        asm volatile("redux.sync." operation " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
        return result;                                                                               \
    }
TILESCOPE_REDUX(add, unsigned int, "add.u32")
TILESCOPE_REDUX(add, int, "add.s32")
TILESCOPE_REDUX(min, unsigned int, "min.u32")
TILESCOPE_REDUX(min, int, "min.s32")
TILESCOPE_REDUX(max, unsigned int, "max.u32")
TILESCOPE_REDUX(max, int, "max.s32")
TILESCOPE_REDUX(and, unsigned int, "and.b32")
TILESCOPE_REDUX(or, unsigned int, "or.b32")
TILESCOPE_REDUX(xor, unsigned int, "xor.b32")

#undef TILESCOPE_REDUX
#undef TILESCOPE_MATCH
#undef TILESCOPE_SHUFFLE
#undef TILESCOPE_SHUFFLE_LIKE
#undef TILESCOPE_SHUFFLE_WORDS
#undef TILESCOPE_WARP
