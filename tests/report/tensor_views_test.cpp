// What a report says of launches on tensor cores: loads of matrices, what wgmma reads, ridges by type. And of the
// special function unit.
#include <gtest/gtest.h>

#include "scope/views/view.h"

namespace tilescope::report {
namespace {

using C = Counter;

Profile one_launch(const CounterSet& counters) {
    LaunchProfile launch;
    launch.kernel = "product(half const*, half const*, float*)";
    launch.grid = {8, 1, 1};
    launch.block = {128, 1, 1};
    launch.counters = counters;
    Profile profile;
    profile.program = "product.cu";
    profile.device = "h200";
    profile.launches = {launch};
    return profile;
}

std::string text_of(const CounterSet& counters, const views::TensorRidges& ridges = {}) {
    views::ViewOptions options;
    options.width = 200;
    options.tensor_ridges = ridges;
    return views::text_view(one_launch(counters), options);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(TensorViews, LoadsOfMatricesAreAmongSharedLoads) {
    CounterSet c;
    c[C::kInstructions] = 1000;
    c[C::kMatrixLoadRequests] = 100;
    c[C::kSharedLoadWavefronts] = 1600;
    c[C::kSharedLoadBankConflicts] = 1200;
    const std::string all = text_of(c);
    EXPECT_TRUE(has(all, "16.0 wavefronts per request (ideal 4.0)")) << all;
    EXPECT_TRUE(has(all, "1,200 conflicts")) << all;
    EXPECT_TRUE(has(all, "all 100 requests by ldmatrix")) << all;
    EXPECT_FALSE(has(all, "not used")) << all;
    c[C::kSharedLoadRequests] = 300;
    const std::string some = text_of(c);
    EXPECT_TRUE(has(some, "4.0 wavefronts per request (ideal 1.0)")) << some;
    EXPECT_TRUE(has(some, "100 requests by ldmatrix")) << some;
    EXPECT_FALSE(has(some, "all 100 requests")) << some;
}

TEST(TensorViews, WhatWgmmaReadsIsUseOfSharedMemory) {
    CounterSet c;
    c[C::kInstructions] = 1000;
    c[C::kFactorLoadBytes] = 12'800;
    c[C::kFactorLoadWavefronts] = 100;
    const std::string text = text_of(c);
    EXPECT_TRUE(has(text, "wgmma reads")) << text;
    EXPECT_TRUE(has(text, "12,800 B of shared memory in 100 wavefronts, which no load requests")) << text;
    EXPECT_FALSE(has(text, "not used")) << text;
}

TEST(TensorViews, IntensityHasTheRidgeOfItsType) {
    CounterSet c;
    c[C::kInstructions] = 1000;
    c[C::kTensorTf32Operations] = 1'000'000;
    c[C::kGlobalLoadRequests] = 100;
    c[C::kGlobalLoadBytesRequested] = 10'000;
    const std::string text = text_of(c, {.tf32 = 103.1});
    EXPECT_TRUE(has(text, "100.0 FLOP per requested byte in tf32 on tensor cores")) << text;
    EXPECT_TRUE(has(text, "the H200 needs 103.1 in tf32 on tensor cores to be compute-bound")) << text;
}

TEST(TensorViews, IntegersAreNoFloatingPointWork) {
    CounterSet c;
    c[C::kInstructions] = 1000;
    c[C::kTensorInt8Operations] = 2'000;
    c[C::kGlobalLoadRequests] = 100;
    c[C::kGlobalLoadBytesRequested] = 10'000;
    EXPECT_TRUE(has(text_of(c), "2,000 integer operations on tensor cores, no floating-point work")) << text_of(c);
}

TEST(TextView, ApproximateFunctionsOfDevicesThatWereNotComparedAreAssumed) {
    Profile profile = one_launch({});
    views::ViewOptions options;
    const auto says = [&] {
        return views::text_view(profile, options).find("those of the " + profile.device + " are not known") !=
               std::string::npos;
    };
    options.functions_assumed = true;
    EXPECT_FALSE(says());
    profile.launches[0].counters[C::kFp32Special] = 32;
    EXPECT_TRUE(says());
    options.functions_assumed = false;
    EXPECT_FALSE(says());
}

}  // namespace
}  // namespace tilescope::report
