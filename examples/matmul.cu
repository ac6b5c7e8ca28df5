// A matrix product twice: as the formula says, and in tiles. P = M · N, square, row-major.
//
// Both kernels do the same arithmetic. What differs is how often each byte is fetched from global memory: the naive one
// reads every element of M and N once for each of the `width` results that need it, the tiled one once for each tile.
#include "check.h"

constexpr int kWidth = 512;  // a multiple of kTile; matmul_checked.cu shows the other case
constexpr int kTile = 16;

// One thread computes one element of P. Each step of the loop asks global memory for 8 bytes and does 2 FLOP with
// them: 0.25 FLOP per byte, far below what any GPU needs to be busy computing.
__global__ void naive(const float* M, const float* N, float* P, int width) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k) {
        sum += M[row * width + k] * N[k * width + col];
    }
    P[row * width + col] = sum;
}

// The block computes a kTile × kTile square of P together, in phases. In each phase its threads bring one tile of M
// and one of N into shared memory, one element each, and then every thread uses kTile elements of both. So each
// element fetched from global memory serves kTile threads: 1/kTile of the traffic, kTile times the intensity.
__global__ void tiled(const float* M, const float* N, float* P, int width) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty;
    int col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int phase = 0; phase < width / kTile; ++phase) {
        Mds[ty][tx] = M[row * width + phase * kTile + tx];
        Nds[ty][tx] = N[(phase * kTile + ty) * width + col];
        __syncthreads();  // nobody reads the tiles before everybody has written (read after write)
        for (int k = 0; k < kTile; ++k) {
            sum += Mds[ty][k] * Nds[k][tx];
        }
        __syncthreads();  // nobody overwrites the tiles before everybody has read (write after read)
    }
    P[row * width + col] = sum;
}

static std::vector<float> on_host(const std::vector<float>& M, const std::vector<float>& N, int width) {
    std::vector<float> P(static_cast<std::size_t>(width) * width);
    for (int row = 0; row < width; ++row)
        for (int k = 0; k < width; ++k)
            for (int col = 0; col < width; ++col) P[row * width + col] += M[row * width + k] * N[k * width + col];
    return P;
}

int main() {
    const std::size_t elements = static_cast<std::size_t>(kWidth) * kWidth;
    const std::vector<float> M = eighths(elements, 1), N = eighths(elements, 2);
    const std::vector<float> want = on_host(M, N, kWidth);

    float* d_M = to_device(M);
    float* d_N = to_device(N);
    float* d_P = device_buffer<float>(elements);
    const dim3 block(kTile, kTile), grid(kWidth / kTile, kWidth / kTile);
    Verdict verdict;

    CHECK(cudaMemset(d_P, 0, elements * sizeof(float)));
    naive<<<grid, block>>>(d_M, d_N, d_P, kWidth);
    finish_launch();
    verdict.equal("naive", to_host(d_P, elements), want);

    CHECK(cudaMemset(d_P, 0, elements * sizeof(float)));
    tiled<<<grid, block>>>(d_M, d_N, d_P, kWidth);
    finish_launch();
    verdict.equal("tiled", to_host(d_P, elements), want);

    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
    return verdict.status();
}
