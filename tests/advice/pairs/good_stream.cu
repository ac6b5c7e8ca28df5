// Kernels with nothing to advise: values that stream through, each asked for once or held by the caches.
#include "pairs.h"

using namespace pairs;

__global__ void good_copy(const float4* __restrict__ in, float4* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
void copy(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> in(n, unit), out(n);
    suite.good(
        "good_copy", out, [&] { good_copy<<<n / 1024, 256>>>(in.as<float4>(), out.as<float4>(), n / 4); },
        [&](int i) { return in.at(i); });
}

__global__ void good_saxpy(float a, const float4* __restrict__ x, const float4* __restrict__ y,
                           float4* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = x[i], q = y[i];
    out[i] = make_float4(a * p.x + q.x, a * p.y + q.y, a * p.z + q.z, a * p.w + q.w);
}
void saxpy(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> x(n, unit), y(n, [](int i) { return unit(i + 7); }), out(n);
    suite.good(
        "good_saxpy", out,
        [&] { good_saxpy<<<n / 1024, 256>>>(3, x.as<float4>(), y.as<float4>(), out.as<float4>(), n / 4); },
        [&](int i) { return 3 * x.at(i) + y.at(i); });
}

// Four pixels of four bytes make four bytes of grey.
__device__ __forceinline__ unsigned char grey(unsigned pixel) {
    unsigned r = pixel & 255, g = pixel >> 8 & 255, b = pixel >> 16 & 255;
    return static_cast<unsigned char>((77 * r + 150 * g + 29 * b) >> 8);
}
__global__ void good_grey(const uint4* __restrict__ pixels, uchar4* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 p = pixels[i];
    out[i] = make_uchar4(grey(p.x), grey(p.y), grey(p.z), grey(p.w));
}
void greys(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<unsigned> pixels(n, hash);
    Array<unsigned char> out(n);
    suite.good(
        "good_grey", out, [&] { good_grey<<<n / 1024, 256>>>(pixels.as<uint4>(), out.as<uchar4>(), n / 4); },
        [&](int i) {
            unsigned p = pixels.at(i);
            return (77 * (p & 255) + 150 * (p >> 8 & 255) + 29 * (p >> 16 & 255)) >> 8;
        });
}

// A bias for each of 1024 channels, and nothing below zero.
__global__ void good_bias_relu(const float4* __restrict__ in, const float4* __restrict__ bias, float4* __restrict__ out,
                               int n) {
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        float4 v = in[i], b = bias[i % 256];
        out[i] = make_float4(fmaxf(v.x + b.x, 0), fmaxf(v.y + b.y, 0), fmaxf(v.z + b.z, 0), fmaxf(v.w + b.w, 0));
    }
}
void bias_relu(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> in(n, [](int i) { return unit(i) - 0.5f; }), bias(1024, [](int i) { return unit(i + 3) - 0.5f; });
    Array<float> out(n);
    suite.good(
        "good_bias_relu", out,
        [&] { good_bias_relu<<<1056, 256>>>(in.as<float4>(), bias.as<float4>(), out.as<float4>(), n / 4); },
        [&](int i) { return std::max(0.0f, in.at(i) + bias.at(i % 1024)); });
}

// Three neighbours: L1 has them, a tile would only cost.
__global__ void good_stencil3(const float* __restrict__ in, float* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0.25f * in[i] + 0.5f * in[i + 1] + 0.25f * in[i + 2];
}
void stencil3(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> in(n + 2, unit), out(n);
    suite.good(
        "good_stencil3", out, [&] { good_stencil3<<<n / 256, 256>>>(in, out, n); },
        [&](int i) { return 0.25f * in.at(i) + 0.5f * in.at(i + 1) + 0.25f * in.at(i + 2); });
}

// Five neighbours in a plane.
__global__ void good_stencil5(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, at = y * width + x;
    if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1) return;
    out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
}
void stencil5(Suite& suite) {
    const int width = 2048, height = scaled(2048);
    Array<float> in(width * height, unit), out(width * height);
    suite.good(
        "good_stencil5", out,
        [&] { good_stencil5<<<dim3(width / 64, blocks(height, 4)), dim3(64, 4)>>>(in, out, width, height); },
        [&](int i) {
            int x = i % width, y = i / width;
            if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return 0.0f;
            return 0.2f * (in.at(i) + in.at(i - 1) + in.at(i + 1) + in.at(i - width) + in.at(i + width));
        });
}

// Complex products, eight bytes a lane.
__global__ void good_complex(const float2* __restrict__ a, const float2* __restrict__ b, float2* __restrict__ out,
                             int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 p = a[i], q = b[i];
    out[i] = make_float2(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x);
}
void complex(Suite& suite) {
    const int n = scaled(1 << 21);
    Array<float> a(2 * n, unit), b(2 * n, [](int i) { return unit(i + 7); }), out(2 * n);
    suite.good(
        "good_complex", out,
        [&] { good_complex<<<n / 256, 256>>>(a.as<float2>(), b.as<float2>(), out.as<float2>(), n); },
        [&](int i) {
            int k = i / 2 * 2;
            return i % 2 ? a.at(k) * b.at(k + 1) + a.at(k + 1) * b.at(k)
                         : a.at(k) * b.at(k) - a.at(k + 1) * b.at(k + 1);
        });
}

// Where the data says to look nothing can be put side by side.
__global__ void good_gather(const float* __restrict__ table, const int* __restrict__ index, float* __restrict__ out,
                            int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[index[i]];
}
void gather(Suite& suite) {
    const int n = scaled(1 << 20);
    Array<float> table(n, unit), out(n);
    Array<int> index(n, [&](int i) { return hash(i + 1) % n; });
    suite.good(
        "good_gather", out, [&] { good_gather<<<n / 256, 256>>>(table, index, out, n); },
        [&](int i) { return table.at(index.at(i)); });
}

// Rows of a table by number: a warp for a row of 128, sixteen bytes a lane.
__global__ void good_embedding(const float4* __restrict__ table, const int* __restrict__ tokens,
                               float4* __restrict__ out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
    if (row < n) out[row * 32 + lane] = table[tokens[row] * 32 + lane];
}
void embedding(Suite& suite) {
    const int n = scaled(1 << 15), words = 30000;
    Array<float> table(words * 128, unit), out(n * 128);
    Array<int> tokens(n, [&](int i) { return hash(i) % words; });
    suite.good(
        "good_embedding", out, [&] { good_embedding<<<n / 8, 256>>>(table.as<float4>(), tokens, out.as<float4>(), n); },
        [&](int i) { return table.at(tokens.at(i / 128) * 128 + i % 128); });
}

// Doubles because the data are doubles.
__global__ void good_daxpy(double a, const double2* __restrict__ x, double2* __restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double2 p = x[i];
    y[i] = make_double2(a * p.x + 1.0, a * p.y + 1.0);
}
void daxpy(Suite& suite) {
    const int n = scaled(1 << 21);
    Array<double> x(n, unit), y(n);
    suite.good(
        "good_daxpy", y, [&] { good_daxpy<<<n / 512, 256>>>(0.7, x.as<double2>(), y.as<double2>(), n / 2); },
        [&](int i) { return 0.7 * x.at(i) + 1; }, 1e-12);
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    copy(suite);
    saxpy(suite);
    greys(suite);
    bias_relu(suite);
    stencil3(suite);
    stencil5(suite);
    complex(suite);
    gather(suite);
    embedding(suite);
    daxpy(suite);
    return suite.status();
}
