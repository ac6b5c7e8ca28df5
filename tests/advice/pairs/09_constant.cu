// Constant memory that lanes ask at different places: one place at a time is all it gives.
#include "pairs.h"

using namespace pairs;

// A table by the value of a pixel: constant memory goes through the lanes one by one, the plain path gathers.
__constant__ float curve_kept[256];
__global__ void constant_table_before(const uchar4* pixels, const float* curve, float4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar4 p = pixels[i];
    out[i] = make_float4(curve_kept[p.x], curve_kept[p.y], curve_kept[p.z], curve_kept[p.w]);  // fault: constant_table
}
__global__ void constant_table_after(const uchar4* pixels, const float* curve, float4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar4 p = pixels[i];
    out[i] = make_float4(__ldg(&curve[p.x]), __ldg(&curve[p.y]), __ldg(&curve[p.z]), __ldg(&curve[p.w]));
}
void table(Suite& suite) {
    const int n = scaled(1 << 19);
    Array<unsigned char> pixels(4 * n, [](int i) { return hash(i) % 256; });
    Array<float> curve(256, [](int i) { return std::pow(i / 255.0f, 2.2f); }), out(4 * n);
    PAIRS_CHECK(cudaMemcpyToSymbol(curve_kept, curve.host().data(), curve.bytes()));
    suite.pair(
        "constant_table", out,
        [&] { constant_table_before<<<blocks(n, 256), 256>>>(pixels.as<uchar4>(), curve, out.as<float4>(), n); },
        [&] { constant_table_after<<<blocks(n, 256), 256>>>(pixels.as<uchar4>(), curve, out.as<float4>(), n); },
        [&](int i) { return curve.at(pixels.at(i)); });
}

// A row of weights, one for every lane.
constexpr int kRows = 16;
__constant__ float weights_kept[kRows * 32];
__global__ void constant_lanes_before(const float* in, const float* weights, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < kRows; ++k) {
        sum += weights_kept[k * 32 + lane] * in[k * n + i];  // fault: constant_lanes
    }
    out[i] = sum;
}
__global__ void constant_lanes_after(const float* in, const float* weights, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < kRows; ++k) sum += __ldg(&weights[k * 32 + lane]) * in[k * n + i];
    out[i] = sum;
}
void lanes(Suite& suite) {
    const int n = scaled(1 << 18);
    Array<float> in(kRows * n, unit), weights(kRows * 32, [](int i) { return unit(i + 3); }), out(n);
    PAIRS_CHECK(cudaMemcpyToSymbol(weights_kept, weights.host().data(), weights.bytes()));
    suite.pair(
        "constant_lanes", out, [&] { constant_lanes_before<<<blocks(n, 256), 256>>>(in, weights, out, n); },
        [&] { constant_lanes_after<<<blocks(n, 256), 256>>>(in, weights, out, n); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < kRows; ++k) sum += weights.at(k * 32 + i % 32) * in.at(k * n + i);
            return sum;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    table(suite);
    lanes(suite);
    return suite.status();
}
