// A thread makes four by four elements from vectors of shared memory.
#include "fourfold.cuh"

constexpr int kBlock = 64, kDeep = 8;

__global__ void product(const float* a, const float* b, float* c, int n) {
    __shared__ float as[kDeep][kBlock], bs[kDeep][kBlock];
    const int t = threadIdx.x, row = t / 16 * 4, column = t % 16 * 4;
    a += blockIdx.y * kBlock * n;
    b += blockIdx.x * kBlock;
    float sums[4][4] = {};
    for (int at = 0; at < n; at += kDeep) {
        for (int i = t; i < kBlock * kDeep; i += blockDim.x) {
            as[i % kDeep][i / kDeep] = a[i / kDeep * n + at + i % kDeep];
            bs[i / kBlock][i % kBlock] = b[(at + i / kBlock) * n + i % kBlock];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDeep; ++k) {
            const float4 left = *reinterpret_cast<const float4*>(&as[k][row]),
                         right = *reinterpret_cast<const float4*>(&bs[k][column]);
            const float ls[] = {left.x, left.y, left.z, left.w}, rs[] = {right.x, right.y, right.z, right.w};
#pragma unroll
            for (int i = 0; i < 16; ++i) sums[i / 4][i % 4] = fmaf(ls[i / 4], rs[i % 4], sums[i / 4][i % 4]);
        }
        __syncthreads();
    }
    c += (blockIdx.y * kBlock + row) * n + blockIdx.x * kBlock + column;
    for (int i = 0; i < 4; ++i)
        *reinterpret_cast<float4*>(c + i * n) = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
}

int main() {
    constexpr int n = 128;
    const std::vector<float> a = numbers<float>(n * n, -1, 1), b = numbers<float>(n * n, -1, 1, 7);
    std::vector<float> expected(n * n);
    for (int i = 0; i < n * n; ++i)
        for (int k = 0; k < n; ++k) expected[i] = std::fma(a[i / n * n + k], b[k * n + i % n], expected[i]);
    const Buffer<float> da(a), db(b), c(n * n);
    product<<<dim3(n / kBlock, n / kBlock), 256>>>(da, db, c, n);
    return same("product", c.host(), expected);
}
