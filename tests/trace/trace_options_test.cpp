#include "scope/session/trace_options.h"

#include <gtest/gtest.h>

#include "scope/session/options.h"

namespace tilescope {
namespace {

TEST(TraceOptions, ShapesAreReadAndWritten) {
    auto shape = parse_shape("M=4x16");
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->name, "M");
    EXPECT_EQ(shape->shape, (std::vector<std::uint64_t>{4, 16}));
    EXPECT_EQ(to_text(*shape), "M=4x16");
    auto part = parse_shape("Nds=2@tiles+16");
    ASSERT_TRUE(part);
    EXPECT_EQ(part->within, "tiles");
    EXPECT_EQ(part->offset, 16u);
    EXPECT_EQ(to_text(*part), "Nds=2@tiles+16");
    EXPECT_EQ(parse_shape("Mds=2x2@tiles")->offset, 0u);
    auto apart = parse_shape("M=20x18:32");
    ASSERT_TRUE(apart);
    EXPECT_EQ(apart->shape, (std::vector<std::uint64_t>{20, 18}));
    EXPECT_EQ(apart->pitch, 32u);
    EXPECT_EQ(to_text(*apart), "M=20x18:32");
    for (const char* bad : {"",
                            "M",
                            "=4",
                            "M=",
                            "M=0",
                            "M=4x",
                            "M=x4",
                            "M=4,4",
                            "M=-1",
                            "M=1x1x1x1x1",
                            "M=4@",
                            "M=4@+3",
                            "M=4@t+",
                            "M=4@t+x",
                            "M=99999999999999999999",
                            "M=4x4:",
                            "M=4x4:3",
                            "M=4x4:x",
                            "M=4x4:0",
                            "M=1048576x4:4294967296",
                            "M=4294967296x4294967296"})
        EXPECT_FALSE(parse_shape(bad)) << bad;
}

TEST(TraceOptions, TravelWithTheOthers) {
    SessionOptions options;
    EXPECT_FALSE(decode(encode(options))->trace);
    TraceOptions& trace = options.trace.emplace();
    trace.block = {1, 2, 3};
    trace.first_thread = 4;
    trace.last_thread = ~0u;
    trace.first_phase = 2;
    trace.last_phase = 7;
    trace.shapes = {*parse_shape("M=4x4"), *parse_shape("a=2@b+8")};
    trace.source_directories = {"/some where"};
    const auto back = decode(encode(options));
    ASSERT_TRUE(back && back->trace);
    EXPECT_EQ(encode(*back), encode(options));
    EXPECT_EQ(back->trace->block, trace.block);
    EXPECT_EQ(back->trace->last_thread, ~0u);
    EXPECT_EQ(back->trace->shapes[1].within, "b");
    for (const char* bad : {R"({"trace": 1})", R"({"trace": {"shapes": ["M"]}})", R"({"trace": {"block_x": -1}})"})
        EXPECT_FALSE(decode(bad)) << bad;
}

}  // namespace
}  // namespace tilescope
