// k-means: centres in constant memory, sums by atomics in shared then in global memory, until nothing moves.
#include <cstring>

#include "program.cuh"

constexpr int kCentres = 8, kDimensions = 3;

__constant__ float centres[kCentres * kDimensions];

__device__ int nearest(const float* point) {
    int best = 0;
    float least = 3.0e38f;
    for (int c = 0; c < kCentres; ++c) {
        float square = 0;
        for (int d = 0; d < kDimensions; ++d) {
            const float off = __fsub_rn(point[d], centres[c * kDimensions + d]);
            square = __fadd_rn(square, __fmul_rn(off, off));
        }
        if (square < least) least = square, best = c;
    }
    return best;
}
// The points' coordinates are whole numbers, so that sums in integers do not depend on the order.
__global__ void assign(const float* points, int n, int* labels, int* sums, int* counts, unsigned* changed) {
    __shared__ int own_sums[kCentres * kDimensions], own_counts[kCentres];
    for (int i = threadIdx.x; i < kCentres * kDimensions; i += blockDim.x) own_sums[i] = 0;
    if (threadIdx.x < kCentres) own_counts[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool moved = false;
    if (i < n) {
        float point[kDimensions];
        for (int d = 0; d < kDimensions; ++d) point[d] = points[d * n + i];
        const int c = nearest(point);
        moved = c != labels[i];
        labels[i] = c;
        atomicAdd(&own_counts[c], 1);
        for (int d = 0; d < kDimensions; ++d) atomicAdd(&own_sums[c * kDimensions + d], static_cast<int>(point[d]));
    }
    const int movers = __syncthreads_count(moved);
    if (threadIdx.x == 0 && movers) atomicAdd(changed, static_cast<unsigned>(movers));
    for (int k = threadIdx.x; k < kCentres * kDimensions; k += blockDim.x) atomicAdd(&sums[k], own_sums[k]);
    if (threadIdx.x < kCentres) atomicAdd(&counts[threadIdx.x], own_counts[threadIdx.x]);
}

int main() {
    constexpr int n = 1500, rounds = 12;
    std::vector<float> points(n * kDimensions), start(kCentres * kDimensions);
    for (unsigned i = 0; i < n; ++i)
        for (unsigned d = 0; d < kDimensions; ++d)
            points[d * n + i] =
                static_cast<float>((i * 5 + d * 3) % kCentres * 100 + (i * 2654435761u >> (8 + 3 * d)) % 60);
    for (int c = 0; c < kCentres; ++c)
        for (int d = 0; d < kDimensions; ++d) start[c * kDimensions + d] = points[d * n + c];

    std::vector<float> middle = start;
    std::vector<int> expected(n, -1);
    int expected_rounds = 0;
    for (bool moving = true; moving && expected_rounds < rounds; ++expected_rounds) {
        std::vector<int> sums(kCentres * kDimensions), counts(kCentres);
        moving = false;
        for (int i = 0; i < n; ++i) {
            int best = 0;
            float least = 3.0e38f;
            for (int c = 0; c < kCentres; ++c) {
                float square = 0;
                for (int d = 0; d < kDimensions; ++d) {
                    const float off = points[d * n + i] - middle[c * kDimensions + d];
                    const float product = off * off;
                    square += product;
                }
                if (square < least) least = square, best = c;
            }
            moving |= best != expected[i];
            expected[i] = best, ++counts[best];
            for (int d = 0; d < kDimensions; ++d) sums[best * kDimensions + d] += static_cast<int>(points[d * n + i]);
        }
        for (int k = 0; k < kCentres * kDimensions; ++k)
            if (counts[k / kDimensions]) middle[k] = static_cast<float>(sums[k]) / counts[k / kDimensions];
    }

    float* p = to_device(points);
    int *labels = to_device(std::vector<int>(n, -1)), *sums, *counts, done = 0;
    unsigned *changed, movers = 1;
    CHECK(cudaMalloc(&sums, kCentres * kDimensions * sizeof(int)));
    CHECK(cudaMalloc(&counts, kCentres * sizeof(int)));
    CHECK(cudaMalloc(&changed, sizeof(unsigned)));
    std::vector<float> found = start;
    for (; movers && done < rounds; ++done) {
        CHECK(cudaMemcpyToSymbol(centres, found.data(), found.size() * sizeof(float)));
        CHECK(cudaMemset(sums, 0, kCentres * kDimensions * sizeof(int)));
        CHECK(cudaMemset(counts, 0, kCentres * sizeof(int)));
        CHECK(cudaMemset(changed, 0, sizeof(unsigned)));
        assign<<<(n + 127) / 128, 128>>>(p, n, labels, sums, counts, changed);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&movers, changed, sizeof movers, cudaMemcpyDeviceToHost));
        const std::vector<int> s = to_host(sums, kCentres * kDimensions), c = to_host(counts, kCentres);
        for (int k = 0; k < kCentres * kDimensions; ++k)
            if (c[k / kDimensions]) found[k] = static_cast<float>(s[k]) / c[k / kDimensions];
    }
    const bool same_labels = to_host(labels, n) == expected;
    const bool same_centres = std::memcmp(found.data(), middle.data(), found.size() * sizeof(float)) == 0;
    for (void* each : {(void*)p, (void*)labels, (void*)sums, (void*)counts, (void*)changed}) CHECK(cudaFree(each));
    return verdict("labels of points", same_labels) | verdict("centres of points", same_centres) |
           verdict("rounds until nothing moves", done == expected_rounds && done > 1);
}
