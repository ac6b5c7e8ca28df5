// What the texture unit makes of gradients, directions on cubes and corners: inputs and results as they are.
//
// usage: texture_probe FOLDER     writes FOLDER/NAME.bin for each set: 32,768 inputs of nine floats, then as many
// results of four. Levels hold their own numbers, so that a fetch between two of them gives the level; faces hold face,
// column and row, so that a filtered fetch gives the place to a 256th of a texel.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#define TRY(c)                                                \
    do {                                                      \
        cudaError_t err_ = (c);                               \
        if (err_ != cudaSuccess) {                            \
            printf("%s: %s\n", #c, cudaGetErrorString(err_)); \
            exit(1);                                          \
        }                                                     \
    } while (0)
struct In {
    float a[9];
};
struct Random {
    std::uint64_t s;
    std::uint32_t bits() {
        s += 0x9e3779b97f4a7c15ull;
        std::uint64_t z = s;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ z >> 27) * 0x94d049bb133111ebull;
        return (z ^ z >> 31) >> 16;
    }
    float unit() { return (bits() >> 8) * 0x1p-24f; }
};
__global__ void grad1(cudaTextureObject_t t, const In* in, float4* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex1DGrad<float4>(t, 0.5f, in[i].a[0], in[i].a[1]);
}
__global__ void grad2(cudaTextureObject_t t, const In* in, float4* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float* a = in[i].a;
    out[i] = tex2DGrad<float4>(t, 0.5f, 0.5f, make_float2(a[0], a[1]), make_float2(a[2], a[3]));
}
__global__ void grad3(cudaTextureObject_t t, const In* in, float4* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float* a = in[i].a;
    out[i] = tex3DGrad<float4>(t, 0.5f, 0.5f, 0.5f, make_float4(a[0], a[1], a[2], 0), make_float4(a[3], a[4], a[5], 0));
}
__global__ void cube(cudaTextureObject_t t, const In* in, float4* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float* a = in[i].a;
    out[i] = texCubemap<float4>(t, a[0], a[1], a[2]);
}
__global__ void cubegrad(cudaTextureObject_t t, const In* in, float4* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float* a = in[i].a;
    out[i] =
        texCubemapGrad<float4>(t, a[0], a[1], a[2], make_float4(a[3], a[4], a[5], 0), make_float4(a[6], a[7], a[8], 0));
}
__global__ void rcp(const In* in, float4* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(in[i].a[0]));
    out[i] = make_float4(r, 0, 0, 0);
}
const char* folder;
template <class K>
void go(const char* name, K k, cudaTextureObject_t t, const std::vector<In>& in) {
    In* d;
    float4* o;
    std::vector<float4> r(in.size());
    TRY(cudaMalloc(&d, in.size() * sizeof(In)));
    TRY(cudaMalloc(&o, in.size() * 16));
    TRY(cudaMemcpy(d, in.data(), in.size() * sizeof(In), cudaMemcpyHostToDevice));
    if constexpr (std::is_same_v<K, void (*)(const In*, float4*)>)
        k<<<in.size() / 128, 128>>>(d, o);
    else
        k<<<in.size() / 128, 128>>>(t, d, o);
    TRY(cudaDeviceSynchronize());
    TRY(cudaMemcpy(r.data(), o, r.size() * 16, cudaMemcpyDeviceToHost));
    FILE* f = fopen((std::string(folder) + "/" + name + ".bin").c_str(), "wb");
    fwrite(in.data(), sizeof(In), in.size(), f);
    fwrite(r.data(), 16, r.size(), f);
    fclose(f);
    printf("%s %zu\n", name, in.size());
    cudaFree(d);
    cudaFree(o);
}
// Levels that hold their numbers; of cubes without levels: face, column, row.
cudaTextureObject_t levels(cudaExtent e, unsigned flags, int count) {
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float4>();
    cudaMipmappedArray_t m;
    TRY(cudaMallocMipmappedArray(&m, &c, e, count, flags));
    bool cube = flags & cudaArrayCubemap;
    for (int l = 0; l < count; ++l) {
        auto half = [&](size_t s) { return s >> l > 0 ? s >> l : 1; };
        size_t w = half(e.width), h = e.height ? half(e.height) : 1, d = cube ? 6 : e.depth ? half(e.depth) : 1;
        std::vector<float4> b(w * h * d, make_float4(l, l, l, l));
        cudaMemcpy3DParms p{};
        p.srcPtr = make_cudaPitchedPtr(b.data(), w * 16, w, h);
        TRY(cudaGetMipmappedArrayLevel(&p.dstArray, m, l));
        p.extent = make_cudaExtent(w, h, d);
        p.kind = cudaMemcpyHostToDevice;
        TRY(cudaMemcpy3D(&p));
    }
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    cudaTextureDesc t{};
    for (auto& x : t.addressMode) x = cudaAddressModeClamp;
    t.filterMode = cudaFilterModePoint;
    t.mipmapFilterMode = cudaFilterModeLinear;
    t.maxMipmapLevelClamp = 20;
    t.normalizedCoords = 1;
    cudaTextureObject_t o;
    TRY(cudaCreateTextureObject(&o, &r, &t, nullptr));
    return o;
}
cudaTextureObject_t faces(int size, int seamless, bool by_axis, int linear, cudaTextureAddressMode mode) {
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float4>();
    cudaArray_t a;
    TRY(cudaMalloc3DArray(&a, &c, make_cudaExtent(size, size, 6), cudaArrayCubemap));
    std::vector<float4> b(size * size * 6);
    for (int f = 0; f < 6; ++f)
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x)
                b[(f * size + y) * size + x] =
                    by_axis ? make_float4(f / 2 == 0, f / 2 == 1, f / 2 == 2, f) : make_float4(f, x, y, 1);
    cudaMemcpy3DParms p{};
    p.srcPtr = make_cudaPitchedPtr(b.data(), size * 16, size, size);
    p.dstArray = a;
    p.extent = make_cudaExtent(size, size, 6);
    p.kind = cudaMemcpyHostToDevice;
    TRY(cudaMemcpy3D(&p));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaTextureDesc t{};
    for (auto& x : t.addressMode) x = mode;
    t.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    t.normalizedCoords = 1;
    t.seamlessCubemap = seamless;
    cudaTextureObject_t o;
    TRY(cudaCreateTextureObject(&o, &r, &t, nullptr));
    return o;
}
int main(int, char** argv) {
    folder = argv[1];
    Random q{99};
    constexpr int n = 32768;
    std::vector<In> in(n);
    auto clear = [&] { memset(in.data(), 0, n * sizeof(In)); };
    clear();
    for (int i = 0; i < n; ++i) in[i].a[0] = (1 + i / 32768.0f) / 1024 * (1 << 3);
    go("grad1", grad1, levels(make_cudaExtent(1024, 0, 0), 0, 11), in);
    auto g = [&](float size) { return (q.unit() * 2 - 1) * std::ldexp(1.0f, (int)(q.bits() % 9) - 1) / size; };
    clear();
    for (int i = 0; i < n; ++i) {
        in[i].a[0] = g(256);
        if (i & 1) in[i].a[1] = g(256);
    }
    go("grad1two", grad1, levels(make_cudaExtent(256, 0, 0), 0, 9), in);
    clear();
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 4; ++k) in[i].a[k] = g(256);
        if (i % 4 == 0) in[i].a[2] = in[i].a[3] = 0;
        if (i % 8 == 1) in[i].a[1] = in[i].a[3] = 0;
    }
    go("grad2", grad2, levels(make_cudaExtent(256, 256, 0), 0, 9), in);
    clear();
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 6; ++k) in[i].a[k] = g(64);
        if (i % 4 == 0) in[i].a[3] = in[i].a[4] = in[i].a[5] = 0;
    }
    go("grad3", grad3, levels(make_cudaExtent(64, 64, 64), 0, 7), in);
    clear();
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k) in[i].a[k] = q.unit() * 2 - 1;
        for (int k = 3; k < 9; ++k) in[i].a[k] = g(256);
    }
    go("cubegrad", cubegrad, levels(make_cudaExtent(256, 256, 6), cudaArrayCubemap, 9), in);
    auto directions = [&] {
        clear();
        for (int i = 0; i < n; ++i) {
            for (int k = 0; k < 3; ++k) in[i].a[k] = q.unit() * 2 - 1;
            if (i & 1) {
                int k = i / 2 % 3;
                in[i].a[(k + 1) % 3] = in[i].a[k] * (i / 8 % 2 ? 1 : -1);
                if (i & 4) in[i].a[(k + 2) % 3] *= fabsf(in[i].a[k]);
            }
        }
    };
    directions();
    go("cube_linear", cube, faces(64, 0, false, 1, cudaAddressModeClamp), in);
    go("cube_wrap", cube, faces(64, 0, false, 0, cudaAddressModeWrap), in);
    go("cube_border", cube, faces(64, 0, false, 0, cudaAddressModeBorder), in);
    go("cube_seamless", cube, faces(64, 1, false, 1, cudaAddressModeClamp), in);
    clear();
    for (int i = 0; i < n; ++i) {
        float m = 0.2f + q.unit();
        for (int k = 0; k < 3; ++k) in[i].a[k] = m * (1 - q.unit() * 0.26f) * (q.bits() & 1 ? 1 : -1);
    }
    go("corners", cube, faces(4, 1, true, 1, cudaAddressModeClamp), in);
    clear();
    for (int i = 0; i < n; ++i) in[i].a[0] = 1 + i / 32768.0f + (q.bits() % 128) * 0x1p-23f;
    go("rcp", rcp, 0, in);
    return 0;
}
