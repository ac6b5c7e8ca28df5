// Like sora5801/cuda-cpp-healthcare-projects projects/03-genomics/3.06-k-mer-counting-minimiser-sketching (main.cu,
// kernels.cu, kmer.h, reference_cpu.cpp, util/); flags: -std=c++17
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>
#include "kmer.h"
#include "timer.cuh"
#define CUDA_CHECK(call)                                                    \
    do {                                                                    \
        cudaError_t e = (call);                                             \
        if (e != cudaSuccess) {                                             \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e)); \
            std::exit(1);                                                   \
        }                                                                   \
    } while (0)
#define CUDA_CHECK_LAST(what)                \
    do {                                     \
        CUDA_CHECK(cudaGetLastError());      \
        CUDA_CHECK(cudaDeviceSynchronize()); \
    } while (0)
std::map<uint64_t, unsigned> count_cpu(const std::string& bases, int k);
static constexpr int THREADS_PER_BLOCK = 256;
__global__ void insert(const char* __restrict__ bases, int P, int k, uint64_t* __restrict__ keys,
                       unsigned* __restrict__ counts, unsigned mask) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t word;
    if (t >= P || !encode_at(bases, t, k, &word)) return;
    unsigned slot = (unsigned)(word * 0x9E3779B97F4A7C15ull >> 40) & mask;
    for (unsigned probe = 0; probe <= mask; ++probe) {
        uint64_t before =
            atomicCAS((unsigned long long*)&keys[slot], (unsigned long long)KMER_EMPTY, (unsigned long long)word);
        if (before == KMER_EMPTY || before == word) {
            atomicAdd(&counts[slot], 1u);
            return;
        }
        slot = (slot + 1u) & mask;
    }
}
int main() {
    std::string bases;
    for (int i = 0; i < 800; i++) bases += "ACGTACGGTN"[rand() % 10];
    const int k = 5, cap = 2048, P = (int)bases.size() - k + 1;
    char* d_bases = nullptr;
    uint64_t* d_keys = nullptr;
    unsigned* d_counts = nullptr;
    CUDA_CHECK(cudaMalloc(&d_bases, bases.size()));
    CUDA_CHECK(cudaMalloc(&d_keys, cap * sizeof(uint64_t)));
    CUDA_CHECK(cudaMalloc(&d_counts, cap * sizeof(unsigned)));
    CUDA_CHECK(cudaMemcpy(d_bases, bases.data(), bases.size(), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_keys, 0xFF, cap * sizeof(uint64_t)));
    CUDA_CHECK(cudaMemset(d_counts, 0, cap * sizeof(unsigned)));
    GpuTimer timer;
    timer.start();
    insert<<<(P + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK, THREADS_PER_BLOCK>>>(d_bases, P, k, d_keys, d_counts,
                                                                                   cap - 1);
    const float ms = timer.stop_ms();
    CUDA_CHECK_LAST("insert");
    std::vector<uint64_t> keys(cap);
    std::vector<unsigned> counts(cap);
    CUDA_CHECK(cudaMemcpy(keys.data(), d_keys, cap * sizeof(uint64_t), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(counts.data(), d_counts, cap * sizeof(unsigned), cudaMemcpyDeviceToHost));
    std::map<uint64_t, unsigned> got;
    for (int i = 0; i < cap; i++)
        if (keys[i] != KMER_EMPTY) got[keys[i]] = counts[i];
    const bool ok = got == count_cpu(bases, k) && ms > 0;
    std::printf("%s\n", ok ? "PASS" : "FAIL");
    CUDA_CHECK(cudaFree(d_bases));
    CUDA_CHECK(cudaFree(d_keys));
    CUDA_CHECK(cudaFree(d_counts));
    return !ok;
}
