#include "scope/report/format.h"
#include "scope/report/quantities.h"

#include <gtest/gtest.h>

namespace tilescope::report {
namespace {

TEST(Format, Numbers) {
    EXPECT_EQ(thousands(0), "0");
    EXPECT_EQ(thousands(999), "999");
    EXPECT_EQ(thousands(1000), "1,000");
    EXPECT_EQ(thousands(16777216), "16,777,216");
    EXPECT_EQ(thousands(~std::uint64_t{0}), "18,446,744,073,709,551,615");
    EXPECT_EQ(plain_number(4), "4");
    EXPECT_EQ(plain_number(2.5), "2.5");
    EXPECT_EQ(plain_number(1.0 / 3), "0.333333");
    EXPECT_EQ(percent(1), "100 %");
    EXPECT_EQ(percent(0.9999), "99.9 %");
    EXPECT_EQ(percent(0.07), "7 %");
    EXPECT_EQ(percent(0.003), "0.3 %");
    EXPECT_EQ(percent(0), "0 %");
    EXPECT_EQ(with_prefix(4.8e9), "4.8 G");
    EXPECT_EQ(with_prefix(950e6), "950 M");
    EXPECT_EQ(duration(0.035), "35 ms");
    EXPECT_EQ(duration(0.0004), "under 1 ms");
    EXPECT_EQ(duration(0.9), "0.9 s");
    EXPECT_EQ(duration(125.2), "2 min 5 s");
    EXPECT_EQ(dimensions({32, 32, 1}), "32×32");
    EXPECT_EQ(dimensions({4096, 1, 1}), "4096");
    EXPECT_EQ(dimensions({1, 1, 5}), "1×1×5");
}

TEST(Format, Texts) {
    EXPECT_EQ(columns("32×32"), 5U);
    EXPECT_EQ(cut("abcdef", 6), "abcdef");
    EXPECT_EQ(cut("abcdef", 4), "abc…");
    EXPECT_EQ(cut("××××", 3), "××…");
    EXPECT_EQ(cut("abc", 0), "");
    EXPECT_EQ(wrap("a bb ccc", 4), (std::vector<std::string>{"a bb", "ccc"}));
    EXPECT_EQ(wrap("abcdef g", 4), (std::vector<std::string>{"abcdef", "g"}));
    EXPECT_TRUE(wrap("", 4).empty());
    EXPECT_EQ(printable("a\tb\x1b[31mc\n"), "a b\\x1b[31mc ");
    EXPECT_EQ(file_name("/a/b/c.cu"), "c.cu");
    EXPECT_EQ(file_name("c.cu"), "c.cu");
}

TEST(Quantities, NumbersShowWhatTheyRound) {
    EXPECT_EQ(rate_with_exact(388.75e9, "FLOP/s"), "389 GFLOP/s (388.75)");
    EXPECT_EQ(rate_with_exact(389e9, "FLOP/s"), "389 GFLOP/s");
    EXPECT_EQ(rate(999.7e9, "FLOP/s"), "1 TFLOP/s");
    EXPECT_EQ(rate(12, "FLOP/s"), "12 FLOP/s");
    EXPECT_EQ(rate_of_roof(1.555e12, "B/s"), "1.555 TB/s");
    EXPECT_EQ(with_exact(12.54019, "FLOP/B"), "12.5 FLOP/B (12.5402)");
    EXPECT_EQ(with_exact(2, "FLOP/B"), "2.0 FLOP/B");
    EXPECT_EQ(with_exact(0.25, "FLOP/B"), "0.25 FLOP/B");
    EXPECT_EQ(with_exact(36. / 28, "FLOP/B"), "1.29 FLOP/B (1.28571)");
    EXPECT_EQ(share_with_exact(0.00249199), "0.25 % (0.2492 %)");
    EXPECT_EQ(share_with_exact(0.5), "50 %");
    EXPECT_EQ(share(1), "100 %");
    EXPECT_EQ(rounded(0.000123456), "0.000123");
    EXPECT_EQ(rounded(123456), "123000");
}

}  // namespace
}  // namespace tilescope::report
