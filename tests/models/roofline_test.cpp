// Rooflines: the figures that textbooks give, those of made-up launches worked out by hand, and what must hold of any.
#include "scope/models/roofline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "scope/models/roofline_chart.h"
#include "scope/report/quantities.h"
#include "scope/views/words/verdicts.h"

namespace tilescope::models {
namespace {

using C = Counter;
using report::rate;
using report::rounded;
using report::share;

Roofs roofs(const std::string& name) { return roofs_of(*load_device(name)); }
Roofs toy(double peak, double bandwidth) {
    return {"toy", {{"fp32", "FLOP/s", peak, 4}}, {{MemoryLevel::kDram, bandwidth}}};
}

RooflineWork thought(double intensity, const std::string& type = "fp32") {
    RooflineWork work;
    work.types = {{type, 1}};
    work.intensity = intensity;
    return work;
}

std::string words(const RooflineProfile& roofline) { return views::roofline_verdict(roofline); }
bool says(const RooflineProfile& roofline, const std::string& text) {
    return words(roofline).find(text) != std::string::npos;
}

// The naive and the tiled product of 512 × 512 matrices by 16 × 16 blocks.
LaunchProfile naive() {
    LaunchProfile launch;
    launch.grid = {32, 32, 1};
    launch.block = {16, 16, 1};
    launch.counters[C::kFp32Fma] = 134'217'728;
    launch.counters[C::kGlobalLoadBytesRequested] = 1'073'741'824;
    launch.counters[C::kGlobalStoreBytesRequested] = 1'048'576;
    launch.counters[C::kGlobalLoadSectors] = 16'777'216;
    launch.counters[C::kGlobalStoreSectors] = 32'768;
    launch.tiling.emplace();
    launch.tiling->requested_bytes = 1'073'741'824;
    launch.tiling->unique_bytes_per_block = 67'108'864;
    return launch;
}
LaunchProfile tiled() {
    LaunchProfile launch = naive();
    launch.counters[C::kGlobalLoadBytesRequested] = 67'108'864;
    launch.counters[C::kGlobalLoadSectors] = 2'097'152;
    launch.counters[C::kSharedLoadWavefronts] = 6'291'456;
    launch.counters[C::kSharedStoreWavefronts] = 524'288;
    launch.tiling->requested_bytes = launch.tiling->unique_bytes_per_block = 67'108'864;
    return launch;
}

TEST(Roofline, TheNaiveLoopOnAnA100) {
    const Roofs a100 = roofs("a100");
    const auto found = roofline(a100, thought(0.25));
    ASSERT_TRUE(found);
    EXPECT_DOUBLE_EQ(found->attainable, 388.75e9);
    EXPECT_EQ(found->bound, "dram");
    EXPECT_EQ(found->type, "fp32");
    EXPECT_NEAR(found->ridge, 12.5402, 1e-4);
    EXPECT_NEAR(found->of_peak, 0.0199359, 1e-7);
    EXPECT_EQ(rate(found->attainable, "FLOP/s"), "389 GFLOP/s");
    EXPECT_EQ(share(found->of_peak), "2 %");
    EXPECT_EQ(rounded(found->ridge), "12.5");
    EXPECT_TRUE(says(*found, "389 GFLOP/s at 1.555 TB/s of DRAM, 2 % of the fp32 peak")) << words(*found);
    EXPECT_TRUE(says(*found, "50× more FLOP per byte")) << words(*found);
    EXPECT_TRUE(says(*found, "64 × 64 would suffice")) << words(*found);
    const auto tensor = roofline(a100, thought(0.25, "tf32"));
    EXPECT_DOUBLE_EQ(tensor->attainable, 388.75e9);
    EXPECT_EQ(share(tensor->of_peak), "0.25 %");
    // Tiles of 16 × 16 multiply the intensity by 16.
    EXPECT_DOUBLE_EQ(roofline(a100, thought(0.25 * 16))->attainable, 16 * 388.75e9);
}

TEST(Roofline, ThirtySixOperationsOnTwoToyMachines) {
    RooflineWork work;
    work.types = {{"fp32", 36}};
    work.traffic = {{TrafficLevel::kRequested, 28}};
    const auto memory = roofline(toy(200e9, 100e9), work), compute = roofline(toy(300e9, 250e9), work);
    EXPECT_EQ(rounded(memory->points[0].intensity), "1.29");
    EXPECT_DOUBLE_EQ(memory->ridge, 2.0);
    EXPECT_EQ(memory->bound, "dram");
    EXPECT_TRUE(says(*memory, "Memory-bound")) << words(*memory);
    EXPECT_NEAR(memory->attainable, 128.5714e9, 1e5);
    EXPECT_DOUBLE_EQ(compute->ridge, 1.2);
    EXPECT_EQ(compute->bound, "fp32");
    EXPECT_DOUBLE_EQ(compute->attainable, 300e9);
    EXPECT_TRUE(says(*compute, "Compute-bound")) << words(*compute);
}

TEST(Roofline, ALaunchHasAPointPerLevel) {
    const auto found = roofline(*load_device("h200"), tiled());
    ASSERT_TRUE(found);
    ASSERT_EQ(found->points.size(), 3U);
    EXPECT_EQ(found->points[0].level, TrafficLevel::kRequested);
    EXPECT_EQ(found->points[0].bytes, 68'157'440U);
    EXPECT_EQ(found->points[1].level, TrafficLevel::kL1);
    EXPECT_EQ(found->points[1].bytes, 32U * (2'097'152 + 32'768));
    EXPECT_EQ(found->points[1].bound, "fp32");
    EXPECT_EQ(found->points[2].level, TrafficLevel::kShared);
    EXPECT_EQ(found->points[2].bytes, 128U * (6'291'456 + 524'288));
    EXPECT_EQ(found->points[2].bound, "shared");
    // 128 B a cycle, 132 SMs, 1.98 GHz.
    EXPECT_DOUBLE_EQ(found->points[2].bandwidth, 128 * 132 * 1.98e9);
    EXPECT_NEAR(found->points[2].intensity, 268'435'456. / 872'415'232, 1e-12);
    EXPECT_EQ(found->bound, "shared");
    EXPECT_DOUBLE_EQ(found->attainable, found->points[2].ceiling);
    EXPECT_TRUE(says(*found, "Limited by shared memory")) << words(*found);
}

// Even where they would allow less than what was counted does.
TEST(Roofline, WhatIsModelledHasPointsAndDoesNotBind) {
    LaunchProfile launch = tiled();
    launch.counters[C::kL2ReadSectors] = 2'000'000;
    launch.counters[C::kL2WriteSectors] = 32'768;
    launch.counters[C::kDramReadBytes] = 8'388'608'000;
    EXPECT_EQ(roofline(*load_device("h200"), launch)->points.size(), 3U);
    launch.counters.modelled = true;
    const auto found = roofline(*load_device("h200"), launch);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->points.size(), 5U);
    EXPECT_EQ(found->points[2].level, TrafficLevel::kL2);
    EXPECT_EQ(found->points[2].bytes, 32U * 2'032'768);
    EXPECT_DOUBLE_EQ(found->points[2].bandwidth, 9.3e12);
    EXPECT_EQ(found->points[3].level, TrafficLevel::kDram);
    EXPECT_EQ(found->points[3].bound, "dram");
    EXPECT_LT(found->points[3].ceiling, found->attainable);
    EXPECT_EQ(found->bound, "shared");
    launch.counters[C::kSharedLoadWavefronts] = launch.counters[C::kSharedStoreWavefronts] = 0;
    launch.counters[C::kDramReadBytes] = 6'815'744;
    EXPECT_TRUE(says(*roofline(*load_device("h200"), launch), "Of those bytes 10 % reach DRAM (modeled)"))
        << words(*roofline(*load_device("h200"), launch));
}

// A kernel in tiles asks for each byte once a block; what is left is that many blocks ask for the same ones.
TEST(Roofline, WiderTilesForAKernelInTiles) {
    const Roofs h200 = roofs("h200");
    LaunchProfile launch = tiled();
    launch.counters[C::kSharedLoadWavefronts] = launch.counters[C::kSharedStoreWavefronts] = 0;  // not what binds here
    launch.tiling->unique_bytes = 2'097'152;
    const auto found = roofline(h200, roofline_work(launch));
    EXPECT_TRUE(says(*found, "but 32 blocks request each: tiles 4 times as wide and high would suffice"))
        << words(*found);
    // Too little work for any tile: wider ones help, but not past the ridge.
    launch.counters[C::kFp32Fma] /= 8;
    const auto less = roofline(h200, roofline_work(launch));
    EXPECT_TRUE(says(*less, "tiles 32 times as wide and high would suffice") ||
                says(*less, "wider tiles would give up to"))
        << words(*less);
    launch.counters[C::kFp32Fma] /= 8;
    EXPECT_TRUE(says(*roofline(h200, roofline_work(launch)), "not enough at any block size"));
}

TEST(Roofline, TilesAreProposedOnlyWhereCountsSaySo) {
    const Roofs h200 = roofs("h200");
    EXPECT_TRUE(says(*roofline(h200, roofline_work(naive())),
                     "requesting each byte once per block would give 3.94 FLOP/B, tiles of 64 × 64"));
    // Blocks that ask for nothing twice.
    LaunchProfile streaming = naive();
    streaming.tiling->unique_bytes_per_block = streaming.tiling->requested_bytes;
    EXPECT_FALSE(says(*roofline(h200, roofline_work(streaming)), "tiling cannot help"));  // nor is the grid known
    streaming.tiling->unique_bytes = streaming.tiling->requested_bytes;
    EXPECT_TRUE(says(*roofline(h200, roofline_work(streaming)), "tiling cannot help"));
    // Some reuse, but nothing says that it grows with the block.
    LaunchProfile stencil = naive();
    stencil.tiling->unique_bytes_per_block = stencil.tiling->requested_bytes / 5;
    const auto found = roofline(h200, roofline_work(stencil));
    EXPECT_TRUE(says(*found, "not enough at this block size")) << words(*found);
    EXPECT_FALSE(says(*found, "tiles of")) << words(*found);
    stencil.tiling->unique_bytes = stencil.tiling->requested_bytes / 6;
    const auto never = roofline(h200, roofline_work(stencil));
    EXPECT_TRUE(says(*never, "which is not enough at any block size: if the whole grid requested each byte once"))
        << words(*never);
    stencil.tiling->unique_bytes = stencil.tiling->requested_bytes / 600;
    EXPECT_TRUE(says(*roofline(h200, roofline_work(stencil)), "not enough at this block size"));
    // Nothing known of reuse: nothing said.
    LaunchProfile unknown = naive();
    unknown.tiling.reset();
    const auto silent = roofline(h200, roofline_work(unknown));
    EXPECT_EQ(words(*silent).find("each byte once"), std::string::npos) << words(*silent);
    EXPECT_EQ(words(*silent).find("tile"), std::string::npos) << words(*silent);
    // Reuse that is enough already.
    LaunchProfile enough = naive();
    enough.tiling->unique_bytes_per_block = enough.tiling->requested_bytes / 100;
    EXPECT_TRUE(says(*roofline(h200, roofline_work(enough)), "which suffices"));
}

TEST(Roofline, TypesTakeTurns) {
    Roofs machine = toy(100e9, 1e12);
    machine.compute.push_back({"fp64", "FLOP/s", 50e9, 8});
    RooflineWork work;
    work.types = {{"fp32", 100e9}, {"fp64", 100e9}};
    const auto half = roofline(machine, work);
    // One second of fp32 and two of fp64.
    EXPECT_DOUBLE_EQ(half->peak, 200e9 / 3);
    EXPECT_EQ(half->type, "fp64+fp32");
    work.types[1].operations = 1e8;
    EXPECT_EQ(roofline(machine, work)->type, "fp32") << "what takes no time gives no name";
    work.types = {{"fp64", 5}, {"fp32", 0}};
    EXPECT_EQ(roofline(machine, work)->type, "fp64");
    EXPECT_DOUBLE_EQ(roofline(machine, work)->peak, 50e9);
}

// Without DRAM's slope the flat roof, or another level's slope, would seem to bind.
TEST(Roofline, NothingIsSaidOfGlobalMemoryWithoutItsBandwidth) {
    Roofs blind = roofs("h200");
    std::erase_if(blind.memory, [](const MemoryRoof& roof) { return roof.level == MemoryLevel::kDram; });
    EXPECT_FALSE(roofline(blind, thought(0.25)));
    EXPECT_FALSE(roofline(blind, roofline_work(tiled())));
    EXPECT_EQ(unknown_rates(blind, thought(0.25)), std::vector<std::string>{"dram"});
    EXPECT_EQ(unknown_rates({}, thought(0.25)), (std::vector<std::string>{"fp32", "dram"}));
    EXPECT_TRUE(unknown_rates(roofs("h200"), roofline_work(tiled())).empty());
    // What never asks for global memory does not need it.
    RooflineWork inside;
    inside.types = {{"fp32", 5}};
    inside.traffic = {{TrafficLevel::kShared, 128}};
    EXPECT_TRUE(roofline(blind, inside));
}

TEST(Roofline, NothingWithoutArithmeticOrARate) {
    EXPECT_FALSE(roofline(toy(1, 1), RooflineWork{}));
    EXPECT_FALSE(roofline(toy(1, 1), thought(1, "fp64")));
    EXPECT_EQ(unknown_rates(toy(1, 1), thought(1, "fp64")), std::vector<std::string>{"fp64"});
    LaunchProfile copy;
    copy.counters[C::kGlobalLoadBytesRequested] = 100;
    EXPECT_FALSE(roofline(*load_device("h200"), copy));
    // Arithmetic without memory is compute-bound, and has no point.
    RooflineWork work;
    work.types = {{"fp32", 5}};
    const auto found = roofline(toy(100, 10), work);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->points.empty());
    EXPECT_EQ(found->bound, "fp32");
    EXPECT_DOUBLE_EQ(found->ridge, 10);
    EXPECT_TRUE(says(*found, "nothing is requested from global memory")) << words(*found);
}

TEST(Roofline, MeasuredTimesSayWhatToDoFirst) {
    const auto judged = [](double intensity, double achieved) {
        RooflineWork work = thought(intensity);
        work.achieved = achieved;
        return *roofline(toy(200e9, 100e9), work);
    };
    // At the slope, far under it, at the flat roof, far under that, and above what can be.
    EXPECT_TRUE(says(judged(1, 95e9), "it is on the slope; only more FLOP per byte help"));
    EXPECT_TRUE(says(judged(1, 30e9), "30 % of this roof: at least 70 % of the bandwidth is unused; use it first"));
    EXPECT_TRUE(says(judged(10, 190e9), "it is at the flat roof"));
    EXPECT_TRUE(says(judged(10, 20e9), "neither arithmetic nor bandwidth is the limit"));
    EXPECT_TRUE(says(judged(1, 150e9), "more than these roofs allow"));
    // More than DRAM could have given: the caches did.
    RooflineWork cached = roofline_work(naive());
    cached.achieved = 4 * 0.249756e12 * 4.8;
    const auto found = roofline(roofs("h200"), cached);
    EXPECT_TRUE(says(*found, "4× this roof: caches caught at least 75 % of the requested bytes")) << words(*found);
    EXPECT_TRUE(says(*found, "of the next roof, L1")) << words(*found);
}

TEST(Roofline, TilesArePowersOfTwo) {
    EXPECT_EQ(tile_width_for(50.2), 64U);
    EXPECT_EQ(tile_width_for(64), 64U);
    EXPECT_EQ(tile_width_for(0.5), 1U);
}

TEST(Roofline, EveryDeviceHasRoofsThatHold) {
    for (const std::string& name : device_names()) {
        const Roofs all = roofs(name);
        ASSERT_NE(all.of_type("fp32"), nullptr) << name;
        ASSERT_NE(all.of_level(MemoryLevel::kDram), nullptr) << name;
        const auto found = roofline(all, thought(0.25));
        EXPECT_DOUBLE_EQ(found->attainable, 0.25 * all.of_level(MemoryLevel::kDram)->bandwidth) << name;
        // Levels nearer to the SM give more.
        if (all.of_level(MemoryLevel::kL2) != nullptr) {
            EXPECT_GT(all.of_level(MemoryLevel::kL2)->bandwidth, all.of_level(MemoryLevel::kDram)->bandwidth) << name;
        }
    }
    EXPECT_EQ(roofs("textbook").of_level(MemoryLevel::kL2), nullptr);
}

TEST(Roofline, RandomWorkStaysUnderItsRoofs) {
    std::mt19937 random(11);  // NOLINT: the same work each time
    const Roofs h200 = roofs("h200");
    for (int i = 0; i < 500; ++i) {
        RooflineWork work;
        work.types = {{"fp32", static_cast<double>(random() % 1'000'000)},
                      {"fp64", static_cast<double>(random() % 1000)}};
        work.traffic = {{TrafficLevel::kRequested, random() % 100'000},
                        {TrafficLevel::kL1, random() % 100'000},
                        {TrafficLevel::kShared, random() % 3}};
        const auto found = roofline(h200, work);
        if (work.operations() <= 0) continue;
        ASSERT_TRUE(found);
        double least = found->peak;
        for (const RooflinePoint& point : found->points) {
            least = std::min(least, point.ceiling);
            EXPECT_NEAR(point.ceiling, std::min(found->peak, point.intensity * point.bandwidth), 1e-9 * found->peak);
            EXPECT_EQ(point.bound == found->type, point.intensity >= point.ridge);
        }
        EXPECT_DOUBLE_EQ(found->attainable, least);
        EXPECT_LE(found->peak, h200.of_type("fp32")->peak * (1 + 1e-12));
        EXPECT_FALSE(words(*found).empty());
    }
}

TEST(RooflineChart, OfManyKernelsEachHasOnePointAndSaysItsLevel) {
    const Roofs h200 = roofs("h200");
    const auto at = [&](const char* name, const auto& launch) {
        return Standing{name, *roofline(h200, roofline_work(launch))};
    };
    const report::Chart chart =
        roofline_chart(h200, {at("a", naive()), at("b", tiled()), at("c", tiled()), at("d", tiled())});
    ASSERT_EQ(chart.marks.size(), 4U);
    EXPECT_TRUE(chart.marks[0].name.starts_with("a, as requested: ")) << chart.marks[0].name;
    EXPECT_TRUE(chart.marks[1].name.starts_with("b, shared: ")) << chart.marks[1].name;
}

TEST(RooflineChart, HoldsAllRoofsAndPoints) {
    const Roofs h200 = roofs("h200");
    const report::Chart chart = roofline_chart(
        h200, {{"naive", *roofline(h200, roofline_work(naive()))}, {"tiled", *roofline(h200, roofline_work(tiled()))}});
    EXPECT_EQ(chart.title, "Roofline of h200");
    EXPECT_TRUE(chart.x.logarithmic && chart.y.logarithmic);
    ASSERT_EQ(chart.marks.size(), 5U);
    EXPECT_EQ(chart.marks[0].name, "naive, as requested: 1.2 TFLOP/s");
    EXPECT_TRUE(chart.marks[0].strong);
    EXPECT_TRUE(chart.marks[4].strong) << "the tiled product stands under shared memory's roof";
    for (const report::Mark& mark : chart.marks) {
        EXPECT_TRUE(mark.x > chart.x.least && mark.x < chart.x.most) << mark.name;
        EXPECT_TRUE(mark.y > chart.y.least && mark.y < chart.y.most) << mark.name;
    }
    std::size_t heavy = 0;
    for (const report::Curve& curve : chart.curves) {
        heavy += curve.strong ? 1 : 0;
        for (const auto& [x, y] : curve.points) EXPECT_TRUE(std::isfinite(x) && std::isfinite(y) && y > 0);
    }
    EXPECT_EQ(heavy, 2U);
    EXPECT_TRUE(chart.at_ceilings) << "no time is known";
    EXPECT_TRUE(chart.notes.empty()) << "models are mute";
}

TEST(RooflineChart, ManyKernelsHaveOnePointEach) {
    const Roofs h200 = roofs("h200");
    const Standing one{"tiled", *roofline(h200, roofline_work(tiled()))};
    const report::Chart chart = roofline_chart(h200, {one, one, one, one});
    ASSERT_EQ(chart.marks.size(), 4U);
    EXPECT_DOUBLE_EQ(chart.marks[0].y, one.roofline.attainable);
    EXPECT_TRUE(roofline_chart(h200, {}).marks.empty());
    EXPECT_TRUE(roofline_chart({}, {}).curves.empty());
}

}  // namespace
}  // namespace tilescope::models
