// Views against expected files. TILESCOPE_UPDATE_GOLDENS=1 writes the files anew; read the difference before
// committing.
#include "scope/views/view.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "scope/report/format.h"
#include "tests/places.h"
#include "tests/report/golden_file.h"
#include "tests/report/sample.h"

namespace tilescope::report {
using namespace views;
namespace {

ViewOptions options() {
    ViewOptions options;
    options.ridge_fp32 = 13.94;
    options.ridge_fp64 = 6.97;
    options.source_directories = {source_dir() + "/tests/report"};
    return options;
}

// Wide enough for every sentence to stay in one line.
ViewOptions wide() {
    ViewOptions all = options();
    all.width = 200;
    return all;
}

TEST(Views, Text) { expect_golden("sample.txt", text_view(sample_profile(), options())); }

// A race beside the sample's fault, and a leak of host code.
TEST(Views, Sarif) {
    Profile profile = sample_profile();
    Hazard race;
    race.kind = HazardKind::kRace;
    race.space = HazardSpace::kShared;
    race.order = RaceOrder::kReadAfterWrite;
    race.file = "my kernels/sample.cu";
    race.line = 12;
    race.other_file = "/work space/sample.cu";
    race.other_line = 10;
    race.count = 7;
    race.thread = {3, 0, 0};
    race.kernel = profile.launches[0].kernel;
    race.message = "thread 3 reads what thread 0 writes";
    race.hint = "add __syncthreads() between the two";
    profile.launches[0].hazards.push_back(race);
    profile.launches[1].hazards.push_back(race);  // the same again
    Hazard leak;
    leak.kind = HazardKind::kLeak;
    leak.severity = Severity::kWarning;
    leak.message = "4 bytes were never freed";
    profile.hazards.push_back(leak);
    profile.budgets = {{"naive*: barriers < 1", BudgetVerdict::kKept, 1, 0, {}, "", ""},
                       {"naive*: global_load_sectors_per_request <= 1", BudgetVerdict::kBroken, 2, 1, 0,
                        profile.launches[0].kernel, "global_load_sectors_per_request = 2"},
                       {"nobody: barriers < 1", BudgetVerdict::kNoLaunch, 0, 0, {}, "", ""}};
    profile.ended = "exit 0";
    ViewOptions told = options();
    const std::chrono::system_clock::time_point begin{std::chrono::seconds(1'700'000'000)};
    told.invocation = {
        {"run", "--budget", "naive*: barriers < 1", "it's.cu"}, 5, begin, begin + std::chrono::seconds(2)};
    expect_golden("sample.sarif", sarif_view(profile, told));
    EXPECT_NE(sarif_view(Profile{}, {}).find("\"results\": []"), std::string::npos);
}

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
        return text_view(profile, wide()).find(words) != std::string::npos;
    };
    EXPECT_TRUE(says("shared         not used; every byte is requested 16 times by its block: tiling can save 16×"));
    EXPECT_FALSE(says("\n  tiling "));
    profile.launches[0].tiling = Tiling{1000, 1000};
    EXPECT_TRUE(says("shared         not used; no byte is requested twice by a block: no data reuse"));
    profile.launches[0].tiling = Tiling{1050, 1000};
    EXPECT_TRUE(says("shared         not used; few bytes are requested twice by a block: little data reuse"));
    profile.launches[0].tiling.reset();
    EXPECT_TRUE(says("shared         not used\n"));
    profile.launches[1].tiling = Tiling{4000, 1600};
    EXPECT_TRUE(says("tiling         every byte is requested 2.5 times by its block: tiling can save 2.5×"));
    // Buffers that differ are named.
    profile.launches[0].tiling = Tiling{2000, 1000};
    profile.launches[0].buffers = {{0, "a", 4000, {994, 994}}, {1, "x", 4000, {1006, 6}}};
    EXPECT_TRUE(says("not used; a block requests each byte of x 167.7 times: tiling can save 2×"));
    // What a thread asks for again by itself is no tile's.
    profile.launches[0].tiling->own_share = profile.launches[0].tiling->register_share = 0.5;
    EXPECT_TRUE(
        says("not used; each byte is requested 2 times, mostly by one thread: tiling cannot save it, registers can"));
    profile.launches[0].tiling->register_share = 0;
    EXPECT_TRUE(says("mostly by one thread: tiling cannot save it\n"));
}

TEST(Views, WhyLoadsMissed) {
    Profile profile = sample_profile();
    LaunchProfile& launch = profile.launches[0];
    ViewOptions shown = options();
    const auto says = [&](const std::string& words) {
        return text_view(profile, shown).find(words) != std::string::npos;
    };
    EXPECT_FALSE(says("misses: "));
    launch.counters.modelled = true;
    launch.counters[Counter::kDramReadBytes] = 6400;
    EXPECT_FALSE(says("misses: ")) << "nothing was missed";
    EXPECT_TRUE(says("DRAM           6,400 B read, 0 B written during the launch (modeled)"));
    launch.counters[Counter::kDramUnaskedBytes] = 3200;
    EXPECT_TRUE(says("DRAM           6,400 B read, 50 % of it not requested, 0 B written"));
    launch.counters[Counter::kL1MissFirstTouch] = 930;
    EXPECT_TRUE(says("misses: all compulsory (modeled)\n"));
    launch.counters[Counter::kL1MissCapacity] = 66;
    launch.counters[Counter::kL1MissFence] = 4;
    launch.counters[Counter::kL2MissCapacity] = 7;
    EXPECT_TRUE(
        says("misses: 93 % compulsory, 7 % capacity (modeled)\n  L2             misses: all capacity (modeled)\n"));
    // The buffer that most of them are of, and those of a hot line that has not all of them.
    launch.cached_buffers.resize(2);
    launch.cached_buffers[0].parameter = 2;
    launch.cached_buffers[0].counters[Counter::kL1MissFirstTouch] = 300;
    launch.cached_buffers[1].name = "weights";
    launch.cached_buffers[1].counters[Counter::kL1MissCapacity] = 700;
    EXPECT_TRUE(
        says("misses: 93 % compulsory, 7 % capacity;\n                 70 % of the misses on weights (modeled)\n"));
    EXPECT_FALSE(says("\n  buffers ")) << "only in full";
    for (LineProfile& line : launch.lines)
        if (line.line == 7) line.counters[Counter::kL1MissCapacity] = 50;
    EXPECT_FALSE(says(" misses: L1 ")) << "a twentieth";
    for (LineProfile& line : launch.lines)
        if (line.line == 7) line.counters[Counter::kL1MissCapacity] = 500;
    EXPECT_TRUE(says("       misses: L1 all capacity\n"));
    shown.verbose = true;
    EXPECT_TRUE(says("\n  buffers        sectors, bytes "));
    EXPECT_TRUE(says("\n                 arg2 "));
    EXPECT_TRUE(says("\n                 weights "));
}

TEST(Views, IntensityNamesItsType) {
    Profile profile = sample_profile();
    profile.launches.resize(1);
    CounterSet& c = profile.launches[0].counters = {};
    const auto says = [&](const std::string& words) {
        return text_view(profile, wide()).find(words) != std::string::npos;
    };
    c[Counter::kGlobalLoadBytesRequested] = 1000;
    c[Counter::kFp64Mul] = 2000;
    EXPECT_TRUE(says("2.00 FLOP per requested byte in fp64; the H200 needs 6.97 in fp64 to be compute-bound"));
    c[Counter::kFp32Mul] = 8000;
    EXPECT_TRUE(says("10.0 FLOP per requested byte in fp64 and fp32;"));
    EXPECT_TRUE(says("the H200 needs 6.97 in fp64, 13.9 in fp32 to be compute-bound"));
    c[Counter::kFp32Mul] = 28'000;
    EXPECT_TRUE(says("30.0 FLOP per requested byte in fp32; the H200 is compute-bound from 13.9 in fp32"));
}

// The ridge says what binds only where the launch's time says the same.
TEST(Views, IntensityDoesNotGainsayTheTime) {
    Profile profile = sample_profile();
    profile.launches.resize(1);
    CounterSet& c = profile.launches[0].counters = {};
    TimeProfile& time = profile.launches[0].time.emplace();
    time.microseconds = 3;
    const auto says = [&](const std::string& words) {
        return text_view(profile, options()).find(words) != std::string::npos;
    };
    c[Counter::kGlobalLoadBytesRequested] = 1000;
    c[Counter::kFp32Mul] = 28'000;
    time.bound = TimeBound::kFp32;
    EXPECT_TRUE(says("the H200 is compute-bound from 13.9 in fp32"));
    time.bound = TimeBound::kLatency;
    EXPECT_TRUE(says("beyond the ridge of the H200, 13.9 in fp32"));
    EXPECT_FALSE(says("compute-bound"));
    c[Counter::kFp32Mul] = 2000;
    EXPECT_TRUE(says("the H200 needs 13.9 in fp32 to be compute-bound"));
    time.bound = TimeBound::kFp32;
    EXPECT_TRUE(says("short of the ridge of the H200, 13.9 in fp32"));
}

TEST(Views, AtomicsAndSpecialFunctionsAreWorkToo) {
    Profile profile = sample_profile();
    profile.launches.resize(1);
    CounterSet& c = profile.launches[0].counters = {};
    const auto says = [&](const std::string& words) {
        return text_view(profile, wide()).find(words) != std::string::npos;
    };
    c[Counter::kThreadInstructions] = c[Counter::kInstructions] = 32;
    EXPECT_TRUE(says("no floating-point work, no global memory requested"));
    c[Counter::kGlobalAtomicThreadOperations] = 262'144;
    EXPECT_TRUE(says("no floating-point work, 262,144 atomic operations and no other request to global memory"));
    c[Counter::kFp32Special] = 500;
    EXPECT_TRUE(
        says("500 special functions (square root, sine and similar), no other floating-point work, 262,144 atomic"));
    c[Counter::kFp32Mul] = 100;
    EXPECT_TRUE(says("100 FLOP in fp32, 262,144 atomic operations and no other request to global memory"));
}

TEST(Views, PaddingOfRaggedTilesIsNamed) {
    Profile profile = sample_profile();
    profile.launches.resize(1);
    LaunchProfile& launch = profile.launches[0];
    launch.lines.resize(1);
    CounterSet& c = launch.lines[0].counters = {};
    c[Counter::kGlobalLoadBytesRequested] = 9800;
    c[Counter::kSharedStoreBytesRequested] = 10'000;
    const auto says = [&] {
        return text_view(profile, options()).find("2 % of the elements in its tiles are padding") != std::string::npos;
    };
    EXPECT_TRUE(says());
    c[Counter::kGlobalLoadBytesRequested] = 10'000;
    EXPECT_FALSE(says());
}

TEST(Views, WavesAndLanesOfTheOccupancy) {
    Profile profile = sample_profile();
    profile.launches.resize(1);
    LaunchProfile& launch = profile.launches[0];
    launch.grid = {4096, 1, 1};
    launch.warps_per_sm = 64;
    OccupancyProfile& occupancy = launch.occupancy_profile.emplace();
    const auto says = [&](const std::string& words) {
        return text_view(profile, options()).find(words) != std::string::npos;
    };
    occupancy.threads_per_sm = 2048;
    occupancy.waves = {1056, 3, 928, 0};
    EXPECT_TRUE(says("waves          4,096 blocks: 3 full waves of 1,056, then 928 (88 % of a wave)\n"));
    EXPECT_FALSE(says("lanes: "));
    occupancy.threads_per_sm = 1056;  // 32 blocks of 33
    EXPECT_TRUE(says("its warps have 1,056 threads in 2,048 lanes: 52 % of the lanes work"));
    occupancy.waves = {1056, 0, 92, 40};
    EXPECT_TRUE(says("9 % of the 1,056 that fit at once, 40 SMs idle"));
}

TEST(Views, TheNextStepOfALowOccupancy) {
    Profile profile = sample_profile();
    profile.launches[0].occupancy_profile.emplace();
    profile.launches[0].occupancy_profile->next = {{{{SmResource::kRegisters, -3}}, 9, 1.0}};
    EXPECT_EQ(text_view(profile, options()).find("3 registers fewer"), std::string::npos);
    profile.launches[0].occupancy = 0.5;
    EXPECT_NE(text_view(profile, options()).find("3 registers fewer per thread: 9 blocks, 100 %"), std::string::npos);
}

TEST(Views, LocalMemoryThatTheAssemblerDidWithout) {
    Profile profile = sample_profile();
    EXPECT_EQ(text_view(profile, options()).find("in PTX only"), std::string::npos);
    profile.launches[2].local_bytes_per_thread = 0;
    EXPECT_NE(text_view(profile, options()).find("in PTX only (8,000 sectors)"), std::string::npos);
}

// The document as data, whole: what the short report leaves out is there, too, and says so.
TEST(Views, PageData) {
    expect_golden("sample.page.json", page_data_view(sample_profile(), options()));
    EXPECT_NE(page_data_view(Profile{}, {}).find("\"kind\": \"head\""), std::string::npos);
}

TEST(Views, Markdown) { expect_golden("sample.md", markdown_view(sample_profile(), options())); }

// Names come from files that anybody may have written.
TEST(Views, MarkdownTakesNamesAsText) {
    Profile profile = sample_profile();
    profile.launches.resize(1);
    profile.launches[0].kernel = "<script>alert(1)</script> **bold** [a](b) | `c`";
    profile.launches[0].lines[0].file = "a`|b.cu";
    const std::string text = markdown_view(profile, options());
    EXPECT_NE(text.find("### \\<script\\>alert(1)\\</script\\> \\*\\*bold"), std::string::npos) << text;
    EXPECT_EQ(text.find("<script>"), std::string::npos);
    EXPECT_EQ(text.find("a`|b"), std::string::npos) << text;
}

// What a comment leaves out it names.
TEST(Views, MarkdownCountsTheHazardsThatItLeavesOut) {
    Profile profile = sample_profile();
    Hazard hazard = profile.launches.back().hazards.empty() ? Hazard{} : profile.launches.back().hazards[0];
    profile.launches.resize(1);
    profile.launches[0].hazards.assign(23, hazard);
    EXPECT_NE(markdown_view(profile, options()).find("and 3 more, in the profile"), std::string::npos);
}

// Who read a part of a profile tells of the rest.
TEST(Views, HazardsThatAReaderPassedOverAreCounted) {
    Profile profile = sample_profile();
    profile.launches.resize(1);
    profile.launches[0].hazards.assign(23, {});
    profile.launches[0].hazards_passed_over = 977;
    profile.hazards_passed_over = 5;
    for (const std::string& text : {text_view(profile, options()), markdown_view(profile, options())})
        EXPECT_NE(text.find("5 more hazards of the run"), std::string::npos) << text;
    EXPECT_NE(markdown_view(profile, options()).find("and 980 more, in the profile"), std::string::npos);
    EXPECT_NE(text_view(profile, options()).find("980 more hazards: -v or --json"), std::string::npos);
    // Of launches that are one entry, some were looked at.
    profile.launches[0].hazards.assign(1, {});
    profile.launches[0].hazards[0].count = 12;
    EXPECT_NE(text_view(profile, options()).find("(12 times)"), std::string::npos);
    profile.launches[0].folded = 2;
    EXPECT_NE(text_view(profile, options()).find("(at least 12 times)"), std::string::npos);
}

TEST(Views, MarkdownFitsAComment) {
    Profile profile = sample_profile();
    profile.launches.resize(2);
    for (int i = 0; i < 500; ++i) {
        profile.launches.push_back(profile.launches[0]);
        profile.launches.back().entry += std::to_string(i);
        profile.launches.back().counters[Counter::kBarriers] = static_cast<std::uint64_t>(i) + 1;
    }
    ViewOptions all = options();
    all.verbose = true;
    const std::string text = markdown_view(profile, all);
    EXPECT_LE(text.size(), 60'000U);
    EXPECT_NE(text.find("sections left out"), std::string::npos);
}

// Renderers go by kind and unit: every value has a name, every row a key.
TEST(Document, NamesEveryRowAndValue) {
    const auto check = [](const auto& self, const Row& row) -> void {
        EXPECT_FALSE(row.key.empty()) << row.text;
        for (const views::Value& value : row.values) EXPECT_FALSE(value.name.empty()) << row.key;
        for (const Row& part : row.rows) self(self, part);
    };
    Profile profile = sample_profile();
    profile.launches[0].counters.modelled = true;
    const Document document = document_of(profile, options().document());
    EXPECT_GT(document.sections.size(), 4U);
    for (const Section& section : document.sections)
        for (const Row& row : section.rows) check(check, row);
    for (std::size_t i = 0; i < static_cast<std::size_t>(Unit::kCount); ++i)
        EXPECT_EQ(static_cast<std::size_t>(info(static_cast<Unit>(i)).unit), i);
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
    naive.kernel = "naive" + std::string(60, 'x') + "()";
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
    EXPECT_NE(text_view(profile, options()).find("0.13 FLOP per requested byte"), std::string::npos);
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
    EXPECT_NE(text_view(profile, options()).find("102 launches, one summary for each kernel"), std::string::npos);
    for (std::size_t i = 2; i < profile.launches.size(); ++i) profile.launches[i].entry += std::to_string(i);
    EXPECT_NE(text_view(profile, options()).find("78 more launches"), std::string::npos);
    ViewOptions verbose = options();
    verbose.verbose = true;
    EXPECT_EQ(text_view(profile, verbose).find("more launches"), std::string::npos);
}

TEST(Views, AnEmptyProfilePrints) {
    EXPECT_EQ(text_view(Profile{}, {}), " · 0 launches · modeled GPU: H200\n");
    EXPECT_EQ(csv_view(Profile{}, {}).find("index,kernel,"), 0U);
}

TEST(Views, RegistryKnowsAllOfThem) {
    for (const View& view : all_views()) {
        EXPECT_EQ(view_by_name(view.name), &view);
        EXPECT_NE(view.render, nullptr) << view.name;
    }
    EXPECT_EQ(view_by_name("pdf"), nullptr);
}

}  // namespace
}  // namespace tilescope::report
