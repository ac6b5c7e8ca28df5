// The inside of the library: one product in canonical form, what a launch may be told, and the device it runs on.
//
// Owns: GemmProblem, Tuning, DeviceProperties. Guarantees to kernels: C is row-major (a column-major product has become
// its transpose), m, n, k and batch are > 0, alpha is not 0, leading dimensions hold a row, pointers are aligned to
// their elements and to nothing more. The other cases never reach a kernel (tiles/plan/gemm.cpp). Does not know how a
// kernel is chosen: tiles/plan/ does.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "tiles/gemm.h"
#include "tiles/src/preload.h"
#include "tiles/status.h"

namespace tiles {

struct TunedKernel;

// C[i*ldc + j] = alpha * sum over p of A(i,p) B(p,j) + beta * C[i*ldc + j], for each matrix of the batch.
struct GemmProblem {
    Compute compute = Compute::kF32;
    DataType type_c = DataType::kF32;  // A and B have the type that `compute` says
    int64_t m = 0, n = 0, k = 0;
    const void* a = nullptr;
    int64_t lda = 0, stride_a = 0;
    bool transposed_a = false;  // false: A(i,p) is a[i*lda + p]; true: a[p*lda + i]
    const void* b = nullptr;
    int64_t ldb = 0, stride_b = 0;
    bool transposed_b = false;  // false: B(p,j) is b[p*ldb + j]; true: b[j*ldb + p]
    void* c = nullptr;
    int64_t ldc = 0, stride_c = 0;
    int64_t batch = 1;
    double alpha = 1, beta = 0;
    cudaStream_t stream = nullptr;
    void* workspace = nullptr;
    size_t workspace_bytes = 0;
};

// What a kernel may be told; 0 leaves the choice to its launch function.
struct Tuning {
    int split_k = 0;  // parts into which k is cut
    int raster = 0;   // tile rows that are walked together, for the L2's sake
    // The tiles that would fill the last wave only partly are cut along k (kernels with Kernel::tail_cluster).
    bool cut_tail = false;
};

struct DeviceProperties {
    int major = 0, minor = 0;
    int sms = 0;
    int shared_per_block = 0;  // bytes, with the opt-in
    int shared_per_sm = 0;
    int clusters_of_4 = 0, clusters_of_8 = 0;  // that run at once, their blocks one to an SM
    bool tensor_maps = false;                  // the copy engine can be used: hopper::copy_engine_usable
    int64_t l2_bytes = 0;
    double clock_ghz = 0;
    double memory_gb_per_s = 0;          // the bus's peak
    const TunedKernel* tuned = nullptr;  // what `tiles tune` measured here: tiles/plan/tuning_file.h
    int tuned_count = 0;

    int capability() const { return major * 10 + minor; }
    // Clusters of 1, 2, 4 or 8 such blocks; a guess where nobody has counted.
    int clusters(int blocks) const {
        const int counted = blocks == 8 ? clusters_of_8 : blocks == 4 ? clusters_of_4 : 0;
        return counted > 0 ? counted : sms / blocks;
    }
};

// A CUDA runtime result as a Status; `call` is static text.
inline Status from_cuda(cudaError_t error, const char* call) {
    if (error == cudaSuccess) return {};
    return {StatusCode::kCuda, call, "the CUDA runtime reported an error", static_cast<int>(error)};
}

// After a launch: launch errors only, without waiting.
inline Status launched(const char* kernel) { return from_cuda(cudaGetLastError(), kernel); }

}  // namespace tiles
