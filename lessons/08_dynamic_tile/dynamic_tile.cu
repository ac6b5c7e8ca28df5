// A tiled product whose tile is chosen when the program runs, from what the device offers.
//
//   dynamic_tile            the widest tile that fits what a block gets without asking
//   dynamic_tile BYTES      the widest tile that fits so many bytes of shared memory
//   dynamic_tile -BYTES     the same, and the launch asks for a float less than the kernel uses
//   dynamic_tile BYTES split    the same, and the array is split at an offset in bytes where one in floats is meant
//
// Build it alone: nvcc -std=c++17 dynamic_tile.cu
#include "../lesson.h"

constexpr int kWidth = 250;  // a multiple of no tile but 2

// One array, whose size the launch says, holds both tiles. Where the second one begins is the kernel's own business.
__global__ void product(const float* M, const float* N, float* P, int tile, bool in_bytes) {
    extern __shared__ float cells[];
    float* Mds = cells;                                       // tile × tile floats
    float* Nds = cells + tile * tile;                         // tile × tile floats behind them
    if (in_bytes) Nds = cells + tile * tile * sizeof(float);  // wrong: the pointer counts floats
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * tile + ty;
    int col = blockIdx.x * tile + tx;
    float sum = 0;
    for (int ph = 0; ph < (kWidth + tile - 1) / tile; ++ph) {
        int m_col = ph * tile + tx, n_row = ph * tile + ty;
        float m = 0, n = 0;
        if (row < kWidth && m_col < kWidth) m = M[row * kWidth + m_col];
        if (n_row < kWidth && col < kWidth) n = N[n_row * kWidth + col];
        Mds[ty * tile + tx] = m;  // [store M]
        Nds[ty * tile + tx] = n;  // [store N]
        __syncthreads();
        for (int k = 0; k < tile; ++k) sum += Mds[ty * tile + k] * Nds[k * tile + tx];  // [sum]
        __syncthreads();
    }
    if (row < kWidth && col < kWidth) P[row * kWidth + col] = sum;
}

// The widest power of two whose two tiles fit into `bytes`, and whose threads into a block.
static int widest_tile(std::size_t bytes, int threads) {
    int tile = 1;
    while (2 * sizeof(float) * (2 * tile) * (2 * tile) <= bytes && 2 * tile * 2 * tile <= threads) tile *= 2;
    return tile;
}

int main(int argc, char** argv) {
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    const long said = argc > 1 ? std::atol(argv[1]) : 0;
    const std::size_t offered = said == 0 ? device.sharedMemPerBlock : said < 0 ? -said : said;
    const int tile = widest_tile(offered, device.maxThreadsPerBlock);
    const std::size_t bytes = 2 * sizeof(float) * tile * tile;
    figure("shared bytes of a block", device.sharedMemPerBlock);
    figure("threads of a block", device.maxThreadsPerBlock);
    figure("tile", tile);

    const std::size_t elements = std::size_t{kWidth} * kWidth;
    const std::vector<float> M = eighths(elements, 1), N = eighths(elements, 2);
    std::vector<float> want(elements);
    for (int row = 0; row < kWidth; ++row)
        for (int k = 0; k < kWidth; ++k)
            for (int col = 0; col < kWidth; ++col)
                want[row * kWidth + col] += M[row * kWidth + k] * N[k * kWidth + col];

    float *d_M = to_device(M), *d_N = to_device(N), *d_P = device_buffer<float>(elements);
    const unsigned tiles = (kWidth + tile - 1) / tile;
    const bool is_wrong = argc > 2 && is(argv[2], "split");
    const std::size_t asked = said < 0 ? bytes - sizeof(float) : bytes;
    launch("product", [&] {
        // Grid, block, bytes of shared memory.
        product<<<dim3(tiles, tiles), dim3(tile, tile), asked>>>(d_M, d_N, d_P, tile, is_wrong);
    });
    Verdict verdict;
    verdict.equal("product", to_host(d_P, elements), want);
    return verdict.status();
}
