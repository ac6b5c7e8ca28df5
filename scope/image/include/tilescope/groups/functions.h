// Functions of cooperative groups beside the classes: what one thread does for its group, scans of lanes that are
// active together, ranks and sizes. Part of cooperative_groups.h.
#pragma once

namespace cooperative_groups {

template <class Group>
TILESCOPE_GROUP auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
    return group.thread_rank();
}
template <class Group>
TILESCOPE_GROUP auto group_size(const Group& group) -> decltype(group.num_threads()) {
    return group.num_threads();
}

// Called by the thread of rank 0; the second gives its result to the lanes of a tile or of a coalesced group.
template <class Group, class Function, class... Arguments>
TILESCOPE_GROUP void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
    if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
TILESCOPE_GROUP auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments)
    -> decltype(function(static_cast<Arguments&&>(arguments)...)) {
    decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
    if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
    return group.shfl(result, 0);
}

template <class T, class Operation>
TILESCOPE_GROUP T inclusive_scan(const coalesced_group& group, T value, Operation operation) {
    const unsigned rank = group.thread_rank();
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const T other = group.shfl_up(value, distance);
        if (rank >= distance) value = operation(other, value);
    }
    return value;
}
template <class T, class Operation>
TILESCOPE_GROUP T exclusive_scan(const coalesced_group& group, T value, Operation operation) {
    const T below = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() == 0 ? T() : below;
}
template <class T>
TILESCOPE_GROUP T inclusive_scan(const coalesced_group& group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
template <class T>
TILESCOPE_GROUP T exclusive_scan(const coalesced_group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
