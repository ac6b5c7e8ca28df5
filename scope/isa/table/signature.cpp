#include "scope/isa/table/signature.h"

namespace tilescope::isa {
namespace {

Type fixed_type(std::string_view word, std::uint8_t& index) {
    if (word.size() == 2 && word[0] <= 'Z' && word[1] >= '0' && word[1] <= '9') {  // T0, not b8
        index = static_cast<std::uint8_t>(word[1] - '0');
        return Type::kNone;
    }
    return type_by_name(word);
}

Token read_token(std::string_view word) {
    Token token;
    if (word.front() == '=') {
        token.writes = true;
        word.remove_prefix(1);
    }
    if (word.back() == '?') {
        token.optional = true;
        word.remove_suffix(1);
    }
    if (word.front() == '-') {
        token.may_be_minus = true;
        word.remove_prefix(1);
    }
    if (const std::size_t dot = word.find('.'); dot != std::string_view::npos) {
        token.selector = selector_kind(word.substr(dot + 1));
        word = word.substr(0, dot);
    }
    if (word.front() == '[') {
        token.kind = word == "[]+c" ? SignatureTokenKind::kIndexed : SignatureTokenKind::kAddress;
        return token;
    }
    if (word.front() == '{') {
        token.kind = SignatureTokenKind::kBraces;
        token.fixed = fixed_type(word.substr(1, word.size() - 2), token.type_index);
        return token;
    }
    if (word == "label") token.kind = SignatureTokenKind::kLabel;
    if (word == "fn") token.kind = SignatureTokenKind::kFunction;
    if (word == "list") token.kind = SignatureTokenKind::kList;
    if (word == "callee") token.kind = SignatureTokenKind::kCall;
    if (token.kind != SignatureTokenKind::kTyped) return token;
    if (std::size_t bar = word.find('|'); bar != std::string_view::npos) {
        token.pair = true;
        std::uint8_t unused = 0;
        token.second = fixed_type(word.substr(bar + 1), unused);
        word = word.substr(0, bar);
    }
    if (word.size() == 2 && word[0] == 'W') token.kind = SignatureTokenKind::kWide;
    if (word.size() == 2 && word[0] == 'L') token.kind = SignatureTokenKind::kLoose;
    if (word[0] == 'V') {
        token.kind = SignatureTokenKind::kVector;
        if (word.size() > 2) word.remove_prefix(1);
    }
    token.fixed = fixed_type(word, token.type_index);
    return token;
}

}  // namespace

std::vector<Token> read_signature(std::string_view text) {
    std::vector<Token> tokens;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        if (space != 0) tokens.push_back(read_token(text.substr(0, space)));
        if (space == std::string_view::npos) break;
        text.remove_prefix(space + 1);
    }
    return tokens;
}

}  // namespace tilescope::isa
