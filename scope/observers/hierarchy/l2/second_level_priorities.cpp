// Which lines of a SecondLevel give way.
#include <algorithm>
#include <bit>

#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/l2/way_order.h"

namespace tilescope::observers {

using machine::Eviction;

// Of the ways that are taken, those whose lines have the priority.
unsigned SecondLevel::special_ways(const Set& set, const Way* ways, Eviction eviction) const {
    unsigned found = 0;
    for (unsigned left = set.special & unsigned{set.taken}; left != 0; left &= left - 1) {
        const auto number = static_cast<unsigned>(std::countr_zero(left));
        if (ways[number].eviction == eviction) found |= 1u << number;
    }
    return found;
}

unsigned SecondLevel::special_victim(unsigned part, Place place) const {
    const Set& set = parts_[part].sets[place.set];
    const unsigned all = (1u << rules_.ways) - 1;
    const Way* const ways = &parts_[part].ways[std::uint64_t{place.set} * rules_.ways];
    const unsigned first = special_ways(set, ways, Eviction::kFirst);
    const unsigned last = special_ways(set, ways, Eviction::kLast);
    return oldest_of(set.order, first != 0 ? first : (all & ~last) != 0 ? all & ~last : all);
}

void SecondLevel::change_eviction(unsigned part, const Found& found, Eviction eviction) {
    if (eviction == Eviction::kUnchanged) return;
    Set& set = *found.set;
    const unsigned bit = 1u << found.number;
    const bool is_special = eviction == Eviction::kFirst || eviction == Eviction::kLast;
    found.way->eviction = is_special ? eviction : Eviction::kNormal;
    set.special = static_cast<std::uint16_t>(is_special ? set.special | bit : set.special & ~bit);
    if (eviction != Eviction::kLast) return;
    const auto number = static_cast<std::uint64_t>(&set - parts_[part].sets.data());
    Way* const ways = &parts_[part].ways[number * rules_.ways];
    for (unsigned last = special_ways(set, ways, Eviction::kLast);
         static_cast<unsigned>(std::popcount(last)) > rules_.last_ways;) {
        const unsigned oldest = oldest_of(set.order, last);
        last &= ~(1u << oldest);
        ways[oldest].eviction = Eviction::kNormal;
        set.special = static_cast<std::uint16_t>(set.special & ~(1u << oldest));
    }
}

void SecondLevel::forget_last() {
    for (const Slice& slice : slices_)
        for (const auto& [part, number] : slice.in_use) {
            Set& set = parts_[part].sets[number];
            if (set.special == 0) continue;
            Way* const ways = &parts_[part].ways[std::uint64_t{number} * rules_.ways];
            const unsigned last = special_ways(set, ways, Eviction::kLast);
            for (unsigned left = last; left != 0; left &= left - 1)
                ways[std::countr_zero(left)].eviction = Eviction::kNormal;
            set.special = static_cast<std::uint16_t>(set.special & ~last);
        }
}

}  // namespace tilescope::observers
