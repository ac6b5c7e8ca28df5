#include "scope/views/document/trust.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "tests/report/sample.h"

namespace tilescope::views {
namespace {

const Row* row_of(const std::vector<Row>& rows, std::string_view key) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.key == key; });
    return found == rows.end() ? nullptr : &*found;
}

Profile profile_with(std::size_t launches) {
    Profile profile;
    LaunchProfile launch;
    launch.grid = {100, 1, 1};
    launch.blocks_run = 100;
    launch.registers_from = RegistersFrom::kCubin;
    launch.counters.modelled = true;
    launch.time = TimeProfile{};
    for (std::size_t i = 0; i < launches; ++i) profile.launches.push_back(launch);
    return profile;
}

TEST(Trust, WhatIsCountedAndWhatIsModelledStandApart) {
    const auto rows = trust_rows(profile_with(2), nullptr);
    ASSERT_NE(row_of(rows, "exact"), nullptr);
    EXPECT_EQ(row_of(rows, "exact")->source, RowSource::kCounted);
    ASSERT_NE(row_of(rows, "machine_code"), nullptr);
    EXPECT_EQ(row_of(rows, "modelled")->source, RowSource::kModelled);
    for (const char* absent : {"sampled", "estimated", "replayed", "no_time", "refused", "not_counted", "no_caches"})
        EXPECT_EQ(row_of(rows, absent), nullptr) << absent;
}

TEST(Trust, SamplesSayHowMuchRan) {
    Profile profile = profile_with(2);
    profile.launches[1].sampled = true;
    profile.launches[1].blocks_run = 25;
    auto rows = trust_rows(profile, nullptr);
    ASSERT_NE(row_of(rows, "sampled"), nullptr);
    EXPECT_EQ(std::get<double>(row_of(rows, "sampled")->values.front().amount), 0.25);
    EXPECT_NE(row_of(rows, "exact"), nullptr);
    profile.launches[0].sampled = true;
    rows = trust_rows(profile, nullptr);
    EXPECT_EQ(row_of(rows, "exact"), nullptr);
    EXPECT_NE(row_of(rows, "sampled")->text.find("all 2 launches"), std::string::npos);
}

TEST(Trust, WhatIsMissingIsSaid) {
    Profile profile = profile_with(4);
    profile.launches[0].observed = false;
    profile.launches[1].registers_from = RegistersFrom::kEstimate;
    profile.launches[2].time.reset();
    profile.launches[3].caches_replayed = 0.5;
    profile.checks = {Check::kRaces};
    profile.suppressed = 3;
    profile.diagnostics = {error("isa-unsupported-instruction", {"a.ptx", 7}, "no such instruction", "leave it out")};
    const auto rows = trust_rows(profile, nullptr);
    EXPECT_NE(row_of(rows, "not_counted")->text.find("1 of 4 launches"), std::string::npos);
    EXPECT_NE(row_of(rows, "estimated")->text.find("1 of 3 launches"), std::string::npos);
    EXPECT_NE(row_of(rows, "no_time")->text.find("1 of 3 launches"), std::string::npos);
    EXPECT_EQ(std::get<double>(row_of(rows, "replayed")->values.front().amount), 0.5);
    EXPECT_EQ(row_of(rows, "checked")->text, "races");
    EXPECT_EQ(row_of(rows, "not_checked")->text.find("races"), std::string::npos);
    EXPECT_NE(row_of(rows, "suppressed"), nullptr);
    EXPECT_EQ(row_of(rows, "refused")->places.front().line, 7U);
}

TEST(Trust, ADevicesFiguresAreTold) {
    report::DeviceSheet device;
    device.name = "h200";
    device.figures = {{"measured", "on this card", 114}, {"assumed", "nobody says it", 8}};
    const auto rows = trust_rows(profile_with(1), &device);
    ASSERT_NE(row_of(rows, "card"), nullptr);
    EXPECT_EQ(row_of(rows, "card")->values.size(), 2U);
    EXPECT_NE(row_of(rows, "card")->text.find("122"), std::string::npos);
    Profile counted = profile_with(1);
    counted.launches[0].counters.modelled = false;
    EXPECT_EQ(row_of(trust_rows(counted, &device), "card"), nullptr);
    EXPECT_NE(row_of(trust_rows(counted, &device), "no_caches"), nullptr);
}

TEST(Trust, ApproximateFunctionsOfDevicesThatWereNotComparedAreAssumed) {
    report::DeviceSheet device;
    device.name = "a100";
    device.compute = "8.0";
    EXPECT_EQ(row_of(trust_rows(profile_with(2), &device), "approximate_functions"), nullptr);
    Profile profile = profile_with(2);
    profile.launches[1].counters[Counter::kFp32Special] = 32;
    const auto rows = trust_rows(profile, &device);
    ASSERT_NE(row_of(rows, "approximate_functions"), nullptr);
    EXPECT_NE(row_of(rows, "approximate_functions")->text.find("1 of 2 launches"), std::string::npos);
    device.compute = "9.0";
    EXPECT_EQ(row_of(trust_rows(profile, &device), "approximate_functions"), nullptr);
}

}  // namespace
}  // namespace tilescope::views
