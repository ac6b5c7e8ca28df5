// Breadth-first search over compressed rows, a frontier a launch, next nodes claimed by compare-and-swap.
#include <queue>
#include <utility>

#include "program.cuh"

__global__ void expand(const int* rows, const int* edges, const int* frontier, int count, int* depth, int level,
                       int* next, int* next_count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const int node = frontier[i];
        for (int e = rows[node]; e < rows[node + 1]; ++e)
            if (atomicCAS(&depth[edges[e]], -1, level) == -1) next[atomicAdd(next_count, 1)] = edges[e];
    }
}

int main() {
    constexpr int nodes = 3000;
    std::vector<int> rows = {0}, edges;
    for (int n = 0; n < nodes; ++n) {
        for (unsigned k = 0; k < 1 + n % 4u; ++k)
            edges.push_back((n * 1103515245u + k * 12345u + 77u) / 64 % (nodes - 50));
        rows.push_back(static_cast<int>(edges.size()));
    }
    std::vector<int> expected(nodes, -1);
    std::queue<int> queue;
    expected[0] = 0, queue.push(0);
    for (; !queue.empty(); queue.pop())
        for (int e = rows[queue.front()]; e < rows[queue.front() + 1]; ++e)
            if (expected[edges[e]] < 0) expected[edges[e]] = expected[queue.front()] + 1, queue.push(edges[e]);

    std::vector<int> depth(nodes, -1), first(nodes, 0);
    depth[0] = 0;
    int *r = to_device(rows), *e = to_device(edges), *d = to_device(depth), *a = to_device(first),
        *b = to_device(first), *n;
    CHECK(cudaMalloc(&n, sizeof(int)));
    int count = 1;
    for (int level = 1; count > 0; ++level) {
        CHECK(cudaMemset(n, 0, sizeof(int)));
        expand<<<(count + 127) / 128, 128>>>(r, e, a, count, d, level, b, n);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&count, n, sizeof(int), cudaMemcpyDeviceToHost));
        std::swap(a, b);
    }
    const bool same = to_host(d, nodes) == expected;
    for (int* p : {r, e, d, a, b, n}) CHECK(cudaFree(p));
    return verdict("breadth-first search", same);
}
