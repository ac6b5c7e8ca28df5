// As many elements, further and further apart: how much of what is read twice L2 still has the second time.
//
// Every launch reads 1,048,576 floats twice, `stride` floats from one to the next. L2 keeps lines of 128 bytes, so what
// the first sweep leaves behind grows with the stride, although the kernel uses no byte more:
//
//     stride        1     2     4     8    16    32
//     MiB in lines  4     8    16    32    64   128
//
// As long as that fits, much of the second sweep hits (an L2 of two halves looks up what lies in the far one twice, and
// misses the first time). An L2 of 50 MiB loses it between stride 8 and 16: the hit rate falls to nothing, and device
// memory has to be read twice. (Below stride 8 neighbours share a sector of 32 bytes, which a warp asks for once.)
#include "check.h"

constexpr int kCount = 1 << 20;
constexpr int kBlocks = 512, kThreads = 256;

__global__ void sweep_twice(const float* values, float* sums, int stride) {
    float sum = 0;
    // The second time another block takes them, on another SM, whose own L1 does not have them.
    for (int round = 0; round < 2; ++round) {
        const int block = round == 0 ? blockIdx.x : gridDim.x - 1 - blockIdx.x;
        for (int i = block * blockDim.x + threadIdx.x; i < kCount; i += gridDim.x * blockDim.x)
            sum += values[static_cast<size_t>(i) * stride];
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
    constexpr int kMaxStride = 32, kAll = kBlocks * kThreads;
    const std::vector<float> values = eighths(static_cast<std::size_t>(kCount) * kMaxStride);
    float* d_values = to_device(values);
    float* d_sums = device_buffer<float>(kAll);
    Verdict verdict;
    for (int stride = 1; stride <= kMaxStride; stride *= 2) {
        sweep_twice<<<kBlocks, kThreads>>>(d_values, d_sums, stride);
        finish_launch();

        std::vector<float> want(kAll);
        for (int t = 0; t < kAll; ++t) {
            const int other = (kBlocks - 1 - t / kThreads) * kThreads + t % kThreads;
            for (int first : {t, other})
                for (int i = first; i < kCount; i += kAll) want[t] += values[static_cast<std::size_t>(i) * stride];
        }
        char what[32];
        std::snprintf(what, sizeof what, "stride %d", stride);
        verdict.equal(what, to_host(d_sums, kAll), want);
    }
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_sums));
    return verdict.status();
}
