#include "scope/session/variables.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "scope/session/demangle.h"

namespace tilescope {
namespace {

constexpr std::uint64_t kRegisterBytes = 4;

// Start of the last name in a chain of a::b::c, over templates, parameters and lambdas.
std::size_t last_name(std::string_view name) {
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        const char c = name[i];
        if (c == '>' || c == ')' || c == '}' || c == ']') ++depth;
        if (c == '<' || c == '(' || c == '{' || c == '[') --depth;
        if (depth == 0 && c == ':' && i > 0 && name[i - 1] == ':') return i + 1;
    }
    return 0;
}

// nvcc puts what is private to a file into a namespace that it makes up from the file's name.
std::string without_file(std::string name) {
    constexpr std::string_view kFileScope = "_INTERNAL_";
    if (!name.starts_with(kFileScope)) return name;
    const std::size_t end = name.find("::");
    return end == std::string::npos ? name : name.substr(end + 2);
}

// A function's name without its return type, which demanglers put before templates, and its parameters.
std::string function_name(std::string_view function) {
    int depth = 0;
    std::size_t start = 0, end = function.size();
    for (std::size_t i = 0; i < function.size(); ++i) {
        const char c = function[i];
        if (c == '(' && depth == 0 && function.substr(i).starts_with("(anonymous namespace)")) {
            i += std::string_view("(anonymous namespace)").size() - 1;
            continue;
        }
        if (c == '(' && depth == 0) {
            end = i;
            break;
        }
        if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
        if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
        if (c == ' ' && depth == 0) start = i + 1;
    }
    return std::string(function.substr(start, end - start));
}

// Names that the compilers make up for what has none in the source.
std::string of_compiler(std::string_view name) {
    for (const std::string_view literal : {"$str", "_$_str", ".str"})
        if (name.starts_with(literal)) return "string literal";
    // clang: a constant array of a function, __const_$__Z4picki_$_t.
    constexpr std::string_view kConstant = "__const_$_", kSeparator = "_$_";
    if (name.starts_with(kConstant))
        if (const std::size_t at = name.rfind(kSeparator); at >= kConstant.size())
            return std::string(name.substr(at + kSeparator.size()));
    return {};
}

}  // namespace

SourceName source_name(std::string_view mangled) {
    if (std::string made = of_compiler(mangled); !made.empty()) return {made, made, std::string(mangled)};
    const std::string full = without_file(demangled(mangled));
    const bool is_local = mangled.starts_with("_ZZ");
    if (!is_local || full == mangled) return {full, full, full};
    const std::size_t at = last_name(full);
    if (at < 2) return {full, full, full};
    const std::string plain = full.substr(at);
    return {plain, function_name(std::string_view(full).substr(0, at - 2)) + "::" + plain, full};
}

std::vector<std::string> source_names(const std::vector<std::string>& mangled) {
    std::vector<SourceName> names;
    std::map<std::string, std::vector<std::size_t>> groups;  // by plain name
    for (const std::string& name : mangled) {
        names.push_back(source_name(name));
        groups[names.back().plain].push_back(names.size() - 1);
    }
    std::vector<std::string> result(names.size());
    for (const auto& group : groups) {
        const std::vector<std::size_t>& members = group.second;
        auto fill = [&](std::string SourceName::*form) {
            std::set<std::string> seen;
            for (std::size_t i : members) seen.insert(result[i] = names[i].*form);
            return seen.size();
        };
        if (fill(&SourceName::plain) == members.size() || fill(&SourceName::with_function) == members.size()) continue;
        const std::size_t different = fill(&SourceName::full);
        if (different == members.size()) continue;
        if (different == 1) fill(&SourceName::plain);
        std::map<std::string, unsigned> times;
        for (std::size_t i : members)
            if (const unsigned number = ++times[result[i]]; number > 1) result[i] += " #" + std::to_string(number);
    }
    return result;
}

namespace {

// Rows in the making: those with names get them at the end, when all are known.
class Table {
public:
    Table(const machine::Program& program, const LoadedModule& module, const LaunchProfile& launch)
        : program_(program), module_(module), launch_(launch) {
        blocks_ = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
        threads_ = blocks_ * launch.block[0] * launch.block[1] * launch.block[2];
    }

    std::vector<Variable> list() {
        if (launch_.registers_per_thread != 0)
            rows_.push_back({"registers", VariableSpace::kRegister, kRegisterBytes * launch_.registers_per_thread,
                             threads_, VariableScope::kThread, VariableLifetime::kGrid});
        local();
        const std::size_t unnamed = rows_.size();
        shared();
        of_module();
        const std::vector<std::string> names = source_names(mangled_);
        for (std::size_t i = 0; i < names.size(); ++i) rows_[unnamed + i].name = names[i];
        dynamic();
        return std::move(rows_);
    }

private:
    // What a thread has in local memory. The assembler's frame, where it is known, holds arrays and spills; that of a
    // kernel which calls functions also what calls save, unless the assembler said that it spills.
    void local() {
        std::uint64_t arrays = program_.max_local_bytes, spills = 0;
        if (launch_.registers_from != RegistersFrom::kEstimate) {
            const std::uint64_t frame = launch_.local_bytes_per_thread;
            arrays = std::min(arrays, frame);
            if (launch_.spill_store_bytes != 0 || program_.call_sites.empty()) spills = frame - arrays;
        }
        const auto add = [&](const char* name, std::uint64_t bytes) {
            if (bytes == 0) return;
            rows_.push_back(
                {name, VariableSpace::kLocal, bytes, threads_, VariableScope::kThread, VariableLifetime::kGrid});
        };
        add("local arrays", arrays);
        add("spills", spills);
    }

    Variable shared_row(std::uint64_t bytes) const {
        return {{}, VariableSpace::kShared, bytes, blocks_, VariableScope::kBlock, VariableLifetime::kGrid};
    }

    void shared() {
        for (const machine::SharedVariable& variable : program_.shared_variables) {
            if (variable.bytes == 0) continue;
            mangled_.push_back(variable.name);
            rows_.push_back(shared_row(variable.bytes));
        }
    }

    // All dynamic arrays are the same bytes, so they share a row.
    void dynamic() {
        Variable row = shared_row(launch_.dynamic_shared_bytes);
        for (const machine::SharedVariable& variable : program_.shared_variables) {
            if (variable.bytes != 0) continue;
            const std::string name = source_name(variable.name).plain;
            row.name += (row.name.empty() ? "" : ", ") + name;
        }
        if (row.name.empty() && row.bytes == 0) return;
        if (row.name.empty()) row.name = "dynamic shared memory";  // words: a name
        const auto behind = std::find_if(rows_.begin(), rows_.end(), [](const Variable& variable) {
            return variable.lifetime == VariableLifetime::kApplication;
        });
        rows_.insert(behind, row);
    }

    void of_module() {
        for (const VariableSpace space : {VariableSpace::kConstant, VariableSpace::kGlobal, VariableSpace::kManaged})
            for (const std::string& name : program_.module_variables) {
                const auto variable = module_.find_variable(name);
                if (!variable) continue;
                const VariableSpace its = variable->is_constant  ? VariableSpace::kConstant
                                          : variable->is_managed ? VariableSpace::kManaged
                                                                 : VariableSpace::kGlobal;
                if (its != space) continue;
                mangled_.push_back(name);
                rows_.push_back({{}, space, variable->size, 1, VariableScope::kGrid, VariableLifetime::kApplication});
            }
    }

    const machine::Program& program_;
    const LoadedModule& module_;
    const LaunchProfile& launch_;
    std::uint64_t blocks_ = 0, threads_ = 0;
    std::vector<Variable> rows_;
    std::vector<std::string> mangled_;
};

}  // namespace

std::vector<Variable> list_variables(const machine::Program& program, const LoadedModule& module,
                                     const LaunchProfile& launch) {
    return Table(program, module, launch).list();
}

}  // namespace tilescope
