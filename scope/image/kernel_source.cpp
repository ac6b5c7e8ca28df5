#include "scope/image/kernel_source.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "scope/base/files.h"
#include "scope/base/names.h"
#include "scope/image/source_constants.h"
#include "scope/image/source_tokens.h"

namespace tilescope::image {
namespace {

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

struct KernelDefinition {
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

std::optional<KernelDefinition> find_definition(const Words& words, std::string_view name, std::size_t parameters) {
    std::optional<KernelDefinition> declared;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] != "__global__") continue;
        std::size_t at = i + 1;
        while (at + 1 < words.size() && !(words[at] == name && words[at + 1] == "(") && words[at] != "{" &&
               words[at] != ";")
            ++at;
        if (at + 1 >= words.size() || words[at] != name) continue;
        const std::size_t close = behind_bracket(words, at + 1);
        KernelDefinition found;
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
void read_shared_declarations(const Words& words, std::size_t from, std::size_t to, const SourceConstants& constants,
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

std::optional<std::string> read_text(const std::filesystem::path& path) {
    constexpr std::uintmax_t kLargest = 4 << 20;
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed) || std::filesystem::file_size(path, failed) > kLargest)
        return std::nullopt;
    return read_whole_file(path);
}

}  // namespace

std::optional<KernelSource> read_kernel_source(std::string_view text, std::string_view demangled,
                                               std::size_t parameters) {
    const SourceTokens tokens = tokenise(text);
    const auto found = find_definition(tokens.words, short_kernel_name(demangled), parameters);
    if (!found) return std::nullopt;
    const std::vector<std::string> arguments = template_arguments(demangled);
    std::map<std::string, std::string, std::less<>> given;
    for (std::size_t i = 0; i < found->template_parameters.size() && i < arguments.size(); ++i)
        given[found->template_parameters[i]] = arguments[i];
    const SourceConstants constants(tokens, std::move(given));
    KernelSource source;
    source.parameters = found->parameters;
    for (std::size_t i = 0; i < tokens.words.size(); ++i) {
        // The dynamic array is often declared outside.
        const bool inside = i >= found->body && i<found->end, is_extern = i> 0 && tokens.words[i - 1] == "extern";
        if (tokens.words[i] != "__shared__" || !(inside || is_extern)) continue;
        std::size_t end = i;
        while (end < tokens.words.size() && tokens.words[end] != ";" && tokens.words[end] != "=") ++end;
        read_shared_declarations(tokens.words, i + 1, end, constants, source.shared);
        i = end;
    }
    return source;
}

std::optional<KernelSource> find_kernel_source(const std::vector<std::string>& files, std::string_view demangled,
                                               std::size_t parameters) {
    std::set<std::string> tried;
    for (const std::string& file : files) {
        if (!tried.insert(file).second) continue;
        const auto text = read_text(file);
        if (!text) continue;
        if (auto found = read_kernel_source(*text, demangled, parameters)) return found;
    }
    return std::nullopt;
}

}  // namespace tilescope::image
