// Barriers that wait for too many, and warp-wide instructions with masks that are right and wrong.
//
// check: barriers
// case counts_right: clean
// case too_many_expected: deadlock WAIT
// case masks_right: clean
// case lane_left_out: divergent-barrier LEFT_OUT; maybe illegal-instruction LEFT_OUT
// case lanes_that_never_come: divergent-barrier NEVER; maybe deadlock NEVER; maybe uninitialized NEVER mild
// case tail_shuffle_right: clean
#include <cstring>

__device__ int in[64], out[64];

__global__ void two_of_three() {
    if (threadIdx.x < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x < 64) out[threadIdx.x] = 1;
}

__global__ void one_of_three() {
    if (threadIdx.x < 32) asm volatile("bar.sync 1, 96;" ::: "memory");  // @WAIT
    if (threadIdx.x < 64) out[threadIdx.x] = 1;
}

__global__ void masks_right() {
    const int t = threadIdx.x;
    if (t < 16)
        out[t] = __shfl_xor_sync(0x0000ffff, in[t], 1);
    else
        out[t] = __shfl_xor_sync(0xffff0000, in[t], 2);
    __syncwarp();
    out[t + 32] = __reduce_add_sync(0xffffffff, in[t]);
}

__global__ void lane_left_out() {
    const int t = threadIdx.x;
    out[t] = __shfl_xor_sync(0x0000ffff, in[t], 1);  // @LEFT_OUT
}

__global__ void lanes_that_never_come() {
    const int t = threadIdx.x;
    if (t < 16) out[t] = __shfl_down_sync(0xffffffff, in[t], 1);  // @NEVER
}

__global__ void tail_shuffle_right(int n) {
    const int t = threadIdx.x;
    const unsigned there = __ballot_sync(0xffffffff, t < n);
    if (t < n) out[t] = __shfl_up_sync(there, in[t], 1);
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "counts_right")) two_of_three<<<1, 96>>>();
    if (!strcmp(argv[1], "too_many_expected")) one_of_three<<<1, 96>>>();
    if (!strcmp(argv[1], "masks_right")) masks_right<<<1, 32>>>();
    if (!strcmp(argv[1], "lane_left_out")) lane_left_out<<<1, 32>>>();
    if (!strcmp(argv[1], "lanes_that_never_come")) lanes_that_never_come<<<1, 32>>>();
    if (!strcmp(argv[1], "tail_shuffle_right")) tail_shuffle_right<<<1, 32>>>(20);
    cudaDeviceSynchronize();
}
