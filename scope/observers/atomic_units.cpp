#include "scope/observers/atomic_units.h"

#include <algorithm>
#include <bit>

#include "scope/observers/address_set.h"
#include "scope/observers/counting.h"
#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {
namespace {

using machine::AccessKind;
using machine::kWarpSize;

constexpr unsigned kPairShift = 8, kPieceShift = 10;  // geometry: 256 bytes of one unit, and a KiB of two
constexpr unsigned kUnitsOfPiece = 2;                 // geometry: these two
constexpr unsigned kPieces = 4;                       // geometry: of 4 KiB
constexpr unsigned kTwoPagesShift = 13;               // geometry: 4 KiB on each side of L2
constexpr unsigned kHashShift = 32, kHashSign = 63;   // numeric: the bits of a product that depend on all of a factor
constexpr std::uint32_t kNoKey = 0xffffffffu;         // numeric: all bits

// Only one lane goes out.
bool is_combined(const machine::Access& access) {
    return access.kind == AccessKind::kCombined || access.kind == AccessKind::kCombinedAtomic;
}

// Of `lanes`, those in whose line no other one is in another sector.
std::uint32_t alone_in_line(const machine::Access& access, std::uint32_t lanes) {
    const auto line_of = [&](unsigned lane) { return access.address(lane) >> kLineShift; };
    const auto sector_of = [&](unsigned lane) { return access.address(lane) >> kSectorShift; };
    alignas(64) std::uint32_t lines[kWarpSize];
    for (unsigned i = 0; i < kWarpSize; ++i)
        lines[i] = lanes >> i & 1 ? static_cast<std::uint32_t>(line_of(i)) : kNoKey;
    std::uint32_t alone = lanes;
    // Those that share a line with a lower lane; mostly none or all.
    for (std::uint32_t left = lanes & machine::lane_sets().repeats(lines); left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        for (std::uint32_t lower = lanes & ((1u << lane) - 1); lower != 0; lower &= lower - 1) {
            const auto other = static_cast<unsigned>(std::countr_zero(lower));
            if (line_of(other) == line_of(lane) && sector_of(other) != sector_of(lane))
                alone &= ~(1u << lane | 1u << other);
        }
    }
    return alone;
}

SectorTurns turns_of(const machine::Access& access, unsigned phase, bool sums_floats) {
    SectorTurns turns;
    turns.phase = phase;
    turns.first =
        is_combined(access) ? access.mask & (~access.mask + 1) : AddressKeys(access).first_in_turns(kSectorShift);
    if (sums_floats) turns.alone = alone_in_line(access, turns.first);
    return turns;
}

}  // namespace

AtomicUnits::AtomicUnits(const L2Rules& rules, bool sums_floats)
    : couples_(std::max(1u, rules.slices / kUnitsOfPiece / 2)), side_mask_(rules.slice_mask) {
    turns_.resize(2 * kUnitsOfPiece * couples_);
    if (sums_floats) alone_.resize(turns_.size());
}

std::uint64_t AtomicUnits::shift_of(std::uint64_t from, std::uint64_t shift) {
    return shift - (from + shift) % (std::uint64_t{1} << kPieceShift);
}

void AtomicUnits::add(const machine::Access& access, std::uint64_t shift, bool sums_floats, SectorTurns& turns) {
    const unsigned phase = access.first % kLineBytes;
    if (!access.same_pattern || turns.phase != phase) turns = turns_of(access, phase, sums_floats);
    for (std::uint32_t left = turns.first; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const std::uint64_t address = access.address(lane) + shift;
        const std::size_t unit = unit_of(address);
        turns_[unit] += 1;
        if (turns.alone >> lane & 1)
            alone_[unit][(address >> kSectorShift) * kHash >> kHashShift & (kSectors - 1)] += 1;
    }
}

void AtomicUnits::merge(const AtomicUnits& other) {
    for (std::size_t unit = 0; unit < turns_.size(); ++unit) turns_[unit] += other.turns_[unit];
    for (std::size_t unit = 0; unit < alone_.size(); ++unit)
        for (std::size_t i = 0; i < kSectors; ++i) alone_[unit][i] += other.alone_[unit][i];
}

// Of `turns` in any order, a sector's share is behind one of the same sector.
AtomicUnits::Busiest AtomicUnits::busiest() const {
    Busiest busiest;
    for (std::size_t unit = 0; unit < turns_.size(); ++unit) {
        if (turns_[unit] == 0) continue;
        Busiest here{static_cast<double>(turns_[unit]), 0};
        if (!alone_.empty())
            for (const std::uint64_t sector : alone_[unit])
                here.waits += static_cast<double>(sector) * (static_cast<double>(sector) / here.turns);
        if (here.turns + here.waits > busiest.turns + busiest.waits) busiest = here;
    }
    return busiest;
}

// Pieces of a KiB are numbered within their side of L2, so that what lies together falls on its units evenly; every so
// many of them begin somewhere else, so that what lies apart by some power of two does, too.
std::size_t AtomicUnits::unit_of(std::uint64_t address) const {
    const auto side = static_cast<std::size_t>(std::popcount(address & side_mask_) % 2);
    const std::uint64_t piece = (address >> kTwoPagesShift) * kPieces + (address >> kPieceShift) % kPieces;
    const std::uint64_t begin = piece / couples_ * kHash;
    const std::size_t couple = (piece + (begin >> kHashShift)) % couples_;
    const std::size_t own = ((address >> kPairShift) + (begin >> kHashSign)) % kUnitsOfPiece;
    return (side * couples_ + couple) * kUnitsOfPiece + own;
}

}  // namespace tilescope::observers
