// Like zjin-lcf/HeCBench src/convolution1D-cuda/main.cu; flags: -std=c++17
#include <assert.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <chrono>
#define GPU_CHECK(x)                                                                       \
    do {                                                                                   \
        cudaError_t err = x;                                                               \
        if (err != cudaSuccess) {                                                          \
            printf("CUDA error %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)
#define MAX_MASK_WIDTH 10
template <typename T>
__constant__ T mask[MAX_MASK_WIDTH];
template <typename T>
__global__ void conv1d(const T* __restrict__ in, T* __restrict__ out, const int width, const int mask_width) {
    extern __shared__ unsigned char smem[];
    T* tile = reinterpret_cast<T*>(smem);
    int i = threadIdx.x + blockIdx.x * blockDim.x, n = mask_width / 2;
    int left = i - n, right = i + n;
    tile[threadIdx.x] = left < 0 ? 0 : in[left];
    if (threadIdx.x >= blockDim.x - 2 * n) tile[threadIdx.x + 2 * n] = right >= width ? 0 : in[right];
    __syncthreads();
    T s = 0;
    for (int j = 0; j < mask_width; j++) s += tile[threadIdx.x + j] * mask<T>[j];
    out[i] = s;
}
template <typename T>
bool conv1D(const int width, const int mask_width) {
    T *a = (T*)malloc(width * sizeof(T)), *b = (T*)malloc(width * sizeof(T)), h_mask[MAX_MASK_WIDTH], *d_a, *d_b;
    for (int i = 0; i < MAX_MASK_WIDTH; i++) h_mask[i] = i + 1;
    for (int i = 0; i < width; i++) a[i] = rand() % 64;
    GPU_CHECK(cudaMalloc((void**)&d_a, width * sizeof(T)));
    GPU_CHECK(cudaMalloc((void**)&d_b, width * sizeof(T)));
    GPU_CHECK(cudaMemcpy(d_a, a, width * sizeof(T), cudaMemcpyHostToDevice));
    GPU_CHECK(cudaMemcpyToSymbol(mask<T>, h_mask, mask_width * sizeof(T)));
    bool ok = true;
    for (int bs = 64; bs <= 128; bs *= 2) {
        conv1d<<<dim3(width / bs), dim3(bs), (bs + MAX_MASK_WIDTH) * sizeof(T), 0>>>(d_a, d_b, width, mask_width);
        GPU_CHECK(cudaDeviceSynchronize());
        GPU_CHECK(cudaMemcpy(b, d_b, width * sizeof(T), cudaMemcpyDeviceToHost));
        for (int i = 0; i < width; i++) {
            T s = 0;
            for (int j = 0; j < mask_width; j++)
                if (i + j - mask_width / 2 >= 0 && i + j - mask_width / 2 < width)
                    s += a[i + j - mask_width / 2] * h_mask[j];
            ok = ok && s == b[i];
        }
    }
    free(a);
    free(b);
    GPU_CHECK(cudaFree(d_a));
    GPU_CHECK(cudaFree(d_b));
    return ok;
}
int main() {
    bool ok = conv1D<double>(512, 3) && conv1D<float>(512, 7) && conv1D<int16_t>(256, 5);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
