// What code asks of L2: which lines give way first and last, how much comes at a time, and how that is written down.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/record/cache_hints.h"
#include "tests/observers/hierarchy_rules.h"

namespace tilescope::observers {
namespace {

using machine::CacheHints;
using machine::CacheOperator;
using machine::CachePolicy;
using machine::Eviction;

constexpr unsigned kWays = 16, kAll = 15;

// One set, so that every line is in every other's way.
class OneSet {
public:
    explicit OneSet(unsigned last_ways = 3, unsigned parts = 1) : cache_(rules(last_ways, parts)) {}

    // Bytes that it took from device memory.
    unsigned read(std::uint64_t line, Eviction eviction = Eviction::kNormal, unsigned part = 0) {
        return cache_.read(time_ += 10000, part, cache_.place_of(line), kAll, 0, {eviction, false}).fetched;
    }
    void read(std::uint64_t first, std::uint64_t count, Eviction eviction) {
        for (std::uint64_t line = first; line < first + count; ++line) read(line, eviction);
    }
    // Of these lines, those that are there; looked at without a change, as far as that goes.
    std::vector<std::uint64_t> kept(std::uint64_t first, std::uint64_t count) {
        std::vector<std::uint64_t> there;
        for (std::uint64_t line = first; line < first + count; ++line)
            if (read(line, Eviction::kUnchanged) == 0) there.push_back(line);
        return there;
    }
    SecondLevel& cache() { return cache_; }

private:
    static HierarchyRules rules(unsigned last_ways, unsigned parts) {
        HierarchyRules rules = h200_rules();
        rules.l2.parts = parts;
        rules.l2.home_mask = 1u << kLineShift;
        rules.l2.bytes = std::uint64_t{parts} * kWays << kLineShift;
        rules.l2.last_ways = last_ways;
        return rules;
    }

    SecondLevel cache_;
    std::uint64_t time_ = 0;
};

using Lines = std::vector<std::uint64_t>;

TEST(Priorities, WhatGoesFirstGivesWayBeforeAllOthersAndAmongItselfTheOldest) {
    OneSet set;
    set.read(0, 8, Eviction::kNormal);
    set.read(100, 8, Eviction::kFirst);
    set.read(200, 50, Eviction::kFirst);
    EXPECT_EQ(set.kept(0, 8), (Lines{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(set.kept(242, 8).size(), 8u) << "the last eight";
    // Other lines take their places, and then those of each other.
    OneSet other;
    other.read(0, 8, Eviction::kNormal);
    other.read(100, 8, Eviction::kFirst);
    other.read(200, 8, Eviction::kNormal);
    EXPECT_EQ(other.kept(0, 8).size(), 8u);
    other.read(300, 1, Eviction::kNormal);
    EXPECT_EQ(other.read(200), 128u) << "the oldest of the normal ones";
}

TEST(Priorities, WhatGoesLastStaysUpToItsShare) {
    OneSet set;
    set.read(0, 5, Eviction::kLast);
    set.read(100, 200, Eviction::kNormal);
    EXPECT_EQ(set.kept(2, 3), (Lines{2, 3, 4})) << "the newest three";
    OneSet others;
    others.read(0, 3, Eviction::kLast);
    others.read(100, 200, Eviction::kFirst);
    EXPECT_EQ(others.kept(0, 3).size(), 3u);
    // Among themselves they are as other lines are: those that are too many fill the rest of the set.
    OneSet among;
    among.read(0, 3, Eviction::kLast);
    among.read(100, 13, Eviction::kLast);
    EXPECT_EQ(among.kept(0, 3).size(), 3u);
    among.read(200, 16, Eviction::kLast);
    EXPECT_EQ(among.kept(200, 16).size(), 16u);
}

TEST(Priorities, TheShareCanChangeAndBeAllOfASet) {
    OneSet set(kWays);
    set.read(0, 16, Eviction::kLast);
    set.read(100, 1, Eviction::kNormal);
    EXPECT_EQ(set.kept(1, 15).size(), 15u) << "even where all are to go last, one has to";
    OneSet less(5);
    less.read(0, 5, Eviction::kLast);
    less.cache().keep_last(2);
    less.read(50, 1, Eviction::kLast);
    less.read(100, 200, Eviction::kNormal);
    EXPECT_EQ(less.read(4, Eviction::kUnchanged), 0u);
    EXPECT_EQ(less.read(50, Eviction::kUnchanged), 0u);
    EXPECT_EQ(less.read(3, Eviction::kUnchanged), 128u);
}

TEST(Priorities, TheLastAccessDecidesAndUnchangedChangesNothing) {
    OneSet set;
    set.read(0, 3, Eviction::kLast);
    set.read(0, Eviction::kUnchanged);
    set.read(1, Eviction::kNormal);
    set.read(2, Eviction::kFirst);
    set.read(100, 13, Eviction::kNormal);
    set.read(200, 1, Eviction::kNormal);
    EXPECT_EQ(set.read(1, Eviction::kUnchanged), 0u) << "the one that goes first has gone in its place";
    set.read(300, 100, Eviction::kNormal);
    EXPECT_EQ(set.kept(0, 3), Lines{0});
}

TEST(Priorities, ACopyInTheOtherPartIsAsOtherLines) {
    OneSet set(3, 2);
    // Even lines live in the one part, odd ones in the other, but for the page that they are in.
    const unsigned other = set.cache().read(0, 0, set.cache().place_of(0), kAll).over_fabric == 0 ? 1 : 0;
    set.read(0, Eviction::kLast, other);
    for (std::uint64_t line = 100; line < 200; ++line)
        for (const unsigned part : {0u, 1u}) set.read(line, Eviction::kNormal, part);
    const auto again = set.cache().read(1u << 30, other, set.cache().place_of(0), kAll);
    EXPECT_EQ(again.found, 0u) << "its copy has given way";
    EXPECT_EQ(again.over_fabric, 4u);
    EXPECT_EQ(again.fetched, 0u) << "where it lives, it has not";
}

TEST(Priorities, StoresAndUpdatesAskAsLoadsDo) {
    for (const bool stores : {true, false}) {
        OneSet set;
        const auto change = [&](std::uint64_t line, Eviction eviction) {
            SecondLevel& cache = set.cache();
            if (stores)
                cache.write(0, 0, cache.place_of(line), {0, kAll, kAll}, nullptr, eviction);
            else
                cache.update(0, 0, cache.place_of(line), kAll, 0, eviction);
        };
        for (std::uint64_t line = 0; line < 3; ++line) change(line, Eviction::kLast);
        set.read(50, 5, Eviction::kNormal);
        for (std::uint64_t line = 100; line < 200; ++line) change(line, Eviction::kFirst);
        EXPECT_EQ(set.kept(50, 5).size(), 5u);
        set.read(200, 100, Eviction::kNormal);
        EXPECT_EQ(set.kept(0, 3).size(), 3u);
    }
}

TEST(Priorities, CanBeForgotten) {
    OneSet set;
    set.read(0, 3, Eviction::kLast);
    set.cache().forget_last();
    set.read(100, 13, Eviction::kNormal);
    EXPECT_EQ(set.kept(0, 3).size(), 3u) << "they are there";
    set.read(200, 16, Eviction::kNormal);
    EXPECT_TRUE(set.kept(200, 16).size() == 16u) << "but do not stay";
}

// What of a window stays when others have followed, all of it an eighth of what the H200 had; lines come in any order
// within a step of the grid.
double stays_of_window(std::uint64_t kept, unsigned last_ways, unsigned sixteenths) {
    constexpr std::uint64_t kEighth = std::uint64_t{1} << 17, kOthers = 64;
    constexpr std::uint64_t kStep = 264 * 4096 / 8 >> kLineShift, kFirst = 1 << 18, kBehind = 1 << 22;
    HierarchyRules rules = h200_rules();
    rules.l2.bytes = 60 * kEighth;
    rules.l2.parts = 2;
    rules.l2.home_mask = 0xab000;
    rules.l2.last_ways = last_ways;
    SecondLevel cache(rules);
    std::mt19937 random(17);
    std::uint64_t time = 0;
    const auto pass = [&](std::uint64_t from, std::uint64_t bytes, const AccessWindow& window) {
        std::uint64_t fetched = 0;
        for (std::uint64_t begin = 0; begin < bytes >> kLineShift; begin += kStep) {
            std::vector<std::uint64_t> lines(std::min(kStep, (bytes >> kLineShift) - begin));
            std::iota(lines.begin(), lines.end(), from + begin);
            std::shuffle(lines.begin(), lines.end(), random);
            for (const std::uint64_t line : lines)
                fetched += cache
                               .read(time += 10000, random() & 1, cache.place_of(line), kAll, 0,
                                     {window.holds(line) ? window.eviction_of(line) : Eviction::kNormal, false})
                               .fetched;
        }
        return static_cast<double>(fetched);
    };
    const AccessWindow window{kFirst, kept * kEighth >> kLineShift, sixteenths, Eviction::kLast, Eviction::kFirst};
    pass(kFirst, kept * kEighth, window);
    pass(kBehind, kOthers * kEighth, window);
    return 100 - 100 * pass(kFirst, kept * kEighth, window) / static_cast<double>(kept * kEighth);
}

TEST(Priorities, WindowsKeepWhatTheyKeptOnAnH200) {
    // 8, 16 and 24 MiB: all of the window, and half of it (bench/hardware/README.md).
    constexpr struct {
        unsigned last_ways;  // for a limit of 0, 8, 16 and 31 MiB
        double all[3], half[3];
    } kMeasured[] = {{1, {22.1, 0, 0}, {29.5, 6.4, 1.2}},
                     {3, {99.9, 30.0, 0}, {56.1, 46.3, 23.4}},
                     {5, {99.9, 96.1, 24.7}, {56.1, 56.1, 51.8}},
                     {9, {99.9, 99.9, 100}, {56.1, 56.2, 56.2}}};
    unsigned near = 0;
    for (const auto& row : kMeasured)
        for (unsigned i = 0; i < 3; ++i)
            for (const bool whole : {true, false}) {
                const double found = stays_of_window(8 * (i + 1), row.last_ways, whole ? 16 : 9);
                const double measured = (whole ? row.all : row.half)[i];
                EXPECT_NEAR(found, measured, 4) << row.last_ways << " ways, " << 8 * (i + 1) << " MiB, " << whole;
                near += std::abs(found - measured) < 2 ? 1 : 0;
            }
    EXPECT_GE(near, 20u);
}

TEST(Priorities, AWholeLineComesWhereSomethingIsMissing) {
    OneSet set;
    SecondLevel& cache = set.cache();
    const auto read = [&](unsigned sectors, bool whole_line) {
        return cache.read(0, 0, cache.place_of(7), sectors, 0, {Eviction::kNormal, whole_line}).fetched;
    };
    EXPECT_EQ(read(1, false), 64u);
    EXPECT_EQ(read(1, true), 0u) << "nothing is missing";
    EXPECT_EQ(read(4, true), 64u);
    cache.clear();
    EXPECT_EQ(read(2, true), 128u);
}

// ---- Policies in 64 bits --------------------------------------------------------------------------------------------

TEST(CachePolicies, OfAFractionLieAsProgramsCarryThem) {
    EXPECT_EQ(CachePolicy::of_fraction(Eviction::kFirst, Eviction::kUnchanged, 1).bits(), 0x12f0000000000000ull);
    EXPECT_EQ(CachePolicy::of_fraction(Eviction::kLast, Eviction::kUnchanged, 1).bits(), 0x14f0000000000000ull);
    const CachePolicy nothing(0x1000000000000000ull);
    for (std::uint64_t line = 0; line < 100; ++line)
        EXPECT_EQ(nothing.eviction_of(line << kLineShift, line), Eviction::kUnchanged);
}

TEST(CachePolicies, GiveAFractionOfTheLinesTheirPriority) {
    constexpr std::uint64_t kLines = 1 << 16;
    for (const float fraction : {0.0625F, 0.25F, 0.5F, 1.0F})
        for (const Eviction primary : {Eviction::kFirst, Eviction::kLast, Eviction::kNormal}) {
            const CachePolicy policy = CachePolicy::of_fraction(primary, Eviction::kUnchanged, fraction);
            std::uint64_t found = 0;
            for (std::uint64_t line = 0; line < kLines; ++line)
                found += policy.eviction_of(line << kLineShift, line) == primary ? 1 : 0;
            EXPECT_NEAR(static_cast<double>(found) / kLines, fraction, 0.01);
        }
    const CachePolicy two = CachePolicy::of_fraction(Eviction::kLast, Eviction::kFirst, 0.5F);
    std::uint64_t first = 0;
    for (std::uint64_t line = 0; line < kLines; ++line)
        first += two.eviction_of(line << kLineShift, line) == Eviction::kFirst ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(first) / kLines, 0.5, 0.01);
}

TEST(CachePolicies, GiveARangeItsPriorityAndWhatLiesAroundItAnother) {
    constexpr std::uint64_t kMegabyte = 1 << 20, kFrom = 0x7f1234500000;
    for (const std::uint64_t inner : {1, 3, 20, 100}) {
        const std::uint64_t total = 2 * inner + 1;
        const CachePolicy policy = CachePolicy::of_range(Eviction::kLast, Eviction::kFirst, kFrom,
                                                         static_cast<std::uint32_t>(inner * kMegabyte),
                                                         static_cast<std::uint32_t>(total * kMegabyte));
        const auto at = [&](std::uint64_t address) { return policy.eviction_of(address, address >> kLineShift); };
        const std::uint64_t end = kFrom + inner * kMegabyte, slack = total * kMegabyte / 32;
        EXPECT_EQ(at(kFrom), Eviction::kLast);
        EXPECT_EQ(at(end - 1), Eviction::kLast) << "no byte of it is left out";
        EXPECT_EQ(at(end + slack), Eviction::kFirst);
        EXPECT_EQ(at(kFrom + total * kMegabyte - 1), Eviction::kFirst);
        EXPECT_EQ(at(kFrom - 1), Eviction::kFirst);
        EXPECT_EQ(at(kFrom - (total - inner) * kMegabyte + slack), Eviction::kFirst);
        EXPECT_EQ(at(kFrom + total * kMegabyte + slack), Eviction::kUnchanged);
        EXPECT_EQ(at(kFrom - (total - inner) * kMegabyte - slack), Eviction::kUnchanged);
    }
}

TEST(CachePolicies, ThatNobodyMadeAskForNothing) {
    for (const std::uint64_t bits :
         {0x0ull, 0x1ull, 0x12f0000000000001ull, 0x7fffffffffffffffull, 0x2000000000000000ull, ~0ull}) {
        EXPECT_FALSE(CachePolicy(bits).asks()) << bits;
        EXPECT_EQ(CachePolicy(bits).eviction_of(0, 0), Eviction::kUnchanged);
    }
}

// ---- How an access asks ---------------------------------------------------------------------------------------------

Eviction asked(const CacheHints& hints, std::uint64_t policy = 0) {
    const CachePolicy found = policy_of(hints, policy);
    return found.asks() ? found.eviction_of(0, 0) : Eviction::kNone;
}

TEST(Asked, ByTheWordsOfAnAccess) {
    EXPECT_EQ(asked({}), Eviction::kNone);
    for (const CacheOperator operation : {CacheOperator::kStreaming, CacheOperator::kLastUse})
        EXPECT_EQ(asked({.operation = operation}), Eviction::kFirst);
    for (const CacheOperator operation : {CacheOperator::kAllLevels, CacheOperator::kSecondLevel, CacheOperator::kAnew,
                                          CacheOperator::kWriteBack, CacheOperator::kWriteThrough})
        EXPECT_EQ(asked({.operation = operation}), Eviction::kNone);
    for (const Eviction word : {Eviction::kFirst, Eviction::kNoAllocate})
        EXPECT_EQ(asked({.first_level = word}), Eviction::kFirst);
    for (const Eviction word : {Eviction::kLast, Eviction::kUnchanged, Eviction::kNormal})
        EXPECT_EQ(asked({.first_level = word}), Eviction::kNone) << "it says nothing of L2";
    EXPECT_EQ(asked({.first_level = Eviction::kFirst, .second_level = Eviction::kLast}), Eviction::kLast);
    CacheHints by_policy;
    by_policy.has_policy = true;
    EXPECT_EQ(asked(by_policy, 0x14f0000000000000ull), Eviction::kLast);
    EXPECT_EQ(asked(by_policy, 17), Eviction::kNone) << "nobody made it";
    EXPECT_EQ(asked({}, 0x14f0000000000000ull), Eviction::kNone) << "the access does not name it";
}

TEST(Asked, ForSoMuchAtATime) {
    const auto reach = [](std::uint16_t bytes) {
        CacheHints hints;
        hints.prefetch_bytes = bytes;
        return reach_of(hints);
    };
    EXPECT_EQ(reach(0), Reach::kPair);
    EXPECT_EQ(reach(64), Reach::kPair);
    EXPECT_EQ(reach(128), Reach::kLine);
    EXPECT_EQ(reach(256), Reach::kTwoLines);
}

}  // namespace
}  // namespace tilescope::observers
