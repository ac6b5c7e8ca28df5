// A counter behind a lock, with the lock's fences and without.
//
// check: races
// case right: clean
// case volatile_unlock: clean
// case no_fence_after_lock: race global ADD ADD
// case no_fence_before_unlock: race global ADD ADD
// case no_fence: race global ADD ADD
// case fence_of_a_block: race global ADD ADD
// case lock_of_a_block: race global LOCK LOCK; maybe race global ADD ADD
// case plain_unlock: race global LOCK UNLOCK_PLAIN; maybe race global ADD ADD; maybe race global UNLOCK_PLAIN
// UNLOCK_PLAIN case in_block: clean
#include <cstring>

__device__ int lock, counter;
enum Fence { kNone, kBlock, kDevice };
enum Unlock { kExchange, kVolatile, kPlain, kOfABlock };

template <Fence kFence>
__device__ __forceinline__ void fence() {
    if (kFence == kBlock) __threadfence_block();
    if (kFence == kDevice) __threadfence();
}

template <Fence kAfterLock, Fence kBeforeUnlock, Unlock kUnlock>
__global__ void add() {
    if (threadIdx.x != 0) return;
    if (kUnlock == kOfABlock) {
        while (atomicCAS_block(&lock, 0, 1) != 0) {  // @LOCK
        }
    } else {
        while (atomicCAS(&lock, 0, 1) != 0) {  // @LOCK
        }
    }
    fence<kAfterLock>();
    counter = counter + 1;  // @ADD
    fence<kBeforeUnlock>();
    if (kUnlock == kExchange) atomicExch(&lock, 0);
    if (kUnlock == kOfABlock) atomicExch_block(&lock, 0);  // @LOCK
    if (kUnlock == kVolatile) *(volatile int*)&lock = 0;
    if (kUnlock == kPlain) lock = 0;  // @UNLOCK_PLAIN
}

// Warps of one block, whose lock is in shared memory.
__global__ void in_block() {
    __shared__ int own_lock, own_counter;
    if (threadIdx.x == 0) own_lock = own_counter = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&own_lock, 0, 1) != 0) {
        }
        __threadfence_block();
        own_counter = own_counter + 1;
        __threadfence_block();
        atomicExch(&own_lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0) counter = own_counter;
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "right")) add<kDevice, kDevice, kExchange><<<4, 32>>>();
    if (!strcmp(argv[1], "volatile_unlock")) add<kDevice, kDevice, kVolatile><<<4, 32>>>();
    if (!strcmp(argv[1], "no_fence_after_lock")) add<kNone, kDevice, kExchange><<<4, 32>>>();
    if (!strcmp(argv[1], "no_fence_before_unlock")) add<kDevice, kNone, kExchange><<<4, 32>>>();
    if (!strcmp(argv[1], "no_fence")) add<kNone, kNone, kExchange><<<4, 32>>>();
    if (!strcmp(argv[1], "fence_of_a_block")) add<kBlock, kBlock, kExchange><<<4, 32>>>();
    if (!strcmp(argv[1], "lock_of_a_block")) add<kDevice, kDevice, kOfABlock><<<4, 32>>>();
    if (!strcmp(argv[1], "plain_unlock")) add<kDevice, kDevice, kPlain><<<4, 32>>>();
    if (!strcmp(argv[1], "in_block")) in_block<<<1, 128>>>();
    return cudaDeviceSynchronize();
}
