#include "scope/observers/address_set.h"

namespace tilescope::observers {

using machine::kWarpSize;

AddressKeys::AddressKeys(const machine::Access& access) : access_(access) {
    const machine::LaneSets::Span span = machine::lane_sets().offsets(access.deltas, offsets_);
    constexpr std::uint32_t kPhases = 1u << kMaxShift;
    phase_ = static_cast<std::uint32_t>(access.first + static_cast<std::uint64_t>(span.low)) % kPhases;
    wide_ = span.bits >= (std::uint64_t{1} << 31) - kPhases;
}

void AddressKeys::write(unsigned shift, std::uint32_t* keys) const {
    if (!wide_) {
        const std::uint32_t phase = phase_ & ((1u << shift) - 1);
        for (unsigned i = 0; i < kWarpSize; ++i) keys[i] = (offsets_[i] + phase) >> shift;
        return;
    }
    // The number of the first lane that lies there.
    for (unsigned i = 0; i < kWarpSize; ++i) {
        keys[i] = 0;
        while (access_.address(keys[i]) >> shift != access_.address(i) >> shift) ++keys[i];
    }
}

unsigned AddressKeys::count_distinct(unsigned shift) const {
    if (!wide_) return machine::lane_sets().count_distinct(offsets_, phase_ & ((1u << shift) - 1), shift);
    alignas(64) std::uint32_t keys[kWarpSize];
    write(shift, keys);
    return machine::lane_sets().count_distinct(keys, 0, 0);
}

unsigned AddressKeys::count_in_turns(unsigned shift) const {
    alignas(64) std::uint32_t keys[kWarpSize], turns[kWarpSize];
    write(0, keys);
    for (unsigned i = 0; i < kWarpSize; ++i) keys[i] |= access_.mask >> i & 1 ? 0u : ~0u;
    machine::lane_sets().ranks(keys, turns);
    write(shift, keys);
    const std::uint32_t at_first = keys[std::countr_zero(access_.mask)];
    for (unsigned i = 0; i < kWarpSize; ++i)
        keys[i] = access_.mask >> i & 1 ? keys[i] * kWarpSize + turns[i] : at_first * kWarpSize;
    return machine::lane_sets().count_distinct(keys, 0, 0);
}

std::uint32_t AddressKeys::first_in_turns(unsigned shift) const {
    alignas(64) std::uint32_t keys[kWarpSize], turns[kWarpSize];
    write(0, keys);
    for (unsigned i = 0; i < kWarpSize; ++i) keys[i] |= access_.mask >> i & 1 ? 0u : ~0u;
    machine::lane_sets().ranks(keys, turns);
    write(shift, keys);
    for (unsigned i = 0; i < kWarpSize; ++i) keys[i] = access_.mask >> i & 1 ? keys[i] * kWarpSize + turns[i] : ~0u;
    return access_.mask & ~machine::lane_sets().repeats(keys);
}

}  // namespace tilescope::observers
