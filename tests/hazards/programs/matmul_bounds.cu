// A tiled product whose width is no multiple of the tile, with each of its three boundary checks taken away.
//
// check: memory
// case right: clean
// case no_load_m: out-of-bounds global LOAD_M
// case no_load_m_column: out-of-bounds global LOAD_M
// case no_load_n: out-of-bounds global LOAD_N
// case no_store_p: out-of-bounds global STORE_P
#include <cstring>

constexpr int kTile = 16, kWidth = 20;
enum Missing { kNothing, kLoadM, kLoadMColumn, kLoadN, kStoreP };

template <Missing kMissing>
__global__ void tiled(const float* m, const float* n, float* p) {
    __shared__ float ms[kTile][kTile], ns[kTile][kTile];
    const int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int phase = 0; phase < (kWidth + kTile - 1) / kTile; ++phase) {
        const int across = phase * kTile + threadIdx.x, down = phase * kTile + threadIdx.y;
        const bool m_there = (row < kWidth && (across < kWidth || kMissing == kLoadMColumn)) || kMissing == kLoadM;
        const bool n_there = (down < kWidth && col < kWidth) || kMissing == kLoadN;
        float of_m = 0, of_n = 0;
        if (m_there) of_m = m[row * kWidth + across];  // @LOAD_M
        if (n_there) of_n = n[down * kWidth + col];    // @LOAD_N
        ms[threadIdx.y][threadIdx.x] = of_m;
        ns[threadIdx.y][threadIdx.x] = of_n;
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += ms[threadIdx.y][k] * ns[k][threadIdx.x];
        __syncthreads();
    }
    if ((row < kWidth && col < kWidth) || kMissing == kStoreP) {
        p[row * kWidth + col] = sum;  // @STORE_P
    }
}

template <Missing kMissing>
void launch() {
    float *m, *n, *p;
    constexpr int kBytes = kWidth * kWidth * sizeof(float);
    cudaMalloc(&m, kBytes);
    cudaMalloc(&n, kBytes);
    cudaMalloc(&p, kBytes);
    cudaMemset(m, 0, kBytes);
    cudaMemset(n, 0, kBytes);
    tiled<kMissing><<<dim3(2, 2), dim3(kTile, kTile)>>>(m, n, p);
    cudaDeviceSynchronize();
    cudaFree(m);
    cudaFree(n);
    cudaFree(p);
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "right")) launch<kNothing>();
    if (!strcmp(argv[1], "no_load_m")) launch<kLoadM>();
    if (!strcmp(argv[1], "no_load_m_column")) launch<kLoadMColumn>();
    if (!strcmp(argv[1], "no_load_n")) launch<kLoadN>();
    if (!strcmp(argv[1], "no_store_p")) launch<kStoreP>();
}
