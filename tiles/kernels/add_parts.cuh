// The second half of split k: the parts of each result, added up in a fixed order, so that a product gives the same
// bits every time. Reads `partial`, writes C.
#pragma once

#include <cstdint>

#include "tiles/kernels/product.cuh"

namespace tiles {

// C = alpha * (sum of the parts, first to last) + beta * C. Blocks of 256 threads, any number of them.
template <typename T>
__global__ void __launch_bounds__(256) add_parts(const Product<T> p, int parts, int64_t batch) {
    const int64_t matrix_size = p.m * p.n, count = matrix_size * batch, step = static_cast<int64_t>(gridDim.x) * 256;
    for (int64_t index = blockIdx.x * 256ll + threadIdx.x; index < count; index += step) {
        T sum = 0;
#pragma unroll 8
        for (int part = 0; part < parts; ++part) sum += p.partial[part * count + index];
        const int64_t matrix = index / matrix_size, within = index % matrix_size;
        store(p.c + matrix * p.stride_c + within / p.n * p.ldc + within % p.n, sum, p.alpha, p.beta);
    }
}

}  // namespace tiles
