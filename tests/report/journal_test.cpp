#include "scope/report/journal.h"

#include <gtest/gtest.h>

#include <utility>

#include "scope/report/json.h"
#include "tests/report/sample.h"

namespace tilescope::report {
namespace {

Profile read(const std::string& journal) {
    auto profile = read_journal(journal, "journal");
    EXPECT_TRUE(profile) << render(profile.errors());
    return profile ? *profile : Profile{};
}

TEST(Journal, BringsBackTheProfile) {
    const Profile profile = sample_profile();
    JournalWriter writer;
    const std::string journal = process_line({7, 0, "program"}) + writer.news(profile);
    EXPECT_EQ(first_process(journal), 7);
    EXPECT_EQ(to_json(read(journal)), to_json(profile));
    EXPECT_EQ(writer.news(profile), "");
}

TEST(Journal, TellsWhatIsNewEachTime) {
    Profile profile;
    profile.device = "h200";
    JournalWriter writer;
    std::string journal = process_line({7, 0, "program"}) + writer.news(profile);
    profile.unfinished = UnfinishedLaunch{0, "k(int*)", {2, 1, 1}, {32, 1, 1}};
    journal += writer.news(profile);
    EXPECT_EQ(read(journal).unfinished->kernel, "k(int*)");
    profile.unfinished.reset();
    profile.launches.emplace_back().kernel = "k(int*)";
    profile.diagnostics.push_back(error("code", {"a.cu", 3}, "message", "hint"));
    profile.outcome = Outcome::kFault;
    journal += writer.news(profile);
    EXPECT_EQ(to_json(read(journal)), to_json(profile));
}

TEST(Journal, CountsOfHazardsOfTheRunMayGrow) {
    Profile profile;
    Hazard hazard;
    hazard.kind = HazardKind::kInvalidFree;
    hazard.message = "freed before";
    profile.hazards = {hazard, hazard};
    profile.hazards[1].line = 3;
    JournalWriter writer;
    std::string journal = writer.news(profile);
    profile.hazards[0].count = 5;
    journal += writer.news(profile);
    EXPECT_EQ(writer.news(profile), "");
    EXPECT_EQ(to_json(read(journal)), to_json(profile));
}

TEST(Journal, BringsBackWhatHazardsAreMadeOf) {
    Hazard hazard;
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kEndedBefore;
    facts.act = {Deed::kAtomic, Doer::kKernel, "k(int*)", 3, 4, 5, {"a.cu", 6}};
    facts.other = {Deed::kRead, Doer::kHost, "main", 0, 0, 7, {}};
    facts.stored.at = {"b.cu", 8};
    facts.memory = {MemoryNaming::kElement, "tile", 9, 10, 11, MemoryKind::kPinned, {"c.cu", 12}, {"d.cu", 13}};
    facts.from = {MemoryNaming::kArgument, {}, 14, 0, 0, MemoryKind::kDevice, {}, {}};
    facts.remedy = Remedy::kWarpBarrier;
    facts.place = RemedyPlace::kLines;
    facts.first_line = 15;
    facts.last_line = 16;
    facts.bytes = 17;
    facts.undefined = 18;
    facts.beyond = -19;
    for (bool* flag : {&facts.is_conditional, &facts.is_across, &facts.is_volatile, &facts.is_same_value, &facts.is_met,
                       &facts.is_computed, &facts.is_from_lane, &facts.is_one_line, &facts.is_there})
        *flag = true;
    facts.barrier = 20;
    facts.came = 21;
    facts.expected = 22;
    facts.missing = {23, 24, 25};
    facts.lanes = 0xffffffff;
    facts.other_lanes = 26;
    facts.row = -27;
    facts.other_row = 28;
    facts.rows = 29;
    facts.elements = 30;
    facts.option = "--shape M=4x4";
    Profile profile;
    profile.hazards = {hazard, Hazard{}};
    profile.launches.emplace_back().hazards = {hazard};
    JournalWriter writer;
    const Profile back = read(writer.news(profile));
    EXPECT_EQ(back.hazards, profile.hazards);
    EXPECT_EQ(back.launches.at(0).hazards, profile.launches[0].hazards);
    Profile without;
    without.hazards = {Hazard{}};
    EXPECT_EQ(to_json(without).find("facts"), std::string::npos);
}

TEST(Journal, LaunchesThatComeOutTheSameAreToldInShort) {
    Profile profile = sample_profile();
    const std::size_t first = profile.launches.size();
    JournalWriter writer;
    std::string journal = writer.news(profile);
    const std::size_t in_full = journal.size();
    for (unsigned i = 0; i < 40; ++i) {
        LaunchProfile launch = profile.launches[i % first];
        launch.index = static_cast<std::uint32_t>(first + i);
        launch.seconds = 0.125 * i;
        profile.seconds += launch.seconds;
        profile.launches.push_back(launch);
        // Same in all but one figure.
        if (i == 20) ++profile.launches.back().counters[Counter::kInstructions];
        journal += writer.news(profile);
    }
    EXPECT_EQ(to_json(read(journal)), to_json(profile));
    EXPECT_LT(journal.size(), 3 * in_full);
    EXPECT_FALSE(read_journal(R"({"again": {"index": 1, "of": 0, "seconds": 0}})"
                              "\n",
                              "journal"));
}

TEST(Journal, ALineThatWasCutOffIsIgnored) {
    JournalWriter writer;
    const std::string journal = process_line({7, 0, "program"}) + writer.news(sample_profile());
    const std::size_t last_line = journal.rfind('\n', journal.size() - 2) + 1;
    for (std::size_t size = last_line; size < journal.size(); size += 7)
        EXPECT_EQ(read(journal.substr(0, size)).launches.size(), read(journal.substr(0, last_line)).launches.size());
}

TEST(Journal, LaterLinesOfAFailedCallReplaceEarlierOnes) {
    FailedCall failed;
    failed.call = "cudaFree";
    failed.called_from = {{"/bin/x", 0x1234}};
    std::string journal = process_line({7, 0, "program"}) + failed_call_line(0, failed);
    failed.count = 3;
    failed.unread = 2;
    journal += failed_call_line(0, failed);
    const Profile profile = read(journal);
    ASSERT_EQ(profile.failed_calls.size(), 1U);
    EXPECT_EQ(profile.failed_calls[0].count, 3U);
    EXPECT_EQ(profile.failed_calls[0].unread, 2U);
    EXPECT_EQ(profile.failed_calls[0].called_from[0].address, 0x1234U);
}

LaunchProfile launch_of(const std::string& kernel, std::uint32_t index) {
    LaunchProfile launch;
    launch.kernel = kernel;
    launch.index = index;
    return launch;
}

// Two processes that write in turns, and one that never used the device.
TEST(Journal, LaunchesOfSeveralProcessesFollowEachOther) {
    const std::string a = writer_lines("1.5"), b = writer_lines("2.9"), c = writer_lines("3.9");
    Profile first, second;
    JournalWriter first_writer, second_writer;
    std::string journal = a + process_line({1, 0, "shell"}) + c + process_line({3, 1, "none"}) + b +
                          process_line({2, 1, "worker", ProcessBegin::kForked});
    EXPECT_EQ(first_process(journal), 1);
    second.unfinished = UnfinishedLaunch{0, "second()", {1, 1, 1}, {1, 1, 1}};
    journal += b + second_writer.news(second);
    first.launches.push_back(launch_of("first()", 0));
    journal += a + first_writer.news(first);
    second.unfinished.reset();
    second.launches.push_back(launch_of("second()", 0));
    second.outcome = Outcome::kFault;
    journal += b + second_writer.news(second);
    first.launches.push_back(launch_of("first()", 1));
    first.launches.push_back(launch_of("other()", 2));
    journal += a + first_writer.news(first);
    second.unfinished = UnfinishedLaunch{1, "never()", {1, 1, 1}, {1, 1, 1}};
    journal += b + second_writer.news(second);

    const Profile profile = read(journal);
    std::string launches;
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        const LaunchProfile& launch = std::as_const(profile.launches)[i];
        EXPECT_EQ(profile.launches.marks(i).index, i);
        launches += launch.kernel + std::to_string(launch.process) + " ";
    }
    EXPECT_EQ(launches, "first()0 first()0 other()0 second()1 ");
    ASSERT_EQ(profile.processes.size(), 2U);
    EXPECT_EQ(profile.processes[0].program, "shell");
    EXPECT_EQ(profile.processes[0].launches, 3U);
    EXPECT_EQ(profile.processes[1].program, "worker");
    EXPECT_EQ(profile.processes[1].how, ProcessBegin::kForked);
    EXPECT_EQ(profile.processes[1].launches, 1U);
    EXPECT_EQ(profile.outcome, Outcome::kFault);
    ASSERT_TRUE(profile.unfinished);
    EXPECT_EQ(profile.unfinished->index, 4U);
}

TEST(Journal, AProcessThatIsCutOffHarmsNoOther) {
    Profile first, second;
    first.launches.push_back(launch_of("first()", 0));
    second.launches.push_back(launch_of("second()", 0));
    const std::string whole = writer_lines("1.5") + process_line({1, 0, "program"}) + JournalWriter().news(first);
    const std::string other = writer_lines("2.9") + process_line({2, 0, "program"}) + JournalWriter().news(second);
    const std::size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
    for (std::size_t size = last_line; size < whole.size(); size += 5) {
        const Profile profile = read(whole.substr(0, size) + other);
        ASSERT_EQ(profile.launches.size(), 1U) << size;
        EXPECT_EQ(std::as_const(profile.launches).back().kernel, "second()");
    }
    EXPECT_EQ(read(whole + other).launches.size(), 2U);
}

TEST(Journal, AnythingElseIsAnError) {
    for (const char* text : {"x\n", "[]\n", "{}\n", "{\"launch\": 3}\n", "{\"odd\": {}}\n", "{\"outcome\": \"odd\"}\n",
                             "{\"failed_call\": {\"called_from\": 3}}\n"})
        EXPECT_FALSE(read_journal(text, "journal")) << text;
    for (const char* text : {"", "x", "{\"process\": 3}\n", "{\"process\": {\"id\": \"a\"}}\n"})
        EXPECT_FALSE(first_process(text)) << text;
}

TEST(Journal, KernelsHaveTheirCodeOnce) {
    Profile profile;
    profile.code = {{"k", {{"a.cu", 3, {"ld.global.f32 %f1, [%rd1];", "ret;"}}}, 7}};
    JournalWriter writer;
    std::string journal = writer.news(profile);
    EXPECT_EQ(writer.news(profile), "");
    EXPECT_EQ(to_json(read(journal)), to_json(profile));
    profile.code.push_back({"other", {{"a.cu", 9, {"ret;"}}}});
    profile.code[0].is_one_of_several = true;
    journal += writer.news(profile);
    EXPECT_EQ(read(journal).code, profile.code);
    // A program that replaces this one has another kernel of that name.
    Profile next;
    next.code = {{"other", {{"b.cu", 1, {"exit;"}}}}};
    JournalWriter second;
    journal += second.news(next);
    const std::vector<KernelCode> both = read(journal).code;
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[1].lines, profile.code[1].lines);
    EXPECT_TRUE(both[1].is_one_of_several);
}

// What was under way when a program was ended is not on its time line, which would say that nothing ran.
TEST(Journal, ATimeLineWithoutItsKernelsIsNoTimeLine) {
    Profile profile;
    profile.launches.emplace_back().time.emplace().microseconds = 20;
    TimelineTotals& totals = profile.timeline_totals.emplace();
    totals.microseconds = 30;
    totals.kernels = 20;
    EXPECT_TRUE(read(JournalWriter().news(profile)).timeline_totals);
    totals.kernels = 0;
    EXPECT_FALSE(read(JournalWriter().news(profile)).timeline_totals);
    totals.until = 0;  // it says so itself
    EXPECT_TRUE(read(JournalWriter().news(profile)).timeline_totals);
}

}  // namespace
}  // namespace tilescope::report
