// What the time line must show of streams: a kernel behind an event, the legacy default stream between blocking ones, a
// non-blocking stream beside it, copies that wait and copies that do not, and many equal ones.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) \
    if ((call) != cudaSuccess) std::exit(1)

constexpr int kElements = 1 << 16;

__global__ void produce(float* values) {
    for (int i = threadIdx.x; i < kElements; i += blockDim.x) values[i] = 1.0f;
}
__global__ void consume(float* values) {
    for (int i = threadIdx.x; i < kElements; i += blockDim.x) values[i] += 1.0f;
}
__global__ void beside(float* values) {
    for (int i = threadIdx.x; i < kElements; i += blockDim.x) values[i] = 3.0f;
}
__global__ void behind_all(float* values) {
    for (int i = threadIdx.x; i < kElements; i += blockDim.x) values[i] += 1.0f;
}

int main() {
    float *shared, *own, *pinned;
    cudaStream_t first, second, free_stream;
    cudaEvent_t made, begin, end;
    CHECK(cudaMalloc(&shared, kElements * sizeof(float)));
    CHECK(cudaMalloc(&own, kElements * sizeof(float)));
    CHECK(cudaMallocHost(&pinned, kElements * sizeof(float)));
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreate(&second));
    CHECK(cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking));
    for (cudaEvent_t* event : {&made, &begin, &end}) CHECK(cudaEventCreate(event));

    CHECK(cudaEventRecord(begin, first));
    produce<<<1, 256, 0, first>>>(shared);
    CHECK(cudaEventRecord(made, first));
    CHECK(cudaStreamWaitEvent(second, made, 0));
    consume<<<1, 256, 0, second>>>(shared);
    beside<<<1, 256, 0, free_stream>>>(own);
    behind_all<<<1, 256>>>(shared);
    CHECK(cudaEventRecord(end, first));
    CHECK(cudaMemcpyAsync(pinned, own, kElements * sizeof(float), cudaMemcpyDeviceToHost, free_stream));
    CHECK(cudaDeviceSynchronize());
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    std::printf("elapsed %.6f\n", milliseconds);

    std::vector<float> host(kElements);
    for (int i = 0; i < 100; ++i)
        CHECK(cudaMemcpy(host.data(), shared, kElements * sizeof(float), cudaMemcpyDeviceToHost));
    std::puts(host[5] == 3.0f && pinned[5] == 3.0f ? "PASS" : "FAIL");
    return host[5] == 3.0f && pinned[5] == 3.0f ? 0 : 1;
}
