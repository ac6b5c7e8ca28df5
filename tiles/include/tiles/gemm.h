// Matrix products on the GPU: C = alpha * op(A) * op(B) + beta * C, for one matrix or a strided batch.
//
// Owns: the description of a product, its functions, its options. Guarantees: every shape with m, n, k >= 0, any
// leading dimension that holds a row or column, any alignment of the pointers to their element; beta 0 never reads C;
// nothing outside the matrices is read or written. Nothing is allocated and nothing synchronises once prepare() or a
// first product of the device has run; products may be issued from several threads and captured into a CUDA graph. Does
// not model: conjugation, several GPUs in one call, matrices that overlap C.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "tiles/status.h"

namespace tiles {

// What is stored, and how it is multiplied. Sums are kept in fp32, or in fp64 for kF64.
enum class Compute : int {
    kF32 = 0,        // fp32 matrices, every product and sum an fp32 FMA
    kF32Tensor = 1,  // fp32 matrices, tensor cores, fp32 accuracy from three tf32 products
    kTF32 = 2,       // fp32 matrices, factors rounded to tf32
    kBF16 = 3,       // bf16 A and B; C is bf16 or fp32
    kF16 = 4,        // f16 A and B; C is f16 or fp32
    kF64 = 5,        // fp64
};

enum class DataType : int { kF32 = 0, kF64 = 1, kBF16 = 2, kF16 = 3 };
enum class Layout : int { kRowMajor = 0, kColumnMajor = 1 };
enum class Op : int { kNone = 0, kTranspose = 1 };

struct GemmOptions {
    Layout layout = Layout::kRowMajor;  // of A, B and C as stored
    Op op_a = Op::kNone;
    Op op_b = Op::kNone;
    cudaStream_t stream = nullptr;
    // Device memory that the call may use, aligned to 256 bytes; contents are lost. Without it a product still runs, on
    // kernels that need none.
    void* workspace = nullptr;
    size_t workspace_bytes = 0;
    // Names one kernel (`tiles kernels` lists them) instead of the cost model's choice; nullptr lets the model choose.
    const char* kernel = nullptr;
};

// The whole description; gemm() below fills it in for one matrix. Leading dimensions and strides count elements.
// Strides lead from matrix to matrix of a batch; with a batch of 1 they mean nothing. All products of a batch may share
// one A or B (stride 0), and these may overlap; the matrices of C lie apart, be it one behind the other or side by
// side. With alpha or k 0, A and B are not read and may be null. Products with m, n or the batch 0 do nothing.
struct GemmArguments {
    Compute compute = Compute::kF32;
    DataType type_c = DataType::kF32;
    int64_t m = 0, n = 0, k = 0;
    double alpha = 1;
    const void* a = nullptr;
    int64_t lda = 0, stride_a = 0;
    const void* b = nullptr;
    int64_t ldb = 0, stride_b = 0;
    double beta = 0;
    void* c = nullptr;
    int64_t ldc = 0, stride_c = 0;
    int64_t batch = 1;
    GemmOptions options;
};

Status gemm(const GemmArguments& arguments) noexcept;

// The workspace with which the product runs fastest on the current device. Only shapes, types and alignment count;
// pointers may be null, which counts as aligned.
Status gemm_workspace_size(const GemmArguments& arguments, size_t* bytes) noexcept;

// Set-up of the current device ahead of time: reads its properties and the tuning file, loads every kernel.
Status prepare() noexcept;

// One matrix, typed. `tensor_cores` trades exact fp32 arithmetic for tensor cores at fp32 accuracy.
inline Status gemm(int64_t m, int64_t n, int64_t k, float alpha, const float* a, int64_t lda, const float* b,
                   int64_t ldb, float beta, float* c, int64_t ldc, const GemmOptions& options = {},
                   bool tensor_cores = false) noexcept {
    const Compute compute = tensor_cores ? Compute::kF32Tensor : Compute::kF32;
    return gemm({compute, DataType::kF32, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, options});
}

inline Status gemm(int64_t m, int64_t n, int64_t k, double alpha, const double* a, int64_t lda, const double* b,
                   int64_t ldb, double beta, double* c, int64_t ldc, const GemmOptions& options = {}) noexcept {
    return gemm({Compute::kF64, DataType::kF64, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, options});
}

inline Status gemm(int64_t m, int64_t n, int64_t k, float alpha, const __nv_bfloat16* a, int64_t lda,
                   const __nv_bfloat16* b, int64_t ldb, float beta, __nv_bfloat16* c, int64_t ldc,
                   const GemmOptions& options = {}) noexcept {
    return gemm({Compute::kBF16, DataType::kBF16, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, options});
}

inline Status gemm(int64_t m, int64_t n, int64_t k, float alpha, const __half* a, int64_t lda, const __half* b,
                   int64_t ldb, float beta, __half* c, int64_t ldc, const GemmOptions& options = {}) noexcept {
    return gemm({Compute::kF16, DataType::kF16, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, options});
}

}  // namespace tiles
