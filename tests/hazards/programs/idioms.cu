// Correct ways of the trade that a checker may take for defects.
//
// check: races,barriers
// case ticket_lock: clean
// case look_back: clean
// case sense_reversing: clean
// case exchange_hand_off: clean
// case compare_and_swap_maximum: clean
// case warp_aggregated_atomics: clean
// case coalesced_group: clean
// case private_per_warp: clean
// case scan_of_warps: clean
// case barrier_that_counts: clean
// case barrier_that_votes: clean
// case three_stages: clean
// case warp_roles: clean
// case partitioned_dynamic: clean
// case rotating_buffers: clean
// case own_elements_only: clean
// case one_warp_in_turns: clean
// case ping_pong_kernels: clean
// case diverged_lanes_meet: clean
// case release_by_many: clean
// case local_arrays: clean
// case constant_and_shared: clean
// case pair_of_flags: clean
// case shuffle_broadcast: clean
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cstring>

namespace cg = cooperative_groups;
constexpr int kBlocks = 4, kBlock = 64, kAll = kBlocks * kBlock;
__device__ __align__(16) int in[kAll], out[kAll], other[kAll];
__device__ int next_ticket, serving, total, most, arrived, sense;
__device__ unsigned long long partial[kBlocks];
__constant__ int table[4] = {1, 2, 3, 4};

__global__ void start() {
    for (int i = threadIdx.x; i < kAll; i += blockDim.x) in[i] = 3 * i + 1;
}

__global__ void ticket_lock() {
    if (threadIdx.x != 0) return;
    const int own = atomicAdd(&next_ticket, 1);
    while (*(volatile int*)&serving != own) {
    }
    __threadfence();
    total = total + 1;
    __threadfence();
    *(volatile int*)&serving = own + 1;
}

// Each block adds to the sum of the block before it; sum and flag travel in one word.
__global__ void look_back() {
    if (threadIdx.x != 0) return;
    unsigned long long before = 0;
    if (blockIdx.x > 0)
        while (((before = *(volatile unsigned long long*)&partial[blockIdx.x - 1]) & 1) == 0) {
        }
    const unsigned long long sum = (before >> 1) + in[blockIdx.x];
    *(volatile unsigned long long*)&partial[blockIdx.x] = sum << 1 | 1;
    out[blockIdx.x] = static_cast<int>(sum);
}

__global__ void sense_reversing() {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    for (int turn = 0; turn < 3; ++turn) {
        int* const from = turn % 2 ? other : out;
        int* const to = turn % 2 ? out : other;
        to[i] = from[(i + 65) % kAll] + 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            if (atomicAdd(&arrived, 1) == kBlocks - 1) {
                atomicExch(&arrived, 0);
                __threadfence();
                atomicAdd(&sense, 1);
            }
            while (*(volatile int*)&sense <= turn) {
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// Whoever takes the token out of the box works on what lies behind it.
__global__ void exchange_hand_off() {
    if (threadIdx.x != 0) return;
    while (atomicExch(&sense, 1) != 0) {
    }
    __threadfence();
    total += in[blockIdx.x];
    __threadfence();
    atomicExch(&sense, 0);
}

__global__ void compare_and_swap_maximum() {
    const int own = in[blockIdx.x * kBlock + threadIdx.x];
    int seen = *(volatile int*)&most;
    while (own > seen) {
        const int found = atomicCAS(&most, seen, own);
        if (found == seen) break;
        seen = found;
    }
}

__global__ void warp_aggregated_atomics() {
    const int own = in[blockIdx.x * kBlock + threadIdx.x];
    const unsigned wanting = __ballot_sync(0xffffffff, own % 2 == 0);
    const int lane = threadIdx.x % 32;
    int at = 0;
    if (wanting != 0 && lane == __ffs(wanting) - 1) at = atomicAdd(&total, __popc(wanting));
    at = __shfl_sync(0xffffffff, at, wanting != 0 ? __ffs(wanting) - 1 : 0);
    if (own % 2 == 0) out[at + __popc(wanting & ((1u << lane) - 1))] = own;
}

__global__ void coalesced_group() {
    if (in[threadIdx.x] % 3 == 1) {
        const auto group = cg::coalesced_threads();
        int at = 0;
        if (group.thread_rank() == 0) at = atomicAdd(&total, static_cast<int>(group.size()));
        at = group.shfl(at, 0);
        out[at + group.thread_rank()] = in[threadIdx.x];
    }
}

__global__ void private_per_warp() {
    __shared__ int counts[kBlock / 32][8];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane < 8) counts[warp][lane] = 0;
    __syncwarp();
    atomicAdd(&counts[warp][in[threadIdx.x] % 8], 1);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = counts[0][threadIdx.x] + counts[1][threadIdx.x];
}

__global__ void scan_of_warps() {
    __shared__ int ends[kBlock / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = in[threadIdx.x];
    for (int distance = 1; distance < 32; distance *= 2) {
        const int below = __shfl_up_sync(0xffffffff, sum, distance);
        if (lane >= distance) sum += below;
    }
    if (lane == 31) ends[warp] = sum;
    __syncthreads();
    out[threadIdx.x] = sum + (warp > 0 ? ends[warp - 1] : 0);
}

__global__ void barrier_that_counts() {
    __shared__ int values[kBlock];
    values[threadIdx.x] = in[threadIdx.x];
    const int even = __syncthreads_count(in[threadIdx.x] % 2 == 0);
    out[threadIdx.x] = values[kBlock - 1 - threadIdx.x] + even;
}

// All leave the loop at once, as all know the same vote.
__global__ void barrier_that_votes() {
    __shared__ int values[kBlock];
    values[threadIdx.x] = threadIdx.x;
    int again = 1;
    for (int turn = 0; again; ++turn) {
        __syncthreads();
        const int next = values[(threadIdx.x + 1) % kBlock];
        again = __syncthreads_or(turn < 3 && next >= 0);
        values[threadIdx.x] = next;
    }
    out[threadIdx.x] = values[threadIdx.x];
}

__global__ void three_stages() {
    __shared__ __align__(16) int tile[3][kBlock * 4];
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 2; ++k) {
        __pipeline_memcpy_async(&tile[k][4 * t], &in[4 * k], 16);
        __pipeline_commit();
    }
    for (int k = 0; k < 6; ++k) {
        __pipeline_wait_prior(1);
        __syncthreads();
        // All have left the turn before, whose stage is the one that is filled now.
        if (k + 2 < 6) __pipeline_memcpy_async(&tile[(k + 2) % 3][4 * t], &in[4 * (k + 2)], 16);
        __pipeline_commit();
        sum += tile[k % 3][(4 * t + 4) % (4 * kBlock)];
    }
    out[t] = sum;
}

// One warp fills, the other empties; each waits for the other at a barrier of its own number.
__global__ void warp_roles() {
    __shared__ int buffer[2][32];
    const int lane = threadIdx.x % 32;
    int sum = 0;
    for (int turn = 0; turn < 6; ++turn) {
        const int slot = turn % 2;
        if (threadIdx.x < 32) {
            if (turn >= 2) {
                if (slot == 0)
                    asm volatile("bar.sync 3, 64;" ::: "memory");
                else
                    asm volatile("bar.sync 4, 64;" ::: "memory");
            }
            buffer[slot][lane] = in[turn * 32 + lane];
            if (slot == 0)
                asm volatile("bar.arrive 1, 64;" ::: "memory");
            else
                asm volatile("bar.arrive 2, 64;" ::: "memory");
        } else {
            if (slot == 0)
                asm volatile("bar.sync 1, 64;" ::: "memory");
            else
                asm volatile("bar.sync 2, 64;" ::: "memory");
            sum += buffer[slot][31 - lane];
            if (turn < 4) {
                if (slot == 0)
                    asm volatile("bar.arrive 3, 64;" ::: "memory");
                else
                    asm volatile("bar.arrive 4, 64;" ::: "memory");
            }
        }
    }
    if (threadIdx.x >= 32) out[lane] = sum;
}

extern __shared__ char bytes[];
__global__ void partitioned_dynamic() {
    int* const first = reinterpret_cast<int*>(bytes);
    short* const second = reinterpret_cast<short*>(first + kBlock);
    first[threadIdx.x] = in[threadIdx.x];
    second[threadIdx.x] = static_cast<short>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = first[kBlock - 1 - threadIdx.x] + second[threadIdx.x ^ 1];
}

// Three buffers need one barrier a turn even where the next turn's writer is two turns ahead of a reader.
__global__ void rotating_buffers() {
    __shared__ int turns[3][kBlock];
    int sum = 0;
    for (int turn = 0; turn < 9; ++turn) {
        turns[turn % 3][threadIdx.x] = in[turn * 8 + threadIdx.x % 8];
        __syncthreads();
        sum += turns[turn % 3][kBlock - 1 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

__global__ void own_elements_only() {
    __shared__ int own[kBlock][4];
    for (int i = 0; i < 4; ++i) own[threadIdx.x][i] = in[threadIdx.x] + i;
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum += own[threadIdx.x][i];
    out[threadIdx.x] = sum;
}

__global__ void one_warp_in_turns() {
    __shared__ int values[32];
    values[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    for (int turn = 0; turn < 5; ++turn) {
        const int next = values[(threadIdx.x + 1) % 32];
        __syncwarp();
        values[threadIdx.x] = next;
        __syncwarp();
    }
    out[threadIdx.x] = values[threadIdx.x];
}

__global__ void step(const int* from, int* to) {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    to[i] = from[(i + 1) % kAll];
}

__global__ void diverged_lanes_meet() {
    __shared__ int values[32];
    const int lane = threadIdx.x;
    if (lane % 2 == 0)
        values[lane] = in[lane];
    else
        values[lane] = -in[lane];
    __syncwarp();
    const int mine = values[lane ^ 1];
    __syncwarp(lane < 16 ? 0x0000ffff : 0xffff0000);
    values[lane] = mine;
    __syncwarp();
    out[lane] = values[31 - lane];
}

// Every thread of the block fences what it wrote, then one of them tells.
__global__ void release_by_many() {
    if (blockIdx.x == 0) {
        other[threadIdx.x] = in[threadIdx.x] + 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) atomicExch(&sense, 1);
    } else {
        if (threadIdx.x == 0)
            while (atomicAdd(&sense, 0) == 0) {
            }
        __syncthreads();
        __threadfence();
        out[blockIdx.x * kBlock + threadIdx.x] = other[kBlock - 1 - threadIdx.x];
    }
}

__global__ void local_arrays(int n) {
    int own[8];
    for (int i = 0; i < 8; ++i) own[i] = in[(threadIdx.x + i) % kAll];
    for (int i = 0; i < n; ++i) own[(i * 3) % 8] += own[(i + 1) % 8];
    out[threadIdx.x] = own[n % 8];
}

__global__ void constant_and_shared() {
    __shared__ int scaled[kBlock];
    scaled[threadIdx.x] = in[threadIdx.x] * table[threadIdx.x % 4];
    __syncthreads();
    out[threadIdx.x] = scaled[(threadIdx.x * 5) % kBlock];
}

// Two blocks that hand a value back and forth.
__global__ void pair_of_flags() {
    if (threadIdx.x != 0 || blockIdx.x > 1) return;
    volatile int* const turn_of = &serving;
    for (int turn = 0; turn < 4; ++turn) {
        while (*turn_of != 2 * turn + static_cast<int>(blockIdx.x)) {
        }
        __threadfence();
        total = total * 2 + blockIdx.x;
        __threadfence();
        *turn_of = *turn_of + 1;
    }
}

__global__ void shuffle_broadcast() {
    int at = 0;
    if (threadIdx.x % 32 == 0) at = atomicAdd(&total, 32);
    at = __shfl_sync(0xffffffff, at, 0);
    out[(at + threadIdx.x % 32) % kAll] = in[threadIdx.x];
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    start<<<1, 128>>>();
    if (is("ticket_lock")) ticket_lock<<<kBlocks, kBlock>>>();
    if (is("look_back")) look_back<<<kBlocks, kBlock>>>();
    if (is("sense_reversing"))
        cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sense_reversing), kBlocks, kBlock, nullptr);
    if (is("exchange_hand_off")) exchange_hand_off<<<kBlocks, kBlock>>>();
    if (is("compare_and_swap_maximum")) compare_and_swap_maximum<<<kBlocks, kBlock>>>();
    if (is("warp_aggregated_atomics")) warp_aggregated_atomics<<<kBlocks, kBlock>>>();
    if (is("coalesced_group")) coalesced_group<<<1, kBlock>>>();
    if (is("private_per_warp")) private_per_warp<<<1, kBlock>>>();
    if (is("scan_of_warps")) scan_of_warps<<<1, kBlock>>>();
    if (is("barrier_that_counts")) barrier_that_counts<<<1, kBlock>>>();
    if (is("barrier_that_votes")) barrier_that_votes<<<1, kBlock>>>();
    if (is("three_stages")) three_stages<<<1, kBlock>>>();
    if (is("warp_roles")) warp_roles<<<1, kBlock>>>();
    if (is("partitioned_dynamic")) partitioned_dynamic<<<1, kBlock, kBlock * 6>>>();
    if (is("rotating_buffers")) rotating_buffers<<<1, kBlock>>>();
    if (is("own_elements_only")) own_elements_only<<<1, kBlock>>>();
    if (is("one_warp_in_turns")) one_warp_in_turns<<<1, 32>>>();
    if (is("ping_pong_kernels"))
        for (int turn = 0; turn < 3; ++turn) {
            int *a = nullptr, *b = nullptr;
            cudaGetSymbolAddress(reinterpret_cast<void**>(&a), in);
            cudaGetSymbolAddress(reinterpret_cast<void**>(&b), other);
            step<<<kBlocks, kBlock>>>(turn % 2 ? b : a, turn % 2 ? a : b);
        }
    if (is("diverged_lanes_meet")) diverged_lanes_meet<<<1, 32>>>();
    if (is("release_by_many")) release_by_many<<<2, kBlock>>>();
    if (is("local_arrays")) local_arrays<<<1, kBlock>>>(5);
    if (is("constant_and_shared")) constant_and_shared<<<1, kBlock>>>();
    if (is("pair_of_flags")) pair_of_flags<<<2, kBlock>>>();
    if (is("shuffle_broadcast")) shuffle_broadcast<<<1, kBlock>>>();
    return cudaDeviceSynchronize();
}
