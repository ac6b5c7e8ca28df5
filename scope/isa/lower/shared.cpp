// Where shared variables lie: static ones first, in the order they are met, the dynamic array behind them.
#include <algorithm>
#include <set>
#include <tuple>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {
namespace {

constexpr std::uint64_t kMaxSharedBytes = 1024 * 1024;  // far beyond any device: the launch checks the real limit
constexpr std::uint64_t kDynamicAlignment = 16;
constexpr std::string_view kReservedRegisters = "%reserved_smem_offset_";

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

// Calls visit(name) for every symbol that an operand mentions.
template <class Visit>
void for_each_symbol(const ptx::Operand& operand, Visit visit) {
    if (const auto* symbol = std::get_if<ptx::Symbol>(&operand.value)) {
        visit(symbol->name);
    } else if (const auto* address = std::get_if<ptx::AddressOperand>(&operand.value)) {
        if (address->base) visit(address->base->name);
    } else if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand.value)) {
        for (const ptx::Operand& element : vector->elements) for_each_symbol(element, visit);
    } else if (const auto* list = std::get_if<ptx::ListOperand>(&operand.value)) {
        for (const ptx::Operand& element : list->elements) for_each_symbol(element, visit);
    }
}

template <class Visit, class Declare, class CallPointer>
void walk(const ptx::Block& block, Visit visit, Declare declare, CallPointer call_pointer) {
    for (const ptx::Statement& statement : block.statements) {
        if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) {
            for (const ptx::Operand& operand : instruction->operands) for_each_symbol(operand, visit);
        } else if (const auto* variable = std::get_if<ptx::Variable>(&statement)) {
            if (variable->space == "shared") declare(*variable);
        } else if (const auto* prototype = std::get_if<ptx::CallPrototype>(&statement)) {
            call_pointer(*prototype);
        } else if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) {
            walk(**inner, visit, declare, call_pointer);
        }
    }
}

}  // namespace

void Lowering::place_shared(const ptx::Function& kernel) {
    std::uint64_t end = 0;
    bool asks_for_reserved = false;
    std::vector<const ptx::Variable*> dynamic;
    auto place = [&](const ptx::Variable& variable) {
        if (shared_offsets_.count(&variable)) return;
        const std::optional<std::uint64_t> size = size_of(variable);
        if (size == std::uint64_t{0} && alignment_of(variable) <= kMaxSharedBytes) {
            dynamic.push_back(&variable);
            shared_offsets_.emplace(&variable, 0);
            return;
        }
        const std::uint64_t align = std::max<std::uint64_t>(1, alignment_of(variable));
        const std::uint64_t offset = round_up(end, align);
        if (!size || offset + *size > kMaxSharedBytes) {
            fail("isa-too-much-shared-memory", variable.position,
                 "'" + variable.name + "' takes shared memory beyond " + std::to_string(kMaxSharedBytes) + " bytes");
            return;
        }
        shared_offsets_.emplace(&variable, offset);
        end = offset + *size;
    };
    std::set<const ptx::Function*> seen{&kernel};
    std::vector<const ptx::Function*> work{&kernel};
    while (!work.empty()) {
        const ptx::Function* function = work.back();
        work.pop_back();
        if (!function->body) continue;
        auto visit = [&](std::string_view name) {
            asks_for_reserved = asks_for_reserved || name.starts_with(kReservedRegisters);
            if (auto variable = variables_.find(name);
                variable != variables_.end() && variable->second->space == "shared")
                place(*variable->second);
            if (auto callee = function_texts_.find(name);
                callee != function_texts_.end() && seen.insert(callee->second).second)
                work.push_back(callee->second);
        };
        auto call_pointer = [&](const ptx::CallPrototype& prototype) {
            for (const ptx::Function* callee : functions_pointed_to())
                if (has_type(*callee, prototype) && seen.insert(callee).second) work.push_back(callee);
        };
        walk(*function->body, visit, place, call_pointer);
    }
    // ptxas makes it a multiple of what the module's dynamic arrays are aligned to, which begin behind it.
    std::uint64_t most_aligned = 1;
    for (const ptx::Variable& variable : request_.module->variables)
        if (variable.space == "shared" && size_of(variable) == std::uint64_t{0})
            most_aligned = std::max(most_aligned, std::min(alignment_of(variable), kMaxSharedBytes));
    program_->static_shared_bytes = static_cast<std::uint32_t>(round_up(end, most_aligned));
    end = round_up(end, kDynamicAlignment);
    for (const ptx::Variable* variable : dynamic)
        shared_offsets_[variable] = round_up(end, std::max<std::uint64_t>(1, alignment_of(*variable)));
    program_->shared_base = request_.shared_base;
    if (asks_for_reserved) {
        program_->shared_base = 0;
        program_->shared_reserved = request_.shared_base;
        program_->shared_reserved_used = request_.shared_reserved_used;
        for (auto& [variable, offset] : shared_offsets_) offset += program_->shared_reserved;
    }
    auto& table = program_->shared_variables;
    for (const auto& [variable, offset] : shared_offsets_)
        table.push_back({variable->name, static_cast<std::uint32_t>(offset),
                         static_cast<std::uint32_t>(size_of(*variable).value_or(0))});
    std::sort(table.begin(), table.end(), [](const machine::SharedVariable& a, const machine::SharedVariable& b) {
        return std::tie(a.offset, a.bytes, a.name) < std::tie(b.offset, b.bytes, b.name);
    });
}

std::int32_t Lowering::shared_variable_at(std::uint64_t offset) const {
    const auto& table = program_->shared_variables;
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].offset == offset) return static_cast<std::int32_t>(i);
    return -1;
}

std::int32_t Lowering::pointer_origin(const machine::PointerSource& source) {
    auto& table = program_->pointers;
    const auto known = std::find(table.begin(), table.end(), source);
    const auto place = static_cast<std::int32_t>(known - table.begin());
    if (known == table.end()) table.push_back(source);
    return kFirstPointer + place;
}

}  // namespace tilescope::isa
