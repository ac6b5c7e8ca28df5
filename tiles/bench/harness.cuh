// What tests and benchmarks of products share: random matrices with poison around them, a float64 reference on the
// device, and the error against it.
//
// Owns: Operand (a matrix, or a batch of them, in a guarded allocation), the reference product, the comparison.
// Guarantees: inputs are drawn afresh from a seed, everything outside a matrix is NaN, so that a read outside shows in
// the result and a write outside is counted. Every CUDA call is checked and ends the program. Does not time anything.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tiles/gemm.h"

namespace harness {

#define HARNESS_CUDA(call)                                                                                         \
    do {                                                                                                           \
        const cudaError_t harness_error = (call);                                                                  \
        if (harness_error != cudaSuccess) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(harness_error)); \
            std::exit(1);                                                                                          \
        }                                                                                                          \
    } while (false)

inline size_t element_size(tiles::DataType type) {
    return type == tiles::DataType::kF64 ? 8 : type == tiles::DataType::kF32 ? 4 : 2;
}

inline tiles::DataType input_type(tiles::Compute compute) {
    switch (compute) {
        case tiles::Compute::kBF16: return tiles::DataType::kBF16;
        case tiles::Compute::kF16: return tiles::DataType::kF16;
        case tiles::Compute::kF64: return tiles::DataType::kF64;
        default: return tiles::DataType::kF32;
    }
}

__device__ inline double load_as_double(const void* base, tiles::DataType type, int64_t index) {
    switch (type) {
        case tiles::DataType::kF64: return static_cast<const double*>(base)[index];
        case tiles::DataType::kF32: return static_cast<const float*>(base)[index];
        case tiles::DataType::kBF16: return __bfloat162float(static_cast<const __nv_bfloat16*>(base)[index]);
        default: return __half2float(static_cast<const __half*>(base)[index]);
    }
}

__device__ inline void store_double(void* base, tiles::DataType type, int64_t index, double value) {
    switch (type) {
        case tiles::DataType::kF64: static_cast<double*>(base)[index] = value; break;
        case tiles::DataType::kF32: static_cast<float*>(base)[index] = static_cast<float>(value); break;
        case tiles::DataType::kBF16:
            static_cast<__nv_bfloat16*>(base)[index] = __float2bfloat16(static_cast<float>(value));
            break;
        default: static_cast<__half*>(base)[index] = __float2half(static_cast<float>(value)); break;
    }
}

__device__ inline uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

// Whether element `at` from the first one belongs to a matrix of the batch, which lie one behind the other or, with a
// stride below ld, side by side.
__device__ inline bool in_a_matrix(int64_t at, int64_t rows, int64_t columns, int64_t ld, int64_t stride,
                                   int64_t batch) {
    if (at < 0) return false;
    if (batch > 1 && stride > 0 && stride < ld) {
        return at / ld < rows && at % ld / stride < batch && at % ld % stride < columns;
    }
    const int64_t which = stride > 0 ? at / stride : 0, rest = at - (which < batch ? which : batch - 1) * stride;
    return rest >= 0 && rest / ld < rows && rest % ld < columns;
}

// Uniform in [-1, 1) on the matrix (every (row, column) of every batch), NaN elsewhere in [0, total).
__global__ void fill_matrix(void* base, tiles::DataType type, int64_t total, int64_t offset, int64_t rows,
                            int64_t columns, int64_t ld, int64_t stride, int64_t batch, uint64_t seed,
                            bool poison_inside) {
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < total; i += step) {
        const bool inside = in_a_matrix(i - offset, rows, columns, ld, stride, batch);
        double value = nan("");
        if (inside && !poison_inside) {
            const double unit = static_cast<double>(mix(seed ^ mix(static_cast<uint64_t>(i))) >> 11) * 0x1p-53;
            value = 2 * unit - 1;
        }
        store_double(base, type, i, value);
    }
}

__global__ void set_element(void* base, tiles::DataType type, int64_t index, double value) {
    store_double(base, type, index, value);
}

// One matrix (rows x columns as stored, row after row with leading dimension ld) inside poisoned surroundings.
struct Operand {
    void* allocation = nullptr;
    tiles::DataType type = tiles::DataType::kF32;
    int64_t rows = 0, columns = 0, ld = 0, stride = 0, batch = 1;
    int64_t offset = 0, total = 0;  // elements

    void* data() const { return static_cast<char*>(allocation) + offset * static_cast<int64_t>(element_size(type)); }

    size_t capacity = 0;

    // `shift` elements of misalignment on top of a guard of 256 elements on both sides. Keeps an allocation that
    // suffices.
    void create(tiles::DataType of, int64_t r, int64_t c, int64_t leading, int64_t between, int64_t count, int shift) {
        type = of, rows = r, columns = c, ld = leading, stride = between, batch = count;
        offset = 256 + shift;
        const int64_t last = rows > 0 ? (count - 1) * between + (rows - 1) * leading + columns : 0;
        total = offset + last + 256;
        const size_t bytes = static_cast<size_t>(total) * element_size(type);
        if (bytes <= capacity) return;
        if (allocation != nullptr) HARNESS_CUDA(cudaFree(allocation));
        HARNESS_CUDA(cudaMalloc(&allocation, bytes));
        capacity = bytes;
    }

    void fill(uint64_t seed, bool poison_inside = false) const {
        const int64_t wanted = (total + 255) / 256;
        const unsigned blocks = static_cast<unsigned>(wanted < 4096 ? wanted : 4096);
        fill_matrix<<<blocks, 256>>>(allocation, type, total, offset, rows, columns, ld > 0 ? ld : 1, stride, batch,
                                     seed, poison_inside);
        HARNESS_CUDA(cudaGetLastError());
    }

    void set(int64_t row, int64_t column, double value) const {
        set_element<<<1, 1>>>(allocation, type, offset + row * ld + column, value);
        HARNESS_CUDA(cudaGetLastError());
    }

    void destroy() {
        HARNESS_CUDA(cudaFree(allocation));
        allocation = nullptr, capacity = 0;
    }
};

// alpha op(A) op(B) + beta C in float64; C before the product comes from `old`.
__global__ void reference_product(tiles::GemmArguments g, tiles::DataType input, const void* old, double* out) {
    const int64_t count = g.m * g.n * g.batch;
    const bool row = g.options.layout == tiles::Layout::kRowMajor;
    const bool a_as_is = (g.options.op_a == tiles::Op::kNone) == row;
    const bool b_as_is = (g.options.op_b == tiles::Op::kNone) == row;
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t index = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; index < count; index += step) {
        const int64_t which = index / (g.m * g.n), i = index / g.n % g.m, j = index % g.n;
        double sum = 0;
        for (int64_t p = 0; p < g.k; ++p) {
            sum += load_as_double(g.a, input, which * g.stride_a + (a_as_is ? i * g.lda + p : p * g.lda + i)) *
                   load_as_double(g.b, input, which * g.stride_b + (b_as_is ? p * g.ldb + j : j * g.ldb + p));
        }
        const int64_t place = which * g.stride_c + (row ? i * g.ldc + j : j * g.ldc + i);
        const double before = g.beta == 0 ? 0 : g.beta * load_as_double(old, g.type_c, place);
        out[index] = (g.alpha == 0 ? 0 : g.alpha * sum) + before;
    }
}

struct Comparison {
    double error_squares, reference_squares;
    unsigned long long not_finite, written_outside;  // not_finite: results that are and should not be, or the reverse
};

__global__ void compare_product(tiles::GemmArguments g, const double* reference, Comparison* out) {
    const int64_t count = g.m * g.n * g.batch;
    const bool row = g.options.layout == tiles::Layout::kRowMajor;
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    double error = 0, norm = 0;
    for (int64_t index = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; index < count; index += step) {
        const int64_t which = index / (g.m * g.n), i = index / g.n % g.m, j = index % g.n;
        const double value = load_as_double(g.c, g.type_c, which * g.stride_c + (row ? i * g.ldc + j : j * g.ldc + i));
        const double want = reference[index];
        if (!isfinite(want)) {
            if (isnan(want) ? !isnan(value) : value != want) atomicAdd(&out->not_finite, 1ull);
            continue;
        }
        if (!isfinite(value)) atomicAdd(&out->not_finite, 1ull);
        error += (value - want) * (value - want), norm += want * want;
    }
    atomicAdd(&out->error_squares, error), atomicAdd(&out->reference_squares, norm);
}

// Everything outside the matrix was NaN before the product and must still be.
__global__ void count_written_outside(const void* base, tiles::DataType type, int64_t total, int64_t offset,
                                      int64_t rows, int64_t columns, int64_t ld, int64_t stride, int64_t batch,
                                      Comparison* out) {
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < total; i += step) {
        const bool inside = in_a_matrix(i - offset, rows, columns, ld, stride, batch);
        if (!inside && !isnan(load_as_double(base, type, i))) atomicAdd(&out->written_outside, 1ull);
    }
}

// How far the relative error may go: rounding of the factors, of the sums and of the stored result.
inline double tolerance(tiles::Compute compute, tiles::DataType type_c) {
    if (compute == tiles::Compute::kF64) return 1e-13;
    const double stored = type_c == tiles::DataType::kBF16 ? 4e-3 : type_c == tiles::DataType::kF16 ? 5e-4 : 0;
    // Rounding to tf32 costs each factor 2^-11 of it at most, cutting it off would cost twice that.
    return stored + (compute == tiles::Compute::kTF32 ? 1e-3 : 1e-5);
}

}  // namespace harness
