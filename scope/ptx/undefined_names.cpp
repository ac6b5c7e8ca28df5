#include <cstdlib>
#include <limits>
#include <map>
#include <unordered_set>

#include "scope/ptx/linker.h"
#include "scope/ptx/linker_names.h"

namespace tilescope::ptx {
namespace {

// Names that are declared and not defined; whether each is a function.
std::map<std::string, bool> declared_alone(const Module& module) {
    std::unordered_set<std::string> defined;
    for (const Function& function : module.functions)
        if (function.body) defined.insert(function.name);
    for (const Alias& alias : module.aliases) defined.insert(alias.name);
    std::map<std::string, bool> open;
    for (const Function& function : module.functions)
        if (defined.count(function.name) == 0) open.emplace(function.name, true);
    for (const Variable& variable : module.variables)
        if (variable.linkage == "extern" && !variable.initializer && variable.space != "shared")
            open.emplace(variable.name, false);
    return open;
}

}  // namespace

std::vector<UndefinedName> undefined_names(const Module& module) {
    std::map<std::string, bool> open = declared_alone(module);
    std::vector<UndefinedName> found;
    const auto note = [&](const std::string& name, const SourcePlace& place) {
        const auto at = open.find(name);
        if (at == open.end()) return;
        found.push_back({name, at->second, place.file, place.line});
        open.erase(at);
    };
    for (const Function& function : module.functions) {
        if (!function.body || open.empty()) continue;
        visit_outer_names(function, [&](const std::string& name, std::int32_t loc) {
            const bool is_known = loc >= 0 && static_cast<std::size_t>(loc) < function.locs.size();
            note(name, is_known ? place_of(module, function.locs[loc]) : place_of(module, function));
        });
    }
    for (const Variable& variable : module.variables)
        if (variable.initializer) visit_names(*variable.initializer, [&](const std::string& name) { note(name, {}); });
    return found;
}

SourcePlace place_of(const Module& module, const Loc& loc) {
    const bool is_inlined = !loc.inlined_function.empty();
    const std::uint32_t number = is_inlined ? loc.inlined_file : loc.file;
    for (const File& file : module.files)
        if (file.index == number) return {file.name, is_inlined ? loc.inlined_line : loc.line};
    return {};
}

SourcePlace place_of(const Module& module, const Function& function) {
    return function.locs.empty() ? SourcePlace{} : place_of(module, function.locs.front());
}

std::uint64_t bytes_of(const Variable& variable) {
    const std::size_t digits = variable.type.find_first_of("0123456789");
    if (digits == std::string::npos) return 0;
    std::uint64_t bytes = std::strtoul(variable.type.c_str() + digits, nullptr, 10) / 8 * variable.vector;
    for (const std::uint64_t extent : variable.dimensions) {
        if (extent != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / extent) return 0;
        bytes *= extent;
    }
    return bytes;
}

}  // namespace tilescope::ptx
