// Who goes first on an SM, and how soon one block follows another. No counters; prints JSON lines:
//   {"what": "turns", "work", "block", "warp", "begin", "marks"}: of the warps of one SM, eight blocks of 256 threads
//   (a
//       product: of 16 x 16), in cycles since the first of them began: when each began, and when it had done each
//       tenth.
//   {"what": "pause", "threads", "per_sm", "cycles", "spread", "tenth", "median", "nine_tenths"}: cycles from the end
//   of a
//       block, whose warps only wait for `cycles` to `cycles` + `spread`, to the begin of the next in its place; and
//       "warps": between the first and the last warp of a block that begin (median).
//   {"what": "order", "threads", "cycles", "spread", "first", "later"}: of the same blocks, how many cycles behind the
//       block's first one each warp begins (mean): of those that a launch begins with, and of the others.
//   {"what": "first loads", "threads", "behind"}: of blocks of a launch that has many, how many cycles behind the
//       block's first one each warp comes to its first load (mean).
//   {"what": "begins", "threads", "sms": [...], "begins": [...]}: of the first blocks of a launch, as many as fit, the
//   SM and
//       when the first warp began; clocks of SMs of one GPC can be compared, others not.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "../../examples/check.h"
#include "sm.h"

namespace {

constexpr int kMarks = 10;
constexpr unsigned kSm = 60;

enum Work { kArithmetic, kShared, kCached, kStreamed };
const char* const kNames[] = {"arithmetic", "shared memory", "loads that hit L1", "loads of device memory"};

}  // namespace

template <Work work>
__global__ void turns(unsigned* log, const float* data, int rounds) {
    __shared__ float tile[256];
    const int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    tile[threadIdx.x] = 1;
    unsigned* mine = log + (blockIdx.x * warps + warp) * (kMarks + 2);
    if (lane == 0) mine[0] = sm_number(), mine[1] = cycle();
    float sums[8];
    for (int i = 0; i < 8; ++i) sums[i] = lane + i;
    const float* from = data + (std::size_t{blockIdx.x} * warps + warp) * 32 * rounds * kMarks + lane;
    for (int mark = 0; mark < kMarks; ++mark) {
        for (int round = 0; round < rounds; ++round) {
            if constexpr (work == kArithmetic) {
#pragma unroll
                for (int i = 0; i < 64; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %1;" : "+f"(sums[i % 8]) : "f"(1.5f));
            } else if constexpr (work == kStreamed) {
                float value;
                asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value) : "l"(from) : "memory");
                from += 32;
                sums[round % 8] += value;
            } else {
#pragma unroll
                for (int i = 0; i < 16; ++i) {
                    float value;
                    if constexpr (work == kShared)
                        asm volatile(
                            "ld.volatile.shared.f32 %0, [%1];"
                            : "=f"(value)
                            : "r"(static_cast<unsigned>(__cvta_generic_to_shared(tile + lane + 32 * (i % 8)))));
                    else
                        asm volatile("ld.global.ca.f32 %0, [%1];"
                                     : "=f"(value)
                                     : "l"(data + lane + 32 * (i % 8))
                                     : "memory");
                    sums[i % 8] += value;
                }
            }
        }
        float sum = 0;
        for (int i = 0; i < 8; ++i) sum += sums[i];
        unsigned now;
        asm volatile("mov.u32 %0, %%clock;" : "=r"(now) : "f"(sum) : "memory");
        // The sum has to be wanted, or nothing is worked out.
        if (lane == 0) mine[2 + mark] = sum == 12345.678f ? 0 : now;
    }
}

// A tiled product, which waits for all of its block; a mark every tenth of its phases.
__global__ void product(const float* m, const float* n, float* p, int width, unsigned* log) {
    constexpr int kTile = 16;
    __shared__ float ms[kTile][kTile], ns[kTile][kTile];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
    const int thread = ty * kTile + tx, phases = width / kTile;
    unsigned* mine = log + ((blockIdx.y * gridDim.x + blockIdx.x) * 8 + thread / 32) * (kMarks + 2);
    if (thread % 32 == 0) mine[0] = sm_number(), mine[1] = cycle();
    float sum = 0;
    for (int phase = 0; phase < phases; ++phase) {
        ms[ty][tx] = m[row * width + phase * kTile + tx];
        ns[ty][tx] = n[(phase * kTile + ty) * width + col];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += ms[ty][k] * ns[k][tx];
        __syncthreads();
        if (thread % 32 == 0) mine[2 + phase * kMarks / phases] = cycle();
    }
    p[row * width + col] = sum;
}

__global__ void wait(uint4* log, unsigned cycles, unsigned spread) {
    const unsigned begin = cycle(), until = cycles + (spread != 0 ? (blockIdx.x * 2654435761u >> 8) % spread : 0);
    unsigned now;
    do now = cycle();
    while (now - begin < until);
    if (threadIdx.x % 32 == 0)
        log[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = {sm_number(), begin, now, blockIdx.x};
}

// The clock is read where the address is at hand.
__global__ void load_one(const char* data, unsigned zero, unsigned* log) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const char* const place = data + i;
    const unsigned when = clock();
    unsigned value;
    asm volatile("ld.global.u8 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
    if (threadIdx.x % 32 == 0) log[i / 32] = when;
    if (value * zero == 12345) *log = value;
}

namespace {

void say_turns(const char* work, const unsigned* log, int blocks) {
    std::vector<unsigned> all(std::size_t(blocks) * 8 * (kMarks + 2));
    CHECK(cudaMemcpy(all.data(), log, all.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    unsigned first = 0;
    bool found = false;
    for (std::size_t i = 0; i < all.size(); i += kMarks + 2)
        if (all[i] == kSm && (!found || static_cast<int>(all[i + 1] - first) < 0)) first = all[i + 1], found = true;
    for (std::size_t i = 0; i < all.size(); i += kMarks + 2) {
        if (all[i] != kSm) continue;
        const auto warp = i / (kMarks + 2);
        std::printf(
            "{\"what\": \"turns\", \"work\": \"%s\", \"block\": %zu, \"warp\": %zu, \"begin\": %u, \"marks\": [", work,
            warp / 8, warp % 8, all[i + 1] - first);
        for (int mark = 0; mark < kMarks; ++mark) std::printf(mark != 0 ? ", %u" : "%u", all[i + 2 + mark] - first);
        std::printf("]}\n");
    }
}

template <Work work>
void run_turns(unsigned* log, const float* data) {
    turns<work><<<132 * 8, 256>>>(log, data, 20);  // the second one counts: code and tables are at hand
    turns<work><<<132 * 8, 256>>>(log, data, 20);
    say_turns(kNames[work], log, 132 * 8);
}

void say_order(const std::vector<uint4>& all, int warps, int first_blocks, unsigned cycles, unsigned spread) {
    std::vector<double> behind[2] = {std::vector<double>(warps), std::vector<double>(warps)};
    const int blocks = static_cast<int>(all.size()) / warps;
    for (int b = 0; b < blocks; ++b) {
        const uint4* of = &all[std::size_t(b) * warps];
        int first = 0;
        for (int w = 0; w < warps; ++w) first = std::min(first, static_cast<int>(of[w].y - of->y));
        std::vector<double>& into = behind[b < first_blocks ? 0 : 1];
        for (int w = 0; w < warps; ++w) into[w] += static_cast<int>(of[w].y - of->y) - first;
    }
    std::printf("{\"what\": \"order\", \"threads\": %d, \"cycles\": %u, \"spread\": %u", 32 * warps, cycles, spread);
    for (const int later : {0, 1}) {
        std::printf(later != 0 ? ", \"later\": [" : ", \"first\": [");
        for (int w = 0; w < warps; ++w)
            std::printf(w != 0 ? ", %.1f" : "%.1f",
                        behind[later][w] / (later != 0 ? blocks - first_blocks : first_blocks));
        std::printf("]");
    }
    std::printf("}\n");
}

void run_pause(uint4* log, int threads, unsigned cycles, unsigned spread) {
    int per_sm = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, wait, threads, 0));
    const int blocks = 132 * per_sm * 8, warps = threads / 32;
    wait<<<blocks, threads>>>(log, cycles, spread);
    wait<<<blocks, threads>>>(log, cycles, spread);
    std::vector<uint4> all(std::size_t(blocks) * warps);
    CHECK(cudaMemcpy(all.data(), log, all.size() * sizeof(uint4), cudaMemcpyDeviceToHost));
    std::map<unsigned, std::vector<std::pair<unsigned, unsigned>>> by_sm;  // begins and ends
    std::vector<int> spans, pauses;
    for (int b = 0; b < blocks; ++b) {
        const uint4* of = &all[std::size_t(b) * warps];
        int first = 0, last = 0, end = static_cast<int>(of->z - of->y);
        for (int w = 0; w < warps; ++w) {
            first = std::min(first, static_cast<int>(of[w].y - of->y));
            last = std::max(last, static_cast<int>(of[w].y - of->y));
            end = std::max(end, static_cast<int>(of[w].z - of->y));
        }
        spans.push_back(last - first);
        by_sm[of->x].emplace_back(of->y + first, of->y + end);
    }
    for (auto& [sm, of] : by_sm) {
        unsigned zero = of[0].first;
        for (const auto& one : of)
            if (static_cast<int>(one.first - zero) < 0) zero = one.first;
        std::vector<unsigned> begins, ends;
        for (const auto& [begin, end] : of) begins.push_back(begin - zero), ends.push_back(end - zero);
        std::sort(begins.begin(), begins.end());
        std::sort(ends.begin(), ends.end());
        // The one that begins after all places were taken follows the first that ended, and so on.
        for (std::size_t i = per_sm; i < begins.size(); ++i)
            pauses.push_back(static_cast<int>(begins[i] - ends[i - per_sm]));
    }
    std::sort(pauses.begin(), pauses.end());
    std::sort(spans.begin(), spans.end());
    const auto at = [](const std::vector<int>& of, double share) { return of[std::size_t(share * (of.size() - 1))]; };
    std::printf(
        "{\"what\": \"pause\", \"threads\": %d, \"per_sm\": %d, \"cycles\": %u, \"spread\": %u, \"tenth\": %d, "
        "\"median\": %d, \"nine_tenths\": %d, \"warps\": %d}\n",
        threads, per_sm, cycles, spread, at(pauses, .1), at(pauses, .5), at(pauses, .9), at(spans, .5));
    if (warps > 1) say_order(all, warps, 132 * per_sm, cycles, spread);
}

void run_first_loads(unsigned* log, const char* data, int threads) {
    constexpr int kThreads = 8 << 20, kFirst = 2000;
    const int blocks = kThreads / threads, warps = threads / 32;
    for (int time = 0; time < 2; ++time) load_one<<<blocks, threads>>>(data, 0, log);
    std::vector<unsigned> all(kThreads / 32);
    CHECK(cudaMemcpy(all.data(), log, all.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    std::vector<double> behind(warps);
    for (int b = kFirst; b < blocks; ++b) {
        const unsigned* of = &all[std::size_t(b) * warps];
        int first = 0;
        for (int w = 0; w < warps; ++w) first = std::min(first, static_cast<int>(of[w] - of[0]));
        for (int w = 0; w < warps; ++w) behind[w] += static_cast<int>(of[w] - of[0]) - first;
    }
    std::printf("{\"what\": \"first loads\", \"threads\": %d, \"behind\": [", threads);
    for (int w = 0; w < warps; ++w) std::printf(w != 0 ? ", %.1f" : "%.1f", behind[w] / (blocks - kFirst));
    std::printf("]}\n");
}

void run_begins(uint4* log, int threads) {
    int per_sm = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, wait, threads, 0));
    const int blocks = 132 * per_sm, warps = threads / 32;
    for (int time = 0; time < 2; ++time) wait<<<blocks, threads>>>(log, 20000, 0);
    std::vector<uint4> all(std::size_t(blocks) * warps);
    CHECK(cudaMemcpy(all.data(), log, all.size() * sizeof(uint4), cudaMemcpyDeviceToHost));
    std::string sms, begins;
    for (int b = 0; b < blocks; ++b) {
        const uint4* of = &all[std::size_t(b) * warps];
        unsigned first = of->y;
        for (int w = 1; w < warps; ++w)
            if (static_cast<int>(of[w].y - first) < 0) first = of[w].y;
        sms += (b != 0 ? ", " : "") + std::to_string(of->x);
        begins += (b != 0 ? ", " : "") + std::to_string(first);
    }
    std::printf("{\"what\": \"begins\", \"threads\": %d, \"sms\": [%s], \"begins\": [%s]}\n", threads, sms.c_str(),
                begins.c_str());
}

}  // namespace

int main() {
    unsigned* log;
    float* data;
    CHECK(cudaMalloc(&log, 256 << 20));
    CHECK(cudaMalloc(&data, std::size_t{1} << 30));
    CHECK(cudaMemset(data, 0, std::size_t{1} << 30));
    run_turns<kArithmetic>(log, data);
    run_turns<kShared>(log, data);
    run_turns<kCached>(log, data);
    run_turns<kStreamed>(log, data);
    product<<<dim3(32, 32), dim3(16, 16)>>>(data, data, data + (1 << 20), 512, log);
    product<<<dim3(32, 32), dim3(16, 16)>>>(data, data, data + (1 << 20), 512, log);
    say_turns("tiled product", log, 32 * 32);
    for (const int threads : {32, 64, 128, 256, 1024})
        for (const unsigned cycles : {500u, 3000u, 20000u})
            for (const unsigned spread : {0u, cycles})
                run_pause(reinterpret_cast<uint4*>(log), threads, cycles, spread);
    for (const int threads : {64, 256, 1024}) run_begins(reinterpret_cast<uint4*>(log), threads);
    for (const int threads : {64, 128, 256, 512}) run_first_loads(log, reinterpret_cast<const char*>(data), threads);
    CHECK(cudaDeviceSynchronize());
}
