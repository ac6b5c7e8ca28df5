#include "scope/ptx/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tilescope::ptx {
namespace {

std::vector<Token> tokens_of(std::string_view text) {
    Lexer lexer(text);
    std::vector<Token> tokens;
    while (true) {
        Token token = lexer.next();
        if (token.kind == TokenKind::kEnd) return tokens;
        tokens.push_back(token);
    }
}

std::vector<std::string> texts_of(std::string_view text) {
    std::vector<std::string> texts;
    for (const Token& token : tokens_of(text)) texts.emplace_back(token.text);
    return texts;
}

using Texts = std::vector<std::string>;

TEST(Lexer, SplitsAnInstruction) {
    EXPECT_EQ(texts_of("@!%p1 ld.global.v4.f32 {%f1,%f2}, [%rd1+-16];"),
              (Texts{"@",   "!", "%p1", "ld", "global", "v4", "f32", "{",  "%f1", ",",
                     "%f2", "}", ",",   "[",  "%rd1",   "+",  "-",   "16", "]",   ";"}));
}

TEST(Lexer, KeepsDoubleColonsInsideAModifier) {
    EXPECT_EQ(texts_of("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes x"),
              (Texts{"cp", "async", "bulk", "tensor", "2d", "shared::cluster", "global", "mbarrier::complete_tx::bytes",
                     "x"}));
}

TEST(Lexer, TellsALabelFromADoubleColon) {
    EXPECT_EQ(texts_of("$L__BB0_1: ret;"), (Texts{"$L__BB0_1", ":", "ret", ";"}));
}

TEST(Lexer, PassesOverCommentsAndPreprocessorLines) {
    EXPECT_EQ(texts_of("a // b ; c\n /* d \n e */ f\n  # 1 \"file.cu\" ;\ng @@DWARF .byte 1\nh"),
              (Texts{"a", "f", "g", "h"}));
}

TEST(Lexer, AHashInsideALineIsNoPreprocessorLine) {
    auto tokens = tokens_of("a # b");
    ASSERT_EQ(tokens.size(), 3u);
    EXPECT_EQ(tokens[1].kind, TokenKind::kInvalid);
}

TEST(Lexer, CountsLinesAndColumns) {
    auto tokens = tokens_of("a\r\n\tbb c\n/*\n*/ d \"x\"");
    ASSERT_EQ(tokens.size(), 5u);
    auto at = [&](int i) { return std::pair(tokens[i].position.line, tokens[i].position.column); };
    EXPECT_EQ(at(0), std::pair(1u, 1u));
    EXPECT_EQ(at(1), std::pair(2u, 2u));
    EXPECT_EQ(at(2), std::pair(2u, 5u));
    EXPECT_EQ(at(3), std::pair(4u, 4u));
    EXPECT_EQ(at(4), std::pair(4u, 6u));
}

TEST(Lexer, KnowsEveryKindOfNumber) {
    for (const char* text : {"0", "10", "10U", "0x1F", "0X1fU", "017", "0b101", "0B1U"}) {
        auto tokens = tokens_of(text);
        ASSERT_EQ(tokens.size(), 1u) << text;
        EXPECT_EQ(tokens[0].kind, TokenKind::kInteger) << text;
        EXPECT_EQ(tokens[0].text, text);
    }
    for (const char* text : {"1.5", "1.", ".5", ".5e3", "1e5", "1E+5", "2.5e-3", "5.e3", "0f3F800000",
                             "0d3FF0000000000000", "0F3f800000"}) {
        auto tokens = tokens_of(text);
        ASSERT_EQ(tokens.size(), 1u) << text;
        EXPECT_EQ(tokens[0].kind, TokenKind::kFloat) << text;
        EXPECT_EQ(tokens[0].text, text);
    }
}

TEST(Lexer, RefusesMalformedNumbers) {
    for (const char* text :
         {"08", "0x", "0b", "0b2", "0f3F80", "0f3F8000000", "0d3FF", "1.5f", "12ab", "10u", "0x1G"}) {
        auto tokens = tokens_of(text);
        ASSERT_FALSE(tokens.empty()) << text;
        EXPECT_EQ(tokens[0].kind, TokenKind::kInvalid) << text;
    }
}

TEST(Lexer, ADotAfterAWordStartsAModifierEvenBeforeADigit) {
    auto tokens = tokens_of("tex.2d.5");
    ASSERT_EQ(tokens.size(), 3u);
    EXPECT_TRUE(tokens[1].is_dotted("2d"));
    EXPECT_TRUE(tokens[2].is_dotted("5"));
}

TEST(Lexer, KnowsNames) {
    for (const char* text : {"a", "a_$1", "_", "_1", "$a", "%r1", "%tid", "WARP_SZ"}) {
        auto tokens = tokens_of(text);
        ASSERT_EQ(tokens.size(), 1u) << text;
        EXPECT_TRUE(tokens[0].is_identifier()) << text;
    }
    EXPECT_EQ(tokens_of("$")[0].kind, TokenKind::kInvalid);
    EXPECT_TRUE(tokens_of("%")[0].is('%'));
}

TEST(Lexer, KnowsTwoCharacterOperators) {
    EXPECT_EQ(texts_of("<<>><=>===!=&&||<|"), (Texts{"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "<", "|"}));
}

TEST(Lexer, KeepsEscapesInStringsAsWritten) {
    auto tokens = tokens_of(R"("a\"b\\" x)");
    ASSERT_EQ(tokens.size(), 2u);
    EXPECT_EQ(tokens[0].kind, TokenKind::kString);
    EXPECT_EQ(tokens[0].text, R"(a\"b\\)");
}

TEST(Lexer, SaysWhatIsWrongWithUnclosedThings) {
    for (const char* text : {"/* a", "\"abc", "\"abc\ndef\"", "\"a\\"}) {
        Lexer lexer(text);
        EXPECT_EQ(lexer.next().kind, TokenKind::kInvalid) << text;
        EXPECT_NE(std::string(lexer.problem()).find("closed"), std::string::npos) << text;
    }
}

TEST(Lexer, GoesOnBehindEveryByte) {
    std::string every;
    for (int byte = 255; byte >= 0; --byte) every += static_cast<char>(byte);
    every += " last";
    auto tokens = tokens_of(every);
    ASSERT_FALSE(tokens.empty());
    EXPECT_EQ(tokens.back().text, "last");
}

}  // namespace
}  // namespace tilescope::ptx
