// What is paired with what, and what counts as equal.
#include "scope/report/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scope/views/render/comparison_view.h"
#include "tests/report/sample.h"

namespace tilescope::report {
using namespace views;
namespace {

Profile counted_launches() {
    Profile profile = sample_profile();
    std::erase_if(profile.launches, [](const LaunchProfile& launch) { return !launch.observed; });
    return profile;
}

const ComparedFigure* figure(const ComparedLaunch& launch, std::string_view name) {
    const auto found = std::find_if(launch.figures.begin(), launch.figures.end(),
                                    [&](const ComparedFigure& figure) { return figure.name == name; });
    return found == launch.figures.end() ? nullptr : &*found;
}

TEST(Comparison, AProfileIsEqualToItself) {
    const Profile profile = counted_launches();
    const Comparison comparison = compare(profile, profile);
    EXPECT_EQ(comparison.launches.size(), profile.launches.size());
    EXPECT_TRUE(comparison.only_before.empty() && comparison.only_after.empty());
    for (const ComparedLaunch& launch : comparison.launches)
        for (const ComparedFigure& one : launch.figures) EXPECT_TRUE(one.equal()) << launch.kernel << " " << one.name;
}

TEST(Comparison, SaysWhatChanged) {
    const Profile before = sample_profile();
    Profile after = before;
    after.launches[0].counters[Counter::kGlobalLoadSectors] /= 2;
    after.launches[0].counters[Counter::kGlobalLoadRequests] += 1;  // less than noise
    const Comparison comparison = compare(before, after);
    const ComparedFigure* sectors = figure(comparison.launches[0], "global_load_sectors");
    ASSERT_NE(sectors, nullptr);
    EXPECT_FALSE(sectors->equal());
    EXPECT_EQ(sectors->before, 16'777'216);
    EXPECT_EQ(sectors->after, 8'388'608);
    EXPECT_TRUE(figure(comparison.launches[0], "global_load_requests")->equal());
    EXPECT_FALSE(figure(comparison.launches[0], "global_load_sectors_per_request")->equal());
    const std::string text = comparison_text(comparison, {});
    EXPECT_NE(text.find("16,777,216         8,388,608     2× less"), std::string::npos) << text;
    EXPECT_EQ(text.find("global_store_sectors "), std::string::npos) << "equal figures are left out";
    ViewOptions verbose;
    verbose.verbose = true;
    EXPECT_NE(comparison_text(comparison, verbose).find("global_store_sectors "), std::string::npos);
}

TEST(Comparison, LaunchesArePairedByKernelAndOrder) {
    Profile before = counted_launches(), after = before;
    std::reverse(after.launches.begin(), after.launches.begin() + 2);
    after.launches.pop_back();
    const Comparison comparison = compare(before, after);
    EXPECT_EQ(comparison.launches[0].before, before.launches[0].index);
    EXPECT_EQ(comparison.launches[0].after, before.launches[0].index);
    EXPECT_EQ(comparison.only_before.size(), 1U);
    EXPECT_TRUE(comparison.only_after.empty());
}

// clang and nvcc write "float const*" and "const float *".
TEST(Comparison, OtherSpellingsOfANameAreTheSameKernel) {
    const Profile before = sample_profile();
    Profile after = before;
    after.launches[0].kernel = "naive(const float *, const float *, float *, int)";
    const Comparison comparison = compare(before, after);
    EXPECT_EQ(comparison.launches[0].other_kernel, after.launches[0].kernel);
    EXPECT_TRUE(comparison.only_before.empty());
}

TEST(Comparison, TwoKernelsOfOneProfile) {
    const Profile profile = sample_profile();
    const auto comparison = compare_kernels(profile, "naive", "tiled");
    ASSERT_TRUE(comparison);
    ASSERT_EQ(comparison->launches.size(), 1U);
    EXPECT_NE(figure(comparison->launches[0], "static_shared_bytes"), nullptr);
    const auto none = compare_kernels(profile, "naive", "tyled");
    ASSERT_FALSE(none);
    EXPECT_NE(none.errors()[0].message.find("tyled"), std::string::npos);
    EXPECT_NE(none.errors()[0].hint.find("tiled("), std::string::npos) << "the kernels there are";
}

constexpr const char* kRaw =
    "==PROF== Connected to process 1\n"
    "\"ID\",\"Kernel Name\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\","
    "\"launch__registers_per_thread\",\"gpu__time_duration.sum\"\n"
    "\"\",\"\",\"Ksector\",\"register/thread\",\"us\"\n"
    "\"0\",\"naive(const float *, const float *, float *, int)\",\"16,777.216\",\"32\",\"5\"\n"
    "\"1\",\"tiled(const float *, const float *, float *, int)\",\"1\",\"40\",\"5\"\n";

TEST(Comparison, ReadsTheProfilersRowsOfLaunches) {
    const auto measured = read_ncu_csv(kRaw);
    ASSERT_TRUE(measured);
    ASSERT_EQ(measured->size(), 2U);
    ASSERT_EQ((*measured)[0].figures.size(), 3U);
    EXPECT_EQ((*measured)[0].figures[2].name, "microseconds");
    EXPECT_EQ((*measured)[0].figures[2].value, 5);
    EXPECT_EQ((*measured)[0].figures[0].value, 16'777'216);
    const Comparison comparison = compare(sample_profile(), *measured);
    ASSERT_GE(comparison.launches.size(), 2U);
    EXPECT_TRUE(figure(comparison.launches[0], "global_load_sectors")->equal());
    EXPECT_TRUE(figure(comparison.launches[0], "registers_per_thread")->equal());
    EXPECT_FALSE(figure(comparison.launches[1], "global_load_sectors")->equal());
}

TEST(Comparison, ReadsTheProfilersRowsOfFigures) {
    const auto measured = read_ncu_csv(
        "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
        "\"0\",\"say \"\"hi\"\"(int, int)\",\"smsp__inst_executed.sum\",\"inst\",\"1,024\"\n"
        "\"0\",\"say \"\"hi\"\"(int, int)\",\"dram__bytes_read.sum\",\"Mbyte\",\"3\"\n");
    ASSERT_TRUE(measured);
    EXPECT_EQ((*measured)[0].kernel, "say \"hi\"(int, int)");
    ASSERT_EQ((*measured)[0].figures.size(), 1U);
    EXPECT_EQ((*measured)[0].figures[0].name, "instructions");
    EXPECT_EQ((*measured)[0].figures[0].value, 1024);
}

TEST(Comparison, WhatIsNoSuchFileIsRefusedWithTheCommandThatWritesOne) {
    for (const char* text :
         {"", "a,b\n1,2\n", "\"ID\",\"Kernel Name\"\n", "\"ID\",\"Kernel Name\",\"x\"\n,,\n-1,k,3\n", "\"unfinished"}) {
        const auto measured = read_ncu_csv(text);
        ASSERT_FALSE(measured) << text;
        EXPECT_NE(measured.errors()[0].hint.find("ncu --csv --page raw"), std::string::npos);
    }
}

}  // namespace
}  // namespace tilescope::report
