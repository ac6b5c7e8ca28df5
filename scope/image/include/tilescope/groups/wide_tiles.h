// Tiles wider than a warp. Part of cooperative_groups.h.
#pragma once

namespace cooperative_groups {

namespace details {
// The warps that waited before, after this one says that it waits, too.
TILESCOPE_GROUP unsigned arrive(unsigned* waiting, unsigned warp) {
    unsigned before;
    asm volatile("atom.or.acq_rel.cta.b32 %0, [%1], %2;" : "=r"(before) : "l"(waiting), "r"(warp) : "memory");
    return before;
}
TILESCOPE_GROUP void let_go(unsigned* waiting, unsigned warps) {
    asm volatile("red.and.release.cta.b32 [%0], %1;" ::"l"(waiting), "r"(~warps) : "memory");
}
TILESCOPE_GROUP unsigned still_waiting(const unsigned* waiting) {
    unsigned warps;
    asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(warps) : "l"(waiting) : "memory");
    return warps;
}
}  // namespace details

// A tile of some warps of a block. They meet at a barrier in memory that they share (tile_memory), and values go from
// one warp to another through it.
template <unsigned Size, class Parent>
class thread_block_tile_of_warps {
public:
    explicit TILESCOPE_MEMBER thread_block_tile_of_warps(details::tile_memory* memory) : memory_(memory) {
        static_assert(Size == 64 || Size == 128 || Size == 256 || Size == 512, "a tile is a power of two of threads");
        if (memory_ == nullptr) __trap();
    }

    static constexpr unsigned long long num_threads() { return Size; }
    static constexpr unsigned long long size() { return Size; }
    static TILESCOPE_MEMBER unsigned thread_rank() { return details::thread_in_block() & (Size - 1); }
    static TILESCOPE_MEMBER unsigned meta_group_rank() { return details::threads_of<Parent>::rank() / Size; }
    static TILESCOPE_MEMBER unsigned meta_group_size() {
        return (details::threads_of<Parent>::count() + Size - 1) / Size;
    }
    TILESCOPE_MEMBER void sync() const {
        __syncwarp();
        if (details::thread_in_block() % 32 == 0) {
            unsigned* const waiting = memory_->arrived + kPlace;
            const unsigned own = 1u << details::thread_in_block() / 32, all = kWarps << first_warp();
            if (((details::arrive(waiting, own) | own) & all) == all)
                details::let_go(waiting, all);
            else
                while ((details::still_waiting(waiting) & own) != 0) {
                }
        }
        __syncwarp();
    }
    template <class T>
    TILESCOPE_MEMBER T shfl(T value, unsigned rank) const {
        constexpr int kWords = (sizeof(T) + 7) / 8;
        unsigned long long words[kWords] = {};
        memcpy(words, &value, sizeof(T));
#pragma unroll
        for (int k = 0; k < kWords; ++k) {
            unsigned long long* const word = memory_->word + first_warp() + rank / 32;
            if (thread_rank() == rank) *word = words[k];
            sync();
            words[k] = *(volatile unsigned long long*)word;
            sync();
        }
        memcpy(&value, words, sizeof(T));
        return value;
    }
    TILESCOPE_MEMBER int any(int predicate) const { return any_of_warps(__any_sync(0xffffffffu, predicate)); }
    TILESCOPE_MEMBER int all(int predicate) const { return !any_of_warps(__any_sync(0xffffffffu, !predicate)); }

    TILESCOPE_MEMBER details::tile_memory* tilescope_memory() const { return memory_; }

private:
    // Tiles of different sizes have barriers of their own: while one warp is still at one, others may be at the next.
    static constexpr unsigned kPlace = Size == 64 ? 0 : Size == 128 ? 1 : Size == 256 ? 2 : 3;
    static constexpr unsigned kWarps = (1u << Size / 32) - 1;
    static TILESCOPE_MEMBER unsigned first_warp() { return details::thread_in_block() / Size * (Size / 32); }
    TILESCOPE_MEMBER int any_of_warps(int predicate) const {
        int found = 0;
        for (unsigned warp = 0; warp < Size / 32; ++warp) found |= shfl(predicate, warp * 32);
        return found;
    }

    details::tile_memory* memory_;
};
#define TILESCOPE_WIDE_TILE(Size)                                                             \
    template <class Parent>                                                                   \
    class thread_block_tile<Size, Parent> : public thread_block_tile_of_warps<Size, Parent> { \
    public:                                                                                   \
        explicit TILESCOPE_MEMBER thread_block_tile(details::tile_memory* memory)             \
            : thread_block_tile_of_warps<Size, Parent>(memory) {}                             \
        template <class Other>                                                                \
        TILESCOPE_MEMBER thread_block_tile(const thread_block_tile<Size, Other>& other)       \
            : thread_block_tile_of_warps<Size, Parent>(other.tilescope_memory()) {}           \
    };
TILESCOPE_WIDE_TILE(64)
TILESCOPE_WIDE_TILE(128)
TILESCOPE_WIDE_TILE(256)
TILESCOPE_WIDE_TILE(512)
#undef TILESCOPE_WIDE_TILE

template <unsigned Size, class Parent>
TILESCOPE_GROUP typename std::enable_if<(Size > 32), thread_block_tile<Size, Parent>>::type tiled_partition(
    const Parent& parent) {
    return thread_block_tile<Size, Parent>(parent.tilescope_memory());
}

// Each warp by itself, then what they have.
template <unsigned Size, class Parent, class T, class Operation>
TILESCOPE_GROUP typename std::enable_if<(Size > 32), T>::type reduce(const thread_block_tile<Size, Parent>& tile,
                                                                     T value, Operation operation) {
    const T own = reduce(thread_block_tile<32>(), value, operation);
    T total = tile.shfl(own, 0);
    for (unsigned warp = 1; warp < Size / 32; ++warp) total = operation(total, tile.shfl(own, warp * 32));
    return total;
}

}  // namespace cooperative_groups
