// All pairs by three nested loops, and one source by rounds over edges until nothing changes.
#include "fourfold.cuh"

constexpr int kFar = 1000000;

__global__ void through(int* distance, int n, int k) {
    const int i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) distance[i * n + j] = min(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
}

__global__ void relax(const int3* edges, int count, int* distance, int* changed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int3 e = edges[i];
    const int offered = distance[e.x] + e.z;
    if (offered < distance[e.y] && offered < atomicMin(&distance[e.y], offered)) *changed = 1;
}

int main() {
    constexpr int n = 24, count = 100;
    const std::vector<int> ends = numbers<int>(count * 2, 0, n - 1), weights = numbers<int>(count, 1, 20, 2);
    std::vector<int> distance(n * n, kFar), from(n, kFar);
    std::vector<int3> edges;
    for (int i = 0; i < n; ++i) distance[i * n + i] = 0;
    for (int i = 0; i < count; ++i) {
        int& d = distance[ends[2 * i] * n + ends[2 * i + 1]];
        d = std::min(d, weights[i]);
        edges.push_back({ends[2 * i], ends[2 * i + 1], weights[i]});
    }
    from[0] = 0;
    const Buffer<int> all(distance), one(from), changed(1);
    const Buffer<int3> list(edges);
    for (int k = 0; k < n; ++k) {
        through<<<dim3(1, n), 32>>>(all, n, k);
        for (int i = 0; i < n * n; ++i)
            distance[i] = std::min(distance[i], distance[i / n * n + k] + distance[k * n + i % n]);
    }
    int goes_on = 1;
    for (int round = 0; round < n && goes_on; ++round) {
        CHECK(cudaMemset(changed, 0, sizeof(int)));
        relax<<<2, 64>>>(list, count, one, changed);
        CHECK(cudaMemcpy(&goes_on, changed, sizeof(int), cudaMemcpyDeviceToHost));
    }
    return same("all pairs", all.host(), distance) +
           same("one source", one.host(), std::vector<int>(distance.begin(), distance.begin() + n));
}
