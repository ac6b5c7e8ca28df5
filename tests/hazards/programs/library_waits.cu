// Waits of CUDA's own library and of its manner, which sleep longer and longer by a clock: some end, some never do.
//
// check: memory,races,barriers
// case barrier_met: clean
// case barrier_one_short: deadlock BARRIER
// case semaphore_given_back: clean
// case semaphore_kept: deadlock SEMAPHORE
// case flag_set: clean
// case flag_never_set: deadlock FLAG
// case given_up_in_time: clean
// case naps_never_end: deadlock NAPS
#include <cstring>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/semaphore>

__device__ cuda::counting_semaphore<cuda::thread_scope_device, 4> places{1};
__device__ cuda::atomic<int, cuda::thread_scope_device> flag{0};

template <bool kOneShort>
__global__ void meet(int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    if (!kOneShort || threadIdx.x != 5) barrier.arrive_and_wait();  // @BARRIER
    out[threadIdx.x] = 1;
}

template <bool kGivesBack>
__global__ void take_place(int* out) {
    places.acquire();  // @SEMAPHORE
    out[blockIdx.x] = 1;
    if (kGivesBack) places.release();
}

template <bool kSets>
__global__ void wait_for_flag(int* out) {
    if (kSets && blockIdx.x == 1) {
        flag.store(1, cuda::memory_order_release);
        flag.notify_all();
    }
    if (blockIdx.x == 0) flag.wait(0, cuda::memory_order_acquire);  // @FLAG
    out[blockIdx.x] = 1;
}

__global__ void give_up(int* out) {
    const long long begin = clock64();
    int tries = 0;
    while (flag.load(cuda::memory_order_relaxed) == 0 && clock64() - begin < 1'000'000'000) ++tries;
    out[0] = tries != 0;
}

// The division by a constant becomes the upper half of a product.
__global__ void nap(int* out) {
    const long long begin = clock64();
    unsigned long long naps = 0;
    while (flag.load(cuda::memory_order_relaxed) == 0) {  // @NAPS
        const unsigned long long waited = static_cast<unsigned long long>(clock64() - begin) / 1000;
        naps = waited < 8 ? 8 : waited < 256 ? waited : 256;
        __nanosleep(static_cast<unsigned>(naps));
    }
    out[0] = static_cast<int>(naps);
}

int main(int, char** arguments) {
    const auto is = [&](const char* name) { return strcmp(arguments[1], name) == 0; };
    int* out = nullptr;
    cudaMalloc(&out, 1024);
    if (is("barrier_met")) meet<false><<<1, 64>>>(out);
    if (is("barrier_one_short")) meet<true><<<1, 64>>>(out);
    if (is("semaphore_given_back")) take_place<true><<<4, 1>>>(out);
    if (is("semaphore_kept")) take_place<false><<<4, 1>>>(out);
    if (is("flag_set")) wait_for_flag<true><<<2, 1>>>(out);
    if (is("flag_never_set")) wait_for_flag<false><<<2, 1>>>(out);
    if (is("given_up_in_time")) give_up<<<1, 1>>>(out);
    if (is("naps_never_end")) nap<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
