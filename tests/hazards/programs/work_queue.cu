// Work that blocks take from a queue, and work that some put in while others take it out.
//
// check: races
// case ready_made: clean
// case ticket_in_shared: clean
// case ticket_no_second_barrier: race shared TICKET TAKEN
// case ticket_no_first_barrier: race shared TICKET TAKEN
// case published: clean
// case published_without_fence: race global ITEM TAKE
// case plain_head: race global HEAD HEAD; maybe race global; maybe race global mild
#include <cstring>

constexpr int kItems = 32;
__device__ int items[kItems], out[kItems], head;
__device__ volatile int published;

__global__ void ready_made() {
    for (int at = atomicAdd(&head, 1); at < kItems; at = atomicAdd(&head, 1)) out[at] = items[at] + 1;
}

template <bool kFirst, bool kSecond>
__global__ void ticket_in_shared() {
    __shared__ int ticket;
    while (true) {
        if (threadIdx.x == 0) ticket = atomicAdd(&head, 64);  // @TICKET
        if (kFirst) __syncthreads();
        const int at = ticket;  // @TAKEN
        if (kSecond) __syncthreads();
        if (at >= kItems * 64) return;
        if (threadIdx.x < 8) atomicAdd(&out[at / 64], 1);
    }
}

template <bool kFence>
__global__ void published_items() {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        for (int i = 0; i < kItems; ++i) {
            items[i] = i + 1;  // @ITEM
            if (kFence) __threadfence();
            published = i + 1;
        }
    } else {
        for (int at = atomicAdd(&head, 1); at < kItems; at = atomicAdd(&head, 1)) {
            while (published <= at) {
            }
            if (kFence) __threadfence();
            out[at] = items[at];  // @TAKE
        }
    }
}

__global__ void plain_head() {
    for (int turn = 0; turn < 4; ++turn) {
        const int at = *(volatile int*)&head;
        head = at + 1 + threadIdx.x;  // @HEAD
        if (at < kItems) out[at] = items[at];
    }
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "ready_made")) ready_made<<<2, 32>>>();
    if (!strcmp(argv[1], "ticket_in_shared")) ticket_in_shared<true, true><<<2, 64>>>();
    if (!strcmp(argv[1], "ticket_no_second_barrier")) ticket_in_shared<true, false><<<2, 64>>>();
    if (!strcmp(argv[1], "ticket_no_first_barrier")) ticket_in_shared<false, true><<<2, 64>>>();
    if (!strcmp(argv[1], "published")) published_items<true><<<3, 32>>>();
    if (!strcmp(argv[1], "published_without_fence")) published_items<false><<<3, 32>>>();
    if (!strcmp(argv[1], "plain_head")) plain_head<<<2, 32>>>();
    return cudaDeviceSynchronize();
}
