// A copy through shared memory, and where its barrier must stand.
//
// The last block has threads without an element when n is no multiple of the block. It is tempting to put the whole
// body inside `if (i < n)`, barrier and all. Then those threads never arrive, and waiting for them is undefined: it
// happens to work on some devices and hangs on others. The condition belongs around the loads and the stores; the
// barrier stands outside, where every thread of the block passes it.
#include "check.h"

constexpr int kThreads = 128;

__global__ void copy(const float* in, float* out, int n) {
    __shared__ float staged[kThreads];
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) staged[threadIdx.x] = in[i];
    __syncthreads();
    if (i < n) out[i] = staged[threadIdx.x];
}

// A plain copy does not need shared memory: each thread reads back what it wrote itself. Here it does, as every thread
// reads what another one wrote. Blocks are reversed as well, and i counts from the far end.
__global__ void reverse(const float* in, float* out, int n) {
    __shared__ float staged[kThreads];
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) staged[threadIdx.x] = in[i];
    __syncthreads();
    int in_block = min(kThreads, n - static_cast<int>(blockIdx.x) * kThreads);  // elements that this block holds
    int first = n - static_cast<int>(blockIdx.x) * kThreads - in_block;         // where they go
    if (threadIdx.x < in_block) out[first + threadIdx.x] = staged[in_block - 1 - threadIdx.x];
}

int main() {
    Verdict verdict;
    for (int n : {kThreads * 512, kThreads * 512 + 37, 5}) {
        const std::vector<float> in = eighths(n, 11);
        float* d_in = to_device(in);
        float* d_out = device_buffer<float>(n);
        const int blocks = (n + kThreads - 1) / kThreads;
        char what[64];

        copy<<<blocks, kThreads>>>(d_in, d_out, n);
        finish_launch();
        std::snprintf(what, sizeof what, "copy of %d", n);
        verdict.equal(what, to_host(d_out, n), in);

        reverse<<<blocks, kThreads>>>(d_in, d_out, n);
        finish_launch();
        std::snprintf(what, sizeof what, "reverse of %d", n);
        verdict.equal(what, to_host(d_out, n), std::vector<float>(in.rbegin(), in.rend()));

        CHECK(cudaFree(d_in));
        CHECK(cudaFree(d_out));
    }
    return verdict.status();
}
