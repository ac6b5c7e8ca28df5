// Results, sectors, hazards and time of saxpy.cu, without a GPU.
#include <gtest/gtest.h>
#include <tilescope/tilescope.h>

namespace ts = tilescope::library;

namespace {

constexpr int kCount = 1 << 14;

TEST(Saxpy, ComputesAndAsksForWholeSectors) {
    auto session = ts::Session::create({});
    ASSERT_TRUE(session) << session.error().text();
    const auto module = session->load(SAXPY_FILE);
    ASSERT_TRUE(module) << module.error().text();
    const auto x = session->buffer(std::vector<float>(kCount, 3));
    const auto y = session->buffer(std::vector<float>(kCount, 1));
    const auto launch = session->launch(*module->kernel("saxpy"), {{kCount / 256}, {256}}, 2.0F, *x, *y, kCount);
    ASSERT_TRUE(launch) << launch.error().text();

    EXPECT_EQ(*y->read(), std::vector<float>(kCount, 7));
    EXPECT_EQ(*launch->value("global_load_sectors_per_request"), 4);
    EXPECT_EQ(launch->counters.at("global_store_sectors"), kCount / 8u);
    EXPECT_GT(launch->microseconds.value(), 0);
}

TEST(Saxpy, ChunksCostEightTimesTheSectors) {
    auto session = ts::Session::create({});
    ASSERT_TRUE(session) << session.error().text();
    const auto module = session->load(SAXPY_FILE);
    ASSERT_TRUE(module) << module.error().text();
    const auto x = session->buffer<float>(kCount), y = session->buffer<float>(kCount);
    const auto launch =
        session->launch(*module->kernel("saxpy_chunks"), {{kCount / 8 / 256}, {256}}, 2.0F, *x, *y, kCount, 8);
    ASSERT_TRUE(launch) << launch.error().text();
    EXPECT_EQ(*launch->value("global_load_sectors_per_request"), 32);
}

TEST(Saxpy, TheRaceIsFound) {
    ts::Options options;
    options.checks = {"races"};
    auto session = ts::Session::create(options);
    ASSERT_TRUE(session) << session.error().text();
    const auto module = session->load(SAXPY_FILE);
    ASSERT_TRUE(module) << module.error().text();
    const auto x = session->buffer<float>(kCount), sum = session->buffer<float>(1);
    const auto launch = session->launch(*module->kernel("total"), {{kCount / 256}, {256}}, *x, *sum, kCount);
    ASSERT_TRUE(launch) << launch.error().text();
    ASSERT_FALSE(launch->hazards.empty());
    EXPECT_EQ(launch->hazards.front().kind, "race");
    EXPECT_EQ(launch->hazards.front().at.line, 15u) << launch->hazards.front().message;
}

}  // namespace
