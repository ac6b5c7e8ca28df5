// SteadySites: whether an instruction goes to the same address as the time before, for each thread of a block.
//
// An address that stays is one that a register could stand for; one that moves is not.
// Guarantees: exact within a block. Does not model: what other instructions did in between.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <vector>

#include "scope/machine/access.h"

namespace tilescope::observers {

class SteadySites {
public:
    explicit SteadySites(std::size_t sites = 0) : sites_(sites) {}

    void begin_block() { ++block_; }

    // Lanes that went there before in this block: to the same address, and to another one.
    struct Step {
        std::uint32_t same = 0, moved = 0;
    };
    Step follow(const machine::Access& access) {
        Last& last = last_of(access.thread / machine::kWarpSize, access.site);
        if (last.block != block_) last.seen = 0;
        last.block = block_;
        std::uint32_t equal = 0;
        for (unsigned i = 0; i < machine::kWarpSize; ++i) {
            const std::uint64_t address = access.address(i);
            const std::uint32_t known = last.address[i] == address ? 1 : 0;
            equal |= known << i;
            last.address[i] = access.mask >> i & 1 ? address : last.address[i];
        }
        const std::uint32_t known = access.mask & last.seen;
        last.seen |= access.mask;
        return {known & equal, known & ~equal};
    }

private:
    struct Last {
        std::uint64_t block = 0;
        std::uint32_t seen = 0;  // lanes
        std::array<std::uint64_t, machine::kWarpSize> address{};
    };
    Last& last_of(std::size_t warp, std::uint32_t site) {
        if ((warp + 1) * sites_ > places_.size()) places_.resize((warp + 1) * sites_);
        Last*& place = places_[warp * sites_ + site];
        if (place == nullptr) place = &last_.emplace_back();
        return *place;
    }

    std::size_t sites_;
    std::vector<Last*> places_;  // by warp and site; made when first needed
    std::deque<Last> last_;
    std::uint64_t block_ = 0;
};

}  // namespace tilescope::observers
