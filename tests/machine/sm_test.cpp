// Which SM takes the next block.
#include "scope/machine/sm.h"

#include <gtest/gtest.h>

namespace tilescope::machine {
namespace {

TEST(SmArray, BlocksGoRoundTheSmsAndThenToWhereRoomIs) {
    SmArray sms(3, 2);
    for (const std::uint32_t expected : {0, 1, 2, 0, 1, 2}) EXPECT_EQ(sms.place(), expected);
    EXPECT_EQ(sms.place(), std::nullopt);
    sms.leave(1);
    EXPECT_EQ(sms.place(), 1u);
    EXPECT_EQ(sms.place(), std::nullopt);
    sms.leave(2);
    sms.leave(0);
    sms.leave(2);
    EXPECT_EQ(sms.place(), 2u);  // it is empty
    EXPECT_EQ(sms.place(), 0u);
    EXPECT_EQ(sms.place(), 2u);
}

TEST(SmArray, WithoutALimitAllBlocksFit) {
    SmArray sms(1, 0);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(sms.place(), 0u);
}

}  // namespace
}  // namespace tilescope::machine
