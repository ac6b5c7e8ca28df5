#include "scope/observers/swap_loop.h"

#include <algorithm>
#include <array>
#include <bit>

#include "scope/observers/bank_rule.h"
#include "scope/observers/hierarchy/rules.h"

namespace tilescope::observers {
namespace {

constexpr unsigned kHalfBytes = 2, kWordShift = 2, kBanks = 32, kSwapPasses = 2;

// Of the lanes of `mask`, those that are the first with their key.
template <class Key>
std::uint32_t first_of_each(std::uint32_t mask, Key key) {
    std::uint32_t first = 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        bool is_known = false;
        for (std::uint32_t known = first; known != 0 && !is_known; known &= known - 1)
            is_known = key(static_cast<unsigned>(std::countr_zero(known))) == key(lane);
        if (!is_known) first |= 1u << lane;
    }
    return first;
}

// Lanes that share a word take turns in each request, as those of any atomic do.
unsigned sectors_of(const machine::Access& access, std::uint32_t lanes) {
    unsigned sectors = 0;
    const auto word = [&](unsigned lane) { return access.address(lane) >> kWordShift; };
    while (lanes != 0) {
        const std::uint32_t turn = first_of_each(lanes, word);
        sectors += static_cast<unsigned>(
            std::popcount(first_of_each(turn, [&](unsigned lane) { return access.address(lane) >> kSectorShift; })));
        lanes &= ~turn;
    }
    return sectors;
}

}  // namespace

SwapLoop swap_loop(const machine::Access& access) {
    const bool is_half = access.width == kHalfBytes;
    const bool on_shared = access.space == machine::Space::kShared;
    std::array<std::uint32_t, machine::kWarpSize> offsets{};
    for (unsigned lane = 0; lane < machine::kWarpSize; ++lane)
        offsets[lane] = static_cast<std::uint32_t>(access.address(lane)) >> kWordShift << kWordShift;
    // The two halves of a warp with 64 bits a lane come one after the other.
    const auto place = [&](unsigned lane) -> std::uint64_t {
        const std::uint64_t word = access.address(lane) >> kWordShift;
        if (is_half) return word;
        return word % kBanks + (access.width == 8 ? lane / 16 * kBanks : 0);
    };
    const auto load_passes = [&](std::uint32_t lanes) {
        return on_shared
                   ? bank_cost(offsets.data(), lanes, std::max<unsigned>(access.width, 4), BankUse::kLoad).wavefronts
                   : 0;
    };
    SwapLoop loop;
    for (std::uint32_t left = access.mask; left != 0; left &= ~first_of_each(left, place)) {
        // What has 16 bits loads once: each try tells what is there.
        if (!is_half || loop.turns == 0) loop.passes += load_passes(left);
        if (on_shared)
            loop.passes += kSwapPasses;
        else
            loop.sectors += sectors_of(access, left);
        loop.turns += 1;
        loop.lanes += static_cast<unsigned>(std::popcount(left));
    }
    return loop;
}

}  // namespace tilescope::observers
