// What is read a second time: how much of it a cache still has depends on what went through it in between.
//
//   caches strides     a million floats read twice, 1 to 32 floats apart: L2
//   caches stride N    one stride of your own, up to 32
//   caches own         each block reads 64, 128 and 320 KiB of its own four times: L1
//   caches own N       as many KiB as you say
//
// Build it alone: nvcc -std=c++17 caches.cu
#include "../lesson.h"

constexpr int kCount = 1 << 20, kMaxStride = 32, kRounds = 4, kThreads = 256, kBlocks = 512;

// The second time another block reads what this one has read, on another SM: its L1 does not have it.
__global__ void sweep_twice(const float* values, float* sums, int stride) {
    float sum = 0;
    for (int round = 0; round < 2; ++round) {
        const int block = round == 0 ? blockIdx.x : gridDim.x - 1 - blockIdx.x;
        for (int i = block * blockDim.x + threadIdx.x; i < kCount; i += gridDim.x * blockDim.x)
            sum += values[static_cast<size_t>(i) * stride];  // [sweep]
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Each block comes back to floats of its own. What its SM's L1 has kept, L2 is not asked for.
__global__ void again_and_again(const float* values, float* sums, int floats_each) {
    const float* mine = values + blockIdx.x * floats_each;
    float sum = 0;
    for (int round = 0; round < kRounds; ++round)
        for (int i = threadIdx.x; i < floats_each; i += blockDim.x) sum += mine[i];  // [own]
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static int strides(const std::vector<int>& list) {
    constexpr int kAll = kBlocks * kThreads;
    const std::vector<float> values = eighths(static_cast<std::size_t>(kCount) * kMaxStride);
    const float* d_values = to_device(values);
    float* d_sums = device_buffer<float>(kAll);
    Verdict verdict;
    for (std::size_t stride : list) {
        std::vector<float> want(kAll);
        for (int t = 0; t < kAll; ++t) {
            const int other = (kBlocks - 1 - t / kThreads) * kThreads + t % kThreads;
            for (int first : {t, other})
                for (int i = first; i < kCount; i += kAll) want[t] += values[i * stride];
        }
        char name[32];
        std::snprintf(name, sizeof name, "stride %d", static_cast<int>(stride));
        launch(name, [&] { sweep_twice<<<kBlocks, kThreads>>>(d_values, d_sums, static_cast<int>(stride)); });
        verdict.equal(name, to_host(d_sums, kAll), want);
    }
    return verdict.status();
}

static int own(const std::vector<int>& list) {
    constexpr int kSms = 132, kWide = 512, kAll = kSms * kWide;  // one block for each SM of an H200
    Verdict verdict;
    for (int kib : list) {
        const int each = kib * 256;
        const std::vector<float> values = eighths(static_cast<std::size_t>(kSms) * each);
        const float* d_values = to_device(values);
        float* d_sums = device_buffer<float>(kAll);
        std::vector<float> want(kAll);
        for (int block = 0; block < kSms; ++block)
            for (int i = 0; i < each; ++i) want[block * kWide + i % kWide] += kRounds * values[block * each + i];
        char name[32];
        std::snprintf(name, sizeof name, "%d KiB", kib);
        launch(name, [&] { again_and_again<<<kSms, kWide>>>(d_values, d_sums, each); });
        verdict.equal(name, to_host(d_sums, kAll), want);
    }
    return verdict.status();
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "strides";
    const int number = argc > 2 ? std::atoi(argv[2]) : 0;
    if (is(variant, "strides")) return strides({1, 2, 4, 8, 16, 32});
    if (is(variant, "stride") && number > 0 && number <= kMaxStride) return strides({number});
    if (is(variant, "own") && argc == 2) return own({64, 128, 320});
    if (is(variant, "own") && number > 0) return own({number});
    std::fprintf(stderr, "usage: %s [strides|stride N|own|own N]\n", argv[0]);
    return 1;
}
