#include "scope/image/source_tokens.h"

#include <algorithm>
#include <cctype>

namespace tilescope::image {
namespace {

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_word(char c) { return starts_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    SourceTokens run() {
        bool line_start = true;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                line_start = true;
                ++at_;
            } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
                ++at_;
            } else if (c == '#' && line_start) {
                directive();
            } else {
                line_start = false;
                word(tokens_.words);
            }
        }
        return std::move(tokens_);
    }

private:
    bool at(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

    void word(Words& into) {
        const char c = text_[at_];
        if (at("//")) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (at("/*")) {
            const std::size_t end = text_.find("*/", at_ + 2);
            at_ = end == std::string_view::npos ? text_.size() : end + 2;
        } else if (at("R\"")) {
            raw_string();
        } else if (c == '"' || c == '\'') {
            literal(c);
        } else if (continues_word(c)) {
            const std::size_t from = at_;
            const bool digits = !starts_word(c);
            // 1'000 and 1.5 are one number.
            while (at_ < text_.size() &&
                   (continues_word(text_[at_]) || (digits && (text_[at_] == '\'' || text_[at_] == '.'))))
                ++at_;
            into.emplace_back(text_.substr(from, at_ - from));
        } else {
            into.emplace_back(1, c);
            ++at_;
        }
    }

    void literal(char quote) {
        for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
            if (text_[at_] == '\\') ++at_;
        at_ = std::min(at_ + 1, text_.size());
    }

    void raw_string() {
        const std::size_t open = text_.find('(', at_);
        if (open == std::string_view::npos) {
            at_ = text_.size();
            return;
        }
        const std::string end = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
        const std::size_t close = text_.find(end, open);
        at_ = close == std::string_view::npos ? text_.size() : close + end.size();
    }

    // A preprocessor line, with those it is continued by.
    void directive() {
        Words line;
        bool function_like = false;
        while (at_ < text_.size() && text_[at_] != '\n') {
            if (at("\\\n")) {
                at_ += 2;
            } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
                ++at_;
            } else {
                const bool touches = at_ > 0 && continues_word(text_[at_ - 1]);
                word(line);
                if (line.size() == 4 && line.back() == "(") function_like = touches;
            }
        }
        if (line.size() < 3 || line[1] != "define" || function_like) return;
        Words& value = tokens_.macros[line[2]];
        value.insert(value.end(), line.begin() + 3, line.end());
    }

    std::string_view text_;
    std::size_t at_ = 0;
    SourceTokens tokens_;
};

}  // namespace

SourceTokens tokenise(std::string_view text) { return Scanner(text).run(); }

bool is_identifier(std::string_view word) { return !word.empty() && starts_word(word[0]); }

std::size_t behind_bracket(const Words& words, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "(" || word == "[" || word == "{") ++depth;
        if (word == ")" || word == "]" || word == "}") --depth;
        if (depth == 0) return i + 1;
    }
    return words.size();
}

}  // namespace tilescope::image
