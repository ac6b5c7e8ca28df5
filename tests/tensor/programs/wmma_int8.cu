// Bytes by wmma: a quantised layer, its sums saturated to bytes again.
#include <cstdio>
#include <vector>

#include <mma.h>

using namespace nvcuda;

constexpr int kRows = 64, kColumns = 32, kDepth = 128;

__global__ void layer(const signed char* in, const signed char* weights,
                      int* sums) {  // weights: columns one after the other
    const int row = blockIdx.y * 16, column = blockIdx.x * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
    wmma::fill_fragment(sum, 3);
    for (int k = 0; k < kDepth; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right;
        wmma::load_matrix_sync(left, in + row * kDepth + k, kDepth);
        wmma::load_matrix_sync(right, weights + column * kDepth + k, kDepth);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(sums + column * kRows + row, sum, kRows, wmma::mem_col_major);
}

int main() {
    std::vector<signed char> in(kRows * kDepth), weights(kColumns * kDepth);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<signed char>(i * 37 % 255 - 127);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<signed char>(i * 91 % 253 - 126);
    signed char *device_in, *device_weights;
    int* device_sums;
    cudaMalloc(&device_in, in.size());
    cudaMalloc(&device_weights, weights.size());
    cudaMalloc(&device_sums, kRows * kColumns * 4);
    cudaMemcpy(device_in, in.data(), in.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(device_weights, weights.data(), weights.size(), cudaMemcpyHostToDevice);
    layer<<<dim3(kColumns / 16, kRows / 16), 32>>>(device_in, device_weights, device_sums);
    std::vector<int> sums(kRows * kColumns);
    cudaMemcpy(sums.data(), device_sums, sums.size() * 4, cudaMemcpyDeviceToHost);
    int wrong = 0;
    long long total = 0;
    for (int row = 0; row < kRows; ++row)
        for (int column = 0; column < kColumns; ++column) {
            int expected = 3;
            for (int k = 0; k < kDepth; ++k) expected += in[row * kDepth + k] * weights[column * kDepth + k];
            wrong += sums[column * kRows + row] != expected;
            total += sums[column * kRows + row];
        }
    std::printf("%s: %s, %d wrong, total %lld\n", wrong == 0 ? "PASS" : "FAIL", cudaGetErrorString(cudaGetLastError()),
                wrong, total);
    return wrong != 0;
}
