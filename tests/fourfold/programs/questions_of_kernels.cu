// What a program asks of its kernels: attributes, occupancy, the best block, and bounds of a launch.
#include "fourfold.cuh"

__global__ void __launch_bounds__(128, 4) bounded(float* x) {
    __shared__ float kept[128];
    kept[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = kept[127 - threadIdx.x];
}
__global__ void simple(const float* __restrict__ in, float* __restrict__ out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i] + 1;
}

int main() {
    cudaFuncAttributes about;
    CHECK(cudaFuncGetAttributes(&about, bounded));
    std::printf("%zu bytes shared, %d threads at most, %zu local\n", about.sharedSizeBytes, about.maxThreadsPerBlock,
                about.localSizeBytes);
    int grid = 0, block = 0, blocks = 0, processors = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, simple, 0, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, 0));
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    std::printf("grid %d, block %d, %d blocks of %d processors\n", grid, block, blocks, processors);
    constexpr int n = 3000;
    const std::vector<float> values = numbers<float>(n, 0, 1);
    std::vector<float> expected, turned(values.rend() - 128, values.rend());
    for (const float x : values) expected.push_back(x + 1);
    const Buffer<float> in(values), out(n);
    simple<<<4, block, 0>>>(in, out, n);
    bounded<<<1, 128>>>(in);
    std::vector<float> found = in.host();
    found.resize(128);
    return same("simple", out.host(), expected) + same("bounded", found, turned) +
           verdict("as declared", about.sharedSizeBytes == 512 && about.maxThreadsPerBlock == 128);
}
