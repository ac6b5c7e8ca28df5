// A separable convolution through a texture: rows, then columns, the result of the first copied into the array again.
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

#define checkCudaErrors(call)                                                            \
    do {                                                                                 \
        cudaError_t err = (call);                                                        \
        if (err != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
            exit(EXIT_FAILURE);                                                          \
        }                                                                                \
    } while (0)

#define KERNEL_RADIUS 4
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)

__constant__ float c_Kernel[KERNEL_LENGTH];

inline int iDivUp(int a, int b) { return (a % b != 0) ? (a / b + 1) : (a / b); }

__global__ void convolutionRows(float* dst, cudaTextureObject_t src, int w, int h) {
    const int ix = blockDim.x * blockIdx.x + threadIdx.x, iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix >= w || iy >= h) return;
    float sum = 0;
#pragma unroll
    for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++)
        sum += tex2D<float>(src, ix + 0.5f + k, iy + 0.5f) * c_Kernel[KERNEL_RADIUS - k];
    dst[iy * w + ix] = sum;
}

__global__ void convolutionColumns(float* dst, cudaTextureObject_t src, int w, int h) {
    const int ix = blockDim.x * blockIdx.x + threadIdx.x, iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix >= w || iy >= h) return;
    float sum = 0;
    for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++)
        sum += tex2D<float>(src, (float)ix + 0.5f, (float)iy + 0.5f + (float)k) * c_Kernel[KERNEL_RADIUS - k];
    dst[iy * w + ix] = sum;
}

static int clampi(int v, int hi) { return v < 0 ? 0 : v > hi ? hi : v; }

int main(void) {
    const int w = 83, h = 61;
    float *h_in = (float*)malloc(w * h * sizeof(float)), *h_out = (float*)malloc(w * h * sizeof(float));
    float* tmp = (float*)malloc(w * h * sizeof(float));
    float h_Kernel[KERNEL_LENGTH];
    srand(2009);
    for (int i = 0; i < KERNEL_LENGTH; i++) h_Kernel[i] = (float)(1 + (i * 5) % 7);
    unsigned state = 12345;
    for (int i = 0; i < w * h; i++) {
        state = state * 1664525u + 1013904223u;
        h_in[i] = (float)(state >> 28);
    }
    checkCudaErrors(cudaMemcpyToSymbol(c_Kernel, h_Kernel, sizeof(h_Kernel)));

    cudaChannelFormatDesc floatTex = cudaCreateChannelDesc<float>();
    cudaArray* a_Src;
    float* d_Output;
    checkCudaErrors(cudaMallocArray(&a_Src, &floatTex, w, h));
    checkCudaErrors(cudaMalloc((void**)&d_Output, w * h * sizeof(float)));
    checkCudaErrors(
        cudaMemcpy2DToArray(a_Src, 0, 0, h_in, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));

    cudaTextureObject_t texSrc;
    cudaResourceDesc texRes;
    memset(&texRes, 0, sizeof(cudaResourceDesc));
    texRes.resType = cudaResourceTypeArray;
    texRes.res.array.array = a_Src;
    cudaTextureDesc texDescr;
    memset(&texDescr, 0, sizeof(cudaTextureDesc));
    texDescr.normalizedCoords = false;
    texDescr.filterMode = cudaFilterModeLinear;
    texDescr.addressMode[0] = cudaAddressModeWrap;  // which unnormalised coordinates do not know: it clamps
    texDescr.addressMode[1] = cudaAddressModeWrap;
    texDescr.readMode = cudaReadModeElementType;
    checkCudaErrors(cudaCreateTextureObject(&texSrc, &texRes, &texDescr, NULL));

    dim3 threads(16, 12), blocks(iDivUp(w, threads.x), iDivUp(h, threads.y));
    convolutionRows<<<blocks, threads>>>(d_Output, texSrc, w, h);
    checkCudaErrors(cudaGetLastError());
    checkCudaErrors(
        cudaMemcpy2DToArray(a_Src, 0, 0, d_Output, w * sizeof(float), w * sizeof(float), h, cudaMemcpyDeviceToDevice));
    convolutionColumns<<<blocks, threads>>>(d_Output, texSrc, w, h);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(h_out, d_Output, w * h * sizeof(float), cudaMemcpyDeviceToHost));

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;
            for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++)
                sum += h_in[y * w + clampi(x + k, w - 1)] * h_Kernel[KERNEL_RADIUS - k];
            tmp[y * w + x] = sum;
        }
    int bad = 0;
    unsigned long long checksum = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;
            for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++)
                sum += tmp[clampi(y + k, h - 1) * w + x] * h_Kernel[KERNEL_RADIUS - k];
            bad += sum != h_out[y * w + x];
            checksum = checksum * 31 + (unsigned long long)h_out[y * w + x];
        }
    printf("convolution: checksum %016llx, first %g, last %g\n", checksum, h_out[0], h_out[w * h - 1]);
    printf("%s: %d of %d differ from the CPU\n", bad ? "FAIL" : "PASS", bad, w * h);
    checkCudaErrors(cudaDestroyTextureObject(texSrc));
    checkCudaErrors(cudaFreeArray(a_Src));
    checkCudaErrors(cudaFree(d_Output));
    return bad != 0;
}
