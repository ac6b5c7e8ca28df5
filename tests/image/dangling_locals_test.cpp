// Warnings of compilers about functions that return the address of a local variable.
#include "scope/image/dangling_locals.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tilescope::image {
namespace {

TEST(DanglingLocals, ListsEachPlaceOnceWhoeverCompiled) {
    const std::string lines = dangling_locals(
        "a.cu:5:12: warning: address of stack memory associated with local variable 'x' returned "
        "[-Wreturn-stack-address]\n    5 |     return x;\n"
        "a.cu:5:12: warning: address of stack memory associated with local variable 'x' returned "
        "[-Wreturn-stack-address]\n"
        "b.cu(10): warning #1056-D: returning pointer to local variable\n      return x;\n"
        "c.cu:7:3: warning: unused variable 'y'\n");
    EXPECT_TRUE(lines.starts_with("a.cu:5: warning: this returns the address of a local variable.")) << lines;
    EXPECT_NE(lines.find("\nb.cu:10: warning: "), std::string::npos) << lines;
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
}

TEST(DanglingLocals, OtherWarningsAndOddTextGiveNothing) {
    EXPECT_EQ(dangling_locals(""), "");
    EXPECT_EQ(dangling_locals("c.cu:7:3: warning: unused variable 'y'\n: warning"), "");
    EXPECT_FALSE(dangling_locals(": warning: address of local variable").empty());
}

}  // namespace
}  // namespace tilescope::image
