// A volume seen along rays: density from a 3-D texture of bytes, its colours from a 1-D texture, front to back.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include <cuda_runtime.h>

#define gpuErrchk(ans) \
    { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true) {
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}

typedef unsigned char VolumeType;
typedef unsigned int uint;

typedef struct {
    float4 m[3];
} float3x4;
__constant__ float3x4 c_invViewMatrix;

struct Ray {
    float3 o, d;
};

__device__ float3 mul(const float3x4& M, float4 v) {
    float3 r;
    r.x = M.m[0].x * v.x + M.m[0].y * v.y + M.m[0].z * v.z + M.m[0].w * v.w;
    r.y = M.m[1].x * v.x + M.m[1].y * v.y + M.m[1].z * v.z + M.m[1].w * v.w;
    r.z = M.m[2].x * v.x + M.m[2].y * v.y + M.m[2].z * v.z + M.m[2].w * v.w;
    return r;
}

__device__ int intersectBox(Ray r, float3 boxmin, float3 boxmax, float* tnear, float* tfar) {
    float3 invR = make_float3(1.0f / r.d.x, 1.0f / r.d.y, 1.0f / r.d.z);
    float3 tbot = make_float3(invR.x * (boxmin.x - r.o.x), invR.y * (boxmin.y - r.o.y), invR.z * (boxmin.z - r.o.z));
    float3 ttop = make_float3(invR.x * (boxmax.x - r.o.x), invR.y * (boxmax.y - r.o.y), invR.z * (boxmax.z - r.o.z));
    float3 tmin = make_float3(fminf(ttop.x, tbot.x), fminf(ttop.y, tbot.y), fminf(ttop.z, tbot.z));
    float3 tmax = make_float3(fmaxf(ttop.x, tbot.x), fmaxf(ttop.y, tbot.y), fmaxf(ttop.z, tbot.z));
    *tnear = fmaxf(fmaxf(tmin.x, tmin.y), tmin.z);
    *tfar = fminf(fminf(tmax.x, tmax.y), tmax.z);
    return *tfar > *tnear;
}

__device__ uint rgbaFloatToInt(float4 rgba) {
    rgba.x = __saturatef(rgba.x), rgba.y = __saturatef(rgba.y), rgba.z = __saturatef(rgba.z),
    rgba.w = __saturatef(rgba.w);
    return (uint(rgba.w * 255) << 24) | (uint(rgba.z * 255) << 16) | (uint(rgba.y * 255) << 8) | uint(rgba.x * 255);
}

__global__ void d_render(uint* d_output, float* densities, uint imageW, uint imageH, float density, float brightness,
                         cudaTextureObject_t tex, cudaTextureObject_t transferTex) {
    const int maxSteps = 200;
    const float tstep = 0.03125f, opacityThreshold = 0.95f;
    uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if ((x >= imageW) || (y >= imageH)) return;
    float u = (x / (float)imageW) * 2.0f - 1.0f, v = (y / (float)imageH) * 2.0f - 1.0f;
    Ray eyeRay;
    eyeRay.o = mul(c_invViewMatrix, make_float4(0.0f, 0.0f, 0.0f, 1.0f));
    eyeRay.d = mul(c_invViewMatrix, make_float4(u, v, -2.0f, 0.0f));
    float tnear, tfar;
    d_output[y * imageW + x] = 0;
    densities[y * imageW + x] = 0;
    if (!intersectBox(eyeRay, make_float3(-1.0f, -1.0f, -1.0f), make_float3(1.0f, 1.0f, 1.0f), &tnear, &tfar)) return;
    if (tnear < 0.0f) tnear = 0.0f;
    float4 sum = make_float4(0, 0, 0, 0);
    float t = tnear, passed = 0;
    for (int i = 0; i < maxSteps; i++) {
        float3 pos = make_float3(eyeRay.o.x + eyeRay.d.x * t, eyeRay.o.y + eyeRay.d.y * t, eyeRay.o.z + eyeRay.d.z * t);
        float sample = tex3D<float>(tex, pos.x * 0.5f + 0.5f, pos.y * 0.5f + 0.5f, pos.z * 0.5f + 0.5f);
        passed += sample;
        float4 col = tex1D<float4>(transferTex, sample);
        col.w *= density;
        col.x *= col.w, col.y *= col.w, col.z *= col.w;
        float rest = 1.0f - sum.w;
        sum.x += col.x * rest, sum.y += col.y * rest, sum.z += col.z * rest, sum.w += col.w * rest;
        if (sum.w > opacityThreshold) break;
        t += tstep;
        if (t > tfar) break;
    }
    sum.x *= brightness, sum.y *= brightness, sum.z *= brightness, sum.w *= brightness;
    d_output[y * imageW + x] = rgbaFloatToInt(sum);
    densities[y * imageW + x] = passed;
}

int main() {
    cudaExtent volumeSize = make_cudaExtent(24, 20, 16);
    std::vector<VolumeType> h_volume(volumeSize.width * volumeSize.height * volumeSize.depth);
    for (size_t z = 0, i = 0; z < volumeSize.depth; z++)
        for (size_t y = 0; y < volumeSize.height; y++)
            for (size_t x = 0; x < volumeSize.width; x++, i++) {
                int dx = (int)x - 12, dy = (int)y - 10, dz = (int)z - 8, r = dx * dx + dy * dy + 2 * dz * dz;
                h_volume[i] = (VolumeType)(r < 100 ? 255 - 2 * r : (x * y * z) % 40);
            }
    cudaArray *d_volumeArray = 0, *d_transferFuncArray;
    cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc<VolumeType>();
    gpuErrchk(cudaMalloc3DArray(&d_volumeArray, &channelDesc, volumeSize));
    cudaMemcpy3DParms copyParams = {0};
    copyParams.srcPtr = make_cudaPitchedPtr(h_volume.data(), volumeSize.width * sizeof(VolumeType), volumeSize.width,
                                            volumeSize.height);
    copyParams.dstArray = d_volumeArray;
    copyParams.extent = volumeSize;
    copyParams.kind = cudaMemcpyHostToDevice;
    gpuErrchk(cudaMemcpy3D(&copyParams));

    cudaTextureObject_t texObject, transferTex;
    cudaResourceDesc texRes;
    memset(&texRes, 0, sizeof(cudaResourceDesc));
    texRes.resType = cudaResourceTypeArray;
    texRes.res.array.array = d_volumeArray;
    cudaTextureDesc texDescr;
    memset(&texDescr, 0, sizeof(cudaTextureDesc));
    texDescr.normalizedCoords = true;
    texDescr.filterMode = cudaFilterModeLinear;
    texDescr.addressMode[0] = texDescr.addressMode[1] = texDescr.addressMode[2] = cudaAddressModeWrap;
    texDescr.readMode = cudaReadModeNormalizedFloat;
    gpuErrchk(cudaCreateTextureObject(&texObject, &texRes, &texDescr, NULL));

    float4 transferFunc[] = {{0, 0, 0, 0}, {1, 0, 0, 1}, {1, .5f, 0, 1}, {1, 1, 0, 1}, {0, 1, 0, 1},
                             {0, 1, 1, 1}, {0, 0, 1, 1}, {1, 0, 1, 1},   {0, 0, 0, 0}};
    cudaChannelFormatDesc channelDesc2 = cudaCreateChannelDesc<float4>();
    gpuErrchk(cudaMallocArray(&d_transferFuncArray, &channelDesc2, sizeof(transferFunc) / sizeof(float4), 1));
    gpuErrchk(cudaMemcpy2DToArray(d_transferFuncArray, 0, 0, transferFunc, 0, sizeof(transferFunc), 1,
                                  cudaMemcpyHostToDevice));
    memset(&texRes, 0, sizeof(cudaResourceDesc));
    texRes.resType = cudaResourceTypeArray;
    texRes.res.array.array = d_transferFuncArray;
    texDescr.addressMode[0] = cudaAddressModeClamp;
    texDescr.readMode = cudaReadModeElementType;
    gpuErrchk(cudaCreateTextureObject(&transferTex, &texRes, &texDescr, NULL));

    float3x4 view = {{{1, 0, 0, 0.125f}, {0, 1, 0, -0.0625f}, {0, 0, 1, 3.0f}}};
    gpuErrchk(cudaMemcpyToSymbol(c_invViewMatrix, &view, sizeof(view)));
    const int w = 48, h = 40;
    uint* d_output;
    float* d_density;
    gpuErrchk(cudaMalloc(&d_output, w * h * sizeof(uint)));
    gpuErrchk(cudaMalloc(&d_density, w * h * sizeof(float)));
    dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);
    d_render<<<grid, block>>>(d_output, d_density, w, h, 0.05f, 1.0f, texObject, transferTex);
    gpuErrchk(cudaGetLastError());
    gpuErrchk(cudaDeviceSynchronize());
    std::vector<uint> pixels(w * h);
    std::vector<float> passed(w * h);
    gpuErrchk(cudaMemcpy(pixels.data(), d_output, w * h * sizeof(uint), cudaMemcpyDeviceToHost));
    gpuErrchk(cudaMemcpy(passed.data(), d_density, w * h * sizeof(float), cudaMemcpyDeviceToHost));

    // The middle's ray, by hand.
    const auto voxel = [&](int x, int y, int z) {
        const auto wrap = [](int i, int n) { return ((i % n) + n) % n; };
        return h_volume[(wrap(z, 16) * 20 + wrap(y, 20)) * 24 + wrap(x, 24)] / 255.0;
    };
    const int px = 24, py = 20;
    double want = 0, t = 1.0;
    for (; t <= 2.0; t += 0.03125) {
        const double ox = 0.125 + 0 * t, oy = -0.0625, oz = 3.0 - 2.0 * t;
        const double x = (ox * 0.5 + 0.5) * 24 - 0.5, y = (oy * 0.5 + 0.5) * 20 - 0.5, z = (oz * 0.5 + 0.5) * 16 - 0.5;
        const int i = (int)floor(x), j = (int)floor(y), k = (int)floor(z);
        for (int c = 0; c < 8; c++)
            want += voxel(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)) * (c & 1 ? x - i : 1 - (x - i)) *
                    (c & 2 ? y - j : 1 - (y - j)) * (c & 4 ? z - k : 1 - (z - k));
    }
    uint64_t checksum = 0;
    double total = 0;
    int hit = 0;
    for (int i = 0; i < w * h; i++)
        checksum = checksum * 1000003 + pixels[i], total += passed[i], hit += pixels[i] != 0;
    printf("%d of %d pixels hit the volume, middle %08x\n", hit, w * h, pixels[py * w + px]);
    printf("checksum %016llx, density %.3f\n", (unsigned long long)checksum, total);
    const bool ok = fabs(want - passed[py * w + px]) < 0.1;
    printf("the middle's ray passes %.2f: %s\n", passed[py * w + px], ok ? "PASS" : "FAIL");
    gpuErrchk(cudaDestroyTextureObject(texObject));
    gpuErrchk(cudaDestroyTextureObject(transferTex));
    gpuErrchk(cudaFreeArray(d_volumeArray));
    gpuErrchk(cudaFreeArray(d_transferFuncArray));
    gpuErrchk(cudaFree(d_output));
    gpuErrchk(cudaFree(d_density));
    return !ok;
}
