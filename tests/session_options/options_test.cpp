#include "scope/session/options.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

TEST(SessionOptions, TravelUnchanged) {
    SessionOptions options;
    options.device = "./my device.json";
    options.jobs = 3;
    options.sample = 0.125;
    options.max_instructions = ~std::uint64_t{0};
    options.memory_limit = 1ULL << 40;
    options.device_memory = 1ULL << 36;
    options.kernel_globs = {"tiled*", "\"quoted\"", ""};
    options.launches = {{2, 9'000'000'000}};
    options.progress = options.color = true;
    options.verbosity = -1;
    options.checks = bit_of(Check::kRaces) | bit_of(Check::kStreams);
    options.shapes = {*parse_shape("M=5x5:8")};
    options.fill = 0xab;
    options.ask_ptxas = false;
    options.program = "a/b.cu";
    options.compiler = "clang 19.1.7";
    auto back = decode(encode(options));
    ASSERT_TRUE(back) << render(back.errors());
    EXPECT_EQ(encode(*back), encode(options));
    EXPECT_EQ(back->launches, options.launches);
    EXPECT_EQ(back->kernel_globs, options.kernel_globs);
    EXPECT_EQ(back->max_instructions, options.max_instructions);
    EXPECT_EQ(back->device_memory, options.device_memory);
    EXPECT_EQ(back->verbosity, -1);
    EXPECT_EQ(back->checks, options.checks);
    ASSERT_EQ(back->shapes.size(), 1u);
    EXPECT_EQ(to_text(back->shapes[0]), "M=5x5:8");
    EXPECT_EQ(back->fill, 0xab);
    EXPECT_FALSE(back->ask_ptxas);
    EXPECT_EQ(back->sample, 0.125);
}

TEST(SessionOptions, DefaultsHoldForWhatIsAbsent) {
    auto options = decode("{}");
    ASSERT_TRUE(options);
    EXPECT_EQ(encode(*options), encode(SessionOptions{}));
}

TEST(SessionOptions, WhatIsWrongIsNamed) {
    for (const char* text :
         {R"({"jobs": -1})", R"({"jobs": 5000000000})", R"({"sample": 0})", R"({"sample": 1.5})",
          R"({"launches": [1]})", R"({"kernel_globs": [1]})", R"({"verbosity": 2})", R"({"device": 3})",
          R"({"checks": ["rases"]})", R"({"shapes": ["M"]})", R"({"color": "yes"})"}) {
        auto options = decode(text);
        ASSERT_FALSE(options) << text;
        const std::string key = std::string(text).substr(2, std::string(text).find('"', 2) - 2);
        EXPECT_NE(options.errors()[0].message.find(key), std::string::npos) << text;
    }
    for (const char* text : {"", "[]", "{", "\xff"}) EXPECT_FALSE(decode(text)) << text;
}

}  // namespace
}  // namespace tilescope
