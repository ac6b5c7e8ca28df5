// What an index costs, why, and what cures it.
#include "scope/explore/pattern.h"

#include <gtest/gtest.h>

#include <set>

namespace tilescope::explore {
namespace {

Pattern of(PatternQuestion question) {
    auto pattern = explore_pattern(question);
    EXPECT_TRUE(pattern) << question.index << (pattern ? "" : render(pattern.errors()));
    return pattern ? *pattern : Pattern{};
}
Pattern of(const std::string& index, unsigned element = 4) {
    PatternQuestion question;
    question.index = index;
    question.element_bytes = element;
    return of(question);
}
std::string refused(const PatternQuestion& question) {
    const auto pattern = explore_pattern(question);
    return pattern ? std::string() : render(pattern.errors());
}
std::string refused(const std::string& index) {
    PatternQuestion question;
    question.index = index;
    return refused(question);
}

TEST(Pattern, StridesMeetInBanksByTheirDivisorWith32) {
    for (const auto& [stride, wavefronts] :
         {std::pair{1u, 1u}, {2u, 2u}, {3u, 1u}, {8u, 8u}, {17u, 1u}, {32u, 32u}, {33u, 1u}, {48u, 16u}}) {
        const Pattern pattern = of("tid*" + std::to_string(stride));
        EXPECT_EQ(pattern.cost.wavefronts, wavefronts) << stride;
        EXPECT_EQ(pattern.cost.conflicts, wavefronts - 1) << stride;
        EXPECT_EQ(pattern.reason.factor, wavefronts) << stride;
        EXPECT_TRUE(pattern.reason.explains) << stride;
        EXPECT_EQ(pattern.reason.lanes.size(), wavefronts) << stride;
        EXPECT_EQ(pattern.padding.has_value(), wavefronts != 1) << stride;
    }
}

TEST(Pattern, StridesTouchMoreSectorsUntilEachLaneHasItsOwn) {
    for (const auto& [stride, sectors] : {std::pair{1u, 4u}, {2u, 8u}, {4u, 16u}, {8u, 32u}, {16u, 32u}}) {
        const Pattern pattern = of("tid*" + std::to_string(stride));
        EXPECT_EQ(pattern.cost.sectors, sectors);
        EXPECT_EQ(pattern.cost.ideal_sectors, 4u);
        EXPECT_EQ(pattern.cost.lines, std::min(stride, 32u));
    }
    EXPECT_EQ(of("tid+1").cost.sectors, 5u);
    EXPECT_EQ(of("tid+1").reason.sectors, SectorsWhy::kMisaligned);
    EXPECT_EQ(of("tid-1").cost.sectors, 5u);
    EXPECT_EQ(of("tid*2").reason.sectors, SectorsWhy::kScattered);
    EXPECT_EQ(of("31-tid").reason.sectors, SectorsWhy::kIdeal);
}

TEST(Pattern, ABroadcastIsFree) {
    const Pattern one = of("7");
    EXPECT_EQ(one.cost.wavefronts, 1u);
    EXPECT_EQ(one.cost.sectors, 1u);
    EXPECT_TRUE(one.reason.is_broadcast);
    EXPECT_EQ(of("tid/2").cost.wavefronts, 1u);
    EXPECT_FALSE(of("tid/2").reason.is_broadcast);
}

TEST(Pattern, WideElementsAreServedInGroups) {
    EXPECT_EQ(of("tid", 8).cost.wavefronts, 2u);
    EXPECT_EQ(of("tid", 8).cost.conflicts, 0u);
    EXPECT_EQ(of("tid", 16).cost.wavefronts, 4u);
    const Pattern two = of("tid*2", 8);
    EXPECT_EQ(two.cost.wavefronts, 4u);
    EXPECT_EQ(two.reason.places, 16u);
    EXPECT_EQ(two.reason.factor, 2u);
    EXPECT_TRUE(two.reason.explains);
    // A store of 16 bytes whose lanes pair up is served like any other; a load of them is not.
    PatternQuestion pairs;
    pairs.index = "tid/2";
    pairs.element_bytes = 16;
    const auto load = of(pairs).cost.wavefronts;
    pairs.stores = true;
    EXPECT_LT(load, of(pairs).cost.wavefronts);
}

TEST(Pattern, TheServiceOfBanksIsWhatTheRuleCounts) {
    for (const char* index : {"tid", "tid*2", "tid*8", "tid/2", "tid*tid%97", "(tid/8)*32+tid%8", "tid^5", "tid*3&31"})
        for (const unsigned element : {4u, 8u, 16u}) {
            const Pattern pattern = of(index, element);
            EXPECT_EQ(pattern.service.wavefronts, pattern.cost.wavefronts) << index << " of " << element;
        }
}

TEST(Pattern, TwoDimensionsAndTheColumnOfATile) {
    PatternQuestion question;
    question.index = "threadIdx.x, threadIdx.y";
    Pattern pattern = of(question);
    EXPECT_EQ(pattern.cost.wavefronts, 32u);
    ASSERT_TRUE(pattern.padding);
    EXPECT_EQ(pattern.padding->pad, 1);
    ASSERT_TRUE(pattern.swizzling);
    EXPECT_EQ(pattern.swizzling->swizzle, "col ^ (row & 31)");
    question.pad = 1;
    EXPECT_EQ(of(question).cost.conflicts, 0u);
    question.pad = 0;
    question.swizzle = pattern.swizzling->swizzle;
    EXPECT_EQ(of(question).cost.conflicts, 0u);
    // A block of 16 by 16: two rows of it in a warp.
    question = {};
    question.index = "ty, tx";
    question.block_x = question.block_y = 16;
    question.width = 17;
    EXPECT_EQ(of(question).lanes[16]->index, 17);
}

// What is named as a cure is one, by asking again.
TEST(Pattern, CuresHoldWhenTheyAreAskedFor) {
    int padded = 0, swizzled = 0;
    for (const char* index :
         {"tid*2", "tid*4", "tid*32", "tid*48", "(tid/8)*32 + tid%8", "(tid%4)*64 + tid/4", "tid*tid", "lane*6"})
        for (const unsigned element : {1u, 2u, 4u, 8u, 16u}) {
            PatternQuestion question;
            question.index = index;
            question.element_bytes = element;
            const Pattern pattern = of(question);
            EXPECT_EQ(pattern.cost.conflicts != 0, pattern.reason.lanes.size() > 1) << index << element;
            if (pattern.padding) {
                ++padded;
                PatternQuestion cured = question;
                cured.pad = pattern.padding->pad;
                cured.width = pattern.padding->width;
                EXPECT_EQ(of(cured).cost.conflicts, 0u) << index << " of " << element;
                if (cured.pad > 1) {
                    --cured.pad;
                    EXPECT_NE(of(cured).cost.conflicts, 0u) << index << " of " << element << ": not the smallest";
                }
            }
            if (pattern.swizzling) {
                ++swizzled;
                PatternQuestion cured = question;
                cured.swizzle = pattern.swizzling->swizzle;
                EXPECT_EQ(of(cured).cost.conflicts, 0u) << index << " of " << element;
            }
        }
    EXPECT_GT(padded, 5);
    EXPECT_GT(swizzled, 5);
}

// No two of many elements may share a place, or it were no swizzle.
TEST(Pattern, ASwizzleThatIsFoundKeepsEveryElement) {
    const Pattern pattern = of("(tid/8)*32 + tid%8");
    ASSERT_TRUE(pattern.swizzling);
    std::set<std::int64_t> places;
    for (int from = 0; from < 4096; from += 32) {
        PatternQuestion question;
        question.index = std::to_string(from) + " + tid";
        question.swizzle = pattern.swizzling->swizzle;
        for (const auto& lane : of(question).lanes) {
            EXPECT_EQ(lane->place / 32, lane->index / 32);
            places.insert(lane->place);
        }
    }
    EXPECT_EQ(places.size(), 4096u);
}

TEST(Pattern, ATableOverStrides) {
    PatternQuestion question;
    question.index = "tid*stride";
    question.strides = {1, 33};
    const Pattern pattern = of(question);
    ASSERT_EQ(pattern.strides.size(), 33u);
    for (const PatternStrideRow& row : pattern.strides) {
        const Pattern alone = of("tid*" + std::to_string(row.stride));
        EXPECT_EQ(row.cost.wavefronts, alone.cost.wavefronts);
        EXPECT_EQ(row.cost.sectors, alone.cost.sectors);
        EXPECT_EQ(row.padding.has_value(), alone.padding.has_value());
        EXPECT_EQ(row.padding.has_value(), row.cost.conflicts != 0) << row.stride;
    }
    question.index = "tid*2";
    EXPECT_NE(refused(question).find("does not name the stride"), std::string::npos);
}

// Rows as long as the banks are wide do not help a stride of 6; a structure of 7 elements does.
TEST(Pattern, AStructureIsMadeLarger) {
    const Pattern pattern = of("tid*6");
    ASSERT_TRUE(pattern.padding);
    EXPECT_EQ(pattern.padding->width, 6);
    EXPECT_EQ(pattern.padding->pad, 1);
    PatternQuestion question;
    question.index = "tid*6";
    question.width = 32;
    EXPECT_FALSE(of(question).padding);
}

TEST(Pattern, LanesThatAreNotThere) {
    PatternQuestion question;
    question.index = "tid*32";
    question.block_x = 40;
    question.block_y = 1;
    question.warp = 1;
    const Pattern pattern = of(question);
    EXPECT_EQ(pattern.cost.lanes, 8u);
    EXPECT_EQ(pattern.cost.wavefronts, 8u);
    EXPECT_FALSE(pattern.lanes[8]);
    question.warp = 2;
    EXPECT_NE(refused(question).find("there is no warp 2 in a block of 40 threads"), std::string::npos);
}

TEST(Pattern, NamesOfOnesOwn) {
    PatternQuestion question;
    question.index = "tid*width + k";
    question.width = 1000;
    question.names = {{"k", 3}};
    EXPECT_EQ(of(question).lanes[2]->index, 2003);
}

TEST(Pattern, WhatCannotBeIsRefused) {
    EXPECT_NE(refused("threadIdx.x - 1").find("an unsigned number below 0 has wrapped around"), std::string::npos);
    EXPECT_NE(refused("tid / (tid - 3)").find("lane 3: this divides by zero"), std::string::npos);
    PatternQuestion question;
    question.index = "tid";
    question.element_bytes = 12;
    EXPECT_NE(refused(question).find("not 12"), std::string::npos);
    question.element_bytes = 8;
    question.offset_bytes = 4;
    EXPECT_NE(refused(question).find("misaligned: an access of 8 bytes"), std::string::npos);
    question = {};
    question.index = "tid";
    question.swizzle = "i / 2";
    EXPECT_NE(refused(question).find("32 elements get 16 places"), std::string::npos);
    question.swizzle = "j";
    EXPECT_NE(refused(question).find("--swizzle: there is no \"j\" here"), std::string::npos);
    question = {};
    question.index = "tid, 0";
    question.swizzle = "col + row";
    question.width = 16;
    EXPECT_NE(refused(question).find("would find its element in column 16"), std::string::npos);
    question = {};
    question.index = "tid";
    question.block_x = 2000;
    EXPECT_NE(refused(question).find("1 to 1,024 threads"), std::string::npos);
}

TEST(Pattern, ElementsFarApartHaveNoBanks) {
    const Pattern pattern = of("tid * 60000000", 16);
    EXPECT_FALSE(pattern.cost.fits_shared);
    EXPECT_EQ(pattern.cost.sectors, 32u);
    EXPECT_EQ(pattern.cost.lines, 32u);
}

}  // namespace
}  // namespace tilescope::explore
