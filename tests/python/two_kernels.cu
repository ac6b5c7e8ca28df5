// What tests/python reads: a kernel whose loads are 32 bytes apart, and one whose threads share a tile.
#include <cstdio>

__global__ void strided(const float* in, float* out, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride];
}

template <int kBlock>
__global__ void turned(const float* in, float* out) {
    __shared__ float tile[kBlock];
    tile[threadIdx.x] = in[blockIdx.x * kBlock + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * kBlock + threadIdx.x] = 2 * tile[kBlock - 1 - threadIdx.x];
}

int main() {
    constexpr int kCount = 4096, kStride = 8;
    float *in, *out;
    cudaMalloc(&in, kCount * kStride * sizeof(float));
    cudaMalloc(&out, kCount * sizeof(float));
    strided<<<kCount / 256, 256>>>(in, out, kStride);
    turned<256><<<kCount / 256, 256>>>(in, out);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
