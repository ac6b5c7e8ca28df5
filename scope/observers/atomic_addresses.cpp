#include "scope/observers/atomic_addresses.h"

#include <bit>
#include <utility>

namespace tilescope::observers {
namespace {

// The narrowest atomics on global memory have 4 bytes but for the rare ones of 2; wider ones mark their first unit.
constexpr unsigned kUnitShift = 2;

}  // namespace

AtomicAddresses::AtomicAddresses(const machine::Program& program, const machine::Memory* memory)
    : memory_(memory), group_of_site_(program.sites.size()) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> by_place;
    for (std::size_t i = 0; i < program.sites.size(); ++i) {
        if (!program.sites[i].is_access) continue;
        const machine::SourcePlace place = program.facts[program.sites[i].op].place;
        const auto next = static_cast<std::uint32_t>(first_site_.size());
        const auto [it, added] = by_place.try_emplace({place.file, place.line}, next);
        if (added) first_site_.push_back(i);
        group_of_site_[i] = it->second;
    }
    aims_.resize(first_site_.size());
    addresses_.resize(first_site_.size());
}

void AtomicAddresses::on_atomic(const machine::Access& access) {
    const std::uint32_t group = group_of_site_[access.site];
    Aim& aim = aims_[group];
    machine::Allocation allocation = aim.bytes != nullptr ? aim.bytes->allocation() : machine::Allocation{};
    std::uint64_t last = ~std::uint64_t{0};
    for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
        const std::uint64_t address = access.address(static_cast<unsigned>(std::countr_zero(left)));
        if (address == last) continue;
        last = address;
        if (!allocation.contains(address, 1)) [[unlikely]] {
            if (!point(aim, group, address)) continue;  // released meanwhile, by a host thread
            allocation = aim.bytes->allocation();
        }
        const std::uint64_t unit = address >> kUnitShift;
        aim.bytes->mark(aim.bits, group, (unit >> kGranuleShift) - aim.bytes->first_granule(),
                        1u << unit % kGranuleUnits, touched_);
    }
}

void AtomicAddresses::end_block() {
    for (const TouchedChunk& item : touched_) item.bytes->fold(item.chunk, addresses_, all_);
    touched_.clear();
}

void AtomicAddresses::merge(const AtomicAddresses& other) {
    for (std::size_t i = 0; i < addresses_.size(); ++i) addresses_[i] += other.addresses_[i];
}

void AtomicAddresses::finish(const machine::Program& program, OpCounters& counters) const {
    for (std::size_t group = 0; group < addresses_.size(); ++group)
        if (addresses_[group] != 0)
            counters[program.sites[first_site_[group]].op][Counter::kGlobalAtomicBlockAddresses] += addresses_[group];
}

bool AtomicAddresses::point(Aim& aim, std::uint32_t group, std::uint64_t address) {
    TouchedBytes* const bytes = find(address);
    if (bytes == nullptr) return false;
    aim = {bytes, bytes->bits_of(group)};
    return true;
}

TouchedBytes* AtomicAddresses::find(std::uint64_t address) {
    auto after = buffers_.upper_bound(address);
    if (after != buffers_.begin()) {
        TouchedBytes* before = std::prev(after)->second.get();
        if (before->allocation().contains(address, 1)) return before;
    }
    const auto allocation = memory_->find(address);
    if (!allocation) return nullptr;
    auto& bytes = buffers_[allocation->base];
    bytes = std::make_unique<TouchedBytes>(*allocation, kUnitShift, group_of_site_.size());
    return bytes.get();
}

}  // namespace tilescope::observers
