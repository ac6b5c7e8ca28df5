#include "scope/ptx/string_literal.h"

#include <gtest/gtest.h>

namespace tilescope::ptx {
namespace {

TEST(StringLiteral, Unescapes) {
    EXPECT_EQ(unescape(R"(a\n\t\\\"b)"), "a\n\t\\\"b");
    EXPECT_EQ(unescape(R"(\101\x42\0)"), std::string("AB\0", 3));
    EXPECT_EQ(unescape(R"(\x4g)"), "\x04g");
    EXPECT_EQ(unescape(R"(\q\)"), R"(\q\)");
    EXPECT_EQ(unescape(R"(\xyz)"), R"(\xyz)");
}

TEST(StringLiteral, QuotesWhatUnescapesToTheSame) {
    std::string every;
    for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
    every += "7\\x41\\\"end\\";
    std::string quoted = quote(every);
    ASSERT_GE(quoted.size(), 2u);
    EXPECT_EQ(quoted.find('\n'), std::string::npos);
    EXPECT_EQ(unescape(quoted.substr(1, quoted.size() - 2)), every);
}

}  // namespace
}  // namespace tilescope::ptx
