// What lanes, warps and blocks say to each other: shuffles, votes, atomics, barriers, fences, cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void warp(int* o, float* f, double* d, long long* l, unsigned long long* u) {
    const unsigned all = 0xffffffffu;
    const int i = threadIdx.x;
    int everywhere;
    o[0] = __shfl_sync(all, o[i], 3) + __shfl_up_sync(all, o[i], 1) + __shfl_down_sync(all, o[i], 2, 16);
    f[0] = __shfl_xor_sync(all, f[i], 4) + __shfl_sync(all, f[i], 0, 8);
    d[0] = __shfl_sync(all, d[i], 3) + __shfl_down_sync(all, d[i], 3);
    l[0] = __shfl_sync(all, l[i], 3);
    u[0] = __shfl_xor_sync(all, u[i], 3);
    o[1] = __all_sync(all, i < 8) + __any_sync(all, i < 8) + (int)__ballot_sync(all, i < 8) + (int)__activemask();
    o[2] = (int)__match_any_sync(all, o[i]) + (int)__match_all_sync(all, l[i], &everywhere) + everywhere;
    o[3] = (int)__reduce_add_sync(all, (unsigned)i) + __reduce_min_sync(all, i) + (int)__reduce_xor_sync(all, 5u);
    __syncwarp();
    __syncthreads();
    o[4] = __syncthreads_count(i) + __syncthreads_and(i) + __syncthreads_or(i);
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    __nanosleep(10);
    l[1] = clock64() + clock();
}

__global__ void atomics(int* i, unsigned* u, unsigned long long* l, long long* s, float* f, double* d,
                        unsigned short* h) {
    atomicAdd(i, 1);
    atomicAdd(u, 1u);
    atomicAdd(l, 1ull);
    atomicAdd(f, 1.0f);
    atomicAdd(d, 1.0);
    atomicSub(i, 1);
    atomicSub(u, 1u);
    f[1] = atomicExch(f, 2.0f);
    i[1] = atomicExch(i, 2) + atomicMin(i, 3) + atomicMax(i, 4) + atomicAnd(i, 5) + atomicOr(i, 6) + atomicXor(i, 7);
    u[1] =
        atomicExch(u, 2) + atomicMin(u, 3) + atomicMax(u, 4) + atomicInc(u, 5) + atomicDec(u, 6) + atomicCAS(u, 1, 2);
    l[1] = atomicExch(l, 2) + atomicMin(l, 3) + atomicMax(l, 4) + atomicAnd(l, 5) + atomicCAS(l, 6, 7);
    s[1] = atomicMin(s, 3) + atomicMax(s, 4);
    i[2] = atomicCAS(i, 1, 2) + atomicAdd_block(i, 1) + atomicAdd_system(i, 1) + atomicCAS_block(i, 1, 2);
    f[2] = atomicAdd_block(f, 1.0f) + atomicAdd_system(f, 1.0f);
    h[1] = atomicCAS(h, (unsigned short)1, (unsigned short)2);
}

__global__ void groups(int* o, float* f) {
    cg::thread_block block = cg::this_thread_block();
    block.sync();
    cg::sync(block);
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    f[block.thread_rank()] = warp.shfl_down(f[0], 3) + eight.shfl(f[1], 2) + eight.shfl_xor(f[1], 1);
    f[1] = cg::reduce(warp, f[2], cg::plus<float>()) + cg::reduce(eight, f[2], cg::greater<float>());
    o[0] = (int)eight.ballot(o[1]) + eight.any(o[1]) + eight.all(o[1]) + (int)eight.thread_rank();
    o[1] = (int)eight.meta_group_rank() + (int)eight.meta_group_size() + (int)eight.size() + (int)block.size();
    if (o[2] > 3) {
        auto active = cg::coalesced_threads();
        o[3] = active.thread_rank() == 0 ? atomicAdd(o, (int)active.size()) : 0;
        o[4] = active.shfl(o[3], 0);
    }
    o[5] = (int)cg::this_grid().thread_rank() + (int)block.group_index().x + (int)block.thread_index().y;
    eight.sync();
}

int main() { return 0; }
