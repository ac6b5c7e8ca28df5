// Kernels with nothing to advise: sums, maxima and scans that go by shuffles, with one store or atomic for a block.
#include "pairs.h"

using namespace pairs;

constexpr unsigned kAll = 0xffffffff;

__device__ __forceinline__ float warp_sum(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(kAll, v, offset);
    return v;
}
// Of a block of 256; what comes back is the sum in the first warp.
__device__ __forceinline__ float block_sum(float v) {
    __shared__ float warps[8];
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
    __syncthreads();
    return threadIdx.x < 32 ? warp_sum(threadIdx.x < 8 ? warps[threadIdx.x] : 0.0f) : 0.0f;
}

__global__ void good_dot(const float4* __restrict__ x, const float4* __restrict__ y, float* __restrict__ out, int n) {
    float sum = 0;
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        float4 p = x[i], q = y[i];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
void dot(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> x(n, unit), y(n, [](int i) { return unit(i + 7); }), out(1);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += x.at(i) * y.at(i);
    suite.good(
        "good_dot", out, [&] { good_dot<<<1056, 256>>>(x.as<float4>(), y.as<float4>(), out, n / 4); },
        [&](int) { return expected; }, 1e-3);
}

// A warp for a row of 256: eight values a lane, one store a row.
__global__ void good_row_sum(const float4* __restrict__ in, float* __restrict__ out, int rows) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
    if (row >= rows) return;
    float4 a = in[row * 64 + lane], b = in[row * 64 + 32 + lane];
    float sum = warp_sum(a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w);
    if (lane == 0) out[row] = sum;
}
void row_sum(Suite& suite) {
    const int height = scaled(1 << 14);
    Array<float> in(height * 256, unit), out(height);
    suite.good(
        "good_row_sum", out, [&] { good_row_sum<<<height / 8, 256>>>(in.as<float4>(), out, height); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < 256; ++k) sum += in.at(i * 256 + k);
            return sum;
        });
}

// Columns in 64 pieces, four columns a thread.
__global__ void good_column_sum(const float4* __restrict__ in, float* __restrict__ out, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, each = rows / gridDim.y;
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 8
    for (int row = blockIdx.y * each; row < (blockIdx.y + 1) * each; ++row) {
        float4 v = in[row * columns + column];
        sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    }
    reinterpret_cast<float4*>(out)[blockIdx.y * columns + column] = sum;
}
void column_sum(Suite& suite) {
    const int width = 2048, height = scaled(2048), pieces = 64;
    Array<float> in(width * height, unit), out(width * pieces);
    suite.good(
        "good_column_sum", out,
        [&] { good_column_sum<<<dim3(width / 4 / 128, pieces), 128>>>(in.as<float4>(), out, height, width / 4); },
        [&](int i) {
            double sum = 0;
            int each = height / pieces;
            for (int row = i / width * each; row < (i / width + 1) * each; ++row) sum += in.at(row * width + i % width);
            return sum;
        });
}

// The place of the greatest: value and place travel as one number, so that one maximum does for both.
__global__ void good_argmax(const unsigned* __restrict__ in, unsigned long long* __restrict__ out, int n) {
    __shared__ unsigned long long warps[8];
    unsigned long long best = 0;
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        unsigned long long key = static_cast<unsigned long long>(in[i]) << 32 | i;
        best = key > best ? key : best;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        unsigned long long other = __shfl_xor_sync(kAll, best, offset);
        best = other > best ? other : best;
    }
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) best = warps[w] > best ? warps[w] : best;
        out[blockIdx.x] = best;
    }
}
void argmax(Suite& suite) {
    const int n = scaled(1 << 22), groups = 1056;
    Array<unsigned> in(n, [](int i) { return hash(i) >> 1; });
    Array<unsigned long long> out(groups);
    suite.good(
        "good_argmax", out, [&] { good_argmax<<<groups, 256>>>(in, out, n); },
        [&](int group) {
            unsigned long long best = 0;
            for (int start = group * 256; start < n; start += groups * 256) {
                for (int i = start; i < std::min(n, start + 256); ++i) {
                    best = std::max(best, static_cast<unsigned long long>(in.at(i)) << 32 | i);
                }
            }
            return best;
        },
        1e-12);
}

// Running sums of 1024: four a thread, then lanes by shuffles, then warps.
__global__ void good_block_scan(const int4* __restrict__ in, int4* __restrict__ out) {
    __shared__ int warps[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int4 v = in[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    int sum = v.w;
    for (int offset = 1; offset < 32; offset *= 2) {
        int left = __shfl_up_sync(kAll, sum, offset);
        if (lane >= offset) sum += left;
    }
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    int before = sum - v.w;
    for (int w = 0; w < warp; ++w) before += warps[w];
    out[i] = make_int4(v.x + before, v.y + before, v.z + before, v.w + before);
}
void block_scan(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<int> in(n, [](int i) { return hash(i) % 10; }), out(n);
    suite.good(
        "good_block_scan", out, [&] { good_block_scan<<<n / 1024, 256>>>(in.as<int4>(), out.as<int4>()); },
        [&](int i) {
            int sum = 0;
            for (int k = i / 1024 * 1024; k <= i; ++k) sum += in.at(k);
            return sum;
        });
}

// Softmax of rows of 256, which stay in a warp's registers between the passes.
__global__ void good_softmax(const float* __restrict__ in, float* __restrict__ out, int rows) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
    if (row >= rows) return;
    float v[8], most = -1e30f, sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        v[k] = in[row * 256 + k * 32 + lane];
        most = fmaxf(most, v[k]);
    }
    for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, offset));
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        v[k] = __expf(v[k] - most);
        sum += v[k];
    }
    float scale = __frcp_rn(warp_sum(sum));
#pragma unroll
    for (int k = 0; k < 8; ++k) out[row * 256 + k * 32 + lane] = v[k] * scale;
}
void softmax(Suite& suite) {
    const int height = scaled(1 << 14);
    Array<float> in(height * 256, [](int i) { return 4 * unit(i); }), out(height * 256);
    suite.good(
        "good_softmax", out, [&] { good_softmax<<<height / 8, 256>>>(in, out, height); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < 256; ++k) sum += std::exp(in.at(i / 256 * 256 + k));
            return std::exp(in.at(i)) / sum;
        });
}

// Rows of 1024 to mean 0 and variance 1: a warp for each, which holds its row.
__global__ void good_layernorm(const float4* __restrict__ in, float4* __restrict__ out, int rows) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
    if (row >= rows) return;
    float4 v[8];
    float sum = 0, squares = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        v[k] = in[row * 256 + k * 32 + lane];
        sum += v[k].x + v[k].y + v[k].z + v[k].w;
        squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
    float mean = warp_sum(sum) / 1024, scale = rsqrtf(warp_sum(squares) / 1024 - mean * mean + 1e-5f);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        out[row * 256 + k * 32 + lane] = make_float4((v[k].x - mean) * scale, (v[k].y - mean) * scale,
                                                     (v[k].z - mean) * scale, (v[k].w - mean) * scale);
    }
}
void layernorm(Suite& suite) {
    const int height = scaled(1 << 12);
    Array<float> in(height * 1024, unit), out(height * 1024);
    suite.good(
        "good_layernorm", out, [&] { good_layernorm<<<height / 4, 128>>>(in.as<float4>(), out.as<float4>(), height); },
        [&](int i) {
            double sum = 0, squares = 0;
            for (int k = 0; k < 1024; ++k) sum += in.at(i / 1024 * 1024 + k);
            for (int k = 0; k < 1024; ++k) squares += std::pow(in.at(i / 1024 * 1024 + k) - sum / 1024, 2);
            return (in.at(i) - sum / 1024) / std::sqrt(squares / 1024 + 1e-5);
        },
        1e-3);
}

// How many lie above a threshold.
__global__ void good_count(const float4* __restrict__ in, int* __restrict__ out, float threshold, int n) {
    int count = 0, threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        float4 v = in[i];
        count += (v.x > threshold) + (v.y > threshold) + (v.z > threshold) + (v.w > threshold);
    }
    __shared__ int warps[8];
    count = __reduce_add_sync(kAll, count);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = count;
    __syncthreads();
    if (threadIdx.x < 32) {
        count = __reduce_add_sync(kAll, threadIdx.x < 8 ? warps[threadIdx.x] : 0);
        if (threadIdx.x == 0) atomicAdd(out, count);
    }
}
void count(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> in(n, unit);
    Array<int> out(1);
    int expected = 0;
    for (int i = 0; i < n; ++i) expected += in.at(i) > 0.3f;
    suite.good(
        "good_count", out, [&] { good_count<<<1056, 256>>>(in.as<float4>(), out, 0.3f, n / 4); },
        [&](int) { return expected; }, 0);
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    dot(suite);
    row_sum(suite);
    column_sum(suite);
    argmax(suite);
    block_scan(suite);
    softmax(suite);
    layernorm(suite);
    count(suite);
    return suite.status();
}
