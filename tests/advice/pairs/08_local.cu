// Private arrays that live in memory: an index that no compiler can know, and bounds that leave too few registers.
#include "pairs.h"

using namespace pairs;

// The median of eight by odd-even transposition: where the loops stay loops, the array has an address.
__global__ void local_median_before(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v[8];
#pragma unroll 1
    for (int k = 0; k < 8; ++k) v[k] = x[k * n + i];
#pragma unroll 1
    for (int round = 0; round < 8; ++round) {
#pragma unroll 1
        for (int k = round % 2; k + 1 < 8; k += 2) {
            float low = fminf(v[k], v[k + 1]), high = fmaxf(v[k], v[k + 1]);  // fault: local_median
            v[k] = low;
            v[k + 1] = high;
        }
    }
    out[i] = 0.5f * (v[3] + v[4]);
}
__global__ void local_median_after(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = x[k * n + i];
#pragma unroll
    for (int round = 0; round < 8; ++round) {
#pragma unroll
        for (int k = round % 2; k + 1 < 8; k += 2) {
            float low = fminf(v[k], v[k + 1]), high = fmaxf(v[k], v[k + 1]);
            v[k] = low;
            v[k + 1] = high;
        }
    }
    out[i] = 0.5f * (v[3] + v[4]);
}
void median(Suite& suite) {
    const int n = scaled(1 << 20);
    Array<float> x(8 * n, unit), out(n);
    suite.pair(
        "local_median", out, [&] { local_median_before<<<blocks(n, 256), 256>>>(x, out, n); },
        [&] { local_median_after<<<blocks(n, 256), 256>>>(x, out, n); },
        [&](int i) {
            float v[8];
            for (int k = 0; k < 8; ++k) v[k] = x.at(k * n + i);
            std::sort(v, v + 8);
            return 0.5f * (v[3] + v[4]);
        });
}

// Eight counters for a thread's values: a comparison for each counter keeps them in registers.
constexpr int kCounts = 8, kValues = 32;
__global__ void local_counts_before(const unsigned char* values, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned counts[kCounts] = {};
    for (int k = 0; k < kValues; ++k) ++counts[values[k * n + i]];  // fault: local_counts
    unsigned most = 0;
    for (int b = 0; b < kCounts; ++b) most = max(most, counts[b] * kCounts + b);
    out[i] = most;
}
__global__ void local_counts_after(const unsigned char* values, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned counts[kCounts] = {};
    for (int k = 0; k < kValues; ++k) {
        int value = values[k * n + i];
#pragma unroll
        for (int b = 0; b < kCounts; ++b) counts[b] += value == b;
    }
    unsigned most = 0;
#pragma unroll
    for (int b = 0; b < kCounts; ++b) most = max(most, counts[b] * kCounts + b);
    out[i] = most;
}
void counts(Suite& suite) {
    const int n = scaled(1 << 18);
    Array<unsigned char> values(kValues * n, [](int i) { return hash(i) % kCounts; });
    Array<unsigned> out(n);
    suite.pair(
        "local_counts", out, [&] { local_counts_before<<<blocks(n, 256), 256>>>(values, out, n); },
        [&] { local_counts_after<<<blocks(n, 256), 256>>>(values, out, n); },
        [&](int i) {
            unsigned count[kCounts] = {}, most = 0;
            for (int k = 0; k < kValues; ++k) ++count[values.at(k * n + i)];
            for (int b = 0; b < kCounts; ++b) most = std::max(most, count[b] * kCounts + b);
            return most;
        });
}

// Forty-eight sums in flight, and bounds that leave 32 registers for a thread.
constexpr int kRows = 6, kColumns = 8;
__device__ __forceinline__ void outer_products(const float* a, const float* b, float* out, int n, int depth) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sums[kRows * kColumns] = {};
    for (int k = 0; k < depth; ++k) {
        float x[kRows];
#pragma unroll
        for (int r = 0; r < kRows; ++r) x[r] = a[(k * kRows + r) * n + i];
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
            float y = b[(k * kColumns + c) * n + i];
#pragma unroll
            for (int r = 0; r < kRows; ++r) sums[r * kColumns + c] += x[r] * y;
        }
    }
#pragma unroll
    for (int j = 0; j < kRows * kColumns; ++j) out[j * n + i] = sums[j];
}
__global__ void __launch_bounds__(1024, 2)  // fault: spills_bounds
    spills_bounds_before(const float* a, const float* b, float* out, int n, int depth) {
    outer_products(a, b, out, n, depth);
}
__global__ void __launch_bounds__(128)
    spills_bounds_after(const float* a, const float* b, float* out, int n, int depth) {
    outer_products(a, b, out, n, depth);
}
void bounds(Suite& suite) {
    const int n = scaled(1 << 15), depth = 16;
    Array<float> a(n * depth * kRows, unit), b(n * depth * kColumns, [](int i) { return unit(i + 31); });
    Array<float> out(n * kRows * kColumns);
    suite.pair(
        "spills_bounds", out, [&] { spills_bounds_before<<<n / 128, 128>>>(a, b, out, n, depth); },
        [&] { spills_bounds_after<<<n / 128, 128>>>(a, b, out, n, depth); },
        [&](int at) {
            int r = at / n / kColumns, c = at / n % kColumns, i = at % n;
            double sum = 0;
            for (int k = 0; k < depth; ++k) sum += a.at((k * kRows + r) * n + i) * b.at((k * kColumns + c) * n + i);
            return sum;
        });
}

// Sixteen complex values of a transform, step after step in registers, with bounds that leave 32 of them.
__device__ __forceinline__ void waves(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[32];
#pragma unroll
    for (int k = 0; k < 32; ++k) v[k] = x[k * n + i];
#pragma unroll 1
    for (int round = 0; round < 6; ++round) {
#pragma unroll
        for (int half = 16; half > 0; half /= 2) {
#pragma unroll
            for (int k = 0; k < 32; ++k) {
                if ((k & half) == 0) {
                    float sum = v[k] + v[k + half], difference = v[k] - v[k + half];
                    v[k] = 0.5f * sum;
                    v[k + half] = 0.25f * difference;
                }
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 32; ++k) out[k * n + i] = v[k];
}
__global__ void __launch_bounds__(640, 3)  // fault: spills_waves
    spills_waves_before(const float* x, float* out, int n) {
    waves(x, out, n);
}
__global__ void __launch_bounds__(128) spills_waves_after(const float* x, float* out, int n) { waves(x, out, n); }
void transforms(Suite& suite) {
    const int n = scaled(1 << 17);
    Array<float> x(32 * n, unit), out(32 * n);
    suite.pair(
        "spills_waves", out, [&] { spills_waves_before<<<n / 128, 128>>>(x, out, n); },
        [&] { spills_waves_after<<<n / 128, 128>>>(x, out, n); },
        [&](int at) {
            double v[32];
            for (int k = 0; k < 32; ++k) v[k] = x.at(k * n + at % n);
            for (int round = 0; round < 6; ++round) {
                for (int half = 16; half > 0; half /= 2) {
                    for (int k = 0; k < 32; ++k) {
                        if (k & half) continue;
                        double sum = v[k] + v[k + half], difference = v[k] - v[k + half];
                        v[k] = 0.5 * sum;
                        v[k + half] = 0.25 * difference;
                    }
                }
            }
            return v[at / n];
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    median(suite);
    counts(suite);
    bounds(suite);
    transforms(suite);
    return suite.status();
}
