// Every place where nvcc takes an alignment: variables in shared, constant, device and managed memory, members, types,
// templates and macros.
#include <cstdint>
#include <cstdio>

#define SHARED(bytes) __shared__ alignas(bytes)
#define ALIGNED(bytes) alignas(bytes)
#define IN_SHARED __shared__

using Barrier = std::uint64_t;
struct Pair {
    float a, b;
};
template <class T, int N>
struct Tile {
    alignas(64) T rows[N];
};
typedef struct __builtin_align__(8) {
    float re, im;
}
Complex;
struct Behind {
    char first;
    int second alignas(16);
    int third[2] alignas(32);
};
static_assert(sizeof(Behind) == 64 && alignof(Behind) == 32, "an alignment behind the name or the array counts");
static_assert(alignof(Complex) == 8, "of all members together");

__device__ alignas(128) Pair on_device;
__constant__ alignas(64) float in_constant[3] = {1, 2, 3};
__managed__ alignas(32) int managed = 5;

constexpr int kChecks = 17;

template <class T>
__device__ void typed(int* wrong) {
    __shared__ alignas(sizeof(T) * 4) T four[4];
    __shared__ alignas(Tile<T, 2>) unsigned char room[sizeof(Tile<T, 2>)];
    wrong[0] = reinterpret_cast<std::uintptr_t>(four) % (sizeof(T) * 4);
    wrong[1] = reinterpret_cast<std::uintptr_t>(room) % 64;
}

__global__ void check(int* wrong) {
    __shared__ char odd[3];
    __shared__ alignas(8) std::uint64_t bar;
    __shared__ alignas(8) Barrier bars[2];
    __shared__ alignas(16) Pair pair;
    __shared__ alignas(16) struct Pair elaborated;
    __shared__ alignas(128) Tile<float, 8> tile;
    __shared__ /* for TMA */ alignas(1024) unsigned char bytes[32];
    __shared__ [[maybe_unused]] alignas(8) unsigned long long marked;
    __shared__ alignas(8) alignas(16) int twice[4];
    __shared__ int behind[4] alignas(16);
    SHARED(64) float from_macro;
    __shared__ ALIGNED(256) float from_word;
    IN_SHARED alignas(32) Tile<char, 3> by_name;
    ALIGNED(16) char local[3] = {};
    static constexpr int kBytes[] = {8, 8, 16, 16, 128, 1024, 8, 16, 16, 64, 256, 32, 16, 128, 64};
    const void* const all[] = {&bar,   bars,        &pair,      &elaborated, &tile, bytes,      &marked,    twice,
                               behind, &from_macro, &from_word, &by_name,    local, &on_device, in_constant};
    odd[threadIdx.x] = 1;
    for (int i = 0; i < 15; ++i) wrong[i] = reinterpret_cast<std::uintptr_t>(all[i]) % kBytes[i];
    typed<double>(wrong + 15);
    managed += odd[0];
}

int main() {
    int* wrong = nullptr;
    cudaMallocManaged(&wrong, kChecks * sizeof(int));
    check<<<1, 1>>>(wrong);
    bool right = cudaDeviceSynchronize() == cudaSuccess && managed == 6;
    for (int i = 0; i < kChecks; ++i)
        if (wrong[i] != 0) {
            std::printf("check %d: %d bytes behind the boundary\n", i, wrong[i]);
            right = false;
        }
    std::puts(right ? "PASS alignments" : "FAIL alignments");
    return right ? 0 : 1;
}
