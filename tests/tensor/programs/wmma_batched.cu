// Many small products at once by wmma, half sums: a warp for each of a batch, C taken in and scaled.
#include <cuda_fp16.h>
#include <mma.h>

#include "product_check.h"

constexpr int kBatch = 24, kSide = 16, kElements = kSide * kSide;

__global__ void products(const __half* a, const __half* b, __half* c, __half alpha, __half beta) {
    using namespace nvcuda;
    const int which = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (which >= kBatch) return;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, __half> sums, before;
    wmma::load_matrix_sync(left, a + which * kElements, kSide);
    wmma::load_matrix_sync(right, b + which * kElements, kSide);
    wmma::load_matrix_sync(before, c + which * kElements, kSide, wmma::mem_row_major);
    wmma::fill_fragment(sums, __float2half(0));
    wmma::mma_sync(sums, left, right, sums);
    for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = __hadd(__hmul(alpha, sums.x[i]), __hmul(beta, before.x[i]));
    wmma::store_matrix_sync(c + which * kElements, sums, kSide, wmma::mem_row_major);
}

int main() {
    std::vector<__half> a(kBatch * kElements), b(kBatch * kElements), c(kBatch * kElements);
    Random random{2};
    for (auto& x : a) x = __float2half(random.between_halves());
    for (auto& x : b) x = __float2half(random.between_halves());
    for (auto& x : c) x = __float2half(random.between_halves());
    __half* const on_device = to_device(c);
    products<<<(kBatch + 3) / 4, 128>>>(to_device(a), to_device(b), on_device, __float2half(0.5f), __float2half(2.0f));
    const std::vector<__half> got = to_host(on_device, c.size());
    std::vector<float> values;
    for (const __half x : got) values.push_back(__half2float(x));
    return judge(
        values,
        [&](std::size_t i) {
            const std::size_t row = i / kSide, first = i / kElements * kElements, column = i % kSide;
            double sum = 0;
            for (int k = 0; k < kSide; ++k)
                sum += double{__half2float(a[row * kSide + k])} * __half2float(b[first + column * kSide + k]);
            return 0.5 * sum + 2.0 * __half2float(c[i]);
        },
        0.003);
}
