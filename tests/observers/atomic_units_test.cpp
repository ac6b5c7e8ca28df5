// Turns of atomics in the units of L2, by what an H100 took (bench/hardware/README.md, "Atomics that meet").
#include "scope/observers/atomic_units.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace tilescope::observers {
namespace {

using machine::AccessKind;

L2Rules h100_units() {
    L2Rules rules;
    rules.slices = 80;
    rules.slice_mask = 733184;
    return rules;
}

constexpr std::uint64_t kBase = std::uint64_t{2} << 20;

class Requests {
public:
    explicit Requests(bool sums_floats) : units_(h100_units(), true), sums_floats_(sums_floats) {}

    // Lane i updates byte places(i) from a multiple of 2 MB on.
    template <class Places>
    Requests& add(Places places, AccessKind kind = AccessKind::kReduction) {
        std::array<std::int64_t, machine::kWarpSize> deltas{};
        machine::Access access;
        access.kind = kind;
        access.width = 4;
        access.mask = machine::kFullMask;
        access.first = kBase + places(0u);
        for (unsigned i = 0; i < machine::kWarpSize; ++i)
            deltas[i] = static_cast<std::int64_t>(kBase + places(i)) - static_cast<std::int64_t>(access.first);
        access.deltas = deltas.data();
        SectorTurns turns;
        units_.add(access, 0, sums_floats_, turns);
        return *this;
    }
    AtomicUnits::Busiest busiest() const { return units_.busiest(); }

private:
    AtomicUnits units_;
    bool sums_floats_;
};

TEST(AtomicUnits, ASectorTakesATurnForEachLaneOfItsMostWantedPlace) {
    // Four places of a sector, 8 lanes each, whatever their order.
    EXPECT_EQ(Requests(false).add([](unsigned lane) { return lane % 4 * 4; }).busiest().turns, 8);
    EXPECT_EQ(Requests(false).add([](unsigned lane) { return lane / 8 * 4; }).busiest().turns, 8);
    EXPECT_EQ(Requests(false).add([](unsigned lane) { return lane * 7 % 32 / 8 * 4; }).busiest().turns, 8);
    // All at one place; one at each of the words of a line, which is one unit's; 20 lanes at one of two places.
    EXPECT_EQ(Requests(false).add([](unsigned) { return 64u; }).busiest().turns, 32);
    EXPECT_EQ(Requests(false).add([](unsigned lane) { return lane * 4; }).busiest().turns, 4);
    EXPECT_EQ(Requests(false).add([](unsigned lane) { return lane % 8 < 5 ? 0u : 4u; }).busiest().turns, 20);
    // What the assembler combines is one lane's.
    EXPECT_EQ(Requests(false).add([](unsigned) { return 64u; }, AccessKind::kCombined).busiest().turns, 1);
}

TEST(AtomicUnits, NeighbouringLinesShareUnits) {
    const AtomicUnits units(h100_units(), false);
    for (const std::uint64_t from : {kBase, kBase + (8 << 10), 5 * kBase + (100 << 10)}) {
        const auto unit = [&](unsigned line) { return units.unit_of(from + line * 128); };
        // 0 0 1 1 0 0 1 1, and so on with two others: eight units of 4 KB.
        std::set<std::size_t> all;
        for (unsigned line = 0; line < 32; ++line) {
            EXPECT_EQ(unit(line), unit(line / 8 * 8 + line % 8 / 2 % 2 * 2)) << from << " " << line;
            all.insert(unit(line));
        }
        EXPECT_EQ(all.size(), 8u) << from;
    }
    // 256 counters are two units' work, which a histogram of bytes waits for.
    Requests counters(false);
    for (unsigned i = 0; i < 8; ++i) counters.add([&](unsigned lane) { return (i * 32 + lane) * 4; });
    EXPECT_EQ(counters.busiest().turns, 16);
}

// Unevenness is the pattern's alone: what lies together, and what lies apart by any power of two.
TEST(AtomicUnits, AllUnitsHaveAsMuchOfWhatIsLarge) {
    const AtomicUnits units(h100_units(), false);
    for (unsigned shift = 7; shift <= 16; ++shift) {
        std::map<std::size_t, unsigned> lines;
        constexpr unsigned kLines = 8000;
        for (std::uint64_t i = 0; i < kLines; ++i) ++lines[units.unit_of(kBase + (i << shift))];
        unsigned most = 0;
        for (const auto& [unit, count] : lines) most = std::max(most, count);
        EXPECT_LT(most, (shift < 12 ? 1.25 : 4.2) * kLines / 80) << "every " << (1u << shift) << " bytes";
    }
}

TEST(AtomicUnits, SumsOfFloatsWaitForTheirSector) {
    const auto one_place = [](unsigned) { return 0u; };
    EXPECT_EQ(Requests(true).add(one_place).busiest().waits, 32);
    EXPECT_EQ(Requests(false).add(one_place).busiest().waits, 0);
    // Several places of one sector are no better; all sectors of a line in turn hide it.
    EXPECT_EQ(Requests(true).add([](unsigned lane) { return lane % 4 * 4; }).busiest().waits, 8);
    EXPECT_EQ(Requests(true).add([](unsigned lane) { return lane % 4 * 32; }).busiest().waits, 0);
    // Of two lines of one unit, in any order, every other turn is behind one of the same.
    const AtomicUnits::Busiest two = Requests(true).add([](unsigned lane) { return lane % 2 * 128; }).busiest();
    EXPECT_EQ(two.turns, 32);
    EXPECT_EQ(two.waits, 16);
}

TEST(AtomicUnits, AddUpOverWorkers) {
    AtomicUnits all(h100_units(), true);
    std::array<std::int64_t, machine::kWarpSize> none{};
    machine::Access access;
    access.kind = AccessKind::kReduction;
    access.mask = machine::kFullMask;
    access.first = kBase;
    access.deltas = none.data();
    for (int worker = 0; worker < 3; ++worker) {
        AtomicUnits one(h100_units(), true);
        SectorTurns turns;
        one.add(access, 0, true, turns);
        all.merge(one);
    }
    EXPECT_EQ(all.busiest().turns, 96);
    EXPECT_EQ(all.busiest().waits, 96);
}

TEST(AtomicUnits, AnAllocationBeginsAKibibyte) {
    for (const std::uint64_t from : {kBase, kBase + 256, kBase + 512, kBase + 1536})
        EXPECT_EQ((from + AtomicUnits::shift_of(from, 7 * kBase)) % 1024, 0u);
}

}  // namespace
}  // namespace tilescope::observers
