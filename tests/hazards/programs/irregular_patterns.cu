// Patterns of irregular codes over a graph in compressed rows: a thread, a warp or a block for each vertex, right and
// broken.
//
// check: memory,races,barriers
// case vertex_thread: clean
// case vertex_warp: clean
// case vertex_block: clean
// case vertex_thread_atomic: race global UPDATE
// case vertex_thread_guard: race global GUARD GUARDED mild
// case vertex_warp_atomic: race global UPDATE; maybe race global UPDATE UPDATE mild
// case vertex_warp_guard: race global GUARD GUARDED mild
// case vertex_thread_bounds: out-of-bounds global EDGES; maybe out-of-bounds global NEIGHBOUR
// case vertex_block_no_first: race shared CARRY CARRIED
// case vertex_block_no_second: race shared CARRY CARRIED
// case vertex_block_no_barrier: race shared CARRY CARRIED
// case edge_thread: clean
// case edge_warp: clean
// case edge_thread_atomic: race global COUNT COUNT
// case edge_guard: race global COUNT_GUARD COUNT_GUARDED mild
// case pull: clean
// case pull_in_place: race global PULL PULLED
// case push: clean
// case push_atomic: race global PUSH PUSH
// case push_guard: race global PUSH_GUARD PUSH_GUARDED mild
// case push_reads_what_is_pushed: race global plain-against-atomic PUSH_MAX
// case worklist: clean
// case worklist_atomic: race global APPEND APPEND; maybe race global ITEM ITEM; maybe race global ITEM ITEM mild
// case worklist_bounds: out-of-bounds global ITEM
// case worklist_guard: race global ROOM_GUARD APPEND_GUARDED mild
// case paths: clean
// case paths_plain: race global FIND; maybe race global
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum Bug { kRight, kAtomic, kGuard, kBounds, kNoFirst, kNoSecond, kNoBarrier, kInPlace, kRace, kPlain };
constexpr int kWarp = 32, kBlock = 128;

// The largest value of any vertex' neighbours; vertex by thread, with a stride of the grid.
template <Bug kBug>
__device__ void update(int* best, int value) {
    if (kBug == kAtomic) {
        *best = max(*best, value);  // @UPDATE
    } else if (kBug == kGuard) {
        if (*best < value) {         // @GUARD
            atomicMax(best, value);  // @GUARDED
        }
    } else {
        atomicMax(best, value);
    }
}

template <Bug kBug>
__global__ void vertex_thread(const int* index, const int* list, const int* data, int* best, int vertices) {
    const int last = kBug == kBounds ? vertices + 1 : vertices;
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < last; v += gridDim.x * blockDim.x) {
        int value = 0;
        for (int e = index[v]; e < index[v + 1]; ++e) {  // @EDGES
            const int near = list[e];                    // @NEIGHBOUR
            value = max(value, data[near]);
        }
        if (value > data[v]) update<kBug>(best, value);  // @NEIGHBOUR
    }
}

template <Bug kBug>
__global__ void vertex_warp(const int* index, const int* list, const int* data, int* best, int vertices) {
    const int lane = threadIdx.x % kWarp;
    for (int v = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp; v < vertices; v += gridDim.x * blockDim.x / kWarp) {
        int value = 0;
        for (int e = index[v] + lane; e < index[v + 1]; e += kWarp) value = max(value, data[list[e]]);
        for (int step = kWarp / 2; step > 0; step /= 2) value = max(value, __shfl_xor_sync(~0u, value, step));
        if (lane == 0 && value > data[v]) update<kBug>(best, value);
    }
}

template <Bug kBug>
__global__ void vertex_block(const int* index, const int* list, const int* data, int* best, int vertices) {
    __shared__ int carry[kWarp];
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    for (int v = blockIdx.x; v < vertices; v += gridDim.x) {
        int value = 0;
        for (int e = index[v] + threadIdx.x; e < index[v + 1]; e += blockDim.x) value = max(value, data[list[e]]);
        for (int step = kWarp / 2; step > 0; step /= 2) value = max(value, __shfl_xor_sync(~0u, value, step));
        if (lane == 0) carry[warp] = value;  // @CARRY
        if (kBug != kNoFirst && kBug != kNoBarrier) __syncthreads();
        if (warp == 0) {
            value = lane < kBlock / kWarp ? carry[lane] : 0;  // @CARRIED
            for (int step = kWarp / 2; step > 0; step /= 2) value = max(value, __shfl_xor_sync(~0u, value, step));
            if (lane == 0) update<kRight>(best, value);
        }
        if (kBug != kNoSecond && kBug != kNoBarrier) __syncthreads();
    }
}

// How many edges lead to a larger vertex.
template <Bug kBug>
__device__ void count_one(int* count) {
    if (kBug == kAtomic) {
        ++*count;  // @COUNT
    } else if (kBug == kGuard) {
        if (*count < 1000000)     // @COUNT_GUARD
            atomicAdd(count, 1);  // @COUNT_GUARDED
    } else {
        atomicAdd(count, 1);
    }
}

template <Bug kBug, bool kByWarp>
__global__ void edge(const int* index, const int* list, int* count, int vertices) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = kByWarp ? threadIdx.x % kWarp : 0, step = kByWarp ? kWarp : 1;
    const int v = kByWarp ? thread / kWarp : thread;
    if (v >= vertices) return;
    for (int e = index[v] + first; e < index[v + 1]; e += step)
        if (v < list[e]) count_one<kBug>(count);
}

template <Bug kBug>
__global__ void pull(const int* index, const int* list, const int* from, int* to, int vertices) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    int value = from[v];
    for (int e = index[v]; e < index[v + 1]; ++e) value = max(value, from[list[e]]);  // @PULL
    to[v] = value;                                                                    // @PULLED
}

template <Bug kBug>
__global__ void push(const int* index, const int* list, const int* from, int* to, int vertices) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    const int value = kBug == kRace ? to[v] : from[v];  // @PUSH_READ
    for (int e = index[v]; e < index[v + 1]; ++e) {
        int* const at = &to[list[e]];
        if (kBug == kAtomic) {
            *at = max(*at, value);  // @PUSH
        } else if (kBug == kGuard) {
            if (*at < value)           // @PUSH_GUARD
                atomicMax(at, value);  // @PUSH_GUARDED
        } else {
            atomicMax(at, value);  // @PUSH_MAX
        }
    }
}

template <Bug kBug>
__global__ void worklist(const int* index, const int* list, const int* data, int* items, int* size, int vertices) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    for (int e = index[v]; e < index[v + 1]; ++e) {
        if (data[list[e]] % 2) continue;
        int at = 0;
        if (kBug == kAtomic) {
            at = (*size)++;  // @APPEND
        } else if (kBug == kGuard) {
            if (*size >= 1 << 20) return;  // @ROOM_GUARD
            at = atomicAdd(size, 1);       // @APPEND_GUARDED
        } else {
            at = atomicAdd(size, 1);
        }
        if (kBug == kBounds) ++at;
        items[at] = list[e];  // @ITEM
    }
}

// Finds the root of a vertex and halves the way there; joins by compare-and-swap.
template <bool kPlain>
__device__ int root_of(int v, int* parent) {
    if (kPlain) {
        int here = parent[v];  // @FIND
        if (here != v) {
            int prev = v, next;
            while (here > (next = parent[here])) {  // @FIND
                parent[prev] = next;                // @FIND
                prev = here;
                here = next;
            }
        }
        return here;
    }
    int here = atomicAdd(&parent[v], 0);
    if (here != v) {
        int prev = v, next;
        while (here > (next = atomicAdd(&parent[here], 0))) {
            atomicMin(&parent[prev], next);
            prev = here;
            here = next;
        }
    }
    return here;
}

template <Bug kBug>
__global__ void paths(const int* index, const int* list, int* parent, int vertices) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    int mine = root_of<kBug == kPlain>(v, parent);
    for (int e = index[v]; e < index[v + 1]; ++e) {
        if (list[e] >= v) continue;
        int other = root_of<kBug == kPlain>(list[e], parent);
        while (mine != other) {
            const int low = min(mine, other), high = max(mine, other);
            const int was = atomicCAS(&parent[high], high, low);
            if (was == high) {
                mine = low;
                break;
            }
            mine = low;
            other = was;
        }
    }
}

struct Graph {
    std::vector<int> index, list;
};

Graph make(int vertices) {
    Graph graph;
    unsigned seed = 17;
    for (int v = 0; v < vertices; ++v) {
        graph.index.push_back(graph.list.size());
        for (int k = 0; k < 1 + v % 5; ++k)
            graph.list.push_back((seed = seed * 1664525u + 1013904223u) / 65536 % vertices);
    }
    graph.index.push_back(graph.list.size());
    return graph;
}

int* to_device(const std::vector<int>& host) {
    int* device;
    cudaMalloc(&device, host.size() * sizeof(int));
    cudaMemcpy(device, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
    return device;
}

int main(int, char** argv) {
    const int vertices = 300, blocks = (vertices + kBlock - 1) / kBlock;
    const Graph graph = make(vertices);
    std::vector<int> values(vertices), self(vertices);
    for (int v = 0; v < vertices; ++v) values[v] = v * 37 % 101 + 1, self[v] = v;
    int even = 0;
    for (int near : graph.list) even += values[near] % 2 == 0;
    int *index = to_device(graph.index), *list = to_device(graph.list), *data = to_device(values),
        *parent = to_device(self);
    int *to = to_device(values), *one = to_device({0}), *items = to_device(std::vector<int>(even));
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("vertex_thread")) vertex_thread<kRight><<<blocks, kBlock>>>(index, list, data, one, vertices);
    if (is("vertex_warp")) vertex_warp<kRight><<<blocks, kBlock>>>(index, list, data, one, vertices);
    if (is("vertex_block")) vertex_block<kRight><<<blocks, kBlock>>>(index, list, data, one, vertices);
    if (is("vertex_thread_atomic")) vertex_thread<kAtomic><<<blocks, kBlock>>>(index, list, data, one, vertices);
    if (is("vertex_thread_guard")) vertex_thread<kGuard><<<blocks, kBlock>>>(index, list, data, one, vertices);
    if (is("vertex_warp_atomic")) vertex_warp<kAtomic><<<blocks, kBlock>>>(index, list, data, one, vertices);
    if (is("vertex_warp_guard")) vertex_warp<kGuard><<<blocks, kBlock>>>(index, list, data, one, vertices);
    if (is("vertex_thread_bounds")) vertex_thread<kBounds><<<blocks, kBlock>>>(index, list, data, one, vertices);
    if (is("vertex_block_no_first")) vertex_block<kNoFirst><<<blocks, kBlock>>>(index, list, data, one, vertices);
    if (is("vertex_block_no_second")) vertex_block<kNoSecond><<<blocks, kBlock>>>(index, list, data, one, vertices);
    if (is("vertex_block_no_barrier")) vertex_block<kNoBarrier><<<blocks, kBlock>>>(index, list, data, one, vertices);
    if (is("edge_thread")) edge<kRight, false><<<blocks, kBlock>>>(index, list, one, vertices);
    if (is("edge_warp")) edge<kRight, true><<<kWarp * blocks, kBlock>>>(index, list, one, vertices);
    if (is("edge_thread_atomic")) edge<kAtomic, false><<<blocks, kBlock>>>(index, list, one, vertices);
    if (is("edge_guard")) edge<kGuard, true><<<kWarp * blocks, kBlock>>>(index, list, one, vertices);
    if (is("pull")) pull<kRight><<<blocks, kBlock>>>(index, list, data, to, vertices);
    if (is("pull_in_place")) pull<kInPlace><<<blocks, kBlock>>>(index, list, to, to, vertices);
    if (is("push")) push<kRight><<<blocks, kBlock>>>(index, list, data, to, vertices);
    if (is("push_atomic")) push<kAtomic><<<blocks, kBlock>>>(index, list, data, to, vertices);
    if (is("push_guard")) push<kGuard><<<blocks, kBlock>>>(index, list, data, to, vertices);
    if (is("push_reads_what_is_pushed")) push<kRace><<<blocks, kBlock>>>(index, list, data, to, vertices);
    if (is("worklist")) worklist<kRight><<<blocks, kBlock>>>(index, list, data, items, one, vertices);
    if (is("worklist_atomic")) worklist<kAtomic><<<blocks, kBlock>>>(index, list, data, items, one, vertices);
    if (is("worklist_bounds")) worklist<kBounds><<<blocks, kBlock>>>(index, list, data, items, one, vertices);
    if (is("worklist_guard")) worklist<kGuard><<<blocks, kBlock>>>(index, list, data, items, one, vertices);
    if (is("paths")) paths<kRight><<<blocks, kBlock>>>(index, list, parent, vertices);
    if (is("paths_plain")) paths<kPlain><<<blocks, kBlock>>>(index, list, parent, vertices);
    const int result = cudaDeviceSynchronize();
    for (int* each : {index, list, data, parent, to, one, items}) cudaFree(each);
    return result;
}
