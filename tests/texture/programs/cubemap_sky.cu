// A sky of six faces, looked up by directions: by its nearest texel, filtered, in layers, and by levels of detail.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cuda_runtime.h"

#define cudaCheckErrors(msg)                                                                                        \
    do {                                                                                                            \
        cudaError_t __err = cudaGetLastError();                                                                     \
        if (__err != cudaSuccess) {                                                                                 \
            fprintf(stderr, "Fatal error: %s (%s at %s:%d)\n", msg, cudaGetErrorString(__err), __FILE__, __LINE__); \
            exit(1);                                                                                                \
        }                                                                                                           \
    } while (0)

__device__ __host__ inline float3 direction(int i) {
    // Never exactly between two faces.
    unsigned a = i * 2654435761u, b = a * 2246822519u + 1u, c = b * 3266489917u + 3u;
    return make_float3((int)(a >> 16) / 32768.0f - 1.0f + 0.001f, (int)(b >> 16) / 32768.0f - 1.0f + 0.0003f,
                       (int)(c >> 16) / 32768.0f - 1.0f);
}

__global__ void nearest(float4* out, cudaTextureObject_t sky, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    float3 d = direction(i);
    out[i] = texCubemap<float4>(sky, d.x, d.y, d.z);
}

__global__ void layered(float* out, cudaTextureObject_t skies, int n, int layers) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    float3 d = direction(i);
    out[i] = texCubemapLayered<float>(skies, d.x, d.y, d.z, i % layers);
}

// A mirror's rays by level; and a blur by how far the rays of neighbouring pixels lie apart.
__global__ void levels(float* by_level, float* by_gradient, cudaTextureObject_t sky, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    float3 d = direction(i);
    by_level[i] = texCubemapLod<float>(sky, d.x, d.y, d.z, (i % 13) * 0.25f);
    float spread = exp2f(-(i % 5) - 0.5f) * fmaxf(fabsf(d.x), fmaxf(fabsf(d.y), fabsf(d.z)));
    by_gradient[i] =
        texCubemapGrad<float>(sky, d.x, d.y, d.z, make_float4(spread, 0, 0, 0), make_float4(0, spread, 0, 0));
}

// The face that a direction meets and the point there, as the OpenGL specification has them.
static int face_of(float3 d, float& s, float& t) {
    float ax = fabsf(d.x), ay = fabsf(d.y), az = fabsf(d.z), m, sc, tc;
    int face;
    if (ax > ay && ax > az) {
        face = d.x > 0 ? 0 : 1, m = ax, sc = d.x > 0 ? -d.z : d.z, tc = -d.y;
    } else if (ay > az) {
        face = d.y > 0 ? 2 : 3, m = ay, sc = d.x, tc = d.y > 0 ? d.z : -d.z;
    } else {
        face = d.z > 0 ? 4 : 5, m = az, sc = d.z > 0 ? d.x : -d.x, tc = -d.y;
    }
    s = (sc / m + 1) / 2, t = (tc / m + 1) / 2;
    return face;
}

int main() {
    const int width = 16, n = 4000, num_layers = 3, num_levels = 5;
    int failed = 0;
    std::vector<float4> faces(width * width * 6), h_out(n);
    for (int i = 0; i < width * width * 6; ++i)
        faces[i] = make_float4((float)(i % 16), (float)(i / 16 % 16), (float)(i / 256), 1.0f);
    cudaArray* cu_3darray;
    cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc<float4>();
    cudaMalloc3DArray(&cu_3darray, &channelDesc, make_cudaExtent(width, width, 6), cudaArrayCubemap);
    cudaCheckErrors("array");
    cudaMemcpy3DParms myparms = {0};
    myparms.srcPos = make_cudaPos(0, 0, 0);
    myparms.dstPos = make_cudaPos(0, 0, 0);
    myparms.srcPtr = make_cudaPitchedPtr(faces.data(), width * sizeof(float4), width, width);
    myparms.dstArray = cu_3darray;
    myparms.extent = make_cudaExtent(width, width, 6);
    myparms.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&myparms);
    cudaCheckErrors("copy");
    cudaResourceDesc texRes;
    memset(&texRes, 0, sizeof(cudaResourceDesc));
    texRes.resType = cudaResourceTypeArray;
    texRes.res.array.array = cu_3darray;
    cudaTextureDesc texDescr;
    memset(&texDescr, 0, sizeof(cudaTextureDesc));
    texDescr.normalizedCoords = true;
    texDescr.filterMode = cudaFilterModePoint;
    texDescr.addressMode[0] = texDescr.addressMode[1] = texDescr.addressMode[2] = cudaAddressModeWrap;
    texDescr.readMode = cudaReadModeElementType;
    cudaTextureObject_t sky;
    cudaCreateTextureObject(&sky, &texRes, &texDescr, NULL);
    float4* d_out;
    cudaMalloc(&d_out, n * sizeof(float4));
    nearest<<<(n + 255) / 256, 256>>>(d_out, sky, n);
    cudaMemcpy(h_out.data(), d_out, n * sizeof(float4), cudaMemcpyDeviceToHost);
    cudaCheckErrors("nearest");
    int bad = 0;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        float s, t;
        const int face = face_of(direction(i), s, t);
        const int x = std::min((int)(s * width), width - 1), y = std::min((int)(t * width), width - 1);
        const float fx = s * width - floorf(s * width), fy = t * width - floorf(t * width);
        const bool on_edge = std::min({fx, 1 - fx, fy, 1 - fy}) < 1e-4f;  // of a texel
        bad += !on_edge && (h_out[i].x != x || h_out[i].y != y || h_out[i].z != face || h_out[i].w != 1.0f);
        sum += h_out[i].x + 16 * h_out[i].y + 256 * h_out[i].z;
    }
    printf("nearest: sum %.1f, %s\n", sum, bad ? "FAIL" : "PASS");
    failed += bad;

    cudaArray_t stack;
    cudaChannelFormatDesc grey = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaMalloc3DArray(&stack, &grey, make_cudaExtent(width, width, 6 * num_layers),
                      cudaArrayCubemap | cudaArrayLayered);
    std::vector<float> texels(width * width * 6 * num_layers), h_grey(n), h_grad(n);
    for (size_t i = 0; i < texels.size(); ++i) texels[i] = (float)(i / (width * width));
    cudaMemcpy3DParms p = {0};
    p.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(float), width, width);
    p.dstArray = stack;
    p.extent = make_cudaExtent(width, width, 6 * num_layers);
    p.kind = cudaMemcpyDefault;
    cudaMemcpy3D(&p);
    texRes.res.array.array = stack;
    texDescr.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t skies;
    cudaCreateTextureObject(&skies, &texRes, &texDescr, NULL);
    cudaCheckErrors("layers");
    float *d_grey, *d_grad;
    cudaMalloc(&d_grey, n * sizeof(float));
    cudaMalloc(&d_grad, n * sizeof(float));
    layered<<<(n + 127) / 128, 128>>>(d_grey, skies, n, num_layers);
    cudaMemcpy(h_grey.data(), d_grey, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaCheckErrors("layered");
    bad = 0, sum = 0;
    for (int i = 0; i < n; ++i) {
        float s, t;
        bad += h_grey[i] != 6 * (i % num_layers) + face_of(direction(i), s, t);
        sum += h_grey[i] * (i % 17);
    }
    printf("layers: sum %.1f, %s\n", sum, bad ? "FAIL" : "PASS");
    failed += bad;

    cudaMipmappedArray_t pyramid;
    cudaMallocMipmappedArray(&pyramid, &grey, make_cudaExtent(width, width, 6), num_levels, cudaArrayCubemap);
    for (int level = 0; level < num_levels; ++level) {
        const int size = width >> level;
        std::vector<float> flat(size * size * 6, (float)level);
        cudaArray_t array;
        cudaGetMipmappedArrayLevel(&array, pyramid, level);
        cudaMemcpy3DParms q = {0};
        q.srcPtr = make_cudaPitchedPtr(flat.data(), size * sizeof(float), size, size);
        q.dstArray = array;
        q.extent = make_cudaExtent(size, size, 6);
        q.kind = cudaMemcpyHostToDevice;
        cudaMemcpy3D(&q);
    }
    cudaCheckErrors("levels");
    memset(&texRes, 0, sizeof(cudaResourceDesc));
    texRes.resType = cudaResourceTypeMipmappedArray;
    texRes.res.mipmap.mipmap = pyramid;
    texDescr.mipmapFilterMode = cudaFilterModeLinear;
    texDescr.maxMipmapLevelClamp = num_levels - 1;
    texDescr.seamlessCubemap = 1;
    cudaTextureObject_t blurred;
    cudaCreateTextureObject(&blurred, &texRes, &texDescr, NULL);
    levels<<<(n + 127) / 128, 128>>>(d_grey, d_grad, blurred, n);
    cudaMemcpy(h_grey.data(), d_grey, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(h_grad.data(), d_grad, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaCheckErrors("by level");
    bad = 0, sum = 0;
    int far = 0;
    for (int i = 0; i < n; ++i) {
        bad += h_grey[i] != (i % 13) * 0.25f;
        sum += h_grey[i];
        // The spread of a pixel is 2^-(k + 0.5) of half a face of 16 texels; steps over edges are other lengths.
        far += fabsf(h_grad[i] - (3 - i % 5 - 0.5f > 0 ? 3 - i % 5 - 0.5f : 0)) > 1.6f;
    }
    printf("by level: sum %.2f, %s\n", sum, bad ? "FAIL" : "PASS");
    printf("by gradient: %s\n", far ? "FAIL" : "PASS");
    failed += bad + far;
    cudaDestroyTextureObject(sky), cudaDestroyTextureObject(skies), cudaDestroyTextureObject(blurred);
    cudaFreeArray(cu_3darray), cudaFreeArray(stack), cudaFreeMipmappedArray(pyramid);
    cudaFree(d_out), cudaFree(d_grey), cudaFree(d_grad);
    cudaCheckErrors("end");
    return failed != 0;
}
