// Every function of the special function unit, and __powf, against digests of what an H200 gave.
//
// Each digest covers 64 inputs from each of 256 ranges, 2^24 inputs wide, or 64 drawn pairs from each of 256 blocks. A
// disabled test covers all 2^32 inputs and pairs; it takes about 15 minutes of one core:
//   isa_float_test --gtest_also_run_disabled_tests --gtest_filter='*AllInputs:*AllPairs'
// Device: NVIDIA H200, driver 580.159.04, CUDA 13.0, 28 November 2026.
#include "scope/isa/families/approximations.h"

#include <gtest/gtest.h>

#include "scope/isa/families/half_lanes.h"
#include "tests/isa/function_digests.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using test::digest;
using test::digest_of_pairs;
using test::entry;
using test::entry_of_pair;

template <float (*kFunction)(float)>
std::uint32_t of_float(std::uint32_t input) {
    return bits_of(kFunction(float_of(input)));
}
template <double (*kFunction)(double)>
std::uint32_t of_upper(std::uint32_t input) {
    const std::uint64_t bits = bits_of(kFunction(double_of(std::uint64_t{input} << 32 | 0x12345678u)));
    return static_cast<std::uint32_t>(bits >> 32) ^ static_cast<std::uint32_t>(bits);
}

TEST(ApproximateFunctions, MatchAnH200InSampledInputs) {
    EXPECT_EQ(digest(&of_float<&sine_lane>), 0x3cad2776ba8afeecu);
    EXPECT_EQ(digest(&of_float<&cosine_lane>), 0x6dd668c8cf25d3afu);
    EXPECT_EQ(digest(&of_float<&exp2_lane>), 0x31ad0e87fd01381cu);
    EXPECT_EQ(digest(&of_float<&unit_exp2>), 0x65c86e2140ed00cbu);
    EXPECT_EQ(digest(&of_float<&log2_lane>), 0x6a579e6ce9a54647u);
    EXPECT_EQ(digest(&of_float<&unit_log2>), 0x4457adf1a133a06fu);
    EXPECT_EQ(digest(&of_float<&rsqrt_lane>), 0xff9be2c8919f3ecau);
    EXPECT_EQ(digest(&of_float<&unit_rsqrt>), 0x15f41be5e029880du);
    EXPECT_EQ(digest(&of_float<&sqrt_lane>), 0x482bc802cf87d39du);
    EXPECT_EQ(digest(&of_float<&unit_sqrt>), 0x0119ee6a57c7e393u);
    EXPECT_EQ(digest(&of_float<&unit_tanh>), 0x485bb8a86e6203a4u);
    EXPECT_EQ(digest(&of_upper<&upper_rcp>), 0x0974223e83ca771eu);
    EXPECT_EQ(digest(&of_upper<&upper_rsqrt>), 0x6a1e87aff28d2eb0u);
}

template <class Function>
std::uint64_t sum_of_all(Function function) {
    std::uint64_t sum = 0;
    std::uint32_t input = 0;
    do sum += entry(input, function(input));
    while (++input != 0);
    return sum;
}

TEST(ApproximateFunctions, DISABLED_MatchAnH200InAllInputs) {
    EXPECT_EQ(sum_of_all(&of_float<&sine_lane>), 0x4798e9bee619300au) << "sin.approx.f32";
    EXPECT_EQ(sum_of_all(&of_float<&cosine_lane>), 0xb50c6ef420b1243cu) << "cos.approx.f32";
    EXPECT_EQ(sum_of_all(&of_float<&exp2_lane>), 0x4c45b03f3d023748u) << "ex2.approx.f32";
    EXPECT_EQ(sum_of_all(&of_float<&unit_exp2>), 0x2a57ff826f110821u) << "ex2.approx.ftz.f32";
    EXPECT_EQ(sum_of_all(&of_float<&log2_lane>), 0xcc83f9c468dc9cb8u) << "lg2.approx.f32";
    EXPECT_EQ(sum_of_all(&of_float<&unit_log2>), 0xcd13251b9cb415dbu) << "lg2.approx.ftz.f32";
    EXPECT_EQ(sum_of_all(&of_float<&rsqrt_lane>), 0xef6cd62c2b31d74du) << "rsqrt.approx.f32";
    EXPECT_EQ(sum_of_all(&of_float<&unit_rsqrt>), 0xd74c5d2cdf04a5cdu) << "rsqrt.approx.ftz.f32";
    EXPECT_EQ(sum_of_all(&of_float<&sqrt_lane>), 0x4a041c4267bb1550u) << "sqrt.approx.f32";
    EXPECT_EQ(sum_of_all(&of_float<&unit_sqrt>), 0x0fcf47ec1c0722e8u) << "sqrt.approx.ftz.f32";
    EXPECT_EQ(sum_of_all(&of_float<&unit_tanh>), 0xc7ee44d3b0c46eceu) << "tanh.approx.f32";
    EXPECT_EQ(sum_of_all(&of_upper<&upper_rcp>), 0x651733fd9d67a3e1u) << "rcp.approx.ftz.f64";
    EXPECT_EQ(sum_of_all(&of_upper<&upper_rsqrt>), 0xcb89eab6d9d876cbu) << "rsqrt.approx.ftz.f64";
}

std::uint32_t power(std::uint32_t x, std::uint32_t y) {
    return bits_of(exp2_lane(float_of(y) * log2_lane(float_of(x))));
}

TEST(ApproximateFunctions, PowerMatchesAnH200InDrawnPairs) {
    EXPECT_EQ(digest_of_pairs(0, &power), 0x118d7ed23d08ed25u);
    EXPECT_EQ(digest_of_pairs(1, &power), 0x16e3b2c163f76120u);
}

std::uint64_t sum_of_pairs(unsigned kind) {
    std::uint64_t sum = 0;
    std::uint32_t index = 0;
    do sum += entry_of_pair(kind, index, &power);
    while (++index != 0);
    return sum;
}

TEST(ApproximateFunctions, DISABLED_PowerMatchesAnH200InAllPairs) {
    const std::uint64_t expected[] = {0x8945ef3fd797c05fu, 0xa01ed81664fd5e14u};
    for (unsigned kind = 0; kind < 2; ++kind) EXPECT_EQ(sum_of_pairs(kind), expected[kind]);
}

TEST(ApproximateFunctions, RsqrtOfDoublesMatchesAnH200InDrawnInputs) {
    const auto root = [](std::uint32_t high, std::uint32_t low) {
        const std::uint64_t bits = bits_of(rsqrt_double(double_of(std::uint64_t{high} << 32 | low)));
        return static_cast<std::uint32_t>(bits >> 32) ^ static_cast<std::uint32_t>(bits) * 0x9e3779b1u;
    };
    EXPECT_EQ(digest_of_pairs(0, root), 0x6e79a126dbc44021u);
    EXPECT_EQ(digest_of_pairs(1, root), 0xbd8b1c7b69385448u);
}

template <class Format, float (*kFunction)(float)>
std::uint64_t digest_of_halves() {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < 65536; ++i)
        sum += entry(i, Format::narrow(Format::cut(kFunction(Format::widen(static_cast<std::uint16_t>(i))))));
    return sum;
}

TEST(ApproximateFunctions, MatchAnH200InAllHalves) {
    EXPECT_EQ((digest_of_halves<F16, &unit_exp2>()), 0x244fc835afdc5fbau);
    EXPECT_EQ((digest_of_halves<F16, &unit_tanh>()), 0xab8e77a982fb5089u);
    EXPECT_EQ((digest_of_halves<Bf16, &unit_exp2>()), 0x44175f299ecf9e24u);
    EXPECT_EQ((digest_of_halves<Bf16, &unit_tanh>()), 0xcf64f9fbc4eb2a6fu);
}

}  // namespace
}  // namespace tilescope::isa::TILESCOPE_TARGET
