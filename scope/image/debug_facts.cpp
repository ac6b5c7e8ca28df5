#include "scope/image/debug_facts.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "scope/image/debug_nodes.h"
#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

using namespace debug;

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
