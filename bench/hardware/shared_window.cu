// Where shared memory lies in its window, what is reserved there, and what conversions of addresses make of any value.
// Each part runs in a process of its own: `shared_window sizes`, `alignments`, `conversions`, `reserved`, `store`.
#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace cg = cooperative_groups;
using Word = unsigned long long;

#define CHECK(call)                                             \
    do {                                                        \
        if (const cudaError_t error = (call)) {                 \
            printf("%s: %s\n", #call, cudaGetErrorName(error)); \
            exit(1);                                            \
        }                                                       \
    } while (0)
#define SPECIAL(place, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(place))

extern __shared__ char dynamic[];

template <int Bytes>
__global__ void sizes(unsigned* seen, int zero) {
    __shared__ char fixed[Bytes ? Bytes : 1];
    if (Bytes) fixed[zero] = 1;
    if (zero < 0) dynamic[zero] = 2;
    SPECIAL(seen[0], "total_smem_size");
    SPECIAL(seen[1], "dynamic_smem_size");
    SPECIAL(seen[2], "aggr_smem_size");
    SPECIAL(seen[3], "reserved_smem_offset_begin");
    SPECIAL(seen[4], "reserved_smem_offset_end");
    SPECIAL(seen[5], "reserved_smem_offset_cap");
    SPECIAL(seen[6], "reserved_smem_offset_0");
    SPECIAL(seen[7], "reserved_smem_offset_1");
    seen[8] = Bytes ? static_cast<unsigned>(__cvta_generic_to_shared(fixed)) : 0;
    seen[9] = static_cast<unsigned>(__cvta_generic_to_shared(dynamic));
    seen[10] = Bytes ? fixed[zero] : 0;
}

template <int Bytes>
void show_sizes(unsigned* seen) {
    CHECK(cudaFuncSetAttribute(sizes<Bytes>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    for (int bytes : {1, 16, 100, 128, 1000, 40000, 100000}) {
        sizes<Bytes><<<1, 1, bytes>>>(seen, 0);
        CHECK(cudaDeviceSynchronize());
        printf("static %d dynamic %d: total %u dynamic %u aggregate %u, reserved %u %u %u %u %u, at %#x %#x\n", Bytes,
               bytes, seen[0], seen[1], seen[2], seen[3], seen[4], seen[5], seen[6], seen[7], seen[8], seen[9]);
    }
}

template <int Align>
__global__ void fixed_place(unsigned* seen, int zero) {
    __shared__ char first[5];
    __shared__ __align__(Align) char second[3];
    first[zero] = second[zero] = 1;
    seen[0] = static_cast<unsigned>(__cvta_generic_to_shared(first));
    seen[1] = static_cast<unsigned>(__cvta_generic_to_shared(second));
}

template <int Align>
void show_place(unsigned* seen) {
    fixed_place<Align><<<1, 1>>>(seen, 0);
    CHECK(cudaDeviceSynchronize());
    printf("5 bytes at %#x, aligned to %d at %#x\n", seen[0], Align, seen[1]);
}

__global__ void conversions(const Word* values, int count, Word* seen) {
    Word window, local;
    const Word null = values[0];
    asm volatile("cvta.shared.u64 %0, %1;" : "=l"(window) : "l"(null));
    asm volatile("cvta.local.u64 %0, %1;" : "=l"(local) : "l"(null));
    for (int i = 0; i < count; ++i) {
        Word value = values[2 * i], to;
        if (values[2 * i + 1] == 1) value += window;
        if (values[2 * i + 1] == 2) value += local;
        Word* row = seen + 8 * i;
        row[0] = value;
#define CONVERT(place, name)                                   \
    asm volatile(name ".u64 %0, %1;" : "=l"(to) : "l"(value)); \
    row[place] = to
        CONVERT(1, "cvta.shared");
        CONVERT(2, "cvta.to.shared");
        CONVERT(3, "cvta.local");
        CONVERT(4, "cvta.to.local");
        CONVERT(5, "cvta.global");
        unsigned bits = 0, is;
#define ASK(bit, name)                                                                                        \
    asm volatile("{ .reg .pred p; isspacep." name " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(value)); \
    bits |= is << bit
        ASK(0, "global");
        ASK(1, "shared");
        ASK(2, "shared::cta");
        ASK(3, "shared::cluster");
        ASK(4, "local");
        row[6] = bits;
    }
}

__global__ void read_window(unsigned* seen) {
    __shared__ int own[1];
    own[0] = 1;
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(seen[blockIdx.x * 256 + i]) : "r"(i * 4) : "memory");
    seen[512] = own[0];
}
__global__ void write_window(unsigned* seen) {
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(i * 4), "r"(i + 1) : "memory");
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(seen[i]) : "r"(i * 4) : "memory");
}
__global__ void wide_tiles(unsigned* seen) {
    __shared__ cg::block_tile_memory<128> memory;
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    seen[threadIdx.x] = tile.shfl(threadIdx.x, 33);
    if (threadIdx.x == 0) seen[128] = sizeof memory;
}

void show_window(const char* when, unsigned* seen) {
    read_window<<<2, 64>>>(seen);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 512; ++i)
        if (seen[i] != 0) printf("%s: block %d has %u at %#x\n", when, i / 256, seen[i], i % 256 * 4);
}

int main(int count, char** words) {
    const std::string part = count > 1 ? words[1] : "";
    unsigned* seen;
    CHECK(cudaMallocManaged(&seen, 1 << 16));
    if (part == "sizes") {
        show_sizes<0>(seen);
        show_sizes<16>(seen);
        show_sizes<1000>(seen);
        show_sizes<8192>(seen);
    } else if (part == "alignments") {
        show_place<16>(seen);
        show_place<128>(seen);
        show_place<1024>(seen);
        show_place<2048>(seen);
        show_place<4096>(seen);
    } else if (part == "conversions") {
        // A value, and whether it counts from nothing, from the window of shared or from that of local memory.
        const std::vector<Word> values = {0,     0, 0x400,    0, ~Word{0},  0, 0x123456789abcdef0, 0, 0,           1,
                                          0x3ff, 1, 0xffffff, 1, 0x1000000, 1, 0xffffffff,         1, 0x100000000, 1,
                                          0,     2, 0xffffff, 2, 0x1000000, 2};
        Word *from, *to;
        CHECK(cudaMallocManaged(&from, values.size() * sizeof(Word)));
        CHECK(cudaMallocManaged(&to, values.size() * 4 * sizeof(Word)));
        std::copy(values.begin(), values.end(), from);
        conversions<<<1, 1>>>(from, static_cast<int>(values.size() / 2), to);
        CHECK(cudaDeviceSynchronize());
        for (std::size_t i = 0; i < values.size() / 2; ++i, to += 8)
            printf("%#llx: shared %#llx, back %#llx; local %#llx, back %#llx; global %#llx; spaces %#llx\n", to[0],
                   to[1], to[2], to[3], to[4], to[5], to[6]);
    } else if (part == "reserved") {
        show_window("at first", seen);
        wide_tiles<<<1, 128>>>(seen);
        CHECK(cudaDeviceSynchronize());
        printf("wide tiles: %u %u, %u bytes\n", seen[0], seen[64], seen[128]);
        show_window("after wide tiles", seen);
    } else if (part == "store") {
        write_window<<<1, 64>>>(seen);
        CHECK(cudaDeviceSynchronize());
        int kept = 0;
        for (unsigned i = 0; i < 256; ++i) kept += seen[i] == i + 1;
        printf("kept %d of 256 words below a block's own\n", kept);
    } else {
        puts("usage: shared_window sizes | alignments | conversions | reserved | store");
        return 1;
    }
}
