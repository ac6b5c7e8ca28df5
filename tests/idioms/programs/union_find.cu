// Connected components of a graph and of a picture: trees joined by compare-and-swap or by minima, then flattened.
#include <numeric>

#include "program.cuh"

// Parents are read and written by atomics throughout, as other threads change them meanwhile.
__device__ int parent_of(int* parents, int node) { return atomicAdd(&parents[node], 0); }

__device__ int root_of(int* parents, int node) {
    int parent = parent_of(parents, node);
    while (parent != node) {
        const int grandparent = parent_of(parents, parent);
        // A shorter way, unless another thread found one.
        if (grandparent != parent) atomicCAS(&parents[node], parent, grandparent);
        node = parent;
        parent = grandparent;
    }
    return node;
}
// The greater root goes under the smaller one; tried again where it was no root any more.
__device__ void join(int* parents, int a, int b) {
    for (;;) {
        a = root_of(parents, a), b = root_of(parents, b);
        if (a == b) return;
        if (a < b) {
            const int other = a;
            a = b, b = other;
        }
        if (atomicCAS(&parents[a], a, b) == a) return;
    }
}
// The same with a minimum: what a pointed at before has to be joined, too.
__device__ void join_by_minimum(int* parents, int a, int b) {
    bool done;
    do {
        a = root_of(parents, a), b = root_of(parents, b);
        if (a < b) {
            const int old = atomicMin(&parents[b], a);
            done = old == b;
            b = old;
        } else if (b < a) {
            const int old = atomicMin(&parents[a], b);
            done = old == a;
            a = old;
        } else {
            done = true;
        }
    } while (!done);
}

__global__ void alone(int* parents, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) parents[i] = i;
}
__global__ void join_edges(int* parents, const int2* edges, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) join(parents, edges[i].x, edges[i].y);
}
__global__ void join_pixels(int* parents, const unsigned char* pixels, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    if (x > 0 && pixels[i] == pixels[i - 1]) join_by_minimum(parents, i, i - 1);
    if (y > 0 && pixels[i] == pixels[i - width]) join_by_minimum(parents, i, i - width);
}
__global__ void flatten(int* parents, int* labels, int n, int* components) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int root = i < n ? root_of(parents, i) : -1;
    if (i < n) labels[i] = root;
    const int roots = __syncthreads_count(root == i);
    if (threadIdx.x == 0) atomicAdd(components, roots);
}

// The host's: label of each node is the least node of its component.
class Sets {
public:
    explicit Sets(int n) : parents(n) { std::iota(parents.begin(), parents.end(), 0); }
    int find(int node) { return parents[node] == node ? node : parents[node] = find(parents[node]); }
    void join(int a, int b) {
        a = find(a), b = find(b);
        parents[a > b ? a : b] = a > b ? b : a;
    }
    bool same(const std::vector<int>& labels, int components) {
        int roots = 0;
        for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
            if (labels[i] != find(i)) return false;
            roots += find(i) == i;
        }
        return roots == components;
    }

private:
    std::vector<int> parents;
};

int main() {
    constexpr int nodes = 4000, links = 3300, width = 61, height = 47;
    std::vector<int2> edges(links);
    unsigned random = 7;
    for (int2& edge : edges) {
        edge.x = static_cast<int>((random = random * 1664525u + 1013904223u) >> 9) % nodes;
        edge.y = static_cast<int>((random = random * 1664525u + 1013904223u) >> 9) % nodes;
    }
    std::vector<unsigned char> pixels(width * height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            pixels[y * width + x] = ((x - 30) * (x - 30) + (y - 20) * (y - 20)) / 90 % 2 ^ (x * 7 + y * 13) % 11 / 9;

    int *parents, *labels, *components;
    CHECK(cudaMalloc(&parents, nodes * sizeof(int)));
    CHECK(cudaMalloc(&labels, nodes * sizeof(int)));
    CHECK(cudaMalloc(&components, sizeof(int)));
    int2* device_edges = to_device(edges);
    unsigned char* device_pixels = to_device(pixels);

    const int threads = 128, blocks = (nodes + threads - 1) / threads;
    CHECK(cudaMemset(components, 0, sizeof(int)));
    alone<<<blocks, threads>>>(parents, nodes);
    join_edges<<<(links + threads - 1) / threads, threads>>>(parents, device_edges, links);
    flatten<<<blocks, threads>>>(parents, labels, nodes, components);
    CHECK(cudaGetLastError());
    Sets graph(nodes), picture(width * height);
    for (const int2& edge : edges) graph.join(edge.x, edge.y);
    int bad = verdict("components of a graph", graph.same(to_host(labels, nodes), to_host(components, 1)[0]));

    CHECK(cudaMemset(components, 0, sizeof(int)));
    alone<<<blocks, threads>>>(parents, width * height);
    join_pixels<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(parents, device_pixels, width, height);
    flatten<<<blocks, threads>>>(parents, labels, width * height, components);
    CHECK(cudaGetLastError());
    for (int i = 0; i < width * height; ++i) {
        if (i % width > 0 && pixels[i] == pixels[i - 1]) picture.join(i, i - 1);
        if (i >= width && pixels[i] == pixels[i - width]) picture.join(i, i - width);
    }
    bad += verdict("components of a picture", picture.same(to_host(labels, width * height), to_host(components, 1)[0]));
    for (int* p : {parents, labels, components}) CHECK(cudaFree(p));
    CHECK(cudaFree(device_edges));
    CHECK(cudaFree(device_pixels));
    return bad;
}
