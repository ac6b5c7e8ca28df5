#include "scope/base/safe_text.h"

#include <gtest/gtest.h>

#include "scope/base/diagnostic.h"

namespace tilescope {
namespace {

TEST(SafeText, WhatShowsStaysAndWhatSteersIsWrittenOut) {
    struct Case {
        std::string_view text, shown;
    };
    using namespace std::string_view_literals;
    for (const Case& c : {Case{"tiled<16>(float*) — 3 µs · 日本 😀", "tiled<16>(float*) — 3 µs · 日本 😀"},
                          Case{"a\tb", "a\tb"}, Case{"\x1b]0;owned\x07", "\\x1b]0;owned\\x07"},
                          Case{"a\rb\bc\x7f", "a\\x0db\\x08c\\x7f"}, Case{"a\nb", "a\\nb"}, Case{"a\0b"sv, "a\\x00b"},
                          Case{"\xc2\x9b"
                               "31m",
                               "\\x9b31m"},  // CSI as one character of Unicode
                          Case{"\x9b"
                               "31m",
                               "\\x9b31m"},                         // and as a byte of Latin-1
                          Case{"\xc3", "\\xc3"},                    // cut off
                          Case{"\xc0\x9b", "\\xc0\\x9b"},           // overlong
                          Case{"\xe0\x80\x9b", "\\xe0\\x80\\x9b"},  // overlong
                          Case{"\xed\xa0\x80", "\\xed\\xa0\\x80"},  // half of a pair of UTF-16
                          Case{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
                          Case{"a\u202Eb\u2066c\u2028d", "a\\u202eb\\u2066c\\u2028d"}}) {
        EXPECT_EQ(safe_text(c.text), c.shown);
        EXPECT_EQ(safe_text(c.shown), c.shown);
    }
    EXPECT_EQ(safe_text("a\n\x1b", LineFeeds::kKeep), "a\n\\x1b");
}

TEST(SafeText, DiagnosticsAreSafeInEveryPart) {
    const Diagnostic evil = error("some-code", {"a\x1b\n.cu", 1, 2}, "says \x1b[2J",
                                  "do \x9b"
                                  "1m");
    EXPECT_EQ(render(evil), "a\\x1b\\n.cu:1:2: error: says \\x1b[2J [some-code]\n  hint: do \\x9b1m");
}

}  // namespace
}  // namespace tilescope
