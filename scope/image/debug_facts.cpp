#include "scope/image/debug_facts.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

using Id = std::uint32_t;

constexpr unsigned kMaxNesting = 64;  // of blocks and types; damaged text may go round in circles

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

// The numbered nodes behind the code: "!12 = distinct !DISubprogram(...)".
class Nodes {
public:
    explicit Nodes(std::string_view llvm_ir) {
        each_line(llvm_ir, [&](std::string_view line) {
            const auto id = reference(line);
            const std::size_t equals = line.find(" = ");
            if (!id || equals == std::string_view::npos) return;
            std::string_view node = line.substr(equals + 3);
            take(node, "distinct ");
            nodes_[*id] = node;
        });
    }

    std::string_view of(Id id) const {
        const auto found = nodes_.find(id);
        return found == nodes_.end() ? std::string_view() : found->second;
    }
    // The node that a field of another one names.
    std::string_view behind(std::string_view node, std::string_view key) const {
        const auto id = reference(field(node, key));
        return id ? of(*id) : std::string_view();
    }
    // "!{!1, null, !3}" as its parts.
    static std::vector<std::string_view> list(std::string_view node) {
        std::vector<std::string_view> parts;
        if (!take(node, "!{")) return parts;
        while (!node.empty() && node.front() != '}') {
            const std::size_t end = end_of_value(node, 0);
            parts.push_back(node.substr(0, end));
            node.remove_prefix(std::min(end, node.size()));
            take(node, ", ");
        }
        return parts;
    }
    // Out of all blocks: the function that a scope is in.
    Id function_of(Id scope) const {
        for (unsigned depth = 0; depth < kMaxNesting && of(scope).starts_with("!DILexicalBlock"); ++depth) {
            const auto outer = reference(field(of(scope), "scope"));
            if (!outer) break;
            scope = *outer;
        }
        return scope;
    }

    template <class F>
    void each(F f) const {
        for (const auto& [id, node] : nodes_) f(node);
    }

private:
    std::unordered_map<Id, std::string_view> nodes_;
};

// "float", and the extents of an array of them; names that stand for a type are looked through.
struct Described {
    std::string type;
    std::vector<std::uint64_t> shape;
};

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

// The part of "define ... @name(...) !dbg !12 {" or "@name = ... !dbg !12" between '@' and what ends a name.
std::string_view symbol(std::string_view text) {
    const std::size_t at = text.find('@');
    if (at == std::string_view::npos) return {};
    return text.substr(at + 1, text.find_first_of("(, ", at) - at - 1);
}

std::optional<Id> debug_of(std::string_view line) {
    const std::size_t at = line.rfind("!dbg ");
    return at == std::string_view::npos ? std::nullopt : reference(line.substr(at + 5));
}

struct Found {
    Id function;
    std::uint64_t line;
    SharedDeclaration declaration;
};

// The shared array of "@_ZZ...3Mds = internal addrspace(3) global ..., !dbg !7".
std::optional<Found> shared_array(const Nodes& nodes, std::string_view line) {
    if (!line.starts_with('@') || line.find(" addrspace(3) ") == std::string_view::npos) return std::nullopt;
    const auto id = debug_of(line);
    if (!id) return std::nullopt;
    std::string_view variable = nodes.of(*id);
    if (variable.starts_with("!DIGlobalVariableExpression(")) variable = nodes.behind(variable, "var");
    const auto scope = reference(field(variable, "scope"));
    const std::string name(quoted(field(variable, "name")));
    if (!scope || name.empty()) return std::nullopt;
    Described described = describe(nodes, nodes.behind(variable, "type"));
    return Found{nodes.function_of(*scope),
                 number_at(field(variable, "line")).value_or(0),
                 {name, std::move(described.type), std::move(described.shape)}};
}

// Whether more than lines is told of a function.
bool is_described(const Nodes& nodes, Id function) {
    return field(nodes.behind(nodes.of(function), "unit"), "emissionKind") == "FullDebug";
}

// The functions that are kernels, by the number of their debug information.
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

// ---- taking it out again

// "... , key: value ..." without it.
void drop_field(std::string& node, std::string_view key) {
    const std::string_view value = field(node, key);
    if (value.empty()) return;
    const auto at = static_cast<std::size_t>(value.data() - node.data()) - key.size() - 2;
    const std::size_t end = at + key.size() + 2 + value.size();
    const bool first = node[at - 1] == '(';
    if (first)
        node.erase(at, end - at + (node[end] == ',' ? 2 : 0));
    else
        node.erase(at - 2, end - at + 2);
}

void replace_field(std::string& node, std::string_view key, const std::string& with) {
    const std::string_view value = field(node, key);
    if (!value.empty()) node.replace(static_cast<std::size_t>(value.data() - node.data()), value.size(), with);
}

// A function as -gline-tables-only describes it: by its name, in its file.
void reduce_function(std::string& line) {
    for (const char* key :
         {"linkageName", "declaration", "templateParams", "containingType", "virtualIndex", "thisAdjustment"})
        drop_field(line, key);
    if (const std::string file(field(line, "file")); !file.empty()) replace_field(line, "scope", file);
}

void reduce_unit(std::string& line) {
    for (const char* key : {"retainedTypes", "globals", "enums", "imports", "macros"}) drop_field(line, key);
    // As clang's driver has it for devices.
    const bool optimized = field(line, "isOptimized") == "true";
    if (field(line, "emissionKind") == "FullDebug")
        replace_field(line, "emissionKind", optimized ? "DebugDirectivesOnly" : "LineTablesOnly");
}

bool speaks_of_variables(std::string_view line) {
    const std::size_t at = line.find_first_not_of(' ');
    if (at == 0 || at == std::string_view::npos) return false;  // not within a function
    return line.substr(at).starts_with("#dbg_") || line.find("call void @llvm.dbg.") != std::string_view::npos;
}

// One line of the text without what -g put there.
void reduce(const Nodes& nodes, std::string& line) {
    if (line[0] == '@') {
        const std::size_t at = line.rfind(", !dbg !");
        if (at != std::string::npos)
            line.erase(at, std::min(line.find_first_not_of("0123456789", at + 8), line.size()) - at);
    } else if (line[0] == '!') {
        const auto is = [&](std::string_view node) { return line.find(node) != std::string::npos; };
        if (is(" !DICompileUnit("))
            reduce_unit(line);
        else if (is(" !DISubprogram("))
            reduce_function(line);
        else if (is(" !DILocation(") || is(" !DILexicalBlockFile("))
            if (const auto scope = reference(field(line, "scope")))
                replace_field(line, "scope", "!" + std::to_string(nodes.function_of(*scope)));
    }
}

}  // namespace

SourceFacts source_facts(std::string_view llvm_ir) {
    const Nodes nodes(llvm_ir);
    const auto kernels = kernels_of(nodes, llvm_ir);
    SourceFacts facts;
    for (const auto& [id, entry] : kernels) {
        // The first is what the function returns.
        const auto types = Nodes::list(nodes.behind(nodes.behind(nodes.of(id), "type"), "types"));
        facts[entry].parameters.resize(std::max<std::size_t>(types.size(), 1) - 1);
    }
    nodes.each([&](std::string_view node) {
        if (!node.starts_with("!DILocalVariable(")) return;
        const auto number = number_at(field(node, "arg"));
        const auto scope = reference(field(node, "scope"));
        const auto kernel = scope ? kernels.find(*scope) : kernels.end();
        if (!number || kernel == kernels.end()) return;
        std::vector<std::string>& names = facts[kernel->second].parameters;
        if (*number >= 1 && *number <= names.size()) names[*number - 1] = quoted(field(node, "name"));
    });
    std::vector<Found> arrays;
    each_line(llvm_ir, [&](std::string_view line) {
        if (auto found = shared_array(nodes, line)) arrays.push_back(std::move(*found));
    });
    std::stable_sort(arrays.begin(), arrays.end(), [](const Found& a, const Found& b) { return a.line < b.line; });
    for (Found& found : arrays)
        if (const auto kernel = kernels.find(found.function); kernel != kernels.end())
            facts[kernel->second].shared.push_back(std::move(found.declaration));
    return facts;
}

std::string keep_line_tables(std::string_view llvm_ir) {
    const Nodes nodes(llvm_ir);
    std::string made, line;
    made.reserve(llvm_ir.size());
    each_line(llvm_ir, [&](std::string_view text) {
        if (speaks_of_variables(text)) return;
        line = text;
        if (!line.empty()) reduce(nodes, line);
        made += line;
        made += '\n';
    });
    return made;
}

}  // namespace tilescope::image
