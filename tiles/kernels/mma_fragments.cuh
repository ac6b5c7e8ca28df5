// A warp's tensor-core multiply, mma.sync, and how its operands come out of shared memory.
//
// Owns: Mma<Element>, one multiply of 16 x 8 x kDepth with sums in fp32, and the loads of its operands from tiles
// stored either way round. Guarantees: lane l holds, in sums[0 .. 3], columns 2(l%4) and the next of row l/4, then of
// row l/4 + 8. Compute capability 8.0 and later.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace tiles::mma {

// fp32 in memory, tf32 in the multiply.
struct Tf32 {};

template <class Element>
struct Mma;

template <>
struct Mma<__nv_bfloat16> {
    static constexpr int kDepth = 16, kBytes = 2;
    __device__ static __forceinline__ void multiply(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};

template <>
struct Mma<__half> {
    static constexpr int kDepth = 16, kBytes = 2;
    __device__ static __forceinline__ void multiply(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};

template <>
struct Mma<Tf32> {
    static constexpr int kDepth = 8, kBytes = 4;
    __device__ static __forceinline__ void multiply(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

template <bool kTranspose>
__device__ __forceinline__ void load_matrices(uint32_t (&r)[4], uint32_t from) {
    if constexpr (kTranspose) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(from)
                     : "memory");
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(from)
                     : "memory");
    }
}

__device__ __forceinline__ uint32_t load_word(uint32_t from) {
    uint32_t x;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(from) : "memory");
    return x;
}

// A tile in shared memory. kLong: k is the contiguous direction, rows are `kPitch` bytes apart.
template <int kBytes_, bool kLong_, int kPitch_>
struct Tile {
    static constexpr int kBytes = kBytes_, kPitch = kPitch_;
    static constexpr bool kLong = kLong_;
    __device__ static __forceinline__ uint32_t place(int line, int k) {
        return kLong ? line * kPitch + k * kBytes : k * kPitch + line * kBytes;
    }
};

// Rows row .. row + 15 of the left factor at depth k.
template <class T>
__device__ __forceinline__ void load_left(uint32_t (&a)[4], uint32_t tile, int row, int k, int lane) {
    if constexpr (T::kBytes == 2) {
        const int block = lane / 8;
        if constexpr (T::kLong)
            load_matrices<false>(a, tile + T::place(row + lane % 16, k + lane / 16 * 8));
        else
            load_matrices<true>(a, tile + T::place(row + block % 2 * 8, k + block / 2 * 8 + lane % 8));
    } else {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            a[i] = load_word(tile + T::place(row + lane / 4 + i % 2 * 8, k + lane % 4 + i / 2 * 4));
    }
}

// Columns column .. column + 15 of the right factor: two multiplies' worth.
template <class T>
__device__ __forceinline__ void load_right(uint32_t (&b)[2][2], uint32_t tile, int column, int k, int lane) {
    if constexpr (T::kBytes == 2) {
        const int block = lane / 8;
        uint32_t r[4];
        if constexpr (T::kLong)
            load_matrices<false>(r, tile + T::place(column + block / 2 * 8 + lane % 8, k + block % 2 * 8));
        else
            load_matrices<true>(r, tile + T::place(column + block / 2 * 8, k + block % 2 * 8 + lane % 8));
        b[0][0] = r[0], b[0][1] = r[1], b[1][0] = r[2], b[1][1] = r[3];
    } else {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            b[i / 2][i % 2] = load_word(tile + T::place(column + i / 2 * 8 + lane / 4, k + lane % 4 + i % 2 * 4));
    }
}

}  // namespace tiles::mma
