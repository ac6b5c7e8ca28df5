// A tiled product of rectangles: M has J rows and K columns, N has K rows and L columns, so P has J rows and L columns.
//
//   rectangular [J K L]          150 70 210 if not said, none of which 16 divides
//   rectangular J K L swapped    the grid's x runs down the rows: right, but neighbours no longer read neighbours
//
// Build it alone: nvcc -std=c++17 rectangular.cu
#include "../lesson.h"

constexpr int kTile = 16;

// Against the square product only the bounds change: rows of M and P end at J, columns of N and P at L. K bounds what
// is summed: columns of M, rows of N, and the number of phases.
__global__ void product(const float* M, const float* N, float* P, int J, int K, int L, bool swapped) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = swapped ? threadIdx.y : threadIdx.x, ty = swapped ? threadIdx.x : threadIdx.y;
    int row = (swapped ? blockIdx.x : blockIdx.y) * kTile + ty;
    int col = (swapped ? blockIdx.y : blockIdx.x) * kTile + tx;
    float sum = 0;
    for (int ph = 0; ph < (K + kTile - 1) / kTile; ++ph) {
        int m_col = ph * kTile + tx, n_row = ph * kTile + ty;
        float m = 0, n = 0;
        if (row < J && m_col < K) m = M[row * K + m_col];  // [load M]
        if (n_row < K && col < L) n = N[n_row * L + col];  // [load N]
        Mds[ty][tx] = m;
        Nds[ty][tx] = n;
        __syncthreads();                                                 // [wait]
        for (int k = 0; k < kTile; ++k) sum += Mds[ty][k] * Nds[k][tx];  // [sum]
        __syncthreads();
    }
    if (row < J && col < L) P[row * L + col] = sum;  // [store P]
}

int main(int argc, char** argv) {
    const bool given = argc > 3;
    const int J = given ? std::atoi(argv[1]) : 150, K = given ? std::atoi(argv[2]) : 70,
              L = given ? std::atoi(argv[3]) : 210;
    const bool swapped = argc > 4 && is(argv[4], "swapped");
    if ((argc > 1 && !given) || J < 1 || K < 1 || L < 1 || J > 2048 || K > 2048 || L > 2048) {
        std::fprintf(stderr, "usage: %s [J K L [swapped]], each from 1 to 2048\n", argv[0]);
        return 1;
    }
    const std::vector<float> M = eighths(std::size_t(J) * K, 1), N = eighths(std::size_t(K) * L, 2);
    std::vector<float> want(std::size_t(J) * L);
    for (int row = 0; row < J; ++row)
        for (int k = 0; k < K; ++k)
            for (int col = 0; col < L; ++col) want[row * L + col] += M[row * K + k] * N[k * L + col];

    float *d_M = to_device(M), *d_N = to_device(N), *d_P = device_buffer<float>(want.size());
    const unsigned across = (L + kTile - 1) / kTile, down = (J + kTile - 1) / kTile;
    const dim3 grid = swapped ? dim3(down, across) : dim3(across, down);
    launch("product", [&] { product<<<grid, dim3(kTile, kTile)>>>(d_M, d_N, d_P, J, K, L, swapped); });
    Verdict verdict;
    verdict.equal("product", to_host(d_P, want.size()), want);
    for (float* buffer : {d_M, d_N, d_P}) CHECK(cudaFree(buffer));
    return verdict.status();
}
