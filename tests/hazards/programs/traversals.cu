// Whole graph algorithms with their loops on the host: levels, distances, components, triangles, ranks, colours, trees.
//
// check: memory,races,barriers,init,streams
// case bfs_topology: race global LEVEL LEVEL mild; race global CHANGED CHANGED mild; race global LEVEL LEVEL_READ mild
// case bfs_topology_cas: clean
// case bfs_two_arrays: race global TO TO mild; race global FLAG FLAG mild
// case bfs_worklist: clean
// case bfs_worklist_unclaimed: race global CLAIM CLAIM; maybe race global; maybe race global mild
// case bfs_warp: clean
// case bfs_bottom_up: clean
// case bfs_bottom_up_in_place: race global UP UP_WRITE; maybe race global UP UP_WRITE mild
// case sssp: clean
//
// case sssp_plain: race global RELAX RELAX; maybe race global; maybe race global mild
// case sssp_reads_plain: race global FROM RELAX_MIN; maybe race global AGAIN AGAIN mild
// case components: clean
// case components_plain: race global LABEL; maybe race global; maybe race global mild
// case triangles: clean
// case triangles_no_barrier: race shared PARTIAL PARTIAL
// case triangles_plain_total: race global TOTAL TOTAL
// case triangles_bounds: out-of-bounds global OTHER
// case ranks_pull: clean
// case ranks_push: clean
// case ranks_push_plain: race global RANK RANK
// case colours: clean
// case colours_in_place: race global COLOUR COLOUR_WRITE
// case tree: clean
// case tree_plain: race global LIGHTEST LIGHTEST; maybe race global
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kBlock = 64, kVertices = 400, kNever = 1 << 30;

// By topology: all vertices look at every level.
__global__ void bfs_topology(const int* index, const int* list, int* level, int now, bool* changed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= kVertices || level[v] != now) return;  // @LEVEL_READ
    for (int e = index[v]; e < index[v + 1]; ++e) {
        if (level[list[e]] == kNever) {  // @LEVEL_READ
            level[list[e]] = now + 1;    // @LEVEL
            *changed = true;             // @CHANGED
        }
    }
}

__global__ void bfs_topology_cas(const int* index, const int* list, int* level, int now, int* changed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= kVertices || atomicAdd(&level[v], 0) != now) return;
    for (int e = index[v]; e < index[v + 1]; ++e)
        if (atomicCAS(&level[list[e]], kNever, now + 1) == kNever) atomicExch(changed, 1);
}

// Reads the levels of the step before and writes those of the next.
__global__ void bfs_two_arrays(const int* index, const int* list, const int* from, int* to, int now, bool* changed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= kVertices || from[v] != now) return;
    for (int e = index[v]; e < index[v + 1]; ++e) {
        if (from[list[e]] == kNever) {
            to[list[e]] = now + 1;  // @TO
            *changed = true;        // @FLAG
        }
    }
}

// By data: a list of the vertices of this level.
template <bool kClaim>
__global__ void bfs_worklist(const int* index, const int* list, int* level, const int* in, int size, int* out,
                             int* out_size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    const int v = in[i], next = 1 + (kClaim ? atomicAdd(&level[v], 0) : level[v]);
    for (int e = index[v]; e < index[v + 1]; ++e) {
        if (kClaim) {
            if (atomicCAS(&level[list[e]], kNever, next) != kNever) continue;
        } else {
            if (level[list[e]] != kNever) continue;  // @CLAIM
            level[list[e]] = next;                   // @CLAIM
        }
        out[atomicAdd(out_size, 1)] = list[e];
    }
}

// A warp for each vertex; lane 0 takes room in the next list for all that its lanes found.
__global__ void bfs_warp(const int* index, const int* list, int* level, const int* in, int size, int* out,
                         int* out_size, int next) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= size) return;
    const int v = in[warp], begin = index[v], end = index[v + 1];
    for (int first = begin; first < end; first += 32) {
        const int e = first + lane;
        const bool mine = e < end && atomicCAS(&level[list[e]], kNever, next) == kNever;
        const unsigned found = __ballot_sync(~0u, mine);
        int at = 0;
        if (lane == 0 && found) at = atomicAdd(out_size, __popc(found));
        at = __shfl_sync(~0u, at, 0);
        if (mine) out[at + __popc(found & ((1u << lane) - 1))] = list[e];
    }
}

// From below: a vertex without a level looks for a neighbour that has one.
template <bool kInPlace>
__global__ void bfs_bottom_up(const int* index, const int* list, const int* from, int* to, int now, int* changed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= kVertices) return;
    const int* const seen = kInPlace ? to : from;
    int level = seen[v];
    if (level == kNever) {
        for (int e = index[v]; e < index[v + 1]; ++e) {
            if (seen[list[e]] != now) continue;  // @UP
            level = now + 1;
            atomicExch(changed, 1);
            break;
        }
    }
    to[v] = level;  // @UP_WRITE
}

enum Relax { kByAtomics, kPlain, kReadsPlain };
template <Relax kRelax>
__global__ void sssp(const int* index, const int* list, const int* weight, int* distance, int* again) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= kVertices) return;
    const int here = kRelax == kByAtomics ? atomicAdd(&distance[v], 0) : distance[v];  // @FROM
    if (here == kNever) return;
    for (int e = index[v]; e < index[v + 1]; ++e) {
        const int length = here + weight[e];
        if (kRelax == kPlain) {
            if (length < distance[list[e]]) {  // @RELAX
                distance[list[e]] = length;    // @RELAX
                *again = 1;                    // @AGAIN
            }
        } else if (atomicMin(&distance[list[e]], length) > length) {  // @RELAX_MIN
            atomicExch(again, 1);
        }
    }
}

template <bool kAtomic>
__global__ void components(const int* index, const int* list, int* label, int* again) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= kVertices) return;
    for (int e = index[v]; e < index[v + 1]; ++e) {
        if (kAtomic) {
            const int mine = atomicAdd(&label[v], 0);
            if (atomicMin(&label[list[e]], mine) > mine) atomicExch(again, 1);
            const int other = atomicAdd(&label[list[e]], 0);
            if (atomicMin(&label[v], other) > other) atomicExch(again, 1);
        } else {
            const int mine = label[v], other = label[list[e]];    // @LABEL
            if (mine < other) label[list[e]] = mine, *again = 1;  // @LABEL
            if (other < mine) label[v] = other, *again = 1;       // @LABEL
        }
    }
}

// A block for each vertex counts common neighbours with each of its neighbours.
enum Triangles { kRight, kNoBarrier, kPlainTotal, kBounds };
template <Triangles kWhat>
__global__ void triangles(const int* index, const int* list, unsigned long long* total) {
    __shared__ unsigned long long partial[kBlock];
    unsigned long long found = 0;
    const int v = blockIdx.x, begin = index[v], end = index[v + 1];
    for (int e = begin + threadIdx.x; e < end; e += blockDim.x) {
        const int u = list[e];
        if (u <= v) continue;
        for (int f = begin; f < end; ++f)
            for (int g = index[u]; kWhat == kBounds ? g <= index[u + 1] : g < index[u + 1]; ++g)
                found += list[f] == list[g];  // @OTHER
    }
    partial[threadIdx.x] = found;
    __syncthreads();
    for (int half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];  // @PARTIAL
        if (kWhat != kNoBarrier) __syncthreads();
    }
    if (threadIdx.x == 0) {
        if (kWhat == kPlainTotal)
            *total += partial[0];  // @TOTAL
        else
            atomicAdd(total, partial[0]);
    }
}

__global__ void ranks_pull(const int* index, const int* list, const float* from, float* to) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= kVertices) return;
    float sum = 0;
    for (int e = index[v]; e < index[v + 1]; ++e) {
        const int near = list[e];
        sum += from[near] / (index[near + 1] - index[near]);
    }
    to[v] = 0.15f / kVertices + 0.85f * sum;
}

template <bool kAtomic>
__global__ void ranks_push(const int* index, const int* list, const float* from, float* to) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= kVertices) return;
    const float share = 0.85f * from[v] / (index[v + 1] - index[v]);
    for (int e = index[v]; e < index[v + 1]; ++e) {
        if (kAtomic)
            atomicAdd(&to[list[e]], share);
        else
            to[list[e]] += share;  // @RANK
    }
}

// The least colour that no neighbour has, vertices of the highest priority first.
template <bool kInPlace>
__global__ void colours(const int* index, const int* list, const int* from, int* to, int* left) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= kVertices) return;
    int colour = from[v];
    if (colour == 0) {
        unsigned taken = 1;
        bool first = true;
        for (int e = index[v]; e < index[v + 1]; ++e) {
            const int other = (kInPlace ? to : from)[list[e]];  // @COLOUR
            if (other == 0 && list[e] > v) first = false;
            if (other != 0) taken |= 1u << other % 32;
        }
        if (first) colour = __ffs(~taken) - 1;
        if (colour == 0) atomicAdd(left, 1);
    }
    to[v] = colour;  // @COLOUR_WRITE
}

// The lightest edge out of each component.
template <bool kAtomic>
__global__ void lightest(const int* index, const int* list, const int* weight, const int* component,
                         unsigned long long* best) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= kVertices) return;
    for (int e = index[v]; e < index[v + 1]; ++e) {
        if (component[v] == component[list[e]]) continue;
        const unsigned long long key = (static_cast<unsigned long long>(weight[e]) << 32) + e;
        if (kAtomic)
            atomicMin(&best[component[v]], key);
        else if (key < best[component[v]])  // @LIGHTEST
            best[component[v]] = key;       // @LIGHTEST
    }
}

template <typename T>
T* to_device(const std::vector<T>& host) {
    T* device;
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

template <typename T>
T from_device(const T* device) {
    T value;
    cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

int main(int, char** argv) {
    std::vector<int> indices, lists, weights;
    unsigned seed = 4711;
    const auto random = [&] { return (seed = seed * 1664525u + 1013904223u) >> 12; };
    for (int v = 0; v < kVertices; ++v) {
        indices.push_back(lists.size());
        for (int k = 0; k < 2 + v % 7; ++k) lists.push_back(random() % kVertices), weights.push_back(1 + random() % 50);
    }
    indices.push_back(lists.size());
    std::vector<int> never(kVertices, kNever), numbers(kVertices), pairs(kVertices);
    never[0] = 0;
    for (int v = 0; v < kVertices; ++v) numbers[v] = v, pairs[v] = v / 4;
    int *index = to_device(indices), *list = to_device(lists), *weight = to_device(weights);
    int *one = to_device(never), *two = to_device(never), *label = to_device(numbers), *component = to_device(pairs);
    int *in = to_device(std::vector<int>(lists.size())), *out = to_device(std::vector<int>(lists.size()));
    int* count = to_device(std::vector<int>{0});
    bool* changed;
    cudaMalloc(&changed, 1);
    float *rank = to_device(std::vector<float>(kVertices, 1.0f / kVertices)),
          *ranks = to_device(std::vector<float>(kVertices));
    auto* total = to_device(std::vector<unsigned long long>{0});
    auto* best = to_device(std::vector<unsigned long long>(kVertices, ~0ull));
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    const auto name_begins = [&](const char* name) { return !strncmp(argv[1], name, strlen(name)); };
    const int blocks = (kVertices + kBlock - 1) / kBlock;
    if (is("bfs_topology")) {
        for (int now = 0;; ++now) {
            cudaMemset(changed, 0, 1);
            bfs_topology<<<blocks, kBlock>>>(index, list, one, now, changed);
            if (!from_device(changed)) break;
        }
    } else if (is("bfs_topology_cas")) {
        for (int now = 0;; ++now) {
            cudaMemset(count, 0, 4);
            bfs_topology_cas<<<blocks, kBlock>>>(index, list, one, now, count);
            if (!from_device(count)) break;
        }
    } else if (is("bfs_two_arrays")) {
        for (int now = 0;; ++now) {
            cudaMemset(changed, 0, 1);
            cudaMemcpy(two, one, kVertices * sizeof(int), cudaMemcpyDeviceToDevice);
            bfs_two_arrays<<<blocks, kBlock>>>(index, list, one, two, now, changed);
            if (!from_device(changed)) break;
            std::swap(one, two);
        }
    } else if (is("bfs_worklist") || is("bfs_worklist_unclaimed") || is("bfs_warp")) {
        cudaMemset(in, 0, 4);
        int size = 1;
        for (int next = 1; size; ++next) {
            cudaMemset(count, 0, 4);
            const int grid = (size + kBlock - 1) / kBlock;
            if (is("bfs_warp"))
                bfs_warp<<<(size * 32 + kBlock - 1) / kBlock, kBlock>>>(index, list, one, in, size, out, count, next);
            else if (is("bfs_worklist"))
                bfs_worklist<true><<<grid, kBlock>>>(index, list, one, in, size, out, count);
            else
                bfs_worklist<false><<<grid, kBlock>>>(index, list, one, in, size, out, count);
            size = from_device(count);
            std::swap(in, out);
        }
    } else if (name_begins("bfs_bottom_up")) {
        for (int now = 0;; ++now) {
            cudaMemset(count, 0, 4);
            if (is("bfs_bottom_up"))
                bfs_bottom_up<false><<<blocks, kBlock>>>(index, list, one, two, now, count);
            else
                bfs_bottom_up<true><<<blocks, kBlock>>>(index, list, one, two, now, count);
            if (!from_device(count)) break;
            std::swap(one, two);
            if (is("bfs_bottom_up_in_place")) std::swap(one, two);
        }
    } else if (name_begins("sssp")) {
        do {
            cudaMemset(count, 0, 4);
            if (is("sssp")) sssp<kByAtomics><<<blocks, kBlock>>>(index, list, weight, one, count);
            if (is("sssp_plain")) sssp<kPlain><<<blocks, kBlock>>>(index, list, weight, one, count);
            if (is("sssp_reads_plain")) sssp<kReadsPlain><<<blocks, kBlock>>>(index, list, weight, one, count);
        } while (from_device(count));
    } else if (name_begins("components")) {
        do {
            cudaMemset(count, 0, 4);
            if (is("components")) components<true><<<blocks, kBlock>>>(index, list, label, count);
            if (is("components_plain")) components<false><<<blocks, kBlock>>>(index, list, label, count);
        } while (from_device(count));
    } else if (is("triangles")) {
        triangles<kRight><<<kVertices, kBlock>>>(index, list, total);
    } else if (is("triangles_no_barrier")) {
        triangles<kNoBarrier><<<kVertices, kBlock>>>(index, list, total);
    } else if (is("triangles_plain_total")) {
        triangles<kPlainTotal><<<kVertices, kBlock>>>(index, list, total);
    } else if (is("triangles_bounds")) {
        triangles<kBounds><<<kVertices, kBlock>>>(index, list, total);
    } else if (is("ranks_pull")) {
        for (int k = 0; k < 3; ++k, std::swap(rank, ranks)) ranks_pull<<<blocks, kBlock>>>(index, list, rank, ranks);
    } else if (is("ranks_push")) {
        ranks_push<true><<<blocks, kBlock>>>(index, list, rank, ranks);
    } else if (is("ranks_push_plain")) {
        ranks_push<false><<<blocks, kBlock>>>(index, list, rank, ranks);
    } else if (name_begins("colours")) {
        cudaMemset(one, 0, kVertices * sizeof(int));
        cudaMemset(two, 0, kVertices * sizeof(int));
        for (int k = 0; k < 10; ++k, std::swap(one, two)) {
            cudaMemset(count, 0, 4);
            if (is("colours")) colours<false><<<blocks, kBlock>>>(index, list, one, two, count);
            if (is("colours_in_place")) colours<true><<<blocks, kBlock>>>(index, list, one, two, count);
            if (!from_device(count)) break;
        }
    } else if (is("tree")) {
        lightest<true><<<blocks, kBlock>>>(index, list, weight, component, best);
    } else if (is("tree_plain")) {
        lightest<false><<<blocks, kBlock>>>(index, list, weight, component, best);
    }
    const int result = cudaDeviceSynchronize();
    for (int* each : {index, list, weight, one, two, label, component, in, out, count}) cudaFree(each);
    cudaFree(changed), cudaFree(rank), cudaFree(ranks), cudaFree(total), cudaFree(best);
    return result;
}
