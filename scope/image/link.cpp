#include "scope/image/link.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "scope/image/made_for.h"
#include "scope/image/ptxas.h"
#include "scope/image/source_facts.h"
#include "scope/image/variable_place.h"
#include "scope/ptx/linker.h"
#include "scope/ptx/parser.h"
#include "scope/ptx/printer.h"

namespace tilescope::image {
namespace {

constexpr const char* kCode = "image-device-link";
constexpr std::size_t kToldConflicts = 20;  // as many as the parser tells of a text

std::string text_of(const SourceLocation& at) {
    return at.line == 0 ? at.file : at.file + ":" + std::to_string(at.line);
}

Diagnostic explain(const ptx::LinkConflict& conflict, const std::vector<ptx::Module>& parts) {
    using Kind = ptx::LinkConflict::Kind;
    const SourceLocation first = place_in(parts[conflict.first], conflict.name),
                         second = place_in(parts[conflict.second], conflict.name);
    const std::string quoted = "'" + conflict.name + "'", other = text_of(first);
    switch (conflict.kind) {
        case Kind::kTwice: break;
        case Kind::kSize:
            return error(kCode, second, quoted + " has another size than in " + other,
                         "declare it alike in all files, in a header that they share");
        case Kind::kSpace:
            return error(kCode, second, quoted + " lies in another memory than in " + other,
                         "declare it alike in all files, in a header that they share");
        case Kind::kNature:
            return error(kCode, second, quoted + " is a function in one file and a variable in the other, " + other,
                         "give one of them another name");
        case Kind::kAddressSize:
            return error(kCode, {parts[conflict.second].name, 0, 0},
                         "its addresses have another size than those of " + parts[conflict.first].name,
                         "compile all parts for 64 bits");
    }
    return error(kCode, second, quoted + " is defined in " + other + ", too: device code of all files is one program",
                 "define it in one of them and declare it extern in the others, or make it static");
}

Result<std::vector<ptx::Module>> parse_all(const std::vector<LoadedPtx>& parts) {
    std::vector<ptx::Module> modules;
    Diagnostics errors;
    for (const LoadedPtx& part : parts) {
        auto module = ptx::parse(part.text, part.name);
        if (module)
            modules.push_back(std::move(module).value());
        else
            errors.insert(errors.end(), module.errors().begin(), module.errors().end());
    }
    if (!errors.empty()) return errors;
    return modules;
}

// What the assembler was told, where all parts agree about what changes results.
std::string options_of(const std::vector<LoadedPtx>& parts) {
    for (const LoadedPtx& part : parts)
        if (!contracts(part.assembler_options)) return part.assembler_options;
    return parts.front().assembler_options;
}

}  // namespace

SourceLocation place_in(const ptx::Module& module, const std::string& name) {
    const bool is_ptx_file = std::filesystem::path(module.name).extension() == ".ptx";
    for (const bool defined : {true, false})
        for (const ptx::Function& function : module.functions) {
            if (function.name != name || function.body.has_value() != defined) continue;
            const ptx::SourcePlace place = ptx::place_of(module, function);
            if (place.line != 0) return {place.file, place.line, 0};
            return {module.name, is_ptx_file ? function.position.line : 0, 0};
        }
    for (const ptx::Variable& variable : module.variables)
        if (variable.name == name) return place_of_variable(module, variable);
    return {module.name, 0, 0};
}

Result<LoadedPtx> link_ptx(const std::vector<LoadedPtx>& parts, const std::string& name) {
    if (parts.size() == 1) return parts.front();
    auto modules = parse_all(parts);
    if (!modules) return modules.errors();
    const ptx::Linked linked = ptx::link(std::move(modules).value(), name);
    if (!linked.conflicts.empty()) {
        // The linker took the modules apart.
        const auto again = parse_all(parts);
        if (!again) return again.errors();
        Diagnostics errors;
        for (const ptx::LinkConflict& conflict : linked.conflicts) {
            if (errors.size() == kToldConflicts) break;
            errors.push_back(explain(conflict, *again));
        }
        if (const std::size_t more = linked.conflicts.size() - errors.size(); more != 0)
            errors.push_back(error(kCode, {name, 0, 0}, "and " + std::to_string(more) + " more names are in the way"));
        return errors;
    }
    LoadedPtx result;
    result.name = name;
    result.text = ptx::print(linked.module);
    for (const LoadedPtx& part : parts) result.text += facts_as_comments(facts_in(part.text));
    // Parts of clang's making name older versions than they use; the others use no more than they name.
    std::string_view widest;
    for (const LoadedPtx& part : parts) widest = std::max(widest, made_for(part.text));
    if (!widest.empty()) result.text += made_for_comment(widest);
    result.sm = ptx_target_of(result.text);
    const char suffix = ptx_target_suffix_of(result.text);
    result.arch_specific = suffix == 'a';
    result.family_specific = suffix == 'f';
    result.assembler_options = options_of(parts);
    return result;
}

Status check_ptx(const LoadedPtx& part) {
    const auto module = ptx::parse(part.text, part.name);
    if (!module) return module.errors();
    return Success{};
}

std::vector<MissingName> missing_names(const std::vector<LoadedPtx>& parts) {
    auto modules = parse_all(parts);
    if (!modules) return {};
    std::map<std::string, MissingName> users;
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (const ptx::UndefinedName& name : ptx::undefined_names((*modules)[i]))
            users.emplace(name.name,
                          MissingName{name.name, parts[i].name, {name.file, name.line, 0}, name.is_function});
    const ptx::Linked linked = ptx::link(std::move(modules).value(), {});
    std::vector<MissingName> missing;
    if (!linked.conflicts.empty()) return missing;
    for (const ptx::UndefinedName& name : ptx::undefined_names(linked.module)) missing.push_back(users[name.name]);
    return missing;
}

Diagnostics undefined_symbols(const std::vector<LoadedPtx>& parts, const std::vector<std::string>& names) {
    auto modules = parse_all(parts);
    if (!modules) return modules.errors();
    const std::string where = parts.size() == 1 ? parts.front().name : std::string();
    const ptx::Linked linked = ptx::link(std::move(modules).value(), where);
    Diagnostics errors;
    if (!linked.conflicts.empty()) return errors;
    for (const ptx::UndefinedName& missing : ptx::undefined_names(linked.module)) {
        if (std::find(names.begin(), names.end(), missing.name) == names.end()) continue;
        errors.push_back(error(kCode, {missing.file, missing.line, 0},
                               (missing.is_function ? "no file defines the function '" : "no file defines '") +
                                   missing.name + "', which is used here",
                               "name the file or the library that defines it as well"));
    }
    return errors;
}

}  // namespace tilescope::image
