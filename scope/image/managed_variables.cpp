#include "scope/image/managed_variables.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

constexpr std::string_view kSection = ", section \"tilescope_managed\"";
constexpr std::string_view kRegister = "@__cudaRegisterVar(";
constexpr std::string_view kRegisterManaged = "@__cudaTilescopeRegisterManaged(";

// "@a" of "@a = ... global i32 5, section ...", for a variable of the section that is defined here.
std::string_view managed_name(std::string_view line) {
    if (!line.starts_with('@') || line.find(kSection) == std::string_view::npos ||
        line.find(" = external ") != std::string_view::npos)
        return {};
    return line.substr(0, line.find(" = "));
}

// The type of a variable "@a = ... addrspace(1) externally_initialized global TYPE VALUE, section ...": "i32",
// "%struct.S", "[4 x i32]", "{ i32, ptr }", and with LLVM 14 pointers such as "i32 (i32)*".
std::string_view type_of(std::string_view line) {
    const std::size_t global = line.find("global ");
    const std::size_t constant = line.find("constant ");
    const std::size_t start = std::min(global == std::string_view::npos ? global : global + 7,
                                       constant == std::string_view::npos ? constant : constant + 9);
    if (start == std::string_view::npos) return {};
    line.remove_prefix(start);
    int depth = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '[' || c == '{' || c == '<' || c == '(') ++depth;
        if (c == ']' || c == '}' || c == '>' || c == ')') --depth;
        // A space within a type precedes what makes a pointer of it.
        const bool pointer = line.substr(i).starts_with(" (") || line.substr(i).starts_with(" addrspace(");
        if (c == ' ' && depth == 0 && !pointer) return line.substr(0, i);
    }
    return {};
}

std::uint64_t first_free_node(std::string_view llvm_ir) {
    std::uint64_t free = 0;
    each_line(llvm_ir, [&](std::string_view line) {
        std::uint64_t number = 0;
        if (take(line, "!") && std::from_chars(line.data(), line.data() + line.size(), number).ec == std::errc())
            free = std::max(free, number + 1);
    });
    return free;
}

std::string with_first_replaced(std::string_view line, std::string_view from, std::string_view to) {
    std::string text(line);
    const std::size_t at = text.find(from);
    if (at != std::string::npos) text.replace(at, from.size(), to);
    return text;
}

// The variable that a call of __cudaRegisterVar is about: its second argument, the first with a name.
std::string_view registered_name(std::string_view line) {
    const std::size_t call = line.find(kRegister);
    if (call == std::string_view::npos) return {};
    line.remove_prefix(call + kRegister.size());
    line.remove_prefix(std::min(line.find('@'), line.size()));
    const std::size_t end = line.starts_with("@\"") ? line.find('"', 2) + 1 : line.find_first_of(" ,)");
    return line.substr(0, end);
}

// A shadow whose value others decide: the runtime before the program's constructors, kernels later.
std::string initialised_elsewhere(std::string_view line) {
    return with_first_replaced(line, " global ", " externally_initialized global ");
}

// The constructor that registers, at the first priority that is a program's; all others have 65535 or a later one.
std::string first_constructor(std::string_view line) {
    std::string text(line);
    constexpr std::string_view kLast = "i32 65535";
    const std::size_t registers = text.find("@__cuda_module_ctor");
    if (registers == std::string::npos) return text;
    const std::size_t priority = text.rfind(kLast, registers);
    if (priority != std::string::npos) text.replace(priority, kLast.size(), "i32 101");
    return text;
}

}  // namespace

std::string misplaced_managed(std::string_view llvm_ir) {
    std::string misplaced;
    each_line(llvm_ir, [&](std::string_view line) {
        const std::string_view name = managed_name(line);
        if (!name.empty() && line.find(" addrspace(1) ") == std::string_view::npos) misplaced = name.substr(1);
    });
    return misplaced;
}

std::string constant_managed(std::string_view llvm_ir) {
    std::string constant;
    each_line(llvm_ir, [&](std::string_view line) {
        const std::string_view name = managed_name(line);
        if (!name.empty() && line.substr(name.size()).starts_with(" = internal constant ")) constant = name.substr(1);
    });
    return constant;
}

std::string mark_managed(std::string_view llvm_ir, bool typed_pointers) {
    std::vector<std::string> marks;
    each_line(llvm_ir, [&](std::string_view line) {
        const std::string_view name = managed_name(line);
        if (name.empty()) return;
        const std::string pointer =
            typed_pointers ? std::string(type_of(line)) + " addrspace(1)* " : "ptr addrspace(1) ";
        marks.push_back(pointer + std::string(name));
    });
    if (marks.empty()) return std::string(llvm_ir);
    std::uint64_t node = first_free_node(llvm_ir);
    std::string added, listed;
    for (const std::string& mark : marks) {
        const std::string number = "!" + std::to_string(node++);
        listed += (listed.empty() ? "" : ", ") + number;
        added += number + " = !{" + mark + ", !\"managed\", i32 1}\n";
    }
    std::string out;
    bool has_list = false;
    each_line(llvm_ir, [&](std::string_view line) {
        constexpr std::string_view kList = "!nvvm.annotations = !{";
        if (line.starts_with(kList)) {
            has_list = true;
            const bool empty = line.ends_with("!{}");
            out += with_first_replaced(line, kList, std::string(kList) + listed + (empty ? "" : ", "));
        } else {
            out += line;
        }
        out += '\n';
    });
    if (!has_list) out += "!nvvm.annotations = !{" + listed + "}\n";
    return out + added;
}

std::string register_managed(std::string_view llvm_ir) {
    std::unordered_set<std::string_view> managed;
    each_line(llvm_ir, [&](std::string_view line) {
        if (const std::string_view name = managed_name(line); !name.empty()) managed.insert(name);
    });
    std::string out;
    out.reserve(llvm_ir.size());
    each_line(llvm_ir, [&](std::string_view line) {
        const bool declares = line.starts_with("declare ") && line.find(kRegister) != std::string_view::npos;
        if (line.starts_with("@llvm.global_ctors ")) {
            out += first_constructor(line);
        } else if (!managed_name(line).empty()) {
            out += initialised_elsewhere(line);
        } else if (declares && !managed.empty()) {
            out.append(line).append("\n").append(with_first_replaced(line, kRegister, kRegisterManaged));
        } else if (!declares && managed.count(registered_name(line)) != 0) {
            out += with_first_replaced(line, kRegister, kRegisterManaged);
        } else {
            out += line;
        }
        out += '\n';
    });
    return out;
}

}  // namespace tilescope::image
