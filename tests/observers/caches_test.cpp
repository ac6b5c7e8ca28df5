// The rules of L1 and L2 as bench/hardware measured them, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "scope/observers/hierarchy/l1/constant_level.h"
#include "scope/observers/hierarchy/l1/first_level.h"
#include "scope/observers/hierarchy/l2/second_level.h"
#include "tests/observers/hierarchy_rules.h"

namespace tilescope::observers {
namespace {

TEST(FirstLevel, FetchesTheMissingSectorsAndNoOthers) {
    FirstLevel cache(l1_rules(64 << 10), 1);
    EXPECT_EQ(cache.load(7, whole(0b0011), nullptr).missing, 0b0011u);
    EXPECT_EQ(cache.load(7, whole(0b0110), nullptr).missing, 0b0100u);
    EXPECT_EQ(cache.load(7, whole(0b0111), nullptr).missing, 0u);
    EXPECT_EQ(cache.load(8, whole(0b0001), nullptr).missing, 0b0001u);
}

constexpr std::uint64_t kFirstWord = 0xf, kSecondWord = 0xf0, kThirdWord = 0xf00;

// However many sets there are, and however far away a line is.
TEST(SecondLevel, SetsAreGoneRoundByTheirNumber) {
    constexpr std::uint64_t kFar = std::uint64_t{1} << 53, kSpread = 7919, kStep = 0x1234567;
    HierarchyRules rules = one_part();
    for (const std::uint64_t sets : {1u, 2u, 3u, 1000u, 4096u, 15'361u}) {
        rules.l2.bytes = sets * rules.l2.ways << kLineShift;
        const SecondLevel cache(rules);
        for (std::uint64_t from : {std::uint64_t{0}, sets * kStep, kFar - kStep})
            for (std::uint64_t line = from; line < from + 3 * sets; line += 1 + sets / 100)
                ASSERT_EQ(cache.place_of(line).set, (line + line / sets * kSpread) % sets) << line << " of " << sets;
    }
}

// With one victim, the line that gives way is the one used the longest ago, however often others were used.
TEST(FirstLevel, TheLineUsedTheLongestAgoGivesWay) {
    constexpr std::uint64_t kLines = 64, kTurns = 5000;
    L1Rules rules = l1_rules(kLines << kLineShift);
    rules.victims = 1;
    FirstLevel cache(rules, 1);
    std::vector<std::uint64_t> by_use;  // the one used last at the end
    std::uint64_t state = 1;
    for (std::uint64_t turn = 0; turn < kTurns; ++turn) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const std::uint64_t line = (state >> 40) % (kLines + kLines / 4);
        const auto found = std::find(by_use.begin(), by_use.end(), line);
        const bool is_there = found != by_use.end();
        const unsigned missing = cache.load(line, whole(1), nullptr, turn, Rank::kNormal, true).missing;
        ASSERT_EQ(missing == 0, is_there) << "line " << line << ", turn " << turn;
        if (is_there)
            by_use.erase(found);
        else if (by_use.size() == kLines)
            by_use.erase(by_use.begin());
        by_use.push_back(line);
    }
}

TEST(FirstLevel, AStoreToWhatIsThereAddsItsBytes) {
    FirstLevel cache(l1_rules(64 << 10), 1);
    cache.load(7, whole(0b0001), nullptr);
    EXPECT_EQ(cache.store(7, in_part(0b0001), &kFirstWord), 1u);
    EXPECT_EQ(cache.load(7, in_part(0b0001), &kFirstWord).missing, 0u);
    EXPECT_EQ(cache.load(7, in_part(0b0001), &kSecondWord).missing, 0u) << "the rest of the sector has stayed";
    EXPECT_EQ(cache.store(8, in_part(0b0001), &kFirstWord), 0u);
    EXPECT_EQ(cache.store(8, in_part(0b0001), &kSecondWord), 1u);
    EXPECT_EQ(cache.load(8, in_part(0b0001), &kFirstWord).missing, 0u) << "both stores' bytes are there";
    EXPECT_EQ(cache.load(8, in_part(0b0001), &kThirdWord).missing, 1u) << "and no others";
    EXPECT_EQ(cache.load(8, in_part(0b0001), &kThirdWord).missing, 0u) << "now the sector has been fetched";
    EXPECT_EQ(cache.store(9, whole(0b0001), nullptr), 0u);
    EXPECT_EQ(cache.load(9, whole(0b0001), nullptr).missing, 0u);
}

TEST(FirstLevel, AStoreToASectorInMotionLeavesItsBytesAlone) {
    FirstLevel cache(l1_rules(64 << 10), 1);
    // On its way here until 500.
    cache.arrives_at(cache.load(7, whole(0b0001), nullptr, 100).slot, 500);
    EXPECT_EQ(cache.store(7, in_part(0b0001), &kFirstWord, 200), 0u) << "a miss";
    EXPECT_EQ(cache.load(7, in_part(0b0001), &kFirstWord, 600).missing, 0u);
    EXPECT_EQ(cache.load(7, in_part(0b0001), &kSecondWord, 600).missing, 1u) << "what came was not kept";
    // Its neighbour in the line has been there for long.
    cache.arrives_at(cache.load(8, whole(0b0001), nullptr, 100).slot, 200);
    cache.arrives_at(cache.load(8, whole(0b0010), nullptr, 300).slot, 500);
    EXPECT_EQ(cache.store(8, in_part(0b0001), &kFirstWord, 400), 1u);
    EXPECT_EQ(cache.load(8, in_part(0b0001), &kSecondWord, 600).missing, 0u);
    // The store before has not left the SM.
    cache.load(9, whole(0b0001), nullptr);
    EXPECT_EQ(cache.store(9, in_part(0b0001), &kFirstWord, 600), 1u);
    EXPECT_EQ(cache.store(9, in_part(0b0001), &kSecondWord, 610, 0b0001), 0u);
    EXPECT_EQ(cache.load(9, in_part(0b0001), &kFirstWord, 700).missing, 1u);
}

TEST(FirstLevel, AStoreToLocalMemoryLeavesTheRestOfTheSector) {
    FirstLevel cache(l1_rules(64 << 10), 1);
    const std::uint64_t first_word = 0xf, second_word = 0xf0;
    cache.load(7, whole(0b0001), nullptr);
    EXPECT_EQ(cache.store(7, in_part(0b0001), &first_word, 0, 0b0001, true), 1u);
    EXPECT_EQ(cache.load(7, in_part(0b0001), &second_word).missing, 0u);
    cache.store(8, in_part(0b0001), &first_word, 0, 0, true);
    EXPECT_EQ(cache.load(8, in_part(0b0001), &second_word).missing, 1u) << "of a sector that was not there";
}

// Hits of the later rounds of a ring of lines, of one.
double hits_of_ring(std::uint64_t bytes, double share) {
    FirstLevel cache(l1_rules(bytes), 1);
    const auto lines = static_cast<std::uint64_t>(static_cast<double>(bytes >> kLineShift) * share);
    std::uint64_t hits = 0;
    constexpr unsigned kRounds = 6;
    for (unsigned round = 0; round < kRounds; ++round)
        for (std::uint64_t line = 0; line < lines; ++line) {
            const bool hit = cache.load(line, whole(1), nullptr).missing == 0;
            EXPECT_FALSE(round == 0 && hit);
            hits += hit ? 1 : 0;
        }
    return static_cast<double>(hits) / static_cast<double>(lines * (kRounds - 1));
}

TEST(FirstLevel, WhatItReplacesIsNeitherTheOldestNorAnyLine) {
    constexpr std::uint64_t kBytes = 238 << 10;
    EXPECT_GT(hits_of_ring(kBytes, 0.9), 0.99);
    EXPECT_GT(hits_of_ring(kBytes, 1.05), 0.25);
    EXPECT_LT(hits_of_ring(kBytes, 1.05), 0.75);
    EXPECT_LT(hits_of_ring(kBytes, 1.3), 0.06);
    EXPECT_GT(hits_of_ring(kBytes / 2, 1.1), hits_of_ring(kBytes, 1.1)) << "a small one forgets less of it";
}

// Of lines that were there, how many still are when so many others are under way, and when these have come.
std::pair<unsigned, unsigned> kept_beside(unsigned others, unsigned tags) {
    constexpr unsigned kLines = 64;
    std::pair<unsigned, unsigned> kept;
    for (const std::uint64_t now : {50u, 100u}) {
        FirstLevel cache(l1_rules(kLines << kLineShift, tags), 1);
        for (std::uint64_t line = 0; line < kLines; ++line) cache.load(line, whole(1), nullptr);
        for (std::uint64_t line = 0; line < others; ++line)
            cache.arrives_at(cache.load(1000 + line, whole(1), nullptr, 10).slot, 100);
        unsigned& count = now == 50 ? kept.first : kept.second;
        for (std::uint64_t line = 0; line < kLines; ++line) {
            const FirstLevel::Response response = cache.load(line, whole(1), nullptr, now);
            if (response.missing != 0) cache.arrives_at(response.slot, 1000);
            count += response.missing == 0 ? 1 : 0;
        }
    }
    return kept;
}

TEST(FirstLevel, WhatIsUnderWayTakesNoPlaceButATag) {
    EXPECT_EQ(kept_beside(32, 256), std::pair(64u, 32u));
    EXPECT_EQ(kept_beside(64, 256).first, 64u);
    EXPECT_LT(kept_beside(64, 256).second, 32u);
    const unsigned kept_with_few_tags = kept_beside(32, 80).first;
    EXPECT_GE(kept_with_few_tags, 80u - 32u - 16u) << "what is missed asks for tags, too";
    EXPECT_LE(kept_with_few_tags, 80u - 32u);
}

// Sectors of so many KiB that are still there when others have come; as bench/hardware/policies.cu, part "first", asked
// it.
unsigned stay(Rank kept, Rank others, std::uint64_t kept_kilobytes, std::uint64_t kilobytes) {
    constexpr std::uint64_t kLinesOfKilobyte = 8;
    FirstLevel cache(l1_rules(238 << 10, 2048), 1);
    for (std::uint64_t line = 0; line < kept_kilobytes * kLinesOfKilobyte; ++line)
        cache.load(line, whole(15), nullptr, 0, kept);
    for (std::uint64_t line = 0; line < kilobytes * kLinesOfKilobyte; ++line)
        cache.load((1 << 20) + line, whole(15), nullptr, 0, others);
    unsigned there = 0;
    for (std::uint64_t line = 0; line < kept_kilobytes * kLinesOfKilobyte; ++line)
        there += 4 - static_cast<unsigned>(std::popcount(cache.load(line, whole(15), nullptr).missing));
    return there;
}
std::vector<unsigned> stay(Rank kept, Rank others) {
    std::vector<unsigned> there;
    for (const std::uint64_t kilobytes : {32, 64, 128, 192, 224, 256, 512})
        there.push_back(stay(kept, others, 64, kilobytes));
    return there;
}

// One H200, 23 November 2026, of 2,048 sectors: usual ones beside usual ones 2048, 2048, 2048, 1120, 568, 0, 0.
TEST(FirstLevel, RanksSayWhoGivesWayToWhom) {
    const std::vector<unsigned> as_ever = stay(Rank::kNormal, Rank::kNormal), all(7, 2048);
    EXPECT_EQ((std::vector<unsigned>(as_ever.begin(), as_ever.begin() + 3)), (std::vector<unsigned>{2048, 2048, 2048}));
    EXPECT_NEAR(as_ever[3], 1120, 350);
    EXPECT_NEAR(as_ever[4], 568, 350);
    EXPECT_LT(as_ever[5], 100u);
    EXPECT_EQ(as_ever[6], 0u);
    const auto is_as_ever = [&](Rank kept, Rank others) {
        const std::vector<unsigned> found = stay(kept, others);
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], as_ever[i], 300) << i;
    };
    is_as_ever(Rank::kFirst, Rank::kNormal);
    is_as_ever(Rank::kFirst, Rank::kFirst);
    is_as_ever(Rank::kFirst, Rank::kLast);
    is_as_ever(Rank::kNormal, Rank::kLast);
    is_as_ever(Rank::kLast, Rank::kLast);
    EXPECT_EQ(stay(Rank::kNormal, Rank::kFirst), all);
    EXPECT_EQ(stay(Rank::kLast, Rank::kNormal), all);
    EXPECT_EQ(stay(Rank::kLast, Rank::kFirst), all);
}

// There 4,096 sectors, half of 256 KiB, whichever of 128 to 256 KiB were to stay.
TEST(FirstLevel, HalfOfItAtMostOutlastsTheRest) {
    EXPECT_EQ(stay(Rank::kLast, Rank::kNormal, 96, 512), 3072u);
    for (const std::uint64_t kept : {128, 160, 192, 224, 256})
        EXPECT_NEAR(stay(Rank::kLast, Rank::kNormal, kept, 512), 4096, 40) << kept;
    EXPECT_EQ(stay(Rank::kNormal, Rank::kFirst, 160, 512), 5120u);
    EXPECT_NEAR(stay(Rank::kNormal, Rank::kFirst, 192, 512), 6056, 100);
}

TEST(FirstLevel, CanBeEmptied) {
    FirstLevel cache(l1_rules(64 << 10), 1);
    for (std::uint64_t line = 0; line < 2000; ++line) cache.load(line, whole(15), nullptr);
    cache.clear();
    for (std::uint64_t line = 0; line < 2000; ++line) EXPECT_EQ(cache.load(line, whole(15), nullptr).missing, 15u);
}

// 2 KB of lines of 64 bytes, as bench/hardware/constant.cu walked them in a circle.
TEST(ConstantLevel, IsSetsOfFourLinesOfWhichTheOldestGivesWay) {
    const auto missed = [](std::uint64_t bytes, std::uint64_t stride) {
        ConstantLevel cache(8, 4);
        std::uint64_t misses = 0, lookups = 0;
        for (unsigned round = 0; round < 4; ++round)
            for (std::uint64_t at = 0; at < bytes; at += stride) {
                const bool hit = cache.look_up(at / 64, 0).second;
                if (round == 0) continue;
                ++lookups;
                misses += hit ? 0 : 1;
            }
        return static_cast<double>(misses) / static_cast<double>(lookups);
    };
    for (const std::uint64_t stride : {64u, 128u, 256u}) {
        EXPECT_EQ(missed(2048, stride), 0) << stride;
        EXPECT_NEAR(missed(2304, stride), 0.556, 0.001) << stride;
        EXPECT_EQ(missed(2560, stride), 1) << stride;
    }
}

// Launches that only read: bench/hardware/left_dirty.cu.
TEST(SecondLevel, WritesWhatOthersLeftDirtyOnceItIsFull) {
    HierarchyRules rules = one_part();
    rules.l2.launch_dirty = rules.l2.bytes / 32;
    SecondLevel cache(rules);
    const auto read = [&](std::uint64_t lines) {
        for (std::uint64_t line = 0; line < lines; ++line) cache.read(0, 0, cache.place_of(line), 15);
        return cache.written_back();
    };
    const std::uint64_t lines = rules.l2.bytes >> kLineShift;
    EXPECT_EQ(read(lines / 2), 0u);
    EXPECT_EQ(read(lines), rules.l2.launch_dirty);
    EXPECT_EQ(read(4 * lines), rules.l2.launch_dirty) << "it is written once";
    cache.clear();
    EXPECT_EQ(read(lines), 2 * rules.l2.launch_dirty) << "and for the next launch others have been at work";
}

TEST(SecondLevel, FetchesPairsOfSectors) {
    SecondLevel cache(one_part());
    const auto first = cache.read(0, 0, cache.place_of(5), 0b0001);
    EXPECT_EQ(first.found, 0u);
    EXPECT_EQ(first.fetched, 64u);
    const auto partner = cache.read(1, 0, cache.place_of(5), 0b0010);
    EXPECT_EQ(partner.found, 0b0010u);
    EXPECT_EQ(partner.fetched, 0u);
    EXPECT_EQ(cache.read(2, 0, cache.place_of(5), 0b1100).fetched, 64u);
}

TEST(SecondLevel, WrittenSectorsNeedNothingAndPartsAreFetchedWhenRead) {
    SecondLevel cache(one_part());
    const std::uint64_t word = 0xf;
    EXPECT_EQ(cache.write(0, 0, cache.place_of(5), whole(0b0001), nullptr).fetched, 0u);
    EXPECT_EQ(cache.read(9000, 0, cache.place_of(5), 0b0001).found, 0b0001u);
    EXPECT_EQ(cache.write(9000, 0, cache.place_of(6), in_part(0b0001), &word).fetched, 0u);
    EXPECT_EQ(cache.read(9000, 0, cache.place_of(6), 0b0001).fetched, 32u) << "the rest of its bytes";
    // All bytes of a sector, by and by.
    for (unsigned i = 0; i < 8; ++i) {
        const std::uint64_t mask = std::uint64_t{0xf} << 4 * i;
        cache.write(9000, 0, cache.place_of(7), in_part(0b0100), &mask);
    }
    EXPECT_EQ(cache.read(9000, 0, cache.place_of(7), 0b0100).fetched, 0u);
}

TEST(SecondLevel, FewChangedLinesWaitAndTheRestAreWrittenBack) {
    const HierarchyRules rules = one_part();
    SecondLevel cache(rules);
    const std::uint64_t lines = rules.l2.bytes >> kLineShift;
    for (std::uint64_t line = 0; line < lines / 4; ++line) cache.write(0, 0, cache.place_of(line), whole(15), nullptr);
    EXPECT_EQ(cache.written_back(), 0u);
    for (std::uint64_t line = lines / 4; line < lines; ++line)
        cache.write(0, 0, cache.place_of(line), whole(15), nullptr);
    EXPECT_EQ(cache.written_back(), rules.l2.bytes * (rules.l2.ways - rules.l2.dirty_ways) / rules.l2.ways);
}

TEST(SecondLevel, KeepsACopyOfWhatTheOtherPartHas) {
    SecondLevel cache(two_parts());
    unsigned at_home = 0;
    for (std::uint64_t line = 0; line < 64; ++line) {
        const auto first = cache.read(0, 0, cache.place_of(line), 15);
        EXPECT_EQ(first.fetched, 128u);
        const auto again = cache.read(9000, 0, cache.place_of(line), 15);
        EXPECT_EQ(again.found, 15u);
        EXPECT_EQ(again.over_fabric, 0u);
        const auto from_other = cache.read(9000, 1, cache.place_of(line), 15);
        EXPECT_EQ(from_other.fetched, 0u);
        // Where it lives in part 0, part 1 has to ask there; where it lives in part 1, it is there.
        EXPECT_EQ(from_other.found, first.over_fabric == 0 ? 0u : 15u);
        EXPECT_EQ(from_other.over_fabric, first.over_fabric == 0 ? 4u : 0u);
        at_home += first.over_fabric == 0 ? 1 : 0;
    }
    EXPECT_EQ(at_home, 32u) << "neighbouring pieces of 4 KB live in different parts";
}

// Whatever bits tell the parts apart, all of a part's lines are at its disposal.
TEST(SecondLevel, HoldsWhatItsSizeSays) {
    for (const std::uint64_t mask : {0xab000, 0xaa000, 0x2000}) {
        HierarchyRules rules = two_parts();
        rules.l2.home_mask = mask;
        SecondLevel cache(rules);
        const std::uint64_t lines = (rules.l2.bytes >> kLineShift) / 2;
        // Each line is read from where it lives: first from part 0, and again where that had to ask the other.
        std::vector<unsigned> home(lines);
        for (std::uint64_t line = 0; line < lines; ++line)
            home[line] = cache.read(0, 0, cache.place_of(line), 15).over_fabric == 0 ? 0 : 1;
        cache.clear();
        for (unsigned round = 0; round < 2; ++round)
            for (std::uint64_t line = 0; line < lines; ++line)
                EXPECT_EQ(cache.read(9000, home[line], cache.place_of(line), 15).fetched, round == 0 ? 128u : 0u)
                    << mask;
    }
}

TEST(SecondLevel, AWriteMakesTheOtherPartsCopyOld) {
    SecondLevel cache(two_parts());
    for (std::uint64_t line = 0; line < 64; ++line) {
        cache.read(0, 0, cache.place_of(line), 15);
        cache.read(0, 1, cache.place_of(line), 15);
        cache.write(9000, 0, cache.place_of(line), whole(15), nullptr);
        const auto writer = cache.read(9000, 0, cache.place_of(line), 15),
                   other = cache.read(9000, 1, cache.place_of(line), 15);
        EXPECT_EQ(writer.found, 15u);
        EXPECT_EQ(sector_count(other.found) + other.over_fabric, 4u) << "from where it lives, wherever that is";
        EXPECT_EQ(other.fetched, 0u);
    }
}

}  // namespace
}  // namespace tilescope::observers
