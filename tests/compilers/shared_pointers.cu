// Pointers to shared memory: none is null, wherever the variable stands and however the pointer is made, and a null
// pointer stays one. Addresses are those of an H200 (bench/hardware/shared_window.cu).
#include <cooperative_groups.h>

#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;

struct Scratch {
    int* sums;
    __device__ explicit Scratch(int* s) : sums(s) {}
    __device__ bool there() const { return sums != nullptr; }
};
__device__ __forceinline__ void put(int* p, int value) {
    if (p != nullptr) p[threadIdx.x] = value;
}
__device__ __noinline__ int first_of(const int* p) { return p ? p[0] : -1; }

extern __shared__ int dynamic[];

__global__ void null_checks(int* seen, int* none) {
    __shared__ int first[32], second[32];
    first[threadIdx.x] = second[threadIdx.x] = dynamic[threadIdx.x] = -1;
    __syncwarp();
    put(first, threadIdx.x);
    put(threadIdx.x % 2 ? second : none, threadIdx.x);
    put(dynamic, threadIdx.x);
    __syncwarp();
    int* const either = threadIdx.x % 3 == 0 ? first : threadIdx.x % 3 == 1 ? none : dynamic;
    seen[threadIdx.x] = first[threadIdx.x] + (second[threadIdx.x] << 8) + (dynamic[threadIdx.x] << 16);
    seen[32 + threadIdx.x] = Scratch(first).there() + 2 * Scratch(dynamic).there() + 4 * Scratch(none).there() +
                             8 * Scratch(either).there() + 16 * (first_of(either) + 1);
}

__device__ std::uint64_t to_shared(const void* p) {
    std::uint64_t address;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(p));
    return address;
}

__global__ void addresses(std::uint64_t* seen, void* none) {
    __shared__ int first[4];
    first[threadIdx.x] = dynamic[threadIdx.x] = 1;
    seen[0] = __cvta_generic_to_shared(first);
    seen[1] = __cvta_generic_to_shared(dynamic);
    seen[2] = to_shared(none);
    // An integer made of a pointer, and back.
    const auto at = reinterpret_cast<std::uintptr_t>(first);
    auto* const back = reinterpret_cast<char*>(at + 2 * sizeof(int)) - 1 * sizeof(int);
    seen[3] = __cvta_generic_to_shared(back);
    seen[4] = __isShared(first) + 2 * __isShared(none) + 4 * __isGlobal(first) + 8 * __isLocal(first);
    seen[5] = first[0] + dynamic[0];
}

// Tiles of two warps that the program gives no memory to.
__global__ void wide(int* seen) {
    __shared__ cg::block_tile_memory<128> memory;
    const cg::thread_block block = cg::this_thread_block(memory);
    const auto tile = cg::tiled_partition<64>(block);
    seen[threadIdx.x] = tile.shfl(static_cast<int>(threadIdx.x), 33) + 1000 * tile.thread_rank();
}

int failures = 0;
void check(const char* what, bool right) {
    printf("%s %s\n", right ? "PASS" : "FAIL", what);
    failures += !right;
}

int main() {
    int* seen;
    std::uint64_t* places;
    cudaMallocManaged(&seen, 128 * sizeof(int));
    cudaMallocManaged(&places, 8 * sizeof(std::uint64_t));
    null_checks<<<1, 32, 128>>>(seen, nullptr);
    bool right = cudaDeviceSynchronize() == cudaSuccess, there = right;
    for (int i = 0; i < 32; ++i) {
        const int second = i % 2 ? i : -1, either = i % 3 == 1 ? 0 : 1;
        right = right && seen[i] == i + (second << 8) + (i << 16);
        there = there && seen[32 + i] == 3 + 8 * either + 16 * either * 1;
    }
    check("stores behind a check", right);
    check("pointers that are there", there);
    addresses<<<1, 1, 16>>>(places, nullptr);
    right = cudaDeviceSynchronize() == cudaSuccess;
    const std::uint64_t wanted[] = {0x400, 0x410, 0, 0x404, 1, 2};
    for (int i = 0; i < 6; ++i) right = right && places[i] == wanted[i];
    check("addresses", right);
    wide<<<1, 128>>>(seen);
    right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < 128; ++i) right = right && seen[i] == i / 64 * 64 + 33 + 1000 * (i % 64);
    check("wide tiles", right);
    return failures != 0;
}
