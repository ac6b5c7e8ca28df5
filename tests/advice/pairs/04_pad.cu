// Lanes that meet in one bank of shared memory.
#include "pairs.h"

using namespace pairs;

// A column of a tile whose rows are 32 words.
__global__ void pad_transpose_before(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        tile[threadIdx.y + k][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y + k) * columns + column];
    }
    __syncthreads();
    int row = blockIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        column = blockIdx.x * 32 + threadIdx.y + k;
        out[column * rows + row] = tile[threadIdx.x][threadIdx.y + k];  // fault: pad_transpose
    }
}
__global__ void pad_transpose_after(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        tile[threadIdx.y + k][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y + k) * columns + column];
    }
    __syncthreads();
    int row = blockIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        column = blockIdx.x * 32 + threadIdx.y + k;
        out[column * rows + row] = tile[threadIdx.x][threadIdx.y + k];
    }
}
void transpose(Suite& suite) {
    const int height = scaled(2048), width = 2048;
    Array<float> in(height * width, unit), out(height * width);
    dim3 grid(width / 32, height / 32), block(32, 8);
    suite.pair(
        "pad_transpose", out, [&] { pad_transpose_before<<<grid, block>>>(in, out, height, width); },
        [&] { pad_transpose_after<<<grid, block>>>(in, out, height, width); },
        [&](int i) { return in.at(i % height * width + i / height); });
}

// Every thread walks along a row of 32 of its own: running sums of short rows.
__global__ void pad_rows_before(const float* in, float* out) {
    __shared__ float rows[128][32];
    int base = blockIdx.x * 128 * 32;
    for (int k = threadIdx.x; k < 128 * 32; k += 128) rows[k / 32][k % 32] = in[base + k];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 32; ++k) {
        sum += rows[threadIdx.x][k];  // fault: pad_rows
        rows[threadIdx.x][k] = sum;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 128 * 32; k += 128) out[base + k] = rows[k / 32][k % 32];
}
__global__ void pad_rows_after(const float* in, float* out) {
    __shared__ float rows[128][33];
    int base = blockIdx.x * 128 * 32;
    for (int k = threadIdx.x; k < 128 * 32; k += 128) rows[k / 32][k % 32] = in[base + k];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 32; ++k) {
        sum += rows[threadIdx.x][k];
        rows[threadIdx.x][k] = sum;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 128 * 32; k += 128) out[base + k] = rows[k / 32][k % 32];
}
void rows(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> in(n, unit), out(n);
    suite.pair(
        "pad_rows", out, [&] { pad_rows_before<<<n / 4096, 128>>>(in, out); },
        [&] { pad_rows_after<<<n / 4096, 128>>>(in, out); },
        [&](int i) {
            double sum = 0;
            for (int k = i / 32 * 32; k <= i; ++k) sum += in.at(k);
            return sum;
        });
}

// A scan up and down a tree, whose strides are powers of two; one word more for every 32 takes them apart.
template <int Shift>
__device__ __forceinline__ int slot(int i) {
    return Shift ? i + (i >> Shift) : i;
}
template <int Shift>
__device__ __forceinline__ void scan(const int* in, int* out, int* s) {
    int thread = threadIdx.x, base = blockIdx.x * 1024;
    s[slot<Shift>(thread)] = in[base + thread];
    s[slot<Shift>(thread + 512)] = in[base + thread + 512];
    int offset = 1;
    for (int d = 512; d > 0; d >>= 1, offset *= 2) {
        __syncthreads();
        if (thread < d) {
            int left = offset * (2 * thread + 1) - 1, right = offset * (2 * thread + 2) - 1;
            s[slot<Shift>(right)] += s[slot<Shift>(left)];  // fault: pad_scan
        }
    }
    if (thread == 0) s[slot<Shift>(1023)] = 0;
    for (int d = 1; d < 1024; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thread < d) {
            int left = offset * (2 * thread + 1) - 1, right = offset * (2 * thread + 2) - 1;
            int kept = s[slot<Shift>(left)];
            s[slot<Shift>(left)] = s[slot<Shift>(right)];
            s[slot<Shift>(right)] += kept;
        }
    }
    __syncthreads();
    out[base + thread] = s[slot<Shift>(thread)];
    out[base + thread + 512] = s[slot<Shift>(thread + 512)];
}
__global__ void pad_scan_before(const int* in, int* out) {
    __shared__ int s[1024];
    scan<0>(in, out, s);
}
__global__ void pad_scan_after(const int* in, int* out) {
    __shared__ int s[1024 + 32];
    scan<5>(in, out, s);
}
void scan_tree(Suite& suite) {
    const int n = scaled(1 << 20);
    Array<int> in(n, [](int i) { return hash(i) % 10; }), out(n);
    suite.pair(
        "pad_scan", out, [&] { pad_scan_before<<<n / 1024, 512>>>(in, out); },
        [&] { pad_scan_after<<<n / 1024, 512>>>(in, out); },
        [&](int i) {
            int sum = 0;
            for (int k = i / 1024 * 1024; k < i; ++k) sum += in.at(k);
            return sum;
        });
}

// Every thread counts into a histogram of its own; where neighbours see the same, all lie in one bank. Turned round,
// every lane has a bank of its own.
constexpr int kBins = 32, kCounters = 128, kValues = 64;
__global__ void pad_histogram_before(const unsigned char* values, unsigned* out) {
    __shared__ unsigned counts[kCounters * kBins];
    for (int k = threadIdx.x; k < kCounters * kBins; k += kCounters) counts[k] = 0;
    __syncthreads();
    for (int k = 0; k < kValues; ++k) {
        int bin = values[(blockIdx.x * kValues + k) * kCounters + threadIdx.x];
        ++counts[threadIdx.x * kBins + bin];  // fault: pad_histogram
    }
    __syncthreads();
    if (threadIdx.x < kBins) {
        unsigned sum = 0;
        for (int k = 0; k < kCounters; ++k) sum += counts[k * kBins + threadIdx.x];
        out[blockIdx.x * kBins + threadIdx.x] = sum;
    }
}
__global__ void pad_histogram_after(const unsigned char* values, unsigned* out) {
    __shared__ unsigned counts[kCounters * kBins];
    for (int k = threadIdx.x; k < kCounters * kBins; k += kCounters) counts[k] = 0;
    __syncthreads();
    for (int k = 0; k < kValues; ++k) {
        int bin = values[(blockIdx.x * kValues + k) * kCounters + threadIdx.x];
        ++counts[bin * kCounters + threadIdx.x];
    }
    __syncthreads();
    if (threadIdx.x < kBins) {
        unsigned sum = 0;
        for (int k = 0; k < kCounters; ++k) sum += counts[threadIdx.x * kCounters + (k + threadIdx.x) % kCounters];
        out[blockIdx.x * kBins + threadIdx.x] = sum;
    }
}
void histogram(Suite& suite) {
    const int each = kCounters * kValues, groups = scaled(1024), n = groups * each;
    // A smooth picture: 256 neighbours have about the same brightness.
    Array<unsigned char> values(n, [](int i) { return (hash(i / 256) + hash(i) % 16 / 15) % kBins; });
    Array<unsigned> out(groups * kBins);
    suite.pair(
        "pad_histogram", out, [&] { pad_histogram_before<<<groups, kCounters>>>(values, out); },
        [&] { pad_histogram_after<<<groups, kCounters>>>(values, out); },
        [&](int i) {
            int count = 0;
            for (int k = 0; k < each; ++k) count += values.at(i / kBins * each + k) == i % kBins;
            return count;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    transpose(suite);
    rows(suite);
    scan_tree(suite);
    histogram(suite);
    return suite.status();
}
