// Tiles of a matrix product: figures that follow from the shape, and what a device says to them.
#include "scope/explore/tile.h"

#include <gtest/gtest.h>

#include "scope/explore/tile_work.h"

namespace tilescope::explore {
namespace {

models::Device device(const std::string& name) {
    auto found = models::load_device(name);
    EXPECT_TRUE(found);
    return *found;
}

TileTable table_of(const TileQuestion& question, const std::string& name = "a100") {
    auto table = explore_tiles(device(name), question);
    EXPECT_TRUE(table) << (table ? "" : render(table.errors()));
    return table ? *table : TileTable{};
}

TileQuestion square(std::uint64_t n, std::vector<std::uint32_t> tiles, std::vector<std::uint32_t> results = {1}) {
    TileQuestion question;
    question.n = n;
    question.tiles = std::move(tiles);
    question.results = std::move(results);
    return question;
}

TEST(Tile, RequestsFallByTheTile) {
    const TileTable table = table_of(square(1024, {4, 8, 16, 32}));
    for (const TileRow& row : table.rows) {
        EXPECT_EQ(row.requested_elements, 2ull * 1024 * 1024 * 1024 / row.tile);
        EXPECT_DOUBLE_EQ(row.intensity, row.tile / 4.0);
        EXPECT_DOUBLE_EQ(row.shared_per_thread, 8);
        EXPECT_EQ(row.phases, 1024u / row.tile);
        EXPECT_DOUBLE_EQ(row.padding, 0);
        ASSERT_TRUE(row.microseconds);
    }
    EXPECT_DOUBLE_EQ(table.ridge, device("a100").ridge_fp32());
    EXPECT_NEAR(table.full_shared_per_thread, 82, 0.01);
}

TEST(Tile, ResultsOfAThreadShareWhatItLoads) {
    const TileTable table = table_of(square(1024, {16}, {1, 2, 4, 8}));
    for (const TileRow& row : table.rows) {
        EXPECT_DOUBLE_EQ(row.shared_per_thread, 4.0 * (row.results + 1));
        // M by every column of blocks, N by every row of them.
        EXPECT_EQ(row.requested_elements, 1024ull * 1024 * 64 + 1024ull * 1024 * (64 / row.results));
    }
    ASSERT_TRUE(table.best);
    EXPECT_GT(table.rows[*table.best].results, 1u);
}

TEST(Tile, WhatIsNoMultipleIsPaddedAndPhasesAreRoundedUp) {
    const TileTable table = table_of(square(1000, {16, 20}));
    EXPECT_EQ(table.rows[0].phases, 63u);
    EXPECT_NEAR(table.rows[0].padding, 1 - 1e9 / (1008. * 1008 * 1008), 1e-12);
    EXPECT_EQ(table.rows[0].requested_elements, 2ull * 1000 * 1000 * 63);
    EXPECT_EQ(table.rows[1].phases, 50u);
    EXPECT_DOUBLE_EQ(table.rows[1].padding, 0);
    // 3 × 3 in tiles of 2: two phases where one and a half would do.
    EXPECT_EQ(table_of(square(3, {2})).rows[0].phases, 2u);
}

TEST(Tile, OfRectangles) {
    TileQuestion question = square(64, {16});
    question.m = 32;
    question.k = 128;
    const TileRow row = table_of(question).rows[0];
    EXPECT_EQ(row.blocks, 8u);
    EXPECT_EQ(row.phases, 8u);
    EXPECT_EQ(row.requested_elements, 32ull * 128 * 4 + 128ull * 64 * 2);
}

TEST(Tile, DoublesTakeTwiceTheRoom) {
    TileQuestion question = square(512, {16});
    question.type = "f64";
    const TileTable table = table_of(question);
    EXPECT_DOUBLE_EQ(table.rows[0].shared_per_thread, 16);
    EXPECT_DOUBLE_EQ(table.rows[0].intensity, 2);
    EXPECT_DOUBLE_EQ(table.ridge, device("a100").ridge_fp64());
}

TEST(Tile, MoreWorkTakesLonger) {
    double last = 0;
    for (const std::uint64_t n : {256, 512, 1024, 2048}) {
        const TileTable table = table_of(square(n, {16}));
        ASSERT_TRUE(table.rows[0].microseconds);
        EXPECT_GT(*table.rows[0].microseconds, last);
        last = *table.rows[0].microseconds;
    }
}

TEST(Tile, TheBestHasTheLeastTime) {
    TileQuestion question;
    question.n = 1000;
    const TileTable table = table_of(question);
    ASSERT_TRUE(table.best);
    for (const TileRow& row : table.rows) {
        ASSERT_TRUE(row.microseconds);
        EXPECT_LE(*table.rows[*table.best].microseconds, *row.microseconds);
    }
    bool has_twenty = false;
    for (const TileRow& row : table.rows) has_twenty = has_twenty || row.tile == 20;
    EXPECT_TRUE(has_twenty) << "a tile that divides 1000";
}

TEST(Tile, WhatDoesNotFitSaysSo) {
    TileQuestion question = square(512, {32}, {32});
    question.type = "f64";
    const TileRow row = table_of(question, "a100").rows[0];
    EXPECT_EQ(row.refusal, TileRefusal::kShared);
    EXPECT_FALSE(row.microseconds);
    EXPECT_FALSE(table_of(question, "a100").best);
}

TEST(Tile, MistakesNameTheNearest) {
    const auto error_of = [](const TileQuestion& question) {
        const auto table = explore_tiles(device("a100"), question);
        return table ? std::string() : render(table.errors());
    };
    EXPECT_NE(error_of(square(512, {40})).find("a tile of 40 × 40 takes 1600 threads"), std::string::npos);
    EXPECT_NE(error_of(square(512, {40})).find("the nearest that fits is 32"), std::string::npos);
    EXPECT_NE(error_of(square(512, {0})).find("nearest that fits is 1"), std::string::npos);
    EXPECT_NE(error_of(square(0, {16})).find("not 0"), std::string::npos);
    EXPECT_NE(error_of(square(512, {16}, {0})).find("1 to 32 results"), std::string::npos);
    TileQuestion half = square(512, {16});
    half.type = "f16";
    EXPECT_NE(error_of(half).find("did you mean f32?"), std::string::npos);
}

LaunchProfile product_launch(std::uint64_t side, double tile) {
    LaunchProfile launch;
    launch.kernel = "naive(float const*, float const*, float*, int)";
    launch.grid = {static_cast<std::uint32_t>(side / 16), static_cast<std::uint32_t>(side / 16), 1};
    launch.block = {16, 16, 1};
    launch.counters[Counter::kFp32Fma] = side * side * side;
    launch.counters[Counter::kGlobalLoadBytesRequested] =
        static_cast<std::uint64_t>(8. * static_cast<double>(side * side * side) / tile);
    return launch;
}

TEST(Tile, TheShapeOfAProductThatWasRun) {
    const auto shape = shape_of_product(product_launch(256, 16));
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->n, 256u);
    EXPECT_EQ(shape->m, 256u);
    EXPECT_EQ(shape->k, 256u);
    EXPECT_DOUBLE_EQ(shape->asked_times, 16);
    LaunchProfile other = product_launch(256, 1);
    other.counters[Counter::kFp32Fma] -= 7;
    EXPECT_FALSE(shape_of_product(other));
    other = product_launch(256, 1);
    other.counters[Counter::kFp32Add] = other.counters[Counter::kFp32Fma] + 1;
    EXPECT_FALSE(shape_of_product(other));
    other = product_launch(256, 0.5);
    EXPECT_FALSE(shape_of_product(other));
}

}  // namespace
}  // namespace tilescope::explore
