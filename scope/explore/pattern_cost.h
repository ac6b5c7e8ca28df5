// What a warp's elements cost where they lie: for pattern.cpp and the search for cures.
//
// Owns: PlacedWarp. Guarantees: pure functions over the rules of scope/observers. Does not model: anything.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "scope/report/pattern.h"

namespace tilescope::explore {

// Of each lane, the element that it asks for, counted from the array's begin.
struct PlacedWarp {
    std::array<std::optional<std::int64_t>, 32> places{};
    unsigned element_bytes = 4;
    bool stores = false;
    std::int64_t offset_bytes = 0;

    // From the lowest line that any lane may touch, so that it is never negative; keeps lines and banks.
    std::uint64_t byte(std::int64_t place) const;
};

PatternCost cost_of(const PlacedWarp& warp);
PatternReason reason_of(const PlacedWarp& warp, const PatternCost& cost);
BankService service_of(const PlacedWarp& warp);

}  // namespace tilescope::explore
