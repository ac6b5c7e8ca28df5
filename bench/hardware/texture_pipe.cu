// How fast an SM's texture pipe is, and how long one fetch takes: by geometry, filter and format, and by how the
// threads of a warp lie. Prints one JSON line a figure: "cycles" for each warp instruction of an SM that does nothing
// else, "chain" for one of a warp that needs each result for the next, of which a multiply-add takes four.
#include <functional>
#include <string>
#include <vector>

#include "../../examples/check.h"
#include "sm.h"

namespace {

enum class Form {
    k1DFetch,
    k1D,
    k2D,
    k2DWide,
    k3D,
    kLayered,
    kLevel,
    kGather,
    kCube,
    kRead,
    kReadWide,
    kWrite,
    kWriteWide,
    kLoad,
    kLoadWide
};

struct At {
    float x, y, z;
};

template <Form kForm>
__device__ float fetch(unsigned long long t, const float4* plain, float x, float y, float z) {
    float4 r{};
    if constexpr (kForm == Form::k1DFetch)
        asm volatile("tex.1d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5}];"
                     : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
                     : "l"(t), "r"((int)x + (int)y * 32));
    if constexpr (kForm == Form::k1D) r.x = tex1D<float>(t, x);
    if constexpr (kForm == Form::k2D || kForm == Form::k2DWide)
        asm volatile("tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];"
                     : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
                     : "l"(t), "f"(x), "f"(y));
    if constexpr (kForm == Form::k3D)
        asm volatile("tex.3d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%7}];"
                     : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
                     : "l"(t), "f"(x), "f"(y), "f"(z));
    if constexpr (kForm == Form::kLayered) r.x = tex2DLayered<float>(t, x, y, (int)z);
    if constexpr (kForm == Form::kLevel) r.x = tex2DLod<float>(t, x * (1.0f / 256), y * (1.0f / 256), z);
    if constexpr (kForm == Form::kGather)
        asm volatile("tld4.r.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];"
                     : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
                     : "l"(t), "f"(x), "f"(y));
    if constexpr (kForm == Form::kCube) r.x = texCubemap<float>(t, 128.0f, x - 64, y - 64);
    if constexpr (kForm == Form::kRead) r.x = surf2Dread<float>(t, (int)x * 4, (int)y);
    if constexpr (kForm == Form::kReadWide) r = surf2Dread<float4>(t, (int)x * 16, (int)y);
    if constexpr (kForm == Form::kWrite) surf2Dwrite(x, t, (int)x * 4, (int)y);
    if constexpr (kForm == Form::kWriteWide) surf2Dwrite(float4{x, y, z, x}, t, (int)x * 16, (int)y);
    if constexpr (kForm == Form::kLoad) r.x = reinterpret_cast<const float*>(plain)[(int)x + (int)y * 256];
    if constexpr (kForm == Form::kLoadWide) r = plain[(int)x + (int)y * 256];
    if constexpr (kForm == Form::k1DFetch || kForm == Form::k2DWide || kForm == Form::k3D || kForm == Form::kGather ||
                  kForm == Form::kReadWide || kForm == Form::kLoadWide)
        return (r.x + r.y) + (r.z + r.w);
    return r.x;
}

constexpr int kEach = 8, kTurns = 64;

template <Form kForm>
__global__ void rate(unsigned long long t, const float4* plain, const At* places, float step, unsigned* spans,
                     float* out) {
    At at = places[threadIdx.x % 32];
    float sum = 0;
    for (int warm = 0; warm < 2; ++warm) {
        __syncthreads();
        const unsigned begin = cycle();
#pragma unroll 1
        for (int i = 0; i < (warm == 0 ? 2 : kTurns); ++i) {
#pragma unroll
            for (int k = 0; k < kEach; ++k) {
                sum += fetch<kForm>(t, plain, at.x, at.y, at.z);
                at.x += step;
            }
        }
        const unsigned end = cycle();
        if (threadIdx.x % 32 == 0) {
            spans[threadIdx.x / 32 * 2] = begin;
            spans[threadIdx.x / 32 * 2 + 1] = end;
        }
    }
    out[threadIdx.x] = sum;
}

// Each result is needed for the next place; `zero` is 0, and `step_x`, `step_y` lead to what is not there yet.
template <Form kForm>
__global__ void chain(unsigned long long t, const float4* plain, const At* places, float zero, float step_x,
                      float step_y, float wrap, int turns, unsigned* spans, float* out) {
    At at = places[threadIdx.x];
    float y = at.y;
    const unsigned begin = cycle();
#pragma unroll 1
    for (int i = 0; i < turns; ++i) {
        const float value = fetch<kForm>(t, plain, at.x, y, at.z);
        at.x = fmaf(value, zero, at.x + step_x);
        y = fmaf(value, zero, y + step_y);
        if (y >= wrap) y -= wrap;
    }
    spans[0] = begin;
    spans[1] = cycle();
    out[threadIdx.x] = y + at.x;
}

// Each result is needed for the same place again: a fetch and a multiply-add.
template <Form kForm>
__global__ void again(unsigned long long t, const float4* plain, const At* places, float zero, int turns,
                      unsigned* spans, float* out) {
    At at = places[threadIdx.x];
    const unsigned begin = cycle();
#pragma unroll 8
    for (int i = 0; i < turns; ++i) at.x = fmaf(fetch<kForm>(t, plain, at.x, at.y, at.z), zero, at.x);
    spans[0] = begin;
    spans[1] = cycle();
    out[threadIdx.x] = at.x;
}

__global__ void touch_all(cudaTextureObject_t t, int w, int h, float* out) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += gridDim.x * blockDim.x)
        sum += tex2D<float>(t, i % w + 0.5f, i / w + 0.5f);
    if (sum == -1.0f) *out = sum;
}

unsigned* spans = nullptr;
float* out = nullptr;
At* device_places = nullptr;
float4* plain = nullptr;

unsigned longest(int warps) {
    const std::vector<unsigned> all = to_host(spans, warps * 2);
    unsigned begin = all[0], most = 0;
    for (int i = 1; i < warps; ++i)
        if (int(all[2 * i] - begin) < 0) begin = all[2 * i];
    for (int i = 0; i < warps; ++i) most = std::max(most, all[2 * i + 1] - begin);
    return most;
}

using Pattern = std::function<At(int)>;
const struct {
    const char* name;
    Pattern at;
} kPatterns[] = {
    {"one",
     [](int) {
         return At{8, 8, 3};
     }},
    {"row",
     [](int i) {
         return At{float(i), 8, 3};
     }},
    {"8x4",
     [](int i) {
         return At{float(i % 8), float(i / 8), 3};
     }},
    {"quads",
     [](int i) {
         return At{float(i / 4 % 4 * 2 + i % 2), float(i / 16 * 2 + i / 2 % 2), 3};
     }},
    {"column",
     [](int i) {
         return At{8, float(i), 3};
     }},
    {"row by 8",
     [](int i) {
         return At{float(i * 8 % 120), 8, 3};
     }},
    {"quads apart",
     [](int i) {
         return At{float(i % 2), float(i / 4 * 16 + i / 2 % 2), 3};
     }},
    {"random 32",
     [](int i) {
         return At{float((i * 151 + 37) % 32), float((i * 89 + 11) % 32), 3};
     }},
    {"random 120",
     [](int i) {
         return At{float((i * 151 + 37) % 120), float((i * 89 + 11) % 120), float(i % 7)};
     }},
};

At shifted(At at, float by, float z) { return {at.x + by, at.y + by, at.z + z}; }

template <Form kForm>
void rates(const char* name, unsigned long long t, float by, float z = 0) {
    for (const auto& pattern : kPatterns) {
        std::vector<At> places(32);
        for (int i = 0; i < 32; ++i) places[i] = shifted(pattern.at(i), by, z);
        CHECK(cudaMemcpy(device_places, places.data(), 32 * sizeof(At), cudaMemcpyHostToDevice));
        rate<kForm><<<1, 1024>>>(t, plain, device_places, 0.0f, spans, out);
        finish_launch();
        const double cycles = double(longest(32)) / (32.0 * kTurns * kEach);
        again<kForm><<<1, 32>>>(t, plain, device_places, 0.0f, 64, spans, out);
        again<kForm><<<1, 32>>>(t, plain, device_places, 0.0f, 512, spans, out);
        finish_launch();
        std::printf("{\"form\": \"%s\", \"pattern\": \"%s\", \"cycles\": %.3f, \"chain\": %.1f}\n", name, pattern.name,
                    cycles, longest(1) / 512.0);
    }
}

unsigned long long object(int w, int h, int d, char kind, int bits, int channels, bool linear, unsigned flags = 0,
                          bool is_surface = false, int levels = 1) {
    const auto b = [&](int c) { return c < channels ? bits : 0; };
    const cudaChannelFormatDesc format = {b(0), b(1), b(2), b(3),
                                          kind == 'f' ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned};
    cudaResourceDesc resource{};
    if (w < 0) {
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.sizeInBytes = std::size_t(-w) * bits / 8 * channels;
        CHECK(cudaMalloc(&resource.res.linear.devPtr, resource.res.linear.sizeInBytes));
        resource.res.linear.desc = format;
    } else if (levels > 1) {
        resource.resType = cudaResourceTypeMipmappedArray;
        CHECK(cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format, make_cudaExtent(w, h, d), levels, flags));
    } else {
        resource.resType = cudaResourceTypeArray;
        CHECK(cudaMalloc3DArray(&resource.res.array.array, &format, make_cudaExtent(w, h, d), flags));
        if (w > 1 && h > 1 && d == 0) {
            std::vector<float> rows(std::size_t(w) * bits / 8 * channels * h / 4);
            unsigned state = 7;
            for (float& value : rows) value = float(state = state * 1664525u + 1013904223u) / 4294967296.0f;
            CHECK(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, rows.data(), std::size_t(w) * bits / 8 * channels,
                                      std::size_t(w) * bits / 8 * channels, h, cudaMemcpyHostToDevice));
        }
    }
    unsigned long long result = 0;
    if (is_surface) {
        CHECK(cudaCreateSurfaceObject(&result, &resource));
        return result;
    }
    cudaTextureDesc texture{};
    for (auto& mode : texture.addressMode) mode = cudaAddressModeClamp;
    texture.filterMode = texture.mipmapFilterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    texture.readMode = kind == 'f' ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    texture.maxMipmapLevelClamp = 20;
    texture.normalizedCoords = levels > 1;
    CHECK(cudaCreateTextureObject(&result, &resource, &texture, nullptr));
    return result;
}

// Chains of one warp through sectors that L1 has not: `size` texels of a side, the next fetch a row of tiles further
// on.
template <Form kForm>
void beyond(const char* name, unsigned long long t, int w, int h, bool is_warm) {
    std::vector<At> places(32, At{0.5f, 0.5f, 0});
    CHECK(cudaMemcpy(device_places, places.data(), 32 * sizeof(At), cudaMemcpyHostToDevice));
    if (is_warm) touch_all<<<264, 512>>>(t, w, h, out);
    const int turns = h / 16 - 1;
    chain<kForm><<<1, 32>>>(t, plain, device_places, 0.0f, 16.0f, 16.0f, 1e9f, turns, spans, out);
    finish_launch();
    std::printf("{\"form\": \"%s\", \"pattern\": \"%s %dx%d\", \"chain\": %.1f}\n", name, is_warm ? "in L2" : "cold", w,
                h, double(longest(1)) / turns);
}

}  // namespace

int main() {
    spans = device_buffer<unsigned>(128);
    out = device_buffer<float>(4096);
    device_places = device_buffer<At>(32);
    plain = device_buffer<float4>(256 * 256);
    const struct {
        const char* name;
        char kind;
        int bits, channels;
    } kFormats[] = {{"f32", 'f', 32, 1},   {"f32x2", 'f', 32, 2}, {"f32x4", 'f', 32, 4}, {"f16", 'f', 16, 1},
                    {"f16x4", 'f', 16, 4}, {"u8", 'u', 8, 1},     {"u8x4", 'u', 8, 4},   {"u16x4", 'u', 16, 4}};
    for (const auto& format : kFormats) {
        const std::string name = format.name;
        const auto point = object(256, 256, 0, format.kind, format.bits, format.channels, false);
        const auto linear = object(256, 256, 0, format.kind, format.bits, format.channels, true);
        rates<Form::k2D>((name + " 2d point, one channel").c_str(), point, 0.5f);
        rates<Form::k2DWide>((name + " 2d point").c_str(), point, 0.5f);
        rates<Form::k2DWide>((name + " 2d linear").c_str(), linear, 1.0f);
    }
    rates<Form::k2D>("f32 2d linear at texels, one channel", object(256, 256, 0, 'f', 32, 1, true), 0.5f);
    rates<Form::k1DFetch>("f32 1dfetch", object(-65536, 0, 0, 'f', 32, 1, false), 0);
    rates<Form::k1DFetch>("f32x4 1dfetch", object(-65536, 0, 0, 'f', 32, 4, false), 0);
    rates<Form::k1D>("f32 1d linear", object(4096, 0, 0, 'f', 32, 1, true), 1.0f);
    rates<Form::k3D>("f32 3d point", object(128, 128, 8, 'f', 32, 1, false), 0.5f);
    rates<Form::k3D>("f32 3d linear between", object(128, 128, 8, 'f', 32, 1, true), 1.0f);
    rates<Form::k3D>("u8 3d linear between", object(128, 128, 8, 'u', 8, 1, true), 1.0f);
    rates<Form::k3D>("u8x4 3d linear between", object(128, 128, 8, 'u', 8, 4, true), 1.0f);
    rates<Form::kLayered>("f32 layered linear", object(128, 128, 8, 'f', 32, 1, true, cudaArrayLayered), 1.0f);
    rates<Form::kLevel>("f32 level 0 linear", object(256, 256, 0, 'f', 32, 1, true, 0, false, 9), 1.0f, -3.0f);
    rates<Form::kLevel>("f32 level 1.5 linear", object(256, 256, 0, 'f', 32, 1, true, 0, false, 9), 1.0f, -1.5f);
    rates<Form::kGather>("f32 gather", object(256, 256, 0, 'f', 32, 1, false, cudaArrayTextureGather), 1.0f);
    rates<Form::kCube>("f32 cube linear", object(128, 128, 6, 'f', 32, 1, true, cudaArrayCubemap), 0.5f);
    const auto s4 = object(256, 256, 0, 'f', 32, 1, false, cudaArraySurfaceLoadStore, true);
    const auto s16 = object(256, 256, 0, 'f', 32, 4, false, cudaArraySurfaceLoadStore, true);
    rates<Form::kRead>("surface read 4", s4, 0);
    rates<Form::kReadWide>("surface read 16", s16, 0);
    rates<Form::kWrite>("surface write 4", s4, 0);
    rates<Form::kWriteWide>("surface write 16", s16, 0);
    rates<Form::kLoad>("load 4", 0, 0);
    rates<Form::kLoadWide>("load 16", 0, 0);
    for (const bool linear : {false, true}) {
        beyond<Form::k2D>(linear ? "f32 linear" : "f32 point", object(4096, 2048, 0, 'f', 32, 1, linear), 4096, 2048,
                          true);
        beyond<Form::k2D>(linear ? "f32 linear" : "f32 point", object(32768, 16384, 0, 'u', 8, 1, linear), 32768, 16384,
                          false);
    }
    return 0;
}
