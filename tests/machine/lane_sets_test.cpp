// Every instruction set's lane sets against loops over pairs of lanes, on random keys.
#include "scope/machine/simd/lane_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <set>

#include "scope/machine/simd/targets.h"

namespace tilescope::machine {
namespace {

using Keys = std::array<std::uint32_t, kWarpSize>;

// Keys of `values` different values, in any order or ascending.
Keys random_keys(std::mt19937& random, std::uint32_t values, bool ascending) {
    Keys keys;
    for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random()) % values * 0x9e3779b9u;
    if (ascending) std::sort(keys.begin(), keys.end());
    return keys;
}

template <class Check>
void for_each_set(Check check) {
    for (const std::string_view target : runnable_targets()) {
        SCOPED_TRACE(target);
        std::mt19937 random(1);
        for (const std::uint32_t values : {1u, 2u, 3u, 8u, 31u, 32u, 64u, 256u, 1u << 20})
            for (unsigned i = 0; i < 200; ++i) check(lane_sets(target), random_keys(random, values, i % 4 == 0));
    }
}

TEST(LaneSets, FindTheLanesThatRepeatALowerOne) {
    for_each_set([](const LaneSets& sets, const Keys& keys) {
        std::uint32_t expected = 0;
        for (unsigned i = 0; i < kWarpSize; ++i)
            if (std::find(keys.begin(), keys.begin() + i, keys[i]) != keys.begin() + i) expected |= 1u << i;
        EXPECT_EQ(sets.repeats(keys.data()), expected);
        EXPECT_EQ(sets.count_distinct(keys.data(), 0, 0), std::set(keys.begin(), keys.end()).size());
        std::set<std::uint32_t> shifted;
        for (const std::uint32_t key : keys) shifted.insert((key + 3) >> 28);
        EXPECT_EQ(sets.count_distinct(keys.data(), 3, 28), shifted.size());
    });
}

TEST(LaneSets, CountLowerEquals) {
    for_each_set([](const LaneSets& sets, const Keys& keys) {
        Keys expected, found;
        for (unsigned i = 0; i < kWarpSize; ++i)
            expected[i] = static_cast<std::uint32_t>(std::count(keys.begin(), keys.begin() + i, keys[i]));
        sets.ranks(keys.data(), found.data());
        EXPECT_EQ(found, expected);
    });
}

TEST(LaneSets, CountTheLanesOfTheBusiestBank) {
    std::mt19937 random(5);
    for_each_set([&](const LaneSets& sets, const Keys& keys) {
        const std::uint32_t lanes = static_cast<std::uint32_t>(random()) | 1u << random() % 32;
        std::array<unsigned, 32> counts{}, shared{};
        std::set<std::uint32_t> words;
        for (unsigned i = 0; i < kWarpSize; ++i) {
            if (!(lanes >> i & 1)) continue;
            ++counts[keys[i] / 4 % 32];
            if (words.insert(keys[i] / 4).second) ++shared[keys[i] / 4 % 32];
        }
        EXPECT_EQ(sets.max_per_bank(keys.data(), lanes, false), *std::max_element(counts.begin(), counts.end()));
        EXPECT_EQ(sets.max_per_bank(keys.data(), lanes, true), *std::max_element(shared.begin(), shared.end()));
    });
}

TEST(LaneSets, MoveBits) {
    std::mt19937 random(6);
    for (const std::string_view target : runnable_targets())
        for (unsigned times = 0; times < 50; ++times) {
            std::array<std::uint32_t, 16> from, to, both;
            unsigned bits = 0;
            for (unsigned i = 0; i < from.size(); ++i) {
                from[i] = times == 0 ? ~0u : static_cast<std::uint32_t>(random() & random());
                to[i] = static_cast<std::uint32_t>(random() & random());
                both[i] = from[i] | to[i];
                bits += static_cast<unsigned>(std::popcount(from[i]));
            }
            EXPECT_EQ(lane_sets(target).move_bits(from.data(), to.data()), bits) << target;
            EXPECT_EQ(to, both) << target;
            EXPECT_EQ(from, (std::array<std::uint32_t, 16>{})) << target;
        }
}

TEST(LaneSets, MeasureFromTheLeastDelta) {
    std::mt19937_64 random(2);
    for (const std::string_view target : runnable_targets())
        for (const unsigned bits : {2u, 20u, 31u, 33u, 64u}) {
            std::array<std::int64_t, kWarpSize> deltas;
            for (std::int64_t& delta : deltas) delta = static_cast<std::int64_t>(random()) >> (64 - bits);
            Keys found;
            const LaneSets::Span span = lane_sets(target).offsets(deltas.data(), found.data());
            EXPECT_EQ(span.low, *std::min_element(deltas.begin(), deltas.end()));
            std::uint64_t all = 0;
            for (unsigned i = 0; i < kWarpSize; ++i) {
                const std::uint64_t offset =
                    static_cast<std::uint64_t>(deltas[i]) - static_cast<std::uint64_t>(span.low);
                all |= offset;
                EXPECT_EQ(found[i], static_cast<std::uint32_t>(offset)) << target << ", lane " << i;
            }
            EXPECT_EQ(span.bits, all) << target;
        }
}

TEST(LaneSets, OfTheChosenTargetAreTheDefault) { EXPECT_EQ(&lane_sets(), &lane_sets(chosen_target())); }

}  // namespace
}  // namespace tilescope::machine
