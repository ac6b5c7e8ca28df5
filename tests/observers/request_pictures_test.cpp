#include "scope/observers/request_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using Deltas = std::array<std::int64_t, machine::kWarpSize>;

constexpr std::uint32_t kEveryLane = 0xffffffffu;

Deltas strided(std::int64_t bytes) {
    Deltas deltas{};
    for (std::int64_t lane = 0; lane < machine::kWarpSize; ++lane)
        deltas[static_cast<std::size_t>(lane)] = lane * bytes;
    return deltas;
}

Access access_of(const Deltas& deltas, std::uint32_t mask = kEveryLane) {
    Access access;
    access.width = 4;
    access.mask = mask;
    access.deltas = deltas.data();
    return access;
}

TEST(RequestExamples, KeepTheOneWithTheMostLanesWhateverComesFirst) {
    const Deltas near = strided(4), far = strided(-4);
    RequestExamples one, other;
    one.offer(access_of(near, 0xffff), 0, 4, 4);
    one.offer(access_of(near), 8, 4, 4);
    one.offer(access_of(far), 8, 4, 4);
    other.offer(access_of(far), 8, 4, 4);
    other.offer(access_of(near), 8, 4, 4);
    other.offer(access_of(near, 0xffff), 0, 4, 4);
    ASSERT_NE(one.of(4), nullptr);
    EXPECT_EQ(one.of(4)->mask, kEveryLane);
    EXPECT_EQ(one.of(4)->deltas, far);
    EXPECT_EQ(other.of(4)->deltas, far);
    EXPECT_EQ(one.of(5), nullptr);
    RequestExamples merged;
    merged.offer(access_of(near), 8, 4, 4);
    merged.merge(one);
    EXPECT_EQ(merged.of(4)->deltas, far);
}

// A program of one line with one access, and what was seen of it.
struct OneLine {
    machine::Program program;
    RequestTally tally{};
    RequestExamples examples;
    LaunchProfile launch;

    OneLine() {
        program.files = {"a.cu"};
        program.facts.resize(1);
        program.facts[0].place.line = 7;
        program.sites.resize(1);
        LineProfile line;
        line.file = "a.cu";
        line.line = 7;
        launch.lines = {line};
    }
    const std::vector<RequestPicture>& pictures(bool banks = false, AccessKind kind = AccessKind::kLoad) {
        add_pictures(program, {{0, kind, &tally, &examples, 2, {}}}, banks, launch);
        return launch.lines[0].pictures;
    }
};

TEST(RequestPictures, BestTypicalAndWorstWhereTheyDiffer) {
    OneLine line;
    const Deltas near = strided(4), apart = strided(32), halves = strided(8);
    line.tally[4] = 10;
    line.tally[8] = 50;
    line.tally[32] = 1;
    line.examples.offer(access_of(near), 0, 4, 4);
    line.examples.offer(access_of(halves), 16, 8, 4);
    line.examples.offer(access_of(apart), 0, 32, 4);
    const auto& pictures = line.pictures();
    ASSERT_EQ(pictures.size(), 3U);
    EXPECT_EQ(pictures[0].which, PictureOf::kBest);
    EXPECT_EQ(pictures[0].requests, 10U);
    EXPECT_EQ(pictures[0].of, 61U);
    EXPECT_EQ(pictures[1].which, PictureOf::kTypical);
    EXPECT_EQ(pictures[1].units, 8U);
    EXPECT_EQ(pictures[1].ideal, 4U);
    EXPECT_EQ(pictures[1].lanes[0], 16);
    EXPECT_EQ(pictures[1].lanes[1], 24);
    EXPECT_EQ(pictures[1].parameter, 2U);
    EXPECT_EQ(pictures[2].which, PictureOf::kWorst);
    EXPECT_EQ(pictures[2].lanes[31], 992);
}

TEST(RequestPictures, AlikeRequestsAreOneAndLanesMayBeAway) {
    OneLine line;
    const Deltas back = strided(-4);
    line.tally[5] = 3;
    line.examples.offer(access_of(back, 0x80000001u), 4, 5, 1);
    const auto& pictures = line.pictures();
    ASSERT_EQ(pictures.size(), 1U);
    EXPECT_EQ(pictures[0].which, PictureOf::kTypical);
    // The lowest byte is lane 31's: 124 bytes before one that lies 4 bytes into a sector.
    EXPECT_EQ(pictures[0].lanes[31], 8);
    EXPECT_EQ(pictures[0].lanes[0], 132);
    EXPECT_EQ(pictures[0].lanes[1], -1);
}

// ldmatrix and what wmma loads; stmatrix.
TEST(RequestPictures, MatricesAreLoadedOrStored) {
    const Deltas rows = strided(64);
    for (const auto& [kind, said] : {std::pair{AccessKind::kMatrixLoad, StatementKind::kLoad},
                                     {AccessKind::kMatrixStore, StatementKind::kStore},
                                     {AccessKind::kFactorLoad, StatementKind::kLoad},
                                     {AccessKind::kAsyncCopyWrite, StatementKind::kCopy}}) {
        OneLine line;
        line.tally[16] = 5;
        line.examples.offer(access_of(rows), 0, 16, 4);
        const auto& pictures = line.pictures(/*banks=*/true, kind);
        ASSERT_EQ(pictures.size(), 1U);
        EXPECT_EQ(pictures[0].kind, said);
    }
}

TEST(RequestPictures, OfBanksCountFromTheFirstWord) {
    OneLine line;
    const Deltas column = strided(128);
    line.tally[32] = 5;
    line.examples.offer(access_of(column), 0, 32, 1);
    const auto& pictures = line.pictures(/*banks=*/true, AccessKind::kStore);
    ASSERT_EQ(pictures.size(), 1U);
    EXPECT_TRUE(pictures[0].banks);
    EXPECT_EQ(pictures[0].kind, StatementKind::kStore);
    EXPECT_EQ(pictures[0].lanes[3], 384);
}

TEST(RequestPictures, OfTheLinesThatMovedMost) {
    OneLine line;
    const Deltas near = strided(4);
    std::vector<RequestTally> tallies(20);
    std::vector<RequestExamples> examples(20);
    std::vector<SeenRequests> seen;
    line.program.facts.resize(20);
    line.program.sites.resize(20);
    line.launch.lines.clear();
    for (std::uint32_t i = 0; i < 20; ++i) {
        line.program.facts[i].place.line = i + 1;
        line.program.sites[i].op = i;
        tallies[i][4] = i + 1;
        examples[i].offer(access_of(near), 0, 4, 4);
        seen.push_back({i, AccessKind::kLoad, &tallies[i], &examples[i], {}, {}});
        LineProfile one;
        one.file = "a.cu";
        one.line = i + 1;
        line.launch.lines.push_back(one);
    }
    add_pictures(line.program, seen, false, line.launch);
    EXPECT_TRUE(line.launch.lines[0].pictures.empty());
    EXPECT_EQ(line.launch.lines[19].pictures.size(), 1U);
    EXPECT_EQ(std::count_if(line.launch.lines.begin(), line.launch.lines.end(),
                            [](const LineProfile& one) { return !one.pictures.empty(); }),
              8);
}

}  // namespace
}  // namespace tilescope::observers
