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

int main() {
    unsigned long long* sums;
    int* in;
    cudaMallocManaged(&sums, sizeof(*sums) * std::size(names));
    cudaMallocManaged(&in, sizeof(int) * 1024);
    for (int i = 0; i < 1024; ++i) in[i] = static_cast<int>(mixed(i) % 2000);
    kernel<<<8, 128>>>(sums, in);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n");
    for (std::size_t k = 0; k < std::size(names); ++k) print_digest("groups", "device", names[k], sums[k]);
}
