// A product through shared tiles and wmma: each warp has a 16 x 16 tile of the result.
#include <cstdio>
#include <vector>

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kSize = 96, kTile = 32, kPitch = kTile + 8;

__global__ void product(const __half* a, const __half* b, float* c) {
    __shared__ __align__(32) __half tile_a[kTile][kPitch];
    __shared__ __align__(32) __half tile_b[kTile][kPitch];
    const int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < kSize; k += kTile) {
        for (int i = threadIdx.x; i < kTile * kTile; i += blockDim.x) {
            tile_a[i / kTile][i % kTile] = a[(blockIdx.y * kTile + i / kTile) * kSize + k + i % kTile];
            tile_b[i / kTile][i % kTile] = b[(k + i / kTile) * kSize + blockIdx.x * kTile + i % kTile];
        }
        __syncthreads();
        for (int step = 0; step < kTile; step += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
            wmma::load_matrix_sync(left, &tile_a[row][step], kPitch);
            wmma::load_matrix_sync(right, &tile_b[step][column], kPitch);
            wmma::mma_sync(sum, left, right, sum);
        }
        __syncthreads();
    }
    wmma::store_matrix_sync(c + (blockIdx.y * kTile + row) * kSize + blockIdx.x * kTile + column, sum, kSize,
                            wmma::mem_row_major);
}

int main() {
    std::vector<__half> a(kSize * kSize), b(kSize * kSize);
    for (int i = 0; i < kSize * kSize; ++i) {
        a[i] = __float2half(static_cast<float>((i * 7 + i / kSize) % 23 - 11) * 0.25f);
        b[i] = __float2half(static_cast<float>((i * 5 + i / kSize * 3) % 19 - 9) * 0.125f);
    }
    __half *device_a, *device_b;
    float* device_c;
    cudaMalloc(&device_a, a.size() * 2);
    cudaMalloc(&device_b, b.size() * 2);
    cudaMalloc(&device_c, a.size() * 4);
    cudaMemcpy(device_a, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
    product<<<dim3(kSize / kTile, kSize / kTile), 128>>>(device_a, device_b, device_c);
    std::vector<float> c(a.size());
    cudaMemcpy(c.data(), device_c, c.size() * 4, cudaMemcpyDeviceToHost);
    int wrong = 0;
    double total = 0;
    for (int row = 0; row < kSize; ++row)
        for (int column = 0; column < kSize; ++column) {
            float expected = 0;
            for (int k = 0; k < kSize; ++k)
                expected += __half2float(a[row * kSize + k]) * __half2float(b[k * kSize + column]);
            wrong += c[row * kSize + column] != expected;
            total += c[row * kSize + column];
        }
    std::printf("%s: %s, %d wrong, total %.6f\n", wrong == 0 ? "PASS" : "FAIL", cudaGetErrorString(cudaGetLastError()),
                wrong, total);
    return wrong != 0;
}
