// A sum of many numbers, three ways to add up inside a block.
//
// All three halve the number of partial sums in every step. They differ in which threads do the adding, and that
// decides how many warps stay busy for nothing and whether partial sums pass through shared memory at all.
#include "check.h"

constexpr int kThreads = 256;
constexpr int kBlocks = 256;

// Each thread first adds up its share of the input, so that the steps in shared memory are few against the loads.
__device__ int own_share(const int* in, int n) {
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    return sum;
}

// Neighbours add up in place: 0+1, 2+3, ...; then 0+2, 4+6, ... The working threads are spread out, so every warp keeps
// running with fewer and fewer of its lanes: divergent branches. A warp's words still lie in 32 banks: no conflicts.
__global__ void interleaved(const int* in, int n, int* sums) {
    __shared__ int partial[kThreads];
    unsigned t = threadIdx.x;
    partial[t] = own_share(in, n);
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0) partial[t] += partial[t + stride];
        __syncthreads();  // outside the condition: the idle threads wait, too
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}

// The far half is added onto the near half. The working threads are the first ones, so whole warps fall idle at once,
// and only the last five steps part a warp.
__global__ void sequential(const int* in, int n, int* sums) {
    __shared__ int partial[kThreads];
    unsigned t = threadIdx.x;
    partial[t] = own_share(in, n);
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) partial[t] += partial[t + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}

// Within a warp the lanes hand their sums over directly, from register to register. Shared memory only carries one
// number per warp, and there is one barrier rather than one per step.
__device__ int warp_sum(int value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;  // the whole sum in lane 0
}
__global__ void shuffled(const int* in, int n, int* sums) {
    __shared__ int of_warp[kThreads / 32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = warp_sum(own_share(in, n));
    if (lane == 0) of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) {  // the same for all lanes of a warp, so all 32 of them meet in the shuffle
        sum = warp_sum(lane < kThreads / 32 ? of_warp[lane] : 0);
        if (lane == 0) sums[blockIdx.x] = sum;
    }
}

int main() {
    const int n = 2000003;
    std::vector<int> in(n);
    long long want = 0;
    for (int i = 0; i < n; ++i) {
        in[i] = static_cast<int>(i * 2654435761u >> 20) - 2048;
        want += in[i];
    }
    int* d_in = to_device(in);
    int* d_sums = device_buffer<int>(kBlocks);
    Verdict verdict;
    // The kernels leave one sum per block; these few the host adds up.
    const auto check = [&](const char* what) {
        finish_launch();
        long long got = 0;
        for (int sum : to_host(d_sums, kBlocks)) got += sum;
        verdict.that(what, got == want);
        CHECK(cudaMemset(d_sums, 0, kBlocks * sizeof(int)));
    };
    interleaved<<<kBlocks, kThreads>>>(d_in, n, d_sums);
    check("interleaved");
    sequential<<<kBlocks, kThreads>>>(d_in, n, d_sums);
    check("sequential");
    shuffled<<<kBlocks, kThreads>>>(d_in, n, d_sums);
    check("shuffled");
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_sums));
    return verdict.status();
}
