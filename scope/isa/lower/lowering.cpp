// What the steps of a lowering share: errors, slots in banks, and what names of the module mean.
#include "scope/isa/lower/lowering.h"

#include <memory>
#include <unordered_set>

namespace tilescope::isa {
namespace {

constexpr std::size_t kMaxErrors = 20;

const ptx::Instruction* instruction_at(const ptx::Block& block, const ptx::Position& at) {
    for (const ptx::Statement& statement : block.statements) {
        const auto* instruction = std::get_if<ptx::Instruction>(&statement);
        if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement))
            instruction = instruction_at(**inner, at);
        if (instruction != nullptr && instruction->position.line == at.line &&
            instruction->position.column == at.column)
            return instruction;
    }
    return nullptr;
}

// Calls visit(name) for every function whose address an instruction takes. What a call names is called.
template <class Visit>
void for_each_address_taken(const RowIndex& rows, const ptx::Block& block, Visit visit) {
    for (const ptx::Statement& statement : block.statements) {
        if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement))
            for_each_address_taken(rows, **inner, visit);
        const auto* instruction = std::get_if<ptx::Instruction>(&statement);
        if (instruction == nullptr || rows.control_of(instruction->opcode) == Control::kCall) continue;
        for (const ptx::Operand& operand : instruction->operands)
            if (const auto* symbol = std::get_if<ptx::Symbol>(&operand.value)) visit(symbol->name);
    }
}

// The same for an initialiser.
template <class Visit>
void for_each_address_taken(const ptx::Initializer& initializer, Visit visit) {
    if (const auto* symbol = std::get_if<ptx::Symbol>(&initializer.value)) visit(symbol->name);
    if (const auto* list = std::get_if<std::vector<ptx::Initializer>>(&initializer.value))
        for (const ptx::Initializer& inner : *list) for_each_address_taken(inner, visit);
}

}  // namespace

void Lowering::fail(std::string code, const ptx::Position& at, std::string message, std::string hint) {
    if (errors_.size() >= kMaxErrors) return;
    SourceLocation place = {request_.module->name, at.line, at.column};
    if (const auto source = source_of(at)) {
        message += "; line " + std::to_string(at.line) + " of the PTX";
        place = *source;
    }
    errors_.push_back(error(std::move(code), std::move(place), std::move(message), std::move(hint)));
}

// The line of the program's source that an instruction was made from, where the PTX says it.
std::optional<SourceLocation> Lowering::source_of(const ptx::Position& at) const {
    for (const ptx::Function& function : request_.module->functions) {
        const ptx::Instruction* found = function.body ? instruction_at(*function.body, at) : nullptr;
        if (found == nullptr || found->loc < 0) continue;
        const ptx::Loc& loc = function.locs[static_cast<std::size_t>(found->loc)];
        // What stands in a header was called for by a line of the program.
        const bool inlined = loc.inlined_line != 0;
        for (const ptx::File& file : request_.module->files)
            if (file.index == (inlined ? loc.inlined_file : loc.file))
                return SourceLocation{file.name, inlined ? loc.inlined_line : loc.line, 0};
    }
    return std::nullopt;
}

machine::Operand Lowering::constant(std::uint64_t value, unsigned bytes) {
    auto [entry, fresh] = constants_.try_emplace({value, bytes});
    if (!fresh) return entry->second;
    auto& bank = program_->constants;
    const auto offset = static_cast<std::uint32_t>((bank.size() + 63) / 64 * 64);
    bank.resize(offset + bytes * machine::kWarpSize);
    for (unsigned i = 0; i < machine::kWarpSize; ++i)
        for (unsigned k = 0; k < bytes; ++k) bank[offset + i * bytes + k] = static_cast<std::byte>(value >> 8 * k);
    entry->second = machine::Operand(machine::Bank::kConstants, offset);
    return entry->second;
}

machine::Operand Lowering::launch_slot(const machine::LaunchSlot& wanted) {
    const auto offset = (program_->launch_bytes + 63) / 64 * 64;
    const auto [known, fresh] = launch_slots_.try_emplace(
        {wanted.what, wanted.slot_bytes, wanted.parameter_offset, wanted.bytes, wanted.is_signed}, offset);
    if (!fresh) return {machine::Bank::kLaunch, known->second};
    machine::LaunchSlot slot = wanted;
    slot.offset = offset;
    program_->launch_bytes = slot.offset + slot.slot_bytes * machine::kWarpSize;
    program_->launch_slots.push_back(slot);
    return {machine::Bank::kLaunch, slot.offset};
}

machine::Operand Lowering::special_slot(machine::Special special) {
    for (const machine::SpecialSlot& slot : program_->specials)
        if (slot.what == special) return {machine::Bank::kSpecial, slot.offset};
    const std::uint32_t offset = program_->special_bytes;
    program_->special_bytes += 4 * machine::kWarpSize;
    program_->specials.push_back({special, offset});
    return {machine::Bank::kSpecial, offset};
}

std::optional<std::uint64_t> Lowering::shared_variable(std::string_view name) {
    auto found = variables_.find(name);
    if (found == variables_.end() || found->second->space != "shared") return std::nullopt;
    auto placed = shared_offsets_.find(found->second);
    return placed == shared_offsets_.end() ? std::nullopt : std::optional(placed->second);
}

std::optional<std::uint64_t> Lowering::module_variable(std::string_view name, const ptx::Position& at) {
    if (const auto refusal = request_.refusal_of ? request_.refusal_of(name) : std::nullopt) {
        if (refusals_.emplace(name).second) fail(refusal->code, at, refusal->message, refusal->hint);
        return 0;  // nothing runs any more
    }
    const std::optional<std::uint64_t> address = request_.address_of(name);
    if (!address) return address;
    const auto found = variables_.find(name);
    if (found == variables_.end() || used_variables_.insert(found->first).second)
        program_->module_variables.emplace_back(name);
    return address;
}

std::optional<ParameterPlace> Lowering::kernel_parameter(std::string_view name) const {
    const auto found = kernel_parameters_.find(name);
    return found == kernel_parameters_.end() ? std::nullopt : std::optional(found->second);
}

const ptx::Function* Lowering::function_text(std::string_view name) const {
    auto found = function_texts_.find(name);
    return found == function_texts_.end() ? nullptr : found->second;
}

std::optional<std::uint32_t> Lowering::function(std::string_view name) {
    const ptx::Function* text = function_text(name);
    if (!text || !text->body || text->is_entry) return std::nullopt;
    auto [entry, fresh] = function_indices_.try_emplace(text->name, static_cast<std::uint32_t>(functions_.size()));
    if (fresh) {
        functions_.push_back(std::make_unique<FunctionCode>());
        functions_.back()->text = text;
        functions_.back()->index = entry->second;
    }
    return entry->second;
}

const std::vector<const ptx::Function*>& Lowering::functions_pointed_to() {
    if (functions_pointed_to_) return *functions_pointed_to_;
    functions_pointed_to_.emplace();
    std::unordered_set<const ptx::Function*> seen;
    const auto visit = [&](std::string_view name) {
        const ptx::Function* text = function_text(name);
        if (text && text->body && !text->is_entry && seen.insert(text).second) functions_pointed_to_->push_back(text);
    };
    for (const ptx::Function& function : request_.module->functions)
        if (function.body) for_each_address_taken(rows_, *function.body, visit);
    for (const ptx::Variable& variable : request_.module->variables)
        if (variable.initializer) for_each_address_taken(*variable.initializer, visit);
    return *functions_pointed_to_;
}

std::uint32_t Lowering::file_of(std::uint32_t ptx_file) {
    auto [entry, fresh] = files_.try_emplace(ptx_file, static_cast<std::uint32_t>(program_->files.size()));
    if (!fresh) return entry->second;
    std::string name;
    for (const ptx::File& file : request_.module->files)
        if (file.index == ptx_file) name = file.name;
    program_->files.push_back(name);
    return entry->second;
}

std::optional<std::uint64_t> function_handle(const ptx::Module& module, const ptx::Function& function) {
    if (!function.body || function.is_entry) return std::nullopt;
    return static_cast<std::uint64_t>(&function - module.functions.data()) + 1;
}

}  // namespace tilescope::isa
