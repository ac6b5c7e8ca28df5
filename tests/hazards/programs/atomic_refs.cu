// Scopes and orders of CUDA's own atomics, through nvcc.
//
// check: memory,races,barriers
// case count_device: clean
// case count_block: race global scope-too-small COUNT COUNT
// case flag_release_acquire: clean
// case flag_relaxed: race global GIVE TAKE
// case flag_release_block: race global GIVE TAKE; maybe race global
// case flag_fence: clean
// case flag_fence_block: race global GIVE TAKE; maybe race global
// case flag_relaxed_reader: race global GIVE TAKE
// case lock_device: clean
// case lock_block: race global; maybe race global
// case lock_relaxed_unlock: race global INSIDE INSIDE
// case plain_beside_ref: race global plain-against-atomic PLAIN REF
#include <cstring>
#include <cuda/atomic>

template <cuda::thread_scope kScope>
using Ref = cuda::atomic_ref<int, kScope>;
constexpr auto kDevice = cuda::thread_scope_device, kBlock = cuda::thread_scope_block;
__device__ int counter, flag, value, out[64], lock_word, inside;

template <cuda::thread_scope kScope>
__global__ void count() {
    Ref<kScope> ref(counter);
    ref.fetch_add(1, cuda::memory_order_relaxed);  // @COUNT
}

template <cuda::thread_scope kScope, int kGive, int kTake, int kFence>
__global__ void hand_over() {
    if (threadIdx.x != 0) return;
    Ref<kScope> ref(flag);
    constexpr auto give = kGive ? cuda::memory_order_release : cuda::memory_order_relaxed;
    constexpr auto take = kTake ? cuda::memory_order_acquire : cuda::memory_order_relaxed;
    if (blockIdx.x == 0) {
        value = 42;  // @GIVE
        if (kFence == 1) cuda::atomic_thread_fence(cuda::memory_order_release, kDevice);
        if (kFence == 2) cuda::atomic_thread_fence(cuda::memory_order_release, kBlock);
        ref.store(1, give);
    } else {
        for (int tries = 0; tries < 1000; ++tries) {
            if (ref.load(take) == 0) continue;
            if (kFence == 1) cuda::atomic_thread_fence(cuda::memory_order_acquire, kDevice);
            if (kFence == 2) cuda::atomic_thread_fence(cuda::memory_order_acquire, kBlock);
            out[blockIdx.x] = value;  // @TAKE
            break;
        }
    }
}

template <cuda::thread_scope kScope, int kRelease>
__global__ void locked() {
    if (threadIdx.x != 0) return;
    Ref<kScope> ref(lock_word);
    int expected = 0;
    while (!ref.compare_exchange_strong(expected, 1, cuda::memory_order_acquire)) expected = 0;
    inside += 1;  // @INSIDE
    ref.store(0, kRelease ? cuda::memory_order_release : cuda::memory_order_relaxed);
}

__global__ void beside() {
    Ref<kDevice> ref(counter);
    if (blockIdx.x == 0 && threadIdx.x == 0) counter = 7;               // @PLAIN
    if (blockIdx.x == 1) ref.fetch_add(1, cuda::memory_order_relaxed);  // @REF
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("count_device")) count<kDevice><<<4, 64>>>();
    if (is("count_block")) count<kBlock><<<4, 64>>>();
    if (is("flag_release_acquire")) hand_over<kDevice, 1, 1, 0><<<2, 32>>>();
    if (is("flag_relaxed")) hand_over<kDevice, 0, 0, 0><<<2, 32>>>();
    if (is("flag_release_block")) hand_over<kBlock, 1, 1, 0><<<2, 32>>>();
    if (is("flag_fence")) hand_over<kDevice, 0, 0, 1><<<2, 32>>>();
    if (is("flag_fence_block")) hand_over<kDevice, 0, 0, 2><<<2, 32>>>();
    if (is("flag_relaxed_reader")) hand_over<kDevice, 1, 0, 0><<<2, 32>>>();
    if (is("lock_device")) locked<kDevice, 1><<<4, 32>>>();
    if (is("lock_block")) locked<kBlock, 1><<<4, 32>>>();
    if (is("lock_relaxed_unlock")) locked<kDevice, 0><<<4, 32>>>();
    if (is("plain_beside_ref")) beside<<<2, 32>>>();
    return cudaDeviceSynchronize();
}
