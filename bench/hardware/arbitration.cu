// What shared-memory counters show when other traffic uses the same data banks. Every shared access here is free of
// address conflicts: one word a lane, 32 neighbouring words a warp. What a profiler counts beyond one wavefront an
// instruction therefore comes from elsewhere. Prints the name of each case, in order of launch.
#include "../../examples/check.h"

constexpr int kThreads = 256, kBlocks = 1056, kPhases = 64;
constexpr int kWarm = 1024;  // elements that every block reads again and again

__constant__ float table[kThreads];

enum class Source { kRegister, kConstant, kGlobalWarm, kGlobalStream, kGlobalStreamPastL1 };

template <Source source>
__device__ float fetch(const float* in, int phase, float seed) {
    const size_t streamed = (size_t(phase) * gridDim.x + blockIdx.x) * kThreads + threadIdx.x;
    if (source == Source::kRegister) return seed * phase;
    if (source == Source::kConstant) return table[phase % kThreads] + seed;
    if (source == Source::kGlobalWarm) return in[(phase * kThreads + threadIdx.x) % kWarm];
    if (source == Source::kGlobalStreamPastL1) return __ldcg(&in[streamed]);
    return in[streamed];
}

// A tile filled and read in phases, as in a tiled product; where the values come from is the only difference.
template <Source source>
__global__ void fill_tile(const float* in, float* out, float seed) {
    __shared__ float tile[kThreads];
    float sum = 0;
#pragma unroll 1
    for (int phase = 0; phase < kPhases; ++phase) {
        tile[threadIdx.x] = fetch<source>(in, phase, seed);
        __syncthreads();
        for (int k = 0; k < 8; ++k) sum += tile[(threadIdx.x + 32 * k) % kThreads];
        __syncthreads();
    }
    out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

enum class Neighbour { kIdle, kWarmLoads, kStreamLoads, kStores, kReductions };

// Half of the warps use only shared memory; the others do something else, and never touch shared memory.
template <Neighbour neighbour>
__global__ void beside(const float* in, float* out, float seed) {
    __shared__ float tile[kThreads];
    const int warp = threadIdx.x / 32;
    float sum = seed;
    if (warp % 2 == 0) {
        volatile float* cells = tile;
#pragma unroll 1
        for (int round = 0; round < 4 * kPhases; ++round) {
            cells[threadIdx.x] = sum;
            sum += cells[threadIdx.x ^ 1];
        }
    } else {
#pragma unroll 4
        for (int phase = 0; phase < kPhases; ++phase) {
            if (neighbour == Neighbour::kWarmLoads) sum += fetch<Source::kGlobalWarm>(in, phase, seed);
            if (neighbour == Neighbour::kStreamLoads) sum += fetch<Source::kGlobalStream>(in, phase, seed);
            if (neighbour == Neighbour::kStores)
                out[(size_t(phase) * kBlocks + blockIdx.x) * kThreads + threadIdx.x] = sum;
            if (neighbour == Neighbour::kReductions) atomicAdd(&out[(phase * kThreads + threadIdx.x) % kWarm], sum);
        }
    }
    out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

template <class Launch>
void run(const char* name, Launch launch) {
    launch();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::printf("{\"name\": \"%s\"}\n", name);
}

int main() {
    const size_t count = size_t(kThreads) * kBlocks * kPhases;
    float *in = nullptr, *out = nullptr;
    CHECK(cudaMalloc(&in, count * sizeof(float)));
    CHECK(cudaMalloc(&out, count * sizeof(float)));
    CHECK(cudaMemset(in, 0x11, count * sizeof(float)));
    run("tile from registers", [&] { fill_tile<Source::kRegister><<<kBlocks, kThreads>>>(in, out, 0.5f); });
    run("tile from constants", [&] { fill_tile<Source::kConstant><<<kBlocks, kThreads>>>(in, out, 0.5f); });
    run("tile from global memory, 4 KB again and again",
        [&] { fill_tile<Source::kGlobalWarm><<<kBlocks, kThreads>>>(in, out, 0.5f); });
    run("tile from global memory, streamed",
        [&] { fill_tile<Source::kGlobalStream><<<kBlocks, kThreads>>>(in, out, 0.5f); });
    run("tile from global memory, streamed past L1 (ld.cg)",
        [&] { fill_tile<Source::kGlobalStreamPastL1><<<kBlocks, kThreads>>>(in, out, 0.5f); });
    run("beside idle warps", [&] { beside<Neighbour::kIdle><<<kBlocks, kThreads>>>(in, out, 0.5f); });
    run("beside loads that hit L1", [&] { beside<Neighbour::kWarmLoads><<<kBlocks, kThreads>>>(in, out, 0.5f); });
    run("beside loads that miss L1", [&] { beside<Neighbour::kStreamLoads><<<kBlocks, kThreads>>>(in, out, 0.5f); });
    run("beside global stores", [&] { beside<Neighbour::kStores><<<kBlocks, kThreads>>>(in, out, 0.5f); });
    run("beside global reductions", [&] { beside<Neighbour::kReductions><<<kBlocks, kThreads>>>(in, out, 0.5f); });
    return 0;
}
