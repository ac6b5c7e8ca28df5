// The tuning file is what anybody may have written: only whole lines that make sense count. And what a choice of kernel
// depends on is in the key under which it is remembered.
#include "tiles/plan/tuning_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/scratch.h"
#include "tiles/plan/choice_cache.h"
#include "tiles/plan/registry.h"

namespace tiles {
namespace {

constexpr const char* kDevice = "A card";

std::vector<TunedKernel> read(const std::string& text) {
    std::istringstream in(text);
    return read_tuning(in, kDevice);
}

size_t kernels_in(const std::string& lines) { return read(std::string(kDevice) + "\n" + lines).size(); }

TEST(TilesTuning, WhatIsWrittenIsRead) {
    const std::string path = tilescope::scratch_file("tuning.txt");
    const std::vector<TunedKernel> written = {{find_kernel("f32_naive"), 0.0125, 31.5},
                                              {find_kernel("f64_tensor_cores"), 0.875, 9}};
    ASSERT_TRUE(write_tuning(path, kDevice, written));
    std::ifstream in(path);
    const std::vector<TunedKernel> have = read_tuning(in, kDevice);
    ASSERT_EQ(have.size(), written.size());
    for (size_t i = 0; i < have.size(); ++i) {
        EXPECT_EQ(have[i].kernel, written[i].kernel);
        EXPECT_DOUBLE_EQ(have[i].efficiency, written[i].efficiency);
        EXPECT_DOUBLE_EQ(have[i].fixed_us, written[i].fixed_us);
    }
    EXPECT_FALSE(write_tuning("/nowhere/at/all/tuning.txt", kDevice, written));
}

TEST(TilesTuning, AnotherDevicesFileChangesNothing) {
    EXPECT_TRUE(read("Another card\nf32_naive 0.5 3\n").empty());
    EXPECT_TRUE(read("").empty());
    EXPECT_TRUE(read("\n\n\n").empty());
    EXPECT_EQ(read("A card\nf32_naive 0.5 3\n").size(), 1u);
}

TEST(TilesTuning, LinesWithoutSenseAreLeftOut) {
    EXPECT_EQ(kernels_in("no_such_kernel 0.5 3\nf32_naive 0.5 3\n"), 1u);
    for (const char* figures : {"", "0.5", "0.5 3 4", "x 3", "0.5 y", "0 3", "-1 3", "2 3", "0.5 -3", "0.5 1e9",
                                "nan 3", "0.5 nan", "inf 3", "1e999 3", "0x1p-1 3", "0,5 3"}) {
        EXPECT_EQ(kernels_in(std::string("f32_naive ") + figures + "\n"), 0u) << figures;
    }
    const std::vector<TunedKernel> twice = read("A card\nf32_naive 0.5 3\nf32_naive 0.25 3\n");
    ASSERT_EQ(twice.size(), 1u);
    EXPECT_DOUBLE_EQ(twice[0].efficiency, 0.5);
}

TEST(TilesTuning, ALineCutOffDoesNotCount) {
    const std::string whole = "A card\nf32_naive 0.0125 31.5\nf32_coalesced 0.08 47.25\n";
    for (size_t length = 0; length <= whole.size(); ++length) {
        for (const TunedKernel& one : read(whole.substr(0, length))) {
            const bool first = one.kernel == find_kernel("f32_naive");
            EXPECT_DOUBLE_EQ(one.efficiency, first ? 0.0125 : 0.08);
            EXPECT_DOUBLE_EQ(one.fixed_us, first ? 31.5 : 47.25);
        }
    }
}

TEST(TilesTuning, GarbageOfAnyLengthIsRead) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 200; ++i) {
        std::string text = std::string(kDevice) + "\n";
        for (uint64_t length = random() % 3000; length > 0; --length) text += static_cast<char>(random());
        read(text);
    }
    EXPECT_TRUE(read(std::string(size_t{1} << 20, 'x')).empty());
}

TEST(TilesTuning, AFileWithoutAnEndIsNotReadToIt) {
    DeviceProperties device;
    ASSERT_EQ(setenv("TILES_TUNING", "/dev/zero", 1), 0);
    load_tuning(kDevice, &device);
    EXPECT_EQ(device.tuned_count, 0);
    ASSERT_EQ(setenv("TILES_TUNING", "/", 1), 0);  // a folder
    load_tuning(kDevice, &device);
    EXPECT_EQ(device.tuned_count, 0);
    ASSERT_EQ(unsetenv("TILES_TUNING"), 0);
}

TEST(TilesTuning, TunedFiguresReplaceTheRows) {
    const Kernel& kernel = *find_kernel("f32_naive");
    const TunedKernel tuned = {&kernel, 0.75, 1};
    DeviceProperties device;
    EXPECT_DOUBLE_EQ(tuned_figures(kernel, device).efficiency, static_cast<double>(kernel.figures.efficiency));
    device.tuned = &tuned, device.tuned_count = 1;
    EXPECT_DOUBLE_EQ(tuned_figures(kernel, device).efficiency, 0.75);
}

GemmProblem some_problem() {
    GemmProblem p;
    p.m = p.n = p.k = 512, p.lda = p.ldb = p.ldc = 512;
    return p;
}

TEST(TilesChoices, AreRememberedForTheSameProductOnly) {
    DeviceProperties device;
    device.major = 8, device.sms = 108;
    ChoiceCache cache;
    const GemmProblem p = some_problem();
    Choice* place = cache.place(choice_key(p, device, 0));
    ASSERT_EQ(place->kernel, nullptr);
    place->kernel = find_kernel("f32_naive");
    GemmProblem same = p;  // elsewhere, but as well aligned
    same.a = reinterpret_cast<const void*>(uintptr_t{0x4000});
    EXPECT_EQ(cache.place(choice_key(same, device, 0))->kernel, place->kernel);
    EXPECT_NE(choice_key(p, device, 1), choice_key(p, device, 0));
    GemmProblem other = p;
    other.a = reinterpret_cast<const void*>(uintptr_t{0x4004});
    EXPECT_NE(choice_key(other, device, 0), choice_key(p, device, 0));
    DeviceProperties another = device;
    another.sms = 84;
    EXPECT_NE(choice_key(p, another, 0), choice_key(p, device, 0));
    other = p, other.transposed_b = true;
    EXPECT_EQ(cache.place(choice_key(other, device, 0))->kernel, nullptr);
}

DeviceProperties some_hopper() {
    DeviceProperties device;
    device.major = 9, device.tensor_maps = true, device.sms = 132, device.clock_ghz = 1.98;
    device.memory_gb_per_s = 4800, device.shared_per_block = 232448, device.shared_per_sm = 233472;
    return device;
}

// Workspace for the partial sums of shared tiles is not for copies of factors, which take time beforehand.
TEST(TilesChoices, PartialSumsAreNoCopiesOfFactors) {
    const DeviceProperties device = some_hopper();
    GemmProblem p = some_problem();
    p.m = p.n = p.ldb = p.ldc = 128, p.k = p.lda = 65536;
    const Kernel& kernel = *find_kernel("f32_pipeline_128x128");
    const Choice choice = best_tuning(kernel, p, device, SIZE_MAX);
    ASSERT_EQ(choice.tuning.split_k, 2);
    EXPECT_DOUBLE_EQ(choice.seconds, predict_seconds(kernel, choice.tuning, p, device));
}

TEST(TilesChoices, DoNotDependOnWhatWasAskedBefore) {
    const DeviceProperties device = some_hopper();
    std::mt19937_64 random(1);
    std::vector<std::pair<GemmProblem, Choice>> asked;
    for (int i = 0; i < 300; ++i) {
        GemmProblem p = some_problem();
        p.compute = static_cast<Compute>(random() % 6);
        p.type_c = p.compute == Compute::kF64 ? DataType::kF64 : DataType::kF32;
        p.m = 1 + static_cast<int64_t>(random() % 3000), p.n = p.ldb = p.ldc = 8 * (1 + p.m % 100);
        asked.emplace_back(p, choose_kernel(p, device, SIZE_MAX));
    }
    for (const auto& [p, before] : asked) {
        const Choice again = choose_kernel(p, device, SIZE_MAX);
        EXPECT_EQ(again.kernel, before.kernel);
        EXPECT_EQ(again.tuning.split_k, before.tuning.split_k);
        EXPECT_EQ(again.tuning.cut_tail, before.tuning.cut_tail);
    }
}

}  // namespace
}  // namespace tiles
