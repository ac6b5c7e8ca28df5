// Rules of advice about tensor cores, on made-up counts: who is told, and who is not.
#include <gtest/gtest.h>

#include "tests/models/advice_cases.h"

namespace tilescope::models {
namespace {

using C = Counter;
using F = AdviceFigure;
using V = AdviceVariant;

// m x n x k of fp32, 8 x 8 results a thread: each element that is loaded serves 64 multiply-adds.
LaunchProfile product(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kFp32Fma] = m * n * k;
    c[C::kInstructions] = m * n * k / 32;
    c[C::kGlobalStoreBytesRequested] = 4 * m * n;
    launch.tiling->unique_bytes = 4 * (m + n) * k;
    launch.tiling->requested_bytes = 4 * 2 * m * n * k / 128;
    return launch;
}

std::vector<Advice> told(const LaunchProfile& launch, const Device& device = h200()) {
    return of_rule(with_line(launch), "tensor", device);
}

TEST(AdviceOnTensorCores, OfAProductBySingleMultiplyAdds) {
    const auto found = told(product(2048, 1024, 512));
    ASSERT_EQ(found.size(), 1u);
    const AdviceFacts& facts = found[0].facts;
    EXPECT_EQ(facts.variant, V::kAsTf32);
    EXPECT_EQ(facts.figures[F::kRows], 2048);
    EXPECT_EQ(facts.figures[F::kColumns], 1024);
    EXPECT_EQ(facts.figures[F::kDepth], 512);
    EXPECT_NEAR(facts.figures[F::kRateRatio], 4.85, 0.01);  // 4 of 6.1 cycles, of 494.7 / 66.9
    EXPECT_EQ(found[0].line, 7u);
    // What the units allow: memory is next.
    EXPECT_GT(found[0].speedup, 1.5);
    EXPECT_LT(found[0].speedup, 4.94);
}

TEST(AdviceOnTensorCores, OfOneThatScalesAndAddsToWhatIsThere) {
    LaunchProfile launch = product(1024, 1024, 1024);
    launch.counters[C::kFp32Fma] += 1024 * 1024;
    launch.counters[C::kFp32Mul] += 1024 * 1024;
    *launch.tiling->unique_bytes += 4 * 1024 * 1024;
    ASSERT_EQ(told(launch).size(), 1u);
    EXPECT_EQ(told(launch)[0].facts.figures[F::kDepth], 1024);
}

TEST(AdviceOnTensorCores, OfTheUsefulPartOfRaggedTiles) {
    LaunchProfile launch = product(1000, 1000, 1000);
    launch.counters[C::kFp32Fma] += 24'000'000;
    EXPECT_TRUE(told(launch).empty());
    launch.padded_flop.fp32 = 48'000'000;
    EXPECT_EQ(told(launch).size(), 1u);
}

TEST(AdviceOnTensorCores, OfDoublesAsTheyAre) {
    LaunchProfile launch = product(1024, 1024, 512);
    CounterSet& c = launch.counters;
    c[C::kFp64Fma] = c[C::kFp32Fma];
    c[C::kFp32Fma] = 0;
    c[C::kGlobalStoreBytesRequested] *= 2;
    launch.tiling->unique_bytes = 2 * *launch.tiling->unique_bytes;
    launch.tiling->requested_bytes *= 2;
    ASSERT_EQ(told(launch).size(), 1u);
    EXPECT_EQ(told(launch)[0].facts.variant, V::kAsF64);
    EXPECT_TRUE(told(launch, load_device("t4").value()).empty());  // which has none for doubles
}

// The same product of a short type: factors of so many bytes, results of so many.
LaunchProfile of_bytes(std::uint64_t factor_bytes, std::uint64_t result_bytes) {
    LaunchProfile launch = product(1024, 1024, 512);
    launch.counters[C::kGlobalStoreBytesRequested] = result_bytes * 1024 * 1024;
    launch.tiling->unique_bytes = factor_bytes * 2048 * 512;
    launch.tiling->requested_bytes = launch.tiling->requested_bytes * factor_bytes / 4;
    return launch;
}
LaunchProfile of_halves(std::uint64_t result_bytes) {
    LaunchProfile launch = of_bytes(2, result_bytes);
    launch.counters[C::kFp16Operations] = 2 * launch.counters[C::kFp32Fma];
    launch.counters[C::kFp32Fma] = 0;
    return launch;
}
LaunchProfile of_dot_products() {
    LaunchProfile launch = of_bytes(1, 4);
    launch.counters[C::kByteDotProducts] = launch.counters[C::kFp32Fma] / 4;
    launch.counters[C::kFp32Fma] = 0;
    return launch;
}

TEST(AdviceOnTensorCores, OfHalvesByTheirOwnArithmetic) {
    for (const std::uint64_t result_bytes : {2, 4}) {
        const auto found = told(of_halves(result_bytes));
        ASSERT_EQ(found.size(), 1u) << result_bytes;
        EXPECT_EQ(found[0].facts.variant, V::kAsHalves);
        EXPECT_EQ(found[0].facts.figures[F::kDepth], 512);
        EXPECT_NEAR(found[0].facts.figures[F::kRateRatio], 4.85, 0.01);  // 4 of 6.1 cycles, of 989.4 / 133.8
    }
    // Pairs along the depth: their two halves are added at the end.
    LaunchProfile launch = of_halves(2);
    launch.counters[C::kFp16Operations] += 1024 * 1024;
    ASSERT_EQ(told(launch).size(), 1u);
    EXPECT_EQ(told(launch)[0].facts.figures[F::kDepth], 512);
    EXPECT_EQ(told(of_halves(2), load_device("v100").value()).size(), 1u);
    launch.counters[C::kFp16Operations] += 1;
    EXPECT_TRUE(told(launch).empty());
}

TEST(AdviceOnTensorCores, OfHalvesThatAreMadeFloat) {
    for (const auto& [counter, variant] :
         {std::pair{C::kFp16ToFp32, V::kAsF16}, std::pair{C::kBf16ToFp32, V::kAsBf16}}) {
        LaunchProfile launch = of_bytes(2, 4);
        EXPECT_TRUE(told(launch).empty());  // whole numbers of 16 bits, for all that is known
        launch.counters[counter] = 2048 * 512 - 1;
        EXPECT_TRUE(told(launch).empty());
        launch.counters[counter] = 2048 * 512;  // once each
        ASSERT_EQ(told(launch).size(), 1u);
        EXPECT_EQ(told(launch)[0].facts.variant, variant);
        EXPECT_NEAR(told(launch)[0].facts.figures[F::kRateRatio], 9.70, 0.01);  // 4 of 6.1 cycles, of 989.4 / 66.9
        launch.counters[C::kGlobalStoreBytesRequested] /= 2;                    // results that are short again
        EXPECT_EQ(told(launch).size(), 1u);
    }
    LaunchProfile launch = of_bytes(2, 4);
    launch.counters[C::kBf16ToFp32] = 2048 * 512;
    EXPECT_TRUE(told(launch, load_device("t4").value()).empty());  // whose tensor cores know f16 alone
}

TEST(AdviceOnTensorCores, OfBytesByDotProducts) {
    const auto found = told(of_dot_products());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].facts.variant, V::kAsInt8);
    EXPECT_EQ(found[0].facts.figures[F::kRows], 1024);
    EXPECT_GT(found[0].facts.figures[F::kRateRatio], 9.0);
    LaunchProfile launch = of_dot_products();
    launch.counters[C::kByteDotProducts] += 1;
    EXPECT_TRUE(told(launch).empty());
    launch = of_dot_products();
    *launch.tiling->unique_bytes /= 2;  // a filter's
    EXPECT_TRUE(told(launch).empty());
    EXPECT_TRUE(told(of_dot_products(), load_device("v100").value()).empty());  // whose tensor cores know no bytes
}

TEST(AdviceOnTensorCores, SilentAboutWhatIsNoProduct) {
    const LaunchProfile right = product(1024, 1024, 512);
    ASSERT_FALSE(told(right).empty());
    LaunchProfile launch = right;
    launch.counters[C::kFp32Fma] += 1;  // of a result more than others
    EXPECT_TRUE(told(launch).empty());
    launch = right;
    *launch.tiling->unique_bytes /= 2;  // as of a filter, which reads each element for many results
    EXPECT_TRUE(told(launch).empty());
    launch = right;
    launch.tiling->unique_bytes.reset();  // of some blocks alone
    EXPECT_TRUE(told(launch).empty());
    launch = right;
    launch.tiling->requested_bytes = 2 * 4 * (launch.counters[C::kFp32Fma] / 4);  // no tile yet
    EXPECT_TRUE(told(launch).empty());
    launch = right;
    launch.counters[C::kFp32Add] = launch.counters[C::kFp32Fma];  // as much else
    EXPECT_TRUE(told(launch).empty());
    launch = right;
    launch.counters[C::kTensorTf32Operations] = 1;
    EXPECT_TRUE(told(launch).empty());
    launch = right;
    launch.counters[C::kGlobalReductionRequests] = 1;  // sums that meet
    EXPECT_TRUE(told(launch).empty());
}

TEST(AdviceOnTensorCores, SilentWhereTilesWouldHoldZerosAndWhereThereAreNone) {
    EXPECT_FALSE(told(product(4096, 16, 4096)).empty());
    EXPECT_TRUE(told(product(4096, 15, 4096)).empty());
    EXPECT_TRUE(told(product(4096, 4096, 15)).empty());
    EXPECT_TRUE(told(product(1024, 1024, 512), load_device("v100").value()).empty());  // no tf32
}

// Loads of matrices whose rows lie so far apart: four wavefronts each would do.
LaunchProfile matrices(std::uint32_t row_bytes, std::uint64_t conflicts) {
    LaunchProfile launch = with_line(copy());
    LineProfile& line = launch.lines[0];
    line.matrix_row_bytes = row_bytes;
    for (CounterSet* c : {&line.counters, &launch.counters}) {
        (*c)[C::kMatrixLoadRequests] = 1'000'000;
        (*c)[C::kSharedLoadWavefronts] = 4'000'000 + conflicts;
        (*c)[C::kSharedLoadBankConflicts] = conflicts;
    }
    return launch;
}

TEST(AdviceOnMatrices, SwizzlesRowsByHowFarApartTheyLie) {
    for (const auto& [row_bytes, repeat] : {std::pair{128U, 1}, {64U, 2}, {192U, 2}, {32U, 4}, {96U, 4}, {256U, 1}}) {
        const auto found = of_rule(matrices(row_bytes, 12'000'000), "swizzle");
        ASSERT_EQ(found.size(), 1u) << row_bytes;
        EXPECT_EQ(found[0].facts.figures[F::kRowsToRepeat], repeat) << row_bytes;
        EXPECT_EQ(found[0].facts.figures[F::kActual], 16);
        EXPECT_EQ(found[0].facts.figures[F::kIdeal], 4);
        EXPECT_EQ(found[0].facts.figures[F::kConflicts], 12'000'000);
        EXPECT_EQ(found[0].saves_bytes, 0u + 128U * 12'000'000);
    }
}

// wmma says which lane has what.
TEST(AdviceOnMatrices, NoThreadChoosesItsElements) {
    LaunchProfile launch = copy();
    launch.counters[C::kGlobalLoadSectors] *= 4;
    launch = with_line(launch);
    EXPECT_TRUE(fires(launch, "coalesce"));
    launch.lines[0].by_layout = true;
    EXPECT_FALSE(fires(launch, "coalesce"));
}

TEST(AdviceOnMatrices, SilentAboutOthers) {
    EXPECT_FALSE(fires(matrices(64, 0), "swizzle"));
    EXPECT_FALSE(fires(matrices(0, 12'000'000), "swizzle"));   // uneven
    EXPECT_FALSE(fires(matrices(80, 12'000'000), "swizzle"));  // it is not the rows
    LaunchProfile mixed = matrices(64, 12'000'000);
    mixed.lines[0].counters[C::kSharedLoadRequests] = 1;  // whose conflicts they are is not known
    EXPECT_FALSE(fires(mixed, "swizzle"));
    EXPECT_FALSE(fires(matrices(64, 12'000'000), "pad"));
}

}  // namespace
}  // namespace tilescope::models
