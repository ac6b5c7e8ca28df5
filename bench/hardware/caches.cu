// What L1 and L2 keep, fetch and write back: kernels for the profiler to count, each starting with cold caches. Prints
// one JSON line a launch, in order: {"what", and the figures it was launched with}.
//
// Every kernel that works in rounds has all blocks wait for each other between two of them, so that what a round finds
// is what the rounds before left.
//
// usage: caches [l2] [fetch] [stores] [l1]     all parts, when none is named
#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "../../examples/check.h"

namespace cg = cooperative_groups;

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kBuffer = 512 * kMiB;
constexpr int kThreads = 1024;
constexpr unsigned kSector = 32, kLine = 128;

enum class Through { kL1, kL2 };

template <Through through>
__device__ unsigned load(const char* at) {
    unsigned v;
    if (through == Through::kL1)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    else
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}
template <Through through>
__device__ uint4 load16(const char* at) {
    uint4 v;
    if (through == Through::kL1)
        asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(at)
                     : "memory");
    else
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(at)
                     : "memory");
    return v;
}
__device__ void store1(char* at) { asm volatile("st.global.u8 [%0], %1;" ::"l"(at), "r"(7) : "memory"); }
__device__ void store4(char* at) { asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(7) : "memory"); }
__device__ void store16(char* at) {
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(7) : "memory");
}

// ---- What the L2 keeps ----------------------------------------------------------------------------------------------

// The set is cut into as many slices as there are blocks. In round r block b reads slice b + r * shift: shift 0 lets
// each SM read its own bytes again, another one those of another SM.
template <Through through>
__global__ void __launch_bounds__(kThreads)
    read_rounds(const char* set, std::size_t slice, int rounds, int shift, unsigned* out) {
    const cg::grid_group grid = cg::this_grid();
    unsigned sum = 0;
    for (int round = 0; round < rounds; ++round) {
        const char* from = set + (blockIdx.x + round * shift) % gridDim.x * slice;
        for (std::size_t i = threadIdx.x * std::size_t{16}; i < slice; i += kThreads * 16) {
            const uint4 v = load16<through>(from + i);
            sum += v.x ^ v.y ^ v.z ^ v.w;
        }
        grid.sync();
    }
    if (sum == 0x12345678) *out = sum;
}

// All blocks read the whole set; block b starts b * stagger bytes into it.
template <Through through>
__global__ void __launch_bounds__(kThreads)
    read_shared_set(const char* set, std::size_t bytes, std::size_t stagger, unsigned* out) {
    unsigned sum = 0;
    for (std::size_t i = threadIdx.x * std::size_t{16}; i < bytes; i += kThreads * 16) {
        const uint4 v = load16<through>(set + (i + blockIdx.x * stagger) % bytes);
        sum += v.x ^ v.y ^ v.z ^ v.w;
    }
    if (sum == 0x12345678) *out = sum;
}

// ---- What a miss fetches --------------------------------------------------------------------------------------------

// Thread t reads a word at t * stride + offset, and when all have done so one at t * stride + second, if that is not
// negative.
__global__ void touch(const char* set, std::size_t count, unsigned stride, unsigned offset, int second, unsigned* out) {
    const cg::grid_group grid = cg::this_grid();
    unsigned sum = 0;
    for (std::size_t t = grid.thread_rank(); t < count; t += grid.num_threads())
        sum += load<Through::kL2>(set + t * stride + offset);
    grid.sync();
    if (second >= 0)
        for (std::size_t t = grid.thread_rank(); t < count; t += grid.num_threads())
            sum += load<Through::kL2>(set + t * stride + second);
    if (sum == 0x12345678) *out = sum;
}

// ---- What stores cost -----------------------------------------------------------------------------------------------

// Each thread writes the first `bytes` of a sector of its own; then, if `read`, the set is read. 64 bytes: the whole
// sector by two neighbouring lanes of one instruction; 32: its halves by one thread, one after the other.
__global__ void write_sectors(char* set, std::size_t sectors, int bytes, bool read, unsigned* out) {
    const cg::grid_group grid = cg::this_grid();
    for (std::size_t t = grid.thread_rank(); t < sectors * (bytes == 64 ? 2 : 1); t += grid.num_threads()) {
        char* at = set + t * (bytes == 64 ? 16 : kSector);
        if (bytes == 1) store1(at);
        if (bytes == 4) store4(at);
        if (bytes >= 16) store16(at);
        if (bytes == 32) store16(at + 16);
    }
    if (!read) return;
    grid.sync();
    unsigned sum = 0;
    for (std::size_t t = grid.thread_rank(); t < sectors; t += grid.num_threads())
        sum += load<Through::kL2>(set + t * kSector + 4);
    if (sum == 0x12345678) *out = sum;
}

// ---- What the L1 keeps ----------------------------------------------------------------------------------------------

// Every warp of the block reads the same lines in the same order; if not `at_once`, one warp after the other.
__global__ void same_lines(const char* set, int lines, bool at_once, unsigned* out) {
    unsigned sum = 0;
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) {
        if (at_once || warp == threadIdx.x / 32)
            for (int i = 0; i < lines; ++i) sum += load<Through::kL1>(set + i * kLine + threadIdx.x % 32 * 4);
        __syncthreads();
        if (at_once) break;
    }
    if (sum == 0x12345678) *out = sum;
}

// One lane follows a ring of `cells` places for `steps` steps. Shared memory is only there to take its share of the L1.
__global__ void chase(const char* set, unsigned first, unsigned steps, unsigned* out) {
    unsigned at = first;
    for (unsigned i = 0; i < steps; ++i) at = load<Through::kL1>(set + at);
    *out = at;
}

enum class Fence { kNone, kBlock, kDevice, kSystem };

// One warp, lane l at line l, `lines` lines for each lane one after the other: perhaps a load, then a store, perhaps a
// fence, then a load of a word `away` bytes from the stored one.
__global__ void store_and_load(char* set, int lines, bool load_before, bool store, Fence fence, int away,
                               unsigned* out) {
    unsigned sum = 0;
    for (int i = 0; i < lines; ++i) {
        char* at = set + (i * 32 + threadIdx.x) * kLine;
        if (load_before) sum += load<Through::kL1>(at);
        if (store) store4(at + 0);
        if (fence == Fence::kBlock) __threadfence_block();
        if (fence == Fence::kDevice) __threadfence();
        if (fence == Fence::kSystem) __threadfence_system();
        sum += load<Through::kL1>(at + away);
    }
    if (sum == 0x12345678) *out = sum;
}

// One warp stores words with `stride` bytes between its lanes, `rounds` times, further on by `step` each time.
__global__ void store_rounds(char* set, int rounds, unsigned stride, unsigned step) {
    for (int i = 0; i < rounds; ++i) store4(set + i * step + threadIdx.x * stride);
}

// ---- The launches ---------------------------------------------------------------------------------------------------

class Programs {
public:
    Programs() {
        CHECK(cudaMalloc(&set_, kBuffer));
        CHECK(cudaMalloc(&out_, 64));
        CHECK(cudaMemset(set_, 1, kBuffer));
        CHECK(cudaDeviceGetAttribute(&sms_, cudaDevAttrMultiProcessorCount, 0));
    }

    template <Through through>
    void rounds(std::size_t mib, int rounds, int shift) {
        std::size_t slice = mib * kMiB / sms_ / 16384 * 16384;
        std::printf("{\"what\": \"rounds\", \"through\": \"%s\", \"bytes\": %zu, \"rounds\": %d, \"shift\": %d}\n",
                    name(through), slice * sms_, rounds, shift);
        together(read_rounds<through>, sms_, kThreads, set_, slice, rounds, shift, out_);
    }
    template <Through through>
    void shared_set(std::size_t kib, std::size_t stagger) {
        std::printf("{\"what\": \"same set\", \"through\": \"%s\", \"bytes\": %zu, \"stagger\": %zu, \"blocks\": %d}\n",
                    name(through), kib << 10, stagger, sms_);
        read_shared_set<through><<<sms_, kThreads>>>(set_, kib << 10, stagger, out_);
        done();
    }
    void touched(unsigned stride, unsigned offset, int second) {
        const std::size_t count = std::size_t{1} << 16;
        std::printf("{\"what\": \"touch\", \"count\": %zu, \"stride\": %u, \"offset\": %u, \"second\": %d}\n", count,
                    stride, offset, second);
        together(touch, sms_, kThreads, set_, count, stride, offset, second, out_);
    }
    void written(std::size_t mib, int bytes, bool read) {
        const std::size_t sectors = mib * kMiB / kSector;
        std::printf("{\"what\": \"write\", \"sectors\": %zu, \"bytes\": %d, \"read\": %s}\n", sectors, bytes,
                    read ? "true" : "false");
        together(write_sectors, sms_, kThreads, set_, sectors, bytes, read, out_);
    }
    // `cells` places, `stride` bytes apart, in the order given.
    void ring(unsigned shared_kib, unsigned cells, unsigned stride, bool random, unsigned rounds = 4) {
        std::vector<unsigned> order(cells);
        std::iota(order.begin(), order.end(), 0U);
        if (random) std::shuffle(order.begin(), order.end(), random_);
        std::vector<char> image(std::size_t{cells} * stride);
        for (unsigned i = 0; i < cells; ++i)
            *reinterpret_cast<unsigned*>(image.data() + std::size_t{order[i]} * stride) =
                order[(i + 1) % cells] * stride;
        CHECK(cudaMemcpy(set_, image.data(), image.size(), cudaMemcpyHostToDevice));
        // A block may have all but one of the SM's kilobytes; it is what makes the driver choose.
        const int dynamic = shared_kib == 0 ? 0 : static_cast<int>(shared_kib - 1) * 1024;
        CHECK(cudaFuncSetAttribute(chase, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic));
        CHECK(cudaFuncSetAttribute(
            chase, cudaFuncAttributePreferredSharedMemoryCarveout,
            shared_kib == 0 ? cudaSharedmemCarveoutMaxL1 : static_cast<int>(shared_kib * 100 / 228)));
        std::printf(
            "{\"what\": \"ring\", \"shared_kib\": %u, \"cells\": %u, \"stride\": %u, \"order\": \"%s\", \"rounds\": "
            "%u}\n",
            shared_kib, cells, stride, random ? "random" : "ascending", rounds);
        chase<<<1, 1, dynamic>>>(set_, order[0] * stride, cells * rounds, out_);
        done();
    }
    void same(int warps, bool at_once) {
        std::printf("{\"what\": \"same lines\", \"lines\": 256, \"warps\": %d, \"at_once\": %s}\n", warps,
                    at_once ? "true" : "false");
        same_lines<<<1, warps * 32>>>(set_, 256, at_once, out_);
        done();
    }
    void own_store(bool load_before, bool store, Fence fence, int away) {
        static constexpr const char* kFences[] = {"none", "block", "device", "system"};
        std::printf(
            "{\"what\": \"own store\", \"lines\": 256, \"load_before\": %s, \"store\": %s, \"fence\": \"%s\", "
            "\"away\": %d}\n",
            load_before ? "true" : "false", store ? "true" : "false", kFences[static_cast<int>(fence)], away);
        store_and_load<<<1, 32>>>(set_, 8, load_before, store, fence, away, out_);
        done();
    }
    void stores(unsigned stride, unsigned step) {
        std::printf("{\"what\": \"stores\", \"rounds\": 64, \"stride\": %u, \"step\": %u}\n", stride, step);
        store_rounds<<<1, 32>>>(set_, 64, stride, step);
        done();
    }

private:
    static const char* name(Through through) { return through == Through::kL1 ? "L1" : "L2"; }
    template <class... Parameters, class... Arguments>
    void together(void (*kernel)(Parameters...), int blocks, int threads, Arguments... given) {
        std::tuple<Parameters...> values(given...);
        std::apply(
            [&](auto&... value) {
                void* pointers[] = {&value...};
                CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), dim3(blocks), dim3(threads),
                                                  pointers, 0, nullptr));
            },
            values);
        done();
    }
    static void done() {
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        std::fflush(stdout);
    }

    char* set_ = nullptr;
    unsigned* out_ = nullptr;
    int sms_ = 0;
    std::mt19937 random_{1};
};

void what_the_l2_keeps(Programs& programs) {
    for (const std::size_t mib : {4, 8, 16, 24, 28, 32, 36, 40, 44, 48, 56, 64, 96}) {
        programs.rounds<Through::kL2>(mib, 1, 0);
        for (const int rounds : {2, 3, 4, 8}) programs.rounds<Through::kL2>(mib, rounds, 0);
        for (const int shift : {1, 66}) programs.rounds<Through::kL2>(mib, 2, shift);
    }
    for (const std::size_t mib : {8, 32, 64})
        for (const int rounds : {1, 2}) programs.rounds<Through::kL1>(mib, rounds, 0);
    for (const std::size_t kib : {256, 1024, 4096})
        for (const std::size_t stagger : {std::size_t{0}, std::size_t{16384}}) {
            programs.shared_set<Through::kL2>(kib, stagger);
            programs.shared_set<Through::kL1>(kib, stagger);
        }
}

void what_a_miss_fetches(Programs& programs) {
    for (const unsigned stride : {32, 64, 96, 128, 160, 256, 512, 1024, 2048, 4096}) programs.touched(stride, 0, -1);
    for (const unsigned offset : {32, 64, 96}) programs.touched(256, offset, -1);
    for (const int second : {0, 32, 64, 96, 128, 192, 256, 512}) programs.touched(1024, 0, second);
    for (const int second : {0, 32, 96}) programs.touched(1024, 64, second);
}

void what_stores_cost(Programs& programs) {
    for (const std::size_t mib : {8, 24, 48, 256})
        for (const int bytes : {1, 4, 16, 32, 64})
            for (const bool read : {false, true}) programs.written(mib, bytes, read);
}

void what_the_l1_keeps(Programs& programs) {
    for (const unsigned shared_kib : {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}) {
        const unsigned l1_kib = 256 - shared_kib;
        for (const unsigned percent : {50, 70, 75, 80, 84, 88, 92, 96, 100, 104, 108, 112, 120, 130, 150}) {
            const unsigned lines = l1_kib * 1024 / kLine * percent / 100;
            programs.ring(shared_kib, lines, kLine, true);
            if (shared_kib == 0 || shared_kib == 132)
                for (const unsigned rounds : {2, 3, 8}) programs.ring(shared_kib, lines, kLine, true, rounds);
            if (shared_kib == 0 || shared_kib == 132) {
                programs.ring(shared_kib, lines, kLine, false);
                programs.ring(shared_kib, lines * 4, kSector, true);
            }
        }
    }
    for (const unsigned stride : {256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536})
        for (const unsigned lines : {16, 64, 128, 256, 512, 1024}) programs.ring(0, lines, stride, false);
    for (const int warps : {1, 2, 4, 8, 16, 32})
        for (const bool at_once : {false, true}) programs.same(warps, at_once);
    for (const int away : {0, 4, 32}) {
        for (const bool load_before : {false, true}) {
            programs.own_store(load_before, true, Fence::kNone, away);
            programs.own_store(load_before, false, Fence::kNone, away);
        }
        for (const Fence fence : {Fence::kBlock, Fence::kDevice, Fence::kSystem})
            programs.own_store(true, false, fence, away);
    }
    for (const unsigned stride : {4, 8, 32, 128})
        for (const unsigned step : {0, 4, 32, 64, 128, 4096}) programs.stores(stride, step);
}

int main(int count, char** arguments) {
    struct {
        const char* name;
        void (*run)(Programs&);
    } const parts[] = {{"l2", what_the_l2_keeps},
                       {"fetch", what_a_miss_fetches},
                       {"stores", what_stores_cost},
                       {"l1", what_the_l1_keeps}};
    Programs programs;
    for (const auto& part : parts)
        if (count < 2 || std::find(arguments + 1, arguments + count, std::string(part.name)) != arguments + count)
            part.run(programs);
    return 0;
}
