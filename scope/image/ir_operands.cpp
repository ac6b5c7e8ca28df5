#include "scope/image/ir_operands.h"

#include <array>
#include <charconv>

#include "scope/image/text_lines.h"

namespace tilescope::image {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

std::optional<Arguments> split_arguments(std::string_view text) {
    Arguments arguments;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(' || c == '{' || c == '[') ++depth;
        if (c == ')' && depth == 0) {
            arguments.each.push_back(trimmed(text.substr(start, i - start)));
            arguments.rest = text.substr(i + 1);
            return arguments;
        }
        if (c == ')' || c == '}' || c == ']') --depth;
        if (c == ',' && depth == 0) {
            arguments.each.push_back(trimmed(text.substr(start, i - start)));
            start = i + 1;
        }
    }
    return std::nullopt;
}

std::optional<Pointer> parse_pointer(std::string_view text) {
    Pointer pointer;
    pointer.typed = take(text, "i8");
    if (!pointer.typed && !take(text, "ptr")) return std::nullopt;
    text = trimmed(text);
    if (text.starts_with("addrspace(")) {
        const std::size_t end = text.find(')');
        if (end == std::string_view::npos) return std::nullopt;
        pointer.space = " " + std::string(text.substr(0, end + 1));
        text = trimmed(text.substr(end + 1));
    }
    if (pointer.typed && !take(text, "*")) return std::nullopt;
    static constexpr std::array<std::string_view, 6> kPlain = {"noundef ",   "nonnull ",  "noalias ",
                                                               "nocapture ", "readonly ", "writeonly "};
    for (bool more = true; more;) {
        text = trimmed(text);
        more = false;
        for (const std::string_view word : kPlain) more = more || take(text, word);
        if (take(text, "align ")) {
            const auto align = take_number(text);
            if (!align) return std::nullopt;
            pointer.align = *align;
            more = true;
        } else if (take(text, "dereferenceable(") || take(text, "dereferenceable_or_null(")) {
            if (!take_number(text) || !take(text, ")")) return std::nullopt;
            more = true;
        }
    }
    static constexpr std::array<std::string_view, 5> kValues = {"%", "@", "bitcast (", "getelementptr ",
                                                                "addrspacecast ("};
    for (const std::string_view start : kValues)
        if (text.starts_with(start)) pointer.value = text;
    if (pointer.value.empty()) return std::nullopt;
    return pointer;
}

std::vector<std::string_view> split_operands(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        if (c == '"') i = std::min(text.find('"', i + 1), text.size());  // names in quotes hold any character
        if (c == '(' || c == '{' || c == '[' || c == '<') ++depth;
        if (c == ')' || c == '}' || c == ']' || c == '>') --depth;
        if (c != ',' || depth > 0) continue;
        parts.push_back(trimmed(text.substr(start, std::min(i, text.size()) - start)));
        start = i + 1;
    }
    return parts;
}

Instruction instruction_of(std::string_view line) {
    if (!take(line, "  ")) return {};
    if (!line.starts_with('%')) return {{}, line};
    const std::size_t equals = line.find(" = ");
    return equals == std::string_view::npos ? Instruction{}
                                            : Instruction{line.substr(0, equals), line.substr(equals + 3)};
}

std::string_view value_of(std::string_view operand) {
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < operand.size(); ++i) {
        const char c = operand[i];
        if (c == '(' || c == '{' || c == '[' || c == '<') ++depth;
        if (c == ')' || c == '}' || c == ']' || c == '>') --depth;
        if (c == ' ' && depth == 0) start = i + 1;
    }
    return operand.substr(start);
}

std::string debug_of_instruction(std::string_view text) {
    const std::size_t at = text.find("!dbg !");
    if (at == std::string_view::npos) return {};
    std::string_view number = text.substr(at + 6);
    const auto value = take_number(number);
    return value ? ", !dbg !" + std::to_string(*value) : std::string();
}

}  // namespace tilescope::image
