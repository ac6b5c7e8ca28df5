// Fast Fourier transforms of radix two in shared memory, a transform a block, there and back.
#include <algorithm>
#include <cmath>

#include "program.cuh"

constexpr int points = 256;
constexpr int bits = 8;

__global__ void twiddle_factors(float2* table) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points / 2) return;
    float s, c;
    sincospif(-2.0f * i / points, &s, &c);
    table[i] = make_float2(c, s);
}

__device__ __forceinline__ float2 times(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// Half as many threads as points; the dynamic shared memory holds one signal.
template <bool Inverse>
__global__ __launch_bounds__(points / 2) void transform(const float2* in, float2* out,
                                                        const float2* __restrict__ table) {
    extern __shared__ float2 signal[];
    const int t = threadIdx.x;
    in += blockIdx.x * points;
    out += blockIdx.x * points;
    for (int i = t; i < points; i += blockDim.x) signal[__brev(i) >> (32 - bits)] = in[i];
    __syncthreads();
#pragma unroll 1
    for (int half = 1; half < points; half *= 2) {
        const int place = t & (half - 1), low = 2 * (t - place) + place;
        float2 w = __ldg(&table[place * (points / 2 / half)]);
        if (Inverse) w.y = -w.y;
        const float2 a = signal[low], b = times(signal[low + half], w);
        signal[low] = make_float2(a.x + b.x, a.y + b.y);
        signal[low + half] = make_float2(a.x - b.x, a.y - b.y);
        __syncthreads();
    }
    const float scale = Inverse ? 1.0f / points : 1.0f;
    for (int i = t; i < points; i += blockDim.x) out[i] = make_float2(signal[i].x * scale, signal[i].y * scale);
}

// The plain sum over all points.
std::vector<float2> slow_transform(const std::vector<float2>& in) {
    std::vector<double> cosine(points), sine(points);
    for (int i = 0; i < points; ++i) {
        cosine[i] = std::cos(2 * std::acos(-1.0) * i / points);
        sine[i] = -std::sin(2 * std::acos(-1.0) * i / points);
    }
    std::vector<float2> out(in.size());
    for (std::size_t first = 0; first < in.size(); first += points)
        for (int k = 0; k < points; ++k) {
            double re = 0, im = 0;
            for (int n = 0; n < points; ++n) {
                const float2 x = in[first + n];
                const int turn = k * n % points;
                re += x.x * cosine[turn] - x.y * sine[turn];
                im += x.x * sine[turn] + x.y * cosine[turn];
            }
            out[first + k] = make_float2(static_cast<float>(re), static_cast<float>(im));
        }
    return out;
}
float distance(const std::vector<float2>& a, const std::vector<float2>& b) {
    float worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        worst = std::max({worst, std::abs(a[i].x - b[i].x), std::abs(a[i].y - b[i].y)});
    return worst;
}

int main() {
    constexpr int signals = 8;
    std::vector<float2> in(signals * points);
    for (int i = 0; i < signals * points; ++i)
        in[i] = make_float2(std::sin(i * 0.37f) + i % 5 * 0.1f, std::cos(i * i % 97 * 0.11f));
    float2 *device = to_device(in), *spectrum, *back, *table;
    CHECK(cudaMalloc(&spectrum, in.size() * sizeof(float2)));
    CHECK(cudaMalloc(&back, in.size() * sizeof(float2)));
    CHECK(cudaMalloc(&table, points / 2 * sizeof(float2)));

    twiddle_factors<<<(points / 2 + 63) / 64, 64>>>(table);
    transform<false><<<signals, points / 2, points * sizeof(float2)>>>(device, spectrum, table);
    transform<true><<<signals, points / 2, points * sizeof(float2)>>>(spectrum, back, table);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    int bad = verdict("spectra of eight signals", distance(to_host(spectrum, in.size()), slow_transform(in)) < 2e-3f);
    bad += verdict("signals from their spectra", distance(to_host(back, in.size()), in) < 1e-5f);
    for (float2* p : {device, spectrum, back, table}) CHECK(cudaFree(p));
    return bad;
}
