// What texture and surface requests ask L1 and L2 for: by how the threads of one warp lie, by format and geometry, and
// by how whole images are walked. A line for each launch; the counters come from ncu.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace {

struct At {
    float x, y, z;
    int on;
};

template <int kGeometry>
__global__ void fetch(cudaTextureObject_t t, const At* places, float4* out) {
    const At at = places[threadIdx.x];
    float4 r{};
    if (at.on) {
        if constexpr (kGeometry == 1) r.x = tex1Dfetch<float>(t, (int)at.x);
        if constexpr (kGeometry == 2)
            asm volatile("tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];"
                         : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
                         : "l"(t), "f"(at.x), "f"(at.y));
        if constexpr (kGeometry == 3)
            asm volatile("tex.3d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%7}];"
                         : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
                         : "l"(t), "f"(at.x), "f"(at.y), "f"(at.z));
        if constexpr (kGeometry == 4)
            asm volatile("tld4.r.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];"
                         : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
                         : "l"(t), "f"(at.x), "f"(at.y));
        if constexpr (kGeometry == 5) r.x = tex1D<float>(t, at.x);
        if constexpr (kGeometry == 6) r = tex2DLod<float4>(t, at.x, at.y, at.z);
    }
    out[threadIdx.x] = r;
}
template <class T, bool kWrites>
__global__ void touch(cudaSurfaceObject_t s, const At* places, T* out) {
    const At at = places[threadIdx.x];
    T value{};
    if (at.on) {
        if (kWrites)
            surf2Dwrite(value, s, (int)at.x * (int)sizeof(T), (int)at.y);
        else
            value = surf2Dread<T>(s, (int)at.x * (int)sizeof(T), (int)at.y);
    }
    if (!kWrites) out[threadIdx.x] = value;
}
// Whole images: 0 as they lie, 1 transposed, 2 rotated by 30 degrees, 3 at random.
__global__ void walk(cudaTextureObject_t t, float* out, int width, int how, float scale) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x + 0.5f, v = y + 0.5f;
    if (how == 1) u = y + 0.5f, v = x + 0.5f;
    if (how == 2) {
        const float c = 0.8660254f, s = 0.5f, h = width / 2.0f, du = u - h, dv = v - h;
        u = c * du - s * dv + h;
        v = s * du + c * dv + h;
    }
    if (how == 3) {
        unsigned k = (y * width + x) * 2654435761u;
        k ^= k >> 15;
        k *= 2246822519u;
        k ^= k >> 13;
        u = k % width + 0.5f;
        v = k / width % width + 0.5f;
    }
    out[y * width + x] = tex2D<float>(t, u * scale, v * scale);
}

using Pattern = std::function<At(int)>;
struct Named {
    std::string name;
    Pattern at;
};
std::vector<Named> patterns() {
    std::vector<Named> all;
    const auto add = [&](const std::string& name, Pattern p) { all.push_back({name, std::move(p)}); };
    const auto at = [](int x, int y) { return At{(float)x, (float)y, 0, 1}; };
    add("one", [=](int) { return at(8, 8); });
    add("row", [=](int i) { return at(i, 0); });
    add("row+3", [=](int i) { return at(i + 3, 0); });
    add("column", [=](int i) { return at(0, i); });
    add("16x2", [=](int i) { return at(i % 16, i / 16); });
    add("8x4", [=](int i) { return at(i % 8, i / 8); });
    add("4x8", [=](int i) { return at(i % 4, i / 4); });
    add("2x16", [=](int i) { return at(i % 2, i / 2); });
    add("quads", [=](int i) { return at(i / 4 % 4 * 2 + i % 2, i / 16 * 2 + i / 2 % 2); });
    add("8x4+5,3", [=](int i) { return at(i % 8 + 5, i / 8 + 3); });
    for (const int s : {2, 4, 8, 16, 32}) add("row by " + std::to_string(s), [=](int i) { return at(i * s % 256, 0); });
    for (const int s : {2, 4, 8}) add("column by " + std::to_string(s), [=](int i) { return at(0, i * s % 256); });
    add("diagonal", [=](int i) { return at(i, i); });
    add("random", [=](int i) { return at((i * 151 + 37) % 256, (i * 89 + 11) % 256); });
    for (const int on : {1, 2, 4, 8, 16})
        add("row of " + std::to_string(on), [=](int i) {
            At a = at(i, 0);
            a.on = i < on;
            return a;
        });
    // Two texels: which of them lie together.
    for (const int d : {1, 2, 3, 4, 7, 8, 12, 16, 31, 32})
        add("two x" + std::to_string(d), [=](int i) { return at(i < 16 ? 0 : d, 0); });
    for (const int d : {1, 2, 3, 4, 7, 8, 16})
        add("two y" + std::to_string(d), [=](int i) { return at(0, i < 16 ? 0 : d); });
    add("two by turns x1", [=](int i) { return at(i % 2, 0); });
    add("two by turns x4", [=](int i) { return at(i % 2 * 4, 0); });
    add("two by turns x64", [=](int i) { return at(i % 2 * 64, 0); });
    add("quads apart", [=](int i) { return at(i / 4 * 32, i / 4 * 16); });
    add("quads apart, wide", [=](int i) { return at(i / 4 * 32 + i % 4 * 8, i / 4 * 16); });
    return all;
}

cudaTextureObject_t texture_of(int w, int h, int d, char kind, int bits, int channels, bool linear,
                               bool pitched = false, bool gathers = false, int levels = 1) {
    const auto b = [&](int c) { return c < channels ? bits : 0; };
    const cudaChannelFormatDesc format = {b(0), b(1), b(2), b(3),
                                          kind == 'f' ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned};
    cudaResourceDesc resource{};
    if (pitched) {
        const std::size_t pitch = (std::size_t)w * bits / 8 * channels;
        resource.resType = cudaResourceTypePitch2D;
        cudaMalloc(&resource.res.pitch2D.devPtr, pitch * h);
        resource.res.pitch2D.desc = format;
        resource.res.pitch2D.width = w;
        resource.res.pitch2D.height = h;
        resource.res.pitch2D.pitchInBytes = pitch;
    } else if (h == 0 && d < 0) {
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.sizeInBytes = (std::size_t)w * bits / 8 * channels;
        cudaMalloc(&resource.res.linear.devPtr, resource.res.linear.sizeInBytes);
        resource.res.linear.desc = format;
    } else if (levels > 1) {
        resource.resType = cudaResourceTypeMipmappedArray;
        cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format, make_cudaExtent(w, h, d), levels);
    } else {
        resource.resType = cudaResourceTypeArray;
        cudaMalloc3DArray(&resource.res.array.array, &format, make_cudaExtent(w, h, d),
                          gathers ? cudaArrayTextureGather : 0);
    }
    cudaTextureDesc texture{};
    for (auto& mode : texture.addressMode) mode = cudaAddressModeClamp;
    texture.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    texture.mipmapFilterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    texture.readMode = kind == 'f' ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    texture.maxMipmapLevelClamp = 20;
    texture.normalizedCoords = levels > 1;
    cudaTextureObject_t object = 0;
    cudaCreateTextureObject(&object, &resource, &texture, nullptr);
    return object;
}
At* device_places = nullptr;
float4* out = nullptr;
void upload(const Pattern& pattern, float shift, float scale = 1) {
    At places[32];
    for (int i = 0; i < 32; ++i) {
        places[i] = pattern(i);
        places[i].x = (places[i].x + shift) * scale;
        places[i].y = (places[i].y + shift) * scale;
    }
    cudaMemcpy(device_places, places, sizeof(places), cudaMemcpyHostToDevice);
}
void done(const std::string& name) {
    const auto e = cudaDeviceSynchronize();
    std::printf("%s%s%s\n", name.c_str(), e ? " " : "", e ? cudaGetErrorName(e) : "");
}

}  // namespace

int main() {
    cudaMalloc(&device_places, sizeof(At) * 32);
    cudaMalloc(&out, 16 * 512 * 512);
    const auto all = patterns();
    const struct {
        const char* name;
        char kind;
        int bits, channels;
    } kFormats[] = {{"f32", 'f', 32, 1}, {"u8", 'u', 8, 1},     {"u8x4", 'u', 8, 4},
                    {"f16", 'f', 16, 1}, {"f32x2", 'f', 32, 2}, {"f32x4", 'f', 32, 4}};
    for (const auto& format : kFormats) {
        const bool is_first = format.name == kFormats[0].name;
        const auto t = texture_of(256, 256, 0, format.kind, format.bits, format.channels, false);
        const auto l = texture_of(256, 256, 0, format.kind, format.bits, format.channels, true);
        int n = 0;
        for (const auto& p : all) {
            ++n;
            if (!is_first && n > 16 && p.name.substr(0, 3) != "two") continue;
            upload(p.at, 0.5f);
            fetch<2><<<1, 32>>>(t, device_places, out);
            done(std::string(format.name) + " point " + p.name);
            if (n > 14) continue;
            if (is_first || n < 9) {
                upload(p.at, 1.0f);
                fetch<2><<<1, 32>>>(l, device_places, out);
                done(std::string(format.name) + " linear " + p.name);
            }
            if (is_first) {
                upload(p.at, 0.5f);
                fetch<2><<<1, 32>>>(l, device_places, out);
                done(std::string(format.name) + " linear at texels " + p.name);
            }
        }
    }
    const auto pitched = texture_of(256, 256, 0, 'f', 32, 1, false, true);
    const auto gathers = texture_of(256, 256, 0, 'f', 32, 1, false, false, true);
    const auto flat = texture_of(65536, 0, -1, 'f', 32, 1, false);
    const auto line = texture_of(4096, 0, 0, 'f', 32, 1, false);
    const auto volume = texture_of(64, 64, 64, 'f', 32, 1, false), smooth = texture_of(64, 64, 64, 'f', 32, 1, true);
    const auto levels = texture_of(256, 256, 0, 'f', 32, 1, true, false, false, 9);
    for (int n = 0; n < 14; ++n) {
        upload(all[n].at, 0.5f);
        fetch<2><<<1, 32>>>(pitched, device_places, out);
        done("pitched point " + all[n].name);
        if (n > 8) continue;
        upload(all[n].at, 1.0f);
        fetch<4><<<1, 32>>>(gathers, device_places, out);
        done("gather " + all[n].name);
        upload(all[n].at, 0.5f);
        fetch<3><<<1, 32>>>(volume, device_places, out);
        done("volume point " + all[n].name);
        upload(all[n].at, 1.0f);
        fetch<3><<<1, 32>>>(smooth, device_places, out);
        done("volume linear z0 " + all[n].name);
        upload(
            [&](int i) {
                At a = all[n].at(i);
                a.z = 3;
                return a;
            },
            1.0f);
        fetch<3><<<1, 32>>>(smooth, device_places, out);
        done("volume linear z3 " + all[n].name);
        upload(
            [&](int i) {
                At a = all[n].at(i);
                a.z = 1.5f;
                return a;
            },
            1.0f, 1.0f / 128);
        fetch<6><<<1, 32>>>(levels, device_places, out);
        done("levels 1.5 " + all[n].name);
    }
    for (const int s : {1, 2, 4, 8, 7, 32}) {
        upload([=](int i) { return At{(float)(i * s), 0, 0, 1}; }, 0);
        fetch<1><<<1, 32>>>(flat, device_places, out);
        done("flat by " + std::to_string(s));
        fetch<5><<<1, 32>>>(line, device_places, out);
        done("1d by " + std::to_string(s));
    }
    for (const int d : {1, 2, 3, 4, 8, 16}) {
        upload([=](int i) { return At{0, 0, i < 16 ? 0.0f : (float)d, 1}; }, 0.5f);
        fetch<3><<<1, 32>>>(volume, device_places, out);
        done("volume two z" + std::to_string(d));
    }
    const auto surface = [](int bytes) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        const cudaChannelFormatDesc format =
            bytes == 16 ? cudaChannelFormatDesc{32, 32, 32, 32, cudaChannelFormatKindFloat}
                        : cudaChannelFormatDesc{bytes * 8, 0, 0, 0, cudaChannelFormatKindUnsigned};
        cudaMallocArray(&resource.res.array.array, &format, 256, 256, cudaArraySurfaceLoadStore);
        cudaSurfaceObject_t object = 0;
        cudaCreateSurfaceObject(&object, &resource);
        return object;
    };
    const auto s1 = surface(1), s4 = surface(4), s16 = surface(16);
    for (int n = 0; n < 14; ++n) {
        upload(all[n].at, 0);
        touch<unsigned char, false><<<1, 32>>>(s1, device_places, (unsigned char*)out);
        done("surface read 1 " + all[n].name);
        touch<unsigned, false><<<1, 32>>>(s4, device_places, (unsigned*)out);
        done("surface read 4 " + all[n].name);
        touch<uint4, false><<<1, 32>>>(s16, device_places, (uint4*)out);
        done("surface read 16 " + all[n].name);
        touch<unsigned char, true><<<1, 32>>>(s1, device_places, (unsigned char*)out);
        done("surface write 1 " + all[n].name);
        touch<unsigned, true><<<1, 32>>>(s4, device_places, (unsigned*)out);
        done("surface write 4 " + all[n].name);
        touch<uint4, true><<<1, 32>>>(s16, device_places, (uint4*)out);
        done("surface write 16 " + all[n].name);
    }
    const char* const kWalks[] = {"as it lies", "transposed", "rotated", "random"};
    for (const char kind : {'f', 'u'})
        for (const bool linear : {false, true})
            for (int how = 0; how < 4; ++how)
                for (const dim3 block : {dim3(32, 8), dim3(8, 32), dim3(16, 16)}) {
                    const auto t = texture_of(512, 512, 0, kind, kind == 'f' ? 32 : 8, 1, linear);
                    walk<<<dim3(512 / block.x, 512 / block.y), block>>>(t, (float*)out, 512, how, 1.0f);
                    done(std::string("image ") + kind + (linear ? " linear " : " point ") + kWalks[how] + " " +
                         std::to_string(block.x) + "x" + std::to_string(block.y));
                }
    return 0;
}
