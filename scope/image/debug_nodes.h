// The numbered nodes of LLVM's debug information as text, and what may be asked of them.
//
// For debug_facts.cpp and automatic_variables.cpp alone. Guarantees: any text is safe; what is not there is empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scope/image/text_lines.h"

namespace tilescope::image::debug {

using Id = std::uint32_t;

inline constexpr unsigned kMaxNesting = 64;  // of blocks and types; damaged text may go round in circles

std::optional<std::uint64_t> number_at(std::string_view text);
// "!12" to 12.
std::optional<Id> reference(std::string_view text);
// Where the value that starts at `at` ends: before the comma or bracket behind it.
std::size_t end_of_value(std::string_view text, std::size_t at);
// The value of "key: value" in "!DILocalVariable(name: "M", arg: 1, scope: !4)", or nothing.
std::string_view field(std::string_view node, std::string_view key);
std::string_view quoted(std::string_view value);

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

Described describe(const Nodes& nodes, std::string_view type);

// The part of "define ... @name(...) !dbg !12 {" or "@name = ... !dbg !12" between '@' and what ends a name.
std::string_view symbol(std::string_view text);
std::optional<Id> debug_of(std::string_view line);
// The functions that are kernels, by the number of their debug information.
std::unordered_map<Id, std::string> kernels_of(const Nodes& nodes, std::string_view llvm_ir);

}  // namespace tilescope::image::debug
