// The harness must find what it is there to find: each family here is wrong in one way.
#include "tests/isa/row_harness.h"

#include <gtest/gtest.h>

#include <cfenv>

#include "scope/isa/table/binding.h"
#include "scope/machine/warp.h"

namespace tilescope::isa::test {
namespace {

using machine::Op;
using machine::OpFn;
using machine::Warp;

enum class Fault { kNone, kValue, kInactiveLane, kSource, kCarry, kRounding };

template <Fault kFault>
void add(Warp& warp, const Op& op) {
    const auto* a = warp.source<std::uint32_t>(op.a);
    const auto* b = warp.source<std::uint32_t>(op.b);
    auto* d = warp.target<std::uint32_t>(op.dst);
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        if (kFault == Fault::kInactiveLane || (warp.exec >> i & 1u)) {
            d[i] = a[i] + b[i];
            if (kFault == Fault::kValue && d[i] % 64 == 0) d[i] ^= 1u;
        }
    }
    if (kFault == Fault::kSource) reinterpret_cast<std::uint32_t*>(warp.banks[1])[4] ^= 1u;
    if (kFault == Fault::kCarry) warp.carry ^= 1u;
    if (kFault == Fault::kRounding) std::fesetround(FE_DOWNWARD);
}

template <Fault kFault>
std::vector<std::string> failures_of(std::span<const Oracle> oracles) {
    const Row row{.syntax = "add.u32", .operands = "=T0 T0 T0", .bind = [](Binding&) -> OpFn { return &add<kFault>; }};
    const std::vector<std::string> failures = check_family(Family{"sample", "", &row, 1}, oracles, {.rounds = 100});
    std::fesetround(FE_TONEAREST);
    return failures;
}

constexpr Oracle kAdd[] = {{"add", [](const Form&, Thread& t) { t.set(0, t.u(1) + t.u(2)); }}};

TEST(RowHarness, AcceptsWhatIsRight) { EXPECT_EQ(failures_of<Fault::kNone>(kAdd), std::vector<std::string>{}); }
TEST(RowHarness, FindsAWrongValue) { EXPECT_EQ(failures_of<Fault::kValue>(kAdd).size(), 1u); }
TEST(RowHarness, FindsAWriteToAnInactiveLane) { EXPECT_EQ(failures_of<Fault::kInactiveLane>(kAdd).size(), 1u); }
TEST(RowHarness, FindsAWriteElsewhere) { EXPECT_EQ(failures_of<Fault::kSource>(kAdd).size(), 1u); }
TEST(RowHarness, FindsAChangedCarry) { EXPECT_EQ(failures_of<Fault::kCarry>(kAdd).size(), 1u); }
TEST(RowHarness, FindsAChangedRoundingMode) { EXPECT_EQ(failures_of<Fault::kRounding>(kAdd).size(), 1u); }

TEST(RowHarness, WantsAnOracleForEveryRow) { EXPECT_EQ(failures_of<Fault::kNone>({}).size(), 1u); }

TEST(RowHarness, AcceptsWithinAnOraclesTolerance) {
    constexpr Oracle kRough[] = {{"add", [](const Form&, Thread& t) { t.set(0, t.u(1) + t.u(2)); },
                                  [](const Form&, const Thread&, const Scalar& expected, const Scalar& actual) {
                                      return (expected.lo ^ actual.lo) <= 1;
                                  }}};
    EXPECT_EQ(failures_of<Fault::kValue>(kRough), std::vector<std::string>{});
}

}  // namespace
}  // namespace tilescope::isa::test
