// From wgmma's sums to C: scale, round, rearrange in shared memory, write.
//
// Owns: store_rows, for one consumer group whose sums are 64 rows of C. Guarantees: nothing outside C is written, C is
// read only if beta is not 0. The copy engine writes whole boxes when C's pitch allows it, otherwise warps write rows.
// Two staging buffers per group: one fills while the other drains.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include "tiles/kernels/hopper_ptx.cuh"
#include "tiles/kernels/hopper_schedule.cuh"

namespace tiles::hopper {

constexpr int kStagingGroupBytes = 16384;

// The part of C that one consumer group holds.
struct Patch {
    int m0, n0;
    int batch, part;
};

__device__ __forceinline__ float widen(float x) { return x; }
__device__ __forceinline__ float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ __forceinline__ float widen(__half x) { return __half2float(x); }

template <class Out>
__device__ __forceinline__ uint32_t pack(float low, float high) {
    if constexpr (std::is_same_v<Out, __half>) {
        const __half2 both = __floats2half2_rn(low, high);
        return reinterpret_cast<const uint32_t&>(both);
    } else {
        const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
        return reinterpret_cast<const uint32_t&>(both);
    }
}

// sums = alpha * sums + beta * C, C read element by element.
template <class Out, int kCount>
__device__ __forceinline__ void scale_rows(float (&sums)[kCount], const Output<Out>& out, const Patch& patch, int lane,
                                           int warp) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) sums[i] *= out.alpha;
    if (out.beta == 0) return;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int row = patch.m0 + warp * 16 + lane / 4 + 8 * half;
        if (row >= out.m) continue;
        const Out* from = out.c + patch.batch * out.stride_c + row * out.ldc;
#pragma unroll
        for (int i = 0; i < kCount / 2; ++i) {
            const int column = patch.n0 + i / 2 * 8 + lane % 4 * 2 + i % 2;
            if (column < out.n) sums[i / 2 * 4 + half * 2 + i % 2] += out.beta * widen(from[column]);
        }
    }
}

// 128 bytes' worth of columns of the group's 64 rows into a swizzled staging buffer.
template <class Out, int kCount>
__device__ __forceinline__ void stage_rows(const float (&sums)[kCount], int chunk, uint32_t buffer, int lane,
                                           int warp) {
    if constexpr (sizeof(Out) == 2) {
        const uint32_t row = warp * 16 + lane % 16;
#pragma unroll
        for (int pair = 0; pair < 4; ++pair) {  // 16 columns each
            const float* v = &sums[chunk * 32 + pair * 8];
            store_matrices(buffer + swizzled(row, pair * 32 + lane / 16 * 16), pack<Out>(v[0], v[1]),
                           pack<Out>(v[2], v[3]), pack<Out>(v[4], v[5]), pack<Out>(v[6], v[7]));
        }
    } else {
        const uint32_t row = warp * 16 + lane / 4;
#pragma unroll
        for (int j = 0; j < 4; ++j) {  // 8 columns each
            const float* v = &sums[chunk * 16 + j * 4];
            const uint32_t byte = j * 32 + lane % 4 * 8;
            asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(buffer + swizzled(row, byte)), "f"(v[0]), "f"(v[1]));
            asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(buffer + swizzled(row + 8, byte)), "f"(v[2]),
                         "f"(v[3]));
        }
    }
}

__device__ __forceinline__ float read_staged(float*, uint32_t from) {
    float x;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(from));
    return x;
}

template <class Half>
__device__ __forceinline__ Half read_staged(Half*, uint32_t from) {
    uint16_t x;
    asm volatile("ld.shared.u16 %0, [%1];" : "=h"(x) : "r"(from));
    return reinterpret_cast<const Half&>(x);
}

// A staged buffer to C by ordinary stores: a warp writes neighbouring columns of a row.
template <class Out>
__device__ __forceinline__ void write_rows(const Output<Out>& out, const Patch& patch, int column0, uint32_t buffer,
                                           int lane, int warp) {
    constexpr int kPasses = 128 / sizeof(Out) / 32;
#pragma unroll 4
    for (int i = 0; i < 16; ++i) {
        const int place = warp * 16 + i, row = patch.m0 + place;
        if (row >= out.m) continue;
        Out* to = out.c + (patch.batch * out.parts + patch.part) * out.stride_c + row * out.ldc;
#pragma unroll
        for (int pass = 0; pass < kPasses; ++pass) {
            const int column = column0 + pass * 32 + lane;
            if (column >= out.n) continue;
            to[column] =
                read_staged(static_cast<Out*>(nullptr), buffer + swizzled(place, (pass * 32 + lane) * sizeof(Out)));
        }
    }
}

template <class Out, int kCount>
__device__ __forceinline__ void store_rows(float (&sums)[kCount], const Output<Out>& out, const Patch& patch,
                                           uint32_t staging, int group) {
    constexpr int kColumns = 128 / sizeof(Out), kChunks = kCount * 2 / kColumns;  // columns in one staging buffer
    const int thread = static_cast<int>(threadIdx.x) % 128, lane = thread % 32, warp = thread / 32;
    scale_rows(sums, out, patch, lane, warp);
#pragma unroll
    for (int chunk = 0; chunk < kChunks; ++chunk) {
        const uint32_t buffer = staging + chunk % 2 * 8192;
        // After an odd number of chunks the next tile begins with the buffer that was filled last.
        if (thread == 0) copy_out_wait_read<(kChunks % 2 == 1) ? 0 : 1>();
        group_sync(1 + group, 128);
        stage_rows<Out>(sums, chunk, buffer, lane, warp);
        const int column0 = patch.n0 + chunk * kColumns;
        if (out.maps) {
            fence_shared_to_async();
            group_sync(1 + group, 128);
            if (thread == 0) {
                copy_out(&out.map, buffer, column0, patch.m0, patch.batch * out.parts + patch.part);
                copy_out_commit();
            }
        } else {
            group_sync(1 + group, 128);
            write_rows(out, patch, column0, buffer, lane, warp);
            __syncwarp();
        }
    }
}

}  // namespace tiles::hopper
