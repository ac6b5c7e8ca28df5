// Textures and surfaces in the middle of work that people do with them: filters, warps, stereo, pyramids, volumes, sparse
// products, tables. Written and measured when the model of textures stood.
#include <cuda_fp16.h>

#include "truth.h"

using Texture = cudaTextureObject_t;
using Surface = cudaSurfaceObject_t;

__device__ int column() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int row() { return blockIdx.y * blockDim.y + threadIdx.y; }

__global__ void sobel(Texture t, float* out, int width) {
    const float x = column() + 0.5f, y = row() + 0.5f;
    const float a = tex2D<float>(t, x - 1, y - 1), b = tex2D<float>(t, x, y - 1), c = tex2D<float>(t, x + 1, y - 1), d = tex2D<float>(t, x - 1, y),
                e = tex2D<float>(t, x + 1, y), f = tex2D<float>(t, x - 1, y + 1), g = tex2D<float>(t, x, y + 1), h = tex2D<float>(t, x + 1, y + 1);
    const float gx = c + 2 * e + h - a - 2 * d - f, gy = f + 2 * g + h - a - 2 * b - c;
    out[row() * width + column()] = sqrtf(gx * gx + gy * gy);
}
__global__ void bilateral(Texture t, float* out, int width) {
    const float x = column() + 0.5f, y = row() + 0.5f, here = tex2D<float>(t, x, y);
    float total = 0, weights = 0;
    for (int dy = -3; dy <= 3; ++dy)
        for (int dx = -3; dx <= 3; ++dx) {
            const float v = tex2D<float>(t, x + dx, y + dy), w = __expf(-0.1f * (dx * dx + dy * dy) - 20 * (v - here) * (v - here));
            total += w * v;
            weights += w;
        }
    out[row() * width + column()] = total / weights;
}
// By a field of displacements.
__global__ void warp_by_flow(Texture t, const float2* flow, float* out, int width) {
    const int at = row() * width + column();
    const float2 f = flow[at];
    out[at] = tex2D<float>(t, column() + 0.5f + 9 * f.x - 4.5f, row() + 0.5f + 9 * f.y - 4.5f);
}
__global__ void perspective(Texture t, float4* out, int width) {
    const float x = column(), y = row(), w = 1 / (0.0002f * x + 0.0003f * y + 0.8f);
    out[row() * width + column()] = tex2D<float4>(t, (0.9f * x - 0.2f * y + 150) * w, (0.1f * x + 0.85f * y + 30) * w);
}
__global__ void polar(Texture t, float* out, int width) {
    const float a = column() * 6.2831853f / width, r = row() * 0.5f;
    out[row() * width + column()] = tex2D<float>(t, width / 2 + r * __cosf(a), width / 2 + r * __sinf(a));
}
// The disparity with the least sum of differences in a row of nine.
__global__ void stereo(Texture left, Texture right, float* out, int width) {
    float best = 1e9f, which = 0;
    float here[9];
#pragma unroll
    for (int k = 0; k < 9; ++k) here[k] = tex2D<float>(left, column() + k - 4 + 0.5f, row() + 0.5f);
    for (int d = 0; d < 24; ++d) {
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 9; ++k) sum += fabsf(here[k] - tex2D<float>(right, column() + k - 4 - d + 0.5f, row() + 0.5f));
        if (sum < best) {
            best = sum;
            which = d;
        }
    }
    out[row() * width + column()] = which;
}
__global__ void gradient(Texture t, float* out, int width, int height) {
    const float x = column() + 0.5f, y = row() + 0.5f, z = blockIdx.z + 0.5f;
    const float gx = tex3D<float>(t, x + 1, y, z) - tex3D<float>(t, x - 1, y, z), gy = tex3D<float>(t, x, y + 1, z) - tex3D<float>(t, x, y - 1, z),
                gz = tex3D<float>(t, x, y, z + 1) - tex3D<float>(t, x, y, z - 1);
    out[(blockIdx.z * height + row()) * width + column()] = gx * gx + gy * gy + gz * gz;
}
// The brightest along rays that lie askew.
__global__ void brightest(Texture t, float* out, int width, int steps) {
    float most = 0;
    for (int k = 0; k < steps; ++k)
        most = fmaxf(most, tex3D<float>(t, column() * 0.4f + k * 0.11f, row() * 0.4f + k * 0.07f, k + 0.25f));
    out[row() * width + column()] = most;
}
__global__ void slices(Texture t, float* out, int width, int count) {
    float most = 0;
    for (int k = 0; k < count; ++k) most = fmaxf(most, tex2DLayered<float>(t, column() * 0.7f + 3, row() * 0.7f + 5, k));
    out[row() * width + column()] = most;
}
// y = A x with x in a texture, four threads a row.
__global__ void sparse_product(Texture x, const int* columns, const float* values, float* out, int each) {
    const int i = column(), r = i / 4;
    float sum = 0;
    for (int k = i % 4; k < each; k += 4) sum += values[r * each + k] * tex1Dfetch<float>(x, columns[r * each + k]);
    sum += __shfl_down_sync(0xffffffff, sum, 2, 4);
    sum += __shfl_down_sync(0xffffffff, sum, 1, 4);
    if (i % 4 == 0) out[r] = sum;
}
// A table of two dimensions, whose place the image says.
__global__ void graded(Texture image, Texture table, float4* out, int width) {
    const float4 v = tex2D<float4>(image, column() + 0.5f, row() + 0.5f);
    out[row() * width + column()] = tex2D<float4>(table, v.x * 255 + 0.5f, v.y * 255 + 0.5f);
}
__global__ void box_of_surface(Surface from, Surface to, int width) {
    float sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += surf2Dread<float>(from, (column() + dx) * 4, row() + dy, cudaBoundaryModeClamp);
    surf2Dwrite(sum / 9, to, column() * 4, row());
}
__global__ void life(Surface from, Surface to) {
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) alive += surf2Dread<unsigned char>(from, column() + dx, row() + dy, cudaBoundaryModeZero) & 1;
    const int here = surf2Dread<unsigned char>(from, column(), row()) & 1;
    surf2Dwrite(static_cast<unsigned char>(alive == 3 || (here && alive == 2)), to, column(), row());
}
__global__ void halve(Texture t, Surface to) {
    const float4 v = tex2D<float4>(t, column() * 2 + 1.0f, row() * 2 + 1.0f);
    surf2Dwrite(make_uchar4(v.x * 255, v.y * 255, v.z * 255, v.w * 255), to, column() * 4, row());
}
__global__ void yuv_to_rgb(Texture luma, Texture chroma, float4* out, int width) {
    const float y = tex2D<float>(luma, column() + 0.5f, row() + 0.5f);
    const float2 c = tex2D<float2>(chroma, column() * 0.5f + 0.5f, row() * 0.5f + 0.5f);
    out[row() * width + column()] = make_float4(y + 1.5f * c.y, y - 0.2f * c.x - 0.5f * c.y, y + 1.8f * c.x, 1);
}
__global__ void histogram(Texture t, unsigned* out, int width) {
    __shared__ unsigned bins[256];
    for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < 256; i += blockDim.x * blockDim.y) bins[i] = 0;
    __syncthreads();
    for (int k = 0; k < 8; ++k) atomicAdd(&bins[static_cast<int>(tex2D<float>(t, column() + 0.5f, row() * 8 + k + 0.5f) * 255)], 1);
    __syncthreads();
    for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < 256; i += blockDim.x * blockDim.y) atomicAdd(&out[i], bins[i]);
}
__global__ void tiles_of(Texture t, float* out, int width) {
    __shared__ float tile[18][34];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 16, thread = threadIdx.y * 32 + threadIdx.x;
    for (int i = thread; i < 18 * 34; i += 512) tile[i / 34][i % 34] = tex2D<float>(t, x0 + i % 34 - 0.5f, y0 + i / 34 - 0.5f);
    __syncthreads();
    float sum = 0;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[(y0 + threadIdx.y) * width + x0 + threadIdx.x] = sum;
}
__global__ void detail(Texture t, float* out, int width) {
    const float z = 1 + row() * 0.01f;
    out[row() * width + column()] = tex2DLod<float>(t, column() * z / width, row() * z / width, __log2f(z * 2));
}
__global__ void half_sums(Texture t, float* out, int width) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) {
        const float4 v = tex2D<float4>(t, column() + 0.5f, row() * 8 + k + 0.5f);
        sum += v.x + v.y * v.z - v.w;
    }
    out[row() * width + column()] = sum;
}

struct Object {
    Texture texture = 0;
    Surface surface = 0;
    cudaArray_t array = nullptr;
};
// kind: f floats, u bytes or shorts read as 0 to 1.
Object image(int w, int h, int d, char kind, int bits, int channels, bool linear, unsigned flags = 0) {
    const auto b = [&](int c) { return c < channels ? bits : 0; };
    const cudaChannelFormatDesc format = {b(0), b(1), b(2), b(3), kind == 'f' ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned};
    Object made;
    CHECK(cudaMalloc3DArray(&made.array, &format, make_cudaExtent(w, h, d), flags));
    const std::size_t row_bytes = std::size_t(w) * bits / 8 * channels, rows = std::size_t(h) * (d == 0 ? 1 : d);
    std::vector<unsigned> words(row_bytes * rows / 4);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const float v = value(i);
        if (kind == 'u') words[i] = static_cast<unsigned>(i) * 2246822519u ^ static_cast<unsigned>(i >> 5);
        else if (bits == 16) words[i] = 0x3c003800u - static_cast<unsigned>(i % 1019) * 0x00010003u;
        else memcpy(&words[i], &v, 4);
    }
    cudaMemcpy3DParms all{};
    all.srcPtr = make_cudaPitchedPtr(words.data(), row_bytes, row_bytes, h);
    all.dstArray = made.array;
    all.kind = cudaMemcpyHostToDevice;
    all.extent = make_cudaExtent(w, h, d == 0 ? 1 : d);
    CHECK(cudaMemcpy3D(&all));
    cudaResourceDesc from{};
    from.resType = cudaResourceTypeArray;
    from.res.array.array = made.array;
    cudaTextureDesc how{};
    for (auto& mode : how.addressMode) mode = cudaAddressModeClamp;
    how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = kind == 'f' ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    CHECK(cudaCreateTextureObject(&made.texture, &from, &how, nullptr));
    if ((flags & cudaArraySurfaceLoadStore) != 0) CHECK(cudaCreateSurfaceObject(&made.surface, &from));
    return made;
}
Texture pitched(void* memory, int w, int h, int channels) {
    cudaResourceDesc from{};
    from.resType = cudaResourceTypePitch2D;
    from.res.pitch2D.devPtr = memory;
    from.res.pitch2D.desc = {8, channels > 1 ? 8 : 0, 0, 0, cudaChannelFormatKindUnsigned};
    from.res.pitch2D.width = w;
    from.res.pitch2D.height = h;
    from.res.pitch2D.pitchInBytes = std::size_t(w) * channels;
    cudaTextureDesc how{};
    how.filterMode = channels > 1 ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = cudaReadModeNormalizedFloat;
    Texture t;
    CHECK(cudaCreateTextureObject(&t, &from, &how, nullptr));
    return t;
}
dim3 grid(int w, int h, dim3 block, int d = 1) { return dim3(w / block.x, h / block.y, d); }

int main() {
    float* in = floats(1 << 24);
    float* out = floats(1 << 24);
    float4* out4 = reinterpret_cast<float4*>(out);
    const dim3 square(16, 16), wide(32, 8), long_(64, 4), line(128, 1), eight(8, 8);
    const int S = 1024, M = 2048, L = 4096;
    const Object grey = image(M, M, 0, 'f', 32, 1, false), smooth = image(M, M, 0, 'f', 32, 1, true);
    CASE("sobel", out, M * M, (sobel<<<grid(M, M, wide), wide>>>(grey.texture, out, M)));
    CASE("bilateral", out, S * S, (bilateral<<<grid(S, S, square), square>>>(grey.texture, out, S)));
    CASE("warp_by_flow", out, M * M, (warp_by_flow<<<grid(M, M, wide), wide>>>(smooth.texture, (const float2*)in, out, M)));
    CASE("polar", out, M * M, (polar<<<grid(M, M, square), square>>>(smooth.texture, out, M)));
    CASE("tiles_of", out, M * M, (tiles_of<<<dim3(M / 32, M / 16), dim3(32, 16)>>>(grey.texture, out, M)));
    const Object colour = image(M, M, 0, 'u', 8, 4, true), table = image(256, 256, 0, 'u', 8, 4, true);
    CASE("perspective", out, 4 * M * M, (perspective<<<grid(M, M, square), square>>>(colour.texture, out4, M)));
    CASE("graded", out, 4 * M * S, (graded<<<grid(M, S, wide), wide>>>(colour.texture, table.texture, out4, M)));
    const Object left = image(M, S, 0, 'u', 8, 1, false), right = image(M, S, 0, 'u', 8, 1, false);
    CASE("stereo", out, M * S, (stereo<<<grid(M, S, wide), wide>>>(left.texture, right.texture, out, M)));
    const Object volume = image(192, 192, 160, 'f', 32, 1, false), soft = image(256, 256, 128, 'u', 8, 1, true),
                 stack = image(512, 512, 32, 'u', 16, 1, true, cudaArrayLayered);
    CASE("gradient", out, 192 * 192 * 160, (gradient<<<grid(192, 192, wide, 160), wide>>>(volume.texture, out, 192, 192)));
    CASE("brightest", out, 512 * 512, (brightest<<<grid(512, 512, eight), eight>>>(soft.texture, out, 512, 127)));
    CASE("slices", out, 512 * 512, (slices<<<grid(512, 512, square), square>>>(stack.texture, out, 512, 32)));
    cudaResourceDesc from{};
    from.resType = cudaResourceTypeLinear;
    from.res.linear.devPtr = in;
    from.res.linear.desc = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    from.res.linear.sizeInBytes = std::size_t{4} << 20;
    const cudaTextureDesc plain{};
    Texture vector;
    CHECK(cudaCreateTextureObject(&vector, &from, &plain, nullptr));
    const int rows = 1 << 17, each = 24;
    int* columns = device_buffer<int>(std::size_t(rows) * each, [&](size_t i) {
        const size_t r = i / each;
        return static_cast<int>(i % 3 == 0 ? value(i) * (1 << 20) : (r * 8 + i % each * 5) % (1 << 20));
    });
    CASE("sparse_product", out, rows, (sparse_product<<<rows * 4 / 128, 128>>>(vector, columns, in, out, each)));
    const Object a = image(M, M, 0, 'f', 32, 1, false, cudaArraySurfaceLoadStore), b = image(M, M, 0, 'f', 32, 1, false, cudaArraySurfaceLoadStore),
                 cells = image(L, M, 0, 'u', 8, 1, false, cudaArraySurfaceLoadStore), next = image(L, M, 0, 'u', 8, 1, false, cudaArraySurfaceLoadStore),
                 small = image(S, S, 0, 'u', 8, 4, false, cudaArraySurfaceLoadStore);
    CASE("box_of_surface", out, 1, (box_of_surface<<<grid(M, M, wide), wide>>>(a.surface, b.surface, M)));
    CASE("life", out, 1, (life<<<grid(L, M, long_), long_>>>(cells.surface, next.surface)));
    CASE("halve", out, 1, (halve<<<grid(S, S, square), square>>>(colour.texture, small.surface)));
    const Texture luma = pitched(in, M, S, 1), chroma = pitched(in + (M * S / 4), M / 2, S / 2, 2);
    CASE("yuv_to_rgb", out, 4 * M * S, (yuv_to_rgb<<<grid(M, S, wide), wide>>>(luma, chroma, out4, M)));
    CASE("histogram", (unsigned*)out, 256, (histogram<<<grid(M, M / 8, wide), wide>>>(grey.texture, (unsigned*)out, M)));
    const Object halves = image(M, M, 0, 'f', 16, 4, false);
    CASE("half_sums", out, M * M / 8, (half_sums<<<grid(M, M / 8, line), line>>>(halves.texture, out, M)));
    {
        cudaMipmappedArray_t levels;
        const cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
        CHECK(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(M, M, 0), 7));
        std::vector<float> texels(M * M);
        for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = value(i);
        for (unsigned k = 0; k < 7; ++k) {
            cudaArray_t one;
            CHECK(cudaGetMipmappedArrayLevel(&one, levels, k));
            CHECK(cudaMemcpy2DToArray(one, 0, 0, texels.data(), (M >> k) * 4, (M >> k) * 4, M >> k, cudaMemcpyHostToDevice));
        }
        cudaResourceDesc of{};
        of.resType = cudaResourceTypeMipmappedArray;
        of.res.mipmap.mipmap = levels;
        cudaTextureDesc how{};
        how.normalizedCoords = 1;
        how.filterMode = how.mipmapFilterMode = cudaFilterModeLinear;
        how.maxMipmapLevelClamp = 6;
        Texture t;
        CHECK(cudaCreateTextureObject(&t, &of, &how, nullptr));
        CASE("detail", out, S * S, (detail<<<grid(S, S, wide), wide>>>(t, out, S)));
    }
    return 0;
}
