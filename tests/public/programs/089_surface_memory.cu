// Like douyixuan/cuda-by-example examples/surface-memory/surface-memory.cu
#include <stdio.h>
const int W = 64, H = 64;
__global__ void fill(cudaSurfaceObject_t surf, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) surf2Dwrite((float)(x + y * w), surf, x * sizeof(float), y);
}
__global__ void read(cudaSurfaceObject_t surf, float* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float val;
    if (x < w && y < h) {
        surf2Dread(&val, surf, x * sizeof(float), y);
        out[y * w + x] = val;
    }
}
int main() {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &desc, W, H, cudaArraySurfaceLoadStore);
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = array;
    cudaSurfaceObject_t surf;
    cudaCreateSurfaceObject(&surf, &res);
    float* d;
    cudaMalloc(&d, W * H * sizeof(float));
    fill<<<dim3(4, 4), dim3(16, 16)>>>(surf, W, H);
    read<<<dim3(4, 4), dim3(16, 16)>>>(surf, d, W, H);
    float h[W * H];
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    printf("%s\n", h[W * H - 1] == W * H - 1 ? "PASS" : "FAIL");
    cudaDestroySurfaceObject(surf);
    cudaFreeArray(array);
    cudaFree(d);
    return 0;
}
