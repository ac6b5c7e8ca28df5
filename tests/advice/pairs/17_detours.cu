// Values that take a detour through shared memory, and barriers for nobody.
#include "pairs.h"

using namespace pairs;

// Values that are staged for nobody else: each thread takes out what it put in.
__global__ void no_reuse_tiles_before(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ out,
                                      int n) {
    __shared__ float tile_x[256], tile_y[256];
    for (int base = blockIdx.x * 256; base < n; base += gridDim.x * 256) {
        tile_x[threadIdx.x] = x[base + threadIdx.x];  // fault: no_reuse_tiles
        tile_y[threadIdx.x] = y[base + threadIdx.x];
        __syncthreads();
        out[base + threadIdx.x] = 3 * tile_x[threadIdx.x] + tile_y[threadIdx.x];
        __syncthreads();
    }
}
__global__ void no_reuse_tiles_after(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ out,
                                     int n) {
    for (int base = blockIdx.x * 256; base < n; base += gridDim.x * 256) {
        out[base + threadIdx.x] = 3 * x[base + threadIdx.x] + y[base + threadIdx.x];
    }
}
void tiles(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> x(n, unit), y(n, [](int i) { return unit(i + 7); }), out(n);
    suite.pair(
        "no_reuse_tiles", out, [&] { no_reuse_tiles_before<<<528, 256>>>(x, y, out, n); },
        [&] { no_reuse_tiles_after<<<528, 256>>>(x, y, out, n); }, [&](int i) { return 3 * x.at(i) + y.at(i); });
}

// A row that is staged in full, to be read once: sums of squares, 256 for each row.
constexpr int kRow = 8192;
__global__ void no_reuse_row_before(const float* in, float* out) {
    __shared__ float row[kRow];
    for (int k = threadIdx.x; k < kRow; k += 256) row[k] = in[blockIdx.x * kRow + k];  // fault: no_reuse_row
    __syncthreads();
    float sum = 0;
    for (int k = threadIdx.x; k < kRow; k += 256) sum += row[k] * row[k];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
__global__ void no_reuse_row_after(const float* in, float* out) {
    float sum = 0;
    for (int k = threadIdx.x; k < kRow; k += 256) {
        float v = in[blockIdx.x * kRow + k];
        sum += v * v;
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
void row(Suite& suite) {
    const int height = scaled(1024);
    Array<float> in(height * kRow, unit), out(height * 256);
    suite.pair(
        "no_reuse_row", out, [&] { no_reuse_row_before<<<height, 256>>>(in, out); },
        [&] { no_reuse_row_after<<<height, 256>>>(in, out); },
        [&](int i) {
            double sum = 0;
            for (int k = i % 256; k < kRow; k += 256) sum += std::pow(in.at(i / 256 * kRow + k), 2);
            return sum;
        });
}

// A barrier for every tile of a sum that no thread hands on.
__global__ void barriers_sum_before(const float* x, float* out, int rounds) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float sum = 0;
    for (int k = 0; k < rounds; ++k) {
        sum += x[k * threads + thread];
        __syncthreads();  // fault: barriers_sum
    }
    out[thread] = sum;
}
__global__ void barriers_sum_after(const float* x, float* out, int rounds) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float sum = 0;
    for (int k = 0; k < rounds; ++k) sum += x[k * threads + thread];
    out[thread] = sum;
}
void barriers(Suite& suite) {
    const int threads = 132 * 1024, rounds = scaled(64);
    Array<float> x(threads * rounds, unit), out(threads);
    suite.pair(
        "barriers_sum", out, [&] { barriers_sum_before<<<132, 1024>>>(x, out, rounds); },
        [&] { barriers_sum_after<<<132, 1024>>>(x, out, rounds); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < rounds; ++k) sum += x.at(k * threads + i);
            return sum;
        });
}

// A state of each thread's own in shared memory, with barriers as though it were everyone's.
__global__ void barriers_state_before(const float* in, float* out, int steps) {
    __shared__ float state[512];
    int i = blockIdx.x * 512 + threadIdx.x;
    state[threadIdx.x] = in[i];
    __syncthreads();
    for (int k = 0; k < steps; ++k) {
        state[threadIdx.x] = state[threadIdx.x] * 0.75f + 0.125f;
        __syncthreads();  // fault: barriers_state
    }
    out[i] = state[threadIdx.x];
}
__global__ void barriers_state_after(const float* in, float* out, int steps) {
    __shared__ float state[512];
    int i = blockIdx.x * 512 + threadIdx.x;
    state[threadIdx.x] = in[i];
    for (int k = 0; k < steps; ++k) state[threadIdx.x] = state[threadIdx.x] * 0.75f + 0.125f;
    out[i] = state[threadIdx.x];
}
void state(Suite& suite) {
    const int n = scaled(1 << 20), steps = 48;
    Array<float> in(n, unit), out(n);
    suite.pair(
        "barriers_state", out, [&] { barriers_state_before<<<n / 512, 512>>>(in, out, steps); },
        [&] { barriers_state_after<<<n / 512, 512>>>(in, out, steps); },
        [&](int i) {
            double v = in.at(i);
            for (int k = 0; k < steps; ++k) v = v * 0.75 + 0.125;
            return v;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    tiles(suite);
    row(suite);
    barriers(suite);
    state(suite);
    return suite.status();
}
