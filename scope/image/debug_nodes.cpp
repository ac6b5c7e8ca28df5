#include "scope/image/debug_nodes.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace tilescope::image::debug {

std::optional<std::uint64_t> number_at(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc() ? std::optional(number) : std::nullopt;
}

// "!12" to 12.
std::optional<Id> reference(std::string_view text) {
    if (!take(text, "!")) return std::nullopt;
    const auto number = number_at(text);
    return number && *number <= UINT32_MAX ? std::optional(static_cast<Id>(*number)) : std::nullopt;
}

// Where the value that starts at `at` ends: before the comma or bracket behind it.
std::size_t end_of_value(std::string_view text, std::size_t at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') {
            at = std::min(text.find('"', at + 1), text.size() - 1);
        } else if (c == '(' || c == '{') {
            ++depth;
        } else if (c == ')' || c == '}') {
            if (depth-- == 0) return at;
        } else if (c == ',' && depth == 0) {
            return at;
        }
    }
    return text.size();
}

// The value of "key: value" in "!DILocalVariable(name: "M", arg: 1, scope: !4)", or nothing.
std::string_view field(std::string_view node, std::string_view key) {
    for (std::size_t at = node.find('('); at < node.size();) {
        at = node.find_first_not_of(", ", at + 1);
        if (at == std::string_view::npos) return {};
        const std::size_t colon = node.find(": ", at), end = end_of_value(node, at);
        if (colon >= end) return {};
        if (node.substr(at, colon - at) == key) return node.substr(colon + 2, end - colon - 2);
        if (end >= node.size() || node[end] != ',') return {};
        at = end;
    }
    return {};
}

std::string_view quoted(std::string_view value) {
    return value.size() >= 2 && value.front() == '"' ? value.substr(1, value.size() - 2) : std::string_view();
}

namespace {

// False where an extent is none that is known.
bool add_extents(const Nodes& nodes, std::string_view array, std::vector<std::uint64_t>& shape) {
    for (const std::string_view part : Nodes::list(nodes.behind(array, "elements"))) {
        const auto id = reference(part);
        const auto count = id ? number_at(field(nodes.of(*id), "count")) : std::nullopt;
        if (!count || *count == 0) return false;
        shape.push_back(*count);
    }
    return true;
}

// Whether more than lines is told of a function.
bool is_described(const Nodes& nodes, Id function) {
    return field(nodes.behind(nodes.of(function), "unit"), "emissionKind") == "FullDebug";
}

}  // namespace

Described describe(const Nodes& nodes, std::string_view type) {
    Described found;
    std::string pointers;
    bool known = true;
    for (unsigned depth = 0; depth < kMaxNesting; ++depth) {
        const std::string_view tag = field(type, "tag");
        if (tag == "DW_TAG_array_type") {
            known = add_extents(nodes, type, found.shape) && known;
        } else if (tag == "DW_TAG_pointer_type") {
            pointers += '*';
        } else if (tag != "DW_TAG_typedef" && tag != "DW_TAG_const_type" && tag != "DW_TAG_volatile_type") {
            break;
        }
        type = nodes.behind(type, "baseType");
    }
    found.type = std::string(quoted(field(type, "name"))) + pointers;
    if (!known || !pointers.empty()) found.shape.clear();
    return found;
}

std::string_view symbol(std::string_view text) {
    const std::size_t at = text.find('@');
    if (at == std::string_view::npos) return {};
    return text.substr(at + 1, text.find_first_of("(, ", at) - at - 1);
}

std::optional<Id> debug_of(std::string_view line) {
    const std::size_t at = line.rfind("!dbg ");
    return at == std::string_view::npos ? std::nullopt : reference(line.substr(at + 5));
}

std::unordered_map<Id, std::string> kernels_of(const Nodes& nodes, std::string_view llvm_ir) {
    std::vector<std::string_view> marked;
    nodes.each([&](std::string_view node) {
        if (node.starts_with("!{") && node.find("!\"kernel\", i32 1") != std::string_view::npos)
            marked.push_back(symbol(node));
    });
    std::sort(marked.begin(), marked.end());
    std::unordered_map<Id, std::string> kernels;
    each_line(llvm_ir, [&](std::string_view line) {
        if (!line.starts_with("define ")) return;
        const auto id = debug_of(line);
        if (id && is_described(nodes, *id) && std::binary_search(marked.begin(), marked.end(), symbol(line)))
            kernels[*id] = symbol(line);
    });
    return kernels;
}

}  // namespace tilescope::image::debug
