// A tiled matrix product with each of its two barriers taken away, and with both.
//
// check: races
// case right: clean
// case right_small: clean
// case no_first_barrier: race shared read-after-write LOAD_M USE; race shared read-after-write LOAD_N USE
// case no_second_barrier: race shared write-after-read LOAD_M USE; race shared write-after-read LOAD_N USE
// case no_barrier: race shared LOAD_M USE; race shared LOAD_N USE
// case no_second_barrier_small: race shared write-after-read LOAD_M USE; race shared write-after-read LOAD_N USE
#include <cstring>

constexpr int kWidth = 32;
__device__ float m[kWidth * kWidth], n[kWidth * kWidth], p[kWidth * kWidth];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof m / sizeof m[0]; i += blockDim.x) m[i] = 3 * i + 1;
    for (int i = threadIdx.x; i < sizeof n / sizeof n[0]; i += blockDim.x) n[i] = 3 * i + 1;
}

template <int kTile, bool kFirst, bool kSecond>
__global__ void tiled() {
    __shared__ float ms[kTile][kTile], ns[kTile][kTile];
    const int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int phase = 0; phase < kWidth / kTile; ++phase) {
        ms[threadIdx.y][threadIdx.x] = m[row * kWidth + phase * kTile + threadIdx.x];    // @LOAD_M
        ns[threadIdx.y][threadIdx.x] = n[(phase * kTile + threadIdx.y) * kWidth + col];  // @LOAD_N
        if (kFirst) __syncthreads();
        for (int k = 0; k < kTile; ++k) {
            sum += ms[threadIdx.y][k] * ns[k][threadIdx.x];  // @USE
        }
        if (kSecond) __syncthreads();
    }
    p[row * kWidth + col] = sum;
}

template <int kTile, bool kFirst, bool kSecond>
void launch() {
    tiled<kTile, kFirst, kSecond><<<dim3(kWidth / kTile, kWidth / kTile), dim3(kTile, kTile)>>>();
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "right")) launch<16, true, true>();
    if (!strcmp(argv[1], "right_small")) launch<4, true, true>();
    if (!strcmp(argv[1], "no_first_barrier")) launch<16, false, true>();
    if (!strcmp(argv[1], "no_second_barrier")) launch<16, true, false>();
    if (!strcmp(argv[1], "no_barrier")) launch<16, false, false>();
    if (!strcmp(argv[1], "no_second_barrier_small")) launch<4, true, false>();
    return cudaDeviceSynchronize();
}
