// The head of a report: what the first lines of a launch, and of a program, say. Made-up launches, one for each bound.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "scope/report/format.h"
#include "scope/views/view.h"

namespace tilescope::report {
namespace {

// Its longest part is `bound`, the next one `next`.
LaunchProfile bound_by(TimeBound bound, TimeBound next = TimeBound::kL2) {
    LaunchProfile launch;
    launch.kernel = "k(float*)";
    launch.grid = {1024, 1, 1};
    launch.block = {256, 1, 1};
    launch.counters.modelled = true;
    launch.counters[Counter::kInstructions] = 1000;
    launch.blocks_per_sm = 8;
    launch.warps_per_sm = 64;
    launch.occupancy = 1;
    launch.achieved_occupancy = 0.42;
    TimeProfile& time = launch.time.emplace();
    time.microseconds = 21.8;
    time.bound = bound;
    time.next_bound = next;
    time.next_microseconds = 9.7;
    time.breakdown[bound] = 15;
    time.breakdown[next] = 6;
    time.breakdown[TimeBound::kAtomics] = 0.8;
    PeakShares& of_peak = time.of_peak.emplace();
    of_peak[TimeBound::kDram] = 0.83;
    of_peak[TimeBound::kL2] = 0.31;
    of_peak[TimeBound::kL1] = 0.12;
    of_peak[TimeBound::kIssue] = 0.09;
    of_peak[TimeBound::kInteger] = 0.07;
    of_peak[TimeBound::kFp32] = 0.02;
    time.dram_gb_per_second = 3984;
    time.l2_gb_per_second = 4.25;
    time.effective_gb_per_second = 9600;
    return launch;
}

Advice an_advice() {
    Advice advice{
        AdviceKind::kCoalesce,
        "src/my kernels/copy.cu",
        12,
        4'000'000,
        2,
        "a request takes 32 sectors where 4 would do: let neighbouring threads ask for neighbouring addresses "
        "of the array, or go through shared memory"};
    advice.saves_microseconds = 11.7;
    return advice;
}

Profile program_of(LaunchProfile launch) {
    Profile profile;
    profile.program = "copy.cu";
    profile.launches = {std::move(launch)};
    return profile;
}

TEST(ReportHead, SaysThatKernelTimesAreNotModeled) {
    Profile profile = program_of(bound_by(TimeBound::kDram));
    EXPECT_EQ(text_view(profile, {}).find("no kernel times"), std::string::npos);
    profile.launches[0].time.reset();
    EXPECT_NE(text_view(profile, {}).find("(no kernel times: see tilescope devices)"), std::string::npos);
    profile.launches[0].counters.modelled = false;  // --caches off: the user asked for none
    EXPECT_EQ(text_view(profile, {}).find("no kernel times"), std::string::npos);
}

std::vector<std::string> lines_of(const Profile& profile, std::size_t width = 100, bool color = false) {
    views::ViewOptions options;
    options.width = width;
    options.color = color;
    std::istringstream text(views::text_view(profile, options));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

// The lines behind the one that names the kernel.
std::vector<std::string> head_of(const LaunchProfile& launch, std::size_t count = 3) {
    const std::vector<std::string> lines = lines_of(program_of(launch));
    for (std::size_t i = 0; i + count < lines.size(); ++i)
        if (lines[i].starts_with("k(float*)")) {
            const auto first = lines.begin() + static_cast<std::ptrdiff_t>(i) + 1;
            return {first, first + static_cast<std::ptrdiff_t>(count)};
        }
    return std::vector<std::string>(count);
}

std::string time_line_of(TimeBound bound, TimeBound next = TimeBound::kL2) { return head_of(bound_by(bound, next))[0]; }

TEST(Lead, SaysWhatBinds) {
    EXPECT_EQ(time_line_of(TimeBound::kDram),
              "  time           21.8 µs, limited by DRAM (memory-bound); next limit: L2, 9.7 µs (modeled)");
    EXPECT_EQ(time_line_of(TimeBound::kL1, TimeBound::kLatency),
              "  time           21.8 µs, limited by L1/shared (memory-bound); next limit: latency, 9.7 µs (modeled)");
    EXPECT_EQ(time_line_of(TimeBound::kFp32),
              "  time           21.8 µs, limited by fp32 (compute-bound); next limit: L2, 9.7 µs (modeled)");
    EXPECT_EQ(time_line_of(TimeBound::kIssue),
              "  time           21.8 µs, limited by issue slots (compute-bound); next limit: L2, 9.7 µs (modeled)");
    EXPECT_EQ(time_line_of(TimeBound::kLatency),
              "  time           21.8 µs, latency-bound; next limit: L2, 9.7 µs (modeled)");
    EXPECT_EQ(time_line_of(TimeBound::kLaunch),
              "  time           21.8 µs, launch-bound; next limit: L2, 9.7 µs (modeled)");
    EXPECT_EQ(time_line_of(TimeBound::kImbalance),
              "  time           21.8 µs, limited by imbalance (idle SMs); next limit: L2, 9.7 µs (modeled)");
    LaunchProfile uneven = bound_by(TimeBound::kImbalance);
    uneven.time->longest_warp = 20;
    uneven.time->average_warp = 0.5;
    EXPECT_NE(head_of(uneven)[0].find("limited by imbalance (one long block);"), std::string::npos);
}

// A percent of peak is one of the whole device: where SMs have nothing to do, that is said before.
TEST(Lead, SaysWhenFewSmsHaveBlocks) {
    LaunchProfile launch = bound_by(TimeBound::kL1);
    launch.grid = {16, 1, 1};
    OccupancyWaves& waves = launch.occupancy_profile.emplace().waves.emplace();
    EXPECT_EQ(head_of(launch)[0].find("SMs"), std::string::npos);
    waves.full = 1;
    waves.idle_sms = 116;
    EXPECT_EQ(head_of(launch)[0].find("SMs"), std::string::npos) << "of the last wave alone";
    waves.full = 0;
    EXPECT_EQ(head_of(launch)[0],
              "  time           21.8 µs on 16 of 132 SMs, limited by L1/shared; next limit: L2 (modeled)");
}

TEST(Lead, SaysHowBusyTheUnitsAre) {
    EXPECT_EQ(head_of(bound_by(TimeBound::kDram))[1],
              "  utilization    DRAM 83 %, L2 31 %, L1 12 %, issue 9 %, integer 7 %, achieved occupancy 42 %");
    LaunchProfile launch = bound_by(TimeBound::kFp32);
    (*launch.time->of_peak)[TimeBound::kFp32] = 0.93;
    launch.achieved_occupancy.reset();  // another device than the one that was replayed
    EXPECT_EQ(head_of(launch)[1],
              "  utilization    DRAM 83 %, L2 31 %, L1 12 %, issue 9 %, fp32 93 %, theoretical occupancy 100 %");
    launch.time->of_peak.reset();  // a profile that was written before there were any
    EXPECT_TRUE(head_of(launch)[1].starts_with("  start with "));
}

// The whole row, which may take two lines.
std::string row_of(const LaunchProfile& launch, const std::string& label) {
    std::string text;
    for (const std::string& line : lines_of(program_of(launch)))
        if (line.starts_with("  " + label + " "))
            text = line;
        else if (!text.empty() && line.starts_with("                 "))
            text += line.substr(16);
        else if (!text.empty())
            break;
    return text;
}

TEST(Lead, SaysWhatWarpsWaitForInTheProfilersWordsToo) {
    LaunchProfile launch = bound_by(TimeBound::kLatency);
    EXPECT_EQ(row_of(launch, "stalls"), "") << "without a replay nobody knows";
    ReplayClock& clock = launch.replay.emplace();
    EXPECT_EQ(row_of(launch, "stalls"), "") << "nobody waited";
    clock.memory = 600;
    clock.pipe = 300;
    clock.slots = 100;
    EXPECT_EQ(row_of(launch, "stalls"),
              "  stalls         60 % memory (long scoreboard), 30 % pipe (LG throttle, MIO throttle),"
              " 10 % slots (not selected, math pipe throttle) (modeled)");
}

// What a launch takes even where its kernel reads nothing is told apart where it is a share to speak of.
TEST(Lead, SaysWhatAnyLaunchReads) {
    LaunchProfile launch = bound_by(TimeBound::kLaunch);
    launch.counters[Counter::kDramReadBytes] = launch.launch_read_bytes = 2816;
    EXPECT_EQ(row_of(launch, "DRAM"),
              "  DRAM           2,816 B read, all of it the fixed cost of a launch (code, parameters),"
              " 0 B written during the launch (modeled)");
    launch.counters[Counter::kDramReadBytes] = 6912;
    EXPECT_NE(row_of(launch, "DRAM").find("6,912 B read, 2,816 B of it the fixed cost of a launch (code, parameters)"),
              std::string::npos)
        << row_of(launch, "DRAM");
    launch.counters[Counter::kDramUnaskedBytes] = 3456;  // the longest that a row can be
    for (const std::string& line : lines_of(program_of(launch))) EXPECT_LE(columns(line), 100U) << line;
    launch.counters[Counter::kDramReadBytes] = 2'099'968;
    EXPECT_EQ(row_of(launch, "DRAM").find("any launch"), std::string::npos) << row_of(launch, "DRAM");
    launch.counters[Counter::kDramReadBytes] = 2816;
    launch.launch_read_bytes = 0;  // a profile that was written before it was told
    EXPECT_EQ(row_of(launch, "DRAM").find("any launch"), std::string::npos) << row_of(launch, "DRAM");
}

TEST(Lead, LimitsAreNamedAsTheProfilerNamesThem) {
    LaunchProfile launch = bound_by(TimeBound::kDram);
    launch.limiters = {SmResource::kThreads, SmResource::kShared};
    EXPECT_NE(row_of(launch, "occupancy").find("limited by warps and shared memory"), std::string::npos)
        << row_of(launch, "occupancy");
}

LineProfile ptx_line(std::uint32_t number, const char* text, std::uint64_t sectors) {
    LineProfile line;
    line.file = "copy.ptx";
    line.line = number;
    line.from = LinesFrom::kPtx;
    line.text = text;
    line.counters[Counter::kGlobalLoadSectors] = sectors;
    return line;
}

TEST(Lead, HotLinesOfPtxAreItsInstructions) {
    LaunchProfile launch = bound_by(TimeBound::kDram);
    launch.counters[Counter::kGlobalLoadSectors] = 400;  // of which the lines that were kept have but 300
    launch.lines = {ptx_line(31, "ld.global.f32 %f1, [%rd6];", 100), ptx_line(40, "ld.global.f32 %f2, [%rd7];", 200)};
    std::vector<std::string> hot;
    for (const std::string& line : lines_of(program_of(launch)))
        if (line.starts_with("  hot lines ") || !hot.empty()) hot.push_back(line);
    ASSERT_GE(hot.size(), 3U);
    EXPECT_TRUE(hot[0].starts_with("  hot lines        40  ld.global.f32 %f2, [%rd7];")) << hot[0];
    EXPECT_TRUE(hot[0].ends_with("  50 % of traffic")) << hot[0];
    EXPECT_EQ(hot[1], "                       lines of the PTX, which has no source lines");
    EXPECT_TRUE(hot[2].starts_with("                   31  ld.global.f32 %f1, [%rd6];")) << hot[2];
    EXPECT_TRUE(hot[2].ends_with("  25 % of traffic")) << hot[2];
}

TEST(Lead, MarksWhatMattersInColourAlone) {
    const auto peaks_of = [](const LaunchProfile& launch, bool color) {
        for (const std::string& line : lines_of(program_of(launch), 100, color))
            if (line.starts_with("  utilization ")) return line;
        return std::string();
    };
    const LaunchProfile by_dram = bound_by(TimeBound::kDram);
    EXPECT_NE(peaks_of(by_dram, true).find("\033[1mDRAM 83 %\033[0m, L2 31 %, L1 12 %"), std::string::npos);
    EXPECT_EQ(peaks_of(by_dram, false).find('\033'), std::string::npos);
    // Few warps matter where latency binds.
    EXPECT_NE(peaks_of(bound_by(TimeBound::kLatency), true).find("\033[1machieved occupancy 42 %\033[0m"),
              std::string::npos);
    EXPECT_EQ(peaks_of(by_dram, true).find("\033[1moccupancy"), std::string::npos);
}

TEST(Lead, SaysTheBestRemedy) {
    LaunchProfile launch = bound_by(TimeBound::kDram);
    EXPECT_EQ(head_of(launch)[2], "  start with     nothing stands out");
    launch.advice = {an_advice(), {AdviceKind::kBarriers, "copy.cu", 9, 0, 1, "warps wait for nothing"}};
    EXPECT_EQ(head_of(launch)[2],
              "  start with     coalesce at copy.cu:12, saves ≈ 11.7 µs of 21.8 µs: a request takes 32 sectors…");
    // One that saves no time is said without, one of the kernel as a whole without a place.
    launch.advice = {{AdviceKind::kBarriers, "", 0, 0, 1, "warps wait for nothing"}};
    EXPECT_EQ(head_of(launch)[2], "  start with     barriers: warps wait for nothing");
    // What is wrong goes before what is slow.
    launch.hazards.emplace_back().kind = HazardKind::kRace;
    EXPECT_EQ(head_of(launch, 4)[2], "  start with     fix the hazards listed below: the results may be wrong");
    EXPECT_TRUE(head_of(launch, 4)[3].starts_with("  hazard         race")) << "found at once";
}

TEST(Lead, IsThreeLinesThatFit) {
    for (std::size_t bound = 0; bound < kTimeBounds; ++bound)
        for (std::size_t next = 0; next < kTimeBounds; ++next)
            for (const double microseconds : {2.1, 21.8, 123'456.}) {
                LaunchProfile launch = bound_by(static_cast<TimeBound>(bound), static_cast<TimeBound>(next));
                launch.time->microseconds = launch.time->next_microseconds = microseconds;
                for (double& share : launch.time->of_peak->shares) share = 1;
                launch.advice = {an_advice()};
                launch.grid = {131, 1, 1};
                launch.occupancy_profile.emplace().waves.emplace().idle_sms = bound % 2;
                const std::vector<std::string> head = head_of(launch, 4);
                EXPECT_TRUE(head[0].starts_with("  time ")) << head[0];
                EXPECT_TRUE(head[1].starts_with("  utilization ")) << head[1];
                EXPECT_TRUE(head[2].starts_with("  start with ")) << head[2];
                EXPECT_TRUE(head[3].starts_with("  breakdown ")) << head[3];
                for (const std::string& line : head) EXPECT_LE(columns(line), 100u) << line;
            }
}

// Nothing that is not known is made up: no time, no units, no remedy where nobody looked for one.
TEST(Lead, OfWhatIsNotModelled) {
    LaunchProfile launch = bound_by(TimeBound::kDram);
    launch.time.reset();
    launch.achieved_occupancy.reset();
    launch.counters.modelled = false;
    for (const std::string& line : lines_of(program_of(launch))) {
        EXPECT_FALSE(line.starts_with("  time ")) << line;
        EXPECT_FALSE(line.starts_with("  utilization ")) << line;
        EXPECT_FALSE(line.starts_with("  start with ")) << line;
    }
    launch.advice = {an_advice()};
    launch.advice[0].saves_microseconds.reset();
    EXPECT_TRUE(head_of(launch)[0].starts_with("  start with     coalesce at copy.cu:12: a request takes"))
        << "by counts";
}

TEST(Lead, AProgramThatCopiesRuleBeginsWithThat) {
    Profile profile = program_of(bound_by(TimeBound::kDram));
    const auto program_line = [&] {
        const std::vector<std::string> lines = lines_of(profile);
        std::size_t first = 0;
        while (first < lines.size() && !lines[first].empty()) ++first;  // before any kernel
        for (std::size_t i = 0; i < first; ++i)
            if (lines[i].starts_with("  program ")) return lines[i];
        return std::string();
    };
    EXPECT_EQ(program_line(), "");
    TimelineTotals& line = profile.timeline_totals.emplace();
    line.microseconds = 468.2;
    line.kernels = 107.6;
    line.copies = 343.9;
    EXPECT_EQ(program_line(),
              "  program        copies take 343.9 µs of 468.2 µs (73 %), kernels 107.6 µs; start there (modeled)");
    line.copies = 0;
    EXPECT_TRUE(program_line().starts_with("  program        the GPU is idle for 360.6 µs of 468.2 µs"));
    line.kernels = 400;
    EXPECT_EQ(program_line(), "") << "kernels rule: theirs are the first lines";
    profile.pages.emplace().total.device_stall_microseconds = 300;
    EXPECT_EQ(program_line(),
              "  program        page faults take 300.0 µs of 468.2 µs (64 %), kernels 100.0 µs (modeled)")
        << "what is left of theirs";
}

TEST(Lead, MarkdownAndPageHaveTheSame) {
    Profile profile = program_of(bound_by(TimeBound::kDram));
    profile.launches[0].advice = {an_advice()};
    const std::string markdown = views::markdown_view(profile, {});
    EXPECT_NE(markdown.find("**time** 21.8 µs, limited by DRAM (memory-bound); next limit: L2, 9.7 µs (modeled)\\\n"
                            "**utilization** **DRAM 83 %**, L2 31 %, L1 12 %, issue 9 %, integer 7 %, "
                            "achieved occupancy 42 %\\\n"
                            "**start with** coalesce, saves ≈ 11.7 µs of 21.8 µs at `copy.cu:12`\n\n"),
              std::string::npos)
        << markdown;
    const std::string page = views::page_data_view(profile, {});
    for (const char* part : {"\"leads\": true", "\"matters\": true", "\"kind\": \"peaks\"", "\"kind\": \"remedy\"",
                             "\"value\": \"memory\""})
        EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST(Lead, BandwidthStandsBesideTheBytes) {
    std::string all;
    for (const std::string& line : lines_of(program_of(bound_by(TimeBound::kDram)))) all += line + "\n";
    EXPECT_NE(all.find("\n  bandwidth      DRAM 3,984 GB/s, L2 4.2 GB/s (modeled)\n"), std::string::npos) << all;
    EXPECT_NE(all.find("\n  breakdown      69 % DRAM, 28 % L2; 9.7 µs without the largest part (modeled)\n"),
              std::string::npos)
        << all;
}

TEST(Lead, SaysWhatWarpsStallForInTheProfilersWords) {
    LaunchProfile launch = bound_by(TimeBound::kDram);
    ReplayClock& clock = launch.replay.emplace();
    clock.memory = 700;
    clock.barriers = 250;
    clock.slots = 49;
    clock.pipe = 1;
    std::string all;
    for (const std::string& line : lines_of(program_of(launch))) all += line + "\n";
    EXPECT_NE(all.find("\n  stalls         70 % memory (long scoreboard), 25 % barriers (barrier)"), std::string::npos)
        << all;
    EXPECT_EQ(all.find("throttle, 0"), std::string::npos) << "what hardly is one is not named";
}

TEST(Lead, SaysHowEvenSmsHaveIt) {
    LaunchProfile launch = bound_by(TimeBound::kDram);
    const auto spread = [&] {
        for (const std::string& line : lines_of(program_of(launch)))
            if (line.starts_with("  SM balance ")) return line;
        return std::string();
    };
    EXPECT_EQ(spread(), "");
    ReplayClock& clock = launch.replay.emplace();
    clock.cycles = 1000;
    EXPECT_EQ(spread(), "") << "written before that was counted";
    clock.sms = 100;
    clock.least_blocks = 0;
    clock.most_blocks = 1;
    clock.most_active_cycles = 900;
    clock.active_cycles = 32 * 900;
    EXPECT_EQ(spread(), "  SM balance     0 to 1 block per SM, busy 0 % to 90 % of the time, average 29 % (modeled)");
    clock.least_blocks = clock.most_blocks = 8;
    EXPECT_TRUE(spread().starts_with("  SM balance     8 blocks per SM, busy "));
}

// Of a peak of 4,800 GB/s: what caches serve can be asked for faster than DRAM has it.
TEST(Lead, EffectiveBandwidthIsWhatThreadsAskForOverTheTime) {
    LaunchProfile launch = bound_by(TimeBound::kDram);
    launch.counters.modelled = true;
    views::ViewOptions options;
    options.verbose = true;
    options.width = 200;
    const std::string text = views::text_view(program_of(launch), options);
    EXPECT_NE(text.find("effective 9,600 GB/s: "), std::string::npos) << text;
    EXPECT_NE(text.find(", 2× DRAM's peak: caches serve it"), std::string::npos) << text;
    launch.time->effective_gb_per_second = 2400;
    EXPECT_NE(views::text_view(program_of(launch), options).find(", 50 % of DRAM's peak"), std::string::npos);
    launch.time->effective_gb_per_second = 0;
    EXPECT_EQ(views::text_view(program_of(launch), options).find("effective"), std::string::npos);
}

}  // namespace
}  // namespace tilescope::report
