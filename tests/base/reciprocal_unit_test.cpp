// The reciprocals of the special function unit: all significands as an H100 gave them, and what is special.
#include "scope/base/reciprocal_unit.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tilescope {
namespace {

constexpr std::uint32_t kFractions = 1u << 23;

std::uint32_t nearest(std::uint32_t fraction) {
    const std::uint64_t divisor = kFractions + fraction, quotient = (std::uint64_t{1} << 47) / divisor;
    const std::uint64_t rest = (std::uint64_t{1} << 47) - quotient * divisor;
    return static_cast<std::uint32_t>(quotient + (2 * rest >= divisor ? 1 : 0));
}

// The card's own, of all fractions in their order: how many lie below and above the nearest, and FNV-1a of all.
TEST(ReciprocalUnit, EverySignificandIsTheCards) {
    constexpr std::uint32_t kBelow = 374'723, kAbove = 733'799;
    constexpr std::uint64_t kHash = 0xf7beecd913274964u;
    std::uint32_t below = 0, above = 0;
    std::uint64_t hash = 14695981039346656037u;
    for (std::uint32_t fraction = 0; fraction < kFractions; ++fraction) {
        const std::uint32_t ours = reciprocal_significand(fraction), best = nearest(fraction);
        below += ours < best ? 1 : 0;
        above += ours > best ? 1 : 0;
        hash = (hash ^ ours) * 1099511628211u;
    }
    EXPECT_EQ(below, kBelow);
    EXPECT_EQ(above, kAbove);
    EXPECT_EQ(hash, kHash);
}

TEST(ReciprocalUnit, PowersOfTwoAreExactAndSignsStay) {
    for (int power = -149; power <= 127; ++power) {
        const float a = std::ldexp(1.0f, power);
        EXPECT_EQ(approximate_reciprocal(a), 1 / a) << power;
        EXPECT_EQ(approximate_reciprocal(-a), -1 / a) << power;
    }
}

TEST(ReciprocalUnit, WhatIsSpecialIs) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(approximate_reciprocal(0.0f), kInfinity);
    EXPECT_EQ(approximate_reciprocal(-0.0f), -kInfinity);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(approximate_reciprocal(-kInfinity)), 0x80000000u);
    EXPECT_TRUE(std::isnan(approximate_reciprocal(std::numeric_limits<float>::quiet_NaN())));
    EXPECT_EQ(approximate_reciprocal(std::numeric_limits<float>::denorm_min()), kInfinity);
    EXPECT_EQ(approximate_reciprocal(0x1.8p127f), 0x1.555556p-128f) << "a subnormal result is rounded once";
}

}  // namespace
}  // namespace tilescope
