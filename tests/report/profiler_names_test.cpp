// The profiler's names beside ours.
#include "scope/report/profiler_names.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "scope/report/json.h"
#include "scope/report/metrics.h"
#include "tests/places.h"

namespace tilescope::report {
namespace {

TEST(ProfilerNames, NameWhatALaunchHas) {
    std::set<std::string_view> ours, theirs;
    for (const ProfilerName& name : profiler_names()) {
        const Metric metric = metric_by_name(name.ours);
        EXPECT_TRUE(metric.counter || metric.ratio != nullptr || metric.fact != nullptr) << name.ours;
        EXPECT_TRUE(theirs.insert(name.theirs).second) << name.theirs;
        if (!name.differs.empty()) {
            EXPECT_FALSE(name.is_read) << name.theirs << " differs and would be compared";
            continue;
        }
        EXPECT_TRUE(ours.insert(name.ours).second) << name.ours;
        EXPECT_EQ(profiler_name_of(name.ours), &name);
        EXPECT_EQ(by_profiler_name(name.theirs), &name);
    }
}

TEST(ProfilerNames, AreFoundWithoutARollup) {
    ASSERT_NE(by_profiler_name("smsp__inst_executed"), nullptr);
    EXPECT_EQ(by_profiler_name("smsp__inst_executed")->ours, "instructions");
    EXPECT_EQ(by_profiler_name("smsp__inst"), nullptr) << "a part of a name is none";
    EXPECT_EQ(by_profiler_name(""), nullptr);
}

TEST(ProfilerNames, HaveANearestOneForWhatIsNotThere) {
    const auto nearest = [](std::string_view metric) {
        const ProfilerName* name = nearest_profiler_name(metric);
        return name == nullptr ? std::string() : std::string(name->ours);
    };
    EXPECT_EQ(nearest("l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum"), "global_load_l1_hit_sectors");
    EXPECT_EQ(nearest("dram__bytes_read.sum.pct_of_peak_sustained_elapsed"), "dram_read_bytes");
    EXPECT_EQ(nearest("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"), "fp32_add");
    EXPECT_EQ(nearest("pcie__read_bytes.sum"), "") << "another unit";
    EXPECT_EQ(nearest("dram__cycles_elapsed.avg"), "") << "nothing but the unit";
    EXPECT_EQ(nearest("nonsense"), "");
}

TEST(StallReasons, AreKnownByAnyOfTheirNames) {
    for (const char* name :
         {"long scoreboard", "Long Scoreboard", "long_scoreboard", "stall_long_sb", "Stall Long Scoreboard",
          "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
          "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued"}) {
        ASSERT_NE(stall_reason(name), nullptr) << name;
        EXPECT_EQ(stall_reason(name)->name, "long scoreboard") << name;
        EXPECT_EQ(stall_reason(name)->ours, "memory") << name;
    }
    EXPECT_EQ(stall_reason("smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio")->name,
              "not selected");
    EXPECT_EQ(stall_reason("smsp__pcsamp_warps_issue_stalled_selected")->name, "selected");
    EXPECT_EQ(stall_reason("IMC miss")->ours, "");
    EXPECT_EQ(stall_reason("scoreboard"), nullptr);
    EXPECT_EQ(stall_reason(""), nullptr);
}

TEST(StallReasons, StandBesideAllThatTheReplayTells) {
    EXPECT_EQ(reasons_of("memory"), "long scoreboard");
    EXPECT_EQ(reasons_of("pipe"), "LG throttle, MIO throttle");
    EXPECT_EQ(reasons_of("nothing"), "");
    std::set<std::string_view> rows, names;
    for (const StallRow& row : stall_rows()) {
        EXPECT_NE(reasons_of(row.name), "") << row.name;
        rows.insert(row.name);
    }
    for (const StallReason& reason : stall_reasons()) {
        EXPECT_TRUE(names.insert(reason.name).second) << reason.name;
        EXPECT_TRUE(reason.ours.empty() || rows.count(reason.ours) == 1) << reason.name;
    }
}

TEST(ProfilerNames, StandInEachProfileOnce) {
    const std::string json = to_json(Profile{});
    EXPECT_NE(json.find("\"global_load_sectors\": \"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\""),
              std::string::npos);
    EXPECT_TRUE(from_json(json, "profile.json")) << "they are not read";
}

TEST(ProfilerNames, StallsAreThePartsOfTheReplaysClock) {
    std::set<std::string_view> names;
    for (const StallRow& row : stall_rows()) names.insert(row.name);
    EXPECT_EQ(names, (std::set<std::string_view>{"memory", "pipe", "arithmetic", "barriers", "slots"}));
}

TEST(Facts, WhatIsNotKnownIsNoNumber) {
    LaunchProfile launch;
    const Metric achieved = metric_by_name("achieved_occupancy"), dram = metric_by_name("dram_of_peak");
    EXPECT_FALSE(achieved.value(launch));
    launch.time.emplace();
    EXPECT_FALSE(achieved.value(launch));
    EXPECT_FALSE(dram.value(launch));
    EXPECT_EQ(metric_by_name("microseconds").value(launch), 0);
    launch.achieved_occupancy = 0.5;
    launch.time->of_peak.emplace();
    (*launch.time->of_peak)[TimeBound::kDram] = 0.25;
    EXPECT_EQ(achieved.value(launch), 0.5);
    EXPECT_EQ(dram.value(launch), 0.25);
}

std::string words_page() {
    std::ifstream file(source_dir() + "/docs/reference/words.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

bool has_row(const std::string& page, const std::string& begin) {
    return page.find("\n| " + begin) != std::string::npos;
}

TEST(WordsPage, HasEveryRow) {
    const std::string page = words_page();
    for (const ProfilerName& name : profiler_names()) {
        const std::string ours = "`" + std::string(name.ours) + "`", theirs = "`" + std::string(name.theirs) + "`";
        if (name.differs.empty())
            EXPECT_TRUE(has_row(page, ours + " | " + theirs + " |")) << ours;
        else
            EXPECT_TRUE(has_row(page, theirs + " | " + ours + " | " + std::string(name.differs) + " |")) << theirs;
    }
    for (const StallRow& row : stall_rows()) {
        const std::size_t at = page.find("\n| `" + std::string(row.name) + "` | ");
        ASSERT_NE(at, std::string::npos) << row.name;
        const std::string line = page.substr(at + 1, page.find('\n', at + 1) - at - 1);
        EXPECT_TRUE(line.ends_with(" | " + reasons_of(row.name) + " |")) << line;
    }
    std::string none;
    for (const StallReason& reason : stall_reasons())
        if (reason.ours.empty()) none += (none.empty() ? "" : ", ") + std::string(reason.name);
    std::string flat = page;
    for (char& letter : flat) letter = letter == '\n' ? ' ' : letter;
    EXPECT_NE(flat.find("is modeled: " + none + "."), std::string::npos) << none;
}

}  // namespace
}  // namespace tilescope::report
