#include "scope/base/plain_arithmetic.h"

#include <gtest/gtest.h>

#include <cfenv>

namespace tilescope {
namespace {

// Where the compiler cannot see what it computes with.
float sum(float a, float b) {
    const volatile float first = a, second = b;
    return first + second;
}
float product(float a, float b) {
    const volatile float first = a, second = b;
    return first * second;
}

TEST(PlainArithmetic, IsUndisturbedAndDisturbsNothing) {
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    std::feclearexcept(FE_ALL_EXCEPT);
#if defined(__SSE2__)
    const unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | 0x8040u);  // denormal numbers are zeros, as operands and as results
    EXPECT_EQ(product(0x1p-126f, 0.5f), 0.0f);
#endif
    EXPECT_GT(sum(1.0f, 0x1p-30f), 1.0f);
    std::feclearexcept(FE_ALL_EXCEPT);
    {
        const PlainArithmetic plain;
        EXPECT_EQ(std::fegetround(), FE_TONEAREST);
        EXPECT_EQ(sum(1.0f, 0x1p-30f), 1.0f);
        EXPECT_EQ(product(0x1p-126f, 0.5f), 0x1p-127f);
        EXPECT_GT(product(0x1p127f, 2.0f), 0x1.fffffep127f);
    }
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
    EXPECT_GT(sum(1.0f, 0x1p-30f), 1.0f);
#if defined(__SSE2__)
    EXPECT_EQ(product(0x1p-126f, 0.5f), 0.0f);
    __builtin_ia32_ldmxcsr(before);
#endif
    std::fesetround(FE_TONEAREST);
}

}  // namespace
}  // namespace tilescope
