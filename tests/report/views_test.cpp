// Views against expected files. TILESCOPE_UPDATE_GOLDENS=1 writes the files anew; read the difference before
// committing.
#include "scope/report/views/view.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "scope/report/format.h"
#include "tests/report/sample.h"

namespace tilescope::report {
namespace {

const std::string kGolden = TILESCOPE_SOURCE_DIR "/tests/report/golden/";

ViewOptions options() {
    ViewOptions options;
    options.ridge_fp32 = 13.94;
    options.ridge_fp64 = 6.97;
    options.source_directories = {TILESCOPE_SOURCE_DIR "/tests/report"};
    return options;
}

void expect_golden(const std::string& name, const std::string& got) {
    const std::string path = kGolden + name;
    if (std::getenv("TILESCOPE_UPDATE_GOLDENS") != nullptr) {
        std::ofstream(path, std::ios::binary) << got;
        return;
    }
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file) << path << " is missing; TILESCOPE_UPDATE_GOLDENS=1 writes it";
    std::ostringstream expected;
    expected << file.rdbuf();
    EXPECT_EQ(got, expected.str()) << "differs from " << path;
}

TEST(Views, Text) { expect_golden("sample.txt", text_view(sample_profile(), options())); }

TEST(Views, TextInColour) {
    ViewOptions colored = options();
    colored.color = true;
    expect_golden("sample.color.txt", text_view(sample_profile(), colored));
}

TEST(Views, TextInFull) {
    ViewOptions verbose = options();
    verbose.verbose = true;
    expect_golden("sample.verbose.txt", text_view(sample_profile(), verbose));
}

TEST(Views, WhatTilingCouldSave) {
    Profile profile = sample_profile();
    const auto says = [&](const std::string& words) {
        return text_view(profile, options()).find(words) != std::string::npos;
    };
    EXPECT_TRUE(says("shared         not used; every byte is asked for 16 times by its block: tiling can save 16×"));
    EXPECT_FALSE(says("\n  tiling "));
    profile.launches[0].tiling = Tiling{1000, 1000};
    EXPECT_TRUE(says("shared         not used; no byte is asked for twice by a block: nothing to reuse"));
    profile.launches[0].tiling = Tiling{1050, 1000};
    EXPECT_TRUE(says("shared         not used; hardly any byte is asked for twice by a block: little to reuse"));
    profile.launches[0].tiling.reset();
    EXPECT_TRUE(says("shared         not used\n"));
    profile.launches[1].tiling = Tiling{4000, 1600};
    EXPECT_TRUE(says("tiling         every byte is asked for 2.5 times by its block: tiling can save 2.5×"));
}

TEST(Views, TheNextStepOfALowOccupancy) {
    Profile profile = sample_profile();
    profile.launches[0].occupancy_profile.emplace();
    profile.launches[0].occupancy_profile->next = {{{{"registers", -3}}, 9, 1.0}};
    EXPECT_EQ(text_view(profile, options()).find("3 registers fewer"), std::string::npos);
    profile.launches[0].occupancy = 0.5;
    EXPECT_NE(text_view(profile, options()).find("3 registers fewer a thread: 9 blocks, 100 %"), std::string::npos);
}

TEST(Views, LocalMemoryThatTheAssemblerDidWithout) {
    Profile profile = sample_profile();
    EXPECT_EQ(text_view(profile, options()).find("in PTX only"), std::string::npos);
    profile.launches[2].local_bytes_per_thread = 0;
    EXPECT_NE(text_view(profile, options()).find("in PTX only (8,000 sectors)"), std::string::npos);
}

TEST(Views, Csv) { expect_golden("sample.csv", csv_view(sample_profile(), options())); }

TEST(Views, Json) { expect_golden("sample.json", view_by_name("json")->render(sample_profile(), options())); }

TEST(Views, ColourOnlyAddsEscapes) {
    ViewOptions colored = options();
    colored.color = true;
    std::string text = text_view(sample_profile(), colored);
    for (std::size_t at; (at = text.find('\x1b')) != std::string::npos;) text.erase(at, text.find('m', at) - at + 1);
    EXPECT_EQ(text, text_view(sample_profile(), options()));
}

TEST(Views, TextFitsAHundredColumns) {
    std::istringstream text(text_view(sample_profile(), options()));
    for (std::string line; std::getline(text, line);) EXPECT_LE(columns(line), 100U) << line;
}

// A comparison that does not fit, or that would read "0.0×", is left out.
TEST(Views, AComparisonKeepsToTheLine) {
    Profile profile = sample_profile();
    profile.launches.resize(2);
    LaunchProfile& naive = profile.launches[0];
    // The same work with a sixteenth of the bytes.
    naive.counters = {};
    naive.counters[Counter::kFp32Fma] = 1000;
    naive.counters[Counter::kGlobalLoadBytesRequested] = 16'000;
    profile.launches[1].counters = naive.counters;
    profile.launches[1].counters[Counter::kGlobalLoadBytesRequested] = 1'000;
    const auto compares = [&] { return text_view(profile, options()).find("× naive") != std::string::npos; };
    EXPECT_TRUE(compares()) << text_view(profile, options());
    naive.kernel = "naive" + std::string(40, 'x') + "()";
    EXPECT_FALSE(compares()) << text_view(profile, options());
    naive.kernel = "naive()";
    profile.launches[1].counters[Counter::kGlobalLoadBytesRequested] = 1'600'000;
    EXPECT_FALSE(compares()) << text_view(profile, options());
}

TEST(Views, HalvesAreRoundedUp) {
    Profile profile = sample_profile();
    profile.launches.resize(1);
    profile.launches[0].counters = {};
    profile.launches[0].counters[Counter::kFp32Mul] = 1;
    profile.launches[0].counters[Counter::kGlobalLoadBytesRequested] = 8;
    EXPECT_NE(text_view(profile, options()).find("0.13 FLOP/B"), std::string::npos);
}

TEST(Views, SameLaunchesInARowAreOneParagraph) {
    Profile profile = sample_profile();
    const std::string folded = text_view(profile, options());
    EXPECT_NE(folded.find("(3 times)"), std::string::npos);
    profile.launches[3].counters[Counter::kGlobalLoadSectors] += 1;
    const std::string apart = text_view(profile, options());
    EXPECT_EQ(apart.find("times)"), std::string::npos);
    EXPECT_GT(apart.size(), folded.size());
}

TEST(Views, ManyLaunchesAreSummedUpUnlessVerbose) {
    Profile profile = sample_profile();
    profile.launches.resize(2);
    for (int i = 0; i < 100; ++i) {
        profile.launches.push_back(profile.launches[0]);
        profile.launches.back().counters[Counter::kBarriers] = static_cast<std::uint64_t>(i) + 1;
    }
    EXPECT_NE(text_view(profile, options()).find("78 more launches"), std::string::npos);
    ViewOptions verbose = options();
    verbose.verbose = true;
    EXPECT_EQ(text_view(profile, verbose).find("more launches"), std::string::npos);
}

TEST(Views, AnEmptyProfilePrints) {
    EXPECT_EQ(text_view(Profile{}, {}), " · 0 launches · modelled on h200\n");
    EXPECT_EQ(csv_view(Profile{}, {}).find("index,kernel,"), 0U);
}

TEST(Views, RegistryKnowsWhatIsNotThereYet) {
    for (const View& view : views()) EXPECT_EQ(view_by_name(view.name), &view);
    ASSERT_NE(view_by_name("html"), nullptr);
    EXPECT_EQ(view_by_name("html")->render, nullptr);
    EXPECT_EQ(view_by_name("pdf"), nullptr);
}

}  // namespace
}  // namespace tilescope::report
