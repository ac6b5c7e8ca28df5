// Cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "idioms.cuh"

namespace cg = cooperative_groups;

template <class Group>
__device__ int group_sum(Group group, int value) {
    for (int i = group.size() / 2; i > 0; i /= 2) value += group.shfl_down(value, i);
    return value;
}
__global__ void tiles(int* out) {
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    const int sum = group_sum(tile, block.thread_rank());
    if (tile.thread_rank() == 0)
        out[block.thread_rank() / 8] = sum + 1000 * tile.meta_group_rank() + 100000 * tile.meta_group_size();
}
IDIOM(sum_of_tiles) {
    Buffer<int> out(8);
    tiles<<<1, 64>>>(out);
    report.expect(out, [](int t) { return t * 64 + 28 + 1000 * t + 800000; });
}

__global__ void shared_sum(int* out) {
    __shared__ int total;
    cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0) total = 0;
    block.sync();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const int sum = cg::reduce(warp, static_cast<int>(threadIdx.x), cg::plus<int>());
    const int most = cg::reduce(warp, static_cast<int>(threadIdx.x) % 9, cg::greater<int>());
    if (warp.thread_rank() == 0) atomicAdd(&total, sum + most);
    cg::sync(block);
    out[threadIdx.x] = total;
}
IDIOM(reduce_of_warps) {
    Buffer<int> out(96);
    shared_sum<<<1, 96>>>(out);
    report.expect(out, [](int) { return 96 * 95 / 2 + 24; });
}

__global__ void coalesced(int* out, int* count) {
    const int i = threadIdx.x;
    if (i % 3 == 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        int base = 0;
        if (active.thread_rank() == 0) base = atomicAdd(count, active.size());
        out[active.shfl(base, 0) + active.thread_rank()] = i;
    }
}
IDIOM(group_of_who_is_here) {
    Buffer<int> out(32), count(1);
    coalesced<<<1, 64>>>(out, count);
    report.add(count);
    int sum = 0;
    for (int i = 0; i < count[0]; ++i) sum += out[i];
    report.check(count[0] == 21 && sum == 21 * 31);
}

__global__ void whole_grid(int* data, int* out) {
    cg::grid_group grid = cg::this_grid();
    const int i = grid.thread_rank(), n = grid.size();
    data[i] = i;
    grid.sync();
    out[i] = data[n - 1 - i] + grid.is_valid();
    cg::sync(grid);
    data[i] = out[(i + 1) % n];
}
IDIOM(grid_that_waits) {
    Buffer<int> data(256), out(256);
    int* a = data;
    int* b = out;
    void* arguments[] = {&a, &b};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(whole_grid), dim3(4), dim3(64), arguments, 0, 0);
    report.expect(out, [](int i) { return 255 - i + 1; });
    report.expect(data, [](int i) { return 256 - (i + 1) % 256; });
}

__global__ void group_scans(int* inclusive, int* exclusive) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int i = threadIdx.x;
    inclusive[i] = cg::inclusive_scan(tile, i % 5 + 1);
    exclusive[i] = cg::exclusive_scan(tile, i % 5 + 1, cg::plus<int>());
}
IDIOM(scans_of_tiles) {
    Buffer<int> inclusive(32), exclusive(32);
    group_scans<<<1, 32>>>(inclusive, exclusive);
    auto before = [](int i) {
        int sum = 0;
        for (int k = i / 16 * 16; k < i; ++k) sum += k % 5 + 1;
        return sum;
    };
    report.expect(exclusive, before);
    report.expect(inclusive, [&](int i) { return before(i) + i % 5 + 1; });
}

__global__ void votes_of_tiles(unsigned* out) {
    const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    const int i = threadIdx.x;
    out[i] = tile.ballot(i % 3 == 0) + 16 * tile.any(i == 5) + 32 * tile.all(i < 20) + 64 * tile.match_any(i / 2);
}
IDIOM(votes_of_small_tiles) {
    Buffer<unsigned> out(32);
    votes_of_tiles<<<1, 32>>>(out);
    report.add(out);
    report.check(out[0] == 1 + 8 + 32 + 64 * 3);
}

__global__ void binary(int* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const bool odd = threadIdx.x % 2;
    cg::coalesced_group half = cg::binary_partition(warp, odd);
    out[threadIdx.x] = half.size() * 100 + half.thread_rank() + 10000 * cg::reduce(half, 1, cg::plus<int>());
    cg::coalesced_group third = cg::labeled_partition(warp, static_cast<int>(threadIdx.x) % 3);
    out[threadIdx.x] += 1000000 * third.size();
}
IDIOM(partition_by_a_flag_and_a_label) {
    Buffer<int> out(32);
    binary<<<1, 32>>>(out);
    report.expect(out, [](int i) { return 1600 + i / 2 + 160000 + 1000000 * (i % 3 < 2 ? 11 : 10); });
}

__global__ void copies(const int* in, int* out) {
    __shared__ int s[128];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in + blockIdx.x * 128, sizeof(int) * 128);
    cg::wait(block);
    out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];
}
IDIOM(asynchronous_copy_by_a_block) {
    Buffer<int> in(256), out(256);
    for (int i = 0; i < 256; ++i) in[i] = i * 3;
    copies<<<2, 128>>>(in, out);
    report.expect(out, [](int i) { return 3 * (i / 128 * 128 + 127 - i % 128); });
}

__global__ void ranks(int* out) {
    const auto block = cg::this_thread_block();
    const dim3 t = block.thread_index(), b = block.group_index(), d = block.group_dim();
    const auto grid = cg::this_grid();
    out[grid.thread_rank()] =
        t.x + 10 * t.y + 100 * b.x + 1000 * d.y + 10000 * block.size() + block.num_threads() * 1000000;
}
IDIOM(ranks_and_indices) {
    Buffer<int> out(48);
    ranks<<<2, dim3(8, 3)>>>(out);
    report.expect(out, [](int i) { return i % 8 + 10 * (i / 8 % 3) + 100 * (i / 24) + 3000 + 240000 + 24000000; });
}

template <int Size>
__device__ int tile_max(int value) {
    cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(cg::this_thread_block());
    for (int m = Size / 2; m > 0; m /= 2) value = max(value, tile.shfl_xor(value, m));
    return tile.shfl(value, 0);
}
__global__ void maxima(int* out) {
    out[threadIdx.x] = tile_max<4>(threadIdx.x * 5 % 17) + 100 * tile_max<16>(threadIdx.x * 5 % 17);
}
IDIOM(tiles_of_a_template) {
    Buffer<int> out(32);
    maxima<<<1, 32>>>(out);
    auto most = [](int i, int size) {
        int m = 0;
        for (int k = i / size * size; k < i / size * size + size; ++k) m = k * 5 % 17 > m ? k * 5 % 17 : m;
        return m;
    };
    report.expect(out, [&](int i) { return most(i, 4) + 100 * most(i, 16); });
}

__global__ void elected(int* out) {
    const auto block = cg::this_thread_block();
    cg::invoke_one(block, [&] { atomicAdd(out, 1); });
    block.sync();
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
    if (cg::tiled_partition<32>(block).thread_rank() == 0) atomicAdd(out, 10);
}
IDIOM(one_thread_of_a_block) {
    Buffer<int> out(1);
    elected<<<3, 64>>>(out);
    report.expect(out, [](int) { return 63; });
}
