// From wgmma's sums to C when the kernel computed the transpose: a group's 64 rows are 64 columns of C.
//
// Owns: store_columns. Guarantees: as store_rows in hopper_store.cuh. Four staging buffers of 16 rows of C per group:
// the copy engine takes longer to read one than a group to fill it.
#pragma once

#include "tiles/kernels/hopper_store.cuh"

namespace tiles::hopper {

constexpr int kColumnsStagingBytes = 16384;

// Column of the group, 0 .. 63, that wgmma's row `row` stands for. B's columns contiguous: an order in which a thread's
// two rows are neighbours, read and written together, and four lanes' lie in two 16-byte pieces four apart, so that
// half a warp's reads of B meet no bank twice.
template <bool kBTransposed>
__device__ __forceinline__ int column_of(int row) {
    if (kBTransposed) return row;
    const int warp = row >> 4, half = row >> 3 & 1, g = row & 7;
    return (warp >> 1) * 32 + (g >> 1 & 1) * 16 + (warp & 1) * 8 + (g >> 2) * 4 + (g & 1) * 2 + half;
}

template <int kCount>
__device__ __forceinline__ void scale_columns(float (&sums)[kCount], const Output<float>& out, const Patch& patch,
                                              const int (&columns)[2], int lane) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) sums[i] *= out.alpha;
    if (out.beta == 0) return;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
        const int row = patch.m0 + i / 4 * 8 + lane % 4 * 2 + i % 2, column = patch.n0 + columns[i / 2 % 2];
        if (row < out.m && column < out.n)
            sums[i] += out.beta * out.c[patch.batch * out.stride_c + row * out.ldc + column];
    }
}

// Sixteen rows of C, two boxes of 32 columns each.
template <int kCount>
__device__ __forceinline__ void stage_columns(const float (&sums)[kCount], int chunk, uint32_t buffer,
                                              const int (&columns)[2], int lane) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int column = columns[i / 2 % 2];
        const uint32_t row = i / 4 * 8 + lane % 4 * 2 + i % 2;
        asm volatile("st.shared.f32 [%0], %1;" ::"r"(buffer + column / 32 * 2048 + swizzled(row, column % 32 * 4)),
                     "f"(sums[chunk * 8 + i])
                     : "memory");
    }
}

// The same where a thread's two columns are neighbours. Half of the lanes write their second row first: otherwise they
// would meet the others' banks.
template <int kCount>
__device__ __forceinline__ void stage_neighbours(const float (&sums)[kCount], int chunk, uint32_t buffer, int column,
                                                 int lane) {
    const bool second = lane & 2;
    const uint32_t box = buffer + column / 32 * 2048;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float* at = &sums[chunk * 8 + i / 2 * 4];
        const int now = i % 2, later = 1 - now;
        const uint32_t row = i / 2 * 8 + lane % 4 * 2 + (second ? later : now);
        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(box + swizzled(row, column % 32 * 4)),
                     "f"(second ? at[later] : at[now]), "f"(second ? at[2 + later] : at[2 + now])
                     : "memory");
    }
}

// Sixteen rows of C from a staging buffer by ordinary stores of one warp.
__device__ __forceinline__ void write_columns(const Output<float>& out, const Patch& patch, int first, uint32_t buffer,
                                              int lane) {
#pragma unroll 8
    for (int i = 0; i < 16; ++i) {
        const int row = patch.m0 + first + i;
        if (row >= out.m) continue;
        float* to = out.c + (patch.batch * out.parts + patch.part) * out.stride_c + row * out.ldc;
#pragma unroll
        for (int box = 0; box < 2; ++box) {
            const int column = patch.n0 + box * 32 + lane;
            if (column < out.n)
                to[column] = read_staged(static_cast<float*>(nullptr), buffer + box * 2048 + swizzled(i, lane * 4));
        }
    }
}

template <bool kBTransposed, int kCount>
__device__ __forceinline__ void store_columns(float (&sums)[kCount], const Output<float>& out, const Patch& patch,
                                              uint32_t staging, int group) {
    const int thread = static_cast<int>(threadIdx.x) % 128, lane = thread % 32, warp = thread / 32;
    const int columns[2] = {column_of<kBTransposed>(warp * 16 + lane / 4),
                            column_of<kBTransposed>(warp * 16 + lane / 4 + 8)};
    scale_columns(sums, out, patch, columns, lane);
    static_assert(kCount / 8 % 4 == 0, "the next tile begins with the first buffer, too");
#pragma unroll
    for (int chunk = 0; chunk < kCount / 8; ++chunk) {
        const uint32_t buffer = staging + chunk % 4 * 4096;
        if constexpr (kBTransposed)
            stage_columns(sums, chunk, buffer, columns, lane);
        else
            stage_neighbours(sums, chunk, buffer, columns[0], lane);
        if (out.maps) {
            fence_shared_to_async();
            if (thread == 0) copy_out_wait_read<2>();  // the next chunk's buffer is free
            group_sync(1 + group, 128);
            if (thread == 0) {
                const int plane = patch.batch * out.parts + patch.part;
                copy_out(&out.map, buffer, patch.n0, patch.m0 + chunk * 16, plane);
                if (patch.n0 + 32 < out.n)
                    copy_out(&out.map, buffer + 2048, patch.n0 + 32, patch.m0 + chunk * 16, plane);
                copy_out_commit();
            }
        } else if (chunk % 4 == 3) {  // four buffers are full: one for each warp
            group_sync(1 + group, 128);
            write_columns(out, patch, (chunk - 3 + warp) * 16, staging + warp * 4096, lane);
            group_sync(1 + group, 128);
        }
    }
}

}  // namespace tiles::hopper
