// What users and public programs showed to be missed, or told where nothing was wrong.
// nvcc and clang: both are run.
// check: memory,races,barriers,init,streams
// case heap_block_again: clean
// case two_groups_one_barrier: divergent-barrier BARRIER
// case two_groups_two_barriers: clean
// case handed_back_and_forth: clean
// case macro_of_barriers: divergent-barrier MACRO
// case helper_in_both_branches: divergent-barrier HELPER
// case unrolled_barriers: clean
// case early_without_wait: stream-race LAUNCH FIRST
// case early_with_wait: clean
// case early_reads_before_wait: stream-race LAUNCH FIRST
// case early_of_another_buffer: clean
// case not_early: clean
// case early_but_waited_for: clean
// case early_behind_an_event: clean
// case from_a_lane_outside: uninitialized COPY OUTSIDE
// case from_a_lane_that_never_was: uninitialized COPY NEVER
// case branches_on_nobody: uninitialized BRANCH ASKED
// case halves_unused: clean
// case volatile_alone: race shared read-after-write VOLATILE_READ VOLATILE_WRITE mild
// case volatile_and_barrier: clean
// case volatile_flag: clean
// case never_committed: race shared read-after-write USED COPIED
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

struct Node {
    int value;
    Node* next;
};
__device__ Node* make(int value, Node* next) {
    Node* const node = static_cast<Node*>(malloc(sizeof(Node)));
    node->value = value;
    node->next = next;
    return node;
}
// A list for each thread, which frees it: later threads get the same blocks.
__global__ void lists(int* out) {
    Node* list = nullptr;
    for (unsigned i = 0; i < 5 + threadIdx.x % 3; ++i) list = make(static_cast<int>(i), list);
    int sum = 0;
    while (list != nullptr) {
        sum += list->value;
        Node* const done = list;
        list = list->next;
        free(done);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Two groups of 64 threads; with kApart each has a barrier number of its own.
template <bool kApart>
__global__ void groups(int* out) {
    __shared__ int tile[2][64];
    const int group = threadIdx.x / 64, t = threadIdx.x % 64;
    tile[group][t] = threadIdx.x;
    if (kApart && group == 1)
        asm volatile("bar.sync 2, 64;" ::: "memory");
    else
        asm volatile("bar.sync 1, 64;" ::: "memory");  // @BARRIER
    out[threadIdx.x] = tile[group][63 - t];
}

// The second warp fills, the first one empties, twice: the barriers' numbers come again in the order of the two.
__global__ void back_and_forth(int* out) {
    __shared__ int box[32];
    const int lane = threadIdx.x % 32;
    for (int turn = 0; turn < 2; ++turn) {
        if (threadIdx.x >= 32) {
            if (turn > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
            box[lane] = lane + turn;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[lane + 32 * turn] = box[31 - lane];
            if (turn == 0) asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}

#define WRITE_AND_MEET(place, value) \
    place = value;                   \
    __syncthreads()
__global__ void by_macro(int* out) {
    // clang-format off
    if (threadIdx.x < 32) { WRITE_AND_MEET(out[threadIdx.x], 1); } else { __syncthreads(); out[threadIdx.x] = 2; }  // @MACRO
    // clang-format on
}
__device__ __forceinline__ void meet() { __syncthreads(); }  // @HELPER
__global__ void by_helper(int* out) {
    if (threadIdx.x < 32) {
        out[threadIdx.x] = 1;
        meet();
    } else {
        meet();
        out[threadIdx.x] = 2;
    }
}
__global__ void unrolled(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
#pragma unroll
    for (int step = 32; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step];
    }
    if (threadIdx.x == 0) out[0] = tile[0];
}

__global__ void first(int* values) {
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    values[threadIdx.x] = threadIdx.x + 1;
}
enum Waits { kNever, kBefore, kBehind };
template <Waits kWaits>
__global__ void second(const int* values, int* out) {
#if __CUDA_ARCH__ >= 900
    if (kWaits == kBefore) cudaGridDependencySynchronize();
#endif
    const int value = values[threadIdx.x];
#if __CUDA_ARCH__ >= 900
    if (kWaits == kBehind) cudaGridDependencySynchronize();
#endif
    out[threadIdx.x] = value * 2;
}
enum Between { kNothing, kSynchronize, kRecord };
template <Waits kWaits>
void launch_early(int* values, int* out, bool is_early, bool is_other = false, Between between = kNothing) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    first<<<1, 32, 0, stream>>>(values);  // @FIRST
    cudaEvent_t event;
    cudaEventCreate(&event);
    if (between == kSynchronize) cudaStreamSynchronize(stream);
    if (between == kRecord) cudaEventRecord(event, stream);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 32;
    config.stream = stream;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = is_early;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, second<kWaits>, static_cast<const int*>(is_other ? out + 64 : values), out);  // @LAUNCH
    cudaStreamSynchronize(stream);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
}

__global__ void ask_outside(int* out) {
    if (threadIdx.x == 0) *out = __shfl_down_sync(1u, 7, 16);  // @OUTSIDE
}
__global__ void ask_never(int* out) {
    const int value = __shfl_down_sync(0xffffffffu, 7, 16);
    if (threadIdx.x == 0) *out = value;  // @NEVER
}
__global__ void branch_on_nobody(int* out) {
    const int value = __shfl_down_sync(0xffffffffu, 7, 16);  // @ASKED
    if (threadIdx.x == 0) {
        int result = 1;
        for (int i = 0; i < value; ++i) result *= 3;  // @BRANCH
        *out = result;
    }
}
// The upper half of what is summed comes from nobody, and nobody asks for it.
__global__ void halves(int* out) {
    int value = threadIdx.x;
    if (threadIdx.x < 16)
        for (int step = 8; step > 0; step /= 2) value += __shfl_down_sync(0xffffu, value, step);
    if (threadIdx.x == 0) *out = value;
}

template <bool kBarrier>
__global__ void exchange(int* values) {
    __shared__ volatile int tile[64];
    tile[threadIdx.x] = values[threadIdx.x];  // @VOLATILE_WRITE
    if (kBarrier) __syncthreads();
    values[threadIdx.x] = tile[63 - threadIdx.x];  // @VOLATILE_READ
}
// One thread raises it, the others ask again and again.
__global__ void flag(int* out) {
    __shared__ volatile int raised;
    if (threadIdx.x == 0) raised = 0;
    __syncthreads();
    if (threadIdx.x == 32) raised = 1;
    if (threadIdx.x < 32)
        while (raised == 0) {
        }
    out[threadIdx.x] = 1;
}

__global__ void copies(const int* in, int* out) {
    __shared__ int tile[64];
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + threadIdx.x) : "memory");  // @COPIED
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];  // @USED
}

int main(int, char** argv) {
    int *values, *out, seen;
    cudaMalloc(&values, 1024);
    cudaMalloc(&out, 1024);
    cudaMemset(values, 0, 1024);
    cudaMemset(out, 0, 1024);
    cudaDeviceSynchronize();
    const auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
    if (is("heap_block_again")) lists<<<2, 32>>>(out);
    if (is("two_groups_one_barrier")) groups<false><<<1, 128>>>(out);
    if (is("two_groups_two_barriers")) groups<true><<<1, 128>>>(out);
    if (is("handed_back_and_forth")) back_and_forth<<<1, 64>>>(out);
    if (is("macro_of_barriers")) by_macro<<<1, 64>>>(out);
    if (is("helper_in_both_branches")) by_helper<<<1, 64>>>(out);
    if (is("unrolled_barriers")) unrolled<<<1, 64>>>(out);
    if (is("early_without_wait")) launch_early<kNever>(values, out, true);
    if (is("early_with_wait")) launch_early<kBefore>(values, out, true);
    if (is("early_reads_before_wait")) launch_early<kBehind>(values, out, true);
    if (is("early_of_another_buffer")) launch_early<kNever>(values, out, true, true);
    if (is("not_early")) launch_early<kNever>(values, out, false);
    if (is("early_but_waited_for")) launch_early<kNever>(values, out, true, false, kSynchronize);
    if (is("early_behind_an_event")) launch_early<kNever>(values, out, true, false, kRecord);
    if (is("from_a_lane_outside")) ask_outside<<<1, 32>>>(out);
    if (is("from_a_lane_that_never_was")) ask_never<<<1, 8>>>(out);
    if (is("branches_on_nobody")) branch_on_nobody<<<1, 8>>>(out);
    if (is("halves_unused")) halves<<<1, 32>>>(out);
    if (is("volatile_alone")) exchange<false><<<1, 64>>>(values);
    if (is("volatile_and_barrier")) exchange<true><<<1, 64>>>(values);
    if (is("volatile_flag")) flag<<<1, 64>>>(out);
    if (is("never_committed")) copies<<<1, 64>>>(values, out);
    cudaMemcpy(&seen, out, sizeof seen, cudaMemcpyDeviceToHost);  // @COPY
    cudaFree(values);
    cudaFree(out);
    return 0;
}
