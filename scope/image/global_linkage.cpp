#include "scope/image/global_linkage.h"

#include <array>

#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

// "@name = internal addrspace(3) global i32 undef" in parts.
struct GlobalDefinition {
    std::string_view name;
    std::string_view rest;  // behind " = "
};

GlobalDefinition definition(std::string_view line) {
    if (!line.starts_with('@')) return {};
    // A quoted name may hold anything but a quote.
    const std::size_t end = line.starts_with("@\"") ? line.find('"', 2) : 0;
    const std::size_t equals = end == std::string_view::npos ? end : line.find(" = ", end);
    if (equals == std::string_view::npos) return {};
    return {line.substr(0, equals), line.substr(equals + 3)};
}

// Whether what follows the linkage is a variable that other threads or the host may write.
bool is_shared_variable(std::string_view rest) {
    take(rest, "unnamed_addr ");
    take(rest, "local_unnamed_addr ");
    if (!take(rest, "addrspace(1) ") && !take(rest, "addrspace(3) ") && !take(rest, "addrspace(4) ")) return false;
    take(rest, "externally_initialized ");
    return rest.starts_with("global ");
}

}  // namespace

PublicGlobals publish_globals(std::string_view llvm_ir) {
    PublicGlobals result;
    result.llvm_ir.reserve(llvm_ir.size());
    each_line(llvm_ir, [&](std::string_view line) {
        GlobalDefinition found = definition(line);
        const bool internal = take(found.rest, "internal ") || take(found.rest, "private ");
        if (internal && is_shared_variable(found.rest)) {
            result.names.emplace(found.name);
            result.llvm_ir.append(found.name).append(" = ").append(found.rest);
        } else {
            result.llvm_ir += line;
        }
        result.llvm_ir += '\n';
    });
    return result;
}

std::string hide_globals(std::string_view llvm_ir, const std::unordered_set<std::string>& names) {
    std::string out;
    out.reserve(llvm_ir.size());
    each_line(llvm_ir, [&](std::string_view line) {
        GlobalDefinition found = definition(line);
        if (!found.name.empty() && names.count(std::string(found.name)) != 0) {
            take(found.rest, "dso_local ");
            out.append(found.name).append(" = internal ").append(found.rest);
        } else {
            out += line;
        }
        out += '\n';
    });
    return out;
}

}  // namespace tilescope::image
