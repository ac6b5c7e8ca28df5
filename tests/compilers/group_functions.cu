// Cooperative groups' functions beside their classes: scans and matches of lanes that are active together, what one
// thread does for its group, copies into shared memory. A digest for each, the same through every compiler.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "digests.cuh"

namespace cg = cooperative_groups;

// clang-format off
#define TOLD(F)                                                                          \
    F(inclusive, cg::inclusive_scan(group, value))                                       \
    F(exclusive, cg::exclusive_scan(group, value))                                       \
    F(inclusive_max, cg::inclusive_scan(group, value, cg::greater<int>()))               \
    F(exclusive_or, cg::exclusive_scan(group, value, cg::bit_or<int>()))                 \
    F(reduced, cg::reduce(group, value, cg::plus<int>()))                                \
    F(ballot, group.ballot(value & 1)) F(match, group.match_any(value % 4))              \
        F(match_all, group.match_all(value / 1000, all) + all)                           \
            F(size, cg::group_size(group) * 100 + cg::thread_rank(group))                \
                F(labelled, cg::labeled_partition(group, value % 3).size())              \
                    F(binary, cg::binary_partition(group, value % 3 == 0).thread_rank()) \
                        F(sum_of_one, __reduce_add_sync(mask, one))
// clang-format on
#define NAME(name, expression) #name,
const char* const names[] = {TOLD(NAME) "copied"};

__global__ void kernel(unsigned long long* sums, const int* in) {
    __shared__ int shared[128];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, shared, in + 128 * blockIdx.x, sizeof(int) * 128);
    cg::wait(block);
    const int value = shared[threadIdx.x];
    const unsigned i = blockIdx.x * 128 + threadIdx.x;
    atomicAdd(sums + sizeof(names) / sizeof(names[0]) - 1, digest(i, value));
    if (mixed(i) % 3 == 0) return;
    const cg::coalesced_group group = cg::coalesced_threads();
    const unsigned mask = __activemask();
    int all = 0, at = 0, one = 0;
    cg::invoke_one(group, [&] { one = value; });
#define ADD(name, expression)                                      \
    {                                                              \
        const unsigned result = static_cast<unsigned>(expression); \
        atomicAdd(sums + at++, digest(i, result));                 \
        __syncwarp(mask);                                          \
    }
    TOLD(ADD)
}

template <class T>
__device__ unsigned sum_of(T x) {
    return x.x + 3 * x.y + 5 * x.z + 7 * x.w;
}

// What tiles and parts of groups are among their like, structures on their way, and barriers in two steps.
// clang-format off
#define OF_TILES(F)                                                                                              \
    F(four, sum_of(tile.shfl(four, 5))) F(four_down, sum_of(tile.shfl_down(four, 2)))                            \
    F(four_up, sum_of(group.shfl_up(four, 1))) F(four_of, sum_of(group.shfl(four, 3)))                           \
    F(pair_across, static_cast<unsigned>(tile.shfl_xor(make_double2(value, 2.0), 4).x))                          \
    F(tile, tile.meta_group_rank() * 100 + tile.meta_group_size())                                               \
    F(tile_of_tile, cg::tiled_partition<4>(tile).meta_group_rank() * 100 + cg::tiled_partition<4>(tile).meta_group_size()) \
    F(whole, group.meta_group_rank() * 100 + group.meta_group_size())                                            \
    F(label, label.meta_group_rank() * 100 + label.meta_group_size())                                            \
    F(two, two.meta_group_rank() * 100 + two.meta_group_size())                                                  \
    F(part, part.meta_group_rank() * 1000 + part.meta_group_size() * 100 + part.thread_rank())                   \
    F(types, block.get_type() * 100 + any.get_type() * 10 + group.get_type())                                    \
    F(grid, grid.dim_threads().x + grid.thread_index().x * 10 + grid.cluster_index().x * 100)                    \
    F(clusters, grid.num_clusters() * 100 + grid.dim_clusters().x * 10 + grid.cluster_rank())                    \
    F(after_barriers, after)
// clang-format on
#define ADD_TO_TILES(name, expression) digest_here(sums, at++, i, static_cast<unsigned>(expression));
const char* const tile_names[] = {OF_TILES(NAME)};

__global__ void tiles(unsigned long long* sums, const int* in, int* sums_of_tiles) {
    __shared__ int shared[128];
    const cg::thread_block block = cg::this_thread_block();
    const cg::grid_group grid = cg::this_grid();
    const unsigned i = blockIdx.x * 128 + threadIdx.x;
    const int value = in[i];
    const auto tile = cg::tiled_partition<16>(block);
    const cg::coalesced_group group = cg::coalesced_threads();
    const cg::thread_group any = tile;
    const auto label = cg::labeled_partition(tile, 5 - value % 3), two = cg::binary_partition(tile, value % 3 == 1);
    const auto part = cg::tiled_partition(group, 8);
    const int4 four = make_int4(value, i, 2 * i, 7);

    cg::reduce_store_async(tile, sums_of_tiles + i / 16, value, cg::plus<int>());
    shared[threadIdx.x] = value;
    auto arrived = block.barrier_arrive();
    block.barrier_wait(static_cast<decltype(arrived)&&>(arrived));
    auto grid_arrived = grid.barrier_arrive();
    int after = shared[127 - threadIdx.x];
    grid.barrier_wait(static_cast<decltype(grid_arrived)&&>(grid_arrived));
    after += sums_of_tiles[(i / 16 + 9) % 64];
    int at = 0;
    OF_TILES(ADD_TO_TILES)
}

int main() {
    unsigned long long* sums;
    int* in;
    cudaMallocManaged(&sums, sizeof(*sums) * std::size(names));
    cudaMallocManaged(&in, sizeof(int) * 1024);
    for (int i = 0; i < 1024; ++i) in[i] = static_cast<int>(mixed(i) % 2000);
    kernel<<<8, 128>>>(sums, in);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n");
    for (std::size_t k = 0; k < std::size(names); ++k) print_digest("groups", "device", names[k], sums[k]);

    int* sums_of_tiles;
    cudaMallocManaged(&sums_of_tiles, sizeof(int) * 64);
    cudaMallocManaged(&sums, sizeof(*sums) * std::size(tile_names));
    void* arguments[] = {&sums, &in, &sums_of_tiles};
    if (cudaLaunchCooperativeKernel((const void*)tiles, 8, 128, arguments, 0, nullptr) != cudaSuccess ||
        cudaDeviceSynchronize() != cudaSuccess)
        printf("FAILED\n");
    for (std::size_t k = 0; k < std::size(tile_names); ++k) print_digest("tiles", "device", tile_names[k], sums[k]);
}
