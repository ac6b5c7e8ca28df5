// The committed page says what the descriptions say, and these name every key that is written.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "tests/docs/profile_page.h"
#include "tests/places.h"

namespace tilescope::docs {
namespace {

TEST(ProfilePage, IsUpToDate) {
    std::ifstream file(source_dir() + "/docs/reference/profile.md", std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(text.str() == profile_page()) << "run scripts/make_profile_page and commit docs/reference/profile.md";
}

TEST(ProfilePage, SaysWhatMayBeAbsentAndWhereListsAre) {
    const std::string page = profile_page();
    EXPECT_NE(page.npos, page.find("| `index` | integer | index |")) << page.substr(0, 3000);
    EXPECT_NE(page.npos, page.find("| `occupancy.textbook.division.fraction` | number | share |"));
    EXPECT_NE(page.npos, page.find("| `roofline` ? | object |"));
    EXPECT_NE(page.npos, page.find("\n## `launches[].lines[]`\n"));
    EXPECT_NE(page.npos, page.find("\n## `hazards[]`\n\nAs `launches[].hazards[]`.\n"));
    EXPECT_NE(page.npos, page.find("`cubin`, `ptxas`, `estimate`"));
}

}  // namespace
}  // namespace tilescope::docs
