// Cooperative groups: thread blocks, grids, tiles of a warp and the lanes that are active together.
//
// Does not model: multi-device grids, labelled and binary partitions, memcpy_async, tiles wider than a warp.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__)
#include <type_traits>

namespace cooperative_groups {

#define TILESCOPE_GROUP static __inline__ __attribute__((device, always_inline))
#define TILESCOPE_MEMBER __inline__ __attribute__((device, always_inline))

namespace details {
TILESCOPE_GROUP unsigned lane() {
    unsigned id;
    asm("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}
TILESCOPE_GROUP unsigned lanes_below() {
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}
TILESCOPE_GROUP unsigned thread_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
TILESCOPE_GROUP unsigned threads_in_block() { return blockDim.x * blockDim.y * blockDim.z; }
TILESCOPE_GROUP unsigned block_in_grid() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
}  // namespace details

class thread_block {
public:
    static TILESCOPE_MEMBER void sync() { asm volatile("barrier.sync 0;" ::: "memory"); }
    static TILESCOPE_MEMBER unsigned thread_rank() { return details::thread_in_block(); }
    static TILESCOPE_MEMBER unsigned num_threads() { return details::threads_in_block(); }
    static TILESCOPE_MEMBER unsigned size() { return details::threads_in_block(); }
    static TILESCOPE_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static TILESCOPE_MEMBER dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static TILESCOPE_MEMBER dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static TILESCOPE_MEMBER dim3 group_dim() { return dim_threads(); }
};
TILESCOPE_GROUP thread_block this_thread_block() { return thread_block(); }

// The blocks of a cluster (compute capability 9.0).
class cluster_group {
public:
    struct arrival_token {};

    static TILESCOPE_MEMBER void sync() {
        barrier_arrive();
        barrier_wait();
    }
    static TILESCOPE_MEMBER arrival_token barrier_arrive() {
        asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
        return {};
    }
    static TILESCOPE_MEMBER void barrier_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
    static TILESCOPE_MEMBER void barrier_wait(arrival_token&&) { barrier_wait(); }
    static TILESCOPE_MEMBER unsigned query_shared_rank(const void* address) {
        unsigned rank;
        asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
        return rank;
    }
    template <class T>
    static TILESCOPE_MEMBER T* map_shared_rank(T* address, int rank) {
        unsigned long long mapped;
        asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
        return reinterpret_cast<T*>(mapped);
    }
    static TILESCOPE_MEMBER unsigned block_rank() {
        unsigned rank;
        asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
        return rank;
    }
    static TILESCOPE_MEMBER unsigned num_blocks() {
        unsigned blocks;
        asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
        return blocks;
    }
    static TILESCOPE_MEMBER dim3 block_index() {
        unsigned x, y, z;
        asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
        asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
        asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(z));
        return dim3(x, y, z);
    }
    static TILESCOPE_MEMBER dim3 dim_blocks() {
        unsigned x, y, z;
        asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(x));
        asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(y));
        asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(z));
        return dim3(x, y, z);
    }
    static TILESCOPE_MEMBER unsigned thread_rank() {
        return block_rank() * details::threads_in_block() + details::thread_in_block();
    }
    static TILESCOPE_MEMBER unsigned num_threads() { return num_blocks() * details::threads_in_block(); }
    static TILESCOPE_MEMBER unsigned size() { return num_threads(); }
    static TILESCOPE_MEMBER dim3 dim_threads() {
        const dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    static TILESCOPE_MEMBER dim3 thread_index() {
        const dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
};
TILESCOPE_GROUP cluster_group this_cluster() { return cluster_group(); }

// What a cooperative launch keeps of its grid, in device memory. Device code of other headers uses its first half.
struct grid_workspace {
    unsigned words[8];
    unsigned arrived;     // blocks at the barrier
    unsigned generation;  // barriers that all blocks have passed
};

// The blocks of a launch. They can meet if it is cooperative (cudaLaunchCooperativeKernel).
class grid_group {
public:
    TILESCOPE_MEMBER grid_group() {
        unsigned low, high;
        asm("mov.u32 %0, %%envreg2;" : "=r"(low));
        asm("mov.u32 %0, %%envreg1;" : "=r"(high));
        workspace_ = reinterpret_cast<grid_workspace*>((unsigned long long)high << 32 | low);
    }
    TILESCOPE_MEMBER bool is_valid() const { return workspace_ != nullptr; }
    // Every thread of the grid waits for all others, and sees what they wrote before. Ends the kernel if the launch is
    // not cooperative.
    TILESCOPE_MEMBER void sync() const {
        if (!is_valid()) __trap();
        thread_block::sync();
        if (details::thread_in_block() == 0) {
            __threadfence();
            volatile grid_workspace* const seen = workspace_;
            const unsigned generation = seen->generation;
            if (atomicAdd(&workspace_->arrived, 1u) + 1 == num_blocks()) {
                seen->arrived = 0;
                __threadfence();
                seen->generation = generation + 1;
            } else {
                while (seen->generation == generation) {
                }
            }
            __threadfence();
        }
        thread_block::sync();
    }
    static TILESCOPE_MEMBER unsigned long long thread_rank() {
        return (unsigned long long)details::block_in_grid() * details::threads_in_block() + details::thread_in_block();
    }
    static TILESCOPE_MEMBER unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static TILESCOPE_MEMBER unsigned long long num_threads() { return num_blocks() * details::threads_in_block(); }
    static TILESCOPE_MEMBER unsigned long long size() { return num_threads(); }
    static TILESCOPE_MEMBER unsigned long long block_rank() { return details::block_in_grid(); }
    static TILESCOPE_MEMBER dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static TILESCOPE_MEMBER dim3 dim_blocks() { return group_dim(); }
    static TILESCOPE_MEMBER dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }

private:
    grid_workspace* workspace_;
};
TILESCOPE_GROUP grid_group this_grid() { return grid_group(); }

namespace details {

// What tiles and coalesced groups share: a mask of lanes of one warp, and talk among them.
class lanes_of_warp {
public:
    TILESCOPE_MEMBER void sync() const { __syncwarp(mask_); }
    TILESCOPE_MEMBER int any(int predicate) const { return __any_sync(mask_, predicate); }
    TILESCOPE_MEMBER int all(int predicate) const { return __all_sync(mask_, predicate); }

    friend TILESCOPE_MEMBER unsigned mask_of(const lanes_of_warp& lanes) { return lanes.mask_; }

protected:
    explicit TILESCOPE_MEMBER lanes_of_warp(unsigned mask) : mask_(mask) {}
    unsigned mask_;
};

}  // namespace details

template <unsigned Size, class Parent = void>
class thread_block_tile : public details::lanes_of_warp {
    static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
                  "a tile is a power of two of threads, at most a warp");

public:
    TILESCOPE_MEMBER thread_block_tile()
        : lanes_of_warp(Size == 32 ? 0xffffffffu : ((1u << (Size % 32)) - 1) << (details::lane() & ~(Size - 1))) {}
    // Whose part it is matters to nobody: a tile of a block is a tile.
    template <class Other>
    TILESCOPE_MEMBER thread_block_tile(const thread_block_tile<Size, Other>&) : thread_block_tile() {}

    static constexpr unsigned long long num_threads() { return Size; }
    static constexpr unsigned long long size() { return Size; }
    static TILESCOPE_MEMBER unsigned thread_rank() { return details::thread_in_block() & (Size - 1); }
    static TILESCOPE_MEMBER unsigned meta_group_rank() { return details::thread_in_block() / Size; }
    static TILESCOPE_MEMBER unsigned meta_group_size() { return (details::threads_in_block() + Size - 1) / Size; }

    template <class T>
    TILESCOPE_MEMBER T shfl(T value, int rank) const {
        return __shfl_sync(mask_, value, rank, Size);
    }
    template <class T>
    TILESCOPE_MEMBER T shfl_up(T value, unsigned delta) const {
        return __shfl_up_sync(mask_, value, delta, Size);
    }
    template <class T>
    TILESCOPE_MEMBER T shfl_down(T value, unsigned delta) const {
        return __shfl_down_sync(mask_, value, delta, Size);
    }
    template <class T>
    TILESCOPE_MEMBER T shfl_xor(T value, unsigned lanes) const {
        return __shfl_xor_sync(mask_, value, lanes, Size);
    }
    TILESCOPE_MEMBER unsigned ballot(int predicate) const { return own_part(__ballot_sync(mask_, predicate)); }
    template <class T>
    TILESCOPE_MEMBER unsigned match_any(T value) const {
        return own_part(__match_any_sync(mask_, value));
    }
    template <class T>
    TILESCOPE_MEMBER unsigned match_all(T value, int& predicate) const {
        return own_part(__match_all_sync(mask_, value, &predicate));
    }

private:
    // A mask of the warp's lanes as one of the tile's.
    TILESCOPE_MEMBER unsigned own_part(unsigned lanes) const {
        return Size == 32 ? lanes : (lanes & mask_) >> (details::lane() & ~(Size - 1));
    }
};

class coalesced_group : public details::lanes_of_warp {
public:
    explicit TILESCOPE_MEMBER coalesced_group(unsigned mask) : lanes_of_warp(mask) {}

    TILESCOPE_MEMBER unsigned num_threads() const { return __popc(mask_); }
    TILESCOPE_MEMBER unsigned size() const { return __popc(mask_); }
    TILESCOPE_MEMBER unsigned thread_rank() const { return __popc(mask_ & details::lanes_below()); }

    // Ranks count the group's own lanes, in order.
    template <class T>
    TILESCOPE_MEMBER T shfl(T value, unsigned rank) const {
        return __shfl_sync(mask_, value, lane_of(rank));
    }
    template <class T>
    TILESCOPE_MEMBER T shfl_up(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        return __shfl_sync(mask_, value, rank < delta ? details::lane() : lane_of(rank - delta));
    }
    template <class T>
    TILESCOPE_MEMBER T shfl_down(T value, unsigned delta) const {
        const unsigned rank = thread_rank() + delta;
        return __shfl_sync(mask_, value, rank >= size() ? details::lane() : lane_of(rank));
    }
    TILESCOPE_MEMBER unsigned ballot(int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
    template <class T>
    TILESCOPE_MEMBER unsigned match_any(T value) const {
        return packed(__match_any_sync(mask_, value));
    }
    template <class T>
    TILESCOPE_MEMBER unsigned match_all(T value, int& predicate) const {
        return packed(__match_all_sync(mask_, value, &predicate));
    }

private:
    // A mask of the warp's lanes as one of the group's ranks.
    TILESCOPE_MEMBER unsigned packed(unsigned lanes) const {
        unsigned ranks = 0;
        for (unsigned rank = 0, left = mask_; left != 0; left &= left - 1, ++rank)
            ranks |= ((lanes >> (__ffs(left) - 1)) & 1u) << rank;
        return ranks;
    }
    TILESCOPE_MEMBER int lane_of(unsigned rank) const { return __fns(mask_, 0, (int)rank + 1); }
};
TILESCOPE_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// The parent's threads whose label, or predicate, is the caller's.
template <class Group, class T>
TILESCOPE_GROUP coalesced_group labeled_partition(const Group& parent, T label) {
    return coalesced_group(__match_any_sync(mask_of(parent), label));
}
template <class Group>
TILESCOPE_GROUP coalesced_group binary_partition(const Group& parent, bool predicate) {
    const unsigned lanes = __ballot_sync(mask_of(parent), predicate);
    return coalesced_group(predicate ? lanes : mask_of(parent) & __activemask() & ~lanes);
}

template <unsigned Size, class Parent>
TILESCOPE_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
    return thread_block_tile<Size, Parent>();
}

// A group whose kind and size are known when the kernel runs: a block, a tile, or lanes that are active together.
class thread_group {
public:
    TILESCOPE_MEMBER thread_group(const thread_block&) : size_(details::threads_in_block()), is_block_(true) {}
    template <unsigned Size, class Parent>
    TILESCOPE_MEMBER thread_group(const thread_block_tile<Size, Parent>& tile) : mask_(mask_of(tile)), size_(Size) {}
    TILESCOPE_MEMBER thread_group(const coalesced_group& group) : mask_(mask_of(group)), size_(group.size()) {}

    TILESCOPE_MEMBER void sync() const {
        if (is_block_)
            thread_block::sync();
        else
            __syncwarp(mask_);
    }
    TILESCOPE_MEMBER unsigned long long size() const { return size_; }
    TILESCOPE_MEMBER unsigned long long num_threads() const { return size_; }
    TILESCOPE_MEMBER unsigned long long thread_rank() const {
        return is_block_ ? details::thread_in_block() : __popc(mask_ & details::lanes_below());
    }
    static constexpr bool is_valid() { return true; }

private:
    friend TILESCOPE_MEMBER thread_group tiled_partition(const thread_group& parent, unsigned size);
    TILESCOPE_MEMBER thread_group(unsigned mask, unsigned size) : mask_(mask), size_(size) {}

    unsigned mask_ = 0, size_;
    bool is_block_ = false;
};
// Tiles of `size` threads, a power of two and at most a warp: of a block by its threads, of lanes by their ranks.
TILESCOPE_MEMBER thread_group tiled_partition(const thread_group& parent, unsigned size) {
    if (parent.is_block_)
        return thread_group(size >= 32 ? 0xffffffffu : ((1u << size) - 1) << (details::lane() & ~(size - 1)), size);
    const unsigned first = __popc(parent.mask_ & details::lanes_below()) & ~(size - 1);
    unsigned mask = 0;
    for (unsigned rank = 0, left = parent.mask_; left != 0; left &= left - 1, ++rank)
        if (rank >= first && rank < first + size) mask |= left & (0u - left);
    return thread_group(mask, __popc(mask));
}

template <class Group>
TILESCOPE_GROUP void sync(const Group& group) {
    group.sync();
}

template <class T>
struct plus {
    TILESCOPE_MEMBER T operator()(T x, T y) const { return x + y; }
};
template <class T>
struct less {
    TILESCOPE_MEMBER T operator()(T x, T y) const { return y < x ? y : x; }
};
template <class T>
struct greater {
    TILESCOPE_MEMBER T operator()(T x, T y) const { return x < y ? y : x; }
};
template <class T>
struct bit_and {
    TILESCOPE_MEMBER T operator()(T x, T y) const { return x & y; }
};
template <class T>
struct bit_or {
    TILESCOPE_MEMBER T operator()(T x, T y) const { return x | y; }
};
template <class T>
struct bit_xor {
    TILESCOPE_MEMBER T operator()(T x, T y) const { return x ^ y; }
};

// Every lane gets the whole tile's result.
template <unsigned Size, class Parent, class T, class Operation>
TILESCOPE_GROUP T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
#pragma unroll
    for (unsigned distance = Size / 2; distance > 0; distance /= 2)
        value = operation(value, tile.shfl_xor(value, distance));
    return value;
}
template <class T, class Operation>
TILESCOPE_GROUP T reduce(const coalesced_group& group, T value, Operation operation) {
    T total = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); ++rank) total = operation(total, group.shfl(value, rank));
    return total;
}
template <unsigned Size, class Parent, class T, class Operation>
TILESCOPE_GROUP T inclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
#pragma unroll
    for (unsigned distance = 1; distance < Size; distance *= 2) {
        const T other = tile.shfl_up(value, distance);
        if (tile.thread_rank() >= distance) value = operation(other, value);
    }
    return value;
}
template <unsigned Size, class Parent, class T, class Operation>
TILESCOPE_GROUP T exclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
    const T below = tile.shfl_up(inclusive_scan(tile, value, operation), 1);
    return tile.thread_rank() == 0 ? T() : below;
}
template <unsigned Size, class Parent, class T>
TILESCOPE_GROUP T inclusive_scan(const thread_block_tile<Size, Parent>& tile, T value) {
    return inclusive_scan(tile, value, plus<T>());
}
template <unsigned Size, class Parent, class T>
TILESCOPE_GROUP T exclusive_scan(const thread_block_tile<Size, Parent>& tile, T value) {
    return exclusive_scan(tile, value, plus<T>());
}

#undef TILESCOPE_GROUP
#undef TILESCOPE_MEMBER

}  // namespace cooperative_groups

#include "tilescope/group_functions.h"
#endif
