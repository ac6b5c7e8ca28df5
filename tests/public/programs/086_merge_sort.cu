// Like douyixuan/cuda-by-example examples/merge-sort/merge-sort.cu
#include <stdio.h>
#include <stdlib.h>
const int N = 1024;
__global__ void merge_pass(const int* in, int* out, int width, int n) {
    int start = (blockIdx.x * blockDim.x + threadIdx.x) * 2 * width;
    if (start >= n) return;
    int mid = min(start + width, n), end = min(start + 2 * width, n), i = start, j = mid;
    for (int k = start; k < end; k++) out[k] = i < mid && (j >= end || in[i] <= in[j]) ? in[i++] : in[j++];
}
int main() {
    int h[N], *a, *b;
    long sum = 0;
    srand(42);
    for (int i = 0; i < N; i++) sum += h[i] = rand() % 10000;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    for (int width = 1; width < N; width *= 2) {
        int threads = (N + 2 * width - 1) / (2 * width);
        merge_pass<<<(threads + 255) / 256, 256>>>(a, b, width, N);
        int* t = a;
        a = b;
        b = t;
    }
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < N; i++) {
        sum -= h[i];
        ok = ok && (i == 0 || h[i - 1] <= h[i]);
    }
    ok = ok && sum == 0;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(a);
    cudaFree(b);
    return !ok;
}
