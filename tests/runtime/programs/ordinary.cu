// An ordinary program: builds with nvcc and with clang, checks its own results and says so.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                            \
    do {                                                                       \
        const cudaError_t error = (call);                                      \
        if (error != cudaSuccess) {                                            \
            std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
            return 1;                                                          \
        }                                                                      \
    } while (0)

__constant__ float weights[4];
__device__ unsigned blocks_done;

template <class T>
__global__ void saxpy(T a, const T* x, T* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void reverse_in_blocks(const float* in, float* out) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x] * weights[threadIdx.x & 3];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
    if (threadIdx.x == 0) atomicAdd(&blocks_done, 1u);
}

int main() {
    constexpr int n = 1 << 12;
    std::vector<float> x(n), y(n), out(n);
    for (int i = 0; i < n; ++i) {
        x[i] = float(i % 97);
        y[i] = float(i % 13);
    }
    const float w[4] = {1, 2, 3, 4};
    float *dx = nullptr, *dy = nullptr;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaMalloc(&dx, n * sizeof(float)));
    CHECK(cudaMalloc(&dy, n * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
    CHECK(cudaMemcpyAsync(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
    CHECK(cudaEventRecord(start, stream));
    saxpy<float><<<n / 256, 256, 0, stream>>>(2.0f, dx, dy, n);
    CHECK(cudaGetLastError());
    reverse_in_blocks<<<n / 256, 256, 256 * sizeof(float), stream>>>(dy, dx);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(out.data(), dx, n * sizeof(float), cudaMemcpyDeviceToHost));
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    unsigned done = 0;
    CHECK(cudaMemcpyFromSymbol(&done, blocks_done, sizeof done));
    int wrong = ms < 0 || done != n / 256 || properties.warpSize != 32;
    for (int i = 0; i < n; ++i) {
        const int from = i / 256 * 256 + 255 - i % 256;
        if (out[i] != (2.0f * x[from] + y[from]) * w[from & 3]) ++wrong;
    }
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, saxpy<float>));
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, saxpy<float>, 256, 0));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
    CHECK(cudaStreamDestroy(stream));
    std::printf("%s, %d wrong, %d blocks per SM\n", properties.name, wrong, blocks);
    return wrong != 0;
}
