// What tiles save, counted: a matrix product as the formula says, in tiles, and in tiles at two levels.
//
//   tiled_product naive TILE     each thread reads what it needs from global memory; blocks of TILE × TILE threads
//   tiled_product tiled TILE     the block's threads load tiles into shared memory together
//   tiled_product strips TILE    the same, and each thread keeps four sums in registers
//
// TILE is 8, 16 or 32; 16 if not said. Build it alone: nvcc -std=c++17 tiled_product.cu
#include "../lesson.h"

constexpr int kWidth = 256;
constexpr int kStrip = 4;

__global__ void naive(const float* M, const float* N, float* P) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < kWidth; ++k) sum += M[row * kWidth + k] * N[k * kWidth + col];  // [inner]
    P[row * kWidth + col] = sum;
}

template <int kTile>
__global__ void tiled(const float* M, const float* N, float* P) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty;
    int col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int ph = 0; ph < kWidth / kTile; ++ph) {
        Mds[ty][tx] = M[row * kWidth + ph * kTile + tx];    // [load M]
        Nds[ty][tx] = N[(ph * kTile + ty) * kWidth + col];  // [load N]
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += Mds[ty][k] * Nds[k][tx];  // [sum]
        __syncthreads();
    }
    P[row * kWidth + col] = sum;
}

// A thread computes kStrip elements of P, one below the other's tile: what it reads of Nds serves all of them. That is
// tiling once more, one level up: from shared memory into registers.
template <int kTile>
__global__ void strips(const float* M, const float* N, float* P) {
    __shared__ float Mds[kStrip * kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile * kStrip + ty;
    int col = blockIdx.x * kTile + tx;
    float sum[kStrip] = {};
    for (int ph = 0; ph < kWidth / kTile; ++ph) {
        for (int s = 0; s < kStrip; ++s) Mds[s * kTile + ty][tx] = M[(row + s * kTile) * kWidth + ph * kTile + tx];
        Nds[ty][tx] = N[(ph * kTile + ty) * kWidth + col];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) {
            float n = Nds[k][tx];                                                   // [once]
            for (int s = 0; s < kStrip; ++s) sum[s] += Mds[s * kTile + ty][k] * n;  // [four]
        }
        __syncthreads();
    }
    for (int s = 0; s < kStrip; ++s) P[(row + s * kTile) * kWidth + col] = sum[s];
}

template <int kTile>
static void start(const char* variant, const float* M, const float* N, float* P) {
    const dim3 block(kTile, kTile), grid(kWidth / kTile, kWidth / kTile);
    launch(variant, [&] {
        if (is(variant, "naive"))
            naive<<<grid, block>>>(M, N, P);
        else if (is(variant, "tiled"))
            tiled<kTile><<<grid, block>>>(M, N, P);
        else
            strips<kTile><<<dim3(grid.x, grid.y / kStrip), block>>>(M, N, P);
    });
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "naive";
    const int tile = argc > 2 ? std::atoi(argv[2]) : 16;
    if ((!is(variant, "naive") && !is(variant, "tiled") && !is(variant, "strips")) ||
        (tile != 8 && tile != 16 && tile != 32)) {
        std::fprintf(stderr, "usage: %s [naive|tiled|strips [8|16|32]]\n", argv[0]);
        return 1;
    }
    const std::size_t elements = std::size_t{kWidth} * kWidth;
    const std::vector<float> M = eighths(elements, 1), N = eighths(elements, 2);
    std::vector<float> want(elements);
    for (int row = 0; row < kWidth; ++row)
        for (int k = 0; k < kWidth; ++k)
            for (int col = 0; col < kWidth; ++col)
                want[row * kWidth + col] += M[row * kWidth + k] * N[k * kWidth + col];

    float *d_M = to_device(M), *d_N = to_device(N), *d_P = device_buffer<float>(elements);
    if (tile == 8)
        start<8>(variant, d_M, d_N, d_P);
    else if (tile == 16)
        start<16>(variant, d_M, d_N, d_P);
    else
        start<32>(variant, d_M, d_N, d_P);
    Verdict verdict;
    verdict.equal(variant, to_host(d_P, elements), want);
    return verdict.status();
}
