#include "scope/observers/bank_rule.h"

#include <algorithm>
#include <bit>

namespace tilescope::observers {
namespace {

constexpr unsigned kBanks = 32;
constexpr unsigned kBankBytes = 4;

// The most distinct words in any bank, over the lanes in mask.
unsigned passes(const std::uint64_t* offsets, std::uint32_t mask, unsigned width) {
    std::uint64_t words[kBanks][32];
    unsigned counts[kBanks] = {};
    unsigned most = 0;
    const unsigned each = width <= kBankBytes ? 1 : width / kBankBytes;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const std::uint64_t first = offsets[std::countr_zero(left)] / kBankBytes;
        for (unsigned k = 0; k < each; ++k) {
            const std::uint64_t word = first + k;
            const unsigned bank = word % kBanks;
            bool known = false;
            for (unsigned i = 0; i < counts[bank]; ++i) known |= words[bank][i] == word;
            if (known) continue;
            words[bank][counts[bank]++] = word;
            most = std::max(most, counts[bank]);
        }
    }
    return most;
}

}  // namespace

BankCost bank_cost(const std::uint64_t* offsets, std::uint32_t mask, unsigned width, bool merges) {
    const unsigned groups = width <= 4 ? 1 : width == 8 ? 2 : 4;
    const unsigned lanes = 32 / groups;
    BankCost cost;
    auto add = [&](unsigned group_passes) {
        cost.wavefronts += group_passes;
        cost.conflicts += group_passes > 1 ? group_passes - 1 : 0;
    };
    auto group_mask = [&](unsigned from, unsigned count) {
        return mask & static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << from);
    };
    if (groups == 1) {
        add(passes(offsets, mask, width));
        return cost;
    }
    for (unsigned pair = 0; pair < groups / 2; ++pair) {
        const std::uint32_t both = group_mask(pair * 2 * lanes, 2 * lanes);
        if (merges && passes(offsets, both, width) <= 1) {
            add(passes(offsets, both, width));
            continue;
        }
        add(passes(offsets, group_mask(pair * 2 * lanes, lanes), width));
        add(passes(offsets, group_mask((pair * 2 + 1) * lanes, lanes), width));
    }
    return cost;
}

}  // namespace tilescope::observers
