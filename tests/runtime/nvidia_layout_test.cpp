#include "tests/runtime/nvidia_layout.h"

#include <gtest/gtest.h>

namespace {

TEST(NvidiaLayout, IsOurs) {
    const Layout ours = our_layout();
    const Layout theirs = nvidia_layout();
    EXPECT_EQ(ours.size(), theirs.size());
    for (const auto& [name, value] : theirs) {
        ASSERT_TRUE(ours.contains(name)) << name;
        EXPECT_EQ(ours.at(name), value) << name;
    }
}

}  // namespace
