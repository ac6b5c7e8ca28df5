#include "tests/golden/values.h"

#include <gtest/gtest.h>

namespace tilescope::golden {
namespace {

std::string again(const char* type, const char* text, std::size_t count) {
    const auto known = value_type(type);
    const auto bytes = known ? read_values(*known, text, count) : std::nullopt;
    return bytes ? print_values(*known, *bytes) : "does not read";
}

TEST(GoldenValues, ReadAndPrintEachType) {
    EXPECT_EQ("1 2*2 255", again("u8", "1 2 2 255", 4));
    EXPECT_EQ("-1 5*3", again("s32", "-1 5*3", 4));
    EXPECT_EQ("0x00ff 0x1234", again("b16", "255 0x1234", 2));
    EXPECT_EQ("1.5 -0 inf 0f7fffffff", again("f32", "0f3fc00000 -0 inf 0f7fffffff", 4));
    EXPECT_EQ("0.1 1", again("f64", "0.1 1", 2));
    EXPECT_EQ("0 1 2", again("u64", "iota", 3));
}

TEST(GoldenValues, RefuseWhatIsNotAList) {
    EXPECT_EQ("does not read", again("u32", "1 2 3", 4));
    EXPECT_EQ("does not read", again("u32", "1 x", 2));
    EXPECT_EQ("does not read", again("u32", "1*9", 2));
    EXPECT_FALSE(value_type("f16"));
    EXPECT_FALSE(value_type("u33"));
}

TEST(GoldenValues, ToleranceIsInUnitsOrAbsolute) {
    const ValueType single = *value_type("f32");
    auto close = [&](const char* pair, Tolerance within) {
        const auto bytes = read_values(single, pair, 2).value();
        return is_close(single, &bytes[0], &bytes[4], within);
    };
    EXPECT_TRUE(close("0f3f800000 0f3f800002", {2, 0}));
    EXPECT_FALSE(close("0f3f800000 0f3f800003", {2, 0}));
    EXPECT_TRUE(close("0f80000001 0f00000001", {2, 0}));
    EXPECT_TRUE(close("1e-8 -1e-8", {1, 1e-7}));
    EXPECT_FALSE(close("nan 1", {4, 1}));
    EXPECT_TRUE(close("0f7fffffff 0f7fc00000", {1, 0}));
    EXPECT_FALSE(close("0f7fffffff 0f7fc00000", {}));
    EXPECT_FALSE(close("0 -0", {}));
}

}  // namespace
}  // namespace tilescope::golden
