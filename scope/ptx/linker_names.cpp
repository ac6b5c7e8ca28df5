#include "scope/ptx/linker_names.h"

#include <string_view>
#include <unordered_set>
#include <vector>

namespace tilescope::ptx {
namespace {

// The names that a function declares, scope by scope.
class OuterNames {
public:
    explicit OuterNames(const VisitName& visit) : visit_(visit) {}

    void function(Function& function) {
        Scope& own = scopes_.emplace_back();
        for (const auto* list : {&function.returns, &function.parameters})
            for (const Variable& variable : *list) own.insert(variable.name);
        if (function.body) block(*function.body);
        scopes_.pop_back();
    }

private:
    using Scope = std::unordered_set<std::string_view>;

    static void declare(const Statement& statement, Scope& scope) {
        if (const auto* variable = std::get_if<Variable>(&statement)) scope.insert(variable->name);
        if (const auto* label = std::get_if<Label>(&statement)) scope.insert(label->name);
        if (const auto* targets = std::get_if<TargetList>(&statement)) scope.insert(targets->label);
        if (const auto* prototype = std::get_if<CallPrototype>(&statement)) scope.insert(prototype->label);
    }

    void block(Block& block) {
        Scope& own = scopes_.emplace_back();
        for (const Statement& statement : block.statements) declare(statement, own);
        for (Statement& statement : block.statements) {
            if (auto* inner = std::get_if<std::unique_ptr<Block>>(&statement)) this->block(**inner);
            if (auto* instruction = std::get_if<Instruction>(&statement))
                for (Operand& each : instruction->operands) operand(each, instruction->loc);
            if (auto* targets = std::get_if<TargetList>(&statement))
                for (std::string& target : targets->targets) name(target, -1);
        }
        scopes_.pop_back();
    }

    void name(std::string& name, std::int32_t loc) {
        if (name.empty() || name[0] == '%') return;
        for (const Scope& scope : scopes_)
            if (scope.count(name) != 0) return;
        visit_(name, loc);
    }

    void all(std::vector<Operand>& operands, std::int32_t loc) {
        for (Operand& each : operands) operand(each, loc);
    }

    void operand(Operand& operand, std::int32_t loc) {
        if (auto* symbol = std::get_if<Symbol>(&operand.value)) name(symbol->name, loc);
        if (auto* vector = std::get_if<VectorOperand>(&operand.value)) all(vector->elements, loc);
        if (auto* list = std::get_if<ListOperand>(&operand.value)) all(list->elements, loc);
        if (auto* pair = std::get_if<PairOperand>(&operand.value)) all(pair->elements, loc);
        if (auto* address = std::get_if<AddressOperand>(&operand.value)) {
            if (address->base) name(address->base->name, loc);
            all(address->coordinates, loc);
        }
    }

    const VisitName& visit_;
    std::vector<Scope> scopes_;
};

void renumber(Loc& loc, const std::unordered_map<std::uint32_t, std::uint32_t>& numbers, const std::string& suffix) {
    const auto number = [&](std::uint32_t& file) {
        const auto found = numbers.find(file);
        file = found == numbers.end() ? 0 : found->second;
    };
    number(loc.file);
    if (loc.inlined_function.empty()) return;
    number(loc.inlined_file);
    loc.inlined_function += suffix;
}

void renumber(Block& block, const std::unordered_map<std::uint32_t, std::uint32_t>& numbers,
              const std::string& suffix) {
    for (Statement& statement : block.statements) {
        if (auto* loc = std::get_if<Loc>(&statement)) renumber(*loc, numbers, suffix);
        if (auto* inner = std::get_if<std::unique_ptr<Block>>(&statement)) renumber(**inner, numbers, suffix);
    }
}

}  // namespace

void visit_outer_names(Function& function, const VisitName& visit) { OuterNames(visit).function(function); }

// Nothing changes where nobody changes the name.
void visit_outer_names(const Function& function,
                       const std::function<void(const std::string& name, std::int32_t loc)>& visit) {
    visit_outer_names(const_cast<Function&>(function),
                      VisitName([&](std::string& name, std::int32_t loc) { visit(name, loc); }));
}

void visit_names(Initializer& initializer, const std::function<void(std::string& name)>& visit) {
    if (auto* symbol = std::get_if<Symbol>(&initializer.value)) visit(symbol->name);
    if (auto* list = std::get_if<std::vector<Initializer>>(&initializer.value))
        for (Initializer& each : *list) visit_names(each, visit);
}

void visit_names(const Initializer& initializer, const std::function<void(const std::string& name)>& visit) {
    if (const auto* symbol = std::get_if<Symbol>(&initializer.value)) visit(symbol->name);
    if (const auto* list = std::get_if<std::vector<Initializer>>(&initializer.value))
        for (const Initializer& each : *list) visit_names(each, visit);
}

void rename(Module& module, const Renames& renames) {
    if (renames.empty()) return;
    const auto change = [&](std::string& name) {
        if (const auto found = renames.find(name); found != renames.end()) name = found->second;
    };
    for (Variable& variable : module.variables) {
        change(variable.name);
        if (variable.initializer) visit_names(*variable.initializer, change);
    }
    for (Function& function : module.functions) {
        change(function.name);
        visit_outer_names(function, [&](std::string& name, std::int32_t) { change(name); });
    }
    for (Alias& alias : module.aliases) {
        change(alias.name);
        change(alias.aliasee);
    }
}

void renumber_files(Module& module, const std::unordered_map<std::uint32_t, std::uint32_t>& numbers,
                    const std::string& suffix) {
    for (Function& function : module.functions) {
        for (Loc& loc : function.locs) renumber(loc, numbers, suffix);
        if (function.body) renumber(*function.body, numbers, suffix);
    }
}

}  // namespace tilescope::ptx
