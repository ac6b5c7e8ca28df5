#include "scope/isa/table/form.h"

#include <algorithm>

namespace tilescope::isa {
namespace {

// One element of a syntax: a literal word or a choice, required or optional.
struct SyntaxElement {
    std::vector<std::string_view> choices;
    bool optional = false;
};

struct Syntax {
    std::string_view opcode;
    std::vector<SyntaxElement> elements;
    std::size_t named = 0;  // elements before the `~`: they are part of the name
};

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        std::size_t space = text.find(' ');
        if (space != 0) words.push_back(text.substr(0, space));
        if (space == std::string_view::npos) break;
        text.remove_prefix(space + 1);
    }
    return words;
}

Syntax read(std::string_view text) {
    Syntax syntax;
    std::size_t end = text.find_first_of(".{~");
    syntax.opcode = text.substr(0, end);
    while (end != std::string_view::npos && end < text.size()) {
        if (text[end] == '~') {
            syntax.named = syntax.elements.size();
            ++end;
            continue;
        }
        SyntaxElement element;
        if (text[end] == '{') {
            element.optional = true;
            ++end;
        }
        ++end;  // the dot
        std::size_t stop;
        if (text[end] == '[') {
            stop = text.find(']', end);
            element.choices = split(text.substr(end + 1, stop - end - 1));
            ++stop;
        } else {
            stop = text.find_first_of(".{}~", end);
            if (stop == std::string_view::npos) stop = text.size();
            element.choices = {text.substr(end, stop - end)};
        }
        if (element.optional) ++stop;  // the closing brace
        syntax.elements.push_back(std::move(element));
        end = stop;
    }
    return syntax;
}

// The word's place among the element's choices, or their end.
auto choice_of(const SyntaxElement& element, std::string_view word) {
    return std::find(element.choices.begin(), element.choices.end(), word);
}

// Words of one kind keep their order among each other, wherever else they stand: the first type is that of the result,
// the first layout that of the first matrix.
enum class WordKind : std::uint8_t { kFree, kType, kLayout, kSpace, kPriority, kBitOperation };

bool is_type(std::string_view word) {
    if (type_by_name(word) != Type::kNone) return true;
    // Types of matrix elements and packed results, which have no registers of their own.
    static constexpr std::string_view kWords[] = {"b1", "b4",   "u2",   "s2",     "u4",
                                                  "s4", "e4m3", "e5m2", "e4m3x2", "e5m2x2"};
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

WordKind kind_of(std::string_view word) {
    const auto one_of = [&](std::initializer_list<std::string_view> words) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (is_type(word)) return WordKind::kType;
    if (one_of({"row", "col"})) return WordKind::kLayout;
    if (one_of({"global", "local", "const", "param"}) || word.starts_with("shared")) return WordKind::kSpace;
    if (word.starts_with("L2::evict")) return WordKind::kPriority;
    if (one_of({"and", "or", "xor", "popc"})) return WordKind::kBitOperation;
    return WordKind::kFree;
}

// The number of the word that the element takes: the first one that is one of its choices and the first of its kind.
// The count of words if none is.
std::size_t taken_by(const SyntaxElement& element, const std::vector<std::string_view>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (choice_of(element, words[i]) == element.choices.end()) continue;
        const WordKind kind = kind_of(words[i]);
        const auto before = words.begin() + static_cast<std::ptrdiff_t>(i);
        if (kind == WordKind::kFree ||
            std::none_of(words.begin(), before, [&](std::string_view word) { return kind_of(word) == kind; }))
            return i;
    }
    return words.size();
}

}  // namespace

std::string_view opcode_of(std::string_view syntax) { return syntax.substr(0, syntax.find_first_of(".{~")); }

std::optional<Form> Form::match(std::string_view syntax, std::string_view opcode,
                                const std::vector<std::string>& modifiers) {
    if (opcode_of(syntax) != opcode) return std::nullopt;
    const Syntax parts = read(syntax);
    Form form;
    const auto take = [&](std::string_view word) {
        form.words_.push_back(word);
        if (Type type = type_by_name(word); type != Type::kNone) form.types_.push_back(type);
    };
    std::vector<std::string_view> left(modifiers.begin(), modifiers.end());
    for (std::size_t i = 0; i < parts.elements.size(); ++i) {
        const SyntaxElement& element = parts.elements[i];
        std::size_t word = 0;
        if (i >= parts.named)
            word = taken_by(element, left);
        else if (!left.empty() && choice_of(element, left.front()) == element.choices.end())
            word = left.size();
        if (word < left.size()) {
            take(*choice_of(element, left[word]));
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(word));
        } else if (!element.optional) {
            return std::nullopt;
        }
    }
    if (!left.empty()) return std::nullopt;
    return form;
}

bool Form::has(std::string_view word) const { return std::find(words_.begin(), words_.end(), word) != words_.end(); }

std::string_view Form::one_of(std::initializer_list<std::string_view> choices) const {
    for (std::string_view word : words_)
        if (std::find(choices.begin(), choices.end(), word) != choices.end()) return word;
    return {};
}

void for_each_spelling(std::string_view text, std::size_t limit,
                       const std::function<void(std::string_view, const std::vector<std::string>&)>& visit) {
    const Syntax syntax = read(text);
    std::vector<std::string> words;
    std::size_t seen = 0;
    std::function<void(std::size_t)> walk = [&](std::size_t at) {
        if (seen >= limit) return;
        if (at == syntax.elements.size()) {
            ++seen;
            visit(syntax.opcode, words);
            return;
        }
        const SyntaxElement& element = syntax.elements[at];
        if (element.optional) walk(at + 1);
        for (std::string_view choice : element.choices) {
            words.emplace_back(choice);
            walk(at + 1);
            words.pop_back();
        }
    };
    walk(0);
}

}  // namespace tilescope::isa
