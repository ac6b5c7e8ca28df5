#include "scope/observers/bank_rule.h"

#include <algorithm>
#include <array>
#include <bit>

#include "scope/machine/simd/lane_sets.h"

namespace tilescope::observers {
namespace {

constexpr unsigned kLanes = 32;
constexpr unsigned kBankBytes = 4;

// Every active lane has the address of the lane whose number differs in `bit`, or that lane is inactive.
bool shared_across(const std::uint32_t* offsets, std::uint32_t mask, unsigned bit) {
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const unsigned other = lane ^ bit;
        if ((mask >> other & 1) && offsets[lane] != offsets[other]) return false;
    }
    return true;
}

}  // namespace

unsigned lanes_of_group(const std::uint32_t* offsets, std::uint32_t mask, unsigned width, BankUse use) {
    if (width <= kBankBytes) return kLanes;
    const unsigned size = width == 8 ? kLanes / 2 : kLanes / 4;
    const bool merges = use == BankUse::kLoad && (shared_across(offsets, mask, 1) || shared_across(offsets, mask, 2));
    return merges ? 2 * size : size;
}

BankCost bank_cost(const std::uint32_t* offsets, std::uint32_t mask, unsigned width, BankUse use) {
    const unsigned size = lanes_of_group(offsets, mask, width, use);
    const auto group = static_cast<std::uint32_t>((std::uint64_t{1} << size) - 1);
    const machine::LaneSets& sets = machine::lane_sets();
    BankCost cost;
    for (unsigned from = 0; from < kLanes; from += size) {
        const std::uint32_t lanes = mask & group << from;
        if (lanes == 0) continue;
        // Accesses are aligned to their width, so the banks of a lane's further words are as busy as that of its first.
        const unsigned passes = sets.max_per_bank(offsets, lanes, /*shared=*/use != BankUse::kAtomic);
        cost.wavefronts += passes;
        cost.conflicts += passes - 1;
    }
    return cost;
}

BankUse use_of(machine::AccessKind kind) {
    using machine::AccessKind;
    switch (kind) {
        case AccessKind::kLoad:
        case AccessKind::kAsyncCopyRead: return BankUse::kLoad;
        case AccessKind::kStore:
        case AccessKind::kAsyncCopyWrite: return BankUse::kStore;
        // Their groups of lanes are served one by one, as those of stores are (bench/hardware/tensor_loads.cu, H200,
        // 27 November 2026: a row that all four matrices share takes four passes).
        case AccessKind::kMatrixLoad:
        case AccessKind::kFactorLoad:
        case AccessKind::kMatrixStore: return BankUse::kStore;
        case AccessKind::kIncrement: return BankUse::kIncrement;
        case AccessKind::kAtomic:
        case AccessKind::kReduction:
        case AccessKind::kSwapLoop:
        case AccessKind::kCombined:
        case AccessKind::kCombinedAtomic: break;
    }
    return BankUse::kAtomic;
}

unsigned shared_passes(const machine::Access& access) {
    using machine::AccessKind;
    std::array<std::uint32_t, machine::kWarpSize> offsets{};
    for (unsigned lane = 0; lane < machine::kWarpSize; ++lane)
        offsets[lane] = static_cast<std::uint32_t>(access.address(lane));
    // Of lanes that are combined the lowest goes out.
    const bool combined = access.kind == AccessKind::kCombined || access.kind == AccessKind::kCombinedAtomic;
    const std::uint32_t mask = combined ? access.mask & (0u - access.mask) : access.mask;
    return bank_cost(offsets.data(), mask, access.width, use_of(access.kind)).wavefronts;
}

unsigned load_passes(const machine::Access& access, unsigned lines, unsigned lookup_tenths) {
    constexpr unsigned kWidestLane = 16, kLineBytes = 128, kTenths = 10;
    const unsigned tags = (lines * lookup_tenths + kTenths - 1) / kTenths;
    if (access.width > kWidestLane)
        return std::max(tags, (access.lanes() * access.width + kLineBytes - 1) / kLineBytes);
    alignas(64) std::uint32_t offsets[machine::kWarpSize];
    const machine::LaneSets::Span span = machine::lane_sets().offsets(access.deltas, offsets);
    const auto low = static_cast<std::uint32_t>(access.first + static_cast<std::uint64_t>(span.low));
    for (std::uint32_t& offset : offsets) offset += low;
    return std::max(tags, bank_cost(offsets, access.mask, access.width, BankUse::kLoad).wavefronts);
}

}  // namespace tilescope::observers
