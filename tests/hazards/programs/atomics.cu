// Atomics beside plain accesses, and atomics of different scopes.
//
// check: races
// case only_atomics: clean
// case plain_read_beside: race global COUNT LOOK
// case volatile_read_beside: clean
// case plain_write_beside: race global COUNT_2 SET
// case scope_of_a_block: race global SMALL SMALL
// case scope_of_a_block_in_one_block: clean
// case shared_with_barrier: clean
// case shared_no_barrier: race shared ADD_SHARED READ_SHARED
#include <cstring>

__device__ int counter, out[128];
enum Beside { kNothing, kPlain, kVolatile };

template <Beside kBeside>
__global__ void count() {
    atomicAdd(&counter, 1);                                                // @COUNT
    if (kBeside == kPlain && threadIdx.x == 0) out[blockIdx.x] = counter;  // @LOOK
    if (kBeside == kVolatile && threadIdx.x == 0) out[blockIdx.x] = *(volatile int*)&counter;
}

__global__ void plain_write_beside() {
    if (blockIdx.x == 0 && threadIdx.x == 0) counter = 5;  // @SET
    if (blockIdx.x != 0) atomicAdd(&counter, 1);           // @COUNT_2
}

__global__ void scope_of_a_block() {
    atomicAdd_block(&counter, 1);  // @SMALL
}

template <bool kBarrier>
__global__ void in_shared() {
    __shared__ int own;
    if (threadIdx.x == 0) own = 0;
    __syncthreads();
    atomicAdd(&own, 1);  // @ADD_SHARED
    if (kBarrier) __syncthreads();
    out[threadIdx.x] = own;  // @READ_SHARED
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "only_atomics")) count<kNothing><<<2, 64>>>();
    if (!strcmp(argv[1], "plain_read_beside")) count<kPlain><<<2, 64>>>();
    if (!strcmp(argv[1], "volatile_read_beside")) count<kVolatile><<<2, 64>>>();
    if (!strcmp(argv[1], "plain_write_beside")) plain_write_beside<<<2, 64>>>();
    if (!strcmp(argv[1], "scope_of_a_block")) scope_of_a_block<<<2, 64>>>();
    if (!strcmp(argv[1], "scope_of_a_block_in_one_block")) scope_of_a_block<<<1, 64>>>();
    if (!strcmp(argv[1], "shared_with_barrier")) in_shared<true><<<1, 128>>>();
    if (!strcmp(argv[1], "shared_no_barrier")) in_shared<false><<<1, 128>>>();
    return cudaDeviceSynchronize();
}
