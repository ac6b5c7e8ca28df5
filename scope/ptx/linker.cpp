#include "scope/ptx/linker.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <unordered_set>
#include <utility>

#include "scope/ptx/linker_names.h"

namespace tilescope::ptx {
namespace {

// How long the label is that a line of a section begins with; 0: it begins with none.
std::size_t end_of_label(std::string_view line) {
    const auto is_letter = [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '$';
    };
    const auto end = std::find_if_not(line.begin(), line.end(), is_letter);
    const bool is_name = end != line.begin() && std::isdigit(static_cast<unsigned char>(line.front())) == 0;
    return is_name && end != line.end() && *end == ':' ? static_cast<std::size_t>(end - line.begin()) : 0;
}

enum class Strength : std::uint8_t { kUndefined, kCommon, kWeak, kStrong };

// What is known of a name that all modules share.
struct Shared {
    bool is_function = false;
    Strength strength = Strength::kUndefined;
    std::uint32_t part = 0, index = 0;  // of the definition that counts, or of the first declaration
    std::string space;                  // of a variable
    std::uint64_t bytes = 0;            // 0: nobody said
    std::uint32_t sized_by = 0;         // the part that did
};

Strength strength_of(const std::string& linkage) {
    if (linkage == "weak") return Strength::kWeak;
    if (linkage == "common") return Strength::kCommon;
    return Strength::kStrong;
}

// The launch gives its size, and each block has one: not a variable that somebody else defines.
bool is_of_the_launch(const Variable& variable) { return variable.space == "shared" && variable.linkage == "extern"; }

bool is_declaration(const Variable& variable) { return variable.linkage == "extern" && !variable.initializer; }

// Of a module by itself: which of its names are defined, and which of them are its own.
struct PartNames {
    std::unordered_set<std::string> own;
    std::unordered_set<std::string> aliases;

    explicit PartNames(const Module& module) {
        std::unordered_set<std::string> open, defined;
        for (const Alias& alias : module.aliases) aliases.insert(alias.name);
        for (const Function& function : module.functions) {
            if (!function.linkage.empty() || function.is_entry) open.insert(function.name);
            if (function.body || aliases.count(function.name) != 0) defined.insert(function.name);
        }
        // A declaration without linkage of what the module does not define means another's.
        for (const std::string& name : defined)
            if (open.count(name) == 0) own.insert(name);
        for (const Variable& variable : module.variables)
            if (variable.linkage.empty()) own.insert(variable.name);
    }
};

class Linker {
public:
    Linker(std::vector<Module> parts, const std::string& name) : parts_(std::move(parts)) {
        linked_.module.name = name;
    }

    Linked run() {
        for (const Module& part : parts_) names_.emplace_back(part);
        for (std::uint32_t i = 0; i < parts_.size(); ++i) gather(i);
        if (!linked_.conflicts.empty()) return std::move(linked_);
        head();
        for (std::uint32_t i = 0; i < parts_.size(); ++i) {
            make_apart(i);
            files(i);
        }
        declare_functions();
        variables();
        functions();
        if (!strings_.lines.empty()) {
            linked_.module.sections.push_back(std::move(strings_));
            add(Module::ItemKind::kSection, linked_.module.sections.size());
        }
        return std::move(linked_);
    }

private:
    void conflict(LinkConflict::Kind kind, const std::string& name, std::uint32_t first, std::uint32_t second) {
        linked_.conflicts.push_back({kind, name, first, second});
    }

    void add(Module::ItemKind kind, std::size_t size) {
        linked_.module.order.push_back({kind, static_cast<std::uint32_t>(size - 1)});
    }

    // ---- which definition counts

    void gather(std::uint32_t part) {
        const Module& module = parts_[part];
        if (module.address_size != parts_[0].address_size) conflict(LinkConflict::Kind::kAddressSize, {}, 0, part);
        const PartNames& names = names_[part];
        for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
            const Function& function = module.functions[i];
            if (names.own.count(function.name) != 0) continue;
            const bool is_defined = function.body || names.aliases.count(function.name) != 0;
            merge(function.name,
                  {true, is_defined ? strength_of(function.linkage) : Strength::kUndefined, part, i, {}, 0, part});
        }
        for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
            const Variable& variable = module.variables[i];
            if (names.own.count(variable.name) != 0) continue;
            const Strength strength = is_declaration(variable) ? Strength::kUndefined : strength_of(variable.linkage);
            merge(variable.name, {false, strength, part, i, variable.space, bytes_of(variable), part});
        }
    }

    void merge(const std::string& name, const Shared& other) {
        const auto [at, is_new] = shared_.try_emplace(name, other);
        if (is_new) return;
        Shared& known = at->second;
        const auto refuse = [&](LinkConflict::Kind kind, std::uint32_t first) {
            conflict(kind, name, first, other.part);
        };
        if (known.is_function != other.is_function) return refuse(LinkConflict::Kind::kNature, known.part);
        if (known.space != other.space) return refuse(LinkConflict::Kind::kSpace, known.part);
        if (!known.is_function && known.part == other.part && known.strength != Strength::kUndefined &&
            other.strength != Strength::kUndefined)
            return refuse(LinkConflict::Kind::kTwice, known.part);
        const bool both_common = known.strength == Strength::kCommon && other.strength == Strength::kCommon;
        if (known.strength == Strength::kStrong && other.strength == Strength::kStrong) {
            // One module may say a function's head twice.
            if (known.part == other.part && known.is_function) return;
            return refuse(LinkConflict::Kind::kTwice, known.part);
        }
        if (!both_common && known.bytes != 0 && other.bytes != 0 && known.bytes != other.bytes)
            return refuse(LinkConflict::Kind::kSize, known.sized_by);
        const bool is_better = other.strength > known.strength || (both_common && other.bytes > known.bytes);
        const std::uint64_t bytes = known.bytes != 0 ? known.bytes : other.bytes;
        const std::uint32_t sized_by = known.bytes != 0 ? known.sized_by : other.sized_by;
        if (is_better) known = other;
        if (known.bytes == 0) {
            known.bytes = bytes;
            known.sized_by = sized_by;
        }
    }

    // ---- what the modules say together

    // As new as the newest part; for one device alone where a part is.
    void head() {
        Module& module = linked_.module;
        module.address_size = parts_[0].address_size;
        std::string best;
        std::vector<std::string> modes;
        std::size_t debugged = 0;
        for (const Module& part : parts_) {
            const auto version = [](const Module& of) { return std::pair(of.version_major, of.version_minor); };
            if (version(part) > version(module)) {
                module.version_major = part.version_major;
                module.version_minor = part.version_minor;
            }
            for (const std::string& target : part.target) {
                if (target.starts_with("sm_"))
                    best = newer(best, target);
                else if (target == "debug")
                    ++debugged;
                else if (std::find(modes.begin(), modes.end(), target) == modes.end())
                    modes.push_back(target);
            }
            for (const Pragma& pragma : part.pragmas) {
                module.pragmas.push_back(pragma);
                add(Module::ItemKind::kPragma, module.pragmas.size());
            }
        }
        if (!best.empty()) module.target.push_back(best);
        module.target.insert(module.target.end(), modes.begin(), modes.end());
        if (debugged == parts_.size()) module.target.emplace_back("debug");
    }

    static const std::string& newer(const std::string& a, const std::string& b) {
        const auto number = [](const std::string& target) {
            return target.size() > 3 ? std::strtoul(target.c_str() + 3, nullptr, 10) : 0;
        };
        const auto is_special = [](const std::string& target) {
            return !target.empty() && std::isdigit(static_cast<unsigned char>(target.back())) == 0;
        };
        if (number(a) != number(b)) return number(a) > number(b) ? a : b;
        return is_special(a) ? a : b;
    }

    // A part's own names, where another part has the same.
    void make_apart(std::uint32_t part) {
        Renames renames;
        std::vector<std::string> own(names_[part].own.begin(), names_[part].own.end());
        std::sort(own.begin(), own.end());
        for (const std::string& name : own) {
            std::string fresh = name;
            for (unsigned next = part; shared_.count(fresh) != 0 || !taken_.insert(fresh).second; ++next)
                fresh = name + "$" + std::to_string(next);
            if (fresh != name) renames.emplace(name, fresh);
        }
        rename(parts_[part], renames);
        for (const auto& [old, fresh] : renames)
            if (names_[part].aliases.erase(old) != 0) names_[part].aliases.insert(fresh);
    }

    void files(std::uint32_t part) {
        std::unordered_map<std::uint32_t, std::uint32_t> numbers;
        for (const File& file : parts_[part].files) {
            const auto next = static_cast<std::uint32_t>(file_numbers_.size() + 1);
            const auto [at, is_new] = file_numbers_.try_emplace(file.name, next);
            numbers[file.index] = at->second;
            if (!is_new) continue;
            linked_.module.files.push_back({next, file.name, file.timestamp, file.size});
            add(Module::ItemKind::kFile, linked_.module.files.size());
        }
        const std::string suffix = "$" + std::to_string(part);
        renumber_files(parts_[part], numbers, suffix);
        for (const Section& section : parts_[part].sections) {
            if (section.name != ".debug_str") continue;
            strings_.name = section.name;
            for (const std::string& line : section.lines) {
                const std::size_t end = end_of_label(line);
                strings_.lines.push_back(end == 0 ? line : line.substr(0, end) + suffix + line.substr(end));
            }
        }
    }

    bool counts(const std::string& name, std::uint32_t part, std::uint32_t index) const {
        const auto found = shared_.find(name);
        return found == shared_.end() || (found->second.part == part && found->second.index == index);
    }

    // Whether a function's body, or the alias that it is, is part of the program.
    bool is_kept(const Function& function, std::uint32_t part, std::uint32_t index) const {
        const bool is_alias = names_[part].aliases.count(function.name) != 0;
        return (function.body || is_alias) && counts(function.name, part, index);
    }

    // All heads come first: variables hold functions' addresses, and functions call each other in any order.
    void declare_functions() {
        for (std::uint32_t part = 0; part < parts_.size(); ++part)
            for (std::uint32_t i = 0; i < parts_[part].functions.size(); ++i) {
                const Function& function = parts_[part].functions[i];
                const auto found = shared_.find(function.name);
                const bool is_missing = found != shared_.end() && found->second.strength == Strength::kUndefined &&
                                        counts(function.name, part, i);
                if (!is_missing && (function.is_entry || !is_kept(function, part, i))) continue;
                linked_.module.functions.push_back(head_of(function));
                add(Module::ItemKind::kFunction, linked_.module.functions.size());
            }
    }

    static Function head_of(const Function& function) {
        Function head;
        head.is_entry = function.is_entry;
        head.linkage = function.linkage;
        head.attributes = function.attributes;
        head.name = function.name;
        head.returns = function.returns;
        head.parameters = function.parameters;
        for (const FunctionDirective& directive : function.directives)
            if (directive.name == "noreturn") head.directives.push_back(directive);
        head.position = function.position;
        return head;
    }

    void functions() {
        for (std::uint32_t part = 0; part < parts_.size(); ++part) {
            Module& module = parts_[part];
            for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
                if (!module.functions[i].body || !is_kept(module.functions[i], part, i)) continue;
                linked_.module.functions.push_back(std::move(module.functions[i]));
                add(Module::ItemKind::kFunction, linked_.module.functions.size());
            }
        }
        for (std::uint32_t part = 0; part < parts_.size(); ++part)
            for (const Alias& alias : parts_[part].aliases) {
                const auto found = shared_.find(alias.name);
                if (found != shared_.end() && found->second.part != part) continue;
                linked_.module.aliases.push_back(alias);
                add(Module::ItemKind::kAlias, linked_.module.aliases.size());
            }
    }

    using Kept = std::map<std::string, std::pair<std::uint32_t, std::uint32_t>>;  // by name: part, index

    // A variable that holds another's address stands behind it.
    void variables() {
        Kept kept;
        std::vector<std::string> order;
        for (std::uint32_t part = 0; part < parts_.size(); ++part)
            for (std::uint32_t i = 0; i < parts_[part].variables.size(); ++i) {
                Variable& variable = parts_[part].variables[i];
                if (is_of_the_launch(variable)) align_launch_memory(variable);
                if (!counts(variable.name, part, i)) continue;
                if (kept.emplace(variable.name, std::pair(part, i)).second) order.push_back(variable.name);
            }
        std::unordered_set<std::string> begun;
        for (const std::string& name : order) place(name, kept, begun);
    }

    // With a stack of its own: each of any number of variables may point to the next.
    void place(const std::string& first, const Kept& kept, std::unordered_set<std::string>& begun) {
        std::vector<std::pair<std::string, bool>> stack = {{first, false}};
        while (!stack.empty()) {
            const auto [name, is_done] = std::move(stack.back());
            stack.pop_back();
            const auto at = kept.find(name);
            if (at == kept.end() || (!is_done && !begun.insert(name).second)) continue;
            Variable& variable = parts_[at->second.first].variables[at->second.second];
            if (is_done) {
                linked_.module.variables.push_back(std::move(variable));
                add(Module::ItemKind::kVariable, linked_.module.variables.size());
                continue;
            }
            stack.emplace_back(name, true);
            std::vector<std::string> before;
            if (variable.initializer)
                visit_names(std::as_const(*variable.initializer),
                            [&](const std::string& other) { before.push_back(other); });
            for (auto other = before.rbegin(); other != before.rend(); ++other) stack.emplace_back(*other, false);
        }
    }

    // The declaration that counts has the strictest alignment of all.
    void align_launch_memory(const Variable& variable) {
        const auto found = shared_.find(variable.name);
        if (found == shared_.end()) return;
        Variable& kept = parts_[found->second.part].variables[found->second.index];
        kept.align = std::max(kept.align, variable.align);
    }

    std::vector<Module> parts_;
    std::vector<PartNames> names_;
    std::map<std::string, Shared> shared_;
    std::unordered_set<std::string> taken_;  // names that were a part's own
    std::map<std::string, std::uint32_t> file_numbers_;
    Section strings_;
    Linked linked_;
};

}  // namespace

Linked link(std::vector<Module> parts, const std::string& name) { return Linker(std::move(parts), name).run(); }

}  // namespace tilescope::ptx
