// Levels of detail: each made from the one before by a kernel that reads a texture of it and writes a surface of the
// next.
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void throw_on_error(cudaError_t code, const char* what) {
    if (code != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code));
}
#define THROW_ON_ERROR(call) throw_on_error((call), #call)

// Owns a texture object.
class Texture {
public:
    Texture(const cudaResourceDesc& resource, const cudaTextureDesc& description) {
        THROW_ON_ERROR(cudaCreateTextureObject(&object_, &resource, &description, nullptr));
    }
    ~Texture() { cudaDestroyTextureObject(object_); }
    Texture(const Texture&) = delete;
    operator cudaTextureObject_t() const { return object_; }

private:
    cudaTextureObject_t object_ = 0;
};

__global__ void d_mipmap(cudaSurfaceObject_t mipOutput, cudaTextureObject_t mipInput, unsigned imageW,
                         unsigned imageH) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float px = 1.0f / float(imageW), py = 1.0f / float(imageH);
    if ((x < imageW) && (y < imageH)) {
        // The mean of four texels, at each one's middle.
        float4 color = tex2D<float4>(mipInput, (x + 0.25f) * px, (y + 0.25f) * py);
        float4 b = tex2D<float4>(mipInput, (x + 0.75f) * px, (y + 0.25f) * py);
        float4 c = tex2D<float4>(mipInput, (x + 0.25f) * px, (y + 0.75f) * py);
        float4 d = tex2D<float4>(mipInput, (x + 0.75f) * px, (y + 0.75f) * py);
        color.x = (color.x + b.x + c.x + d.x) / 4.0f * 255.0f;
        color.y = (color.y + b.y + c.y + d.y) / 4.0f * 255.0f;
        color.z = (color.z + b.z + c.z + d.z) / 4.0f * 255.0f;
        color.w = (color.w + b.w + c.w + d.w) / 4.0f * 255.0f;
        color.x = fminf(color.x, 255.0f);
        surf2Dwrite(make_uchar4((unsigned char)(color.x + 0.25f), (unsigned char)(color.y + 0.25f),
                                (unsigned char)(color.z + 0.25f), (unsigned char)(color.w + 0.25f)),
                    mipOutput, x * sizeof(uchar4), y);
    }
}

__global__ void sample(cudaTextureObject_t image, float level, int n, float4* byLevel, float4* byGradient) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * n) return;
    float u = (i % n + 0.5f) / n, v = (i / n + 0.5f) / n;
    byLevel[i] = tex2DLod<float4>(image, u, v, level);
    const float step = exp2f(level) / 64.0f;
    byGradient[i] = tex2DGrad<float4>(image, u, v, make_float2(step, 0), make_float2(0, step));
}

cudaTextureDesc description(bool filtered) {
    cudaTextureDesc desc;
    std::memset(&desc, 0, sizeof(desc));
    desc.normalizedCoords = 1;
    desc.filterMode = filtered ? cudaFilterModeLinear : cudaFilterModePoint;
    desc.mipmapFilterMode = cudaFilterModeLinear;
    desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = cudaAddressModeClamp;
    desc.maxMipmapLevelClamp = 6;
    desc.readMode = cudaReadModeNormalizedFloat;
    return desc;
}

int run() {
    constexpr unsigned size = 64, levels = 7;
    std::vector<std::vector<uchar4>> host(levels);
    host[0].resize(size * size);
    for (unsigned i = 0; i < size * size; ++i) {
        const unsigned mixed = i * 2654435761u;
        host[0][i] = make_uchar4(i % size * 4, i / size * 4, mixed >> 24, 255);
    }
    cudaMipmappedArray_t mipmapArray = nullptr;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
    THROW_ON_ERROR(cudaMallocMipmappedArray(&mipmapArray, &desc, make_cudaExtent(size, size, 0), levels,
                                            cudaArraySurfaceLoadStore));
    cudaArray_t level0 = nullptr;
    THROW_ON_ERROR(cudaGetMipmappedArrayLevel(&level0, mipmapArray, 0));
    cudaMemcpy3DParms copyParams = {};
    copyParams.srcPtr = make_cudaPitchedPtr(host[0].data(), size * sizeof(uchar4), size, size);
    copyParams.dstArray = level0;
    copyParams.extent = make_cudaExtent(size, size, 1);
    copyParams.kind = cudaMemcpyHostToDevice;
    THROW_ON_ERROR(cudaMemcpy3D(&copyParams));

    unsigned width = size;
    std::uint64_t hash = 0xcbf29ce484222325ull;
    int wrong = 0;
    for (unsigned level = 1; level < levels; ++level) {
        cudaArray_t from = nullptr, to = nullptr;
        THROW_ON_ERROR(cudaGetMipmappedArrayLevel(&from, mipmapArray, level - 1));
        THROW_ON_ERROR(cudaGetMipmappedArrayLevel(&to, mipmapArray, level));
        cudaExtent levelToSize;
        THROW_ON_ERROR(cudaArrayGetInfo(nullptr, &levelToSize, nullptr, to));
        width /= 2;
        if (levelToSize.width != width || levelToSize.height != width)
            throw std::runtime_error("the level has another size");
        cudaResourceDesc texRes{};
        texRes.resType = cudaResourceTypeArray;
        texRes.res.array.array = from;
        Texture texInput(texRes, description(false));
        cudaSurfaceObject_t surfOutput;
        cudaResourceDesc surfRes{};
        surfRes.resType = cudaResourceTypeArray;
        surfRes.res.array.array = to;
        THROW_ON_ERROR(cudaCreateSurfaceObject(&surfOutput, &surfRes));
        d_mipmap<<<dim3((width + 15) / 16, (width + 15) / 16), dim3(16, 16)>>>(surfOutput, texInput, width, width);
        THROW_ON_ERROR(cudaDeviceSynchronize());
        THROW_ON_ERROR(cudaDestroySurfaceObject(surfOutput));
        host[level].resize(width * width);
        THROW_ON_ERROR(cudaMemcpy2DFromArray(host[level].data(), width * sizeof(uchar4), to, 0, 0,
                                             width * sizeof(uchar4), width, cudaMemcpyDeviceToHost));
        for (unsigned y = 0; y < width; ++y)
            for (unsigned x = 0; x < width; ++x) {
                const auto at = [&](unsigned dx, unsigned dy) {
                    return reinterpret_cast<const unsigned char*>(
                        &host[level - 1][(2 * y + dy) * 2 * width + 2 * x + dx]);
                };
                for (int c = 0; c < 4; ++c) {
                    const int got = reinterpret_cast<const unsigned char*>(&host[level][y * width + x])[c];
                    const int sum = at(0, 0)[c] + at(1, 0)[c] + at(0, 1)[c] + at(1, 1)[c];
                    wrong += std::abs(got * 4 - sum) > 3;
                    hash = (hash ^ static_cast<std::uint64_t>(got)) * 0x100000001b3ull;
                }
            }
    }
    std::cout << "levels: hash " << std::hex << hash << std::dec << ", " << (wrong ? "FAIL" : "PASS") << '\n';

    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmapArray;
    Texture whole(resource, description(true));
    constexpr int n = 20;
    float4 *byLevel, *byGradient;
    THROW_ON_ERROR(cudaMallocManaged(&byLevel, n * n * sizeof(float4)));
    THROW_ON_ERROR(cudaMallocManaged(&byGradient, n * n * sizeof(float4)));
    for (const float level : {0.0f, 1.0f, 1.5f, 2.25f, 4.0f, 9.0f}) {
        sample<<<(n * n + 63) / 64, 64>>>(whole, level, n, byLevel, byGradient);
        THROW_ON_ERROR(cudaDeviceSynchronize());
        const auto bilinear = [&](int l, float u, float v) {
            const int w = static_cast<int>(size) >> l;
            const float x = u * w - 0.5f, y = v * w - 0.5f;
            const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
            const float a = x - i, b = y - j;
            const auto texel = [&](int cx, int cy) {
                return host[l][std::min(std::max(cy, 0), w - 1) * w + std::min(std::max(cx, 0), w - 1)].z / 255.0f;
            };
            return (1 - b) * ((1 - a) * texel(i, j) + a * texel(i + 1, j)) +
                   b * ((1 - a) * texel(i, j + 1) + a * texel(i + 1, j + 1));
        };
        double sum = 0;
        float worst = 0, apart = 0;
        for (int i = 0; i < n * n; ++i) {
            const float u = (i % n + 0.5f) / n, v = (i / n + 0.5f) / n, there = std::min(level, 6.0f);
            const int lower = static_cast<int>(there), upper = std::min(lower + 1, 6);
            const float want = (1 - (there - lower)) * bilinear(lower, u, v) + (there - lower) * bilinear(upper, u, v);
            worst = std::max(worst, std::fabs(want - byLevel[i].z));
            apart = std::max(apart, std::fabs(byLevel[i].z - byGradient[i].z));
            sum += byLevel[i].x + byLevel[i].z;
        }
        const bool good = worst < 0.02f && apart < 0.02f;
        std::cout << "level " << level << ": sum " << std::fixed << sum << std::defaultfloat << ", "
                  << (good ? "PASS" : "FAIL") << '\n';
        wrong += !good;
    }
    THROW_ON_ERROR(cudaFree(byLevel));
    THROW_ON_ERROR(cudaFree(byGradient));
    THROW_ON_ERROR(cudaFreeMipmappedArray(mipmapArray));
    return wrong != 0;
}

}  // namespace

int main() try { return run(); } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 2;
}
