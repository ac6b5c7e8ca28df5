// Like spig0126/cuda-parallel-programming SparseMatrixMult (main.cu, sparseMatrix.h, mkCuda.h, mkClockMeasure.h)
#include <assert.h>
#include <time.h>
#include "mk_cuda.h"
const int SIZE = 64;
const int ELL = 4;
dim3 gridSize(2, 1, 1);
dim3 blockSize(32, 1, 1);
__global__ void csr(const unsigned* x, const unsigned* y, unsigned* out, const unsigned* data, const unsigned* col,
                    const unsigned* ptr, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        unsigned dot = 0;
        for (unsigned e = ptr[row]; e < ptr[row + 1]; e++) dot += data[e] * x[col[e]];
        out[row] = y[row] + dot;
    }
}
__global__ void ell(const unsigned* x, const unsigned* y, unsigned* out, const unsigned* data, const unsigned* col,
                    int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned dot = 0;
    for (int k = 0; k < ELL; k++) dot += data[k * rows + row] * x[col[k * rows + row]];
    out[row] = y[row] + dot;
}
int main() {
    unsigned x[SIZE], y[SIZE], data[SIZE * ELL], col[SIZE * ELL], t_data[SIZE * ELL], t_col[SIZE * ELL],
        ptr[SIZE + 1] = {}, want[SIZE], got[2][SIZE], *d[8];
    srand(1);
    for (int i = 0; i < SIZE; i++) {
        x[i] = rand() % 10;
        y[i] = want[i] = rand() % 10;
        ptr[i + 1] = ELL * (i + 1);
    }
    for (int i = 0; i < SIZE; i++)
        for (int k = 0; k < ELL; k++) {
            t_data[k * SIZE + i] = data[i * ELL + k] = rand() % 10;
            t_col[k * SIZE + i] = col[i * ELL + k] = (i + 5 * k) % SIZE;
            want[i] += data[i * ELL + k] * x[col[i * ELL + k]];
        }
    const void* from[] = {x, y, data, col, t_data, t_col, ptr};
    const size_t bytes[] = {sizeof x, sizeof y, sizeof data, sizeof col, sizeof data, sizeof col, sizeof ptr, sizeof x};
    for (int k = 0; k < 8; k++) {
        checkCudaError(cudaMalloc((void**)&d[k], bytes[k]));
        if (k < 7) checkCudaError(cudaMemcpy(d[k], from[k], bytes[k], cudaMemcpyHostToDevice));
    }
    csr<<<gridSize, blockSize>>>(d[0], d[1], d[7], d[2], d[3], d[6], SIZE);
    cudaError_t err = cudaDeviceSynchronize();
    checkCudaError(err);
    err = cudaMemcpy(got[0], d[7], sizeof x, cudaMemcpyDeviceToHost);
    ell<<<gridSize, blockSize>>>(d[0], d[1], d[7], d[4], d[5], SIZE);
    err = cudaMemcpy(got[1], d[7], sizeof x, cudaMemcpyDeviceToHost);
    checkCudaError(err);
    bool ok = true;
    for (int i = 0; i < SIZE; i++) ok = ok && got[0][i] == want[i] && got[1][i] == want[i];
    assert(ok);
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (unsigned* p : d) cudaFree(p);
    return !ok;
}
