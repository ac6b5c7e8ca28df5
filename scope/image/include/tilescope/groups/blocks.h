// Groups of blocks: a block, a cluster, the grid. Part of cooperative_groups.h.
#pragma once

namespace cooperative_groups {

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

// Kinds of groups, as the toolkit numbers them.
enum group_id { coalesced_id = 1, block_id = 4 };

// What tiles wider than a warp share: for each size of tile the warps that wait at a barrier, a bit for each, and the
// word that each warp hands to others. It fits into the shared memory that is reserved for groups from compute
// capability 8.0 on, and is zero there when a block begins.
struct tile_memory {
    unsigned arrived[8];
    unsigned long long word[32];
};
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define TILESCOPE_RESERVED_TILE_MEMORY
#endif
// Its shared address is 0, which clang takes for a null pointer wherever it sees the conversion.
TILESCOPE_GROUP tile_memory* reserved_tile_memory() {
#if defined(__CUDA_ARCH__) && defined(TILESCOPE_RESERVED_TILE_MEMORY)
    unsigned long long address;
    asm("{ .reg .u32 offset; .reg .u64 wide; mov.u32 offset, %%reserved_smem_offset_1; cvt.u64.u32 wide, offset; "
        "cvta.shared.u64 %0, wide; }"
        : "=l"(address));
    return reinterpret_cast<tile_memory*>(address);
#else
    return nullptr;
#endif
}
}  // namespace details

template <unsigned Threads = 1024>
struct __attribute__((aligned(8))) block_tile_memory {
#ifndef TILESCOPE_RESERVED_TILE_MEMORY
    unsigned long long memory[sizeof(details::tile_memory::arrived) / 8 + (Threads + 31) / 32];
#endif
};

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
    // The barrier in two steps waits in the second alone, as the toolkit's does.
    struct arrival_token {};
    static TILESCOPE_MEMBER arrival_token barrier_arrive() { return {}; }
    static TILESCOPE_MEMBER void barrier_wait(arrival_token&&) { sync(); }
    static TILESCOPE_MEMBER unsigned get_type() { return details::block_id; }

    TILESCOPE_MEMBER details::tile_memory* tilescope_memory() const {
        return memory_ != nullptr ? memory_ : details::reserved_tile_memory();
    }

private:
    template <unsigned Threads>
    friend TILESCOPE_MEMBER thread_block this_thread_block(block_tile_memory<Threads>& memory);
    details::tile_memory* memory_ = nullptr;
};
TILESCOPE_GROUP thread_block this_thread_block() { return thread_block(); }
// A block that has tiles wider than a warp. All of its threads call this.
template <unsigned Threads>
TILESCOPE_MEMBER thread_block this_thread_block(block_tile_memory<Threads>& memory) {
    thread_block block;
#ifndef TILESCOPE_RESERVED_TILE_MEMORY
    block.memory_ = reinterpret_cast<details::tile_memory*>(&memory);
    if (block.thread_rank() == 0) memset(static_cast<void*>(&memory), 0, sizeof(memory));
    block.sync();
#endif
    return block;
}

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
    TILESCOPE_MEMBER void sync() const { barrier_wait(barrier_arrive()); }
    // The same in two steps, with anything but the grid's barrier between them.
    struct arrival_token {
        unsigned generation;
    };
    TILESCOPE_MEMBER arrival_token barrier_arrive() const {
        if (!is_valid()) __trap();
        arrival_token token{0};
        thread_block::sync();
        if (details::thread_in_block() == 0) {
            __threadfence();
            volatile grid_workspace* const seen = workspace_;
            token.generation = seen->generation;
            if (atomicAdd(&workspace_->arrived, 1u) + 1 == num_blocks()) {
                seen->arrived = 0;
                __threadfence();
                seen->generation = token.generation + 1;
            }
        }
        return token;
    }
    TILESCOPE_MEMBER void barrier_wait(arrival_token&& token) const {
        if (details::thread_in_block() == 0) {
            volatile grid_workspace* const seen = workspace_;
            while (seen->generation == token.generation) {
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
    static TILESCOPE_MEMBER dim3 dim_threads() {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    static TILESCOPE_MEMBER dim3 thread_index() {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
    // Of clusters (compute capability 9.0).
    static TILESCOPE_MEMBER dim3 dim_clusters() {
        unsigned x, y, z;
        asm("mov.u32 %0, %%nclusterid.x;" : "=r"(x));
        asm("mov.u32 %0, %%nclusterid.y;" : "=r"(y));
        asm("mov.u32 %0, %%nclusterid.z;" : "=r"(z));
        return dim3(x, y, z);
    }
    static TILESCOPE_MEMBER dim3 cluster_index() {
        unsigned x, y, z;
        asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
        asm("mov.u32 %0, %%clusterid.y;" : "=r"(y));
        asm("mov.u32 %0, %%clusterid.z;" : "=r"(z));
        return dim3(x, y, z);
    }
    static TILESCOPE_MEMBER unsigned long long num_clusters() {
        const dim3 clusters = dim_clusters();
        return (unsigned long long)clusters.x * clusters.y * clusters.z;
    }
    static TILESCOPE_MEMBER unsigned long long cluster_rank() {
        const dim3 clusters = dim_clusters(), at = cluster_index();
        return ((unsigned long long)at.z * clusters.y + at.y) * clusters.x + at.x;
    }

private:
    grid_workspace* workspace_;
};
TILESCOPE_GROUP grid_group this_grid() { return grid_group(); }

}  // namespace cooperative_groups
