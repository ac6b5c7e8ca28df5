// Single-precision functions of the device library against digests of what nvcc's gave on an H200.
//
// Each digest covers 64 inputs from each of 256 ranges, 2^24 inputs wide, or 64 drawn pairs from each of 256 blocks.
// Device: NVIDIA H200, driver 580.159.04, nvcc 13.0, 28 November 2026.
#include "scope/isa/library/device_single.h"

#include <gtest/gtest.h>

#include <bit>

#include "tests/isa/function_digests.h"

namespace tilescope::isa::device {
namespace {

template <F32 (*kFunction)(F32)>
U32 of_bits(U32 input) {
    return std::bit_cast<U32>(kFunction(std::bit_cast<F32>(input)));
}

TEST(SinglePrecisionFunctions, MatchNvccOnAnH200InSampledInputs) {
    EXPECT_EQ(test::digest(&of_bits<&single_sine>), 0x555153515626d26fu);
    EXPECT_EQ(test::digest(&of_bits<&single_cosine>), 0x4cfc79ae41db863cu);
    EXPECT_EQ(test::digest(&of_bits<&single_tangent>), 0x3393cd312dcf0849u);
    EXPECT_EQ(test::digest(&of_bits<&single_exp>), 0x5a46060c93e3c2fdu);
    EXPECT_EQ(test::digest(&of_bits<&single_exp10>), 0x3286957ac30d7de5u);
    EXPECT_EQ(test::digest(&of_bits<&single_log>), 0xf87a5b8dcc05e4abu);
    EXPECT_EQ(test::digest(&of_bits<&single_log2>), 0x5a5fa99ab486e436u);
    EXPECT_EQ(test::digest(&of_bits<&single_log10>), 0x98a2eace46356025u);
    EXPECT_EQ(test::digest(&of_bits<&single_tanh>), 0x8875bdd62f8137e2u);
}

TEST(SinglePrecisionFunctions, PowerMatchesNvccOnAnH200InDrawnPairs) {
    const auto power = [](U32 a, U32 b) {
        return std::bit_cast<U32>(single_power(std::bit_cast<F32>(a), std::bit_cast<F32>(b)));
    };
    EXPECT_EQ(test::digest_of_pairs(0, power), 0x81b8886045baceffu);
    EXPECT_EQ(test::digest_of_pairs(1, power), 0xc49f3dbba9c6b395u);
}

}  // namespace
}  // namespace tilescope::isa::device
