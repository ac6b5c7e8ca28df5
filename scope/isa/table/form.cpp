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
    std::size_t ordered = 0;  // elements before the `~`, which stand where they are; the others in any order
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
    bool any_order = false;
    syntax.opcode = text.substr(0, end);
    while (end != std::string_view::npos && end < text.size()) {
        if (text[end] == '~') {
            syntax.ordered = syntax.elements.size();
            any_order = true;
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
    if (!any_order) syntax.ordered = syntax.elements.size();
    return syntax;
}

// The word's place among the element's choices, or their end.
auto choice_of(const SyntaxElement& element, std::string_view word) {
    return std::find(element.choices.begin(), element.choices.end(), word);
}

// How results are rounded, flushed, cut or carried: of these the assembler takes each wherever it stands
// ("ex2.approx.f32.ftz", "fma.relu.oob.rn.f16", ptxas 13.0), and they mean the same there.
bool is_floating(std::string_view word) {
    static constexpr std::string_view kWords[] = {"ftz", "sat", "approx", "rn",  "rz",        "rm",
                                                  "rp",  "rna", "rni",    "rzi", "rmi",       "rpi",
                                                  "NaN", "cc",  "relu",   "oob", "satfinite", "xorsign"};
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// The first of these words that is one of the element's choices; its end.
auto first_of(const SyntaxElement& element, const std::vector<std::string_view>& words) {
    return std::find_if(words.begin(), words.end(),
                        [&](std::string_view word) { return choice_of(element, word) != element.choices.end(); });
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
    std::vector<std::string_view> standing, floating;
    for (const std::string& word : modifiers) (is_floating(word) ? floating : standing).push_back(word);
    std::size_t next = 0;
    for (std::size_t i = 0; i < parts.ordered; ++i) {
        const SyntaxElement& element = parts.elements[i];
        if (const auto free = first_of(element, floating); free != floating.end()) {
            take(*choice_of(element, *free));
            floating.erase(free);
        } else if (next < standing.size() && choice_of(element, standing[next]) != element.choices.end()) {
            take(*choice_of(element, standing[next++]));
        } else if (!element.optional) {
            return std::nullopt;
        }
    }
    // Each element takes the first word that may be its own, wherever it stands.
    std::vector<std::string_view> left(standing.begin() + static_cast<std::ptrdiff_t>(next), standing.end());
    left.insert(left.end(), floating.begin(), floating.end());
    for (std::size_t i = parts.ordered; i < parts.elements.size(); ++i) {
        const SyntaxElement& element = parts.elements[i];
        if (const auto found = first_of(element, left); found != left.end()) {
            take(*choice_of(element, *found));
            left.erase(found);
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
