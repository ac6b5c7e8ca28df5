// Images resized: bilinear by the unit, bicubic by sixteen texels, and bicubic by four bilinear fetches.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>
#include <vector_types.h>

static void HandleError(cudaError_t err, const char* file, int line) {
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

typedef unsigned char uchar;

__host__ __device__ inline float w0(float a) { return (1.0f / 6.0f) * (a * (a * (-a + 3.0f) - 3.0f) + 1.0f); }
__host__ __device__ inline float w1(float a) { return (1.0f / 6.0f) * (a * a * (3.0f * a - 6.0f) + 4.0f); }
__host__ __device__ inline float w2(float a) { return (1.0f / 6.0f) * (a * (a * (-3.0f * a + 3.0f) + 3.0f) + 1.0f); }
__host__ __device__ inline float w3(float a) { return (1.0f / 6.0f) * (a * a * a); }

__global__ void bilinear(cudaTextureObject_t tex, uchar4* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float u = (x + 0.5f) / w, v = (y + 0.5f) / h;
    float4 c = tex2D<float4>(tex, u, v);
    out[y * w + x] = make_uchar4((uchar)(c.x * 255.0f + 0.5f), (uchar)(c.y * 255.0f + 0.5f),
                                 (uchar)(c.z * 255.0f + 0.5f), (uchar)(c.w * 255.0f + 0.5f));
}

template <bool fast>
__global__ void bicubic(cudaTextureObject_t tex, float* out, int w, int h, float scaleX, float scaleY) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= w * h) return;
    float x = (i % w + 0.5f) * scaleX - 0.5f, y = (i / w + 0.5f) * scaleY - 0.5f;
    float px = floorf(x), py = floorf(y);
    float fx = x - px, fy = y - py;
    if (fast) {
        float g0x = w0(fx) + w1(fx), g1x = w2(fx) + w3(fx);
        float h0x = -1.0f + w1(fx) / (w0(fx) + w1(fx)) + 0.5f, h1x = 1.0f + w3(fx) / (w2(fx) + w3(fx)) + 0.5f;
        float h0y = -1.0f + w1(fy) / (w0(fy) + w1(fy)) + 0.5f, h1y = 1.0f + w3(fy) / (w2(fy) + w3(fy)) + 0.5f;
        out[i] = (w0(fy) + w1(fy)) *
                     (g0x * tex2D<float>(tex, px + h0x, py + h0y) + g1x * tex2D<float>(tex, px + h1x, py + h0y)) +
                 (w2(fy) + w3(fy)) *
                     (g0x * tex2D<float>(tex, px + h0x, py + h1y) + g1x * tex2D<float>(tex, px + h1x, py + h1y));
    } else {
        float rows[4];
        for (int r = 0; r < 4; ++r)
            rows[r] = w0(fx) * tex2D<float>(tex, px - 0.5f, py + r - 0.5f) +
                      w1(fx) * tex2D<float>(tex, px + 0.5f, py + r - 0.5f) +
                      w2(fx) * tex2D<float>(tex, px + 1.5f, py + r - 0.5f) +
                      w3(fx) * tex2D<float>(tex, px + 2.5f, py + r - 0.5f);
        out[i] = w0(fy) * rows[0] + w1(fy) * rows[1] + w2(fy) * rows[2] + w3(fy) * rows[3];
    }
}

int main() {
    const int sw = 40, sh = 30, dw = 101, dh = 77;
    std::vector<uchar4> colours(sw * sh);
    std::vector<float> grey(sw * sh);
    uint32_t s = 99;
    for (int i = 0; i < sw * sh; ++i) {
        s ^= s << 13, s ^= s >> 17, s ^= s << 5;
        colours[i] = make_uchar4(s, s >> 8, s >> 16, s >> 24);
        grey[i] = (s >> 8 & 1023) / 64.0f;
    }
    cudaArray_t colour_array, grey_array;
    cudaChannelFormatDesc cd = cudaCreateChannelDesc<uchar4>(),
                          gd = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    HANDLE_ERROR(cudaMallocArray(&colour_array, &cd, sw, sh));
    HANDLE_ERROR(cudaMallocArray(&grey_array, &gd, sw, sh, cudaArrayDefault));
    HANDLE_ERROR(cudaMemcpy2DToArray(colour_array, 0, 0, colours.data(), sw * 4, sw * 4, sh, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy2DToArray(grey_array, 0, 0, grey.data(), sw * 4, sw * 4, sh, cudaMemcpyHostToDevice));
    struct cudaResourceDesc rd;
    memset(&rd, 0, sizeof(rd));
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = colour_array;
    struct cudaTextureDesc td;
    memset(&td, 0, sizeof(td));
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeMirror;
    td.filterMode = cudaFilterModeLinear;
    td.readMode = cudaReadModeNormalizedFloat;
    td.normalizedCoords = 1;
    cudaTextureObject_t colour_tex = 0, smooth_tex = 0, point_tex = 0;
    HANDLE_ERROR(cudaCreateTextureObject(&colour_tex, &rd, &td, NULL));
    rd.res.array.array = grey_array;
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 0;
    HANDLE_ERROR(cudaCreateTextureObject(&smooth_tex, &rd, &td, NULL));
    td.filterMode = cudaFilterModePoint;
    HANDLE_ERROR(cudaCreateTextureObject(&point_tex, &rd, &td, NULL));

    uchar4* d_colours;
    float *d_cubic, *d_fast;
    HANDLE_ERROR(cudaMalloc(&d_colours, dw * dh * sizeof(uchar4)));
    HANDLE_ERROR(cudaMalloc(&d_cubic, dw * dh * sizeof(float)));
    HANDLE_ERROR(cudaMalloc(&d_fast, dw * dh * sizeof(float)));
    bilinear<<<dim3((dw + 31) / 32, (dh + 7) / 8), dim3(32, 8)>>>(colour_tex, d_colours, dw, dh);
    bicubic<false><<<(dw * dh + 127) / 128, 128>>>(point_tex, d_cubic, dw, dh, (float)sw / dw, (float)sh / dh);
    bicubic<true><<<(dw * dh + 127) / 128, 128>>>(smooth_tex, d_fast, dw, dh, (float)sw / dw, (float)sh / dh);
    HANDLE_ERROR(cudaDeviceSynchronize());
    std::vector<uchar4> found(dw * dh);
    std::vector<float> cubic(dw * dh), fast(dw * dh);
    HANDLE_ERROR(cudaMemcpy(found.data(), d_colours, dw * dh * 4, cudaMemcpyDeviceToHost));
    HANDLE_ERROR(cudaMemcpy(cubic.data(), d_cubic, dw * dh * 4, cudaMemcpyDeviceToHost));
    HANDLE_ERROR(cudaMemcpy(fast.data(), d_fast, dw * dh * 4, cudaMemcpyDeviceToHost));

    const auto mirrored = [](int i, int n) { return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i; };
    const auto clamped = [](int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; };
    int worst = 0;
    double worst_cubic = 0, worst_fast = 0;
    uint64_t sum = 14695981039346656037ull;
    for (int y = 0; y < dh; ++y)
        for (int x = 0; x < dw; ++x) {
            float u = (x + 0.5f) / dw * sw - 0.5f, v = (y + 0.5f) / dh * sh - 0.5f;
            int i = (int)floorf(u), j = (int)floorf(v);
            float a = u - i, b = v - j;
            const auto at = [&](int di, int dj) {
                return reinterpret_cast<const uchar*>(&colours[mirrored(j + dj, sh) * sw + mirrored(i + di, sw)]);
            };
            for (int c = 0; c < 4; ++c) {
                float want =
                    (1 - b) * ((1 - a) * at(0, 0)[c] + a * at(1, 0)[c]) + b * ((1 - a) * at(0, 1)[c] + a * at(1, 1)[c]);
                int got = reinterpret_cast<const uchar*>(&found[y * dw + x])[c];
                worst = std::max(worst, std::abs(got - (int)(want + 0.5f)));
                sum = (sum ^ (uint64_t)got) * 1099511628211ull;
            }
            float cx = (x + 0.5f) * ((float)sw / dw) - 0.5f, cy = (y + 0.5f) * ((float)sh / dh) - 0.5f;
            int ci = (int)floorf(cx), cj = (int)floorf(cy);
            float fx = cx - ci, fy = cy - cj, wx[4] = {w0(fx), w1(fx), w2(fx), w3(fx)},
                  wy[4] = {w0(fy), w1(fy), w2(fy), w3(fy)};
            double want = 0;
            for (int dj = 0; dj < 4; ++dj)
                for (int di = 0; di < 4; ++di)
                    want += (double)wx[di] * wy[dj] * grey[clamped(cj + dj - 1, sh) * sw + clamped(ci + di - 1, sw)];
            worst_cubic = std::max(worst_cubic, std::fabs(want - cubic[y * dw + x]));
            worst_fast = std::max(worst_fast, std::fabs(want - fast[y * dw + x]));
        }
    printf("bilinear checksum %016llx, off by at most %d\n", (unsigned long long)sum, worst);
    printf("bicubic %.4f %.4f %.4f, by four fetches %.3f %.3f %.3f\n", cubic[0], cubic[dw * dh / 2], cubic[dw * dh - 1],
           fast[0], fast[dw * dh / 2], fast[dw * dh - 1]);
    const bool good = worst <= 2 && worst_cubic < 1e-4 && worst_fast < 0.1;
    printf("%s\n", good ? "PASS" : "FAIL");
    cudaDestroyTextureObject(colour_tex);
    cudaDestroyTextureObject(smooth_tex);
    cudaDestroyTextureObject(point_tex);
    cudaFreeArray(colour_array);
    cudaFreeArray(grey_array);
    cudaFree(d_colours), cudaFree(d_cubic), cudaFree(d_fast);
    return good ? 0 : 1;
}
