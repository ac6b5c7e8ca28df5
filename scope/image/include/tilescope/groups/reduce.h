// Operations, and what they make of the values of a group: reductions and scans. Part of cooperative_groups.h.
#pragma once

namespace cooperative_groups {

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
TILESCOPE_GROUP typename std::enable_if<(Size <= 32), T>::type reduce(const thread_block_tile<Size, Parent>& tile,
                                                                      T value, Operation operation) {
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

// The thread of rank 0 stores it.
template <class Group, class T, class Operation>
TILESCOPE_GROUP void reduce_store_async(const Group& group, T* to, T value, Operation operation) {
    const T total = reduce(group, value, operation);
    if (group.thread_rank() == 0) *to = total;
}

}  // namespace cooperative_groups
