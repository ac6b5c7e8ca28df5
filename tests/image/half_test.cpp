// Host conversions of our cuda_fp16.h against the arithmetic they stand for: a half is a float with 10 bits of
// fraction.
#include <cmath>
#include <cstdint>
#include <limits>

#include "scope/image/include/cuda_fp16.h"
#include "tests/image/support.h"

namespace tilescope::image {
namespace {

// What the bits mean, by definition.
double value_of(unsigned bits) {
    const int exponent = (bits >> 10) & 31;
    const double fraction = bits & 1023;
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

TEST(Half, EveryHalfBecomesItsFloatAndComesBack) {
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const half x = __ushort_as_half(static_cast<unsigned short>(bits));
        const double expected = value_of(bits);
        if (std::isnan(expected)) {
            ASSERT_TRUE(std::isnan(__half2float(x))) << bits;
            ASSERT_TRUE(__hisnan(__float2half(__half2float(x)))) << bits;
            continue;
        }
        ASSERT_EQ(__half2float(x), expected) << bits;
        ASSERT_EQ(__half_as_ushort(__float2half(__half2float(x))), bits);
    }
}

TEST(Half, BetweenTwoHalvesTheNearerAndOfEqualsTheEven) {
    for (unsigned bits = 0; bits < 0x7bff; ++bits) {
        const float low = static_cast<float>(value_of(bits)), high = static_cast<float>(value_of(bits + 1));
        const float middle = (low + high) / 2;  // exact
        const unsigned even = bits % 2 == 0 ? bits : bits + 1;
        ASSERT_EQ(__half_as_ushort(__float2half(middle)), even) << bits;
        ASSERT_EQ(__half_as_ushort(__float2half(std::nextafter(middle, low))), bits);
        ASSERT_EQ(__half_as_ushort(__float2half(std::nextafter(middle, high))), bits + 1);
        ASSERT_EQ(__half_as_ushort(__float2half(-middle)), even | 0x8000);
    }
}

TEST(Half, DoublesAreRoundedOnce) {
    const double middle = 1.0 + 1.0 / 2048;  // between 1 and the next half; as a float, so is what lies just above it
    EXPECT_EQ(__half_as_ushort(__double2half(middle)), 0x3c00);
    EXPECT_EQ(__half_as_ushort(__double2half(std::nextafter(middle, 2.0))), 0x3c01);
    EXPECT_EQ(__half_as_ushort(__double2half(-std::nextafter(middle, 2.0))), 0xbc01);
    EXPECT_EQ(__half_as_ushort(__double2half(3 * middle - 2)), 0x3c02);
    EXPECT_EQ(__half_as_ushort(__double2half(std::nextafter(3 * middle - 2, 1.0))), 0x3c01);
    EXPECT_EQ(__half_as_ushort(__double2half(1e300)), 0x7c00);
    EXPECT_EQ(__half_as_ushort(__double2half(-1e-300)), 0x8000);
    EXPECT_TRUE(__hisnan(__double2half(std::nan(""))));
}

TEST(Half, TooLargeIsInfinity) {
    EXPECT_EQ(__half_as_ushort(__float2half(65519.996f)), 0x7bff);
    EXPECT_EQ(__half_as_ushort(__float2half(65520.0f)), 0x7c00);
    EXPECT_EQ(__half_as_ushort(__float2half(-1e30f)), 0xfc00);
    EXPECT_EQ(__half_as_ushort(__float2half(std::numeric_limits<float>::infinity())), 0x7c00);
}

TEST(Half, ArithmeticRoundsOnce) {
    const half x = __float2half(1.0f), y = __float2half(0.000489f);  // just over half an ulp of 1
    EXPECT_EQ(__half2float(x + y), 1.0f + 1.0f / 1024);
    EXPECT_EQ(__half2float(x - x), 0.0f);
    EXPECT_TRUE(y < x && x > y && x == x && x != y);
}

}  // namespace
}  // namespace tilescope::image
