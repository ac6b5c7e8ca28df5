// A group of any kind. Part of cooperative_groups.h.
#pragma once

namespace cooperative_groups {

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
    TILESCOPE_MEMBER unsigned get_type() const { return is_block_ ? details::block_id : details::coalesced_id; }

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
    const coalesced_group part = tiled_partition(coalesced_group(parent.mask_), size);
    return thread_group(mask_of(part), part.size());
}

}  // namespace cooperative_groups
