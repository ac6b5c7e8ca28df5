#include "scope/isa/lower.h"

#include <algorithm>

#include "scope/isa/assembler/assemble.h"
#include "scope/isa/assembler/padding.h"
#include "scope/isa/assembler/work.h"
#include "scope/isa/lower/directives.h"
#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {
namespace {

// The least that a call keeps on the stack beside its arrays: where it returns to, in whole units of the stack.
constexpr std::uint32_t kSavedByCall = 16;

constexpr std::size_t kMaxErrors = 20;
constexpr std::uint32_t kRegistersBeyondPressure = 8;  // addresses and temporaries of the assembler, in the estimate

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

// The first instruction of a function that has a line of the source, to name its place by.
const ptx::Instruction* first_of_source(const ptx::Block& block) {
    for (const ptx::Statement& statement : block.statements) {
        const auto* found = std::get_if<ptx::Instruction>(&statement);
        if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) found = first_of_source(**inner);
        if (found != nullptr && found->loc >= 0) return found;
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

void find_definitions(FunctionCode& code) {
    code.definitions.assign(code.registers.size(), {});
    for (std::uint32_t index = 0; index < code.instructions.size(); ++index)
        for_each_result(code.instructions[index], [&](std::int32_t reg) {
            Definition& definition = code.definitions[reg];
            if (definition.count++ == 0) definition.first = index;
            definition.last = index;
        });
}

}  // namespace

Lowering::Lowering(const LowerRequest& request) : request_(request), program_(std::make_unique<machine::Program>()) {
    for (const ptx::Function& function : request.module->functions) {
        auto [entry, fresh] = function_texts_.try_emplace(function.name, &function);
        if (!fresh && function.body) entry->second = &function;
    }
    for (const ptx::Alias& alias : request.module->aliases)
        if (auto aliasee = function_texts_.find(alias.aliasee); aliasee != function_texts_.end())
            function_texts_[alias.name] = aliasee->second;
    for (const ptx::Variable& variable : request.module->variables) variables_.try_emplace(variable.name, &variable);
}

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

void Lowering::check_directives(const ptx::Function& function) {
    const ptx::Instruction* const first = first_of_source(*function.body);
    for (const ptx::FunctionDirective& directive : function.directives)
        if (const auto refusal = refusal_of(directive))
            fail("isa-unsupported-directive", first != nullptr ? first->position : function.position, *refusal);
}

void Lowering::lower_function(std::uint32_t index) {
    FunctionCode& code = *functions_[index];
    check_directives(*code.text);
    if (failed()) return;
    lower_names(code);
    if (failed()) return;
    find_definitions(code);
    assemble(code, *program_);
    lower_flow(code);
    lower_contraction(code);
    find_definitions(code);
    lower_registers(code);
    program_->functions.resize(functions_.size());
    lower_emit(code);
    if (!failed()) add_work(code, *program_);
}

// The deepest chain of calls: registers and stack that a warp can need. Without recursion of our own, for a chain may
// be as long as the module.
void Lowering::measure_depth() {
    struct Depth {
        std::uint64_t frame = 0, local = 0;  // of what it calls; once done, with its own
        std::size_t next = 0;                // call to look at
        enum { kNew, kUnderWay, kDone } state = kNew;
    };
    std::vector<Depth> depths(functions_.size());
    std::vector<std::uint32_t> path{0};
    depths[0].state = Depth::kUnderWay;
    while (!path.empty()) {
        Depth& depth = depths[path.back()];
        const std::vector<OpenCall>& calls = functions_[path.back()]->calls;
        if (depth.next == calls.size()) {
            depth.frame += program_->functions[path.back()].frame_bytes;
            depth.local += program_->functions[path.back()].local_bytes;
            depth.state = Depth::kDone;
            path.pop_back();
            continue;
        }
        const std::string& name = calls[depth.next].callee;
        const std::uint32_t callee = name.empty() ? 0 : *function(name);
        if (!name.empty() && depths[callee].state == Depth::kNew) {
            depths[callee].state = Depth::kUnderWay;
            path.push_back(callee);  // looked at again when that is done
            continue;
        }
        ++depth.next;
        if (name.empty()) continue;
        if (depths[callee].state == Depth::kUnderWay) {
            program_->has_unbounded_calls = true;
            continue;
        }
        depth.frame = std::max(depth.frame, depths[callee].frame);
        depth.local = std::max(depth.local, depths[callee].local);
    }
    if (program_->has_unbounded_calls)
        for (std::size_t i = 1; i < functions_.size(); ++i) {
            program_->functions[i].local_bytes += kSavedByCall;
            depths[0].local += kSavedByCall;
        }
    program_->max_frame_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(depths[0].frame, 1u << 30));
    program_->max_local_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(depths[0].local, 1u << 30));
}

void Lowering::find_padding() {
    if (request_.padding == nullptr) return;
    machine::PaddingPlan& plan = *request_.padding;
    for (const auto& code : functions_) find_fills(*code, plan);
    if (plan.fills.empty()) return;
    for (const auto& code : functions_) find_padded_products(*code, plan);
    if (plan.products.empty()) plan = {};
}

// An operand reaches 2^30 bytes of its bank (machine::Operand).
void Lowering::check_banks(const ptx::Function& kernel) {
    constexpr std::uint64_t kBankBytes = std::uint64_t{1} << 30;
    for (const auto& code : functions_)
        if (code->frame_bytes > kBankBytes)
            fail("isa-too-many-registers", code->text->position,
                 "'" + code->text->name + "' keeps more registers alive at once than 2^30 bytes a warp hold");
    if (program_->constants.size() > kBankBytes || program_->launch_bytes > kBankBytes)
        fail("isa-too-many-constants", kernel.position,
             "the kernel names more immediates and parameters than 2^30 bytes a warp hold");
}

Result<std::unique_ptr<machine::Program>> Lowering::run() {
    const ptx::Function* kernel = nullptr;
    for (const ptx::Function& function : request_.module->functions)
        if (function.is_entry && function.name == request_.entry && function.body) kernel = &function;
    if (!kernel)
        return error("isa-no-kernel", {request_.module->name, 0, 0},
                     "the module has no kernel '" + std::string(request_.entry) + "'");
    program_->name = kernel->name;
    program_->constant_base = request_.constant_base;
    program_->constants_at = request_.constants_at;
    program_->constants_bytes = request_.constants_bytes;
    const std::vector<ParameterPlace> places = place_parameters(kernel->parameters);
    for (std::size_t i = 0; i < places.size(); ++i)
        kernel_parameters_.try_emplace(kernel->parameters[i].name, places[i]);
    place_shared(*kernel);
    functions_.push_back(std::make_unique<FunctionCode>());
    functions_.back()->text = kernel;
    for (std::uint32_t i = 0; i < functions_.size() && !failed(); ++i) lower_function(i);
    if (failed()) return errors_;
    finish_calls();
    if (failed()) return errors_;
    measure_depth();
    find_waits();
    find_padding();
    if (!places.empty()) program_->parameter_bytes = places.back().offset + places.back().size;
    check_banks(*kernel);
    if (failed()) return errors_;
    for (const auto& code : functions_)
        program_->estimated_registers =
            std::max(program_->estimated_registers, std::min(255u, code->pressure + kRegistersBeyondPressure));
    return std::move(program_);
}

std::optional<std::uint64_t> function_handle(const ptx::Module& module, const ptx::Function& function) {
    if (!function.body || function.is_entry) return std::nullopt;
    return static_cast<std::uint64_t>(&function - module.functions.data()) + 1;
}

Result<std::unique_ptr<machine::Program>> lower(const LowerRequest& request) { return Lowering(request).run(); }

}  // namespace tilescope::isa
