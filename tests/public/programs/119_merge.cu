// Like tugot17/pmpp chapter-12/code/merge.cu
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#define cdiv(x, y) (((x) + (y)-1) / (y))
#define CUDA_CHECK(call)                                                                                 \
    do {                                                                                                 \
        cudaError_t error = call;                                                                        \
        if (error != cudaSuccess) {                                                                      \
            fprintf(stderr, "CUDA error at %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                                          \
        }                                                                                                \
    } while (0)
void clear_l2() {
    static int size = 0;
    static unsigned char* scratch = NULL;
    if (!scratch) {
        CUDA_CHECK(cudaDeviceGetAttribute(&size, cudaDevAttrL2CacheSize, 0));
        size /= 64;
        CUDA_CHECK(cudaMalloc(&scratch, size));
    }
    CUDA_CHECK(cudaMemset(scratch, 0, size));
}
__host__ __device__ void merge_sequential(const float* A, int m, const float* B, int n, float* C) {
    int i = 0, j = 0;
    for (int k = 0; k < m + n; k++) C[k] = i < m && (j >= n || A[i] <= B[j]) ? A[i++] : B[j++];
}
__host__ __device__ int co_rank(int k, const float* A, int m, const float* B, int n) {
    int low = max(0, k - n), high = min(k, m);
    while (low < high) {
        int i = (low + high) / 2;
        if (A[i] <= B[k - i - 1])
            low = i + 1;
        else
            high = i;
    }
    return low;
}
__global__ void merge_basic(const float* A, int m, const float* B, int n, float* C) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x, each = cdiv(m + n, blockDim.x * gridDim.x),
        k = min(tid * each, m + n), next = min((tid + 1) * each, m + n);
    int i = co_rank(k, A, m, B, n), i_next = co_rank(next, A, m, B, n);
    merge_sequential(A + i, i_next - i, B + k - i, (next - i_next) - (k - i), C + k);
}
int main() {
    const int m = 300, n = 500;
    float A[m], B[n], want[m + n], got[m + n], *d_A, *d_B, *d_C, ms = 0;
    for (int i = 0; i < m; i++) A[i] = 1.0f + 0.3f * i;
    for (int i = 0; i < n; i++) B[i] = 1.5f + 0.4f * i;
    merge_sequential(A, m, B, n, want);
    CUDA_CHECK(cudaMalloc((void**)&d_A, sizeof A));
    CUDA_CHECK(cudaMalloc((void**)&d_B, sizeof B));
    CUDA_CHECK(cudaMalloc((void**)&d_C, sizeof got));
    CUDA_CHECK(cudaMemcpy(d_A, A, sizeof A, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_B, B, sizeof B, cudaMemcpyHostToDevice));
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    clear_l2();
    CUDA_CHECK(cudaEventRecord(start));
    merge_basic<<<2, 64>>>(d_A, m, d_B, n, d_C);
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    CUDA_CHECK(cudaMemcpy(got, d_C, sizeof got, cudaMemcpyDeviceToHost));
    bool ok = std::equal(got, got + m + n, want);
    printf("%s\n", ok ? "PASS" : "FAIL");
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    CUDA_CHECK(cudaFree(d_A));
    CUDA_CHECK(cudaFree(d_B));
    CUDA_CHECK(cudaFree(d_C));
    return !ok;
}
