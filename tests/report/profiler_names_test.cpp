// What Nsight Compute calls our figures, both ways.
#include "scope/report/profiler_names.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "scope/report/json.h"
#include "scope/report/metrics.h"

namespace tilescope::report {
namespace {

TEST(ProfilerNames, EachIsOfAFigureThatWeHaveAndOfNoOther) {
    std::set<std::string_view> ours, theirs;
    for (const ProfilerName& name : profiler_names()) {
        EXPECT_TRUE(metric_by_name(name.ours).known()) << name.ours;
        EXPECT_TRUE(ours.insert(name.ours).second) << name.ours;
        EXPECT_TRUE(theirs.insert(name.theirs).second) << name.theirs;
        EXPECT_EQ(by_profiler_name(name.theirs), &name);
        EXPECT_EQ(profiler_name_of(name.ours), &name);
    }
    EXPECT_EQ(by_profiler_name("sm__warps_active"), nullptr);
    EXPECT_EQ(profiler_name_of("intensity"), nullptr);
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

}  // namespace
}  // namespace tilescope::report
