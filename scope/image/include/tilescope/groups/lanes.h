// Groups of lanes: tiles of a warp, and lanes that are active together. Part of cooperative_groups.h.
#pragma once

namespace cooperative_groups {

template <unsigned Size, class Parent = void>
class thread_block_tile;

namespace details {

// A value of any type to other lanes: numbers by the warp's functions, structures by their words.
template <class T, class Shuffle>
TILESCOPE_GROUP T shuffled(T value, Shuffle shuffle, std::true_type /*structure*/) {
    constexpr int kWords = (sizeof(T) + 3) / 4;
    unsigned words[kWords] = {};
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (int k = 0; k < kWords; ++k) words[k] = shuffle(words[k]);
    memcpy(&value, words, sizeof(T));
    return value;
}
template <class T, class Shuffle>
TILESCOPE_GROUP T shuffled(T value, Shuffle shuffle, std::false_type) {
    return shuffle(value);
}
enum direction { to_rank, up, down, crosswise };
template <direction Way>
struct shuffle_of {
    unsigned mask, by, width;
    template <class T>
    TILESCOPE_MEMBER T operator()(T value) const {
        return Way == to_rank ? __shfl_sync(mask, value, (int)by, (int)width)
               : Way == up    ? __shfl_up_sync(mask, value, by, (int)width)
               : Way == down  ? __shfl_down_sync(mask, value, by, (int)width)
                              : __shfl_xor_sync(mask, value, (int)by, (int)width);
    }
};
template <direction Way, class T>
TILESCOPE_GROUP T shuffle(T value, unsigned mask, unsigned by, unsigned width = 32) {
    return shuffled(value, shuffle_of<Way>{mask, by, width}, std::is_class<T>());
}

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

// How many threads the parent has: of a tile what it says, of a block what the launch says.
template <class Parent>
struct threads_of {
    static TILESCOPE_MEMBER unsigned count() { return details::threads_in_block(); }
    static TILESCOPE_MEMBER unsigned rank() { return details::thread_in_block(); }
};
template <unsigned Size, class Parent>
struct threads_of<thread_block_tile<Size, Parent>> {
    static constexpr unsigned count() { return Size; }
    static TILESCOPE_MEMBER unsigned rank() { return details::thread_in_block() & (Size - 1); }
};

}  // namespace details

template <unsigned Size, class Parent>
class thread_block_tile : public details::lanes_of_warp {
    static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
                  "a tile is a power of two of threads, at most a warp");

public:
    TILESCOPE_MEMBER thread_block_tile()
        : lanes_of_warp(Size == 32 ? 0xffffffffu : ((1u << (Size % 32)) - 1) << (details::lane() & ~(Size - 1))) {}
    template <class Other>
    TILESCOPE_MEMBER thread_block_tile(const thread_block_tile<Size, Other>&) : thread_block_tile() {}

    static constexpr unsigned long long num_threads() { return Size; }
    static constexpr unsigned long long size() { return Size; }
    static TILESCOPE_MEMBER unsigned thread_rank() { return details::thread_in_block() & (Size - 1); }
    static TILESCOPE_MEMBER unsigned meta_group_rank() { return details::threads_of<Parent>::rank() / Size; }
    static TILESCOPE_MEMBER unsigned meta_group_size() {
        return (details::threads_of<Parent>::count() + Size - 1) / Size;
    }

    template <class T>
    TILESCOPE_MEMBER T shfl(T value, int rank) const {
        return details::shuffle<details::to_rank>(value, mask_, (unsigned)rank, Size);
    }
    template <class T>
    TILESCOPE_MEMBER T shfl_up(T value, unsigned delta) const {
        return details::shuffle<details::up>(value, mask_, delta, Size);
    }
    template <class T>
    TILESCOPE_MEMBER T shfl_down(T value, unsigned delta) const {
        return details::shuffle<details::down>(value, mask_, delta, Size);
    }
    template <class T>
    TILESCOPE_MEMBER T shfl_xor(T value, unsigned lanes) const {
        return details::shuffle<details::crosswise>(value, mask_, lanes, Size);
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
    // Its place among the groups that a partition made, and their number.
    explicit TILESCOPE_MEMBER coalesced_group(unsigned mask, unsigned place = 0, unsigned groups = 1)
        : lanes_of_warp(mask), place_(place), groups_(groups) {}

    TILESCOPE_MEMBER unsigned num_threads() const { return __popc(mask_); }
    TILESCOPE_MEMBER unsigned size() const { return __popc(mask_); }
    TILESCOPE_MEMBER unsigned thread_rank() const { return __popc(mask_ & details::lanes_below()); }
    TILESCOPE_MEMBER unsigned meta_group_rank() const { return place_; }
    TILESCOPE_MEMBER unsigned meta_group_size() const { return groups_; }
    static TILESCOPE_MEMBER unsigned get_type() { return details::coalesced_id; }

    // Ranks count the group's own lanes, in order.
    template <class T>
    TILESCOPE_MEMBER T shfl(T value, unsigned rank) const {
        return details::shuffle<details::to_rank>(value, mask_, lane_of(rank));
    }
    template <class T>
    TILESCOPE_MEMBER T shfl_up(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        return details::shuffle<details::to_rank>(value, mask_,
                                                  rank < delta ? details::lane() : (unsigned)lane_of(rank - delta));
    }
    template <class T>
    TILESCOPE_MEMBER T shfl_down(T value, unsigned delta) const {
        const unsigned rank = thread_rank() + delta;
        return details::shuffle<details::to_rank>(value, mask_,
                                                  rank >= size() ? details::lane() : (unsigned)lane_of(rank));
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

    unsigned place_, groups_;
};
TILESCOPE_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// The parent's threads whose label, or predicate, is the caller's.
template <class Group, class T>
TILESCOPE_GROUP coalesced_group labeled_partition(const Group& parent, T label) {
    const unsigned lanes = __match_any_sync(mask_of(parent), label), first = lanes & (0u - lanes);
    const unsigned firsts = __ballot_sync(mask_of(parent), (lanes & details::lanes_below()) == 0);
    return coalesced_group(lanes, __popc(firsts & (first - 1)), __popc(firsts));
}
template <class Group>
TILESCOPE_GROUP coalesced_group binary_partition(const Group& parent, bool predicate) {
    const unsigned lanes = __ballot_sync(mask_of(parent), predicate);
    return coalesced_group(predicate ? lanes : mask_of(parent) & __activemask() & ~lanes, predicate ? 1 : 0, 2);
}

template <unsigned Size, class Parent>
TILESCOPE_GROUP typename std::enable_if<(Size <= 32), thread_block_tile<Size, Parent>>::type tiled_partition(
    const Parent&) {
    return thread_block_tile<Size, Parent>();
}
// Tiles of `size` threads by the ranks of lanes.
TILESCOPE_GROUP coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
    const unsigned at = parent.thread_rank() / size;
    unsigned mask = 0;
    for (unsigned rank = 0, left = mask_of(parent); left != 0; left &= left - 1, ++rank)
        if (rank / size == at) mask |= left & (0u - left);
    return coalesced_group(mask, at, (parent.size() + size - 1) / size);
}

}  // namespace cooperative_groups
