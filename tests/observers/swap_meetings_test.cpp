// Warps of a block that sum floats in the same words of shared memory: what the replay is told of how they wait.
#include "scope/observers/hierarchy/record/swap_meetings.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace tilescope::observers {
namespace {

constexpr std::uint64_t kTicks = 64, kTry = 100, kInterval = 60;

class Block {
public:
    explicit Block(unsigned warps) {
        SwapRules rules;
        rules.each_try.chain = kTry * kTicks;
        rules.each_try.slots = 8 * kTicks;
        rules.interval = kInterval * kTicks;
        meetings_.set_rules(rules, 300, warps);
    }
    // Lane i sums in word words(i).
    template <class Words>
    SwapMeetings::Loop sum(unsigned warp, std::uint64_t tries, Words words, std::uint64_t cycles = 0) {
        std::array<std::int64_t, machine::kWarpSize> deltas{};
        machine::Access access;
        access.mask = machine::kFullMask;
        access.first = words(0u) * 4;
        for (unsigned i = 0; i < machine::kWarpSize; ++i)
            deltas[i] = static_cast<std::int64_t>(words(i)) * 4 - static_cast<std::int64_t>(access.first);
        access.deltas = deltas.data();
        machine::WarpClock now;
        now.chain = cycles * kTicks;
        return meetings_.meet(warp, access, now, tries, 3 * tries);
    }
    void barrier() { meetings_.forget(); }

private:
    SwapMeetings meetings_;
};

std::uint64_t chain_of(const SwapMeetings::Loop& loop) { return loop.requests * loop.clock.chain / kTicks; }

constexpr auto kOneWord = [](unsigned) { return 5u; };

TEST(SwapMeetings, AWarpAloneTakesItsTries) {
    Block block(1);
    const SwapMeetings::Loop loop = block.sum(0, 32, kOneWord);
    EXPECT_EQ(loop.requests, 1u);
    EXPECT_EQ(chain_of(loop), 32 * kTry);
    EXPECT_EQ(loop.passes, 96u);
    EXPECT_LE(loop.due(0), 32 * kTry) << "its updates follow each other more slowly by themselves";
}

TEST(SwapMeetings, UpdatesOfAWordFollowEachOtherAcrossWarps) {
    Block block(8);
    std::uint64_t passes = 0;
    for (unsigned warp = 0; warp < 8; ++warp) {
        const SwapMeetings::Loop loop = block.sum(warp, 32, kOneWord);
        EXPECT_EQ(loop.due(loop.requests - 1), (warp + 1) * 32 * kInterval);
        EXPECT_NEAR(static_cast<double>(chain_of(loop)), 32 * kTry, 8) << "waiting is no chain of its own";
        passes += loop.requests * loop.passes;
    }
    // All try on while they wait: each of the eight all the time.
    const double tries = 8.0 * 8 * 32 * kInterval / (kTry + 3);
    EXPECT_NEAR(static_cast<double>(passes), 3 * tries, 0.1 * 3 * tries);
}

TEST(SwapMeetings, TheWordWithTheMostUpdatesDecides) {
    Block block(2);
    const auto mostly_one = [](unsigned lane) { return lane < 24 ? 0u : lane; };
    block.sum(0, 24, mostly_one);
    EXPECT_EQ(block.sum(1, 24, mostly_one).due(0), 48 * kInterval);
    Block apart(2);
    apart.sum(0, 1, [](unsigned lane) { return lane; });
    EXPECT_EQ(apart.sum(1, 1, [](unsigned lane) { return 32 + lane; }).due(0), kInterval) << "nobody meets";
}

TEST(SwapMeetings, RoundsOfTriesFollowEachOther) {
    // Two warps change places: in no round do they meet, though both update both words.
    Block block(2);
    block.sum(0, 32, [](unsigned) { return 0u; });
    block.sum(0, 32, [](unsigned) { return 1u; });
    block.sum(1, 32, [](unsigned) { return 1u; });
    EXPECT_EQ(block.sum(1, 32, [](unsigned) { return 0u; }).due(0), 64 * kInterval);
}

TEST(SwapMeetings, ABarrierBeginsAnew) {
    Block block(2);
    block.sum(0, 32, kOneWord);
    block.barrier();
    EXPECT_EQ(block.sum(1, 32, kOneWord).due(0), 32 * kInterval);
}

TEST(SwapMeetings, WhoComesLateFailsNoTry) {
    Block block(2);
    for (int i = 0; i < 2; ++i) block.sum(0, 32, kOneWord);
    block.sum(1, 32, kOneWord);
    // Its second loop comes when all updates are long done.
    const SwapMeetings::Loop late = block.sum(1, 32, kOneWord, 100000);
    EXPECT_LT(late.due(late.requests - 1), 100000u);
    // Of its passes, those of the warp that was here before are left, which waits for it.
    EXPECT_LE(late.requests * late.passes, 96u + 3 * (32 * kInterval / (kTry + 3) + 1));
}

}  // namespace
}  // namespace tilescope::observers
