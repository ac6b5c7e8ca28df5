// PTX text to tokens, one at a time.
//
// Owns: where a token starts and ends. Comments, blank space, preprocessor lines (# 1 "file") and the old @@DWARF lines
// are passed over here.
// Guarantees: no allocation; a token's text points into the source, which must outlive it. Any bytes are accepted: what
// is no token comes back as kInvalid and the lexer goes on behind it. Time is linear in the text.
// Does not model: values of literals (constant_expression.cpp) or which words are directives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scope/ptx/module.h"

namespace tilescope::ptx {

enum class TokenKind : std::uint8_t {
    kEnd,
    kInvalid,      // Lexer::problem() says why
    kIdentifier,   // %r1, foo, $L__BB0_1, _
    kDotted,       // .shared::cta; text is without the first dot
    kInteger,      // 10, 0x1F, 017, 0b11, with or without U
    kFloat,        // 1.5, .5e3, 0f3F800000, 0d3FF0000000000000
    kString,       // text is without the quotes, escapes untouched
    kPunctuation,  // code tells which
};

// Punctuation as a number: the character, or two characters for << >> <= >= == != && ||.
using PunctuationCode = std::uint16_t;
constexpr PunctuationCode punctuation(char first, char second = '\0') {
    return static_cast<PunctuationCode>(static_cast<unsigned char>(first) | static_cast<unsigned char>(second) << 8);
}

struct Token {
    TokenKind kind = TokenKind::kEnd;
    PunctuationCode code = 0;  // 0 unless kPunctuation
    Position position;
    std::string_view text;

    bool is(char character) const { return code == static_cast<unsigned char>(character); }
    bool is_identifier() const { return kind == TokenKind::kIdentifier; }
    bool is_dotted() const { return kind == TokenKind::kDotted; }
    bool is_dotted(std::string_view word) const { return is_dotted() && text == word; }
};

class Lexer {
public:
    explicit Lexer(std::string_view text)
        : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()), line_start_(text.data()) {}

    Token next();
    // Why the last token was kInvalid.
    const char* problem() const { return problem_; }

private:
    bool skip_blank(Token& token);
    bool skip_line_if_directive();
    void skip_line();
    bool skip_block_comment();
    void lex_dot(Token& token);
    void lex_number(Token& token);
    void lex_prefixed_number(Token& token);
    void lex_string(Token& token);
    void lex_punctuation(Token& token);
    bool skip_exponent();
    Token& invalid(Token& token, const char* problem);
    char peek(std::ptrdiff_t ahead = 0) const { return end_ - at_ > ahead ? at_[ahead] : '\0'; }

    const char* begin_;
    const char* at_;
    const char* end_;
    const char* line_start_;
    std::uint32_t line_ = 1;
    const char* problem_ = "";
};

}  // namespace tilescope::ptx
