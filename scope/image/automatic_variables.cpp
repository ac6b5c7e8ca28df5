#include "scope/image/automatic_variables.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scope/image/debug_nodes.h"

namespace tilescope::image {
namespace {

using namespace debug;

using Counts = std::map<std::string, std::size_t, std::less<>>;  // of pieces of memory, by type

// "[8 x i32]" of "  %5 = alloca [8 x i32], align 4"; `name` becomes "%5".
std::string_view allocated_type(std::string_view line, std::string_view& name) {
    constexpr std::string_view kAlloca = " = alloca ";
    const std::size_t at = line.find(kAlloca), first = line.find_first_not_of(' ');
    if (at == std::string_view::npos || first >= at || line[first] != '%') return {};
    name = line.substr(first, at - first);
    const std::string_view rest = line.substr(at + kAlloca.size());
    return rest.substr(0, end_of_value(rest, 0));
}

// "#dbg_declare(ptr %5, !10, ...)", or the call that it was before: the memory, and the variable that it is of.
std::optional<std::pair<std::string_view, Id>> declared(std::string_view line) {
    const std::size_t mark = std::min(line.find("#dbg_declare("), line.find("@llvm.dbg.declare("));
    if (mark == std::string_view::npos) return std::nullopt;
    const std::size_t name = line.find('%', mark);
    if (name == std::string_view::npos) return std::nullopt;
    const std::size_t end = line.find_first_of(",) ", name), variable = line.find('!', name);
    if (end == std::string_view::npos || variable == std::string_view::npos) return std::nullopt;
    const auto id = reference(line.substr(variable));
    return id ? std::optional(std::pair(line.substr(name, end - name), *id)) : std::nullopt;
}

struct Declared {
    AutomaticVariable variable;
    std::string type;  // as LLVM has it
    std::uint64_t line = 0;
};

// Bits of a type, through the names that stand for it.
std::uint64_t bits_of(const Nodes& nodes, std::string_view type) {
    for (unsigned depth = 0; depth < kMaxNesting && !type.empty(); ++depth) {
        if (const auto bits = number_at(field(type, "size"))) return *bits;
        type = nodes.behind(type, "baseType");
    }
    return 0;
}

// What kernels declare, and by type the memory that they have, and that functions have which they may call.
struct Memory {
    struct OfKernel {
        std::vector<Declared> list;
        Counts own;
    };
    std::map<std::string, OfKernel, std::less<>> kernels;
    Counts of_functions;

    std::size_t at_first(const OfKernel& kernel, const std::string& type) const {
        const auto own = kernel.own.find(type), called = of_functions.find(type);
        return (own == kernel.own.end() ? 0 : own->second) + (called == of_functions.end() ? 0 : called->second);
    }
};

Memory memory_of(std::string_view described) {
    constexpr std::uint64_t kByte = 8;
    const Nodes nodes(described);
    const auto kernels = kernels_of(nodes, described);
    Memory memory;
    std::unordered_map<std::string_view, std::string_view> types;  // of the function at hand
    Counts* counts = &memory.of_functions;
    each_line(described, [&](std::string_view line) {
        if (line.starts_with("define ")) {
            types.clear();
            const auto id = debug_of(line);
            const auto kernel = id ? kernels.find(*id) : kernels.end();
            counts = kernel == kernels.end() ? &memory.of_functions : &memory.kernels[kernel->second].own;
        }
        std::string_view name;
        if (const std::string_view type = allocated_type(line, name); !type.empty()) {
            types[name] = type;
            ++(*counts)[std::string(type)];
            return;
        }
        const auto found = declared(line);
        const auto type = found ? types.find(found->first) : types.end();
        if (type == types.end()) return;
        const std::string_view node = nodes.of(found->second);
        const auto scope = reference(field(node, "scope"));
        const auto kernel = scope ? kernels.find(nodes.function_of(*scope)) : kernels.end();
        const std::string its_name(quoted(field(node, "name")));
        if (kernel == kernels.end() || its_name.empty() || number_at(field(node, "arg"))) return;
        Described about = debug::describe(nodes, nodes.behind(node, "type"));
        Declared one;
        one.variable = {its_name, std::move(about.type), std::move(about.shape),
                        bits_of(nodes, nodes.behind(node, "type")) / kByte, false};
        one.type = std::string(type->second);
        one.line = number_at(field(node, "line")).value_or(0);
        if (one.variable.bytes != 0) memory.kernels[kernel->second].list.push_back(std::move(one));
    });
    for (auto& [entry, kernel] : memory.kernels)
        std::stable_sort(kernel.list.begin(), kernel.list.end(),
                         [](const Declared& a, const Declared& b) { return a.line < b.line; });
    return memory;
}

// The memory that is left of each function.
std::map<std::string, Counts, std::less<>> left_by_function(std::string_view optimized) {
    std::map<std::string, Counts, std::less<>> functions;
    Counts* counts = nullptr;
    each_line(optimized, [&](std::string_view line) {
        if (line.starts_with("define ")) counts = &functions[std::string(symbol(line))];
        std::string_view name;
        if (const std::string_view type = allocated_type(line, name); counts != nullptr && !type.empty())
            ++(*counts)[std::string(type)];
    });
    return functions;
}

// Those of which the code leaves no doubt. Memory that is left is a variable's where all of its type that the code ever
// had is left; where some of it is nobody's by that rule, no other variable is known to be in registers.
std::vector<AutomaticVariable> placed(const Memory& memory, const Memory::OfKernel& kernel, const Counts& left) {
    const std::vector<Declared>& list = kernel.list;
    std::vector<AutomaticVariable> known;
    const auto is_all_left = [&](const std::string& type) {
        const auto its = left.find(type);
        return its != left.end() && its->second >= memory.at_first(kernel, type);
    };
    const bool is_explained = std::all_of(left.begin(), left.end(), [&](const auto& one) {
        return is_all_left(one.first) &&
               std::any_of(list.begin(), list.end(), [&](const Declared& each) { return each.type == one.first; });
    });
    for (const Declared& one : list) {
        AutomaticVariable variable = one.variable;
        variable.has_memory = is_all_left(one.type);
        if (variable.has_memory || is_explained) known.push_back(std::move(variable));
    }
    return known;
}

}  // namespace

void add_automatic_variables(std::string_view described, std::string_view optimized, SourceFacts& facts) {
    const Memory memory = memory_of(described);
    const auto left = left_by_function(optimized);
    for (auto& [entry, source] : facts) {
        const auto kernel = memory.kernels.find(entry);
        const auto counts = left.find(entry);
        if (kernel != memory.kernels.end() && counts != left.end())
            source.automatic = placed(memory, kernel->second, counts->second);
    }
}

}  // namespace tilescope::image
