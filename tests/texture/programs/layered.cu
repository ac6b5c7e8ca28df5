// Pictures in layers: a stack filled layer by layer, transformed through a texture, and written as a layered surface.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

static const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
#define checkCudaErrors(val)                                                                      \
    do {                                                                                          \
        cudaError_t result = (val);                                                               \
        if (result) {                                                                             \
            fprintf(stderr, "CUDA error at %s:%d code=%d(%s)\n", __FILE__, __LINE__, (int)result, \
                    _cudaGetErrorEnum(result));                                                   \
            exit(EXIT_FAILURE);                                                                   \
        }                                                                                         \
    } while (0)

__global__ void transformKernel(float* g_odata, int width, int height, int layer, cudaTextureObject_t tex) {
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = (x + 0.5f) / (float)width;
    float v = (y + 0.5f) / (float)height;
    g_odata[layer * width * height + y * width + x] = -tex2DLayered<float>(tex, u, v, layer) + layer;
}

__global__ void mixLayers(cudaTextureObject_t in, cudaSurfaceObject_t out, int width, int height, int layers) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= width || y >= height) return;
    const float a = tex2DLayered<float>(in, (x + 0.5f) / width, (y + 0.5f) / height, z);
    const float b = tex2DLayered<float>(in, (x + 0.5f) / width, (y + 0.5f) / height, (z + 1) % layers);
    surf2DLayeredwrite(make_float2(a, a - b), out, x * (int)sizeof(float2), y, z);
}

__global__ void lines(cudaTextureObject_t in, short4* out, int width) {
    const int x = threadIdx.x, layer = blockIdx.x;
    if (x < width) out[layer * width + x] = tex1DLayered<short4>(in, (float)(width - 1 - x), layer);
}

int main(int argc, char** argv) {
    const unsigned int width = 32, height = 16, num_layers = 5, cubesize = width * height * num_layers;
    bool bTestResult = true;
    float *h_data = (float*)malloc(cubesize * sizeof(float)), *h_odata = (float*)malloc(cubesize * sizeof(float));
    for (unsigned int layer = 0; layer < num_layers; layer++)
        for (int i = 0; i < (int)(width * height); i++)
            h_data[layer * width * height + i] = (float)(i % 101) + layer * 1000.0f;

    cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray* cu_3darray;
    checkCudaErrors(
        cudaMalloc3DArray(&cu_3darray, &channelDesc, make_cudaExtent(width, height, num_layers), cudaArrayLayered));
    for (unsigned int layer = 0; layer < num_layers; layer++) {  // one at a time, the last first
        const unsigned int there = num_layers - 1 - layer;
        cudaMemcpy3DParms myparms = {0};
        myparms.srcPos = make_cudaPos(0, 0, there);
        myparms.dstPos = make_cudaPos(0, 0, there);
        myparms.srcPtr = make_cudaPitchedPtr(h_data, width * sizeof(float), width, height);
        myparms.dstArray = cu_3darray;
        myparms.extent = make_cudaExtent(width, height, 1);
        myparms.kind = cudaMemcpyHostToDevice;
        checkCudaErrors(cudaMemcpy3D(&myparms));
    }
    cudaExtent extent;
    cudaChannelFormatDesc asked;
    unsigned int flags = 0;
    checkCudaErrors(cudaArrayGetInfo(&asked, &extent, &flags, cu_3darray));
    printf("array: %d bits, %d x %d x %d, flags %u\n", asked.x, (int)extent.width, (int)extent.height,
           (int)extent.depth, flags);

    cudaTextureObject_t tex;
    cudaResourceDesc texRes;
    memset(&texRes, 0, sizeof(cudaResourceDesc));
    texRes.resType = cudaResourceTypeArray;
    texRes.res.array.array = cu_3darray;
    cudaTextureDesc texDescr;
    memset(&texDescr, 0, sizeof(cudaTextureDesc));
    texDescr.normalizedCoords = true;
    texDescr.filterMode = cudaFilterModeLinear;
    texDescr.addressMode[0] = cudaAddressModeWrap;
    texDescr.addressMode[1] = cudaAddressModeWrap;
    texDescr.readMode = cudaReadModeElementType;
    checkCudaErrors(cudaCreateTextureObject(&tex, &texRes, &texDescr, NULL));

    float* d_data = NULL;
    checkCudaErrors(cudaMalloc((void**)&d_data, cubesize * sizeof(float)));
    dim3 dimBlock(8, 8, 1), dimGrid(width / dimBlock.x, height / dimBlock.y, 1);
    for (unsigned int layer = 0; layer < num_layers; layer++)
        transformKernel<<<dimGrid, dimBlock, 0>>>(d_data, width, height, layer, tex);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(h_odata, d_data, cubesize * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (unsigned int i = 0; i < cubesize; i++) {
        bTestResult = bTestResult && h_odata[i] == -h_data[i] + i / (width * height);
        sum += h_odata[i];
    }
    printf("transformed: sum %.1f, %s\n", sum, bTestResult ? "PASS" : "FAIL");

    // Pairs, layer by layer, into a surface of layers; from there back in one copy.
    cudaArray_t pairs;
    cudaChannelFormatDesc pairDesc = cudaCreateChannelDesc<float2>();
    checkCudaErrors(cudaMalloc3DArray(&pairs, &pairDesc, make_cudaExtent(width, height, num_layers),
                                      cudaArrayLayered | cudaArraySurfaceLoadStore));
    cudaResourceDesc surfRes;
    memset(&surfRes, 0, sizeof(surfRes));
    surfRes.resType = cudaResourceTypeArray;
    surfRes.res.array.array = pairs;
    cudaSurfaceObject_t surf = 0;
    checkCudaErrors(cudaCreateSurfaceObject(&surf, &surfRes));
    mixLayers<<<dim3(width / 16, height / 8, num_layers), dim3(16, 8)>>>(tex, surf, width, height, num_layers);
    checkCudaErrors(cudaGetLastError());
    float2* h_pairs = (float2*)calloc(cubesize, sizeof(float2));
    cudaMemcpy3DParms back = {0};
    back.srcArray = pairs;
    back.dstPtr = make_cudaPitchedPtr(h_pairs, width * sizeof(float2), width, height);
    back.extent = make_cudaExtent(width, height, num_layers);
    back.kind = cudaMemcpyDeviceToHost;
    checkCudaErrors(cudaMemcpy3D(&back));
    bool ok = true;
    sum = 0;
    for (unsigned int i = 0; i < cubesize; i++) {
        ok = ok && h_pairs[i].x == h_data[i] && h_pairs[i].y == h_data[i] - h_data[(i + width * height) % cubesize];
        sum += h_pairs[i].x + 2.0 * h_pairs[i].y * (i % 13);
    }
    printf("pairs: sum %.1f, %s\n", sum, ok ? "PASS" : "FAIL");
    bTestResult = bTestResult && ok;

    // Lines of four shorts, by whole coordinates that are not normalised.
    short4 h_lines[3][20], h_turned[3][20], *d_turned;
    for (int l = 0; l < 3; l++)
        for (int x = 0; x < 20; x++) h_lines[l][x] = make_short4(x, -x, l * 100, x * l);
    cudaArray_t lineArray;
    cudaChannelFormatDesc shortDesc = cudaCreateChannelDesc<short4>();
    checkCudaErrors(cudaMalloc3DArray(&lineArray, &shortDesc, make_cudaExtent(20, 0, 3), cudaArrayLayered));
    cudaMemcpy3DParms there = {0};
    there.srcPtr = make_cudaPitchedPtr(h_lines, sizeof h_lines[0], 20, 1);
    there.dstArray = lineArray;
    there.extent = make_cudaExtent(20, 1, 3);
    there.kind = cudaMemcpyHostToDevice;
    checkCudaErrors(cudaMemcpy3D(&there));
    texRes.res.array.array = lineArray;
    texDescr.normalizedCoords = 0;
    texDescr.filterMode = cudaFilterModePoint;
    texDescr.addressMode[0] = cudaAddressModeClamp;
    cudaTextureObject_t lineTex;
    checkCudaErrors(cudaCreateTextureObject(&lineTex, &texRes, &texDescr, NULL));
    checkCudaErrors(cudaMalloc(&d_turned, sizeof h_turned));
    lines<<<3, 32>>>(lineTex, d_turned, 20);
    checkCudaErrors(cudaMemcpy(h_turned, d_turned, sizeof h_turned, cudaMemcpyDeviceToHost));
    ok = true;
    unsigned hash = 17;
    for (int l = 0; l < 3; l++)
        for (int x = 0; x < 20; x++) {
            ok = ok && memcmp(&h_turned[l][x], &h_lines[l][19 - x], sizeof(short4)) == 0;
            hash = hash * 31 + (unsigned short)h_turned[l][x].y + h_turned[l][x].z;
        }
    printf("lines: hash %08x, %s\n", hash, ok ? "PASS" : "FAIL");
    bTestResult = bTestResult && ok;

    free(h_data), free(h_odata), free(h_pairs);
    checkCudaErrors(cudaDestroyTextureObject(tex));
    checkCudaErrors(cudaDestroyTextureObject(lineTex));
    checkCudaErrors(cudaDestroySurfaceObject(surf));
    checkCudaErrors(cudaFree(d_data));
    checkCudaErrors(cudaFree(d_turned));
    checkCudaErrors(cudaFreeArray(cu_3darray));
    checkCudaErrors(cudaFreeArray(pairs));
    checkCudaErrors(cudaFreeArray(lineArray));
    return bTestResult ? EXIT_SUCCESS : EXIT_FAILURE;
}
