// Tiles that go through shared memory one after the other, in one buffer or two; and storage that two phases share.
//
// check: races
// case one_buffer: clean
// case one_buffer_one_barrier: race shared write-after-read FILL USE
// case two_buffers: clean
// case two_buffers_no_barrier: race shared FILL USE
// case two_phases: clean
// case two_phases_no_barrier: race shared write-after-read FIRST_USE SECOND_FILL
#include <cstring>

__device__ int in[1024], out[64];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}

template <int kBuffers, bool kFirst, bool kSecond>
__global__ void tiles() {
    __shared__ int tile[kBuffers][64];
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 16; ++k) {
        tile[k % kBuffers][t] = in[k * 64 + t];  // @FILL
        if (kFirst) __syncthreads();
        sum += tile[k % kBuffers][63 - t];  // @USE
        if (kSecond) __syncthreads();
    }
    out[t] = sum;
}

template <bool kBarrier>
__global__ void two_phases() {
    __shared__ int place[64];
    int* const first = place;
    short* const second = reinterpret_cast<short*>(place);
    const int t = threadIdx.x;
    first[t] = in[t];
    __syncthreads();
    const int other = first[63 - t];  // @FIRST_USE
    if (kBarrier) __syncthreads();
    second[t] = static_cast<short>(other);  // @SECOND_FILL
    __syncthreads();
    out[t] = second[63 - t];
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "one_buffer")) tiles<1, true, true><<<1, 64>>>();
    if (!strcmp(argv[1], "one_buffer_one_barrier")) tiles<1, true, false><<<1, 64>>>();
    if (!strcmp(argv[1], "two_buffers")) tiles<2, true, false><<<1, 64>>>();
    if (!strcmp(argv[1], "two_buffers_no_barrier")) tiles<2, false, false><<<1, 64>>>();
    if (!strcmp(argv[1], "two_phases")) two_phases<true><<<1, 64>>>();
    if (!strcmp(argv[1], "two_phases_no_barrier")) two_phases<false><<<1, 64>>>();
    return cudaDeviceSynchronize();
}
