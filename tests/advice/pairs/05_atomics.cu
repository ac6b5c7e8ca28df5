// Many threads that add to few places of global memory.
#include "pairs.h"

using namespace pairs;

// A histogram: every block counts in shared memory first.
__global__ void atomics_histogram_before(const unsigned char* values, unsigned* counts, int n) {
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        atomicAdd(&counts[values[i]], 1u);  // fault: atomics_histogram
    }
}
__global__ void atomics_histogram_after(const unsigned char* values, unsigned* counts, int n) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        atomicAdd(&own[values[i]], 1u);
    }
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
void histogram(Suite& suite) {
    const int n = scaled(1 << 20);
    Array<unsigned char> values(n, [](int i) { return hash(i) % 256; });
    Array<unsigned> counts(256);
    std::vector<int> expected(256);
    for (int i = 0; i < n; ++i) ++expected[values.at(i)];
    suite.pair(
        "atomics_histogram", counts, [&] { atomics_histogram_before<<<264, 256>>>(values, counts, n); },
        [&] { atomics_histogram_after<<<264, 256>>>(values, counts, n); }, [&](int i) { return expected[i]; });
}

// A sum into one place, once for every thread: the lanes of a warp meet by shuffles first.
__global__ void atomics_sum_before(const float* x, float* out, int n) {
    float sum = 0;
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum += x[i];
    atomicAdd(out, sum);  // fault: atomics_sum
}
__global__ void atomics_sum_after(const float* x, float* out, int n) {
    float sum = 0;
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum += x[i];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
void sum(Suite& suite) {
    const int n = scaled(1 << 21);
    Array<float> x(n, unit), out(1);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += x.at(i);
    suite.pair(
        "atomics_sum", out, [&] { atomics_sum_before<<<n / 16 / 256, 256>>>(x, out, n); },
        [&] { atomics_sum_after<<<n / 16 / 256, 256>>>(x, out, n); }, [&](int) { return expected; }, 1e-3);
}

// Twelve totals, one for every class: few places, each in the block's shared memory first.
constexpr int kClasses = 12;
__global__ void atomics_classes_before(const int* classes, const int* weights, int* totals, int n) {
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        atomicAdd(&totals[classes[i]], weights[i]);  // fault: atomics_classes
    }
}
__global__ void atomics_classes_after(const int* classes, const int* weights, int* totals, int n) {
    __shared__ int own[kClasses];
    if (threadIdx.x < kClasses) own[threadIdx.x] = 0;
    __syncthreads();
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        atomicAdd(&own[classes[i]], weights[i]);
    }
    __syncthreads();
    if (threadIdx.x < kClasses) atomicAdd(&totals[threadIdx.x], own[threadIdx.x]);
}
void classes(Suite& suite) {
    const int n = scaled(1 << 19);
    Array<int> kinds(n, [](int i) { return hash(i) % kClasses; });
    Array<int> weights(n, [](int i) { return hash(i + 1) % 7; }), totals(kClasses);
    std::vector<int> expected(kClasses);
    for (int i = 0; i < n; ++i) expected[kinds.at(i)] += weights.at(i);
    suite.pair(
        "atomics_classes", totals, [&] { atomics_classes_before<<<264, 256>>>(kinds, weights, totals, n); },
        [&] { atomics_classes_after<<<264, 256>>>(kinds, weights, totals, n); }, [&](int i) { return expected[i]; });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    histogram(suite);
    sum(suite);
    classes(suite);
    return suite.status();
}
