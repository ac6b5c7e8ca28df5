// The language beyond what budgets use: texts, references, calls and elements.
#include "scope/report/expression.h"

#include <gtest/gtest.h>

#include <map>

namespace tilescope::report {
namespace {

// Every reference stands for what the table says, by the way it is written.
Result<Value> value_of(const std::string& text, const std::map<std::string, Value>& table = {}, bool missing = false) {
    const auto parsed = parse_expression(text, {});
    if (!parsed) return parsed.errors();
    return evaluate(
        *parsed,
        [&](const Reference& reference) -> Result<Value> {
            const auto found = table.find(text_of(reference));
            if (found == table.end()) return error("none", {}, "no " + text_of(reference));
            return found->second;
        },
        missing);
}

TEST(Expression, ReferencesAreGivenAsWritten) {
    const std::map<std::string, Value> table = {
        {"a", 1.},   {"a.b_2", 2.},      {"a.list[0].x", 3.},   {"a['na me'].y", 4.},
        {"f()", 5.}, {"f('x', -2)", 6.}, {"r.f('x').g[-1]", 7.}};
    EXPECT_EQ(*value_of("a + a.b_2 * a.list[0].x", table), Value(7.));
    EXPECT_EQ(*value_of("a['na me'].y", table), Value(4.));
    EXPECT_EQ(*value_of("f( ) + f( 'x' ,-2 ) - r.f('x').g[ -1 ]", table), Value(4.));
}

TEST(Expression, TextsAndTruthsAreComparedWithTheirLike) {
    EXPECT_EQ(*value_of("'dram' == 'dram'"), Value(true));
    EXPECT_EQ(*value_of("'dram' != 'dram'"), Value(false));
    EXPECT_EQ(*value_of("t == u", {{"t", true}, {"u", true}}), Value(true));
    EXPECT_EQ(*value_of("!t || 1 < 2 && t", {{"t", true}}), Value(true));
    for (const char* wrong : {"'a' < 'b'", "'a' == 1", "t + 1", "-t", "!n", "n && t", "t == 1"})
        EXPECT_FALSE(value_of(wrong, {{"t", true}, {"n", 1.}})) << wrong;
}

TEST(Expression, WhatHasNoValueIsAnErrorOrUnknown) {
    EXPECT_FALSE(value_of("1 / 0 < 1"));
    for (const char* unknown :
         {"1 / 0 < 1", "!(1 / 0 < 1)", "1 / 0 < 1 && 1 < 2", "1 / 0 < 1 || 1 > 2", "!!(1 / 0 == 1)"})
        EXPECT_EQ(*value_of(unknown, {}, true), Value()) << unknown;
    EXPECT_EQ(*value_of("1 / 0 < 1 || 1 < 2", {}, true), Value(true));
    EXPECT_EQ(*value_of("1 > 2 && !(1 / 0 < 1)", {}, true), Value(false));
    EXPECT_EQ(*value_of("-(1 / 0) + 2"), Value());
}

TEST(Expression, MistakesAreToldWithTheirColumn) {
    struct Case {
        const char* text;
        unsigned column;
        const char* says;
    };
    const Case cases[] = {{"a.", 3, "a name is missing"},
                          {"a.1", 3, "a name is missing"},
                          {"f('x", 3, "second ' is missing"},
                          {"f(x)", 3, "a number or a 'text'"},
                          {"f('x'", 6, "')' is missing"},
                          {"a[0", 4, "']' is missing"},
                          {"a[0.5]", 3, "is whole"},
                          {"a[1e30]", 3, "is whole"},
                          {"a[]", 3, "a number or a 'text'"},
                          {"a b", 3, "unexpected 'b'"},
                          {"a = 1", 3, "'=' is not a comparison"}};
    for (const Case& c : cases) {
        ExpressionRules rules;
        rules.place.column = 1;
        const auto parsed = parse_expression(c.text, rules);
        ASSERT_FALSE(parsed) << c.text;
        const Diagnostic& first = parsed.errors().front();
        EXPECT_NE(first.message.find(c.says), std::string::npos) << c.text << ": " << first.message;
        EXPECT_EQ(first.location.column, c.column) << c.text;
    }
    EXPECT_FALSE(parse_expression(std::string(100'000, '['), {}));
    EXPECT_FALSE(parse_expression("a" + std::string(100'000, '['), {}));
}

// Budgets take counters and ratios alone, whatever lessons may write.
TEST(Expression, BudgetsStayWithMetrics) {
    ExpressionRules rules;
    rules.metrics_only = rules.condition = true;
    EXPECT_TRUE(parse_expression("instructions < 1", rules));
    for (const char* text :
         {"time.microseconds < 1", "status == 0", "'a' == 'a'", "line('x').instructions > 0", "instructions"})
        EXPECT_FALSE(parse_expression(text, rules)) << text;
}

}  // namespace
}  // namespace tilescope::report
