// Verdicts in words: what is said of which facts.
#include "scope/views/words/verdicts.h"

#include <gtest/gtest.h>

namespace tilescope::views {
namespace {

using Roof = RooflineFigure;
using Held = OccupancyFigure;

// An fp32 kernel of a quarter FLOP per byte, on a device of 1 TB/s and 10 TFLOP/s.
RooflineProfile bound_by_memory() {
    RooflineProfile roofline;
    roofline.type = "fp32";
    roofline.peak = 10e12;
    roofline.ridge = 10;
    roofline.points = {{TrafficLevel::kRequested, 1000, 0.25, 1e12, 10, 0.25e12, "dram"}};
    roofline.bound = "dram";
    roofline.attainable = 0.25e12;
    roofline.of_peak = 0.025;
    RooflineFacts& facts = roofline.facts.emplace();
    facts.limit = RooflineLimit::kMemory;
    facts.level = TrafficLevel::kRequested;
    facts.counted = true;
    return roofline;
}

constexpr const char* kMemoryBound =
    "Memory-bound: 0.25 FLOP per requested byte allow 250 GFLOP/s at 1 TB/s of DRAM, 2.5 % of the fp32 peak. The ridge "
    "is at 10 FLOP/B: reaching it takes 40× more FLOP per byte";

TEST(VerdictWords, NothingWithoutFacts) {
    EXPECT_EQ(roofline_verdict(RooflineProfile{}), "");
    EXPECT_EQ(occupancy_difference({}), "");
}

TEST(VerdictWords, OfHowTilesWouldGetThere) {
    const std::pair<TilingOutlook, const char*> cases[] = {
        {TilingOutlook::kUnknown, "."},
        {TilingOutlook::kTilesOfProduct,
         "; T × T tiles raise the intensity of a matrix product T times: 64 × 64 would suffice."},
        {TilingOutlook::kOnceIsEnough, "; requesting each byte once per block would give 4.0 FLOP/B, which suffices."},
        {TilingOutlook::kWiderTiles,
         "; requesting each byte once per block would give 4.0 FLOP/B, tiles of 64 × 64 would suffice."},
        {TilingOutlook::kNotAtThisSize,
         "; requesting each byte once per block would give 4.0 FLOP/B, which is not enough at this block size."},
        {TilingOutlook::kAtNoSize,
         "; requesting each byte once per block would give 4.0 FLOP/B, which is not enough at any block size: if the "
         "whole grid requested each byte once, it would be 6.0 FLOP/B."},
        {TilingOutlook::kHardlyTwice, ", and its blocks request few bytes twice."},
        {TilingOutlook::kCannotHelp,
         ", and its blocks request few bytes twice, and different blocks request different bytes: tiling cannot help."},
        {TilingOutlook::kTimesAsWide,
         ", and its blocks request few bytes twice, but 32 blocks request each: tiles 64 times as wide and high would "
         "suffice."},
        {TilingOutlook::kUpToAtBest,
         ", and its blocks request few bytes twice, but 32 blocks request each: wider tiles would give up to 6.0 "
         "FLOP/B."},
        {TilingOutlook::kNeverEnough,
         ", and its blocks request few bytes twice, but 32 blocks request each: wider tiles would give up to 6.0 "
         "FLOP/B, which is not enough at any block size."},
    };
    for (const auto& [tiling, words] : cases) {
        RooflineProfile roofline = bound_by_memory();
        roofline.facts->tiling = tiling;
        roofline.facts->figures = {
            {Roof::kOnceIntensity, 4}, {Roof::kBestIntensity, 6}, {Roof::kBlocksForEach, 32}, {Roof::kTileWidth, 64}};
        EXPECT_EQ(roofline_verdict(roofline),
                  std::string(kMemoryBound) + words + " Cache hits are not included: this run did not model caches.");
    }
}

TEST(VerdictWords, OfHowItStandsToWhatIsAttainable) {
    const std::tuple<RooflineStanding, double, const char*> cases[] = {
        {RooflineStanding::kOnSlope, 0.2e12,
         "Measured: 200 GFLOP/s, 80 % of this roof: it is on the slope; only more FLOP per byte help."},
        {RooflineStanding::kBandwidthLeft, 0.05e12,
         "Measured: 50 GFLOP/s, 20 % of this roof: at least 80 % of the bandwidth is unused; use it first (more bytes "
         "in flight), before you raise the intensity."},
        {RooflineStanding::kAtFlatRoof, 0.25e12,
         "Measured: 250 GFLOP/s, 100 % of this roof: it is at the flat roof; only fewer operations or a faster unit "
         "help."},
        {RooflineStanding::kWaiting, 0.05e12,
         "Measured: 50 GFLOP/s, 20 % of this roof: neither arithmetic nor bandwidth is the limit; reduce waiting first "
         "(few warps, chains of dependent instructions)."},
        {RooflineStanding::kAboveRoofs, 1e12,
         "Measured: 1 TFLOP/s, 4× this roof: more than these roofs allow; check the time, the device and the type."},
        {RooflineStanding::kCachesCaught, 1e12,
         "Measured: 1 TFLOP/s, 4× this roof: caches caught at least 75 % of the requested bytes; it is at 50 % of the "
         "next roof, shared memory."},
    };
    for (const auto& [standing, achieved, words] : cases) {
        RooflineProfile roofline = bound_by_memory();
        roofline.achieved = achieved;
        roofline.facts->standing = standing;
        roofline.facts->figures = {{Roof::kCaughtShare, 0.75}, {Roof::kNextShare, 0.5}};
        roofline.facts->next_bound = "shared";
        EXPECT_EQ(roofline_verdict(roofline), std::string(kMemoryBound) + ". " + words);
    }
}

TEST(VerdictWords, OfWhatTheTimeGoesInto) {
    RooflineProfile roofline = bound_by_memory();
    roofline.achieved = 0.2e12;
    roofline.achieved_modelled = true;
    roofline.facts->standing = RooflineStanding::kOnSlope;
    roofline.facts->figures = {{Roof::kRoom, 5}};
    roofline.facts->room_bound = "l2";
    roofline.points.push_back({TrafficLevel::kL2, 250, 1, 1e12, 10, 1e12, "l2"});
    roofline.facts->time = {BoundKind::kLatency, TimeBound::kLatency, 0.48, 5.2, TimeBound::kLaunch, 4.1, false};
    EXPECT_EQ(roofline_verdict(roofline),
              "Latency-bound: 48 % of its 5.2 µs is latency; without that 4.1 µs, mostly launch overhead (modeled). "
              "Its lowest roof is DRAM's: 0.25 FLOP per requested byte allow 250 GFLOP/s at 1 TB/s of DRAM, 2.5 % of "
              "the fp32 peak. Modeled: 200 GFLOP/s, 80 % of this roof. What helps first: more accesses in flight: more "
              "warps or blocks, or more independent loads in each thread; it could be 5× as fast before it reached a "
              "roof, that of L2.");
    // Where bytes bind, the ridge is of use, and the roof is no news.
    roofline.facts->time = {BoundKind::kMemory, TimeBound::kDram, 0.8, 5.2, TimeBound::kLatency, 1.1, true};
    EXPECT_EQ(roofline_verdict(roofline),
              "Memory-bound: 80 % of its 5.2 µs is DRAM; without that 1.1 µs, mostly latency (modeled). Its lowest "
              "roof is DRAM's: 0.25 FLOP per requested byte allow 250 GFLOP/s at 1 TB/s of DRAM, 2.5 % of the fp32 "
              "peak. The ridge is at 10 FLOP/B: reaching it takes 40× more FLOP per byte. Modeled: 200 GFLOP/s, 80 % "
              "of this roof. What helps first: fewer DRAM bytes per operation.");
    roofline.facts->standing = RooflineStanding::kCachesCaught;
    roofline.facts->figures.set(Roof::kCaughtShare, 0.5);
    EXPECT_NE(roofline_verdict(roofline).find("this roof: caches caught at least 50 % of the requested bytes."),
              std::string::npos);
}

TEST(VerdictWords, OfAFlatRoofAndOfTheChip) {
    RooflineProfile roofline = bound_by_memory();
    roofline.facts->limit = RooflineLimit::kCompute;
    roofline.facts->level.reset();
    roofline.facts->figures = {{Roof::kAllOperations, 1000}, {Roof::kPaddedShare, 0.2}};
    EXPECT_EQ(roofline_verdict(roofline),
              "Of 1000 FLOP 20 % multiply padding; the others: Compute-bound: 0.25 FLOP/B is 0.025× the ridge of 10; "
              "the flat roof of 10 TFLOP/s (fp32) is the limit, and more FLOP per byte do not help.");
    roofline.points.clear();
    roofline.facts->unit = "OP";
    roofline.facts->figures = {};
    EXPECT_EQ(roofline_verdict(roofline),
              "Compute-bound: nothing is requested from global memory; the flat roof of 10 TOP/s (fp32) is the limit.");
    roofline = bound_by_memory();
    roofline.points.push_back({TrafficLevel::kL1, 4000, 0.0625, 2e12, 5, 0.125e12, "l1"});
    roofline.facts->limit = RooflineLimit::kOnChip;
    roofline.facts->level = TrafficLevel::kL1;
    roofline.facts->figures = {{Roof::kCarried, 4}};
    EXPECT_EQ(roofline_verdict(roofline),
              "Limited by L1: 0.0625 FLOP per byte through it (32 B per sector) allow 125 GFLOP/s at 2 TB/s, 2.5 % of "
              "the fp32 peak. Reaching the ridge takes 80× fewer sectors: they carry 4× the requested bytes. For the "
              "requested bytes, DRAM would allow 250 GFLOP/s.");
}

TEST(VerdictWords, OfEachRuleThatLeavesRoomForFewerBlocks) {
    const std::pair<OccupancyReason, const char*> cases[] = {
        {{OccupancyRule::kWholeWarps, {{Held::kAsked, 100}, {Held::kHeld, 4}, {Held::kTaken, 128}}},
         "100 threads take 4 whole warps, room for 128"},
        {{OccupancyRule::kRegistersOfThread, {{Held::kLimit, 255}}}, "at most 255 per thread"},
        {{OccupancyRule::kRegisterUnits, {{Held::kAsked, 1056}, {Held::kTaken, 1280}, {Held::kUnit, 256}}},
         "a warp's 1,056 registers are rounded up to 1,280 (units of 256)"},
        {{OccupancyRule::kSubPartitions, {{Held::kParts, 4}, {Held::kHeld, 5}, {Held::kTaken, 3072}}},
         "each of the 4 sub-partitions of the SM holds 5 whole warps of 3,072 registers"},
        {{OccupancyRule::kRegistersOfBlock, {{Held::kLimit, 32'768}, {Held::kTaken, 40'960}}},
         "a block may have at most 32,768 registers and counts for 40,960"},
        {{OccupancyRule::kSharedOfBlock, {{Held::kLimit, 166'912}}}, "at most 166,912 bytes per block"},
        {{OccupancyRule::kSharedOfDriver, {{Held::kKept, 1024}, {Held::kTaken, 33'792}}},
         "the driver reserves 1,024 bytes of shared memory per block, so a block takes 33,792"},
        {{OccupancyRule::kSharedUnits, {{Held::kUnit, 256}, {Held::kAsked, 3100}, {Held::kTaken, 3328}}},
         "shared memory is allocated in units of 256 bytes, so 3,100 take 3,328"},
        {{OccupancyRule::kCarveout, {{Held::kTaken, 32'768}, {Held::kLimit, 233'472}}},
         "the carve-out leaves 32,768 of the SM's 233,472 bytes for shared memory"},
        {{OccupancyRule::kBarriers, {{Held::kAsked, 16}, {Held::kLimit, 64}}},
         "a block uses 16 of the SM's 64 barriers"},
    };
    std::vector<OccupancyReason> all;
    for (const auto& [reason, words] : cases) {
        EXPECT_EQ(occupancy_difference({reason}), words);
        all.push_back(reason);
    }
    EXPECT_EQ(all.size(), report::kNames<OccupancyRule>.size());
    EXPECT_EQ(occupancy_difference({all[1], all[5]}), "at most 255 per thread, and at most 166,912 bytes per block");
    EXPECT_EQ(occupancy_difference({all[1], all[5], all[9]}),
              "at most 255 per thread, at most 166,912 bytes per block, and a block uses 16 of the SM's 64 barriers");
}

}  // namespace
}  // namespace tilescope::views
