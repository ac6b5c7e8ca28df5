#include "scope/session/kernel_source.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "scope/base/names.h"
#include "scope/session/source_tokens.h"

namespace tilescope {
namespace {

constexpr unsigned kMaxDepth = 16;

// Values of names: template arguments first, then constants of the kernel, of the file, and macros.
class Constants {
public:
    Constants(const SourceTokens& tokens, std::map<std::string, std::string, std::less<>> given)
        : tokens_(tokens), given_(std::move(given)) {
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

    std::optional<std::uint64_t> value(const Words& words, std::size_t& at, unsigned depth = 0) const {
        return binary(words, at, 0, depth);
    }
    std::string type(const std::string& name) const {
        const auto found = given_.find(name);
        return found == given_.end() ? name : found->second;
    }

private:
    static int strength(const Words& words, std::size_t at) {
        if (at >= words.size()) return -1;
        const std::string& word = words[at];
        if (word == "*" || word == "/" || word == "%") return 2;
        if (word == "+" || word == "-") return 1;
        if ((word == "<" || word == ">") && at + 1 < words.size() && words[at + 1] == word) return 0;
        return -1;
    }

    std::optional<std::uint64_t> binary(const Words& words, std::size_t& at, int least, unsigned depth) const {
        auto left = primary(words, at, depth);
        for (int found = strength(words, at); left && found >= least; found = strength(words, at)) {
            const char what = words[at][0];
            at += found == 0 ? 2 : 1;
            const auto right = binary(words, at, found + 1, depth);
            if (!right) return std::nullopt;
            left = combined(*left, what, *right);
        }
        return left;
    }

    static std::optional<std::uint64_t> combined(std::uint64_t left, char what, std::uint64_t right) {
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

    std::optional<std::uint64_t> primary(const Words& words, std::size_t& at, unsigned depth) const {
        if (at >= words.size() || depth > kMaxDepth || work_ == 0) return std::nullopt;
        --work_;
        const std::string& word = words[at++];
        if (word == "(") {
            const auto inner = value(words, at, depth + 1);
            if (at >= words.size() || words[at++] != ")") return std::nullopt;
            return inner;
        }
        if (is_identifier(word)) return named(word, depth + 1);
        return number(word);
    }

    static std::optional<std::uint64_t> number(std::string word) {
        std::erase(word, '\'');
        const bool hexadecimal = word.starts_with("0x") || word.starts_with("0X");
        std::uint64_t result = 0;
        const char* from = word.data() + (hexadecimal ? 2 : 0);
        const auto [end, status] = std::from_chars(from, word.data() + word.size(), result, hexadecimal ? 16 : 10);
        const std::string_view rest(end, static_cast<std::size_t>(word.data() + word.size() - end));
        if (status != std::errc() || rest.find_first_not_of("uUlL") != std::string_view::npos) return std::nullopt;
        return result;
    }

    std::optional<std::uint64_t> named(const std::string& name, unsigned depth) const {
        if (const auto found = given_.find(name); found != given_.end()) return number(found->second);
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

    const SourceTokens& tokens_;
    mutable unsigned work_ = 100000;  // values that may yet be looked up: definitions may double from one to the next
    std::map<std::string, std::string, std::less<>> given_;
    std::map<std::string, std::vector<std::size_t>, std::less<>> places_;  // where the values of constants begin
};

// Splits words [from, to) at commas outside all brackets, angle brackets among them.
std::vector<Words> split(const Words& words, std::size_t from, std::size_t to) {
    std::vector<Words> parts;
    int depth = 0;
    for (std::size_t i = from; i < to; ++i) {
        const std::string& word = words[i];
        if (word == "(" || word == "[" || word == "{" || word == "<") ++depth;
        if (word == ")" || word == "]" || word == "}" || word == ">") --depth;
        if (word == "," && depth == 0) {
            parts.emplace_back();
            continue;
        }
        if (parts.empty()) parts.emplace_back();
        parts.back().push_back(word);
    }
    return parts;
}

const std::set<std::string_view>& qualifiers() {
    // Never destroyed, here and below: a program's exit handlers may launch.
    static const auto* const kWords =
        new std::set<std::string_view>{"const",    "volatile",          "struct",   "class",      "typename",
                                       "register", "__grid_constant__", "restrict", "__restrict", "__restrict__"};
    return *kWords;
}
// Types that need no further word, and those that may stand before one.
bool is_type_word(std::string_view word) {
    static const auto* const kWords = new std::set<std::string_view>{"unsigned", "signed", "long", "short",  "int",
                                                                     "char",     "float",  "bool", "double", "void"};
    return kWords->contains(word);
}

// The name that a parameter declares: the last word that is no part of its type.
std::string declared_name(const Words& words) {
    std::size_t end = words.size();
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == "=" || words[i] == "[") {
            end = i;
            break;
        }
    // float (*rows)[4]
    for (std::size_t i = 0; i + 2 < end; ++i)
        if (words[i] == "(" && words[i + 1] == "*" && is_identifier(words[i + 2])) return words[i + 2];
    std::size_t types = 0;
    std::string name;
    bool scoped = false;
    for (std::size_t i = 0; i < end; ++i) {
        const std::string& word = words[i];
        if (!is_identifier(word) || qualifiers().contains(word)) {
            if (word == "*" || word == "&" || word == ">") name.clear(), ++types;
            scoped = word == ":";
            continue;
        }
        if (is_type_word(word) || scoped) {
            name.clear();
            ++types;
        } else {
            if (!name.empty()) ++types;
            name = word;
        }
        scoped = false;
    }
    return types == 0 ? std::string() : name;
}

struct Definition {
    std::vector<std::string> parameters, template_parameters;
    std::size_t body = 0, end = 0;  // words of the body
};

// Template parameters in front of the word at `at`, which begins a declaration.
std::vector<std::string> template_parameters(const Words& words, std::size_t at) {
    // Back to the last "template <" before any end of a declaration.
    std::size_t from = at;
    while (from > 0 && words[from - 1] != ";" && words[from - 1] != "}" && words[from - 1] != "{") --from;
    for (; from + 1 < at; ++from)
        if (words[from] == "template" && words[from + 1] == "<") break;
    if (from + 1 >= at) return {};
    int depth = 0;
    std::size_t end = from + 1;
    for (; end < at; ++end) {
        if (words[end] == "<") ++depth;
        if (words[end] == ">" && --depth == 0) break;
    }
    std::vector<std::string> names;
    for (const Words& part : split(words, from + 2, end)) names.push_back(declared_name(part));
    // "class T" has no type word.
    std::size_t i = 0;
    for (const Words& part : split(words, from + 2, end)) {
        if (names[i].empty())
            for (std::size_t k = 0; k < part.size() && part[k] != "="; ++k)
                if (is_identifier(part[k])) names[i] = part[k];
        ++i;
    }
    return names;
}

std::optional<Definition> find_definition(const Words& words, std::string_view name, std::size_t parameters) {
    std::optional<Definition> declared;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] != "__global__") continue;
        std::size_t at = i + 1;
        while (at + 1 < words.size() && !(words[at] == name && words[at + 1] == "(") && words[at] != "{" &&
               words[at] != ";")
            ++at;
        if (at + 1 >= words.size() || words[at] != name) continue;
        const std::size_t close = behind_bracket(words, at + 1);
        Definition found;
        for (const Words& part : split(words, at + 2, close - 1)) found.parameters.push_back(declared_name(part));
        if (found.parameters.size() == 1 && parameters == 0) found.parameters.clear();  // (void)
        if (found.parameters.size() != parameters) continue;
        found.template_parameters = template_parameters(words, i);
        if (close < words.size() && words[close] == "{") {
            found.body = close;
            found.end = behind_bracket(words, close);
            return found;
        }
        if (!declared) declared = found;
    }
    return declared;
}

// The declarations behind one __shared__, up to the semicolon.
void read_shared(const Words& words, std::size_t from, std::size_t to, const Constants& constants,
                 std::vector<SharedDeclaration>& into) {
    Words rest;
    for (std::size_t i = from; i < to; ++i) {
        if (words[i] == "__align__" || words[i] == "alignas") {
            i = behind_bracket(words, i + 1) - 1;
            continue;
        }
        rest.push_back(words[i]);
    }
    std::string type;
    for (const Words& part : split(rest, 0, rest.size())) {
        const auto bracket = static_cast<std::size_t>(std::find(part.begin(), part.end(), "[") - part.begin());
        if (bracket == 0 || !is_identifier(part[bracket - 1])) return;
        SharedDeclaration declaration;
        declaration.name = part[bracket - 1];
        if (into.empty() || type.empty()) {
            for (std::size_t i = 0; i + 1 < bracket; ++i)
                if (!qualifiers().contains(part[i]) && part[i] != "static")
                    type += (type.empty() ? "" : " ") + constants.type(part[i]);
        }
        declaration.type = type;
        for (std::size_t at = bracket; at < part.size() && part[at] == "[";) {
            const std::size_t behind = behind_bracket(part, at);
            ++at;
            const auto size = constants.value(part, at);
            if (!size || at + 1 != behind || *size == 0) {
                declaration.shape.clear();
                break;
            }
            declaration.shape.push_back(*size);
            at = behind;
        }
        into.push_back(std::move(declaration));
    }
}

// Top-level parts of the text between the brackets at `open` and its partner.
std::vector<std::string> parts_of(std::string_view text, std::size_t open) {
    std::vector<std::string> parts;
    int depth = 0;
    std::string part;
    const auto close = [&] {
        part.erase(part.find_last_not_of(' ') + 1);
        parts.push_back(std::exchange(part, {}));
    };
    for (std::size_t i = open; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(' || c == '<' || c == '[') {
            if (++depth == 1) continue;
        }
        if ((c == ')' || c == '>' || c == ']') && --depth == 0) break;
        if (c == ',' && depth == 1) {
            close();
            continue;
        }
        if (c != ' ' || !part.empty()) part += c;
    }
    if (!part.empty()) close();
    return parts;
}

}  // namespace

std::vector<std::string> template_arguments(std::string_view demangled) {
    const std::size_t open = demangled.substr(0, demangled.find('(')).find('<');
    return open == std::string_view::npos ? std::vector<std::string>{} : parts_of(demangled, open);
}

std::vector<std::string> parameter_types(std::string_view demangled) {
    int depth = 0;
    for (std::size_t i = 0; i < demangled.size(); ++i) {
        if (demangled[i] == '<') ++depth;
        if (demangled[i] == '>') --depth;
        if (demangled[i] == '(' && depth == 0) {
            if (demangled.substr(i).starts_with("(anonymous namespace)")) {
                i += std::string_view("(anonymous namespace)").size() - 1;
                continue;
            }
            return parts_of(demangled, i);
        }
    }
    return {};
}

std::optional<KernelSource> read_kernel_source(std::string_view text, std::string_view demangled,
                                               std::size_t parameters) {
    const SourceTokens tokens = tokenise(text);
    const auto found = find_definition(tokens.words, short_kernel_name(demangled), parameters);
    if (!found) return std::nullopt;
    const std::vector<std::string> arguments = template_arguments(demangled);
    std::map<std::string, std::string, std::less<>> given;
    for (std::size_t i = 0; i < found->template_parameters.size() && i < arguments.size(); ++i)
        given[found->template_parameters[i]] = arguments[i];
    const Constants constants(tokens, std::move(given));
    KernelSource source;
    source.parameters = found->parameters;
    for (std::size_t i = 0; i < tokens.words.size(); ++i) {
        // The dynamic array is often declared outside.
        const bool inside = i >= found->body && i<found->end, is_extern = i> 0 && tokens.words[i - 1] == "extern";
        if (tokens.words[i] != "__shared__" || !(inside || is_extern)) continue;
        std::size_t end = i;
        while (end < tokens.words.size() && tokens.words[end] != ";" && tokens.words[end] != "=") ++end;
        read_shared(tokens.words, i + 1, end, constants, source.shared);
        i = end;
    }
    return source;
}

}  // namespace tilescope
