// Kernels with nothing to advise: threads of a block that hand each other values through shared memory.
#include "pairs.h"

using namespace pairs;

constexpr unsigned kAll = 0xffffffff;

// A histogram for every block, of integers, whose shared atomics are instructions.
__global__ void good_histogram(const uchar4* __restrict__ values, unsigned* __restrict__ counts, int n) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        uchar4 v = values[i];
        atomicAdd(&own[v.x], 1u);
        atomicAdd(&own[v.y], 1u);
        atomicAdd(&own[v.z], 1u);
        atomicAdd(&own[v.w], 1u);
    }
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
void histogram(Suite& suite) {
    const int n = scaled(1 << 23);
    Array<unsigned char> values(n, [](int i) { return hash(i) % 256; });
    Array<unsigned> counts(256);
    std::vector<int> expected(256);
    for (int i = 0; i < n; ++i) ++expected[values.at(i)];
    suite.good(
        "good_histogram", counts, [&] { good_histogram<<<528, 256>>>(values.as<uchar4>(), counts, n / 4); },
        [&](int i) { return expected[i]; }, 0);
}

// Groups of 1024 in order: what is less than a warp apart is exchanged by shuffles.
__global__ void good_bitonic(const int* __restrict__ in, int* __restrict__ out) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    int v = in[blockIdx.x * 1024 + t];
    for (int size = 2; size <= 1024; size *= 2) {
        bool up = (t & size) == 0;
        int step = size / 2;
        for (; step >= 32; step /= 2) {
            s[t] = v;
            __syncthreads();
            int other = s[t ^ step];
            __syncthreads();
            v = ((t & step) == 0) == up ? min(v, other) : max(v, other);
        }
        for (; step > 0; step /= 2) {
            int other = __shfl_xor_sync(kAll, v, step);
            v = ((t & step) == 0) == up ? min(v, other) : max(v, other);
        }
    }
    out[blockIdx.x * 1024 + t] = v;
}
void bitonic(Suite& suite) {
    const int n = scaled(1 << 19);
    Array<int> in(n, [](int i) { return hash(i) % 100000; }), out(n);
    std::vector<int> expected = in.host();
    for (int i = 0; i < n; i += 1024) std::sort(&expected[i], &expected[i] + 1024);
    suite.good(
        "good_bitonic", out, [&] { good_bitonic<<<n / 1024, 1024>>>(in, out); }, [&](int i) { return expected[i]; }, 0);
}

// What is above zero, packed to the front of each block's 256: a ballot says each lane its place.
__global__ void good_compact(const int* __restrict__ in, int* __restrict__ out) {
    __shared__ int firsts[8], kept[256];
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32, v = in[i];
    unsigned chosen = __ballot_sync(kAll, v > 0);
    if (lane == 0) firsts[warp] = __popc(chosen);
    kept[threadIdx.x] = 0;
    __syncthreads();
    int place = __popc(chosen & ((1u << lane) - 1));
    for (int w = 0; w < warp; ++w) place += firsts[w];
    if (v > 0) kept[place] = v;
    __syncthreads();
    out[i] = kept[threadIdx.x];
}
void compact(Suite& suite) {
    const int n = scaled(1 << 21);
    Array<int> in(n, [](int i) { return static_cast<int>(hash(i) % 200) - 100; }), out(n);
    suite.good(
        "good_compact", out, [&] { good_compact<<<n / 256, 256>>>(in, out); },
        [&](int i) {
            int seen = 0;
            for (int k = i / 256 * 256; k < i / 256 * 256 + 256; ++k) {
                if (in.at(k) > 0 && seen++ == i % 256) return in.at(k);
            }
            return 0;
        },
        0);
}

// All pairs, in tiles of 128 bodies that a whole block walks through together.
__global__ void good_bodies(const float4* __restrict__ bodies, float4* __restrict__ out, int n) {
    __shared__ float4 tile[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float4 own = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int start = 0; start < n; start += 128) {
        tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
#pragma unroll 16
        for (int k = 0; k < 128; ++k) {
            float4 b = tile[k];
            float dx = b.x - own.x, dy = b.y - own.y, dz = b.z - own.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = b.w * inverse * inverse * inverse;
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        __syncthreads();
    }
    out[i] = make_float4(ax, ay, az, 0);
}
void bodies(Suite& suite) {
    const int n = scaled(67584), others = 256;
    Array<float> all(4 * n, unit), out(4 * n);
    suite.good(
        "good_bodies", out, [&] { good_bodies<<<n / 128, 128>>>(all.as<float4>(), out.as<float4>(), others); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < others && i % 4 < 3; ++k) {
                double squares = 0.01;
                for (int j = 0; j < 3; ++j) squares += std::pow(all.at(4 * k + j) - all.at(i / 4 * 4 + j), 2);
                sum += all.at(4 * k + 3) * std::pow(squares, -1.5) * (all.at(4 * k + i % 4) - all.at(i));
            }
            return sum;
        },
        1e-3);
}

// Means of 64 neighbours: 64 threads want every value, so it lies in shared memory.
__global__ void good_window(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float tile[256 + 63];
    int base = blockIdx.x * 256;
    for (int k = threadIdx.x; k < 256 + 63; k += 256) tile[k] = in[base + k];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 64; ++k) sum += tile[threadIdx.x + k];
    out[base + threadIdx.x] = sum / 64;
}
void window(Suite& suite) {
    const int n = scaled(1 << 20);
    Array<float> in(n + 63, unit), out(n);
    suite.good(
        "good_window", out, [&] { good_window<<<n / 256, 256>>>(in, out); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < 64; ++k) sum += in.at(i + k);
            return sum / 64;
        });
}

// Rows of 256 back to front, both ways in full lines.
__global__ void good_reverse(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float row[256];
    int base = blockIdx.x * 256;
    row[threadIdx.x] = in[base + threadIdx.x];
    __syncthreads();
    out[base + threadIdx.x] = row[255 - threadIdx.x];
}
void reverse(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> in(n, unit), out(n);
    suite.good(
        "good_reverse", out, [&] { good_reverse<<<n / 256, 256>>>(in, out); },
        [&](int i) { return in.at(i / 256 * 256 + 255 - i % 256); });
}

// Steps of heat in a rod, several in shared memory for one journey to memory and back; a halo pays for them.
constexpr int kSteps = 8;
__global__ void good_heat(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float s[2][256 + 2];
    int t = threadIdx.x, i = blockIdx.x * (256 - 2 * kSteps) + t;
    float v = in[i];
    if (t < 4) s[t / 2][t % 2 * 257] = 0;  // neighbours of the outermost, who are not kept
#pragma unroll
    for (int k = 0; k < kSteps; ++k) {
        s[k % 2][t + 1] = v;
        __syncthreads();
        v = 0.25f * s[k % 2][t] + 0.5f * v + 0.25f * s[k % 2][t + 2];
    }
    if (t >= kSteps && t < 256 - kSteps) out[i - kSteps] = v;
}
void heat(Suite& suite) {
    const int groups = scaled(8192), n = groups * (256 - 2 * kSteps);
    Array<float> in(n + 2 * kSteps, unit), out(n);
    suite.good(
        "good_heat", out, [&] { good_heat<<<groups, 256>>>(in, out); },
        [&](int i) {
            std::vector<double> v(in.host().begin() + i, in.host().begin() + i + 2 * kSteps + 1);
            for (; v.size() > 1; v.pop_back(), v.pop_back()) {
                for (size_t k = 0; k + 2 < v.size(); ++k) v[k] = 0.25 * v[k] + 0.5 * v[k + 1] + 0.25 * v[k + 2];
            }
            return v[0];
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    histogram(suite);
    bitonic(suite);
    compact(suite);
    bodies(suite);
    window(suite);
    reverse(suite);
    heat(suite);
    return suite.status();
}
