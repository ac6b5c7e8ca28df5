#include "scope/report/suppressions.h"
#include "tests/scratch.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace tilescope::report {
namespace {

Hazard race(const std::string& file, std::uint32_t line, const std::string& other_file, std::uint32_t other_line) {
    Hazard hazard;
    hazard.kind = HazardKind::kRace;
    hazard.file = file;
    hazard.line = line;
    hazard.other_file = other_file;
    hazard.other_line = other_line;
    hazard.kernel = "void tiled<16>(float*)";
    return hazard;
}

Profile with(const Hazard& hazard) {
    Profile profile;
    profile.launches.emplace_back().hazards = {hazard};
    return profile;
}

// How many hazards the rules leave.
std::size_t left(const std::string& rules, Profile profile) {
    const auto parsed = parse_suppressions(rules, "rules");
    EXPECT_TRUE(parsed) << render(parsed.errors());
    SourceText source({});
    hide(parsed ? *parsed : std::vector<Suppression>{}, source, profile);
    const std::size_t count = profile.hazards.size() + profile.launches[0].hazards.size();
    EXPECT_EQ(profile.suppressed, 1 - count);
    return count;
}

TEST(Suppressions, EachWordNarrows) {
    const Profile profile = with(race("src/a.cu", 12, "src/b.cu", 30));
    EXPECT_EQ(left("", profile), 1u);
    EXPECT_EQ(left("race", profile), 0u);
    EXPECT_EQ(left("leak", profile), 1u);
    EXPECT_EQ(left("# race\n\n * # all\n", profile), 0u);
    EXPECT_EQ(left("race a.cu", profile), 0u);
    EXPECT_EQ(left("race src/*.cu", profile), 0u);
    EXPECT_EQ(left("race c.cu", profile), 1u);
    EXPECT_EQ(left("race * tiled*", profile), 0u);
    EXPECT_EQ(left("race * naive", profile), 1u);
    EXPECT_EQ(left("race a.cu * 10-12", profile), 0u);
    EXPECT_EQ(left("race a.cu * 12", profile), 0u);
    EXPECT_EQ(left("race a.cu * 13-20", profile), 1u);
}

TEST(Suppressions, EitherEndWillDo) {
    const Profile profile = with(race("src/a.cu", 12, "src/b.cu", 30));
    EXPECT_EQ(left("race b.cu * 30", profile), 0u);
    EXPECT_EQ(left("race a.cu * 30", profile), 1u);
}

TEST(Suppressions, FaultsStay) {
    Hazard fault = race("a.cu", 1, "", 0);
    fault.kind = HazardKind::kOutOfBounds;
    EXPECT_EQ(left("*", with(fault)), 1u);
}

TEST(Suppressions, ACommentInTheSourceHides) {
    const std::string file = scratch_file("suppressed.cu");
    std::ofstream(file) << "a;\nb;  // tilescope: ignore leak, race\nc;  // tilescope: ignore leak\n";
    EXPECT_EQ(left("", with(race(file, 2, file, 1))), 0u);
    EXPECT_EQ(left("", with(race(file, 1, file, 2))), 0u);
    EXPECT_EQ(left("", with(race(file, 3, file, 1))), 1u);
    std::remove(file.c_str());
}

TEST(Suppressions, WhatIsWrongIsNamedWithItsLine) {
    const auto parsed = parse_suppressions("race\nrcae\nrace a.cu * x-3\nrace a.cu * 3 more\n", "rules");
    ASSERT_FALSE(parsed);
    ASSERT_EQ(parsed.errors().size(), 3u);
    for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(parsed.errors()[i].location.line, i + 2);
}

}  // namespace
}  // namespace tilescope::report
