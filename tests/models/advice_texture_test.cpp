// What is said of fetches of textures, and where nothing is.
#include <gtest/gtest.h>

#include "tests/models/advice_cases.h"

namespace tilescope::models {
namespace {

using C = Counter;
using F = AdviceFigure;
using V = AdviceVariant;

constexpr std::uint64_t kFetches = 262'144, kLooked = 1024;

// A million and more texels of four bytes, fetched along rows of an array once each.
LaunchProfile rows() {
    LaunchProfile launch;
    launch.kernel = "rows(cudaTextureObject_t, float*)";
    launch.grid = {8192, 1, 1};
    launch.block = {256, 1, 1};
    launch.blocks_per_sm = 8;
    CounterSet& c = launch.counters;
    c.modelled = true;
    c[C::kInstructions] = 10 * kFetches;
    c[C::kThreadInstructions] = 320 * kFetches;
    c[C::kTextureRequests] = c[C::kTextureSectors] = 8 * kFetches;
    c[C::kTextureHitSectors] = 6 * kFetches;
    c[C::kL1MissFirstTouch] = 2 * kFetches;
    c[C::kL2ReadSectors] = c[C::kL2ReadHitSectors] = 2 * kFetches;
    launch.work = WarpWork{};
    WarpWork& work = *launch.work;
    work.instructions = 10 * static_cast<double>(kFetches);
    work[Pipe::kTexture] = work[Wait::kGlobal] = static_cast<double>(kFetches);
    work.texture_passes = work.texture_lines = 8 * static_cast<double>(kFetches);
    TexelWalk walk;
    walk.fetches = walk.single = kLooked;
    walk.requests = walk.sectors = walk.tile_sectors = 8 * kLooked;
    walk.row_sectors = 4 * kLooked;
    walk.row_lines = kLooked;
    launch = with_line(launch);
    launch.lines.front().texels = walk;
    return launch;
}

TexelWalk& walk_of(LaunchProfile& launch) { return *launch.lines.front().texels; }

Advice only(const LaunchProfile& launch) {
    const std::vector<Advice> found = of_rule(launch, "texture");
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Advice{} : found.front();
}

TEST(TextureAdvice, AlongRowsALoadDoesAsWell) {
    const LaunchProfile launch = rows();
    const Advice advice = only(launch);
    EXPECT_EQ(advice.facts.variant, V::kPlainLoad);
    EXPECT_EQ(advice.facts.figures[F::kActual], 8);
    EXPECT_EQ(advice.facts.figures[F::kIdeal], 4);
    EXPECT_EQ(advice.line, 7u);
    // The unit's passes are part of what the launch takes.
    EXPECT_GT(advice.speedup, 1.03);
}

TEST(TextureAdvice, ALoadDoesAsWellWhereItSavesNoTime) {
    LaunchProfile launch = rows();
    launch.counters[C::kDramReadBytes] = launch.counters[C::kL2ReadSectors] * 3200;  // far more than all else takes
    const Advice advice = only(launch);
    EXPECT_EQ(advice.facts.variant, V::kPlainLoad);
    EXPECT_EQ(advice.speedup, 1);
    EXPECT_EQ(advice.saves_microseconds.value(), 0);
}

TEST(TextureAdvice, SilentWhereTheUnitDoesSomething) {
    LaunchProfile launch = rows();
    walk_of(launch).single = kLooked - 1;  // one fetch filters, converts, or leaves the image
    EXPECT_FALSE(fires(launch, "texture"));
}

TEST(TextureAdvice, SilentWhereTilesHoldMore) {
    LaunchProfile launch = rows();
    walk_of(launch).row_sectors = 6 * kLooked;  // turned
    EXPECT_FALSE(fires(launch, "texture"));
    walk_of(launch).row_sectors = 5 * kLooked;  // rows that begin within a sector
    EXPECT_TRUE(fires(launch, "texture"));
}

TEST(TextureAdvice, SilentWhereNobodyLookedOrNoTimeIsKnown) {
    LaunchProfile launch = rows();
    launch.lines.front().texels.reset();
    EXPECT_FALSE(fires(launch, "texture"));
    launch = rows();
    launch.work.reset();
    EXPECT_FALSE(fires(launch, "texture"));
}

// Columns of pitched memory: a sector for each texel, of which tiles hold two.
LaunchProfile columns() {
    LaunchProfile launch = rows();
    CounterSet& c = launch.counters;
    c[C::kTextureSectors] = 32 * kFetches;
    c[C::kTextureHitSectors] = 0;
    c[C::kL1MissFirstTouch] = 4 * kFetches;
    c[C::kL2ReadSectors] = c[C::kL2ReadHitSectors] = 32 * kFetches;
    launch.work->texture_lines = 32 * static_cast<double>(kFetches);
    TexelWalk& walk = walk_of(launch);
    walk.in_rows = kLooked;
    walk.sectors = walk.row_sectors = walk.row_lines = 32 * kLooked;
    walk.tile_sectors = 16 * kLooked;
    launch.lines.front().counters = launch.counters;
    return launch;
}

TEST(TextureAdvice, ColumnsOfPitchedMemoryWantAnArray) {
    const Advice advice = only(columns());
    EXPECT_EQ(advice.facts.variant, V::kIntoArray);
    EXPECT_EQ(advice.facts.figures[F::kActual], 32);
    EXPECT_EQ(advice.facts.figures[F::kIdeal], 16);
    EXPECT_GT(advice.speedup, 1.2);
    // Of 32 sectors a warp that L2 is asked for half are left.
    EXPECT_EQ(advice.saves_bytes, 32 * 16 * kFetches);
}

TEST(TextureAdvice, SilentWhereL1HasWhatTilesWouldHold) {
    LaunchProfile launch = columns();
    CounterSet& c = launch.counters;
    c[C::kTextureHitSectors] = 28 * kFetches;
    c[C::kL2ReadSectors] = c[C::kL2ReadHitSectors] = 4 * kFetches;
    launch.lines.front().counters = c;
    EXPECT_FALSE(fires(launch, "texture"));
}

TEST(TextureAdvice, FourNeighboursAreOneFilteredFetch) {
    LaunchProfile launch = rows();
    TexelWalk& walk = walk_of(launch);
    walk.by_hand = kLooked;
    walk.row_sectors = walk.sectors;
    const Advice advice = only(launch);
    EXPECT_EQ(advice.facts.variant, V::kFilteredByUnit);
    EXPECT_EQ(advice.facts.figures[F::kTimes], 4);
    EXPECT_GT(advice.speedup, 1.2);
    walk.by_hand = kLooked / 2;  // half of them are something else
    EXPECT_FALSE(fires(launch, "texture"));
}

TEST(TextureAdvice, SilentWhereFourFetchesCostNothing) {
    LaunchProfile launch = rows();
    walk_of(launch).by_hand = kLooked;
    walk_of(launch).row_sectors = walk_of(launch).sectors;
    launch.counters[C::kDramReadBytes] = launch.counters[C::kL2ReadSectors] * 3200;
    EXPECT_FALSE(fires(launch, "texture"));
}

}  // namespace
}  // namespace tilescope::models
