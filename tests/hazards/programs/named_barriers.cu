// Warps that meet at barriers by number: producers that arrive, consumers that wait, readers before one writer.
//
// check: races
// case producer_consumer: clean
// case other_number: race shared PUT TAKE
// case arrives_before_writing: race shared PUT_LATE TAKE_LATE
// case all_readers_meet: clean
// case one_reader_forgotten: race shared READERS WRITER
// case first_reader_forgotten: race shared READERS WRITER
#include <cstring>

__device__ int in[32], out[128];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}

__global__ void producer_consumer() {
    __shared__ int given[32];
    const int t = threadIdx.x;
    if (t < 32) {
        given[t] = in[t];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t] = given[63 - t];
    }
}

// The consumers wait at a barrier at which the producers arrive later.
__global__ void other_number() {
    __shared__ int given[32];
    const int t = threadIdx.x;
    if (t < 32) {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        given[t] = in[t];  // @PUT
        asm volatile("bar.arrive 2, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t] = given[63 - t];  // @TAKE
        asm volatile("bar.sync 2, 64;" ::: "memory");
    }
}

__global__ void arrives_before_writing() {
    __shared__ int given[32];
    const int t = threadIdx.x;
    if (t < 32) {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        given[t] = in[t];  // @PUT_LATE
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t] = given[63 - t];  // @TAKE_LATE
    }
}

// Three warps read what the fourth overwrites, which waits for all of them or leaves one out.
template <int kForgotten>
__global__ void readers() {
    __shared__ int shared_value;
    const int t = threadIdx.x, warp = t / 32;
    if (t == 96) shared_value = in[0];
    __syncthreads();
    if (warp < 3) out[t] = shared_value;  // @READERS
    if (warp != kForgotten) {
        if (kForgotten < 0)
            asm volatile("bar.sync 1, 128;" ::: "memory");
        else
            asm volatile("bar.sync 1, 96;" ::: "memory");
    }
    if (t == 96) shared_value = in[1];  // @WRITER
    __syncthreads();
    if (t == 0) out[0] = shared_value;
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "producer_consumer")) producer_consumer<<<1, 64>>>();
    if (!strcmp(argv[1], "other_number")) other_number<<<1, 64>>>();
    if (!strcmp(argv[1], "arrives_before_writing")) arrives_before_writing<<<1, 64>>>();
    if (!strcmp(argv[1], "all_readers_meet")) readers<-1><<<1, 128>>>();
    if (!strcmp(argv[1], "one_reader_forgotten")) readers<2><<<1, 128>>>();
    if (!strcmp(argv[1], "first_reader_forgotten")) readers<0><<<1, 128>>>();
    return cudaDeviceSynchronize();
}
