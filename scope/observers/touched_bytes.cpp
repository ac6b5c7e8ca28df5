#include "scope/observers/touched_bytes.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "scope/machine/simd/lane_sets.h"

namespace tilescope::observers {
TouchedBytes::TouchedBytes(const machine::Allocation& allocation, unsigned unit_shift, std::size_t sites)
    : allocation_(allocation), unit_shift_(unit_shift), lanes_by_site_(sites) {
    const unsigned shift = unit_shift + kGranuleShift;
    first_granule_ = allocation.base >> shift;
    const std::uint64_t end = ((allocation.base + allocation.size) >> shift) + 1;
    chunks_ = (end - first_granule_ + kChunkGranules - 1) / kChunkGranules;
    low_chunk_ = chunks_;
    all_ = ZeroedArray<std::uint32_t>(chunks_ * kChunkGranules);
    groups_ = ZeroedArray<std::uint64_t>(chunks_);
}

std::uint32_t* TouchedBytes::bits_of(std::uint32_t group) {
    if (bits_.size() <= group) bits_.resize(group + 1);
    if (bits_[group].empty()) bits_[group] = ZeroedArray<std::uint32_t>(chunks_ * kChunkGranules);
    return bits_[group].data();
}

void TouchedBytes::note(std::uint32_t group, std::uint64_t chunk, std::vector<TouchedChunk>& touched) {
    std::uint64_t& groups = groups_[chunk];
    if (groups & bit_of(group)) return;
    if (groups == 0) touched.push_back({this, chunk});
    groups |= bit_of(group);
}

void TouchedBytes::fold(std::uint64_t chunk, std::vector<std::uint64_t>& units_by_group, std::uint64_t& units) {
    const machine::LaneSets& sets = machine::lane_sets();
    const std::uint64_t groups = std::exchange(groups_[chunk], 0);
    const auto words_of = [&](std::size_t group) { return bits_[group].data() + chunk * kChunkGranules; };
    std::uint32_t* const all = all_.data() + chunk * kChunkGranules;
    std::uint64_t found_units = 0;
    const bool many = groups & bit_of(kLastGroupBit);
    if (!many && (groups & (groups - 1)) == 0) {
        const auto group = static_cast<std::size_t>(std::countr_zero(groups));
        found_units = sets.move_bits(words_of(group), all);
        units_by_group[group] += found_units;
    } else {
        std::uint32_t found[kChunkGranules] = {};
        for (std::uint64_t left = groups & (bit_of(kLastGroupBit) - 1); left != 0; left &= left - 1) {
            const auto group = static_cast<std::size_t>(std::countr_zero(left));
            units_by_group[group] += sets.move_bits(words_of(group), found);
        }
        if (many)
            for (std::size_t group = kLastGroupBit; group < bits_.size(); ++group)
                if (!bits_[group].empty()) units_by_group[group] += sets.move_bits(words_of(group), found);
        found_units = sets.move_bits(found, all);
    }
    block_units_ += found_units;
    units += found_units;
    low_chunk_ = std::min(low_chunk_, chunk);
    high_chunk_ = std::max(high_chunk_, chunk + 1);
}

void TouchedBytes::merge(const TouchedBytes& other) {
    for (std::size_t i = 0; i < lanes_by_site_.size(); ++i) lanes_by_site_[i] += other.lanes_by_site_[i];
    block_units_ += other.block_units_;
    for (std::uint64_t i = other.low_chunk_ * kChunkGranules; i < other.high_chunk_ * kChunkGranules; ++i)
        all_[i] |= other.all_[i];
    low_chunk_ = std::min(low_chunk_, other.low_chunk_);
    high_chunk_ = std::max(high_chunk_, other.high_chunk_);
}

std::uint64_t TouchedBytes::table_bytes() const {
    if (low_chunk_ >= high_chunk_) return 0;
    const auto groups = std::count_if(bits_.begin(), bits_.end(), [](const auto& bits) { return !bits.empty(); });
    const std::uint64_t of_chunk =
        sizeof(std::uint64_t) + (static_cast<std::uint64_t>(groups) + 1) * kChunkGranules * sizeof(std::uint32_t);
    return (high_chunk_ - low_chunk_) * of_chunk;
}

std::uint64_t TouchedBytes::unique_bytes() const {
    std::uint64_t units = 0;
    for (std::uint64_t chunk = low_chunk_; chunk < high_chunk_; ++chunk)
        for (unsigned i = 0; i < kChunkGranules; ++i)
            units += static_cast<std::uint64_t>(std::popcount(all_[chunk * kChunkGranules + i]));
    return units << unit_shift_;
}

}  // namespace tilescope::observers
