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
// case small_ones_at_the_end: clean
// case plain_beside_ref: race global plain-against-atomic PLAIN REF
#include <cstring>
#include <cuda/atomic>
#include <initializer_list>

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

// The word around an element of one or two bytes passes the end of its allocation, and of shared memory.
enum class Color : unsigned char { kRed, kBlue };
__global__ void small_ones(unsigned char* bytes, int* shorts_of_block) {
    __shared__ unsigned char tile[5];
    if (threadIdx.x < 5) tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    cuda::atomic_ref<unsigned char, kBlock>(tile[threadIdx.x % 5]).fetch_add(1);
    for (int i = 0; i < 5; ++i) cuda::atomic_ref<unsigned char, kDevice>(bytes[i]).fetch_add(i + 1);
    __syncthreads();
    if (threadIdx.x < 5) shorts_of_block[threadIdx.x] = tile[threadIdx.x];
}
__global__ void shorts(short* last, unsigned short* word, Color* color, char* sign) {
    cuda::atomic_ref<short, kDevice>(last[2]).fetch_sub(3);
    cuda::atomic_ref<unsigned short, kDevice>(word[0]).fetch_or(1 << threadIdx.x % 16);
    unsigned short old = 0, was = 0;
    do {
        was = old;
        old = atomicCAS(&word[2], was, static_cast<unsigned short>(was + 1));
    } while (old != was);
    cuda::atomic_ref<Color, kDevice>(color[2]).exchange(Color::kBlue);
    cuda::atomic_ref<char, kDevice>(sign[6]).fetch_min(static_cast<char>(-threadIdx.x));
}
template <class T>
struct Few {
    explicit Few(int count) : count(count) {
        cudaMalloc(&data, count * sizeof(T));
        cudaMemset(data, 0, count * sizeof(T));
    }
    ~Few() { cudaFree(data); }
    bool is(std::initializer_list<int> expected) const {
        T host[8] = {};
        cudaMemcpy(host, data, count * sizeof(T), cudaMemcpyDeviceToHost);
        int i = 0;
        for (const int value : expected)
            if (static_cast<int>(host[i++]) != value) return false;
        return true;
    }
    T* data = nullptr;
    int count;
};
bool small_ones_are_right() {
    Few<unsigned char> bytes(5);
    Few<int> of_tile(5);
    Few<short> last(3);
    Few<unsigned short> word(3);
    Few<Color> color(3);
    Few<char> sign(7);
    small_ones<<<1, 30>>>(bytes.data, of_tile.data);
    shorts<<<1, 32>>>(last.data, word.data, color.data, sign.data);
    return bytes.is({30, 60, 90, 120, 150}) && of_tile.is({6, 7, 8, 9, 10}) && last.is({0, 0, -96}) &&
           word.is({0xffff, 0, 32}) && color.is({0, 0, 1}) && sign.is({0, 0, 0, 0, 0, 0, -31});
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
    if (is("small_ones_at_the_end") && !small_ones_are_right()) return 1;
    if (is("plain_beside_ref")) beside<<<2, 32>>>();
    return cudaDeviceSynchronize();
}
