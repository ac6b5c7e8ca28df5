#include "scope/cli/values.h"

#include <gtest/gtest.h>

#include <limits>

namespace tilescope::cli {
namespace {

TEST(Values, Dimensions) {
    EXPECT_EQ(*parse_dimensions("32", "--grid"), (Dim3{32, 1, 1}));
    EXPECT_EQ(*parse_dimensions("32,8", "--grid"), (Dim3{32, 8, 1}));
    EXPECT_EQ(*parse_dimensions("4294967295,8,2", "--grid"), (Dim3{4294967295, 8, 2}));
    for (const char* text : {"", ",", "0", "1,0", "1,2,3,4", "1,", "x", "-1", "4294967296", "1.5", " 1"}) {
        auto result = parse_dimensions(text, "--block");
        ASSERT_FALSE(result) << text;
        EXPECT_NE(result.errors()[0].message.find("--block"), std::string::npos);
    }
}

TEST(Values, Launches) {
    using Range = std::pair<std::uint64_t, std::uint64_t>;
    EXPECT_EQ(*parse_launches("2..5"), (Range{2, 5}));
    EXPECT_EQ(*parse_launches("3"), (Range{3, 3}));
    EXPECT_EQ(*parse_launches("7.."), (Range{7, std::numeric_limits<std::uint64_t>::max()}));
    for (const char* text : {"", "..", "..5", "5..2", "a..b", "1...3", "-1..2"})
        EXPECT_FALSE(parse_launches(text)) << text;
}

TEST(Values, Amounts) {
    EXPECT_EQ(*parse_amount("7", "--x", 1024), 7U);
    EXPECT_EQ(*parse_amount("2k", "--x", 1024), 2048U);
    EXPECT_EQ(*parse_amount("2K", "--x", 1000), 2000U);
    EXPECT_EQ(*parse_amount("3G", "--x", 1000), 3'000'000'000U);
    EXPECT_EQ(*parse_amount("1T", "--x", 1024), std::uint64_t{1} << 40);
    for (const char* text : {"", "0", "k", "-1", "1.5", "1kk", "99999999999999999999", "99999999T", "1 k", "1E"})
        EXPECT_FALSE(parse_amount(text, "--x", 1024)) << text;
}

TEST(Values, SizesTakeTheUnitsThatPeopleWrite) {
    for (const char* text : {"49152", "49152B", "48k", "48K", "48KB", "48kb", "48KiB"})
        EXPECT_EQ(bytes_of(text), 49152U) << text;
    EXPECT_EQ(bytes_of("2GiB"), std::uint64_t{2} << 30);
    EXPECT_EQ(bytes_of("0"), 0U);
    EXPECT_EQ(*parse_amount("48KB", "--x", 1024), 49152U);
    for (const char* text : {"", "B", "KB", "48KX", "48BK", "48KBB", "48 KB", "-1", "1.5k", "99999999999T"})
        EXPECT_EQ(bytes_of(text), std::nullopt) << text;
}

TEST(Values, Quantities) {
    EXPECT_DOUBLE_EQ(*parse_quantity("200G", "--peak"), 200e9);
    EXPECT_DOUBLE_EQ(*parse_quantity("19.5T", "--peak"), 19.5e12);
    EXPECT_DOUBLE_EQ(*parse_quantity("1.555e12", "--peak"), 1.555e12);
    EXPECT_DOUBLE_EQ(*parse_quantity("0.25", "--peak"), 0.25);
    EXPECT_DOUBLE_EQ(*parse_quantity("2K", "--peak"), 2000);
    for (const char* text : {"", "0", "-1", "G", "nan", "inf", "1e400", "1e31", "1e-31", "1e20P", "1x", "1 G", "0x10"})
        EXPECT_FALSE(parse_quantity(text, "--peak")) << text;
}

}  // namespace
}  // namespace tilescope::cli
