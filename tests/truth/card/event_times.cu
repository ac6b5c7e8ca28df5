// The time of a launch by two events: twice the work takes longer, and the same each time the program runs.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void scale(float* data, int turns) {
    float value = data[blockIdx.x * blockDim.x + threadIdx.x];
    for (int i = 0; i < turns; ++i) value = value * 1.5f + 1.f;
    data[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

float milliseconds(float* data, int blocks, int turns) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    scale<<<blocks, 256>>>(data, turns);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float time = 0;
    cudaEventElapsedTime(&time, begin, end);
    return time;
}

int main() {
    float* data = nullptr;
    cudaMalloc(&data, 2048 * 256 * sizeof(float));
    cudaMemset(data, 0, 2048 * 256 * sizeof(float));
    const float little = milliseconds(data, 1024, 100), much = milliseconds(data, 2048, 400);
    std::printf("%.9g %.9g ms\n%s\n", little, much, little > 0 && much > little ? "PASS" : "FAIL");
}
