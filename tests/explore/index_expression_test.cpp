// Index expressions: C's meaning of integers, and every mistake with its place.
#include "scope/explore/index_expression.h"

#include <gtest/gtest.h>

namespace tilescope::explore {
namespace {

const std::vector<IndexName> kNames = {
    {"tid", {5, false}}, {"threadIdx.x", {5, true}}, {"row", {2, false}}, {"col", {3, false}}};

std::int64_t value_of(const std::string& text) {
    const auto parsed = parse_indexes(text, kNames, 1);
    EXPECT_TRUE(parsed) << text << (parsed ? "" : render(parsed.errors()));
    const auto value = evaluate(parsed->front(), kNames, "lane 5");
    EXPECT_TRUE(value) << text << (value ? "" : render(value.errors()));
    return value ? value->value : -1;
}

std::string syntax_error(const std::string& text, std::size_t max = 1) {
    const auto parsed = parse_indexes(text, kNames, max);
    return parsed ? std::string() : render(parsed.errors());
}

std::string arithmetic_error(const std::string& text) {
    const auto parsed = parse_indexes(text, kNames, 1);
    EXPECT_TRUE(parsed) << text;
    const auto value = evaluate(parsed->front(), kNames, "lane 5");
    return value ? std::string() : render(value.errors());
}

TEST(IndexExpression, BindsAsC) {
    EXPECT_EQ(value_of("tid*17"), 85);
    EXPECT_EQ(value_of("1 + 2 * 3 - 4 / 2 % 3"), 5);
    EXPECT_EQ(value_of("1 << 2 + 1"), 8);
    EXPECT_EQ(value_of("6 & 3 ^ 1 | 8"), 11);
    EXPECT_EQ(value_of("10 - 3 - 2"), 5);
    EXPECT_EQ(value_of("(tid / 2) * 32 + tid % 2"), 65);
    EXPECT_EQ(value_of("~0 & 31"), 31);
    EXPECT_EQ(value_of("- - +tid"), 5);
    EXPECT_EQ(value_of("row ^ col >> 1 << 3"), 10);
}

TEST(IndexExpression, NumbersAreThoseOfC) {
    EXPECT_EQ(value_of("0x1F + 010 + 0b11 + 2u"), 44);
    EXPECT_EQ(value_of("2147483647"), 2147483647);
    EXPECT_EQ(value_of("-7 / 2"), -3);
    EXPECT_EQ(value_of("-7 % 2"), -1);
    EXPECT_EQ(value_of("-8 >> 1"), -4);
    EXPECT_EQ(value_of("0x80000000"), 2147483648);  // unsigned, as it does not fit into an int
    EXPECT_NE(syntax_error("2147483648").find("does not fit into 32 bits"), std::string::npos);
    EXPECT_NE(syntax_error("09").find("octal in C"), std::string::npos);
    EXPECT_NE(syntax_error("12abc").find("not a whole number"), std::string::npos);
    EXPECT_NE(syntax_error("1.5").find("not a whole number"), std::string::npos);
}

TEST(IndexExpression, AnUnsignedOneWrapsAround) {
    EXPECT_EQ(value_of("threadIdx.x - 6"), 0xffffffff);
    EXPECT_EQ(value_of("(threadIdx.x - 6) % 32"), 31);
    EXPECT_EQ(value_of("tid - 6"), -1);
    EXPECT_EQ(value_of("-1 / threadIdx.x"), 858993459);  // -1 becomes 4,294,967,295
    EXPECT_EQ(value_of("threadIdx.x * 4294967295u"), 4294967291);
}

TEST(IndexExpression, WhatCDoesNotDefineIsToldWithItsPlace) {
    EXPECT_EQ(arithmetic_error("tid * (1 << 30)"),
              "error: lane 5: this overflows: it does not fit into a 32-bit int\n"
              "    tid * (1 << 30)\n"
              "    ^~~~~~~~~~~~~~~ [pattern-arithmetic]\n"
              "  hint: what a kernel would do then C does not say\n");
    EXPECT_NE(arithmetic_error("7 + tid / (row - 2)").find("    7 + tid / (row - 2)\n        ^~~~~~~~~~~~~~~"),
              std::string::npos);
    EXPECT_NE(arithmetic_error("tid % 0").find("divides by zero"), std::string::npos);
    EXPECT_NE(arithmetic_error("1 << 32").find("shifts by"), std::string::npos);
    EXPECT_NE(arithmetic_error("1 >> -1").find("shifts by"), std::string::npos);
    EXPECT_NE(arithmetic_error("(-2147483647 - 1) / -1").find("overflows"), std::string::npos);
    EXPECT_NE(arithmetic_error("-(-2147483647 - 1)").find("overflows"), std::string::npos);
}

TEST(IndexExpression, MistakesAreShownUnderTheText) {
    EXPECT_EQ(
        syntax_error("2 * tdi"),
        "error: there is no \"tdi\" here\n    2 * tdi\n        ^~~ [pattern-syntax]\n  hint: did you mean tid?\n");
    EXPECT_NE(syntax_error("tid +").find("    tid +\n         ^"), std::string::npos);
    EXPECT_NE(syntax_error("(tid").find("the ')' for this '(' is missing"), std::string::npos);
    EXPECT_NE(syntax_error("tid)").find("there is no '('"), std::string::npos);
    EXPECT_NE(syntax_error("tid < 3").find("'<' cannot stand here"), std::string::npos);
    EXPECT_NE(syntax_error("tid && 3").find("'&&' cannot stand here"), std::string::npos);
    EXPECT_NE(syntax_error("tid--1").find("'--' cannot stand here"), std::string::npos);
    EXPECT_NE(syntax_error("a[tid]").find("there is no \"a\" here"), std::string::npos);
    EXPECT_NE(syntax_error("").find("ends too early"), std::string::npos);
    EXPECT_NE(syntax_error("tid, 0").find("a comma stands between"), std::string::npos);
    EXPECT_EQ(syntax_error("tid, 0", 2), "");
    EXPECT_NE(syntax_error("tid, 0, 1", 2).find("a comma stands between"), std::string::npos);
    EXPECT_NE(syntax_error("tid \xff 1").find("this character cannot stand here"), std::string::npos);
}

TEST(IndexExpression, LengthAndDepthAreBounded) {
    EXPECT_NE(syntax_error(std::string(kMaxIndexText + 1, '1')).find("1001 characters"), std::string::npos);
    EXPECT_EQ(syntax_error(std::string(kMaxIndexDepth - 1, '(') + "1" + std::string(kMaxIndexDepth - 1, ')')), "");
    EXPECT_NE(
        syntax_error(std::string(kMaxIndexDepth, '(') + "1" + std::string(kMaxIndexDepth, ')')).find("too deeply"),
        std::string::npos);
    EXPECT_NE(syntax_error(std::string(kMaxIndexDepth, '-')).find("ends too early"), std::string::npos);
}

TEST(IndexExpression, AMarkInALongTextIsSeen) {
    const std::string shown = pointed(std::string(150, 'a') + "b" + std::string(150, 'c'), 150, 151);
    const std::size_t b = shown.find('b'), mark = shown.find('^');
    EXPECT_EQ(mark - shown.find('\n') - 1, b) << shown;
    EXPECT_LT(shown.find('\n'), 100u);
}

}  // namespace
}  // namespace tilescope::explore
