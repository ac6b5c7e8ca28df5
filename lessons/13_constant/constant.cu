// One table in constant and in global memory, read by warps whose lanes agree on the entry, or do not.
//
//   constant N      the lanes of a warp look at N different entries, from 1 to 32; without N: 1, 2, 4, 8, 16, 32
//
// Build it alone: nvcc -std=c++17 constant.cu
#include "../lesson.h"

constexpr int kEntries = 16384, kRounds = 64, kThreads = 256, kBlocks = 528, kAll = kThreads * kBlocks;

__constant__ float c_table[kEntries];  // 65,536 bytes: there is no more

__global__ void from_constant(float* sums, int distinct) {
    float sum = 0;
    for (int round = 0; round < kRounds; ++round) {
        sum += c_table[round + threadIdx.x % distinct];  // [constant]
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void from_global(float* sums, const float* table, int distinct) {
    float sum = 0;
    for (int round = 0; round < kRounds; ++round) {
        sum += table[round + threadIdx.x % distinct];  // [global]
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main(int argc, char** argv) {
    std::vector<int> list = {1, 2, 4, 8, 16, 32};
    if (argc > 1) list = {std::atoi(argv[1])};
    if (list[0] < 1 || list[0] > 32) return std::fprintf(stderr, "usage: %s [1 to 32]\n", argv[0]), 1;

    const std::vector<float> table = eighths(kEntries);
    CHECK(cudaMemcpyToSymbol(c_table, table.data(), sizeof c_table));
    const float* d_table = to_device(table);
    float* d_sums = device_buffer<float>(kAll);
    Verdict verdict;
    for (int distinct : list) {
        std::vector<float> want(kAll);
        for (int t = 0; t < kAll; ++t)
            for (int round = 0; round < kRounds; ++round) want[t] += table[round + t % kThreads % distinct];
        char name[32];
        std::snprintf(name, sizeof name, "constant %d", distinct);
        launch(name, [&] { from_constant<<<kBlocks, kThreads>>>(d_sums, distinct); });
        verdict.equal(name, to_host(d_sums, kAll), want);
        CHECK(cudaMemset(d_sums, 0, kAll * sizeof(float)));
        std::snprintf(name, sizeof name, "global %d", distinct);
        launch(name, [&] { from_global<<<kBlocks, kThreads>>>(d_sums, d_table, distinct); });
        verdict.equal(name, to_host(d_sums, kAll), want);
    }
    return verdict.status();
}
