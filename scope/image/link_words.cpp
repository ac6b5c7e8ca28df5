#include "scope/image/link_words.h"

#include <algorithm>
#include <utility>

#include "scope/image/link.h"
#include "scope/ptx/linker.h"
#include "scope/ptx/parser.h"

namespace tilescope::image {
namespace {

constexpr const char* kError = "error   : ";

// Of the devices' own: printf, assert, the heap and what the compiler calls by itself.
bool is_of_devices(const std::string& name) {
    return name.starts_with("__") || name.starts_with("cuda") || name == "vprintf" || name == "malloc" ||
           name == "free";
}

// Of a part that has no lines of a source, the line of its own text is worth something where it is a file.
std::string in_parentheses(const SourceLocation& at, const std::string& part) {
    if (at.line == 0 || (at.file == part && !part.ends_with(".ptx"))) return {};
    return " (" + at.file + ":" + std::to_string(at.line) + ")";
}

// 'part' and, where it is known, the place of the name in it.
std::string part_of(const ptx::Module& module, const std::string& name) {
    return "'" + module.name + "'" + in_parentheses(place_in(module, name), module.name);
}

// As much of a module as says which names it has, and where.
ptx::Module head_of(const ptx::Module& module) {
    ptx::Module head;
    head.name = module.name;
    head.address_size = module.address_size;
    head.files = module.files;
    head.variables = module.variables;
    head.aliases = module.aliases;
    for (const ptx::Function& function : module.functions) {
        ptx::Function& kept = head.functions.emplace_back();
        kept.name = function.name;
        kept.linkage = function.linkage;
        kept.is_entry = function.is_entry;
        kept.position = function.position;
        if (!function.locs.empty()) kept.locs.push_back(function.locs.front());
        if (function.body) kept.body.emplace();
    }
    return head;
}

std::uint64_t bytes_in(const ptx::Module& module, const std::string& name) {
    for (const ptx::Variable& variable : module.variables)
        if (variable.name == name) return ptx::bytes_of(variable);
    return 0;
}

bool defines(const ptx::Module& module, const std::string& name) {
    for (const ptx::Alias& alias : module.aliases)
        if (alias.name == name) return true;
    for (const ptx::Function& function : module.functions)
        if (function.name == name && function.body) return true;
    for (const ptx::Variable& variable : module.variables)
        if (variable.name == name && (variable.linkage != "extern" || variable.initializer)) return true;
    return false;
}

void explain(const ptx::LinkConflict& conflict, const ptx::Module& first, const ptx::Module& second,
             std::vector<std::string>& lines) {
    using Kind = ptx::LinkConflict::Kind;
    const auto say = [&](const std::string& what, const std::string& before) {
        lines.push_back(kError + what + " '" + conflict.name + "' in " + part_of(second, conflict.name) + ", first " +
                        before + " in " + part_of(first, conflict.name));
    };
    const auto twice = [&] {
        if (defines(first, conflict.name) && defines(second, conflict.name)) say("Multiple definition of", "defined");
    };
    constexpr const char* kSize = "Size doesn't match for";
    constexpr const char* kSpace = "Memory space doesn't match for";
    switch (conflict.kind) {
        case Kind::kAddressSize:
            lines.push_back(kError + std::string("Address size doesn't match in '") + second.name +
                            "', first specified in '" + first.name + "'");
            return;
        case Kind::kTwice:
            if (bytes_in(first, conflict.name) != bytes_in(second, conflict.name)) say(kSize, "specified");
            break;
        case Kind::kSize: say(kSize, "specified"); break;
        case Kind::kSpace: say(kSpace, "specified"); break;
        case Kind::kNature:
            say(kSpace, "specified");
            say(kSize, "specified");
            break;
    }
    twice();
}

}  // namespace

std::vector<std::string> LinkNames::add(const LoadedPtx& part) {
    auto module = ptx::parse(part.text, part.name);
    if (!module) return {};
    heads_.push_back(head_of(*module));
    std::vector<ptx::Module> copies;
    for (const ptx::Module& head : heads_) copies.push_back(head_of(head));
    const ptx::Linked linked = ptx::link(std::move(copies), {});
    std::vector<std::string> lines;
    for (const ptx::LinkConflict& conflict : linked.conflicts)
        explain(conflict, heads_[conflict.first], heads_[conflict.second], lines);
    if (!lines.empty()) heads_.pop_back();
    return lines;
}

std::vector<std::string> lines_of_missing(const std::vector<LoadedPtx>& parts) {
    std::vector<std::string> lines;
    std::vector<MissingName> all = missing_names(parts);
    std::stable_partition(all.begin(), all.end(), [](const MissingName& each) { return each.is_function; });
    for (const MissingName& missing : all)
        if (!is_of_devices(missing.name))
            lines.push_back(kError + std::string("Undefined reference to '") + missing.name + "' in '" + missing.part +
                            "'" + in_parentheses(missing.place, missing.part));
    return lines;
}

std::vector<MissingName> unresolved_functions(const LoadedPtx& part) {
    // Few parts declare one at all, and reading a part takes time.
    if (part.text.find(".extern .func") == std::string::npos) return {};
    const auto module = ptx::parse(part.text, part.name);
    if (!module) return {};
    std::vector<MissingName> found;
    for (const ptx::UndefinedName& name : ptx::undefined_names(*module))
        if (name.is_function && !is_of_devices(name.name))
            found.push_back({name.name, part.name,
                             name.line != 0 ? SourceLocation{name.file, name.line, 0} : SourceLocation{part.name, 0, 0},
                             true});
    return found;
}

std::string joined_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
}

}  // namespace tilescope::image
