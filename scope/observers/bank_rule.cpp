#include "scope/observers/bank_rule.h"

#include <algorithm>
#include <bit>

namespace tilescope::observers {
namespace {

constexpr unsigned kLanes = 32;
constexpr unsigned kBanks = 32;
constexpr unsigned kBankBytes = 4;

// Calls visit(word) for each word of each lane in mask.
template <class Visit>
void for_each_word(const std::uint64_t* offsets, std::uint32_t mask, unsigned width, Visit visit) {
    const unsigned words = width <= kBankBytes ? 1 : width / kBankBytes;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const std::uint64_t first = offsets[std::countr_zero(left)] / kBankBytes;
        for (unsigned k = 0; k < words; ++k) visit(first + k);
    }
}

// The most distinct words in any bank.
unsigned passes_by_word(const std::uint64_t* offsets, std::uint32_t mask, unsigned width) {
    std::uint64_t words[kBanks][kLanes];
    unsigned counts[kBanks] = {};
    unsigned most = 0;
    for_each_word(offsets, mask, width, [&](std::uint64_t word) {
        const unsigned bank = word % kBanks;
        auto* const end = words[bank] + counts[bank];
        if (std::find(words[bank], end, word) != end) return;
        words[bank][counts[bank]++] = word;
        most = std::max(most, counts[bank]);
    });
    return most;
}

// The most lanes in any bank.
unsigned passes_by_lane(const std::uint64_t* offsets, std::uint32_t mask, unsigned width) {
    unsigned counts[kBanks] = {};
    for_each_word(offsets, mask, width, [&](std::uint64_t word) { ++counts[word % kBanks]; });
    return *std::max_element(counts, counts + kBanks);
}

// Every active lane has the address of the lane whose number differs in `bit`, or that lane is inactive.
bool shared_across(const std::uint64_t* offsets, std::uint32_t mask, unsigned bit) {
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const unsigned other = lane ^ bit;
        if ((mask >> other & 1) && offsets[lane] != offsets[other]) return false;
    }
    return true;
}

unsigned group_size(const std::uint64_t* offsets, std::uint32_t mask, unsigned width, BankUse use) {
    if (width <= kBankBytes) return kLanes;
    const unsigned size = width == 8 ? kLanes / 2 : kLanes / 4;
    const bool merges = use == BankUse::kLoad && (shared_across(offsets, mask, 1) || shared_across(offsets, mask, 2));
    return merges ? 2 * size : size;
}

}  // namespace

BankCost bank_cost(const std::uint64_t* offsets, std::uint32_t mask, unsigned width, BankUse use) {
    const unsigned size = group_size(offsets, mask, width, use);
    const auto group = static_cast<std::uint32_t>((std::uint64_t{1} << size) - 1);
    BankCost cost;
    for (unsigned from = 0; from < kLanes; from += size) {
        const std::uint32_t lanes = mask & group << from;
        if (lanes == 0) continue;
        const unsigned passes =
            use == BankUse::kAtomic ? passes_by_lane(offsets, lanes, width) : passes_by_word(offsets, lanes, width);
        cost.wavefronts += passes;
        cost.conflicts += passes - 1;
    }
    return cost;
}

}  // namespace tilescope::observers
