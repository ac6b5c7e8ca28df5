// What is paired with what, and what counts as equal.
#include "scope/report/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scope/report/line_alignment.h"
#include "scope/views/document/comparison.h"
#include "scope/views/render/comparison_view.h"
#include "tests/report/sample.h"

namespace tilescope::report {
using namespace views;
namespace {

Profile counted_launches() {
    Profile profile = sample_profile();
    profile.launches.erase_if([](const LaunchProfile& launch) { return !launch.observed; });
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
    EXPECT_NE(text.find("16,777,216  8,388,608  2× less"), std::string::npos) << text;
    EXPECT_EQ(text.find(" global_store_sectors "), std::string::npos) << "equal figures are left out";
    ViewOptions verbose;
    verbose.verbose = true;
    EXPECT_NE(comparison_text(comparison, verbose).find(" global_store_sectors "), std::string::npos);
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
    const auto comparison = compare_kernels(profile, "naive", profile, "tiled");
    ASSERT_TRUE(comparison);
    ASSERT_EQ(comparison->launches.size(), 1U);
    EXPECT_NE(figure(comparison->launches[0], "static_shared_bytes"), nullptr);
    const auto none = compare_kernels(profile, "naive", profile, "tyled");
    ASSERT_FALSE(none);
    EXPECT_NE(none.errors()[0].message.find("tyled"), std::string::npos);
    EXPECT_NE(none.errors()[0].hint.find("tiled("), std::string::npos) << "the kernels there are";
}

// ---- What is gone and what is new -----------------------------------------------------------------------------------

bool says(const Comparison& comparison, const std::string& words) {
    ViewOptions wide;
    wide.width = 200;
    return comparison_text(comparison, wide).find(words) != std::string::npos;
}
// A row of a table, however wide its columns are.
bool has_row(const Comparison& comparison, const std::string& row) {
    std::string text;
    for (const char c : comparison_text(comparison, {}))
        if (c != ' ' || text.empty() || text.back() != ' ') text += c;
    return text.find(" " + row + "\n") != std::string::npos;
}

// A launch that takes so long, for the most part for one thing.
LaunchProfile timed(const std::string& kernel, double microseconds, TimeBound bound) {
    LaunchProfile launch;
    launch.kernel = kernel;
    launch.grid = {64, 1, 1};
    launch.block = {256, 1, 1};
    launch.counters[Counter::kInstructions] = 1000;
    launch.time.emplace().microseconds = microseconds;
    launch.time->bound = bound;
    return launch;
}

Profile profile_of(std::vector<LaunchProfile> launches) {
    Profile profile;
    profile.program = "p.cu";
    for (std::size_t i = 0; i < launches.size(); ++i) launches[i].index = static_cast<std::uint32_t>(i);
    profile.launches = std::move(launches);
    return profile;
}

LineProfile line_of(std::uint32_t number, Counter counter, std::uint64_t count, const std::string& file = "p.cu") {
    LineProfile line{file, number, {}, {}};
    line.counters[counter] = count;
    return line;
}

// Nothing that vanished is new, whichever of "none" and 0 either side has.
TEST(Comparison, AFigureIsNewOnlyWhereTheFirstSideHasNone) {
    const auto change = [](std::optional<double> before, std::optional<double> after) {
        return ComparedFigure{"", "", before, after}.change();
    };
    EXPECT_EQ(change(1, 0), FigureChange::kGone);
    EXPECT_EQ(change(1, {}), FigureChange::kGone);
    EXPECT_EQ(change(0, 1), FigureChange::kNew);
    EXPECT_EQ(change({}, 1), FigureChange::kNew);
    EXPECT_EQ(change(0, {}), FigureChange::kSame) << "neither has any";
    EXPECT_EQ(change({}, 0), FigureChange::kSame);
    EXPECT_EQ(change(2, 1), FigureChange::kLess);
    EXPECT_EQ(change(1, 2), FigureChange::kMore);
    EXPECT_EQ(change(1, 1.0001), FigureChange::kSame);
}

TEST(Comparison, SaysWhatKernelsTakeAndWhatBindsThem) {
    const Profile before = profile_of({timed("k(int)", 60, TimeBound::kL1)}),
                  after = profile_of({timed("k(int)", 40, TimeBound::kDram)});
    const Comparison comparison = compare(before, after);
    ASSERT_EQ(comparison.kernels.size(), 1U);
    EXPECT_EQ(comparison.kernels[0].time.bound_before, TimeBound::kL1);
    EXPECT_EQ(comparison.kernels[0].time.bound_after, TimeBound::kDram);
    EXPECT_TRUE(says(comparison, "60.0 µs → 40.0 µs, -20.0 µs, 1.5× faster; bound: L1/shared → DRAM (modeled)"));
    ASSERT_EQ(comparison.program.size(), 1U) << "there is no time line";
    EXPECT_EQ(comparison.program[0].name, "kernels");
    EXPECT_DOUBLE_EQ(*comparison.program[0].time.after, 40);
    const std::string json = comparison_json(comparison);
    for (const char* words :
         {"\"change_microseconds\": -20.0", "\"bound_before\": \"l1\"", "\"bound_after\": \"dram\""})
        EXPECT_NE(json.find(words), std::string::npos) << json;
    // The other way round, and the same.
    EXPECT_TRUE(says(compare(after, before), "+20.0 µs, 1.5× slower; bound: DRAM → L1/shared"));
    EXPECT_TRUE(says(compare(after, after), "40.0 µs → 40.0 µs, same; bound: DRAM (modeled)"));
    // A side without a time has none; that is nothing that is gone.
    Profile untimed = after;
    untimed.launches[0].time.reset();
    EXPECT_TRUE(says(compare(before, untimed), "60.0 µs → -; bound: L1/shared"));
    EXPECT_FALSE(says(compare(before, untimed), "gone"));
}

TEST(Comparison, TheProgramHasItsTimeLineAndItsCopies) {
    Profile before = profile_of({timed("k(int)", 60, TimeBound::kL1)});
    before.timeline_totals.emplace().microseconds = 500;
    before.timeline_totals->host_waits = 450;
    before.transfers.resize(2);
    before.transfers[0].microseconds = 100;
    before.transfers[1].microseconds = 50;
    Profile after = before;
    after.timeline_totals->microseconds = 400;
    after.transfers.pop_back();
    const Comparison comparison = compare(before, after);
    std::vector<std::string> names;
    for (const NamedTime& named : comparison.program) names.emplace_back(named.name);
    EXPECT_EQ(names, (std::vector<std::string>{"time_line", "kernels", "copies", "host_waits"}));
    EXPECT_DOUBLE_EQ(*comparison.program[2].time.before, 150);
    EXPECT_DOUBLE_EQ(*comparison.program[2].time.after, 100);
}

TEST(Comparison, KernelsAreGoneAndNew) {
    const Profile before = profile_of({timed("kept(int)", 5, TimeBound::kL1), timed("old(int)", 6, TimeBound::kDram)}),
                  after = profile_of({timed("kept(int)", 5, TimeBound::kL1), timed("fresh(int)", 4, TimeBound::kL2)});
    const Comparison comparison = compare(before, after);
    ASSERT_EQ(comparison.kernels.size(), 3U);
    EXPECT_EQ(comparison.kernels[0].presence(), Presence::kBoth);
    EXPECT_EQ(comparison.kernels[1].presence(), Presence::kGone);
    EXPECT_EQ(comparison.kernels[2].presence(), Presence::kNew);
    EXPECT_EQ(comparison.only_before, std::vector<std::string>{"old(int) (1st launch)"});
    EXPECT_EQ(comparison.only_after, std::vector<std::string>{"fresh(int) (1st launch)"});
    EXPECT_TRUE(says(comparison, "--kernels old,fresh compares two kernels"));
    // And under another name they are held against each other.
    const auto renamed = compare_kernels(before, "old", after, "fresh");
    ASSERT_TRUE(renamed);
    ASSERT_EQ(renamed->launches.size(), 1U);
    EXPECT_EQ(renamed->launches[0].other_kernel, "fresh(int)");
    EXPECT_TRUE(renamed->only_before.empty() && renamed->only_after.empty());
}

TEST(Comparison, LaunchedMoreOftenThoseOfTheSameShapeBelongTogether) {
    LaunchProfile small = timed("k(int)", 3, TimeBound::kLaunch), large = timed("k(int)", 30, TimeBound::kDram);
    small.grid = {8, 1, 1};
    const Comparison comparison = compare(profile_of({large}), profile_of({small, small, large}));
    ASSERT_EQ(comparison.launches.size(), 1U);
    EXPECT_EQ(comparison.launches[0].after, 2U) << "the one with as many blocks";
    EXPECT_EQ(comparison.only_after, (std::vector<std::string>{"k(int) (1st launch)", "k(int) (2nd launch)"}));
    EXPECT_TRUE(says(comparison, "1 → 3 launches; bound: DRAM"));
    EXPECT_DOUBLE_EQ(*comparison.kernels[0].time.after, 36);
    // With another block size there is none of the same shape: then by their order.
    LaunchProfile wide = large;
    wide.block = {512, 1, 1};
    const Comparison other = compare(profile_of({large}), profile_of({wide}));
    ASSERT_EQ(other.launches.size(), 1U);
    EXPECT_TRUE(says(other, "block 256 → 512"));
}

TEST(Comparison, PairsThatShowTheSameHaveOneSection) {
    const std::vector<LaunchProfile> before(30, timed("k(int)", 5, TimeBound::kL1)),
        after(30, timed("k(int)", 4, TimeBound::kL1));
    const Comparison comparison = compare(profile_of(before), profile_of(after));
    EXPECT_EQ(comparison.launches.size(), 30U) << "the data has each";
    EXPECT_EQ(document_of(comparison).sections.size(), 3U) << "head, times, one pair for all";
    EXPECT_TRUE(says(comparison, "(30 times)"));
}

TEST(Comparison, HazardsThatAreMendedAreGoneAndNewOnesAreNew) {
    Profile before = profile_of({timed("k(int)", 5, TimeBound::kL1)});
    Hazard race;
    race.kind = HazardKind::kRace;
    race.space = HazardSpace::kShared;
    race.file = "p.cu";
    race.line = 12;
    race.count = 7;
    race.message = "thread 3 reads what thread 0 writes";
    before.launches[0].hazards = {race};
    Profile mended = before;
    mended.launches[0].hazards.clear();
    EXPECT_TRUE(says(compare(before, mended), "gone           hazard race, 7 times  p.cu:12\n"));
    EXPECT_TRUE(says(compare(mended, before), "new            hazard race, 7 times  p.cu:12; thread 3 reads"));
    EXPECT_TRUE(says(compare(mended, before), "hazards: 0 → 1"));
    // It has moved with its line, and there are fewer.
    Profile moved = before;
    before.launches[0].lines = {line_of(12, Counter::kSharedLoadRequests, 64)};
    moved.launches[0].lines = {line_of(15, Counter::kSharedLoadRequests, 64)};
    moved.launches[0].hazards[0].line = 15;
    moved.launches[0].hazards[0].count = 2;
    const Comparison comparison = compare(before, moved);
    ASSERT_EQ(comparison.launches[0].hazards.size(), 1U);
    EXPECT_EQ(comparison.launches[0].hazards[0].presence, Presence::kBoth);
    EXPECT_TRUE(says(comparison, "hazard         race, 7 → 2 times  p.cu:12 → 15\n"));
    EXPECT_TRUE(says(compare(before, before), "hazard         1 stays as before"));
    // Of host code.
    Hazard leak;
    leak.kind = HazardKind::kLeak;
    leak.message = "4 bytes were never freed";
    mended.hazards = {leak};
    EXPECT_TRUE(says(compare(before, mended), "new            hazard leak; 4 bytes were never freed"));
    EXPECT_TRUE(says(compare(mended, before), "gone           hazard leak\n"));
}

// Where a side's list is not whole, what has no partner may have one among those that are not there.
TEST(Comparison, OfAPartOfTheHazardsOnlyWhatIsCertainIsSaid) {
    const auto hazards = [](HazardKind kind, std::initializer_list<std::uint32_t> lines) {
        std::vector<Hazard> list;
        for (const std::uint32_t line : lines) {
            list.emplace_back().kind = kind;
            list.back().file = "p.cu";
            list.back().line = line;
        }
        return list;
    };
    Profile before = profile_of({timed("k(int)", 5, TimeBound::kL1)}), after = before;
    before.launches[0].hazards = hazards(HazardKind::kRace, {1, 2, 3});
    after.launches[0].hazards = hazards(HazardKind::kRace, {2, 3, 4});
    after.launches[0].hazards.push_back(hazards(HazardKind::kLeak, {9})[0]);
    after.launches[0].hazards_passed_over = 1'000;
    const Comparison part = compare(before, after);
    const ComparedLaunch& launch = part.launches[0];
    ASSERT_EQ(launch.hazards.size(), 3U);
    EXPECT_EQ(launch.hazards[0].line_before, 2U);
    EXPECT_EQ(launch.hazards[0].line_after, 2U);
    EXPECT_EQ(launch.hazards[1].line_after, 3U);
    // The first has all of its hazards, and no leak is among them.
    EXPECT_EQ(launch.hazards[2].kind, "leak");
    EXPECT_EQ(launch.hazards[2].presence, Presence::kNew);
    EXPECT_EQ(launch.hazards_not_compared.before, 1U);
    EXPECT_EQ(launch.hazards_not_compared.after, 1'001U);
    EXPECT_TRUE(says(part, "1 → 1,001 more were not compared"));
    EXPECT_TRUE(says(part, "hazards: 3 → 1,004"));
    EXPECT_NE(comparison_json(part).find("\"hazards_not_compared\""), std::string::npos);
    // Whole lists are paired to the end, and say nothing of it.
    after.launches[0].hazards_passed_over = 0;
    const Comparison whole = compare(before, after);
    ASSERT_EQ(whole.launches[0].hazards.size(), 4U);
    EXPECT_EQ(whole.launches[0].hazards[0].line_after, 4U);
    EXPECT_EQ(comparison_json(whole).find("hazards_not_compared"), std::string::npos);
    // Of the run.
    before.hazards = hazards(HazardKind::kLeak, {1});
    before.hazards_passed_over = 7;
    EXPECT_TRUE(says(compare(before, after), "7 → 0 more were not compared"));
}

TEST(Comparison, AdviceThatWasTakenIsGone) {
    Profile before = profile_of({timed("k(int)", 5, TimeBound::kL1)});
    Advice advice;
    advice.rule = AdviceKind::kTile;
    advice.file = "p.cu";
    advice.line = 17;
    advice.saves_microseconds = 3;
    advice.message = "a block asks for each byte 16 times";
    before.launches[0].advice = {advice};
    Profile after = before;
    after.launches[0].advice[0].saves_microseconds = 1;
    EXPECT_TRUE(says(compare(before, after), "advice         tile, saves 3.0 µs → 1.0 µs  p.cu:17\n"));
    after.launches[0].advice[0].rule = AdviceKind::kCoalesce;
    EXPECT_TRUE(says(compare(before, after), "gone           advice tile, saves 3.0 µs  p.cu:17\n"));
    EXPECT_TRUE(says(compare(before, after), "new            advice coalesce, saves 1.0 µs  p.cu:17; a block asks"));
}

// What is said about the program as a whole is compared, too.
TEST(Comparison, AdviceAboutTheProgramIsGoneAndNew) {
    Profile before = profile_of({timed("k(int)", 5, TimeBound::kL1)}), after = before;
    Advice advice;
    advice.rule = AdviceKind::kTile;
    advice.saves_microseconds = 30;
    before.advice = {advice};
    EXPECT_TRUE(says(compare(before, after), "gone           advice tile, saves 30.0 µs\n"));
    EXPECT_TRUE(says(compare(after, before), "new            advice tile, saves 30.0 µs\n"));
}

// ---- Lines ----------------------------------------------------------------------------------------------------------

std::vector<std::pair<std::uint32_t, std::uint32_t>> aligned(const std::vector<LineProfile>& before,
                                                             const std::vector<LineProfile>& after) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> numbers;
    for (const auto& [one, other] : align_lines(before, after))
        numbers.emplace_back(one != nullptr ? one->line : 0, other != nullptr ? other->line : 0);
    return numbers;
}
using Numbers = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(LineAlignment, LinesThatMovedStayThemselves) {
    const std::vector<LineProfile> before = {line_of(5, Counter::kGlobalLoadSectors, 100),
                                             line_of(6, Counter::kGlobalLoadSectors, 200),
                                             line_of(8, Counter::kGlobalStoreSectors, 50)};
    EXPECT_EQ(aligned(before, before), (Numbers{{5, 5}, {6, 6}, {8, 8}}));
    // Three lines further down, where two of them are called as the old ones were.
    std::vector<LineProfile> after = before;
    for (LineProfile& line : after) line.line += 1;
    EXPECT_EQ(aligned(before, after), (Numbers{{5, 6}, {6, 7}, {8, 9}}));
    // One between them is gone, and one that counts something else is new.
    after.erase(after.begin() + 1);
    after.push_back(line_of(12, Counter::kBarriers, 7));
    EXPECT_EQ(aligned(before, after), (Numbers{{5, 6}, {6, 0}, {8, 9}, {0, 12}}));
    // What counts other numbers of the same is the same line.
    std::vector<LineProfile> fewer = before;
    fewer[1].counters[Counter::kGlobalLoadSectors] = 25;
    EXPECT_EQ(aligned(before, fewer), (Numbers{{5, 5}, {6, 6}, {8, 8}}));
}

TEST(LineAlignment, AFileMayHaveAnotherNameOrFolder) {
    const std::vector<LineProfile> before = {line_of(5, Counter::kGlobalLoadSectors, 100, "/old/a.cu")};
    const std::vector<LineProfile> moved = {line_of(5, Counter::kGlobalLoadSectors, 100, "/new/a.cu")};
    const std::vector<LineProfile> renamed = {line_of(7, Counter::kGlobalLoadSectors, 100, "/old/b.cu")};
    EXPECT_EQ(aligned(before, moved), (Numbers{{5, 5}}));
    EXPECT_EQ(aligned(before, renamed), (Numbers{{5, 7}}));
    Profile one = profile_of({timed("k(int)", 5, TimeBound::kL1)}), other = one;
    one.launches[0].lines = before;
    other.launches[0].lines = renamed;
    EXPECT_FALSE(says(compare(one, other), "a.cu")) << "it moves the same bytes";
    other.launches[0].lines[0].counters[Counter::kGlobalLoadSectors] = 50;
    EXPECT_TRUE(has_row(compare(one, other), "a.cu:5 → b.cu:7 3,200 1,600 2× less"));
}

TEST(Comparison, LinesAreGoneAndNew) {
    Profile before = profile_of({timed("k(int)", 5, TimeBound::kL1)}), after = before;
    before.launches[0].lines = {line_of(5, Counter::kGlobalLoadSectors, 100)};
    after.launches[0].lines = {line_of(9, Counter::kSharedLoadWavefronts, 10)};
    const Comparison comparison = compare(before, after);
    EXPECT_TRUE(has_row(comparison, "p.cu:5 3,200 - gone"));
    EXPECT_TRUE(has_row(comparison, "p.cu:9 - 1,280 new"));
    const std::string json = comparison_json(comparison);
    EXPECT_NE(json.find("\"presence\": \"gone\",\n     \"line_before\": 5,\n     \"bytes_before\": 3200"),
              std::string::npos)
        << json;
}

TEST(Comparison, AsMarkdownItHasTheSameTables) {
    const std::string text = comparison_markdown(compare(profile_of({timed("k(int)", 60, TimeBound::kL1)}),
                                                         profile_of({timed("k(int)", 40, TimeBound::kDram)})));
    EXPECT_NE(text.find("| k | 60.0 µs | 40.0 µs | -20.0 µs | 1.5× faster | bound: L1/shared → DRAM |"),
              std::string::npos)
        << text;
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
