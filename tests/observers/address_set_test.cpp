// Distinct addresses, sectors and turns against what the words say, lane by lane, on random accesses.
#include "scope/observers/address_set.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <random>
#include <set>

namespace tilescope::observers {
namespace {

constexpr unsigned kLanes = machine::kWarpSize, kSectorShift = 5;

struct Lanes {
    machine::Access access;
    std::array<std::int64_t, kLanes> deltas{};
};

// Lanes of `mask` at one of `places` multiples of `step` around `around`.
void fill(Lanes& lanes, std::mt19937_64& random, std::uint32_t mask, std::uint64_t around, std::uint64_t places,
          std::uint64_t step) {
    std::array<std::uint64_t, kLanes> addresses{};
    for (std::uint64_t& address : addresses) address = around + random() % places * step - places / 2 * step;
    const auto lead = static_cast<unsigned>(std::countr_zero(mask));
    lanes.access.mask = mask;
    lanes.access.first = addresses[lead];
    for (unsigned i = 0; i < kLanes; ++i)
        lanes.deltas[i] = mask >> i & 1 ? static_cast<std::int64_t>(addresses[i] - addresses[lead]) : 0;
    lanes.access.deltas = lanes.deltas.data();
}

void check(const machine::Access& access) {
    std::map<std::uint64_t, unsigned> lanes_at;
    std::set<std::uint64_t> sectors;
    for (unsigned i = 0; i < kLanes; ++i)
        if (access.mask >> i & 1) {
            ++lanes_at[access.address(i)];
            sectors.insert(access.address(i) >> kSectorShift);
        }
    // A sector is visited as often as its busiest address is wanted.
    std::map<std::uint64_t, unsigned> visits;
    for (const auto& [address, lanes] : lanes_at)
        visits[address >> kSectorShift] = std::max(visits[address >> kSectorShift], lanes);
    unsigned in_turns = 0;
    for (const auto& [sector, times] : visits) in_turns += times;

    const AddressKeys keys(access);
    EXPECT_EQ(keys.count_distinct(), lanes_at.size());
    EXPECT_EQ(keys.count_distinct(kSectorShift), sectors.size());
    EXPECT_EQ(keys.count_in_turns(kSectorShift), in_turns);
    const std::uint32_t first = keys.first_in_turns(kSectorShift);
    EXPECT_EQ(static_cast<unsigned>(std::popcount(first)), in_turns);
    EXPECT_EQ(first & ~access.mask, 0u);
    std::map<std::uint64_t, unsigned> begun;
    for (unsigned i = 0; i < kLanes; ++i)
        if (first >> i & 1) ++begun[access.address(i) >> kSectorShift];
    EXPECT_EQ(begun, visits);
}

TEST(AddressKeys, AgreeWithALoopOverLanes) {
    std::mt19937_64 random(3);
    Lanes lanes;
    for (const std::uint64_t around : {std::uint64_t{1} << 20, std::uint64_t{1} << 47, ~std::uint64_t{0} - 100})
        for (const std::uint64_t places : {1, 2, 5, 32, 100, 10000})
            for (const std::uint64_t step : {1, 4, 8, 32, 1 << 20})
                for (unsigned i = 0; i < 20; ++i) {
                    const auto mask = static_cast<std::uint32_t>(i % 3 == 0 ? ~0u : random() | 1u << random() % 32);
                    fill(lanes, random, mask, around, places, step);
                    check(lanes.access);
                }
}

// Where 32 bits do not hold the distance between lanes.
TEST(AddressKeys, HoldLanesThatAreFarApart) {
    std::mt19937_64 random(4);
    Lanes lanes;
    for (const std::uint64_t step : {std::uint64_t{1} << 30, std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 4})
        for (const std::uint64_t places : {2, 4, 20})
            for (unsigned i = 0; i < 50; ++i) {
                fill(lanes, random, i % 2 == 0 ? ~0u : 0xff00ff70u, std::uint64_t{1} << 45, places, step);
                check(lanes.access);
            }
}

}  // namespace
}  // namespace tilescope::observers
