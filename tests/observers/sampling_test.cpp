// Launches that repeat themselves: what goes through the caches without a clock, and what is told of it.
#include "scope/observers/hierarchy/sampling/sampling.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/replay.h"
#include "scope/observers/hierarchy/sampling/stretch.h"
#include "tests/observers/hierarchy_rules.h"

namespace tilescope::observers {
namespace {

constexpr std::uint64_t kNever = SamplingRules::kNever;

// A block of two warps; each reads `lines` lines, `step` apart, meets the other at each fourth, and writes what it has
// read first.
BlockTraffic block_of(std::uint64_t number, std::uint64_t from, unsigned lines, unsigned step) {
    BlockTraffic traffic;
    traffic.block = number;
    traffic.words = {0,
                     Shape{0, RequestKind::kLoad, false, false, 1}.packed(),
                     whole(15).packed(),
                     Shape{1, RequestKind::kStore, false, true, 1}.packed(),
                     whole(15).packed(),
                     Shape{2, RequestKind::kBarrier, false, true, 0}.packed()};
    traffic.meetings.assign(lines / 4, 2);
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        for (unsigned i = 0; i < lines; ++i) {
            traffic.requests.push_back({from + i * step, 0, 1, warp, 1, 3, 6});
            if (i % 4 == 3) traffic.requests.push_back({i / 4, 0, 5, warp, 1, 1, 2});
        }
        traffic.requests.push_back({from + warp, 0, 3, warp, 0, 1, 2});
    }
    return traffic;
}

struct Answer {
    CacheTraffic all;
    double share = 0, cycles = 0, warps = 0, lines = 0;
    std::uint64_t written = 0;
};

using Blocks = std::function<BlockTraffic(std::uint64_t)>;

Answer answer_of(std::uint64_t blocks, const SamplingRules& sampling, const Blocks& make, bool backwards = false) {
    HierarchyRules rules = two_parts();
    rules.warps = 2;
    rules.scheduler.sms = 8;
    rules.scheduler.sms_in_turn = {8};
    rules.scheduler.gpc.assign(8, 0);
    rules.scheduler.blocks_per_sm = 4;
    rules.l2.near_part.resize(8);
    rules.sampling = sampling;
    Replay replay(rules, blocks, 3, std::make_shared<SecondLevel>(rules));
    for (std::uint64_t i = 0; i < blocks; ++i) replay.deliver(make(backwards ? blocks - 1 - i : i));
    EXPECT_TRUE(replay.is_complete());
    Answer answer;
    for (const CacheTraffic& one : replay.traffic()) answer.all += one;
    answer.share = replay.share_replayed();
    answer.cycles = static_cast<double>(replay.cycles());
    answer.warps = static_cast<double>(replay.clock().warps);
    answer.lines = static_cast<double>(replay.stores().lines);
    answer.written = replay.written_back();
    return answer;
}

Answer answer_of(std::uint64_t blocks, std::uint64_t samples_from, const Blocks& make, bool backwards = false) {
    SamplingRules sampling = SamplingRules::never();
    sampling.least = samples_from;
    return answer_of(blocks, sampling, make, backwards);
}

void expect_near(double sampled, double full, double share, const char* what) {
    EXPECT_LE(std::abs(sampled - full), share * full) << what << ": " << sampled << " of " << full;
}

void expect_alike(const Answer& sampled, const Answer& full) {
    EXPECT_EQ(sampled.all.loads, full.all.loads);
    EXPECT_EQ(sampled.all.stored, full.all.stored);
    expect_near(sampled.cycles, full.cycles, 0.03, "cycles");
    expect_near(sampled.warps, full.warps, 0.05, "lives of warps");
    expect_near(sampled.lines, full.lines, 0.02, "lines sent");
    const auto count = [](std::uint64_t number) { return static_cast<double>(number); };
    expect_near(count(sampled.all.global_hits), count(full.all.global_hits), 0.03, "hits");
    expect_near(count(sampled.all.l2_reads), count(full.all.l2_reads), 0.03, "reads of L2");
    expect_near(count(sampled.all.fetched), count(full.all.fetched), 0.01, "bytes fetched");
    // What holds of counts holds of estimates.
    const auto sum = [](const auto& parts) { return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}); };
    EXPECT_EQ(sampled.all.global_hits + sum(sampled.all.first_misses), sampled.all.loads);
    EXPECT_EQ(sampled.all.l2_read_hits + sum(sampled.all.second_misses), sampled.all.l2_reads);
}

BlockTraffic streaming(std::uint64_t block) { return block_of(block, block * 16, 8, 2); }

TEST(Sampling, ShortBlocksThatFollowEachOtherGoByAndAreTold) {
    const Answer full = answer_of(20000, kNever, streaming), sampled = answer_of(20000, 1, streaming);
    EXPECT_EQ(full.share, 1);
    EXPECT_LT(sampled.share, 0.6);
    expect_alike(sampled, full);
}

TEST(Sampling, LongBlocksOfOneWaveGoByAndAreTold) {
    const Blocks longs = [](std::uint64_t block) { return block_of(block, block % 8 * 40000, 8000, 3); };
    const Answer full = answer_of(32, kNever, longs), sampled = answer_of(32, 1, longs);
    EXPECT_LT(sampled.share, 0.6);
    expect_alike(sampled, full);
}

TEST(Sampling, AShortLaunchIsSeenAsAWhole) {
    const Answer full = answer_of(6000, kNever, streaming), whole = answer_of(6000, 1'000'000, streaming);
    EXPECT_EQ(whole.share, 1);
    EXPECT_EQ(whole.cycles, full.cycles);
    EXPECT_EQ(whole.written, full.written);
}

// 20,000 blocks are 625 waves of 32.
TEST(Sampling, AShorterLaunchGoesByIfItHasManyWaves) {
    const Answer many = answer_of(20000, {.least = kNever, .least_in_waves = 100'000, .waves = 600}, streaming);
    EXPECT_LT(many.share, 0.6);
    const Answer few = answer_of(20000, {.least = kNever, .least_in_waves = 100'000, .waves = 700}, streaming);
    EXPECT_EQ(few.share, 1);
    const Answer small = answer_of(20000, {.least = kNever, .least_in_waves = 1'000'000, .waves = 600}, streaming);
    EXPECT_EQ(small.share, 1);
}

TEST(Sampling, WhatComesFirstMakesNoDifference) {
    const Answer one = answer_of(6000, 1, streaming), other = answer_of(6000, 1, streaming, true);
    EXPECT_EQ(one.share, other.share);
    EXPECT_EQ(one.cycles, other.cycles);
    EXPECT_EQ(one.all.l2_reads, other.all.l2_reads);
    EXPECT_EQ(one.written, other.written);
}

// Now hits, now misses, in turns that are longer than a stretch: hardly two that follow each other are alike.
TEST(Sampling, ALaunchThatDoesNotRepeatItselfKeepsItsClock) {
    const Blocks ever_other = [](std::uint64_t block) {
        constexpr std::array<unsigned, 5> kSteps = {0, 9, 1, 33, 0};
        return block_of(block, block * 4096, 64, kSteps[block / 60 % kSteps.size()]);
    };
    const Answer full = answer_of(700, kNever, ever_other), sampled = answer_of(700, 1, ever_other);
    EXPECT_GT(sampled.share, 0.75);
    expect_near(sampled.cycles, full.cycles, 0.03, "cycles");
}

// What L2 has of a ring that is larger than it hangs on who comes first.
TEST(Sampling, WhereL2FetchesAgainWhatItGaveUpNothingGoesBy) {
    constexpr std::uint64_t kRing = 3 << 13;  // lines: three times what L2 keeps
    const Blocks ring = [](std::uint64_t block) { return block_of(block, block * 64 % kRing, 64, 1); };
    const Answer full = answer_of(4000, kNever, ring), sampled = answer_of(4000, 1, ring);
    EXPECT_GT(sampled.share, 0.9);
    expect_near(static_cast<double>(sampled.all.fetched), static_cast<double>(full.all.fetched), 0.01, "bytes fetched");
}

TEST(Stretches, DifferByWhatDiffersMost) {
    Stretch one;
    one.requests = 100;
    one.cycles = 1000;
    one.traffic[{0, 0}].loads = 400;
    one.traffic[{0, 0}].global_hits = 200;
    Stretch other = one;
    EXPECT_EQ(difference(one, other), 0);
    other.cycles = 1250;
    EXPECT_NEAR(difference(one, other), 0.2, 1e-9);
    other = one;
    other.traffic[{0, 0}].global_hits = 100;
    EXPECT_GT(difference(one, other), 0.1);
    EXPECT_EQ(difference(one, {}), 1);
}

TEST(Estimates, GoByWhatWasSeenAroundAndElseByWhatWentBy) {
    Stretch around;
    around.requests = 100;
    around.traffic[{0, 0}].loads = 400;
    around.traffic[{0, 0}].global_hits = 300;
    around.traffic[{0, 0}].l2_reads = 100;
    Estimate::Gone gone;
    gone.requests = 1000;
    gone.traffic[{0, 0}].loads = 4000;
    gone.traffic[{0, 0}].global_hits = 3900;
    gone.traffic[{0, 0}].second_misses[0] = 50;
    gone.traffic[{1, 0}].loads = 40;  // of which nothing was seen
    gone.traffic[{1, 0}].global_hits = 30;
    Estimate estimate;
    EXPECT_TRUE(estimate.add(gone, around, {}));
    const TrafficByPlace told = estimate.traffic();
    EXPECT_EQ(told.at({0, 0}).global_hits, 3000u);
    EXPECT_EQ(told.at({0, 0}).l2_reads, 1000u);
    EXPECT_EQ(told.at({0, 0}).l2_read_hits, 950u);
    EXPECT_EQ(told.at({1, 0}).global_hits, 30u);
    EXPECT_EQ(estimate.requests(), 1000u);
}

// By the clock, the first of two loads misses half and the second one half; while they went by, the first missed all.
TEST(Estimates, TellWhichLoadMissedByTheClockAndHowMuchByL2) {
    Stretch around;
    around.requests = 100;
    Estimate::Gone gone;
    gone.requests = 1000;
    for (const std::uint32_t op : {0u, 1u}) {
        CacheTraffic& seen = around.traffic[{op, 0}];
        seen.loads = 400;
        seen.l2_reads = 200;
        seen.second_misses[0] = 100;
        seen.fetched = 3200;
        gone.traffic[{op, 0}].loads = 4000;
    }
    gone.traffic[{0, 0}].second_misses[0] = 1900;
    gone.traffic[{0, 0}].l2_reads = 4000;
    gone.traffic[{0, 0}].fetched = 60800;  // of both, 1,900 sectors, where the stretches tell of 2,000
    Estimate estimate;
    EXPECT_TRUE(estimate.add(gone, around, {}));
    const TrafficByPlace told = estimate.traffic();
    for (const std::uint32_t op : {0u, 1u}) {
        EXPECT_EQ(told.at({op, 0}).l2_reads, 2000u);
        EXPECT_EQ(told.at({op, 0}).second_misses[0], 950u);
        EXPECT_EQ(told.at({op, 0}).l2_read_hits, 1050u);
        EXPECT_EQ(told.at({op, 0}).fetched, 30400u);
    }
}

}  // namespace
}  // namespace tilescope::observers
