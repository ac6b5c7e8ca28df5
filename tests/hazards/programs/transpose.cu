// A tile written by rows and read by columns, with the barrier between and without, from less than a warp up.
//
// check: races
// case right_4: clean
// case right_8: clean
// case right_16: clean
// case right_32: clean
// case one_warp_barrier: clean
// case one_warp_syncwarp: clean
// case no_barrier_4: race shared read-after-write WRITE READ
// case no_barrier_8: race shared read-after-write WRITE READ
// case no_barrier_16: race shared read-after-write WRITE READ
// case no_barrier_32: race shared read-after-write WRITE READ
// case one_warp_nothing: race shared read-after-write WRITE_WARP READ_WARP
#include <cstring>

__device__ int in[1024], out[1024];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}

template <int kSide, bool kBarrier>
__global__ void transpose() {
    __shared__ int a[kSide][kSide];
    const int x = threadIdx.x, y = threadIdx.y;
    a[y][x] = in[y * kSide + x];  // @WRITE
    if (kBarrier) __syncthreads();
    out[y * kSide + x] = a[x][y];  // @READ
}

enum Order { kNothing, kBarrier, kWarpBarrier };
template <Order kOrder>
__global__ void one_warp() {
    __shared__ int a[4][8];
    const int t = threadIdx.x;
    a[t / 8][t % 8] = in[t];  // @WRITE_WARP
    if (kOrder == kBarrier) __syncthreads();
    if (kOrder == kWarpBarrier) __syncwarp();
    out[t] = a[t % 4][t / 4];  // @READ_WARP
}

template <int kSide, bool kHasBarrier>
void launch() {
    transpose<kSide, kHasBarrier><<<1, dim3(kSide, kSide)>>>();
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "right_4")) launch<4, true>();
    if (!strcmp(argv[1], "right_8")) launch<8, true>();
    if (!strcmp(argv[1], "right_16")) launch<16, true>();
    if (!strcmp(argv[1], "right_32")) launch<32, true>();
    if (!strcmp(argv[1], "no_barrier_4")) launch<4, false>();
    if (!strcmp(argv[1], "no_barrier_8")) launch<8, false>();
    if (!strcmp(argv[1], "no_barrier_16")) launch<16, false>();
    if (!strcmp(argv[1], "no_barrier_32")) launch<32, false>();
    if (!strcmp(argv[1], "one_warp_barrier")) one_warp<kBarrier><<<1, 32>>>();
    if (!strcmp(argv[1], "one_warp_syncwarp")) one_warp<kWarpBarrier><<<1, 32>>>();
    if (!strcmp(argv[1], "one_warp_nothing")) one_warp<kNothing><<<1, 32>>>();
    return cudaDeviceSynchronize();
}
