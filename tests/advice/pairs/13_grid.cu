// Machines that are half empty: too few blocks, or too few bytes on their way.
#include "pairs.h"

using namespace pairs;

// Thirty-two blocks for a hundred and more SMs.
__device__ __forceinline__ void shade(const float* x, float* out, int n) {
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) out[i] = sqrtf(x[i]) * 0.5f;
}
__global__ void grid_few_before(const float* x, float* out, int n) { shade(x, out, n); }
__global__ void grid_few_after(const float* x, float* out, int n) { shade(x, out, n); }
void few(Suite& suite) {
    const int n = scaled(1 << 21);
    Array<float> x(n, unit), out(n);
    suite.pair(
        "grid_few", out, [&] { grid_few_before<<<32, 256>>>(x, out, n); },  // fault: grid_few
        [&] { grid_few_after<<<1056, 256>>>(x, out, n); }, [&](int i) { return std::sqrt(x.at(i)) * 0.5f; });
}

// Sums of columns: a thread for each leaves sixteen blocks; pieces of columns make 32 times as many.
__global__ void grid_columns_before(const float* in, float* out, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int row = 0; row < rows; ++row) sum += in[row * columns + column];
    out[column] = sum;
}
__global__ void grid_columns_after(const float* in, float* out, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, each = rows / gridDim.y;
    float sum = 0;
    for (int row = blockIdx.y * each; row < (blockIdx.y + 1) * each; ++row) sum += in[row * columns + column];
    atomicAdd(&out[column], sum);
}
void columns(Suite& suite) {
    const int width = 4096, height = scaled(1024);
    Array<float> in(width * height, unit), out(width);
    suite.pair(
        "grid_columns", out,
        [&] { grid_columns_before<<<width / 256, 256>>>(in, out, height, width); },  // fault: grid_columns
        [&] { grid_columns_after<<<dim3(width / 256, 32), 256>>>(in, out, height, width); },
        [&](int i) {
            double sum = 0;
            for (int row = 0; row < height; ++row) sum += in.at(row * width + i);
            return sum;
        });
}

// Two blocks for each SM, whose threads have one load of four bytes on its way at a time; with float4 it is sixteen.
__global__ void inflight_vector_before(const float* x, float* out, int n) {
    int threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        out[i] = 2 * x[i];  // fault: inflight_vector
    }
}
__global__ void inflight_vector_after(const float4* x, float4* out, int n) {
    int threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += threads) {
        float4 v = x[i];
        out[i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
    }
}
void vector(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> x(n, unit), out(n);
    suite.pair(
        "inflight_vector", out, [&] { inflight_vector_before<<<264, 256>>>(x, out, n); },
        [&] { inflight_vector_after<<<264, 256>>>(x.as<float4>(), out.as<float4>(), n); },
        [&](int i) { return 2 * x.at(i); });
}

// A sum whose every addition waits for its load; four loads at once.
__global__ void inflight_loads_before(const float* x, float* out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll 1
    for (int i = thread; i < n; i += threads) sum += x[i];  // fault: inflight_loads
    out[thread] = sum;
}
__global__ void inflight_loads_after(const float* x, float* out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll 1
    for (int i = thread; i < n; i += 4 * threads) {
        float a = x[i], b = x[i + threads], c = x[i + 2 * threads], d = x[i + 3 * threads];
        sum += (a + b) + (c + d);
    }
    out[thread] = sum;
}
void loads(Suite& suite) {
    const int threads = 256 * 256, rounds = scaled(128), n = threads * rounds;
    Array<float> x(n, unit), out(threads);
    suite.pair(
        "inflight_loads", out, [&] { inflight_loads_before<<<256, 256>>>(x, out, n); },
        [&] { inflight_loads_after<<<256, 256>>>(x, out, n); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < rounds; ++k) sum += x.at(k * threads + i);
            return sum;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    few(suite);
    columns(suite);
    vector(suite);
    loads(suite);
    return suite.status();
}
