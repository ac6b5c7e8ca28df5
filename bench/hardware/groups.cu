// Which SMs' reads of equal sectors are merged on their way to L2, and where blocks of a launch go.
//
// usage: groups pairs       one launch a pair of SMs for the profiler: {"what": "pair", "a", "b"}: both read the same
//                           4 MB, a sector of each line, in step
//        groups placement   no counters: {"what": "placement", "threads", "shared", "blocks", "per_sm", "sms": [...]}:
//                           the SM of each block, in the order of their numbers
#include <cstdint>
#include <string>
#include <vector>

#include "../../examples/check.h"

constexpr unsigned kLines = 32768, kLine = 128;

__device__ unsigned sm() {
    unsigned number = 0;
    asm("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}

// One block for each SM. The two that are named read; each read waits for the one before, so that who is ahead waits
// for memory and who comes behind finds it under way.
__global__ void pair(const char* buffer, unsigned a, unsigned b, unsigned* arrived, unsigned* sink) {
    if (threadIdx.x != 0 || (sm() != a && sm() != b)) return;
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < 2) {
    }
    unsigned at = 0;
    for (unsigned i = 0; i < kLines; ++i) {
        unsigned value = 0;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(buffer + std::size_t{at} * kLine) : "memory");
        at = i + 1 + value;  // value is 0
    }
    sink[sm()] = at;
}

// Blocks last, so that the first ones are all there before any ends.
__global__ void place(unsigned* where, long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
    if (threadIdx.x == 0) where[blockIdx.x] = sm();
}

int main(int count, char** arguments) {
    const std::string what = count > 1 ? arguments[1] : "placement";
    char* buffer = nullptr;
    unsigned *arrived = nullptr, *results = nullptr;
    CHECK(cudaMalloc(&buffer, std::size_t{kLines} * kLine));
    CHECK(cudaMemset(buffer, 0, std::size_t{kLines} * kLine));
    CHECK(cudaMalloc(&arrived, 4096 * sizeof(unsigned)));
    CHECK(cudaMemset(arrived, 0, 4096 * sizeof(unsigned)));
    CHECK(cudaMalloc(&results, 65536 * sizeof(unsigned)));
    int sms = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    constexpr int kWholeSm = 200 * 1024;  // bytes of shared memory: no SM takes two blocks
    if (what == "pairs") {
        CHECK(cudaFuncSetAttribute(pair, cudaFuncAttributeMaxDynamicSharedMemorySize, kWholeSm));
        unsigned launches = 0;
        for (unsigned a : {0u, 1u, 2u, 50u})
            for (unsigned b = 0; b < static_cast<unsigned>(sms); ++b) {
                if (b == a) continue;
                pair<<<sms, 32, kWholeSm>>>(buffer, a, b, arrived + launches++, results);
                CHECK(cudaDeviceSynchronize());
                std::printf("{\"what\": \"pair\", \"a\": %u, \"b\": %u}\n", a, b);
            }
        return 0;
    }
    CHECK(cudaFuncSetAttribute(place, cudaFuncAttributeMaxDynamicSharedMemorySize, kWholeSm));
    struct Shape {
        unsigned threads, shared, blocks;
    };
    std::vector<Shape> launches = {{1024, 0, 264}, {1024, 0, 1000},       {256, 0, 1056},   {256, 0, 4000},
                                   {64, 0, 4224},  {128, 48 * 1024, 700}, {32, 1024, 5000}, {512, 100 * 1024, 500}};
    // And what is left when all SMs have had equally many.
    for (unsigned blocks = 1; blocks <= 132; blocks += 5) launches.push_back({1024, 0, blocks});
    for (unsigned blocks = 133; blocks <= 264; blocks += 13) launches.push_back({1024, 0, blocks});
    for (unsigned blocks = 300; blocks <= 4224; blocks += 223) launches.push_back({64, 0, blocks});
    for (const auto& [threads, shared, blocks] : launches) {
        int per_sm = 0;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, place, threads, shared));
        place<<<blocks, threads, shared>>>(results, 200000);
        std::vector<unsigned> where(blocks);
        CHECK(cudaMemcpy(where.data(), results, blocks * sizeof(unsigned), cudaMemcpyDeviceToHost));
        std::printf(
            "{\"what\": \"placement\", \"threads\": %u, \"shared\": %u, \"blocks\": %u, \"per_sm\": %d, \"sms\": [",
            threads, shared, blocks, per_sm);
        for (unsigned i = 0; i < blocks; ++i) std::printf(i ? ",%u" : "%u", where[i]);
        std::printf("]}\n");
    }
    return 0;
}
