// A table that whoever needs it first makes, behind a flag that is checked before the lock and again behind it.
//
// check: races
// case right: clean
// case plain_check: race global CHECK DONE; maybe race global MAKE USE
// case no_fence_before_done: race global MAKE USE
// case no_fence_after_check: race global MAKE USE
#include <cstring>

__device__ int lock, ready, table, out[8];

template <bool kPlain, bool kBeforeDone, bool kAfterCheck>
__global__ void use_table() {
    if (threadIdx.x != 0) return;
    int seen = 0;
    if (kPlain)
        seen = ready;  // @CHECK
    else
        seen = *(volatile int*)&ready;
    if (kAfterCheck) __threadfence();
    if (seen == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
        if (*(volatile int*)&ready == 0) {
            table = 42;  // @MAKE
            if (kBeforeDone) __threadfence();
            *(volatile int*)&ready = 1;  // @DONE
        }
        __threadfence();
        atomicExch(&lock, 0);
    }
    out[blockIdx.x] = table;  // @USE
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "right")) use_table<false, true, true><<<8, 32>>>();
    if (!strcmp(argv[1], "plain_check")) use_table<true, true, true><<<8, 32>>>();
    if (!strcmp(argv[1], "no_fence_before_done")) use_table<false, false, true><<<8, 32>>>();
    if (!strcmp(argv[1], "no_fence_after_check")) use_table<false, true, false><<<8, 32>>>();
    return cudaDeviceSynchronize();
}
