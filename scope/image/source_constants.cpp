#include "scope/image/source_constants.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tilescope::image {
namespace {

constexpr unsigned kMaxDepth = 16;

int strength(const Words& words, std::size_t at) {
    if (at >= words.size()) return -1;
    const std::string& word = words[at];
    if (word == "*" || word == "/" || word == "%") return 2;
    if (word == "+" || word == "-") return 1;
    if ((word == "<" || word == ">") && at + 1 < words.size() && words[at + 1] == word) return 0;
    return -1;
}

std::optional<std::uint64_t> combined(std::uint64_t left, char what, std::uint64_t right) {
    switch (what) {
        case '*': return left * right;
        case '+': return left + right;
        case '-': return left - right;
        case '/': return right == 0 ? std::nullopt : std::optional(left / right);
        case '%': return right == 0 ? std::nullopt : std::optional(left % right);
        case '<': return right > 63 ? std::nullopt : std::optional(left << right);
        default: return right > 63 ? std::nullopt : std::optional(left >> right);
    }
}

std::optional<std::uint64_t> literal_value(std::string word) {
    std::erase(word, '\'');
    const bool hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    std::uint64_t result = 0;
    const char* from = word.data() + (hexadecimal ? 2 : 0);
    const auto [end, status] = std::from_chars(from, word.data() + word.size(), result, hexadecimal ? 16 : 10);
    const std::string_view rest(end, static_cast<std::size_t>(word.data() + word.size() - end));
    if (status != std::errc() || rest.find_first_not_of("uUlL") != std::string_view::npos) return std::nullopt;
    return result;
}

}  // namespace

SourceConstants::SourceConstants(const SourceTokens& tokens, Given given) : tokens_(tokens), given_(std::move(given)) {
    const Words& words = tokens.words;
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
        if (words[i] != "=" || !is_identifier(words[i - 1])) continue;
        // Back over the type to "const" or "constexpr".
        std::size_t from = i - 1;
        while (from > 0 && (is_identifier(words[from - 1]) || words[from - 1] == ":")) --from;
        const auto is_const = [](const std::string& word) { return word == "constexpr" || word == "const"; };
        if (std::none_of(words.begin() + static_cast<std::ptrdiff_t>(from),
                         words.begin() + static_cast<std::ptrdiff_t>(i), is_const))
            continue;
        places_[words[i - 1]].push_back(i + 1);
    }
}

std::optional<std::uint64_t> SourceConstants::value(const Words& words, std::size_t& at, unsigned depth) const {
    return binary(words, at, 0, depth);
}

std::string SourceConstants::type(const std::string& name) const {
    const auto found = given_.find(name);
    return found == given_.end() ? name : found->second;
}

std::optional<std::uint64_t> SourceConstants::binary(const Words& words, std::size_t& at, int min_strength,
                                                     unsigned depth) const {
    auto left = primary(words, at, depth);
    for (int found = strength(words, at); left && found >= min_strength; found = strength(words, at)) {
        const char what = words[at][0];
        at += found == 0 ? 2 : 1;
        const auto right = binary(words, at, found + 1, depth);
        if (!right) return std::nullopt;
        left = combined(*left, what, *right);
    }
    return left;
}

std::optional<std::uint64_t> SourceConstants::primary(const Words& words, std::size_t& at, unsigned depth) const {
    if (at >= words.size() || depth > kMaxDepth || work_ == 0) return std::nullopt;
    --work_;
    const std::string& word = words[at++];
    if (word == "(") {
        const auto inner = value(words, at, depth + 1);
        if (at >= words.size() || words[at++] != ")") return std::nullopt;
        return inner;
    }
    if (is_identifier(word)) return named(word, depth + 1);
    return literal_value(word);
}

std::optional<std::uint64_t> SourceConstants::named(const std::string& name, unsigned depth) const {
    if (const auto found = given_.find(name); found != given_.end()) return literal_value(found->second);
    if (const auto found = places_.find(name); found != places_.end()) {
        std::optional<std::uint64_t> result;
        for (std::size_t at : found->second) {
            const auto one = value(tokens_.words, at, depth);
            // Two constants of one name: which is meant would take a compiler to know.
            if (!one || (result && *result != *one)) return std::nullopt;
            result = one;
        }
        return result;
    }
    if (const auto found = tokens_.macros.find(name); found != tokens_.macros.end()) {
        std::size_t at = 0;
        const auto result = value(found->second, at, depth);
        return at == found->second.size() ? result : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace tilescope::image
