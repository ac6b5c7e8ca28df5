// A frame of a video, brightness and colours in two textures of one allocation, to pixels on a surface.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <cuda_runtime.h>

#define ck(call) check_cuda(call, __LINE__)
static bool check_cuda(cudaError_t e, int line) {
    if (e != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
        exit(1);
    }
    return true;
}

__constant__ float matYuv2Rgb[3][3];

template <class Rgb>
__device__ static void write_pixel(cudaSurfaceObject_t out, int x, int y, float r, float g, float b) {
    Rgb pixel = {};
    pixel.x = (unsigned char)__float2int_rn(fminf(fmaxf(r, 0.0f), 255.0f));
    pixel.y = (unsigned char)__float2int_rn(fminf(fmaxf(g, 0.0f), 255.0f));
    pixel.z = (unsigned char)__float2int_rn(fminf(fmaxf(b, 0.0f), 255.0f));
    pixel.w = 255;
    surf2Dwrite(pixel, out, x * (int)sizeof(Rgb), y, cudaBoundaryModeZero);
}

// Two by two pixels share a colour.
__global__ static void nv12_to_rgb(cudaTextureObject_t texY, cudaTextureObject_t texUv, cudaSurfaceObject_t out,
                                   int width, int height) {
    const int x = (threadIdx.x + blockIdx.x * blockDim.x) * 2, y = (threadIdx.y + blockIdx.y * blockDim.y) * 2;
    if (x + 1 >= width || y + 1 >= height) return;
    const uchar2 uv = tex2D<uchar2>(texUv, x / 2, y / 2);
    const float u = (float)uv.x - 128.0f, v = (float)uv.y - 128.0f;
    for (int dy = 0; dy < 2; ++dy)
        for (int dx = 0; dx < 2; ++dx) {
            const float luma = (float)tex2D<unsigned char>(texY, x + dx, y + dy) - 16.0f;
            write_pixel<uchar4>(out, x + dx, y + dy, matYuv2Rgb[0][0] * luma + matYuv2Rgb[0][2] * v,
                                matYuv2Rgb[1][0] * luma + matYuv2Rgb[1][1] * u + matYuv2Rgb[1][2] * v,
                                matYuv2Rgb[2][0] * luma + matYuv2Rgb[2][1] * u);
        }
}

// Half the size, the colours filtered by the unit, as numbers from 0 to 1.
__global__ static void thumbnail(cudaTextureObject_t texY, cudaTextureObject_t texUv, float3* out, int width,
                                 int height) {
    const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= width || y >= height) return;
    const float u = (x + 0.5f) / width, v = (y + 0.5f) / height;
    const float2 c = tex2D<float2>(texUv, u, v);
    out[y * width + x] = make_float3(tex2D<float>(texY, u, v), c.x, c.y);
}

template <class T>
static cudaTextureObject_t plane(void* memory, size_t pitch, int width, int height, bool smooth) {
    cudaResourceDesc res{};
    res.resType = cudaResourceTypePitch2D;
    res.res.pitch2D.devPtr = memory;
    res.res.pitch2D.desc = cudaCreateChannelDesc<T>();
    res.res.pitch2D.width = width;
    res.res.pitch2D.height = height;
    res.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc tex{};
    tex.addressMode[0] = tex.addressMode[1] = cudaAddressModeClamp;
    tex.filterMode = smooth ? cudaFilterModeLinear : cudaFilterModePoint;
    tex.readMode = smooth ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    tex.normalizedCoords = smooth;
    cudaTextureObject_t object{};
    ck(cudaCreateTextureObject(&object, &res, &tex, nullptr));
    return object;
}

int main() {
    constexpr int width = 80, height = 48;
    const float matrix[3][3] = {
        {1.164384f, 0, 1.596027f}, {1.164384f, -0.391762f, -0.812968f}, {1.164384f, 2.017232f, 0}};
    ck(cudaMemcpyToSymbol(matYuv2Rgb, matrix, sizeof(matrix)));
    std::vector<uint8_t> frame(width * height * 3 / 2);
    for (int y = 0; y < height * 3 / 2; ++y)
        for (int x = 0; x < width; ++x)
            frame[y * width + x] = (uint8_t)(y < height ? 16 + (x * 5 + y * 3) % 220 : 40 + (x * 11 + y * y) % 180);
    uint8_t* d_frame;
    size_t pitch;
    ck(cudaMallocPitch(reinterpret_cast<void**>(&d_frame), &pitch, width, height * 3 / 2));
    ck(cudaMemcpy2D(d_frame, pitch, frame.data(), width, width, height * 3 / 2, cudaMemcpyHostToDevice));
    uint8_t* const d_uv = d_frame + pitch * height;

    cudaArray_t pixels;
    const auto rgba = cudaCreateChannelDesc<uchar4>();
    ck(cudaMallocArray(&pixels, &rgba, width, height, cudaArraySurfaceLoadStore));
    cudaResourceDesc res{};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = pixels;
    cudaSurfaceObject_t out;
    ck(cudaCreateSurfaceObject(&out, &res));
    cudaStream_t stream;
    ck(cudaStreamCreate(&stream));
    const auto luma = plane<unsigned char>(d_frame, pitch, width, height, false),
               chroma = plane<uchar2>(d_uv, pitch, width / 2, height / 2, false);
    nv12_to_rgb<<<dim3((width + 63) / 64, (height + 3) / 4), dim3(32, 2), 0, stream>>>(luma, chroma, out, width,
                                                                                       height);
    ck(cudaGetLastError());
    auto host = std::make_unique<uchar4[]>(width * height);
    ck(cudaMemcpy2DFromArrayAsync(host.get(), width * 4, pixels, 0, 0, width * 4, height, cudaMemcpyDeviceToHost,
                                  stream));
    ck(cudaStreamSynchronize(stream));
    int worst = 0;
    uint64_t hash = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const float l = frame[y * width + x] - 16.0f, u = frame[(height + y / 2) * width + x / 2 * 2] - 128.0f,
                        v = frame[(height + y / 2) * width + x / 2 * 2 + 1] - 128.0f;
            const uchar4 p = host[y * width + x];
            const unsigned char got[3] = {p.x, p.y, p.z};
            for (int c = 0; c < 3; ++c) {
                const float want = matrix[c][0] * l + matrix[c][1] * u + matrix[c][2] * v;
                worst =
                    std::max(worst, std::abs((int)got[c] - (int)std::lround(std::fmin(std::fmax(want, 0.0f), 255.0f))));
                hash = hash * 257 + got[c];
            }
            worst = std::max(worst, p.w == 255 ? 0 : 255);
        }
    std::printf("frame: hash %016llx, %s\n", (unsigned long long)hash, worst <= 1 ? "PASS" : "FAIL");

    float3* d_small;
    const int w = width / 2, h = height / 2;
    std::vector<float3> small(w * h);
    ck(cudaMallocManaged((void**)&d_small, w * h * sizeof(float3)));
    const auto smooth = plane<unsigned char>(d_frame, pitch, width, height, true),
               colours = plane<uchar2>(d_uv, pitch, w, h, true);
    thumbnail<<<dim3((w + 7) / 8, (h + 7) / 8), dim3(8, 8)>>>(smooth, colours, d_small, w, h);
    ck(cudaDeviceSynchronize());
    double sum = 0, off = 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const float3 p = d_small[y * w + x];
            const auto at = [&](int dx, int dy) { return frame[(2 * y + dy) * width + 2 * x + dx] / 255.0; };
            off = std::fmax(off, std::fabs(p.x - (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4));
            off = std::fmax(off, std::fabs(p.y - frame[(height + y) * width + 2 * x] / 255.0));
            off = std::fmax(off, std::fabs(p.z - frame[(height + y) * width + 2 * x + 1] / 255.0));
            sum += p.x + p.y * 3 + p.z * 5;
        }
    std::printf("thumbnail: sum %.6f, %s\n", sum, off < 0.01 ? "PASS" : "FAIL");
    for (const auto object : {luma, chroma, smooth, colours}) ck(cudaDestroyTextureObject(object));
    ck(cudaDestroySurfaceObject(out));
    ck(cudaFreeArray(pixels));
    ck(cudaFree(d_frame));
    ck(cudaFree(d_small));
    ck(cudaStreamDestroy(stream));
    return worst > 1 || off >= 0.01;
}
