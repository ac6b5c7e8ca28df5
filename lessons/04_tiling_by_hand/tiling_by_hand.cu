// A tiled matrix product small enough to follow every access of every thread.
//
//   tiling_by_hand tiles [WIDTH [TILE]]    tiles of 2 or 4: matrices of 4 × 4 and tiles of 2 × 2 if not said
//   tiling_by_hand naive [WIDTH]           each thread reads all that it needs itself
//
// Build it alone: nvcc -std=c++17 tiling_by_hand.cu
#include "../lesson.h"

// P = M · N, all of them width × width, row by row. The block computes a square of P, kTile × kTile, one element a
// thread.
template <int kTile>
__global__ void tiled(const float* M, const float* N, float* P, int width) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty;
    int col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int ph = 0; ph < width / kTile; ++ph) {
        Mds[ty][tx] = M[row * width + ph * kTile + tx];    // [load M]
        Nds[ty][tx] = N[(ph * kTile + ty) * width + col];  // [load N]
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += Mds[ty][k] * Nds[k][tx];  // [sum]
        __syncthreads();
    }
    P[row * width + col] = sum;
}

__global__ void naive(const float* M, const float* N, float* P, int width) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
}

int main(int argc, char** argv) {
    const bool tiles = argc < 2 || is(argv[1], "tiles");
    const int width = argc > 2 ? std::atoi(argv[2]) : 4, tile = argc > 3 ? std::atoi(argv[3]) : 2;
    if ((!tiles && !is(argv[1], "naive")) || (tile != 2 && tile != 4) || width < tile || width > 256 || width % tile) {
        std::fprintf(stderr, "usage: %s [tiles [WIDTH [2|4]]|naive [WIDTH]], the width a multiple of the tile\n",
                     argv[0]);
        return 1;
    }
    const std::size_t elements = static_cast<std::size_t>(width) * width;
    const std::vector<float> M = eighths(elements, 1), N = eighths(elements, 2);
    std::vector<float> want(elements);
    for (int row = 0; row < width; ++row)
        for (int k = 0; k < width; ++k)
            for (int col = 0; col < width; ++col) want[row * width + col] += M[row * width + k] * N[k * width + col];

    float *d_M = to_device(M), *d_N = to_device(N), *d_P = device_buffer<float>(elements);
    const dim3 block(tile, tile), grid(width / tile, width / tile);
    launch(tiles ? "tiles" : "naive", [&] {
        if (!tiles)
            naive<<<grid, block>>>(d_M, d_N, d_P, width);
        else if (tile == 2)
            tiled<2><<<grid, block>>>(d_M, d_N, d_P, width);
        else
            tiled<4><<<grid, block>>>(d_M, d_N, d_P, width);
    });
    Verdict verdict;
    verdict.equal(tiles ? "tiles" : "naive", to_host(d_P, elements), want);
    return verdict.status();
}
