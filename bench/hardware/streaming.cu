// Streams from and to device memory: how long as many bytes take, by how much of it is written and where.
//
//   streaming [MIB]      arrays of 4 to MIB (256): each launch a line {"reads", "writes": arrays, "in_place", "words":
//   of a thread's access, "shape":
//                        "once" (a thread an element) or "loop" (1,056 blocks walk along), "MiB": of an array}; for ncu
//   streaming --blocks   no counters: {..., "begins", "takes": of each twentieth of the blocks by their begin, the last
//                        one's begin since the launch's first and the median of how long they take, in ns, "end"}
#include <algorithm>
#include <cstring>
#include <vector>

#include "../../examples/check.h"

struct Arrays {
    char* in[4];
    char* out[4];
};

__device__ inline unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
    return now;
}

template <typename Word>
__device__ inline Word plus(Word a, Word b) {
    return a + b;
}
template <>
__device__ inline float4 plus(float4 a, float4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline bool odd(float a) { return a == 0.123f; }
__device__ inline bool odd(float4 a) { return a.x == 0.123f; }

template <int kReads, int kWrites, typename Word, bool kLoop>
__global__ void stream(Arrays arrays, std::size_t words, Word* sink, unsigned long long* log) {
    const std::size_t threads = kLoop ? std::size_t{gridDim.x} * blockDim.x : words;
    if (log && threadIdx.x == 0) log[2 * blockIdx.x] = nanoseconds();
    Word sum{};
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += threads) {
        Word value{};
        for (int array = 0; array < kReads; ++array)
            value = plus(value, reinterpret_cast<const Word*>(arrays.in[array])[i]);
        for (int array = 0; array < kWrites; ++array) reinterpret_cast<Word*>(arrays.out[array])[i] = value;
        if (kWrites == 0) sum = plus(sum, value);
    }
    if (kWrites == 0 && odd(sum)) *sink = sum;
    if (log) {
        __syncthreads();
        if (threadIdx.x == 0) log[2 * blockIdx.x + 1] = nanoseconds();
    }
}

char* memory;  // 3 GiB
unsigned long long* log_of_blocks;
bool with_blocks;
std::size_t most_mib = 256;
constexpr std::size_t kMiB = std::size_t{1} << 20;

void say_blocks(unsigned blocks) {
    std::vector<unsigned long long> log(2 * blocks);
    CHECK(cudaMemcpy(log.data(), log_of_blocks, log.size() * 8, cudaMemcpyDefault));
    std::vector<std::pair<unsigned long long, unsigned long long>> of;
    for (unsigned block = 0; block < blocks; ++block) of.push_back({log[2 * block], log[2 * block + 1]});
    std::sort(of.begin(), of.end());
    const auto first = of[0].first;
    unsigned long long end = 0;
    for (const auto& one : of) end = std::max(end, one.second);
    std::printf(", \"begins\": [");
    for (int part = 1; part <= 20; ++part)
        std::printf("%s%llu", part > 1 ? ", " : "", of[std::size_t{blocks} * part / 20 - 1].first - first);
    std::printf("], \"takes\": [");
    for (int part = 1; part <= 20; ++part) {
        std::vector<unsigned long long> takes;
        for (std::size_t block = std::size_t{blocks} * (part - 1) / 20; block < std::size_t{blocks} * part / 20;
             ++block)
            takes.push_back(of[block].second - of[block].first);
        std::nth_element(takes.begin(), takes.begin() + takes.size() / 2, takes.end());
        std::printf("%s%llu", part > 1 ? ", " : "", takes[takes.size() / 2]);
    }
    std::printf("], \"end\": %llu", end - first);
}

template <int kReads, int kWrites, typename Word, bool kLoop>
void measure(bool in_place, std::size_t mib) {
    Arrays arrays{};
    for (int i = 0; i < 4; ++i) arrays.in[i] = memory + i * 256 * kMiB;
    for (int i = 0; i < 4; ++i) arrays.out[i] = in_place ? arrays.in[i] : memory + (4 + i) * 256 * kMiB;
    const std::size_t words = mib * kMiB / sizeof(Word);
    const unsigned blocks = kLoop ? 132 * 8 : static_cast<unsigned>(words / 256);
    if (with_blocks) {  // what was there before is gone from L2, and nothing waits to be written
        Arrays other{};
        for (int i = 0; i < 4; ++i) other.in[i] = memory + 2048 * kMiB + i * 128 * kMiB;
        for (int turn = 0; turn < 2; ++turn)
            stream<4, 0, float4, true>
                <<<1056, 256>>>(other, 128 * kMiB / 16, reinterpret_cast<float4*>(memory), nullptr);
    }
    stream<kReads, kWrites, Word, kLoop>
        <<<blocks, 256>>>(arrays, words, reinterpret_cast<Word*>(memory), with_blocks ? log_of_blocks : nullptr);
    CHECK(cudaDeviceSynchronize());
    std::printf("{\"reads\": %d, \"writes\": %d, \"in_place\": %s, \"words\": %d, \"shape\": \"%s\", \"MiB\": %d",
                kReads, kWrites, in_place ? "true" : "false", static_cast<int>(sizeof(Word) / 4),
                kLoop ? "loop" : "once", static_cast<int>(mib));
    if (with_blocks) say_blocks(blocks);
    std::printf("}\n");
}

template <int kReads, int kWrites>
void measure_all(bool in_place) {
    for (const std::size_t mib : {4, 8, 16, 32, 64, 128, 256}) {
        if ((with_blocks && mib != 16 && mib != 64) || mib > most_mib) continue;
        measure<kReads, kWrites, float, false>(in_place, mib);
        measure<kReads, kWrites, float4, false>(in_place, mib);
        measure<kReads, kWrites, float, true>(in_place, mib);
        measure<kReads, kWrites, float4, true>(in_place, mib);
    }
}

int main(int count, char** arguments) {
    with_blocks = count > 1 && !std::strcmp(arguments[1], "--blocks");
    if (count > 1 && !with_blocks) most_mib = std::strtoul(arguments[1], nullptr, 10);
    CHECK(cudaMalloc(&memory, 3072 * kMiB));
    CHECK(cudaMalloc(&log_of_blocks, 16 * kMiB));
    CHECK(cudaMemset(memory, 0, 3072 * kMiB));
    CHECK(cudaDeviceSynchronize());
    measure_all<1, 0>(false);
    measure_all<2, 0>(false);
    measure_all<0, 1>(false);
    measure_all<1, 1>(false);
    measure_all<1, 1>(true);
    measure_all<2, 1>(false);
    measure_all<2, 1>(true);
    measure_all<4, 3>(true);
    measure_all<1, 3>(false);
    return 0;
}
