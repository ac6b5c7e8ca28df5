// Cooperative groups: tiles of a warp, those that are here, parts by a label, and sums over them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "fourfold.cuh"

namespace cg = cooperative_groups;

__global__ void group(const int* in, int* out, int* appended, int* count) {
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const auto tile = cg::tiled_partition<8>(warp);
    const int i = block.group_index().x * block.size() + block.thread_rank(), value = in[i];
    int* to = out + i * 5;
    to[0] = cg::reduce(tile, value, cg::plus<int>());
    to[1] = cg::reduce(warp, value, cg::greater<int>());
    to[2] = cg::inclusive_scan(tile, value, cg::plus<int>());
    const auto parts = cg::labeled_partition(warp, value % 3);
    to[3] = cg::reduce(parts, value, cg::plus<int>());
    to[4] = tile.shfl(value, 2) + tile.meta_group_rank() * 100 + tile.any(value > 90);
    if (value % 2 == 0) {
        const auto here = cg::coalesced_threads();
        int base = 0;
        if (here.thread_rank() == 0) base = atomicAdd(count, here.size());
        appended[here.shfl(base, 0) + here.thread_rank()] = value;
    }
}

int main() {
    constexpr int size = 128;
    const std::vector<int> values = numbers<int>(size, 0, 99);
    std::vector<int> expected;
    int even = 0, sum_even = 0, sum = 0;
    for (int i = 0; i < size; ++i) {
        int tile = 0, largest = 0, scanned = 0, labelled = 0, any = 0;
        for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) {
            largest = std::max(largest, values[k]);
            if (values[k] % 3 == values[i] % 3) labelled += values[k];
            if (k / 8 == i / 8) tile += values[k], any |= values[k] > 90;
            if (k / 8 == i / 8 && k <= i) scanned += values[k];
        }
        for (const int x : {tile, largest, scanned, labelled, values[i / 8 * 8 + 2] + i % 32 / 8 * 100 + any})
            expected.push_back(x);
        if (values[i] % 2 == 0) ++even, sum_even += values[i];
    }
    const Buffer<int> in(values), out(size * 5), appended(size), count(1);
    group<<<2, 64>>>(in, out, appended, count);
    for (const int x : appended.host()) sum += x;
    return same("groups", out.host(), expected) +
           same("appended", std::vector<int>{count.host()[0], sum}, {even, sum_even});
}
