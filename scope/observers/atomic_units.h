// AtomicUnits: how unevenly atomics on global memory fall on the units of L2 that do them.
//
// Owns: turns by unit, and of sums of floats how often they meet in a sector. Guarantees, as measured on an H100
// (bench/hardware/atomic_units.cu): lanes of a request that update different places of a sector do so in one turn,
// those of one place one after the other; the four 256-byte pairs of lines of a KiB lie in two units, one for every
// other pair, those of 4 KiB in eight, and all units have as much as each other of what lies together. Which side of L2
// a unit is on is known, which of a side's it is made up (docs/internals/time-model.md). Does not model: when turns
// come.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scope/machine/access.h"
#include "scope/observers/hierarchy/l2/l2_rules.h"

namespace tilescope::observers {

// Of the pattern at hand of one site: lanes that begin a turn of their sector, and those of them whose request wants no
// other sector of the line.
struct SectorTurns {
    static constexpr unsigned kNowhere = ~0u;

    unsigned phase = kNowhere;  // where in a line it begins
    std::uint32_t first = 0, alone = 0;
};

class AtomicUnits {
public:
    AtomicUnits() : AtomicUnits(L2Rules{}, false) {}
    // `sums_floats`: whether the program has such atomics.
    AtomicUnits(const L2Rules& rules, bool sums_floats);

    // For an allocation at `from`, which lies `shift` further on for the caches: how much further on its units count
    // it. It is taken to begin a KiB; a device's begin half of one, and which half is not known.
    static std::uint64_t shift_of(std::uint64_t from, std::uint64_t shift);
    // What lies at an address counts as `shift` further on. `turns` is the site's own.
    void add(const machine::Access& access, std::uint64_t shift, bool sums_floats, SectorTurns& turns);
    void merge(const AtomicUnits& other);

    // Of the unit that is busy for the longest: its turns, and those of them that sum floats right behind another one
    // of the same sector, if turns come in any order.
    struct Busiest {
        double turns = 0, waits = 0;
    };
    Busiest busiest() const;
    std::size_t unit_of(std::uint64_t address) const;

private:
    static constexpr std::size_t kSectors = 64;  // numeric: of a unit that are told apart, our algorithm

    std::size_t couples_ = 1;  // of units, each of which shares the pieces of a KiB; of each side of L2
    std::uint64_t side_mask_ = 0;
    std::vector<std::uint64_t> turns_;                        // by unit
    std::vector<std::array<std::uint64_t, kSectors>> alone_;  // by unit and sector: turns of sums of floats
};

}  // namespace tilescope::observers
