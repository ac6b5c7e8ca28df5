// Which reads of SMs are joined on their way to L2. Prints one JSON line a launch, for counters to be held against; run
// under ncu, which empties the caches before each.
//   {"what": "pair", "b", "warm", "offset", "lines"}: SM 2 and SM b each read a sector of so many lines, one after the
//   other;
//       the first one begins `offset` cycles after the other one gave the signal, which it hears some 400 cycles later.
//       `warm`: both parts of L2 have the lines.
//   {"what": "group", "sms", "lines"}: so many SMs of one GPC read them at once.
//   {"what": "blocks", "pattern", "blocks"}: one block an SM reads: all one sector; or each eight blocks the next
//   sector.
#include "../../examples/check.h"
#include "sm.h"

namespace {

constexpr unsigned kLines = 256, kLine = 128, kPeriod = 1500, kWholeSm = 200 * 1024;
struct Set {
    unsigned count;
    unsigned sm[16];
};
__device__ unsigned read(const char* place) {
    unsigned value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
    return value;
}

}  // namespace

// The first SM of the set gives the signal and begins `offset` cycles later, the others begin 2,000 cycles after they
// see it.
__global__ void meet(const char* data, Set set, unsigned offset, bool warm, volatile unsigned* flags, unsigned* sink) {
    if (threadIdx.x != 0) return;
    const unsigned me = sm_number();
    unsigned sum = 0;
    if (warm && (me == 4 || me == 6 || me == 8 || me == 10))  // of both parts, and of other GPCs
        for (unsigned i = 0; i < kLines; ++i) sum += read(data + i * kLine);
    int rank = -1;
    for (unsigned i = 0; i < set.count; ++i)
        if (set.sm[i] == me) rank = static_cast<int>(i);
    if (rank >= 0) {
        for (const unsigned begin = cycle(); warm && cycle() - begin < 600000;) {
        }
        atomicAdd(const_cast<unsigned*>(flags) + 1, 1);
        while (flags[1] < set.count) {
        }
        unsigned begin = 0;
        if (rank == 0) {
            for (const unsigned from = cycle(); cycle() - from < 3000;) {
            }
            flags[0] = 1;
            begin = cycle() + offset;
        } else {
            while (flags[0] == 0) {
            }
            begin = cycle() + 2000;
        }
        for (unsigned i = 0; i < kLines; ++i) {
            while (static_cast<int>(cycle() - (begin + i * kPeriod)) < 0) {
            }
            sum += read(data + i * kLine);
        }
    }
    if (sum == 12345) sink[me] = sum;
}

__global__ void one_sector(const unsigned* data, unsigned* sink) {
    if (data[0] == 12345) *sink = 1;
}
__global__ void next_sectors(const unsigned* data, unsigned* sink) {
    if (data[blockIdx.x / 8 * 8] == 12345) *sink = 1;
}

int main() {
    char* data;
    unsigned *flags, *sink, launches = 0;
    CHECK(cudaMalloc(&data, 1 << 20));
    CHECK(cudaMemset(data, 0, 1 << 20));
    CHECK(cudaMalloc(&flags, 1 << 20));
    CHECK(cudaMemset(flags, 0, 1 << 20));
    CHECK(cudaMalloc(&sink, 4096));
    CHECK(cudaFuncSetAttribute(meet, cudaFuncAttributeMaxDynamicSharedMemorySize, kWholeSm));
    CHECK(cudaFuncSetAttribute(one_sector, cudaFuncAttributeMaxDynamicSharedMemorySize, kWholeSm));
    CHECK(cudaFuncSetAttribute(next_sectors, cudaFuncAttributeMaxDynamicSharedMemorySize, kWholeSm));
    const auto launch = [&](const Set& set, unsigned offset, bool warm) {
        meet<<<132, 32, kWholeSm>>>(data, set, offset, warm, flags + 32 * launches++, sink);
        CHECK(cudaDeviceSynchronize());
    };
    for (const bool warm : {false, true})
        for (const unsigned b : {3u, 18u, 4u})
            for (unsigned offset = 1800; offset <= 3600; offset += warm ? 30 : 60) {
                launch({2, {2, b}}, offset, warm);
                std::printf("{\"what\": \"pair\", \"b\": %u, \"warm\": %d, \"offset\": %u, \"lines\": %u}\n", b, warm,
                            offset, kLines);
            }
    Set set{0, {2, 3, 18, 19, 34, 35, 50, 51, 64, 65, 78, 79, 92, 93, 106, 107}};
    for (set.count = 2; set.count <= 16; ++set.count) {
        launch(set, 2440, false);
        std::printf("{\"what\": \"group\", \"sms\": %u, \"lines\": %u}\n", set.count, kLines);
    }
    for (const int blocks : {2, 4, 8, 24, 40, 72, 132}) {
        one_sector<<<blocks, 256, kWholeSm>>>(reinterpret_cast<unsigned*>(data), sink);
        std::printf("{\"what\": \"blocks\", \"pattern\": \"one sector\", \"blocks\": %d}\n", blocks);
        next_sectors<<<blocks, 256, kWholeSm>>>(reinterpret_cast<unsigned*>(data), sink);
        std::printf("{\"what\": \"blocks\", \"pattern\": \"next sectors\", \"blocks\": %d}\n", blocks);
    }
    CHECK(cudaDeviceSynchronize());
}
