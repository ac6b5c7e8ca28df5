// Traps that other programs of this folder do not have.
//
// check: all
// case readers_then_writer: clean
// case readers_then_writer_no_barrier: race shared write-after-read READ_ALL WRITE_ONE
// case barrier_begun_in_time: clean
// case barrier_made_again: clean
// case deep_recursion: stack-overflow RECURSE
// case shallow_recursion: clean
// case waits_for_a_warp_that_left: deadlock WAITS
// case null_of_malloc_checked: clean
// case freed_twice_on_the_device: invalid-free SECOND_FREE
// case freed_by_another_kernel: clean
// case freed_by_two_kernels: invalid-free FREE_KEPT
// case freed_inside: invalid-free FREE_INSIDE; leak global mild
// case freed_buffer: invalid-free FREE_BUFFER
#include <cstring>

__device__ int out[256];
__device__ void* volatile kept;

__device__ __forceinline__ unsigned at(const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

// Several readers of one word, then one that writes it.
template <bool kBarrier>
__global__ void readers_then_writer() {
    __shared__ int word;
    if (threadIdx.x == 0) word = 7;
    __syncthreads();
    out[threadIdx.x] = word;  // @READ_ALL
    if (kBarrier) __syncthreads();
    if (threadIdx.x == 96) word = 8;  // @WRITE_ONE
    __syncthreads();
    out[threadIdx.x] += word;
}

// A barrier object that is begun, used, given up and begun again, each by way of a barrier of the block.
__global__ void barrier_object(int turns) {
    __shared__ unsigned long long object;
    for (int turn = 0; turn < turns; ++turn) {
        if (threadIdx.x == 0)
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(&object)), "r"(blockDim.x) : "memory");
        __syncthreads();
        asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at(&object)) : "memory");
        int done = 0;
        while (!done)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(at(&object))
                         : "memory");
        __syncthreads();
        if (threadIdx.x == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(&object)) : "memory");
        __syncthreads();
    }
}

__device__ __noinline__ int depth_of(int n, volatile int* path) {
    volatile int own[64];
    own[n % 64] = n;
    if (n == 0) return path[0];
    return depth_of(n - 1, path) + own[n % 64];  // @RECURSE
}
__global__ void recurse(int n) { out[threadIdx.x] = depth_of(n, out); }

// Named barriers: one warp waits for one that has ended.
__global__ void left(int some) {
    if (threadIdx.x >= 32 && some != 0) return;
    asm volatile("barrier.sync 1, 64;" ::: "memory");  // @WAITS
}

__global__ void checked_malloc() {
    int* const own = static_cast<int*>(malloc(1 << 30));
    if (own != nullptr) own[0] = 1;
    free(own);
}

__global__ void free_twice() {
    kept = malloc(64);
    free(kept);
    free(kept);  // @SECOND_FREE
}

__global__ void allocate_kept() { kept = malloc(64); }
__global__ void free_kept() {
    free(kept);  // @FREE_KEPT
}
__global__ void free_inside() {
    kept = malloc(64);
    free(static_cast<char*>(kept) + 16);  // @FREE_INSIDE
}
__global__ void free_buffer() {
    free(out);  // @FREE_BUFFER
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("freed_by_another_kernel")) allocate_kept<<<1, 1>>>(), free_kept<<<1, 1>>>();
    if (is("freed_by_two_kernels")) allocate_kept<<<1, 1>>>(), free_kept<<<1, 1>>>(), free_kept<<<1, 1>>>();
    if (is("freed_inside")) free_inside<<<1, 1>>>();
    if (is("freed_buffer")) free_buffer<<<1, 1>>>();
    if (is("readers_then_writer")) readers_then_writer<true><<<1, 128>>>();
    if (is("readers_then_writer_no_barrier")) readers_then_writer<false><<<1, 128>>>();
    if (is("barrier_begun_in_time")) barrier_object<<<1, 64>>>(1);
    if (is("barrier_made_again")) barrier_object<<<1, 64>>>(3);
    if (is("deep_recursion")) recurse<<<1, 1>>>(100000);
    if (is("shallow_recursion")) recurse<<<1, 1>>>(2);
    if (is("waits_for_a_warp_that_left")) left<<<1, 64>>>(1);
    if (is("null_of_malloc_checked")) checked_malloc<<<1, 1>>>();
    if (is("freed_twice_on_the_device")) free_twice<<<1, 1>>>();
    cudaDeviceSynchronize();
    return 0;
}
