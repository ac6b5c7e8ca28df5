// What printf makes of each flag, width, precision and size.
#include "scope/isa/library/print_conversion.h"

#include <gtest/gtest.h>

#include <limits>

namespace tilescope::isa {
namespace {

std::string integer(std::string_view format, std::uint64_t raw) {
    const auto conversion = read_conversion(format);
    return conversion ? conversion->integer(raw) : "none";
}

TEST(PrintConversion, SizesCutIntegers) {
    EXPECT_EQ(integer("%hhd", 0x141), "65");
    EXPECT_EQ(integer("%hhd", 0x1ff), "-1");
    EXPECT_EQ(integer("%hhu", 0x1ff), "255");
    EXPECT_EQ(integer("%hhx", 0x141), "41");
    EXPECT_EQ(integer("%hd", 0x18000), "-32768");
    EXPECT_EQ(integer("%hu", 0x18000), "32768");
    EXPECT_EQ(integer("%d", 0xffffffff), "-1");
    EXPECT_EQ(integer("%u", 0xffffffff), "4294967295");
    for (const char* format : {"%ld", "%lld"}) EXPECT_EQ(integer(format, ~std::uint64_t{0}), "-1") << format;
    for (const char* format : {"%lu", "%llu"})
        EXPECT_EQ(integer(format, ~std::uint64_t{0}), "18446744073709551615") << format;
    for (const char* format : {"%hhd", "%hd", "%d"}) EXPECT_EQ(read_conversion(format)->bytes <= 4, true) << format;
}

TEST(PrintConversion, FlagsWidthAndPrecision) {
    EXPECT_EQ(integer("%+05d", 42), "+0042");
    EXPECT_EQ(integer("%-6d|", 42), "42    ");
    EXPECT_EQ(integer("%#x", 255), "0xff");
    EXPECT_EQ(integer("%.5d", 42), "00042");
    EXPECT_EQ(read_conversion("%8.3f")->floating(3.14159), "   3.142");
    EXPECT_EQ(read_conversion("%.f")->floating(2.7), "3");
    EXPECT_EQ(read_conversion("%lf")->floating(1.5), "1.500000");
    EXPECT_EQ(read_conversion("%a")->floating(1.0), "0x1p+0");
    EXPECT_EQ(read_conversion("%.2s")->text("name"), "na");
    EXPECT_EQ(read_conversion("%c")->character(65), "A");
    EXPECT_EQ(read_conversion("%p")->pointer(0), "(nil)");
    EXPECT_EQ(read_conversion("%10s")->text(nullptr), "    (null)");
    EXPECT_EQ(read_conversion("%.2s")->text(nullptr), "");
}

TEST(PrintConversion, AnArgumentGivesTheWidth) {
    auto conversion = *read_conversion("%*.1f");
    ASSERT_TRUE(conversion.width_is_argument);
    conversion.set_width(-8);
    EXPECT_EQ(conversion.floating(2.25), "2.2     ");
}

TEST(PrintConversion, FieldsStayOfBoundedSize) {
    EXPECT_EQ(integer("%99999999999d", 1).size(), static_cast<std::size_t>(kWidestField));
    auto conversion = *read_conversion("%*d");
    conversion.set_width(std::numeric_limits<int>::min());
    EXPECT_EQ(conversion.integer(1).size(), static_cast<std::size_t>(kWidestField));
    EXPECT_LE(read_conversion("%.999999f")->floating(1e308).size(), 310u + kWidestField);
}

// As an H200 prints them: as they stand, and no argument is taken.
TEST(PrintConversion, WhatCudaDoesNotKnowIsNone) {
    for (const char* format : {"%",   "%y",   "%5",    "%ll",  "%.", "%n", "%5%", "%zu", "%jd",  "%td",  "%qd",
                               "%Lf", "%.*f", "%*.*d", "%.*s", "%C", "%D", "%m",  "%'d", "%2$d", "%I64d"})
        EXPECT_FALSE(read_conversion(format)) << format;
    EXPECT_EQ(read_conversion("%-08.3lldabc")->length, 9u);
}

}  // namespace
}  // namespace tilescope::isa
