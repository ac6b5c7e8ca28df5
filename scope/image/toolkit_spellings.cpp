#include "scope/image/toolkit_spellings.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilescope::image {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A reader of C++ text that knows where strings and comments end. Raw strings are taken for ordinary ones.
class SpellingReader {
public:
    explicit SpellingReader(std::string_view text) : text_(text) {}

    std::string read() {
        while (at_ < text_.size()) {
            if (starts_word())
                word();
            else if (!skip_comment() && !skip_literal())
                copy(1);
        }
        return std::move(out_);
    }

private:
    bool starts_word() const { return is_word(text_[at_]) && (at_ == 0 || !is_word(text_[at_ - 1])); }
    void copy(std::size_t count) {
        count = std::min(count, text_.size() - at_);
        out_ += text_.substr(at_, count);
        at_ += count;
    }

    bool skip_comment() {
        const std::string_view rest = text_.substr(at_);
        const bool line = rest.starts_with("//");
        if (!line && !rest.starts_with("/*")) return false;
        const std::size_t end = line ? rest.find('\n') : rest.find("*/", 2);
        copy(end == std::string_view::npos ? rest.size() : end + (line ? 0 : 2));
        return true;
    }

    // Index behind the literal that starts here.
    std::size_t behind_literal(std::size_t from) const {
        const char quote = text_[from];
        std::size_t end = from + 1;
        while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
        return std::min(end + 1, text_.size());
    }
    bool skip_literal() {
        if (text_[at_] != '"' && text_[at_] != '\'') return false;
        copy(behind_literal(at_) - at_);
        return true;
    }

    void word() {
        std::size_t end = at_;
        while (end < text_.size() && is_word(text_[end])) ++end;
        const std::string_view found = text_.substr(at_, end - at_);
        if (end < text_.size() && text_[end] == '\'') ++end;  // digits in groups: no literal begins here
        if (found == "alignas" && (last_ == "__shared__" || last_ == "__constant__" || last_ == "__device__")) {
            out_ += "_Alignas";  // which clang takes among the words of a declaration, as it takes attributes there
            at_ = end;
        } else {
            copy(end - at_);
        }
        const std::size_t next = text_.find_first_not_of(" \t\r\n", end);
        last_ = next != std::string_view::npos && is_word(text_[next]) ? found : std::string_view();
        static constexpr std::array<std::string_view, 3> kAssembly = {"asm", "__asm__", "__asm"};
        if (std::find(kAssembly.begin(), kAssembly.end(), found) != kAssembly.end()) assembly();
    }

    // From behind the word asm: the text of one that has operands.
    void assembly() {
        std::size_t open = text_.find_first_not_of(" \t\r\n", at_);
        static constexpr std::array<std::string_view, 2> kVolatile = {"volatile", "__volatile__"};
        for (const std::string_view word : kVolatile)
            if (open != std::string_view::npos && text_.substr(open).starts_with(word))
                open = text_.find_first_not_of(" \t\r\n", open + word.size());
        if (open == std::string_view::npos || text_[open] != '(') return;
        copy(open + 1 - at_);
        const std::size_t operands = start_of_operands();
        if (operands == std::string_view::npos) return;
        while (at_ < operands) {
            if (text_[at_] == '"')
                registers(behind_literal(at_));
            else if (!skip_comment())
                copy(1);
        }
    }
    std::size_t start_of_operands() const {
        for (std::size_t i = at_; i < text_.size(); ++i) {
            if (text_[i] == '"')
                i = behind_literal(i) - 1;
            else if (text_[i] == ':')
                return i;
            else if (text_[i] == ')' || text_[i] == ';')
                break;
        }
        return std::string_view::npos;
    }
    // Up to `end`, behind a literal: a percent sign before a name of several letters is no operand's.
    void registers(std::size_t end) {
        while (at_ < end) {
            if (text_[at_] != '%') {
                copy(1);
                continue;
            }
            std::size_t name = at_ + 1;
            while (name < end && is_word(text_[name])) ++name;
            const bool doubled = text_.substr(at_ + 1).starts_with('%');
            const bool named = name - at_ > 3 && std::isalpha(static_cast<unsigned char>(text_[at_ + 1])) != 0 &&
                               std::isalpha(static_cast<unsigned char>(text_[at_ + 2])) != 0;
            if (named) out_ += '%';
            copy(doubled ? 2 : 1);
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string out_;
    std::string_view last_;  // the word before, if white space alone is between
};

}  // namespace

std::string for_clang(std::string_view text) { return SpellingReader(text).read(); }

std::vector<std::string> files_with_toolkit_spellings(const Diagnostics& errors) {
    std::vector<std::string> files;
    for (const Diagnostic& error : errors) {
        const bool ours = error.message.find("an attribute list cannot appear here") != std::string::npos ||
                          error.message.find("invalid % escape in inline assembly string") != std::string::npos;
        if (ours && std::find(files.begin(), files.end(), error.location.file) == files.end())
            files.push_back(error.location.file);
    }
    return files;
}

}  // namespace tilescope::image
