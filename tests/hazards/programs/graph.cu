// Steps over a small graph: threads that write the same, threads that write what differs, and atomics.
//
// check: races
// case same_mark: race global write-after-write MARK MARK mild
// case minimum_by_atomics: clean
// case parent_by_atomics: clean
// case two_level_arrays: clean
// case queue_by_atomics: clean
// case any_parent: race global write-after-write PARENT PARENT
// case minimum_by_comparing: race global COMPARE COMPARE
// case levels_in_place: race global LEVEL LEVEL
// case queue_without_atomics: race global TAIL TAIL; maybe race global
#include <cstring>

// Node i has edges to i / 2 and to 0: many threads meet at the low nodes.
constexpr int kNodes = 256;
__device__ int mark[kNodes], parent[kNodes], level[kNodes], next_level[kNodes], least[kNodes], queue[4 * kNodes], tail;

__global__ void same_mark() {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    mark[i / 2] = 1;  // @MARK
    mark[0] = 1;      // @MARK
}

__global__ void any_parent() {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    parent[i / 2] = i;  // @PARENT
}

__global__ void parent_by_atomics() {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicCAS(&parent[i / 2], 0, i + 1);
}

template <bool kAtomic>
__global__ void minimum() {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int seen = -i;
    if (kAtomic)
        atomicMin(&least[i / 2], seen);
    else if (seen < least[i / 2])  // @COMPARE
        least[i / 2] = seen;       // @COMPARE
}

// A node takes the level of the node before it, from the array of the last step or from the one that is written.
template <bool kInPlace>
__global__ void levels() {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int* const to = kInPlace ? level : next_level;
    to[i] = level[(i + kNodes - 1) % kNodes] + 1;  // @LEVEL
}

template <bool kAtomic>
__global__ void enqueue() {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = 0;
    if (kAtomic)
        at = atomicAdd(&tail, 1);
    else
        at = tail++;  // @TAIL
    queue[at] = i;
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "same_mark")) same_mark<<<4, 64>>>();
    if (!strcmp(argv[1], "minimum_by_atomics")) minimum<true><<<4, 64>>>();
    if (!strcmp(argv[1], "parent_by_atomics")) parent_by_atomics<<<4, 64>>>();
    if (!strcmp(argv[1], "two_level_arrays")) levels<false><<<4, 64>>>();
    if (!strcmp(argv[1], "queue_by_atomics")) enqueue<true><<<4, 64>>>();
    if (!strcmp(argv[1], "any_parent")) any_parent<<<4, 64>>>();
    if (!strcmp(argv[1], "minimum_by_comparing")) minimum<false><<<4, 64>>>();
    if (!strcmp(argv[1], "levels_in_place")) levels<true><<<4, 64>>>();
    if (!strcmp(argv[1], "queue_without_atomics")) enqueue<false><<<4, 64>>>();
    return cudaDeviceSynchronize();
}
