#include <gtest/gtest.h>

#include "tests/isa/row_harness.h"

namespace tilescope::isa::test {
namespace {

void add(const Form&, Thread& t) { t.set(0, t.u(1) + t.u(2)); }

constexpr Oracle kOracles[] = {
    {"add", &add},
};

TEST(IntegerRows, AgreeWithTheSpecification) { expect_family_agrees("integer", kOracles); }

}  // namespace
}  // namespace tilescope::isa::test
