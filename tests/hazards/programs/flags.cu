// One block makes a value and raises a flag, another waits for the flag and takes the value.
//
// check: races
// case fences: clean
// case atomic_flag: clean
// case release_acquire: clean
// case no_writer_fence: race global WRITE READ
// case no_reader_fence: race global WRITE READ
// case no_fence: race global WRITE READ
// case fence_of_a_block: race global WRITE READ
// case relaxed_flag: race global WRITE_PTX READ_PTX
// case release_of_a_block: race global WRITE_PTX READ_PTX; maybe race global
// case in_block_fences: clean
// case in_block_no_fence: race shared WRITE_BLOCK READ_BLOCK
// case in_block_release_acquire: clean
#include <cstring>

__device__ int value, out;
__device__ volatile int flag;
__device__ int atomic_flag;
enum Fence { kNone, kBlock, kDevice };

template <Fence kFence>
__device__ __forceinline__ void fence() {
    if (kFence == kBlock) __threadfence_block();
    if (kFence == kDevice) __threadfence();
}

template <Fence kWriter, Fence kReader>
__global__ void spin() {
    if (blockIdx.x == 0) {
        value = 42;  // @WRITE
        fence<kWriter>();
        flag = 1;
    } else {
        while (flag == 0) {
        }
        fence<kReader>();
        out = value;  // @READ
    }
}

__global__ void spin_on_atomics() {
    if (blockIdx.x == 0) {
        value = 42;
        __threadfence();
        atomicExch(&atomic_flag, 1);
    } else {
        while (atomicAdd(&atomic_flag, 0) == 0) {
        }
        __threadfence();
        out = value;
    }
}

enum Order { kReleaseAcquire, kRelaxed, kOfABlock };
template <Order kOrder>
__global__ void ptx() {
    if (blockIdx.x == 0) {
        value = 42;  // @WRITE_PTX
        if (kOrder == kReleaseAcquire)
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(&atomic_flag) : "memory");
        else if (kOrder == kRelaxed)
            asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(&atomic_flag) : "memory");
        else
            asm volatile("st.release.cta.global.u32 [%0], 1;" ::"l"(&atomic_flag) : "memory");
    } else {
        int seen = 0;
        while (seen == 0) {
            if (kOrder == kReleaseAcquire)
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(&atomic_flag) : "memory");
            else if (kOrder == kRelaxed)
                asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(&atomic_flag) : "memory");
            else
                asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(seen) : "l"(&atomic_flag) : "memory");
        }
        out = value;  // @READ_PTX
    }
}

template <bool kFence>
__global__ void in_block() {
    __shared__ int given;
    __shared__ volatile int raised;
    if (threadIdx.x == 0) raised = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        given = value + 42;  // @WRITE_BLOCK
        if (kFence) __threadfence_block();
        raised = 1;
    } else if (threadIdx.x == 32) {
        while (raised == 0) {
        }
        if (kFence) __threadfence_block();
        out = given;  // @READ_BLOCK
    }
}

__global__ void in_block_ptx() {
    __shared__ int given, raised;
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&raised));
    if (threadIdx.x == 0) raised = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        given = 42;
        asm volatile("st.release.cta.shared.u32 [%0], 1;" ::"r"(at) : "memory");
    } else if (threadIdx.x == 32) {
        int seen = 0;
        while (seen == 0) asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(seen) : "r"(at) : "memory");
        out = given;
    }
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "fences")) spin<kDevice, kDevice><<<2, 1>>>();
    if (!strcmp(argv[1], "atomic_flag")) spin_on_atomics<<<2, 1>>>();
    if (!strcmp(argv[1], "release_acquire")) ptx<kReleaseAcquire><<<2, 1>>>();
    if (!strcmp(argv[1], "no_writer_fence")) spin<kNone, kDevice><<<2, 1>>>();
    if (!strcmp(argv[1], "no_reader_fence")) spin<kDevice, kNone><<<2, 1>>>();
    if (!strcmp(argv[1], "no_fence")) spin<kNone, kNone><<<2, 1>>>();
    if (!strcmp(argv[1], "fence_of_a_block")) spin<kBlock, kBlock><<<2, 1>>>();
    if (!strcmp(argv[1], "relaxed_flag")) ptx<kRelaxed><<<2, 1>>>();
    if (!strcmp(argv[1], "release_of_a_block")) ptx<kOfABlock><<<2, 1>>>();
    if (!strcmp(argv[1], "in_block_fences")) in_block<true><<<1, 64>>>();
    if (!strcmp(argv[1], "in_block_no_fence")) in_block<false><<<1, 64>>>();
    if (!strcmp(argv[1], "in_block_release_acquire")) in_block_ptx<<<1, 64>>>();
    return cudaDeviceSynchronize();
}
