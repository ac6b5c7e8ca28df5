#include "scope/ptx/lexer.h"

#include <array>

namespace tilescope::ptx {
namespace {

enum CharacterClass : std::uint8_t { kWord = 1, kDigit = 2, kHex = 4, kBlank = 8, kIdentifierStart = 16 };

constexpr std::array<std::uint8_t, 256> make_classes() {
    std::array<std::uint8_t, 256> classes{};
    for (int c = 'a'; c <= 'z'; ++c) classes[c] = kWord | kIdentifierStart;
    for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kWord | kIdentifierStart;
    for (int c = '0'; c <= '9'; ++c) classes[c] = kWord | kDigit | kHex;
    for (int c = 'a'; c <= 'f'; ++c) classes[c] |= kHex;
    for (int c = 'A'; c <= 'F'; ++c) classes[c] |= kHex;
    classes['_'] = classes['$'] = kWord | kIdentifierStart;
    classes['%'] = kIdentifierStart;
    for (char c : {' ', '\t', '\r', '\f', '\v', '\n'}) classes[static_cast<unsigned char>(c)] = kBlank;
    return classes;
}
constexpr auto kClasses = make_classes();

bool is(char character, std::uint8_t what) { return (kClasses[static_cast<unsigned char>(character)] & what) != 0; }

}  // namespace

Token& Lexer::invalid(Token& token, const char* problem) {
    token.kind = TokenKind::kInvalid;
    problem_ = problem;
    return token;
}

void Lexer::skip_line() {
    while (at_ != end_ && *at_ != '\n') ++at_;
}

// "# 1 "file"" counts only at the start of a line; "@@DWARF" (PTX 1.x) anywhere.
bool Lexer::skip_line_if_directive() {
    if (*at_ == '#') {
        for (const char* before = at_; before != line_start_;) {
            if (!is(*--before, kBlank)) return false;
        }
        skip_line();
        return true;
    }
    if (*at_ == '@' && end_ - at_ >= 7) {
        std::string_view word(at_, 7);
        if (word == "@@DWARF" || word == "@@dwarf") {
            skip_line();
            return true;
        }
    }
    return false;
}

// At "/*". False when the comment never ends.
bool Lexer::skip_block_comment() {
    for (at_ += 2; at_ != end_; ++at_) {
        if (*at_ == '\n') {
            ++line_;
            line_start_ = at_ + 1;
        } else if (*at_ == '*' && peek(1) == '/') {
            at_ += 2;
            return true;
        }
    }
    return false;
}

// Passes over everything between tokens. False, with `token` set to the problem, for an unclosed comment.
bool Lexer::skip_blank(Token& token) {
    while (at_ != end_) {
        char character = *at_;
        if (character == '\n') {
            ++line_;
            line_start_ = ++at_;
        } else if (is(character, kBlank)) {
            ++at_;
        } else if (character == '/' && peek(1) == '/') {
            skip_line();
        } else if (character == '/' && peek(1) == '*') {
            token.position = {line_, static_cast<std::uint32_t>(at_ - line_start_) + 1};
            token.text = {at_, 2};
            if (!skip_block_comment()) {
                invalid(token, "this comment is never closed");
                return false;
            }
        } else if ((character != '#' && character != '@') || !skip_line_if_directive()) {
            return true;
        }
    }
    return true;
}

Token Lexer::next() {
    Token token;
    if (!skip_blank(token)) return token;
    token.position = {line_, static_cast<std::uint32_t>(at_ - line_start_) + 1};
    const char* start = at_;
    if (at_ == end_) {
        token.text = std::string_view(at_, std::size_t{});  // empty, but at its place
        return token;
    }
    char first = *at_;
    if (is(first, kIdentifierStart) && (first != '%' || is(peek(1), kWord))) {
        do ++at_;
        while (at_ != end_ && is(*at_, kWord));
        token.kind = TokenKind::kIdentifier;
        token.text = {start, static_cast<std::size_t>(at_ - start)};
        if (token.text == "$") invalid(token, "a name cannot be a lone '$'");
        return token;
    }
    if (first == '.') {
        lex_dot(token);
    } else if (is(first, kDigit)) {
        lex_number(token);
    } else if (first == '"') {
        lex_string(token);
    } else {
        lex_punctuation(token);
    }
    return token;
}

// ".global", ".shared::cta", ".2d", or a number such as ".5e-3" where no word stands before the dot.
void Lexer::lex_dot(Token& token) {
    const char* start = at_++;
    bool after_word = start != begin_ && (is(start[-1], kWord) || start[-1] == ']');
    if (!after_word && is(peek(), kDigit)) {
        const char* word = at_;
        while (is(peek(), kDigit)) ++at_;
        skip_exponent();
        if (!is(peek(), kWord)) {
            token.kind = TokenKind::kFloat;
            token.text = {start, static_cast<std::size_t>(at_ - start)};
            return;
        }
        at_ = word;
    }
    while (true) {
        while (is(peek(), kWord)) ++at_;
        if (peek() != ':' || peek(1) != ':' || !is(peek(2), kWord)) break;
        at_ += 2;
    }
    token.kind = TokenKind::kDotted;
    token.text = {start + 1, static_cast<std::size_t>(at_ - start - 1)};
    if (token.text.empty()) {
        token.text = {start, 1};
        invalid(token, "a '.' must start a directive or modifier");
    }
}

// At 'e' or 'E' of a decimal float. Moves only over a whole exponent.
bool Lexer::skip_exponent() {
    if (peek() != 'e' && peek() != 'E') return false;
    std::ptrdiff_t digits = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    if (!is(peek(digits), kDigit)) return false;
    at_ += digits;
    while (is(peek(), kDigit)) ++at_;
    return true;
}

void Lexer::lex_number(Token& token) {
    const char* start = at_;
    token.kind = TokenKind::kInteger;
    char prefix = static_cast<char>(peek(1) | 0x20);
    if (*at_ == '0' && (prefix == 'x' || prefix == 'b' || prefix == 'f' || prefix == 'd')) {
        lex_prefixed_number(token);
    } else {
        while (is(peek(), kDigit)) ++at_;
        std::string_view digits(start, static_cast<std::size_t>(at_ - start));
        if (peek() == '.' && !is(peek(1), kWord)) {
            ++at_;
            token.kind = TokenKind::kFloat;
        } else if (peek() == '.' && (is(peek(1), kDigit) || (peek(1) | 0x20) == 'e')) {
            ++at_;
            while (is(peek(), kDigit)) ++at_;
            token.kind = TokenKind::kFloat;
        }
        if (skip_exponent()) token.kind = TokenKind::kFloat;
        if (token.kind == TokenKind::kInteger) {
            if (digits.size() > 1 && digits[0] == '0' && digits.find_first_of("89") != std::string_view::npos)
                invalid(token, "8 and 9 are no octal digits; a number that starts with 0 is octal");
            if (peek() == 'U') ++at_;
        }
    }
    if (is(peek(), kWord)) {
        while (is(peek(), kWord)) ++at_;
        if (token.kind != TokenKind::kInvalid) invalid(token, "a number runs into a name");
    }
    token.text = {start, static_cast<std::size_t>(at_ - start)};
}

// 0x..., 0b..., 0f... (8 digits) and 0d... (16 digits).
void Lexer::lex_prefixed_number(Token& token) {
    char prefix = static_cast<char>(at_[1] | 0x20);
    at_ += 2;
    const char* digits = at_;
    if (prefix == 'b') {
        while (peek() == '0' || peek() == '1') ++at_;
    } else {
        while (is(peek(), kHex)) ++at_;
    }
    std::ptrdiff_t count = at_ - digits;
    if (prefix == 'f' || prefix == 'd') {
        token.kind = TokenKind::kFloat;
        if (prefix == 'f' && count != 8) invalid(token, "0f needs exactly 8 hexadecimal digits");
        if (prefix == 'd' && count != 16) invalid(token, "0d needs exactly 16 hexadecimal digits");
        return;
    }
    if (count == 0) invalid(token, "a number without digits");
    if (peek() == 'U') ++at_;
}

void Lexer::lex_string(Token& token) {
    const char* start = ++at_;
    while (at_ != end_ && *at_ != '"' && *at_ != '\n') at_ += *at_ == '\\' && end_ - at_ > 1 && at_[1] != '\n' ? 2 : 1;
    token.kind = TokenKind::kString;
    token.text = {start, static_cast<std::size_t>(at_ - start)};
    if (at_ == end_ || *at_ == '\n') {
        invalid(token, "this string is not closed on its line");
    } else {
        ++at_;
    }
}

void Lexer::lex_punctuation(Token& token) {
    char first = *at_;
    char second = peek(1);
    token.text = {at_, 1};
    constexpr std::string_view kSingle = ",;:()[]{}<>+-*/%!~&|^?=@";
    if (kSingle.find(first) == std::string_view::npos) {
        ++at_;
        invalid(token, "this character has no meaning in PTX");
        return;
    }
    token.kind = TokenKind::kPunctuation;
    bool doubled = first == second && (first == '<' || first == '>' || first == '&' || first == '|' || first == '=');
    bool with_equals = second == '=' && (first == '<' || first == '>' || first == '!');
    if (doubled || with_equals) {
        token.text = {at_, 2};
        token.code = punctuation(first, second);
        at_ += 2;
    } else {
        token.code = punctuation(first);
        ++at_;
    }
}

}  // namespace tilescope::ptx
