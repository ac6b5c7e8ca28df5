// TouchedBytes: the distinct bytes that loads touched in one allocation, per block and over all blocks.
//
// Owns: for each group of loads (a source line) a bit per unit of the allocation, set when a load of the block at hand
// touches the unit; one more bit per unit for all blocks so far; and the counts that come out when a block ends.
// Guarantees: exact; memory only for the parts of the allocation that are touched: with units of 4 bytes a 32nd of them
// for all blocks and a 32nd for each group. Does not model: when a byte was touched, or by whom.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/memory.h"
#include "scope/observers/reuse_pattern.h"
#include "scope/observers/zeroed_array.h"

namespace tilescope::observers {

// Granules whose bits are added up together when a block ends: a cache line of them.
inline constexpr unsigned kChunkGranules = 16;

class TouchedBytes;

// A chunk that a block touched.
struct TouchedChunk {
    TouchedBytes* bytes = nullptr;
    std::uint64_t chunk = 0;
};

class TouchedBytes {
public:
    TouchedBytes(const machine::Allocation& allocation, unsigned unit_shift, std::size_t sites);

    const machine::Allocation& allocation() const { return allocation_; }

    // What a load needs to mark its units: the bits of its group, indexed by granule - first_granule().
    std::uint32_t* bits_of(std::uint32_t group);
    std::uint64_t first_granule() const { return first_granule_; }
    // Marks units; `touched` collects the chunks of this block.
    void mark(std::uint32_t* bits, std::uint32_t group, std::uint64_t granule, std::uint32_t units,
              std::vector<TouchedChunk>& touched) {
        std::uint32_t& have = bits[granule];
        const std::uint32_t before = have;
        have = before | units;
        if (before == 0) note(group, granule / kChunkGranules, touched);
    }

    // The block has ended: adds its units to the counts of this allocation and of each group, and forgets them.
    void fold(std::uint64_t chunk, std::vector<std::uint64_t>& units_by_group, std::uint64_t& units);

    // Lane accesses by site, kept by whoever marks.
    std::vector<std::uint64_t>& lanes_by_site() { return lanes_by_site_; }
    const std::vector<std::uint64_t>& lanes_by_site() const { return lanes_by_site_; }

    void merge(const TouchedBytes& other);
    std::uint64_t unique_bytes_per_block() const { return block_units_ << unit_shift_; }
    std::uint64_t unique_bytes() const;  // over all blocks
    // Of the tables, from the first to the last part of the allocation that was touched.
    std::uint64_t table_bytes() const;

private:
    static constexpr std::uint32_t kLastGroupBit = 63;  // stands for all groups from here on
    static std::uint64_t bit_of(std::uint32_t group) {
        return std::uint64_t{1} << (group < kLastGroupBit ? group : kLastGroupBit);
    }
    // Out of line: only the first load of a granule in a block comes here.
    void note(std::uint32_t group, std::uint64_t chunk, std::vector<TouchedChunk>& touched);

    machine::Allocation allocation_;
    unsigned unit_shift_;
    std::uint64_t first_granule_, chunks_;
    std::vector<ZeroedArray<std::uint32_t>> bits_;  // by group, of the block at hand; made when first needed
    ZeroedArray<std::uint32_t> all_;                // of all blocks that ended
    ZeroedArray<std::uint64_t> groups_;             // by chunk: groups that touched it in the block at hand
    std::vector<std::uint64_t> lanes_by_site_;
    std::uint64_t block_units_ = 0;
    std::uint64_t low_chunk_, high_chunk_ = 0;  // all_ is 0 outside [low, high)
};

}  // namespace tilescope::observers
