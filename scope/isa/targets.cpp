#include "scope/isa/targets.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <unordered_map>

#include "scope/base/result.h"
#include "scope/isa/families.h"
#include "scope/isa/table/row_index.h"

namespace tilescope::isa {
namespace {

constexpr std::size_t kTold = 20;  // refusals of one module, as many as the parser tells of a text

// The PTX version that brought each target (ptxas 13.0: "PTX .version 6.0 does not support .target sm_90").
constexpr Needs kTargets[] = {{40, 50}, {41, 52},  {42, 53},  {50, 60},  {50, 61},  {50, 62}, {60, 70},
                              {61, 72}, {63, 75},  {70, 80},  {71, 86},  {74, 87},  {90, 88}, {78, 89},
                              {78, 90}, {86, 100}, {88, 103}, {90, 110}, {87, 120}, {88, 121}};
constexpr std::uint32_t kSpecificOf90 = 80, kFamilies = 88;  // sm_90a, and the first with an `f`

std::uint32_t version_of(const Target& target) {
    std::uint32_t first = 0;
    for (const Needs& row : kTargets)
        if (row.sm == target.sm) first = row.ptx;
    if (target.suffix == 'a' && target.sm == 90) first = kSpecificOf90;
    if (target.suffix == 'f' && first < kFamilies) first = kFamilies;
    return first;
}

std::uint32_t version_of(const ptx::Module& module) { return module.version_major * 10 + module.version_minor; }

std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

// Where an instruction stands in the program's source, else in the PTX.
SourceLocation place_in(const ptx::Module& module, const ptx::Function& function, const ptx::Instruction& instruction) {
    if (instruction.loc >= 0) {
        const ptx::Loc& loc = function.locs[static_cast<std::size_t>(instruction.loc)];
        const bool inlined = loc.inlined_line != 0;
        for (const ptx::File& file : module.files)
            if (file.index == (inlined ? loc.inlined_file : loc.file))
                return {file.name, inlined ? loc.inlined_line : loc.line, 0};
    }
    return {module.name, instruction.position.line, instruction.position.column};
}

// What each instruction of a module asks for, each spelling looked up once.
class Requirements {
public:
    Requirements() : rows_(families()) {}

    // Nothing for an instruction that no row describes.
    const std::optional<Requirement>& of(const ptx::Instruction& instruction) {
        spelling_ = instruction.opcode;
        for (const std::string& modifier : instruction.modifiers) spelling_.append(".").append(modifier);
        const auto [entry, fresh] = known_.try_emplace(spelling_);
        if (fresh) entry->second = look_up(instruction);
        return entry->second;
    }
    const std::string& spelling() const { return spelling_; }

private:
    // Rows that differ in operands alone: the least of them.
    std::optional<Requirement> look_up(const ptx::Instruction& instruction) {
        std::optional<Requirement> least;
        for (const Candidate& candidate : rows_.find(instruction.opcode, instruction.modifiers)) {
            const Requirement one = requirement_of(*candidate.row, candidate.form);
            if (!least || one.needs.sm < least->needs.sm ||
                (one.needs.sm == least->needs.sm && one.needs.ptx < least->needs.ptx))
                least = one;
        }
        return least;
    }

    RowIndex rows_;
    std::unordered_map<std::string, std::optional<Requirement>> known_;
    std::string spelling_;
};

using Visit = std::function<void(const ptx::Function&, const ptx::Instruction&)>;
using VisitVariable = std::function<void(const ptx::Variable&)>;

void for_each_instruction(const ptx::Function& function, const ptx::Block& block, const Visit& visit) {
    for (const ptx::Statement& statement : block.statements) {
        if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement))
            for_each_instruction(function, **inner, visit);
        if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) visit(function, *instruction);
    }
}

void for_each_instruction(const ptx::Module& module, const Visit& visit) {
    for (const ptx::Function& function : module.functions)
        if (function.body) for_each_instruction(function, *function.body, visit);
}

void for_each_variable(const ptx::Block& block, const VisitVariable& visit) {
    for (const ptx::Statement& statement : block.statements) {
        if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) for_each_variable(**inner, visit);
        if (const auto* variable = std::get_if<ptx::Variable>(&statement)) visit(*variable);
    }
}

void for_each_variable(const ptx::Module& module, const VisitVariable& visit) {
    for (const ptx::Variable& variable : module.variables) visit(variable);
    for (const ptx::Function& function : module.functions) {
        for (const ptx::Variable& result : function.returns) visit(result);
        for (const ptx::Variable& parameter : function.parameters) visit(parameter);
        if (function.body) for_each_variable(*function.body, visit);
    }
}

// Whether the declaration is of this register: by name, or as one of a range ("%p<4>").
bool declares(const ptx::Variable& variable, std::string_view name) {
    if (!variable.count) return variable.name == name;
    if (!name.starts_with(variable.name)) return false;
    const std::string_view number = name.substr(variable.name.size());
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_predicate(const ptx::Function& function, std::string_view name) {
    bool found = false;
    for_each_variable(*function.body, [&](const ptx::Variable& variable) {
        found |= variable.type == "pred" && declares(variable, name);
    });
    return found;
}

OperandUse use_of(const ptx::Function& function, const ptx::Instruction& instruction) {
    OperandUse use;
    use.count = instruction.operands.size();
    for (const ptx::Operand& operand : instruction.operands) {
        const auto* const symbol = std::get_if<ptx::Symbol>(&operand.value);
        if (&operand == &instruction.operands.front()) {
            use.discards_result = symbol != nullptr && symbol->name == "_";
            use.has_second_result = std::holds_alternative<ptx::PairOperand>(operand.value);
        } else if (symbol != nullptr) {
            use.has_predicate |= is_predicate(function, symbol->name);
        }
    }
    return use;
}

// Calls visit(what, requirement) for the spelling, and for each operand that needs more than the least.
template <class VisitNeed>
void for_each_need(Requirements& requirements, const ptx::Function& function, const ptx::Instruction& instruction,
                   const VisitNeed& visit) {
    const std::optional<Requirement>& needed = requirements.of(instruction);
    if (!needed) return;
    visit(quoted(requirements.spelling()), *needed);
    if (depends_on_use(instruction.opcode)) {
        const UseNeeds more = needs_of_use(instruction.opcode, instruction.modifiers, use_of(function, instruction));
        if (!more.what.empty())
            visit(quoted(requirements.spelling()) + " " + std::string(more.what), Requirement{more.needs});
    }
    // PTX gives no register but the special ones a name with a percent sign that is known here.
    for (const ptx::Operand& operand : instruction.operands)
        if (const auto* symbol = std::get_if<ptx::Symbol>(&operand.value); symbol != nullptr)
            visit(quoted(symbol->name), Requirement{needs_of_register(symbol->name)});
}

std::string words_of(const Requirement& requirement) {
    const std::string name = "sm_" + std::to_string(requirement.needs.sm);
    switch (requirement.since) {
        case Since::kAllLater: return name + " or later";
        case Since::kOneAlone: return name + "a";
        case Since::kSpecificLater: return name + "a, or an architecture- or family-specific target after it";
    }
    return name;
}

// Collects refusals: of one thing and reason the first, with how often it came.
class Refusals {
public:
    // own_version: the text's, where `version` is what it may use.
    Refusals(const Target& target, std::uint32_t version, std::uint32_t own_version)
        : target_(target), version_(version), own_version_(own_version) {}

    void hold(const std::string& what, const Requirement& needed, const SourceLocation& place) {
        if (!target_.has(needed))
            add("isa-newer-than-target",
                what + " needs .target " + words_of(needed) + "; this file's is " + target_.name(),
                "compile for " + Target{needed.needs.sm, needed.since == Since::kAllLater ? '\0' : 'a'}.name(), place);
        if (version_ < needed.needs.ptx)
            add("isa-newer-than-version",
                what + " needs PTX .version " + version_name(needed.needs.ptx) + " or later; this file's is " +
                    version_name(version_),
                "compile with a newer toolkit, or write .version " + version_name(needed.needs.ptx), place);
        if (const auto& dropped = needed.dropped; dropped && own_version_ >= dropped->ptx && target_.sm >= dropped->sm)
            add("isa-dropped",
                "PTX .version " + version_name(dropped->ptx) + " dropped " + what + " for .target sm_" +
                    std::to_string(dropped->sm) + " and later; this file's are " + version_name(own_version_) +
                    " and " + target_.name(),
                "use the form with .sync, which names the participating threads", place);
    }
    void add(std::string code, std::string message, std::string hint, const SourceLocation& place) {
        const auto [entry, fresh] = places_.try_emplace(message, errors_.size());
        if (fresh && errors_.size() < kTold) {
            errors_.push_back(error(std::move(code), place, std::move(message), std::move(hint)));
            counts_.push_back(1);
        } else if (!fresh && entry->second < counts_.size()) {
            ++counts_[entry->second];
        }
    }
    Diagnostics finish() {
        for (std::size_t i = 0; i < errors_.size(); ++i)
            if (counts_[i] > 1) errors_[i].message += " (" + std::to_string(counts_[i]) + " places)";
        return std::move(errors_);
    }

private:
    Target target_;
    std::uint32_t version_, own_version_;
    Diagnostics errors_;
    std::vector<std::uint64_t> counts_;
    std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

bool Target::has(const Requirement& requirement) const {
    if (requirement.since == Since::kOneAlone) return sm == requirement.needs.sm && suffix == 'a';
    if (requirement.since == Since::kSpecificLater && suffix == '\0') return false;
    return sm >= requirement.needs.sm || requirement.needs.sm == Needs{}.sm;
}

std::string Target::name() const {
    return "sm_" + std::to_string(sm) + (suffix == '\0' ? std::string() : std::string(1, suffix));
}

Target target_named(std::string_view name) {
    constexpr std::string_view kStart = "sm_";
    Target target;
    if (!name.starts_with(kStart)) return target;
    const char* const end = name.data() + name.size();
    const auto [rest, failure] = std::from_chars(name.data() + kStart.size(), end, target.sm);
    if (failure == std::errc() && rest != end) target.suffix = *rest;
    return target;
}

Target target_of(const ptx::Module& module) {
    for (const std::string& name : module.target)
        if (const Target target = target_named(name); target.sm != 0) return target;
    return {};
}

std::string version_name(std::uint32_t version) {
    return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

Diagnostics check_own_target(const ptx::Module& module, const TargetLimits& limits) {
    const Target target = limits.target.sm != 0 ? limits.target : target_of(module);
    const std::uint32_t version = limits.version != 0 ? limits.version : version_of(module);
    Refusals refusals(target, version, version_of(module));
    const SourceLocation top{module.name, 0, 0};
    if (version < version_of(target))
        refusals.add("isa-newer-than-version",
                     "PTX .version " + version_name(version) + " does not support .target " + target.name(),
                     target.name() + " came with .version " + version_name(version_of(target)), top);
    Requirements requirements;
    for_each_instruction(module, [&](const ptx::Function& function, const ptx::Instruction& instruction) {
        for_each_need(requirements, function, instruction, [&](const std::string& what, const Requirement& needed) {
            if (!target.has(needed) || version < needed.needs.ptx || needed.dropped)
                refusals.hold(what, needed, place_in(module, function, instruction));
        });
    });
    for_each_variable(module, [&](const ptx::Variable& variable) {
        refusals.hold("type " + quoted("." + variable.type), {needs_of_type(variable.type)},
                      {module.name, variable.position.line, variable.position.column});
    });
    for (const ptx::Function& function : module.functions)
        for (const ptx::FunctionDirective& directive : function.directives)
            refusals.hold(quoted("." + directive.name), {needs_of_directive(directive.name)},
                          {module.name, function.position.line, function.position.column});
    return refusals.finish();
}

std::vector<Missing> missing_on(const ptx::Module& module, std::uint32_t capability) {
    const Target device{capability, 'a'};
    std::vector<Missing> missing;
    std::unordered_map<std::string, std::size_t> known;
    Requirements requirements;
    for_each_instruction(module, [&](const ptx::Function& function, const ptx::Instruction& instruction) {
        for_each_need(requirements, function, instruction, [&](const std::string& what, const Requirement& needed) {
            if (device.has(needed)) return;
            const auto [entry, fresh] = known.try_emplace(what, missing.size());
            if (fresh)
                missing.push_back({what, needed, place_in(module, function, instruction)});
            else
                ++missing[entry->second].count;
        });
    });
    return missing;
}

}  // namespace tilescope::isa
