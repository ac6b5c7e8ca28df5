// Warps that are not full: blocks of too few threads (the launch is the fault, the kernels are the same), short rows.
#include "pairs.h"

using namespace pairs;

// Blocks of eight threads: a quarter of each warp, and 64 thousand blocks.
__device__ __forceinline__ void blend(const float* x, const float* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < 4; ++k) out[k * n + i] = 0.25f * x[k * n + i] + 0.75f * y[k * n + i];
}
__global__ void partial_eight_before(const float* x, const float* y, float* out, int n) { blend(x, y, out, n); }
__global__ void partial_eight_after(const float* x, const float* y, float* out, int n) { blend(x, y, out, n); }
void eight(Suite& suite) {
    const int n = scaled(1 << 19);
    Array<float> x(4 * n, unit), y(4 * n, [](int i) { return unit(i + 7); }), out(4 * n);
    suite.pair(
        "partial_eight", out, [&] { partial_eight_before<<<blocks(n, 8), 8>>>(x, y, out, n); },  // fault: partial_eight
        [&] { partial_eight_after<<<blocks(n, 256), 256>>>(x, y, out, n); },
        [&](int i) { return 0.25f * x.at(i) + 0.75f * y.at(i); });
}

// Blocks of 33: every second warp has one lane.
__device__ __forceinline__ void orbit(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = in[i];
    for (int k = 0; k < 48; ++k) v = __cosf(v) + 0.5f;
    out[i] = v;
}
__global__ void partial_odd_before(const float* in, float* out, int n) { orbit(in, out, n); }
__global__ void partial_odd_after(const float* in, float* out, int n) { orbit(in, out, n); }
void odd(Suite& suite) {
    const int n = scaled(1 << 19);
    Array<float> in(n, unit), out(n);
    suite.pair(
        "partial_odd", out, [&] { partial_odd_before<<<blocks(n, 33), 33>>>(in, out, n); },  // fault: partial_odd
        [&] { partial_odd_after<<<blocks(n, 256), 256>>>(in, out, n); },
        [&](int i) {
            double v = in.at(i);
            for (int k = 0; k < 48; ++k) v = std::cos(v) + 0.5;
            return v;
        },
        1e-3);
}

// Rows of 20 columns with a warp for each, of which twelve lanes have nothing to do; counted through all rows, threads
// fill their warps.
__global__ void partial_rows_before(const float* in, float* out, int rows) {
    int row = blockIdx.x * blockDim.y + threadIdx.y, column = threadIdx.x;
    if (row >= rows || column >= 20) return;  // fault: partial_rows
    float v = in[row * 20 + column];
    for (int k = 0; k < 32; ++k) v = __expf(-v) + 0.25f;
    out[row * 20 + column] = v;
}
__global__ void partial_rows_after(const float* in, float* out, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * 20) return;
    float v = in[i];
    for (int k = 0; k < 32; ++k) v = __expf(-v) + 0.25f;
    out[i] = v;
}
void rows(Suite& suite) {
    const int height = scaled(1 << 15), n = height * 20;
    Array<float> in(n, unit), out(n);
    suite.pair(
        "partial_rows", out, [&] { partial_rows_before<<<blocks(height, 8), dim3(32, 8)>>>(in, out, height); },
        [&] { partial_rows_after<<<blocks(n, 256), 256>>>(in, out, height); },
        [&](int i) {
            double v = in.at(i);
            for (int k = 0; k < 32; ++k) v = std::exp(-v) + 0.25;
            return v;
        },
        1e-3);
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    eight(suite);
    odd(suite);
    rows(suite);
    return suite.status();
}
