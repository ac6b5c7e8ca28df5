// Textures and surfaces as people use them: walks along rows and columns, turned images, random places, windows, volumes,
// levels, formats and widths, on 64 KB to 128 MB.
#include <cuda_fp16.h>

#include "truth.h"

using Texture = cudaTextureObject_t;
using Surface = cudaSurfaceObject_t;

__device__ int column() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int row() { return blockIdx.y * blockDim.y + threadIdx.y; }
__device__ unsigned mixed(unsigned x) {
    x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu;
    return x ^ (x >> 16);
}
__device__ float sum(float v) { return v; }
__device__ float sum(float2 v) { return v.x + v.y; }
__device__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }

template <class T>
__global__ void copy(Texture t, float* out, int width) {
    out[row() * width + column()] = sum(tex2D<T>(t, column() + 0.5f, row() + 0.5f));
}
__global__ void transpose(Texture t, float* out, int width) {
    out[row() * width + column()] = tex2D<float>(t, row() + 0.5f, column() + 0.5f);
}
template <class T>
__global__ void rotate(Texture t, float* out, int width, float c, float s) {
    const float h = width / 2.0f, x = column() + 0.5f - h, y = row() + 0.5f - h;
    out[row() * width + column()] = sum(tex2D<T>(t, c * x - s * y + h, s * x + c * y + h));
}
// A thread for each column, and for each row.
__global__ void sum_columns(Texture t, float* out, int height) {
    float total = 0;
    for (int y = 0; y < height; ++y) total += tex2D<float>(t, column() + 0.5f, y + 0.5f);
    out[column()] = total;
}
__global__ void sum_rows(Texture t, float* out, int width) {
    float total = 0;
    for (int x = 0; x < width; ++x) total += tex2D<float>(t, x + 0.5f, column() + 0.5f);
    out[column()] = total;
}
__global__ void gather(Texture t, float* out, unsigned width, unsigned height) {
    float total = 0;
    for (unsigned k = 0; k < 8; ++k) {
        const unsigned at = mixed(column() * 8 + k);
        total += tex2D<float>(t, at % width + 0.5f, at / width % height + 0.5f);
    }
    out[column()] = total;
}
__global__ void box(Texture t, float* out, int width) {
    float total = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) total += tex2D<float>(t, column() + dx + 0.5f, row() + dy + 0.5f);
    out[row() * width + column()] = total / 25;
}
__global__ void along_rows(Texture t, const float* weights, float* out, int width) {
    float total = 0;
    for (int k = -8; k <= 8; ++k) total += weights[k + 8] * tex2D<float>(t, column() + k + 0.5f, row() + 0.5f);
    out[row() * width + column()] = total;
}
__global__ void along_columns(Texture t, const float* weights, float* out, int width) {
    float total = 0;
    for (int k = -8; k <= 8; ++k) total += weights[k + 8] * tex2D<float>(t, column() + 0.5f, row() + k + 0.5f);
    out[row() * width + column()] = total;
}
// Cubic B-splines by four bilinear fetches.
__global__ void bicubic(Texture t, float* out, int width, float scale) {
    const float x = column() * scale, y = row() * scale, i = floorf(x), j = floorf(y), u = x - i, v = y - j;
    const auto first = [](float f) { return (1 - f) * (1 - f) * (1 - f) / 6 + (f * f * (3 * f - 6) + 4) / 6; };
    const auto before = [](float f) { return (f * f * (3 * f - 6) + 4) / 6; };
    const auto last = [](float f) { return f * f * f / 6; };
    const float gx = first(u), gy = first(v), x0 = i - 0.5f + before(u) / gx, x1 = i + 1.5f + last(u) / (1 - gx), y0 = j - 0.5f + before(v) / gy,
                y1 = j + 1.5f + last(v) / (1 - gy);
    out[row() * width + column()] = gy * (gx * tex2D<float>(t, x0, y0) + (1 - gx) * tex2D<float>(t, x1, y0)) +
                                    (1 - gy) * (gx * tex2D<float>(t, x0, y1) + (1 - gx) * tex2D<float>(t, x1, y1));
}
__global__ void resize(Texture t, float* out, int width, float scale) {
    out[row() * width + column()] = tex2D<float>(t, (column() + 0.5f) * scale, (row() + 0.5f) * scale);
}
__global__ void march_z(Texture t, float* out, int width, int depth) {
    float total = 0;
    for (int z = 0; z < depth; ++z) total += tex3D<float>(t, column() + 0.5f, row() + 0.5f, z + 0.5f);
    out[row() * width + column()] = total;
}
__global__ void march_x(Texture t, float* out, int height, int width) {
    float total = 0;
    for (int x = 0; x < width; ++x) total += tex3D<float>(t, x + 0.5f, column() + 0.5f, row() + 0.5f);
    out[row() * height + column()] = total;
}
__global__ void rays(Texture t, float* out, int width, float size) {
    float x = column() * size / width, y = row() * size / width, z = 0, total = 0;
    for (int step = 0; step < 96; ++step) {
        total = total * 0.97f + tex3D<float>(t, x, y, z);
        x += 0.31f; y += 0.17f; z += 1.07f;
    }
    out[row() * width + column()] = total;
}
__global__ void stream(Texture t, float* out, int threads, int each) {
    float total = 0;
    for (int k = 0; k < each; ++k) total += tex1Dfetch<float>(t, column() + k * threads);
    out[column()] = total;
}
__global__ void lookup(Texture t, float* out, unsigned n) {
    float total = 0;
    for (unsigned k = 0; k < 8; ++k) total += tex1Dfetch<float>(t, mixed(column() * 8 + k) % n);
    out[column()] = total;
}
__global__ void curve(Texture t, const float* in, float* out) { out[column()] = tex1D<float>(t, in[column()]); }
__global__ void layers(Texture t, float* out, int width, int count) {
    float total = 0;
    for (int k = 0; k < count; ++k) total += tex2DLayered<float>(t, column() + 0.5f, row() + 0.5f, k);
    out[row() * width + column()] = total;
}
__global__ void level(Texture t, float* out, int width, float lod) {
    out[row() * width + column()] = tex2DLod<float>(t, (column() + 0.5f) / width, (row() + 0.5f) / width, lod);
}
__global__ void surroundings(Texture t, float* out, int width) {
    const float a = column() * 6.2831853f / width, b = row() * 3.1415927f / width;
    out[row() * width + column()] = texCubemap<float>(t, __cosf(a) * __sinf(b), __cosf(b), __sinf(a) * __sinf(b));
}
__global__ void edges(Texture t, float* out, int width) {
    const float4 q = tex2Dgather<float4>(t, column() + 1.0f, row() + 1.0f, 0);
    out[row() * width + column()] = fabsf(q.x - q.z) + fabsf(q.y - q.w);
}
// Each block goes over the whole image, again and again.
__global__ void rounds(Texture t, float* out, int width, int times) {
    float total = 0;
    for (int k = 0; k < times; ++k)
        for (int i = threadIdx.x; i < width * width; i += blockDim.x) total += tex2D<float>(t, i % width + 0.5f, i / width + 0.5f);
    out[column()] = total;
}
__global__ void follow(Texture t, float* out, int width, int steps) {
    float x = threadIdx.x, y = 0;
    for (int k = 0; k < steps; ++k) {
        const float v = tex2D<float>(t, x + 0.5f, y + 0.5f);
        x = floorf(v * width);
        y = floorf((v * width - x) * width);
    }
    out[threadIdx.x] = x + y;
}
__global__ void blend(Texture t, const float* in, float* out, int width) {
    const int at = row() * width + column();
    out[at] = in[at] * 0.25f + tex2D<float>(t, column() + 0.25f, row() + 0.25f) * 0.75f;
}
template <class T>
__global__ void surface_read(Surface s, float* out, int width) {
    out[row() * width + column()] = sum(surf2Dread<T>(s, column() * sizeof(T), row()));
}
template <class T>
__global__ void surface_write(Surface s, const T* in, int width) {
    surf2Dwrite(in[row() * width + column()], s, column() * sizeof(T), row());
}
__global__ void surface_turn(Surface s, const float* in, int width) {
    surf2Dwrite(in[row() * width + column()], s, row() * 4, column());
}
__global__ void surface_scale(Surface s) {
    surf2Dwrite(surf2Dread<float>(s, column() * 4, row()) * 1.5f, s, column() * 4, row());
}

cudaChannelFormatDesc format_of(char kind, int bits, int channels) {
    const auto b = [&](int c) { return c < channels ? bits : 0; };
    return {b(0), b(1), b(2), b(3), kind == 'f' ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned};
}
cudaTextureDesc sampling(char kind, bool linear, bool normalised = false) {
    cudaTextureDesc how{};
    for (auto& mode : how.addressMode) mode = cudaAddressModeClamp;
    how.filterMode = how.mipmapFilterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = kind == 'f' ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    how.normalizedCoords = normalised;
    how.maxMipmapLevelClamp = 20;
    return how;
}
// Words of texels, which as floats lie from 0 to 1.
std::vector<unsigned> words_of(std::size_t bytes, char kind, int bits) {
    std::vector<unsigned> words((bytes + 3) / 4);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const float v = value(i);
        if (kind == 'u')
            words[i] = static_cast<unsigned>(i) * 2654435761u ^ static_cast<unsigned>(i >> 3);
        else if (bits == 16)
            words[i] = 0x3c003800u - static_cast<unsigned>(i % 1021) * 0x00010003u;
        else
            memcpy(&words[i], &v, 4);
    }
    return words;
}
void fill(cudaArray_t array, std::size_t row_bytes, int h, int d, char kind, int bits) {
    const std::vector<unsigned> words = words_of(row_bytes * h * d, kind, bits);
    cudaMemcpy3DParms all{};
    all.srcPtr = make_cudaPitchedPtr(const_cast<unsigned*>(words.data()), row_bytes, row_bytes, h);
    all.dstArray = array;
    all.kind = cudaMemcpyHostToDevice;
    cudaChannelFormatDesc format;
    cudaExtent extent;
    CHECK(cudaArrayGetInfo(&format, &extent, nullptr, array));
    all.extent = make_cudaExtent(extent.width, extent.height == 0 ? 1 : extent.height, extent.depth == 0 ? 1 : extent.depth);
    CHECK(cudaMemcpy3D(&all));
}
cudaArray_t array_of(int w, int h, int d, char kind, int bits, int channels, unsigned flags = 0) {
    cudaArray_t array;
    const cudaChannelFormatDesc format = format_of(kind, bits, channels);
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(w, h, d), flags));
    fill(array, std::size_t(w) * bits / 8 * channels, h == 0 ? 1 : h, d == 0 ? 1 : d, kind, bits);
    return array;
}
struct Image {
    Texture texture = 0;
    cudaArray_t array = nullptr;

    Image(int w, int h, char kind, int bits, int channels, bool linear, unsigned flags = 0, int d = 0)
        : array(array_of(w, h, d, kind, bits, channels, flags)) {
        cudaResourceDesc from{};
        from.resType = cudaResourceTypeArray;
        from.res.array.array = array;
        const cudaTextureDesc how = sampling(kind, linear);
        CHECK(cudaCreateTextureObject(&texture, &from, &how, nullptr));
    }
    Image(const Image&) = delete;
    ~Image() {
        cudaDestroyTextureObject(texture);
        cudaFreeArray(array);
    }
    operator Texture() const { return texture; }
};
struct Target {
    Surface surface = 0;
    cudaArray_t array = nullptr;

    Target(int w, int h, char kind, int bits, int channels) : array(array_of(w, h, 0, kind, bits, channels, cudaArraySurfaceLoadStore)) {
        cudaResourceDesc from{};
        from.resType = cudaResourceTypeArray;
        from.res.array.array = array;
        CHECK(cudaCreateSurfaceObject(&surface, &from));
    }
    Target(const Target&) = delete;
    ~Target() {
        cudaDestroySurfaceObject(surface);
        cudaFreeArray(array);
    }
    operator Surface() const { return surface; }
};
dim3 grid(int w, int h, dim3 block) { return dim3(w / block.x, h / block.y); }

int main() {
    float* in = floats(1 << 24);
    float* out = floats(1 << 24);
    const dim3 square(16, 16), wide(32, 8), tall(8, 32), line(256, 1);
    const int S = 1024, M = 2048, L = 4096;
    {
        const Image small(S, S, 'f', 32, 1, false), middle(M, M, 'f', 32, 1, false), large(L, L, 'f', 32, 1, false);
        CASE("copy_1024_16x16", out, S * S, (copy<float><<<grid(S, S, square), square>>>(small, out, S)));
        CASE("copy_2048_8x32", out, M * M, (copy<float><<<grid(M, M, tall), tall>>>(middle, out, M)));
        CASE("copy_2048_256x1", out, M * M, (copy<float><<<grid(M, M, line), line>>>(middle, out, M)));
        CASE("copy_4096_32x8", out, L * L, (copy<float><<<grid(L, L, wide), wide>>>(large, out, L)));
        CASE("transpose_2048_16x16", out, M * M, (transpose<<<grid(M, M, square), square>>>(middle, out, M)));
        CASE("transpose_2048_32x8", out, M * M, (transpose<<<grid(M, M, wide), wide>>>(middle, out, M)));
        CASE("sum_columns_4096", out, L, (sum_columns<<<L / 128, 128>>>(large, out, 1024)));
        CASE("sum_rows_4096", out, L, (sum_rows<<<L / 128, 128>>>(large, out, 1024)));
        CASE("box_1024", out, S * S, (box<<<grid(S, S, wide), wide>>>(small, out, S)));
        CASE("along_rows_1024", out, S * S, (along_rows<<<grid(S, S, wide), wide>>>(small, in, out, S)));
        CASE("along_columns_1024", out, S * S, (along_columns<<<grid(S, S, wide), wide>>>(small, in, out, S)));
        CASE("follow_1024", out, 32, (follow<<<1, 32>>>(small, out, S, 500)));
    }
    {
        const Image small(S, S, 'f', 32, 1, true), middle(M, M, 'f', 32, 1, true), large(L, L, 'f', 32, 1, true);
        CASE("rotate_2048_10", out, M * M, (rotate<float><<<grid(M, M, square), square>>>(middle, out, M, 0.98480775f, 0.17364818f)));
        CASE("rotate_2048_45", out, M * M, (rotate<float><<<grid(M, M, square), square>>>(middle, out, M, 0.70710678f, 0.70710678f)));
        CASE("rotate_2048_90", out, M * M, (rotate<float><<<grid(M, M, wide), wide>>>(middle, out, M, 0.0f, 1.0f)));
        CASE("bicubic_1024", out, S * S, (bicubic<<<grid(S, S, square), square>>>(small, out, S, 0.77f)));
        CASE("shrink_4096", out, S * S, (resize<<<grid(S, S, wide), wide>>>(large, out, S, 4.0f)));
        CASE("grow_1024", out, L * L, (resize<<<grid(L, L, wide), wide>>>(small, out, L, 0.25f)));
        CASE("blend_2048", out, M * M, (blend<<<grid(M, M, wide), wide>>>(middle, in, out, M)));
    }
    for (const int width : {64, 256, 1024}) {
        const Image image(width, width, 'f', 32, 1, false);
        char name[64];
        std::snprintf(name, sizeof name, "gather_%d", width);
        CASE(name, out, 1 << 19, (gather<<<2048, 256>>>(image, out, width, width)));
    }
    {
        const Image image(8192, 4096, 'f', 32, 1, false);
        CASE("gather_8192x4096", out, 1 << 19, (gather<<<2048, 256>>>(image, out, 8192, 4096)));
    }
    {
        const Image u8(L, M, 'u', 8, 1, false), u8x4(M, M, 'u', 8, 4, false), f16(M, M, 'f', 16, 1, false), f32x2(M, M, 'f', 32, 2, false),
            f32x4(M, S, 'f', 32, 4, false), u16x4(M, M, 'u', 16, 4, true);
        CASE("copy_u8", out, L * M, (copy<float><<<grid(L, M, wide), wide>>>(u8, out, L)));
        CASE("copy_u8x4", out, M * M, (copy<float4><<<grid(M, M, wide), wide>>>(u8x4, out, M)));
        CASE("rotate_u8x4", out, M * M, (rotate<float4><<<grid(M, M, square), square>>>(u8x4, out, M, 0.8660254f, 0.5f)));
        CASE("copy_f16", out, M * M, (copy<float><<<grid(M, M, square), square>>>(f16, out, M)));
        CASE("copy_f32x2", out, M * M, (copy<float2><<<grid(M, M, wide), wide>>>(f32x2, out, M)));
        CASE("copy_f32x4", out, M * S, (copy<float4><<<grid(M, S, wide), wide>>>(f32x4, out, M)));
        CASE("rotate_u16x4", out, M * M, (rotate<float4><<<grid(M, M, square), square>>>(u16x4, out, M, 0.8660254f, 0.5f)));
    }
    {
        const Image volume(128, 128, 'f', 32, 1, false, 0, 128), smooth(128, 128, 'f', 32, 1, true, 0, 128), bytes(256, 256, 'u', 8, 1, true, 0, 256);
        CASE("march_z_128", out, 128 * 128, (march_z<<<grid(128, 128, wide), wide>>>(volume, out, 128, 128)));
        CASE("march_x_128", out, 128 * 128, (march_x<<<grid(128, 128, wide), wide>>>(volume, out, 128, 128)));
        CASE("rays_128", out, 512 * 512, (rays<<<grid(512, 512, square), square>>>(smooth, out, 512, 96)));
        CASE("rays_u8_256", out, 512 * 512, (rays<<<grid(512, 512, square), square>>>(bytes, out, 512, 224)));
    }
    {
        cudaResourceDesc from{};
        from.resType = cudaResourceTypeLinear;
        from.res.linear.devPtr = in;
        from.res.linear.desc = format_of('f', 32, 1);
        from.res.linear.sizeInBytes = std::size_t{4} << 24;
        const cudaTextureDesc how = sampling('f', false), smooth = sampling('f', true);
        Texture flat, pitched;
        CHECK(cudaCreateTextureObject(&flat, &from, &how, nullptr));
        CASE("stream_16M", out, 1 << 21, (stream<<<(1 << 21) / 256, 256>>>(flat, out, 1 << 21, 8)));
        CASE("lookup_1M", out, 1 << 19, (lookup<<<2048, 256>>>(flat, out, 1 << 20)));
        CASE("lookup_16K", out, 1 << 19, (lookup<<<2048, 256>>>(flat, out, 1 << 14)));
        from = {};
        from.resType = cudaResourceTypePitch2D;
        from.res.pitch2D.devPtr = in;
        from.res.pitch2D.desc = format_of('f', 32, 1);
        from.res.pitch2D.width = from.res.pitch2D.height = M;
        from.res.pitch2D.pitchInBytes = M * 4;
        CHECK(cudaCreateTextureObject(&pitched, &from, &smooth, nullptr));
        CASE("rotate_pitched_45", out, M * M, (rotate<float><<<grid(M, M, square), square>>>(pitched, out, M, 0.70710678f, 0.70710678f)));
        CASE("rotate_pitched_90", out, M * M, (rotate<float><<<grid(M, M, wide), wide>>>(pitched, out, M, 0.0f, 1.0f)));
    }
    {
        const Image curves(256, 0, 'f', 32, 1, true), stack(512, 512, 'f', 32, 1, false, cudaArrayLayered, 8), sky(256, 256, 'f', 32, 1, true, cudaArrayCubemap, 6),
            gathers(S, S, 'f', 32, 1, false, cudaArrayTextureGather);
        CASE("curve_256", out, 1 << 22, (curve<<<(1 << 22) / 256, 256>>>(curves, in, out)));
        CASE("layers_512", out, 512 * 512, (layers<<<grid(512, 512, wide), wide>>>(stack, out, 512, 8)));
        CASE("surroundings_256", out, S * S, (surroundings<<<grid(S, S, square), square>>>(sky, out, S)));
        CASE("edges_1024", out, S * S, (edges<<<grid(S, S, square), square>>>(gathers, out, S)));
    }
    {
        cudaMipmappedArray_t levels;
        const cudaChannelFormatDesc format = format_of('f', 32, 1);
        CHECK(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(S, S, 0), 6));
        for (unsigned k = 0; k < 6; ++k) {
            cudaArray_t one;
            CHECK(cudaGetMipmappedArrayLevel(&one, levels, k));
            fill(one, std::size_t(S >> k) * 4, S >> k, 1, 'f', 32);
        }
        cudaResourceDesc from{};
        from.resType = cudaResourceTypeMipmappedArray;
        from.res.mipmap.mipmap = levels;
        const cudaTextureDesc how = sampling('f', true, true);
        Texture t;
        CHECK(cudaCreateTextureObject(&t, &from, &how, nullptr));
        CASE("level_1.5", out, 512 * 512, (level<<<grid(512, 512, square), square>>>(t, out, 512, 1.5f)));
        CASE("level_0.3", out, S * S, (level<<<grid(S, S, square), square>>>(t, out, S, 0.3f)));
    }
    for (const int width : {128, 224, 384}) {
        const Image image(width, width, 'f', 32, 1, false);
        char name[64];
        std::snprintf(name, sizeof name, "rounds_%d", width);
        CASE(name, out, 132 * 512, (rounds<<<132, 512>>>(image, out, width, 4)));
    }
    {
        const Target f32(M, M, 'f', 32, 1), u8(M, M, 'u', 8, 1), f32x4(M, S, 'f', 32, 4);
        CASE("surface_read", out, M * M, (surface_read<float><<<grid(M, M, wide), wide>>>(f32, out, M)));
        CASE("surface_read_f32x4", out, M * S, (surface_read<float4><<<grid(M, S, wide), wide>>>(f32x4, out, M)));
        CASE("surface_write", out, 1, (surface_write<float><<<grid(M, M, wide), wide>>>(f32, in, M)));
        CASE("surface_write_16x16", out, 1, (surface_write<float><<<grid(M, M, square), square>>>(f32, in, M)));
        CASE("surface_write_u8", out, 1, (surface_write<unsigned char><<<grid(M, M, wide), wide>>>(u8, (const unsigned char*)in, M)));
        CASE("surface_write_f32x4", out, 1, (surface_write<float4><<<grid(M, S, wide), wide>>>(f32x4, (const float4*)in, M)));
        CASE("surface_turn", out, 1, (surface_turn<<<grid(M, M, wide), wide>>>(f32, in, M)));
        CASE("surface_scale", out, 1, (surface_scale<<<grid(M, M, wide), wide>>>(f32)));
    }
    return 0;
}
