// Lanes that wait for each other.
#include "pairs.h"

using namespace pairs;

// Even elements take one way and odd ones another: by lane, a warp goes both; by warp, one each.
__device__ __forceinline__ float one_way(float v, int steps) {
    for (int k = 0; k < steps; ++k) v = __sinf(v) + 1.25f;
    return v;
}
__device__ __forceinline__ float other_way(float v, int steps) {
    for (int k = 0; k < steps; ++k) v = rsqrtf(v + 0.5f);
    return v;
}
__global__ void divergence_parity_before(const float* in, float* out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0) {  // fault: divergence_parity
        out[i] = one_way(in[i], steps);
    } else {
        out[i] = other_way(in[i], steps);
    }
}
__global__ void divergence_parity_after(const float* in, float* out, int steps) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, odd = thread / 32 % 2;
    int i = thread / 64 * 64 + thread % 32 * 2 + odd;
    if (odd == 0) {
        out[i] = one_way(in[i], steps);
    } else {
        out[i] = other_way(in[i], steps);
    }
}
void parity(Suite& suite) {
    const int n = scaled(1 << 19), steps = 32;
    Array<float> in(n, unit), out(n);
    suite.pair(
        "divergence_parity", out, [&] { divergence_parity_before<<<n / 256, 256>>>(in, out, steps); },
        [&] { divergence_parity_after<<<n / 256, 256>>>(in, out, steps); },
        [&](int i) {
            double v = in.at(i);
            for (int k = 0; k < steps; ++k) v = i % 2 ? 1 / std::sqrt(v + 0.5) : std::sin(v) + 1.25;
            return v;
        },
        1e-3);
}

// One lane of a warp sums a row for all.
__global__ void divergence_lane_before(const float* in, float* out, int rows, int columns) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
    if (row >= rows) return;
    if (lane == 0) {
        float sum = 0;
        for (int k = 0; k < columns; ++k) sum += in[row * columns + k];  // fault: divergence_lane
        out[row] = sum;
    }
}
__global__ void divergence_lane_after(const float* in, float* out, int rows, int columns) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int k = lane; k < columns; k += 32) sum += in[row * columns + k];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0) out[row] = sum;
}
void lane(Suite& suite) {
    const int height = scaled(1 << 15), width = 224;
    Array<float> in(height * width, unit), out(height);
    suite.pair(
        "divergence_lane", out, [&] { divergence_lane_before<<<height / 8, 256>>>(in, out, height, width); },
        [&] { divergence_lane_after<<<height / 8, 256>>>(in, out, height, width); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < width; ++k) sum += in.at(i * width + k);
            return sum;
        });
}

// A sparse matrix: a row for every thread leaves lanes with short rows waiting, and each walks alone.
__global__ void divergence_sparse_before(const int* starts, const int* columns, const float* values, const float* x,
                                         float* y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];  // fault: divergence_sparse
    y[row] = sum;
}
__global__ void divergence_sparse_after(const int* starts, const int* columns, const float* values, const float* x,
                                        float* y, int rows) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) sum += values[k] * x[columns[k]];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0) y[row] = sum;
}
void sparse(Suite& suite) {
    const int height = scaled(1 << 15);
    std::vector<int> first(height + 1);
    for (int i = 0; i < height; ++i) {
        int length = 8 + hash(i) % 64 + (hash(i + 77) % 16 == 0 ? 256 : 0);
        first[i + 1] = first[i] + length;
    }
    const int n = first[height];
    Array<int> starts(first), columns(n, [&](int i) { return hash(i) % height; });
    Array<float> values(n, unit), x(height, [](int i) { return unit(i + 9); }), y(height);
    suite.pair(
        "divergence_sparse", y,
        [&] { divergence_sparse_before<<<blocks(height, 128), 128>>>(starts, columns, values, x, y, height); },
        [&] { divergence_sparse_after<<<blocks(height, 4), 128>>>(starts, columns, values, x, y, height); },
        [&](int i) {
            double sum = 0;
            for (int k = first[i]; k < first[i + 1]; ++k) sum += values.at(k) * x.at(columns.at(k));
            return sum;
        });
}

// A tree whose threads are picked by a remainder, so that every warp stays to the end; picked from the front, most
// leave.
__global__ void divergence_tree_before(const int* in, int* out) {
    __shared__ int s[256];
    s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (unsigned step = 1; step < 256; step *= 2) {
        if (threadIdx.x % (2 * step) == 0) s[threadIdx.x] += s[threadIdx.x + step];  // fault: divergence_tree
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void divergence_tree_after(const int* in, int* out) {
    __shared__ int s[256];
    s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (unsigned step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
void tree(Suite& suite) {
    const int n = scaled(1 << 21);
    Array<int> in(n, [](int i) { return hash(i) % 100; }), out(n / 256);
    suite.pair(
        "divergence_tree", out, [&] { divergence_tree_before<<<n / 256, 256>>>(in, out); },
        [&] { divergence_tree_after<<<n / 256, 256>>>(in, out); },
        [&](int i) {
            int sum = 0;
            for (int k = 0; k < 256; ++k) sum += in.at(i * 256 + k);
            return sum;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    parity(suite);
    lane(suite);
    sparse(suite);
    tree(suite);
    return suite.status();
}
