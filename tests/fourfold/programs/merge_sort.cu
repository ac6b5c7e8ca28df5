// Runs that grow: a thread merges two of them, and pointers change places between the rounds.
#include <algorithm>

#include "fourfold.cuh"

__device__ void merge(const long long* from, long long* to, int left, int middle, int right) {
    int i = left, j = middle;
    for (int k = left; k < right; ++k) to[k] = i < middle && (j >= right || from[i] <= from[j]) ? from[i++] : from[j++];
}

__global__ void merge_runs(const long long* from, long long* to, int count, int width) {
    const int left = (blockIdx.x * blockDim.x + threadIdx.x) * 2 * width;
    if (left >= count) return;
    merge(from, to, left, min(left + width, count), min(left + 2 * width, count));
}

int main() {
    constexpr int count = 700;
    std::vector<long long> values = numbers<long long>(count, -1e12, 1e12);
    const Buffer<long long> a(values), b(count);
    long long *from = a, *to = b;
    for (int width = 1; width < count; width *= 2) {
        const int merges = (count + 2 * width - 1) / (2 * width);
        merge_runs<<<(merges + 31) / 32, 32>>>(from, to, count, width);
        std::swap(from, to);
    }
    CHECK(cudaGetLastError());
    std::sort(values.begin(), values.end());
    return same("sorted", to_host(from, count), values);
}
