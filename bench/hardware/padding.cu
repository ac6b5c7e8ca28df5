// What padding saves where lanes ask one bank of shared memory for different words, and other instructions stand
// between: loads and stores at strides of 1, 2 and 4 words and two addresses in one bank, on a full card. Prints one
// JSON line a launch: {"what", "us"}; the median of seven runs, by events.
#include <algorithm>
#include <vector>

#include "../../examples/check.h"

constexpr int kTurns = 4096, kWords = 4096, kBlocks = 1056, kThreads = 128;

template <int kStride>
__global__ void load(float* out, int turns) {
    __shared__ float tile[kWords];
    for (int i = threadIdx.x; i < kWords; i += blockDim.x) tile[i] = i;
    __syncthreads();
    float sum = 0;
    const int lane = threadIdx.x & 31;
    for (int r = 0; r < turns; ++r) sum += tile[(lane * kStride + r) % kWords];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int kStride>
__global__ void store(float* out, int turns) {
    __shared__ float tile[kWords];
    for (int i = threadIdx.x; i < kWords; i += blockDim.x) tile[i] = i;
    __syncthreads();
    volatile float* cells = tile;
    const int lane = threadIdx.x & 31;
    for (int r = 0; r < turns; ++r) cells[(lane * kStride + r) % kWords] = r;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

// Odd and even lanes so many words apart.
template <int kApart>
__global__ void two_addresses(float* out, int turns) {
    __shared__ float tile[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = i;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < turns; ++r) sum += tile[((threadIdx.x & 1) * kApart + r) & 511];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <class Kernel>
void time_of(const char* what, Kernel kernel, int threads, float* out) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> times(7);
    for (float& time : times) {
        CHECK(cudaEventRecord(begin));
        kernel<<<kBlocks, threads>>>(out, kTurns);
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&time, begin, end));
    }
    CHECK(cudaGetLastError());
    std::sort(times.begin(), times.end());
    std::printf("{\"what\": \"%s\", \"us\": %.2f}\n", what, times[times.size() / 2] * 1e3);
}

int main() {
    float* out;
    CHECK(cudaMalloc(&out, std::size_t{kBlocks} * 256 * sizeof(float)));
    time_of("load, stride 1", load<1>, kThreads, out);
    time_of("load, stride 2", load<2>, kThreads, out);
    time_of("load, stride 4", load<4>, kThreads, out);
    time_of("store, stride 1", store<1>, kThreads, out);
    time_of("store, stride 2", store<2>, kThreads, out);
    time_of("store, stride 4", store<4>, kThreads, out);
    time_of("two addresses, 32 words apart", two_addresses<32>, 256, out);
    time_of("two addresses, 33 words apart", two_addresses<33>, 256, out);
}
