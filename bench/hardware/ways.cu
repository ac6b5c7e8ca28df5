// How fast accesses leave SMs for L2, by how many SMs ask and how many lanes lie side by side: each warp stores to,
// loads from or updates groups of neighbouring words at random places of 8 MiB, which fit into L2. Then stores of all
// SMs by how much memory they go to, at random and down columns: lanes a row apart, a warp's next store beside its
// last, as a matrix is transposed. No counters; prints a JSON line a case: {"op", "sms", "group": lanes side by side,
// aligned, "mib", "cycles": of an SM for one group, by the difference of two lengths, at 1.98 GHz}, down columns with
// "row": bytes.
#include <algorithm>
#include <cstdint>

#include "../../examples/check.h"

enum Op { kLoad, kStore, kReduce, kAtomic };

__device__ unsigned mix(unsigned x) {
    x = (x ^ x >> 16) * 0x7feb352d;
    x = (x ^ x >> 15) * 0x846ca68b;
    return x ^ x >> 16;
}

template <Op kOp>
__global__ void __launch_bounds__(1024)
    walk(unsigned* cells, unsigned mask, unsigned group, int turns, unsigned* sink) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
#pragma unroll 4
    for (int turn = 0; turn < turns; ++turn) {
        const unsigned place = (mix(thread / group * 977 + turn * 0x9e3779b9u) * group + thread % group) & mask;
        if (kOp == kLoad) sum += __ldcg(cells + place);
        if (kOp == kStore) __stcg(cells + place, thread);
        if (kOp == kReduce) atomicAdd(cells + place, thread | 1);
        if (kOp == kAtomic) sum += atomicAdd(cells + place, thread | 1);
    }
    if (sum == 0x12345) *sink = sum;
}

template <Op kOp>
void measure(const char* name, unsigned* cells) {
    constexpr unsigned kWords = 1u << 21;
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    const auto time = [&](int sms, unsigned group, int turns) {
        float least = 1e9f;
        for (int run = 0; run < 4; ++run) {
            float ms = 0;
            CHECK(cudaEventRecord(from));
            walk<kOp><<<sms, 1024>>>(cells, kWords - 1, group, turns, cells + kWords);
            CHECK(cudaEventRecord(to));
            CHECK(cudaEventSynchronize(to));
            CHECK(cudaEventElapsedTime(&ms, from, to));
            least = std::min(least, ms);
        }
        return least * 1e-3;
    };
    for (const int sms : {1, 8, 33, 66, 99, 132})
        for (const unsigned group : {1u, 4u, 8u, 16u, 32u}) {
            constexpr int kShort = 128, kLong = 640;
            const double seconds = time(sms, group, kLong) - time(sms, group, kShort);
            std::printf("{\"op\": \"%s\", \"sms\": %d, \"group\": %u, \"cycles\": %.2f}\n", name, sms, group,
                        seconds * 1.98e9 / ((kLong - kShort) * 1024.0 / group));
        }
}

template <Op kOp>
float least_ms(int sms, unsigned* cells, unsigned words, unsigned group, int turns) {
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    float least = 1e9f;
    for (int run = 0; run < 4; ++run) {
        float ms = 0;
        CHECK(cudaEventRecord(from));
        walk<kOp><<<sms, 1024>>>(cells, words - 1, group, turns, cells);
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        least = std::min(least, ms);
    }
    return least;
}

// Each warp writes `kWords` side by side to each of 32 rows, one after another.
template <typename Word>
__global__ void __launch_bounds__(1024) columns(Word* cells, unsigned per_row, unsigned rows, int turns) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const unsigned warps = gridDim.x * blockDim.x / 32;
    constexpr unsigned kRun = 32;
    for (int turn = 0; turn < turns; turn += kRun) {
        const unsigned tile = (turn / kRun * warps + warp) % (rows / 32 * (per_row / kRun));
        Word* at = cells + static_cast<std::size_t>(tile / (per_row / kRun) * 32 + lane) * per_row +
                   tile % (per_row / kRun) * kRun;
#pragma unroll 8
        for (unsigned i = 0; i < kRun; ++i) {
            Word w{};
            reinterpret_cast<unsigned&>(w) = turn + i;
            at[i] = w;
        }
    }
}

// As a matrix is transposed without tiles: neighbouring warps write neighbouring columns.
__global__ void __launch_bounds__(1024) transposed(unsigned* cells, unsigned per_row, unsigned rows) {
    const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    cells[static_cast<std::size_t>(x) * per_row + y] = x + y;
}

template <typename Launch>
float least_of(const Launch& launch) {
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    float least = 1e9f;
    for (int run = 0; run < 5; ++run) {
        float ms = 0;
        CHECK(cudaEventRecord(from));
        launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        least = std::min(least, ms);
    }
    return least;
}

template <typename Word>
void down_columns(unsigned* cells) {
    for (const unsigned per_row : {256u, 1024u, 4096u}) {
        for (const unsigned mib : {4u, 16u, 64u, 256u}) {
            const unsigned row = per_row * sizeof(Word), rows = (mib << 20) / row;
            if (rows < 32) continue;
            const auto time = [&](int turns) {
                return least_of([&] { columns<<<132, 1024>>>(reinterpret_cast<Word*>(cells), per_row, rows, turns); });
            };
            const double seconds = (time(1280) - time(256)) * 1e-3;
            std::printf(
                "{\"op\": \"columns\", \"sms\": 132, \"group\": %u, \"mib\": %u, \"row\": %u, \"cycles\": %.2f}\n",
                static_cast<unsigned>(sizeof(Word) / 4), mib, row, seconds * 1.98e9 / (1024.0 * 1024.0));
        }
    }
}

int main(int argc, char** argv) {
    unsigned* cells = nullptr;
    CHECK(cudaMalloc(&cells, (std::size_t{1} << 28) + 4));
    CHECK(cudaMemset(cells, 0, (std::size_t{1} << 28) + 4));
    measure<kLoad>("load", cells);  // the first launches find the card at rest
    if (argc == 1) {
        measure<kLoad>("load", cells);
        measure<kStore>("store", cells);
        measure<kReduce>("reduction", cells);
        measure<kAtomic>("atomic add", cells);
    }
    for (const unsigned mib : {1u, 4u, 16u, 32u, 64u, 256u})
        for (const unsigned group : {1u, 4u, 8u, 16u, 32u}) {
            constexpr int kShort = 128, kLong = 640;
            const unsigned words = mib << 18;
            const double seconds = (least_ms<kStore>(132, cells, words, group, kLong) -
                                    least_ms<kStore>(132, cells, words, group, kShort)) *
                                   1e-3;
            std::printf("{\"op\": \"store\", \"sms\": 132, \"group\": %u, \"mib\": %u, \"cycles\": %.2f}\n", group, mib,
                        seconds * 1.98e9 / ((kLong - kShort) * 1024.0 / group));
        }
    down_columns<unsigned>(cells);
    down_columns<uint2>(cells);
    down_columns<uint4>(cells);
    for (const unsigned side : {512u, 1024u, 2048u, 4096u, 8192u})
        for (const unsigned high : {1u, 4u, 8u, 32u}) {
            const float ms =
                least_of([&] { transposed<<<dim3(side / 32, side / high), dim3(32, high)>>>(cells, side, side); });
            std::printf(
                "{\"op\": \"transposed\", \"sms\": 132, \"group\": 1, \"mib\": %u, \"row\": %u, \"high\": %u, "
                "\"cycles\": %.2f}\n",
                side / 1024 * side / 1024 * 4, side * 4, high,
                (ms * 1e-3 - 2.4e-6) * 1.98e9 / (static_cast<double>(side) * side / 132));
        }
    return 0;
}
