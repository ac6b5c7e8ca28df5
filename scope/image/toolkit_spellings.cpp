#include "scope/image/toolkit_spellings.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilescope::image {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool names_memory(std::string_view word) {
    static constexpr std::array<std::string_view, 4> kWords = {"__shared__", "__constant__", "__device__",
                                                               "__managed__"};
    return is_one_of(word, kWords);
}

// Words before an alignment that no type and no macro ends with. Compilers agree on what follows them.
bool precedes_any_alignment(std::string_view word) {
    static constexpr std::array<std::string_view, 15> kWords = {
        "struct", "class",     "union",   "enum",         "static",  "extern", "const", "volatile",
        "inline", "constexpr", "typedef", "thread_local", "mutable", "else",   "do"};
    return is_one_of(word, kWords);
}

// Reads C++ text and knows where strings, comments, attributes and bodies of macros begin. Takes raw strings for
// ordinary ones.
class SpellingReader {
public:
    explicit SpellingReader(std::string_view text) : text_(text) {}

    std::string read() {
        while (at_ < text_.size()) {
            if (starts_word())
                word();
            else if (!skip_blank() && !skip_attribute() && !skip_literal())
                punctuation();
        }
        return std::move(out_);
    }

private:
    bool starts_word() const { return is_word(text_[at_]) && (at_ == 0 || !is_word(text_[at_ - 1])); }
    bool has(std::size_t at, std::string_view what) const {
        return text_.substr(std::min(at, text_.size())).starts_with(what);
    }
    void copy(std::size_t count) {
        count = std::min(count, text_.size() - at_);
        out_ += text_.substr(at_, count);
        at_ += count;
    }
    // Leaves out the text up to `end`, but no line.
    void blank(std::size_t end) {
        for (; at_ < end; ++at_) out_ += text_[at_] == '\n' ? '\n' : ' ';
    }

    // Index behind the white space and the comments that start here.
    std::size_t behind_blank(std::size_t at) const {
        for (;;) {
            at = std::min(text_.find_first_not_of(" \t\r\n", at), text_.size());
            const bool line = has(at, "//");
            if (!line && !has(at, "/*")) return at;
            const std::size_t end = line ? text_.find('\n', at) : text_.find("*/", at + 2);
            if (end == std::string_view::npos) return text_.size();
            at = end + (line ? 1 : 2);
        }
    }
    std::size_t behind_word(std::size_t at) const {
        while (at < text_.size() && is_word(text_[at])) ++at;
        return at;
    }
    // Index behind the literal that starts here.
    std::size_t behind_literal(std::size_t from) const {
        const char quote = text_[from];
        std::size_t end = from + 1;
        while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
        return std::min(end + 1, text_.size());
    }
    // Index behind the bracket that closes the one here; the text's end where none does.
    std::size_t behind_brackets(std::size_t at) const {
        int open = 0;
        while (at < text_.size()) {
            const char c = text_[at];
            if (c == '"' || c == '\'') {
                at = behind_literal(at);
                continue;
            }
            if (c == '(' || c == '[') ++open;
            ++at;
            if ((c == ')' || c == ']') && --open == 0) break;
        }
        return at;
    }

    bool skip_blank() {
        const std::size_t end = behind_blank(at_);
        if (end == at_) return false;
        copy(end - at_);
        return true;
    }
    bool skip_literal() {
        if (text_[at_] != '"' && text_[at_] != '\'') return false;
        copy(behind_literal(at_) - at_);
        last_ = {};
        return true;
    }
    // nvcc takes `[[...]]` behind a memory word, where clang has no place for it.
    bool skip_attribute() {
        if (!has(at_, "[[")) return false;
        const std::size_t end = behind_brackets(at_);
        if (names_memory(last_))
            blank(end);
        else
            copy(end - at_);
        return true;
    }
    void punctuation() {
        last_ = text_.substr(at_, 1);
        copy(1);
    }

    void word() {
        std::size_t end = behind_word(at_);
        const std::string_view found = text_.substr(at_, end - at_);
        if (end < text_.size() && text_[end] == '\'') ++end;  // digits in groups: no literal begins here
        if (found == "alignas" && has(behind_blank(end), "(")) return alignment(end);
        copy(end - at_);
        if (found == "define" && last_ == "#") return macro_head();
        last_ = found;
        static constexpr std::array<std::string_view, 3> kAssembly = {"asm", "__asm__", "__asm"};
        if (is_one_of(found, kAssembly)) assembly();
    }

    // The name and the parameters of a macro.
    void macro_head() {
        std::size_t end = behind_word(std::min(text_.find_first_not_of(" \t", at_), text_.size()));
        if (has(end, "(")) end = behind_brackets(end);
        copy(end - at_);
        last_ = kMacroHead;
    }

    // Whether a declarator stands here: a pointer, or a name and what may follow one.
    bool declares(std::size_t at) const {
        if (has(at, "*") || has(at, "&")) return true;
        const std::size_t end = behind_word(at);
        if (end == at) return false;
        const std::size_t next = behind_blank(end);
        return next == text_.size() || std::string_view(";[={,):").find(text_[next]) != std::string_view::npos;
    }

    // `alignas(...)`, of which the word ends here. It leaves last_ as it is: several may follow each other.
    void alignment(std::size_t word_end) {
        const std::size_t open = behind_blank(word_end), close = behind_brackets(open), next = behind_blank(close);
        const bool behind_name =
            (!last_.empty() && is_word(last_[0]) && !precedes_any_alignment(last_)) || last_ == ">";
        if (names_memory(last_)) {
            replace_word("_Alignas", word_end, close);  // which clang takes among the words of a declaration
        } else if (last_ == kMacroHead || last_ == "]") {
            replace_word("__attribute__((aligned", word_end, close);  // which clang takes everywhere, but not of a type
            out_ += "))";
        } else if (behind_name && declares(next)) {
            replace_word("__tilescope_alignas_behind_type", word_end, close);
        } else if (behind_name && next < text_.size() && is_word(text_[next])) {
            replace_word("_Alignas", word_end, close);  // behind a macro that names the memory
        } else {
            copy(close - at_);
        }
    }
    void replace_word(std::string_view by, std::size_t word_end, std::size_t end) {
        out_ += by;
        at_ = word_end;
        copy(end - at_);
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
            else if (!skip_blank())
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
    std::string_view last_;  // the word or the character before, whatever white space and comments are between
    static constexpr std::string_view kMacroHead = "#define";
};

}  // namespace

std::string for_clang(std::string_view text) { return SpellingReader(text).read(); }

std::vector<std::string> files_with_toolkit_spellings(const Diagnostics& errors) {
    static constexpr std::array<std::string_view, 3> kMarks = {"an attribute list cannot appear here",
                                                               "attribute cannot be applied to types",
                                                               "invalid % escape in inline assembly string"};
    std::vector<std::string> files;
    const auto add = [&](std::string file) {
        if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(std::move(file));
    };
    for (const Diagnostic& error : errors) {
        const std::string& said = error.message;
        if (std::none_of(kMarks.begin(), kMarks.end(), [&](auto mark) { return said.find(mark) != said.npos; }))
            continue;
        add(error.location.file);
        // "FILE:LINE:COLUMN: note: expanded from macro 'NAME'", on a line of its own.
        for (std::size_t at = 0; (at = said.find(": note: expanded from macro", at)) != said.npos; ++at) {
            const std::size_t line = said.rfind('\n', at) + 1, column = said.rfind(':', at - 1);
            if (column == said.npos || column <= line) continue;
            const std::size_t colon = said.rfind(':', column - 1);
            if (colon != said.npos && colon > line) add(said.substr(line, colon - line));
        }
    }
    return files;
}

}  // namespace tilescope::image
