// The line on the terminal while a launch runs.
#include "scope/session/launch/progress.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

TEST(ProgressLine, SaysHowFarHowFastAndHowLongStill) {
    EXPECT_EQ(progress_text("tiled", 0.5, 1'000'000'000, 8),
              "tiled [============>           ]  50 %  4.0 G instructions/s  8 s left");
    EXPECT_EQ(progress_text("tiled", 0, 0, 2), "tiled [>                       ]   0 %") << "nothing is known yet";
    // What is not done is not said to be.
    const std::string nearly = progress_text("tiled", 0.9999, 1, 1);
    EXPECT_NE(nearly.find("=>]  99 %"), std::string::npos) << nearly;
}

}  // namespace
}  // namespace tilescope
