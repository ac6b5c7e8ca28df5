// The textbook's tiled product, of any shape: P = M · N with M of m × k and N of k × n, all checks in place. TILE by
// TILE threads a block, RESULTS elements of P a thread, one below the other's tile. What `tilescope tile` says of such
// kernels is held against what this one does.
//
//   textbook_product N [M K]       build it with -DTILE=16 -DRESULTS=1
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifndef TILE
#define TILE 16
#endif
#ifndef RESULTS
#define RESULTS 1
#endif
#ifndef TYPE
#define TYPE float
#endif

__global__ void product(const TYPE* M, const TYPE* N, TYPE* P, int m, int n, int k) {
    __shared__ TYPE Mds[RESULTS * TILE][TILE];
    __shared__ TYPE Nds[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE * RESULTS + ty, col = blockIdx.x * TILE + tx;
    TYPE sum[RESULTS] = {};
    for (int ph = 0; ph < (k + TILE - 1) / TILE; ++ph) {
#pragma unroll
        for (int r = 0; r < RESULTS; ++r) {
            const int y = row + r * TILE, x = ph * TILE + tx;
            Mds[r * TILE + ty][tx] = y < m && x < k ? M[y * k + x] : TYPE(0);
        }
        const int y = ph * TILE + ty;
        Nds[ty][tx] = y < k && col < n ? N[y * n + col] : TYPE(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; ++i) {
            const TYPE b = Nds[i][tx];
#pragma unroll
            for (int r = 0; r < RESULTS; ++r) sum[r] += Mds[r * TILE + ty][i] * b;
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < RESULTS; ++r)
        if (row + r * TILE < m && col < n) P[(row + r * TILE) * n + col] = sum[r];
}

int main(int count, char** words) {
    const int n = count > 1 ? std::atoi(words[1]) : 64;
    const int m = count > 3 ? std::atoi(words[2]) : n, k = count > 3 ? std::atoi(words[3]) : n;
    std::vector<TYPE> M(m * k), N(k * n), P(m * n);
    for (int i = 0; i < m * k; ++i) M[i] = TYPE(i % 7);
    for (int i = 0; i < k * n; ++i) N[i] = TYPE(i % 5);
    TYPE *dM, *dN, *dP;
    cudaMalloc(&dM, M.size() * sizeof(TYPE));
    cudaMalloc(&dN, N.size() * sizeof(TYPE));
    cudaMalloc(&dP, P.size() * sizeof(TYPE));
    cudaMemcpy(dM, M.data(), M.size() * sizeof(TYPE), cudaMemcpyHostToDevice);
    cudaMemcpy(dN, N.data(), N.size() * sizeof(TYPE), cudaMemcpyHostToDevice);
    product<<<dim3((n + TILE - 1) / TILE, (m + TILE * RESULTS - 1) / (TILE * RESULTS)), dim3(TILE, TILE)>>>(dM, dN, dP,
                                                                                                            m, n, k);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(P.data(), dP, P.size() * sizeof(TYPE), cudaMemcpyDeviceToHost);
    for (int y = 0; y < m; y += m / 3 + 1)
        for (int x = 0; x < n; ++x) {
            TYPE want = 0;
            for (int i = 0; i < k; ++i) want += M[y * k + i] * N[i * n + x];
            if (want != P[y * n + x]) return std::printf("FAIL at %d, %d\n", y, x), 1;
        }
    std::printf("PASS\n");
    return 0;
}
