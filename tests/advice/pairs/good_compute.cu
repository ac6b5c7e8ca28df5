// Kernels with nothing to advise: arithmetic in registers, in the precision of the data.
#include "pairs.h"

using namespace pairs;

__host__ __device__ inline unsigned step(unsigned state) { return state * 1664525u + 1013904223u; }

// Pi by throwing darts: hits are counted in registers and meet by shuffles.
__global__ void good_darts(int* __restrict__ out, int throws) {
    __shared__ int warps[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x, hits = 0;
    unsigned state = i * 2654435761u + 1;
#pragma unroll 4
    for (int k = 0; k < throws; ++k) {
        state = step(state);
        int x = state >> 17;
        state = step(state);
        int y = state >> 17;
        hits += x * x + y * y < 32768 * 32768;
    }
    hits = __reduce_add_sync(0xffffffff, hits);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = hits;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) hits += warps[w];
        out[blockIdx.x] = hits;
    }
}
void darts(Suite& suite) {
    const int groups = 1056, throws = scaled(64);
    Array<int> out(groups);
    suite.good(
        "good_darts", out, [&] { good_darts<<<groups, 256>>>(out, throws); },
        [&](int group) {
            int hits = 0;
            for (int t = 0; t < 256; ++t) {
                unsigned state = (group * 256 + t) * 2654435761u + 1;
                for (int k = 0; k < throws; ++k) {
                    state = step(state);
                    int x = state >> 17;
                    state = step(state);
                    int y = state >> 17;
                    hits += x * x + y * y < 32768 * 32768;
                }
            }
            return hits;
        },
        0);
}

// The set of Mandelbrot: a warp has a patch of 8 x 4, whose pixels leave at about the same step. Fused products are
// spelt out, so that the host counts the same steps.
constexpr int kLimit = 128;
__host__ __device__ inline int escape(int x, int y, int width, int height) {
    float cr = -0.5f + 1.0f * (x - width / 2) / width, ci = 1.0f * (y - height / 2) / height, zr = 0, zi = 0;
    int k = 0;
    while (k < kLimit && fmaf(zr, zr, zi * zi) < 4) {
        float next = fmaf(zr, zr, fmaf(-zi, zi, cr));
        zi = fmaf(2 * zr, zi, ci);
        zr = next;
        ++k;
    }
    return k;
}
__global__ void good_mandelbrot(int* __restrict__ out, int width, int height) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int x = blockIdx.x * 16 + warp % 2 * 8 + lane % 8, y = blockIdx.y * 8 + warp / 2 * 4 + lane / 8;
    out[y * width + x] = escape(x, y, width, height);
}
void mandelbrot(Suite& suite) {
    const int width = 768, height = scaled(512);
    Array<int> out(width * height);
    suite.good(
        "good_mandelbrot", out, [&] { good_mandelbrot<<<dim3(width / 16, height / 8), 128>>>(out, width, height); },
        [&](int i) { return escape(i % width, i / width, width, height); }, 0);
}

// Prices of options: some forty instructions for twelve bytes.
__host__ __device__ inline float normal(float x) { return 0.5f * erfcf(-0.70710678f * x); }
__host__ __device__ inline float price(float stock, float strike, float years) {
    float root = sqrtf(years), d1 = (logf(stock / strike) + 0.065f * years) / (0.3f * root), d2 = d1 - 0.3f * root;
    return stock * normal(d1) - strike * expf(-0.02f * years) * normal(d2);
}
__global__ void good_options(const float* __restrict__ stock, const float* __restrict__ strike,
                             const float* __restrict__ years, float* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = price(stock[i], strike[i], years[i]);
}
void options(Suite& suite) {
    const int n = scaled(1 << 20);
    Array<float> stock(n, [](int i) { return 20 + 60 * unit(i); }),
        strike(n, [](int i) { return 20 + 60 * unit(i + 1); });
    Array<float> years(n, [](int i) { return 0.25f + 4 * unit(i + 2); }), out(n);
    suite.good(
        "good_options", out, [&] { good_options<<<n / 256, 256>>>(stock, strike, years, out, n); },
        [&](int i) { return price(stock.at(i), strike.at(i), years.at(i)); }, 1e-3);
}

// A polynomial whose terms are in the instructions.
__host__ __device__ inline float polynomial(float v) {
    return ((((((0.3f * v + 0.1f) * v - 0.7f) * v + 0.25f) * v - 0.5f) * v + 0.9f) * v - 0.2f) * v + 1;
}
__global__ void good_polynomial(const float4* __restrict__ in, float4* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = in[i];
    out[i] = make_float4(polynomial(v.x), polynomial(v.y), polynomial(v.z), polynomial(v.w));
}
void polynomials(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> in(n, unit), out(n);
    suite.good(
        "good_polynomial", out, [&] { good_polynomial<<<n / 1024, 256>>>(in.as<float4>(), out.as<float4>(), n / 4); },
        [&](int i) { return polynomial(in.at(i)); });
}

// A filter of sixteen terms along a row, every term in constant memory and the same for all lanes.
constexpr int kTaps = 16;
__constant__ float taps[kTaps];
__global__ void good_taps(const float* __restrict__ in, float* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kTaps; ++k) sum += taps[k] * in[k * n + i];
    out[i] = sum;
}
void channels(Suite& suite) {
    const int n = scaled(1 << 19);
    Array<float> in(kTaps * n, unit), out(n);
    float terms[kTaps];
    for (int k = 0; k < kTaps; ++k) terms[k] = unit(k + 1);
    PAIRS_CHECK(cudaMemcpyToSymbol(taps, terms, sizeof(terms)));
    suite.good(
        "good_taps", out, [&] { good_taps<<<n / 256, 256>>>(in, out, n); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < kTaps; ++k) sum += terms[k] * in.at(k * n + i);
            return sum;
        });
}

// Sixteen complex values for each thread, transformed in its registers; each goes by a plane of its own.
__constant__ float cosines[8], sines[8];
__global__ void __launch_bounds__(128) good_fourier(const float2* __restrict__ in, float2* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 v[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) v[k] = in[k * n + i];
#pragma unroll
    for (int half = 8; half > 0; half /= 2) {
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            if ((k & half) == 0) {
                float2 a = v[k], b = v[k + half];
                float dx = a.x - b.x, dy = a.y - b.y, c = cosines[k % half * (8 / half)],
                      s = sines[k % half * (8 / half)];
                v[k] = make_float2(a.x + b.x, a.y + b.y);
                v[k + half] = make_float2(dx * c + dy * s, dy * c - dx * s);
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        int turned = (k & 1) << 3 | (k & 2) << 1 | (k & 4) >> 1 | (k & 8) >> 3;
        out[turned * n + i] = v[k];
    }
}
void fourier(Suite& suite) {
    const int n = scaled(1 << 17);
    Array<float> in(32 * n, unit), out(32 * n);
    float c[8], s[8];
    for (int k = 0; k < 8; ++k) {
        c[k] = std::cos(k * 3.14159265358979 / 8);
        s[k] = std::sin(k * 3.14159265358979 / 8);
    }
    PAIRS_CHECK(cudaMemcpyToSymbol(cosines, c, sizeof(c)));
    PAIRS_CHECK(cudaMemcpyToSymbol(sines, s, sizeof(s)));
    suite.good(
        "good_fourier", out, [&] { good_fourier<<<n / 128, 128>>>(in.as<float2>(), out.as<float2>(), n); },
        [&](int at) {
            int frequency = at / 2 / n, i = at / 2 % n;
            double real = 0, imaginary = 0;
            for (int k = 0; k < 16; ++k) {
                double x = in.at(2 * (k * n + i)), y = in.at(2 * (k * n + i) + 1);
                double angle = -2 * 3.14159265358979 * k * frequency / 16;
                real += x * std::cos(angle) - y * std::sin(angle);
                imaginary += x * std::sin(angle) + y * std::cos(angle);
            }
            return at % 2 ? imaginary : real;
        },
        1e-3);
}

// A pendulum for every thread, in steps of fourth order.
__global__ void good_pendulum(const float2* __restrict__ in, float2* __restrict__ out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i].x, v = in[i].y;
    const float h = 0.05f;
    for (int k = 0; k < steps; ++k) {
        float x1 = v, v1 = -__sinf(x);
        float x2 = v + 0.5f * h * v1, v2 = -__sinf(x + 0.5f * h * x1);
        float x3 = v + 0.5f * h * v2, v3 = -__sinf(x + 0.5f * h * x2);
        float x4 = v + h * v3, v4 = -__sinf(x + h * x3);
        x += h / 6 * (x1 + 2 * x2 + 2 * x3 + x4);
        v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    }
    out[i] = make_float2(x, v);
}
void pendulum(Suite& suite) {
    const int n = scaled(1 << 19), steps = 12;
    Array<float> in(2 * n, unit), out(2 * n);
    suite.good(
        "good_pendulum", out, [&] { good_pendulum<<<n / 256, 256>>>(in.as<float2>(), out.as<float2>(), steps); },
        [&](int at) {
            double x = in.at(at / 2 * 2), v = in.at(at / 2 * 2 + 1), h = 0.05;
            for (int k = 0; k < steps; ++k) {
                double x1 = v, v1 = -std::sin(x), x2 = v + h / 2 * v1, v2 = -std::sin(x + h / 2 * x1);
                double x3 = v + h / 2 * v2, v3 = -std::sin(x + h / 2 * x2), x4 = v + h * v3, v4 = -std::sin(x + h * x3);
                x += h / 6 * (x1 + 2 * x2 + 2 * x3 + x4);
                v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
            }
            return at % 2 ? v : x;
        },
        1e-3);
}

// Bits that two sets of 256 have in common: two lanes to a set, sixteen bytes each.
__global__ void good_bits(const uint4* __restrict__ a, const uint4* __restrict__ b, int* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 p = a[i], q = b[i];
    int bits = __popc(p.x & q.x) + __popc(p.y & q.y) + __popc(p.z & q.z) + __popc(p.w & q.w);
    out[i] = bits + __shfl_xor_sync(0xffffffff, bits, 1);
}
void bits(Suite& suite) {
    const int n = scaled(1 << 20);
    Array<unsigned> a(4 * n, hash), b(4 * n, [](int i) { return hash(i + 9); });
    Array<int> out(n);
    suite.good(
        "good_bits", out, [&] { good_bits<<<n / 256, 256>>>(a.as<uint4>(), b.as<uint4>(), out, n); },
        [&](int i) {
            int count = 0;
            for (int k = i / 2 * 8; k < i / 2 * 8 + 8; ++k) count += __builtin_popcount(a.at(k) & b.at(k));
            return count;
        },
        0);
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    darts(suite);
    mandelbrot(suite);
    options(suite);
    polynomials(suite);
    channels(suite);
    fourier(suite);
    pendulum(suite);
    bits(suite);
    return suite.status();
}
