// Threads that hand values to each other through shared memory and static device variables, across every kind of
// barrier and fence. A compiler that moves an access over one of them gives wrong values here.
//
// The kernels that take the most from the compiler are the plainest: what a thread wrote itself, or never wrote, is
// what an optimizer that knows nothing of other threads keeps in a register.
#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int kThreads = 64;
constexpr int kBlocks = 4;

// One value for all.
__global__ void broadcast(int* out, const int* in) {
    __shared__ int s;
    if (threadIdx.x == 0) s = in[blockIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void broadcast_in_loop(int* out, const int* in) {
    __shared__ int s;
    int sum = 0;
    for (int i = 0; i <= blockIdx.x; ++i) {
        if (threadIdx.x == 0) s = in[i];
        __syncthreads();
        sum += s;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = 2 * sum / (blockIdx.x + 2);  // of 10 + 20 + ..., the last
}

// A word that another thread changes after this one has written or read it.
__global__ void raised_flag(int* out, const int* in) {
    __shared__ int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 40) flag = in[blockIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = flag;
}

__global__ void own_element(int* out, const int* in) {
    __shared__ int s[kThreads];
    s[threadIdx.x] = -1;
    __syncthreads();
    if (threadIdx.x == 3)
        for (int& element : s) element = in[blockIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}

__global__ void counting_barriers(int* out, const int* in) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads_or(0);
    if (threadIdx.x == 1) s = in[blockIdx.x] - 2;
    int sum = __syncthreads_count(threadIdx.x < 2);
    sum += s;
    __syncthreads_and(1);
    if (threadIdx.x == 2) s = 7;
    __syncthreads_or(0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = s == 7 ? sum : -1;
}

// The barrier out of sight.
__device__ __noinline__ void wait_for_all() { __syncthreads(); }
__device__ __noinline__ void wait_by_assembly() { asm volatile("bar.sync 0;" ::: "memory"); }

__global__ void barrier_in_a_function(int* out, const int* in) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    wait_for_all();
    if (threadIdx.x == 63) s = in[blockIdx.x] - 1;
    wait_for_all();
    int sum = s;
    wait_by_assembly();
    if (threadIdx.x == 31) s = 1;
    wait_by_assembly();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + s;
}

__device__ __noinline__ int turned(int* values, int mine) {
    values[threadIdx.x] = mine;
    __syncthreads();
    const int other = values[kThreads - 1 - threadIdx.x];
    __syncthreads();
    return other;
}

__global__ void array_behind_a_pointer(int* out, const int* in) {
    __shared__ int s[kThreads];
    const int once = turned(s, in[blockIdx.x] + threadIdx.x);
    out[blockIdx.x * blockDim.x + threadIdx.x] = turned(s, once) - threadIdx.x;
}

__global__ void named_barriers(int* out, const int* in) {
    __shared__ int s, t;
    if (threadIdx.x == 0) s = t = 0;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x == 32) {
        s = in[blockIdx.x];
        t = 5;
    }
    asm volatile("barrier.sync 2;" ::: "memory");
    const int sum = s + t;
    asm volatile("bar.sync 3;" ::: "memory");
    int left = -sum;
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) t = left;
        asm volatile("bar.arrive 4, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 4, 64;" ::: "memory");
        left = t;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + left + s;
}

__global__ void within_a_warp(int* out, const int* in) {
    __shared__ int s[kThreads / 32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) s[warp] = 0;
    __syncwarp();
    if (lane == 31) s[warp] = in[blockIdx.x] - 1;
    __syncwarp();
    int sum = s[warp];
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    tile.sync();
    if (lane == 7) s[warp] = 1;
    tile.sync();
    sum += s[warp];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void cooperative_groups_sync(int* out, const int* in) {
    __shared__ int s;
    const cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0) s = 0;
    block.sync();
    if (block.thread_rank() == 9) s = in[blockIdx.x];
    cg::sync(block);
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void asynchronous_copies(int* out, const int* in) {
    __shared__ int s[kThreads];
    s[threadIdx.x] = -1;
    __syncthreads();
    __pipeline_memcpy_async(&s[threadIdx.x ^ 1], &in[blockIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}

extern __shared__ int dynamic[];

__global__ void dynamic_shared_memory(int* out, const int* in) {
    dynamic[threadIdx.x] = 0;
    __syncthreads();
    dynamic[kThreads - 1 - threadIdx.x] = in[blockIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = dynamic[threadIdx.x];
}

// Barriers in control flow: never merged, split or repeated so that threads meet at different ones.
__global__ void barrier_on_both_ways(int* out, const int* in) {
    __shared__ int s[2];
    if (threadIdx.x < 2) s[threadIdx.x] = 0;
    __syncthreads();
    if (blockIdx.x % 2 == 0) {
        if (threadIdx.x == 5) s[0] = in[blockIdx.x];
        __syncthreads();
        out[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
    } else {
        if (threadIdx.x == 6) s[1] = in[blockIdx.x];
        __syncthreads();
        out[blockIdx.x * blockDim.x + threadIdx.x] = s[1];
    }
}

__global__ void barrier_in_a_switch(int* out, const int* in) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    switch (blockIdx.x) {
        case 0:
            if (threadIdx.x == 1) s = in[0];
            __syncthreads();
            break;
        case 1: __syncthreads(); [[fallthrough]];
        case 2:
            if (threadIdx.x == 2) s = in[blockIdx.x];
            __syncthreads();
            break;
        default:
            if (threadIdx.x == 3) s = in[blockIdx.x];
            __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// What the loop may be split by holds for some threads only.
__global__ void condition_of_a_thread_in_a_loop(int* out, const int* in) {
    __shared__ int s;
    const bool mine = threadIdx.x == 17;
    if (mine) s = 0;
    __syncthreads();
    int seen = 0;
    for (int i = 0; i < 5; ++i) {
        if (mine) s = in[blockIdx.x] + i;
        __syncthreads();
        if (!mine) seen = s - i;
        __syncthreads();
        if (mine) seen = s - i;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = seen;
}

__global__ void early_return_beside_a_loop(int* out, const int* in) {
    __shared__ int s[2];
    int at = 0;
    if (threadIdx.x == 0) s[0] = s[1] = 0;
    __syncthreads();
    for (int i = 0; i < gridDim.x; ++i, at ^= 1) {
        if (threadIdx.x == i) s[at] = in[blockIdx.x];
        __syncthreads();
        if (s[at] != in[blockIdx.x]) return;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[at ^ 1];
}

__global__ void tree_reduction(int* out, const int* in) {
    __shared__ int s[kThreads];
    s[threadIdx.x] = threadIdx.x == 20 ? in[blockIdx.x] : 0;
    __syncthreads();
    for (int stride = kThreads / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}

__global__ void scan_with_two_buffers(int* out, const int* in) {
    __shared__ int s[2][kThreads];
    int from = 0;
    s[0][threadIdx.x] = threadIdx.x == 0 ? in[blockIdx.x] : 0;
    __syncthreads();
    for (int offset = 1; offset < kThreads; offset *= 2, from ^= 1) {
        s[from ^ 1][threadIdx.x] = s[from][threadIdx.x] + (threadIdx.x >= offset ? s[from][threadIdx.x - offset] : 0);
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[from][threadIdx.x];
}

// Static device variables: seen by no other file, and yet by other threads.
static __device__ int for_the_block[kBlocks];
static __device__ int at_the_lock, guarded;
static __device__ int parts[kBlocks], finished;

__global__ void static_variable(int* out, const int* in) {
    if (threadIdx.x == 0) for_the_block[blockIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 50) for_the_block[blockIdx.x] = in[blockIdx.x] - 1;
    __syncthreads();
    int sum = for_the_block[blockIdx.x];
    wait_for_all();
    if (threadIdx.x == 51) for_the_block[blockIdx.x] = 1;
    wait_for_all();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + for_the_block[blockIdx.x];
}

__global__ void guarded_by_a_lock(int* out, const int* in) {
    __shared__ int before;
    if (threadIdx.x == 0) {
        while (atomicCAS(&at_the_lock, 0, 1) != 0) {
        }
        __threadfence();
        before = guarded;
        guarded = before + in[blockIdx.x];
        __threadfence();
        atomicExch(&at_the_lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&finished, 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = before >= 0 ? in[blockIdx.x] : -1;
}

// The last block to finish adds up what all have left.
__global__ void last_block_adds_up(int* out, const int* in) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        last = atomicAdd(&finished, 1) == 2 * gridDim.x - 1;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x];
    __syncthreads();
    if (last) {
        __threadfence();
        int sum = 0;
        for (int part : parts) sum += part;
        for (int block = 0; block < kBlocks; ++block)
            if (sum != guarded) out[block * blockDim.x + threadIdx.x] = -sum;
    }
}

// One warp waits for a word that another one writes, with nothing but fences between.
__global__ void fence_and_flag(int* out, const int* in) {
    __shared__ int data;
    __shared__ volatile int ready;
    if (threadIdx.x == 0) {
        data = -1;
        ready = 0;
    }
    __syncthreads();
    const int before = data;
    __syncthreads();
    if (threadIdx.x >= 32) {
        if (threadIdx.x == 32) {
            data = in[blockIdx.x];
            __threadfence_block();
            ready = 1;
        }
    } else {
        while (ready == 0) {
        }
        __threadfence_block();
    }
    const int after = threadIdx.x < 32 ? data : in[blockIdx.x];
    out[blockIdx.x * blockDim.x + threadIdx.x] = after + (before == -1 ? 0 : 1000);
}

using Kernel = void (*)(int*, const int*);

struct Case {
    const char* name;
    Kernel kernel;
};
#define CASE(kernel) \
    Case { #kernel, kernel }

// Each kernel leaves in its block's part of `out` the block's element of `in`, in every thread.
int wrong_values(const Case& test, int* out, const int* in) {
    cudaMemset(out, 0xff, kBlocks * kThreads * sizeof(int));
    test.kernel<<<kBlocks, kThreads, kThreads * sizeof(int)>>>(out, in);
    int got[kBlocks * kThreads], wrong = 0;
    if (cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost) != cudaSuccess) return kBlocks * kThreads;
    for (int i = 0; i < kBlocks * kThreads; ++i) wrong += got[i] != 10 * (i / kThreads + 1);
    return wrong;
}

int main() {
    const Case cases[] = {CASE(broadcast),
                          CASE(broadcast_in_loop),
                          CASE(raised_flag),
                          CASE(own_element),
                          CASE(counting_barriers),
                          CASE(barrier_in_a_function),
                          CASE(array_behind_a_pointer),
                          CASE(named_barriers),
                          CASE(within_a_warp),
                          CASE(cooperative_groups_sync),
                          CASE(asynchronous_copies),
                          CASE(dynamic_shared_memory),
                          CASE(barrier_on_both_ways),
                          CASE(barrier_in_a_switch),
                          CASE(condition_of_a_thread_in_a_loop),
                          CASE(early_return_beside_a_loop),
                          CASE(tree_reduction),
                          CASE(scan_with_two_buffers),
                          CASE(static_variable),
                          CASE(guarded_by_a_lock),
                          CASE(last_block_adds_up),
                          CASE(fence_and_flag)};
    const int values[kBlocks] = {10, 20, 30, 40};
    int *in, *out, failed = 0;
    cudaMalloc(&in, sizeof(values));
    cudaMalloc(&out, kBlocks * kThreads * sizeof(int));
    cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
    for (const Case& test : cases) {
        const int wrong = wrong_values(test, out, in);
        if (wrong == 0)
            printf("PASS %s\n", test.name);
        else
            printf("FAIL %s: %d wrong values\n", test.name, wrong);
        failed += wrong != 0;
    }
    cudaFree(in);
    cudaFree(out);
    return failed != 0;
}
