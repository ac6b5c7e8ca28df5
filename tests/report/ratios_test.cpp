#include "scope/report/ratios.h"

#include <gtest/gtest.h>

#include <set>

#include "scope/report/budget.h"
#include "scope/report/metrics.h"
#include "tests/report/sample.h"

namespace tilescope::report {
namespace {

using C = Counter;

double value(const char* name, const CounterSet& counters) {
    const Ratio* ratio = ratio_by_name(name);
    EXPECT_NE(ratio, nullptr) << name;
    return ratio->value(counters).value_or(-1);
}

TEST(Counters, AreFoundByTheirNames) {
    for (std::size_t i = 0; i < kCounterCount; ++i)
        EXPECT_EQ(counter_by_name(info(static_cast<Counter>(i)).name), static_cast<Counter>(i));
    EXPECT_EQ(info(C::kFp64Special).name, "fp64_special");
    EXPECT_FALSE(counter_by_name("no_such_counter"));
}

TEST(Counters, NoNameMeansTwoThings) {
    std::set<std::string> seen;
    for (const std::string& name : budget_names()) EXPECT_TRUE(seen.insert(name).second) << name;
    for (const std::string& name : seen) EXPECT_TRUE(metric_by_name(name).known()) << name;
}

TEST(Ratios, FollowFromCountersByArithmetic) {
    CounterSet c;
    c[C::kGlobalLoadRequests] = 10;
    c[C::kGlobalLoadSectors] = 25;
    c[C::kGlobalLoadBytesRequested] = 400;
    c[C::kGlobalStoreBytesRequested] = 100;
    c[C::kFp32Add] = 3;
    c[C::kFp32Mul] = 5;
    c[C::kFp32Fma] = 7;
    c[C::kFp64Fma] = 100;
    c[C::kFp16Operations] = 28;
    c[C::kFp32Special] = 1000;
    c[C::kSharedLoadRequests] = 6;
    c[C::kSharedStoreRequests] = 2;
    c[C::kSharedLoadBankConflicts] = 30;
    c[C::kSharedStoreBankConflicts] = 2;
    c[C::kInstructions] = 2;
    c[C::kThreadInstructions] = 48;
    EXPECT_DOUBLE_EQ(value("global_load_sectors_per_request", c), 2.5);
    EXPECT_DOUBLE_EQ(value("global_load_efficiency", c), 0.5);
    EXPECT_DOUBLE_EQ(value("bank_conflicts_per_request", c), 4);
    EXPECT_DOUBLE_EQ(value("shared_load_bank_conflicts_per_request", c), 5);
    EXPECT_DOUBLE_EQ(value("lane_efficiency", c), 0.75);
    CounterSet of_matrices;  // among whose wavefronts those of ldmatrix are
    of_matrices[C::kSharedLoadRequests] = 2;
    of_matrices[C::kMatrixLoadRequests] = 8;
    of_matrices[C::kSharedLoadWavefronts] = 40;
    EXPECT_DOUBLE_EQ(value("shared_load_wavefronts_per_request", of_matrices), 4);
    EXPECT_EQ(flop(c), 3U + 5 + 14 + 200 + 28);
    EXPECT_EQ(requested_bytes(c), 500U);
    EXPECT_DOUBLE_EQ(value("intensity", c), 0.5);
    EXPECT_EQ(traffic_bytes(c), 25U * 32);
}

TEST(Ratios, HaveNoValueWithNothingToDivideBy) {
    for (const Ratio& ratio : ratios()) {
        if (ratio.name == "flop" || ratio.name == "requested_bytes") continue;
        EXPECT_FALSE(ratio.value(CounterSet{})) << ratio.name;
    }
}

TEST(Ratios, NaiveProductDoesAQuarterOfAFlopForEachByte) {
    EXPECT_NEAR(value("intensity", sample_profile().launches[0].counters), 0.25, 0.001);
}

TEST(Ratios, HitRatesHaveAValueWhereCachesWereModelled) {
    CounterSet c;
    c[Counter::kGlobalLoadSectors] = 8;
    c[Counter::kGlobalLoadL1HitSectors] = 2;
    c[Counter::kL2ReadSectors] = 6;
    c[Counter::kL2ReadHitSectors] = 3;
    for (const char* name : {"l1_hit_rate", "l2_hit_rate"}) {
        ASSERT_NE(ratio_by_name(name), nullptr);
        EXPECT_TRUE(ratio_by_name(name)->modelled);
        EXPECT_FALSE(ratio_by_name(name)->value(c));
    }
    c.modelled = true;
    EXPECT_DOUBLE_EQ(value("l1_hit_rate", c), 0.25);
    EXPECT_DOUBLE_EQ(value("l2_hit_rate", c), 0.5);
}

}  // namespace
}  // namespace tilescope::report
