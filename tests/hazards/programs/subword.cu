// Neighbours in one word: bytes and halves of different threads, and words that span them.
//
// check: races
// case bytes: clean
// case halves: clean
// case byte_of_another: race shared BYTE WORD
// case packed_bits: race global BITS BITS
// case packed_bits_by_atomics: clean
// case bytes_in_global: clean
// case half_and_word: race global HALF WHOLE
#include <cstring>

__device__ unsigned char bytes_out[64];
__device__ int out[64];
__device__ unsigned bits[2];
__device__ short halves_out[128];

template <class T>
__global__ void neighbours() {
    __shared__ T own[64];
    const int t = threadIdx.x;
    own[t] = static_cast<T>(t);
    __syncthreads();
    out[t] = own[63 - t];
}

// Each thread writes its byte; some read the whole word.
__global__ void word() {
    __shared__ __align__(4) unsigned char own[64];
    const int t = threadIdx.x;
    own[t] = static_cast<unsigned char>(t);                     // @BYTE
    if (t < 16) out[t] = reinterpret_cast<const int*>(own)[t];  // @WORD
}

template <bool kAtomic>
__global__ void packed() {
    const int t = threadIdx.x;
    if (kAtomic)
        atomicOr(&bits[t / 32], 1u << t % 32);
    else
        bits[t / 32] |= 1u << t % 32;  // @BITS
}

__global__ void bytes_in_global() { bytes_out[threadIdx.x] = static_cast<unsigned char>(threadIdx.x); }

__global__ void half_and_word() {
    const int t = threadIdx.x;
    if (t < 32)
        halves_out[2 * t + 1] = 1;  // @HALF
    else
        reinterpret_cast<int*>(halves_out)[t - 32] = 7;  // @WHOLE
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "bytes")) neighbours<unsigned char><<<1, 64>>>();
    if (!strcmp(argv[1], "halves")) neighbours<short><<<1, 64>>>();
    if (!strcmp(argv[1], "byte_of_another")) word<<<1, 64>>>();
    if (!strcmp(argv[1], "packed_bits")) packed<false><<<1, 64>>>();
    if (!strcmp(argv[1], "packed_bits_by_atomics")) packed<true><<<1, 64>>>();
    if (!strcmp(argv[1], "bytes_in_global")) bytes_in_global<<<1, 64>>>();
    if (!strcmp(argv[1], "half_and_word")) half_and_word<<<1, 64>>>();
    return cudaDeviceSynchronize();
}
