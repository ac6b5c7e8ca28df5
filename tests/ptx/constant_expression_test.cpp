// The expected values of integer expressions were computed by ptxas 13.0 from ".global .u64 a[] = {expression};".
#include <bit>

#include "tests/ptx/helpers.h"

namespace tilescope::ptx {
namespace {

Initializer initializer_of(const std::string& expression) {
    Module module = module_of(".global .u64 a[] = {" + expression + "};");
    if (module.variables.empty()) return {};
    return std::get<std::vector<Initializer>>(module.variables[0].initializer->value).at(0);
}

std::int64_t value_of(const std::string& expression) {
    return std::get<IntegerLiteral>(initializer_of(expression).value).value;
}

double double_of(const std::string& expression) {
    return std::bit_cast<double>(std::get<FloatLiteral>(initializer_of(expression).value).bits);
}

std::string error_of(const std::string& expression) {
    Diagnostics errors = errors_of(kHeader + ".global .u64 a[] = {" + expression + "};");
    return errors.empty() ? "" : errors[0].code + ": " + errors[0].message;
}

struct Case {
    const char* expression;
    std::int64_t value;
};

TEST(ConstantExpression, HasTheValuesOfPtxas) {
    const Case cases[] = {
        {"-7 / 2", -3},
        {"-7 % 2", 1},
        {"-7 / 2U", 9223372036854775804},
        {"-7 % 2U", 1},
        {"(.s64)1U / -1", -1},
        {"!0 / -1", -1},
        {"(5 > 4 ? -8 : 2U) / 2", -4},
        {"1U + 1", 2},
        {"1 << 2U", 4},
        {"-1 << 2U", -4},
        {"~0 / 2", 9223372036854775807},
        {"-1 < 1U", 0},
        {"-1 & 1U", 1},
        {"(~0) % 7", 1},
        {"-1 >> 1", -1},
        {"-1U >> 1", 9223372036854775807},
        {"(.u64)-1 >> 60", 15},
        {"!0", 1},
        {"1 << 70", 64},
        {"1 << -1", std::numeric_limits<std::int64_t>::min()},
        {"0xffffffffffffffff / 2", 9223372036854775807},
        {"(3 & -1) / -1", -3},
        {"(-8 & -1) / 2", -4},
        {"(-8|0)/2", -4},
        {"(-8^0)/2", -4},
        {"07", 7},
        {"0b101", 5},
        {"0x10U", 16},
        {"1 ? 2 : 0 ? 3 : 4", 2},
        {"(7 & 3 == 3) + 10", 11},
        {"1 | 2 ^ 3 & 4", 3},
        {"(2 || 0 && 0) + 10", 11},
        {"+5", 5},
        {"- -5", 5},
        {"!-5", 0},
        {"(1.5 > 1.0) + 1", 2},
        {"-9223372036854775808/2", 4611686018427387904},
        {"WARP_SZ*2", 64},
        {"-WARP_SZ/2", -16},
        {"10-3", 7},
        {"-0x8000000000000000 / -1", 0},
    };
    for (const Case& one : cases) EXPECT_EQ(value_of(one.expression), one.value) << one.expression;
}

TEST(ConstantExpression, FollowsThePrecedenceOfC) {
    EXPECT_EQ(value_of("2 + 3 * 4 - 10 / 5"), 12);
    EXPECT_EQ(value_of("1 + 2 << 3"), 24);
    EXPECT_EQ(value_of("100 - 10 - 1"), 89);
    EXPECT_EQ(value_of("0 ? 1 : 2 + 3"), 5);
    EXPECT_EQ(value_of("1 < 2 == 1"), 1);
    EXPECT_EQ(value_of("(2 + 3) * (4 - 1)"), 15);
}

TEST(ConstantExpression, KnowsWhatIsUnsigned) {
    auto is_unsigned = [](const char* text) {
        return std::get<IntegerLiteral>(initializer_of(text).value).is_unsigned;
    };
    EXPECT_FALSE(is_unsigned("5"));
    EXPECT_TRUE(is_unsigned("5U"));
    EXPECT_TRUE(is_unsigned("0x8000000000000000"));
    EXPECT_FALSE(is_unsigned("9223372036854775807"));
    EXPECT_FALSE(is_unsigned("(.s64)0xffffffffffffffff"));
}

TEST(ConstantExpression, ComputesDoubles) {
    EXPECT_EQ(double_of("-1.5e3 * 2.0"), -3000.0);
    EXPECT_EQ(double_of("0d3ff0000000000000 + 1.0"), 2.0);
    EXPECT_EQ(double_of("1E+5"), 100000.0);
    EXPECT_EQ(double_of("5.e3"), 5000.0);
    EXPECT_EQ(double_of(".5e1"), 5.0);
    EXPECT_EQ(double_of("-(1.5)"), -1.5);
    EXPECT_EQ(double_of("1.0 / 4.0 - 1.0"), -0.75);
}

TEST(ConstantExpression, KeepsHexadecimalFloatPatterns) {
    auto single = std::get<FloatLiteral>(initializer_of("0f3F800000").value);
    EXPECT_TRUE(single.is_single);
    EXPECT_EQ(single.bits, 0x3F800000u);
    auto nan = std::get<FloatLiteral>(initializer_of("0d7FF8000000000001").value);
    EXPECT_FALSE(nan.is_single);
    EXPECT_EQ(nan.bits, 0x7FF8000000000001u);
}

TEST(ConstantExpression, RefusesWhatHasNoValue) {
    EXPECT_EQ(error_of("1/0"), "ptx-constant: a constant expression divides by zero");
    EXPECT_EQ(error_of("1 % 0"), "ptx-constant: a constant expression divides by zero");
    EXPECT_EQ(error_of("1.5 / 0.0"), "ptx-constant: a constant expression divides by zero");
    EXPECT_EQ(error_of("99999999999999999999"), "ptx-integer-overflow: this integer does not fit 64 bits");
    EXPECT_EQ(error_of("0x10000000000000000"), "ptx-integer-overflow: this integer does not fit 64 bits");
    EXPECT_EQ(error_of("1e400"), "ptx-float-range: this number is out of the range of a double");
    EXPECT_EQ(error_of("1.0 + 2"), "ptx-constant: a constant expression mixes integers and floating point");
    EXPECT_EQ(error_of("!1.5"), "ptx-constant: this operator does not apply to this literal");
    EXPECT_EQ(error_of("-0f3f800000"), "ptx-constant: this operator does not apply to this literal");
    EXPECT_EQ(error_of("7.5 % 2.0"), "ptx-constant: this operator does not apply to floating-point constants");
    EXPECT_EQ(error_of("1.0 ? 2 : 3"), "ptx-constant: the condition before '?' must be an integer");
    EXPECT_EQ(error_of("(.u64)1.5"), "ptx-constant: a cast applies to integers only");
    EXPECT_EQ(error_of("(.f32)1"), "ptx-syntax: expected the cast (.s64) or (.u64), found '.f32'");
}

}  // namespace
}  // namespace tilescope::ptx
