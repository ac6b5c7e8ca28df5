#include "scope/machine/fragment.h"

namespace tilescope::machine {

void Lanes::start(std::uint32_t mask, std::uint32_t entry) {
    fragments_.clear();
    joins_.clear();
    free_.clear();
    finished_calls_.clear();
    Fragment fragment;
    fragment.mask = mask;
    fragment.block = entry;
    fragments_.push_back(fragment);
}

std::uint32_t Lanes::open(const Join& join) {
    std::uint32_t index;
    if (free_.empty()) {
        index = static_cast<std::uint32_t>(joins_.size());
        joins_.push_back(join);
    } else {
        index = free_.back();
        free_.pop_back();
        joins_[index] = join;
    }
    joins_[index].in_use = true;
    return index;
}

// All lanes that still run have met: they are one fragment again, at the meeting place, in the join around.
bool Lanes::complete(std::uint32_t index, Fragment& merged) {
    while (true) {
        const Join join = joins_[index];
        if (join.arrived != join.expected || join.expected == 0) return false;
        merged = Fragment{};
        merged.mask = join.arrived;
        merged.block = join.block;
        merged.join = join.parent;
        merged.function = join.function;
        merged.frame = join.frame;
        merged.local_frame = join.local_frame;
        if (join.is_call) return true;  // the block runner copies results, then closes the join
        close(index);
        // The meeting place of the outer join may be the same block.
        if (join.parent == kNoJoin || joins_[join.parent].is_call || joins_[join.parent].block != join.block)
            return true;
        index = join.parent;
        joins_[index].arrived |= merged.mask;
    }
}

bool Lanes::arrive(std::uint32_t index, std::uint32_t mask, Fragment& merged) {
    joins_[index].arrived |= mask;
    return complete(index, merged);
}

std::uint32_t Lanes::leave(std::uint32_t index, std::uint32_t mask, bool returning) {
    while (index != kNoJoin) {
        Join& join = joins_[index];
        const std::uint32_t parent = join.parent;
        if (returning && join.is_call) return index;
        join.expected &= ~mask;
        join.arrived &= ~mask;
        if (join.expected == 0) {
            close(index);
        } else if (join.arrived == join.expected) {
            Fragment merged;
            if (join.is_call)
                finished_calls_.push_back(index);
            else if (complete(index, merged))
                fragments_.push_back(merged);
        }
        index = parent;
    }
    return kNoJoin;
}

void Lanes::gather() {
    const auto stand_together = [](const Fragment& a, const Fragment& b) {
        return a.state == FragmentState::kReady && b.state == FragmentState::kReady && a.block == b.block &&
               a.join == b.join && a.function == b.function && a.frame == b.frame && a.local_frame == b.local_frame;
    };
    for (std::size_t i = 0; i < fragments_.size(); ++i)
        for (std::size_t k = fragments_.size(); --k > i;)
            if (stand_together(fragments_[i], fragments_[k])) {
                fragments_[i].mask |= fragments_[k].mask;
                fragments_.erase(fragments_.begin() + static_cast<std::ptrdiff_t>(k));
            }
}

bool Lanes::release_waiting() {
    bool released = false;
    for (std::uint32_t index = 0; index < joins_.size(); ++index) {
        Join& join = joins_[index];
        if (!join.in_use || join.is_call || join.arrived == 0 || join.arrived == join.expected) continue;
        Fragment fragment;
        fragment.mask = join.arrived;
        fragment.block = join.block;
        fragment.join = join.parent;
        fragment.function = join.function;
        fragment.frame = join.frame;
        fragment.local_frame = join.local_frame;
        join.expected &= ~join.arrived;
        join.arrived = 0;
        // Never stand at the outer meeting place unnoticed: the runner checks before it runs a block.
        fragments_.push_back(fragment);
        released = true;
    }
    return released;
}

}  // namespace tilescope::machine
