// Fragments of half precision through the warp's matrix product, with sums in single.
#include <cuda_fp16.h>
#include <mma.h>

#include "fourfold.cuh"

__global__ void to_half(const float* from, __half* to, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] = __float2half(from[i]);
}

__global__ void product(const __half* a, const __half* b, float* c, int n) {
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> left;
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major> right;
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum;
    nvcuda::wmma::fill_fragment(sum, 0.0f);
    const int row = blockIdx.y * 16, column = (blockIdx.x * blockDim.y + threadIdx.y) * 16;
    for (int k = 0; k < n; k += 16) {
        nvcuda::wmma::load_matrix_sync(left, a + row * n + k, n);
        nvcuda::wmma::load_matrix_sync(right, b + k * n + column, n);
        nvcuda::wmma::mma_sync(sum, left, right, sum);
    }
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 0.5f;
    nvcuda::wmma::store_matrix_sync(c + row * n + column, sum, n, nvcuda::wmma::mem_row_major);
}

int main() {
    constexpr int n = 64;
    const std::vector<float> a = numbers<float>(n * n, -1, 1), b = numbers<float>(n * n, -1, 1, 21);
    std::vector<float> expected(n * n);
    for (int i = 0; i < n * n; ++i) {
        double sum = 0;
        for (int k = 0; k < n; ++k)
            sum += double(__half2float(__float2half(a[i / n * n + k]))) * __half2float(__float2half(b[k * n + i % n]));
        expected[i] = static_cast<float>(0.5 * sum);
    }
    const Buffer<float> da(a), db(b), c(n * n);
    const Buffer<__half> ha(n * n), hb(n * n);
    to_half<<<n * n / 256, 256>>>(da, ha, n * n);
    to_half<<<n * n / 256, 256>>>(db, hb, n * n);
    product<<<dim3(2, n / 16), dim3(32, 2)>>>(ha, hb, c, n);
    return near("product", c.host(), expected, 1e-3);
}
