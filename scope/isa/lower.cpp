#include "scope/isa/lower.h"

#include <algorithm>
#include <functional>

#include "scope/isa/lowering.h"

namespace tilescope::isa {
namespace {

constexpr std::size_t kMostErrors = 20;
constexpr std::uint32_t kRegistersBeyondPressure = 8;  // addresses and temporaries of the assembler, in the estimate

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
    if (errors_.size() >= kMostErrors) return;
    errors_.push_back(
        error(std::move(code), {request_.module->name, at.line, at.column}, std::move(message), std::move(hint)));
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
    for (const machine::LaunchSlot& slot : program_->launch_slots)
        if (slot.what == wanted.what && slot.slot_bytes == wanted.slot_bytes &&
            slot.parameter_offset == wanted.parameter_offset && slot.bytes == wanted.bytes &&
            slot.is_signed == wanted.is_signed)
            return {machine::Bank::kLaunch, slot.offset};
    machine::LaunchSlot slot = wanted;
    slot.offset = (program_->launch_bytes + 63) / 64 * 64;
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

std::optional<std::uint64_t> Lowering::module_variable(std::string_view name) {
    const std::optional<std::uint64_t> address = request_.address_of(name);
    std::vector<std::string>& used = program_->module_variables;
    if (address && std::find(used.begin(), used.end(), name) == used.end()) used.emplace_back(name);
    return address;
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

std::uint32_t Lowering::file_of(std::uint32_t ptx_file) {
    auto [entry, fresh] = files_.try_emplace(ptx_file, static_cast<std::uint32_t>(program_->files.size()));
    if (!fresh) return entry->second;
    std::string name;
    for (const ptx::File& file : request_.module->files)
        if (file.index == ptx_file) name = file.name;
    program_->files.push_back(name);
    return entry->second;
}

void Lowering::lower_function(std::uint32_t index) {
    FunctionCode& code = *functions_[index];
    lower_names(code);
    if (failed()) return;
    lower_flow(code);
    merge_shared_loads(code);
    lower_registers(code);
    program_->functions.resize(functions_.size());
    lower_emit(code);
}

// The deepest chain of calls: registers and stack that a warp can need.
void Lowering::measure_depth() {
    struct Depth {
        std::uint64_t frame = 0, local = 0;
        int state = 0;  // 0 not yet, 1 under way, 2 done
    };
    std::vector<Depth> depths(functions_.size());
    std::function<void(std::uint32_t)> visit = [&](std::uint32_t index) {
        Depth& depth = depths[index];
        depth.state = 1;
        std::uint64_t frame = 0, local = 0;
        for (const OpenCall& call : functions_[index]->calls) {
            if (call.callee.empty()) continue;
            const std::uint32_t callee = *function(call.callee);
            if (depths[callee].state == 1) program_->has_unbounded_calls = true;
            if (depths[callee].state == 0) visit(callee);
            frame = std::max(frame, depths[callee].frame);
            local = std::max(local, depths[callee].local);
        }
        depth.frame = frame + program_->functions[index].frame_bytes;
        depth.local = local + program_->functions[index].local_bytes;
        depth.state = 2;
    };
    visit(0);
    program_->max_frame_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(depths[0].frame, 1u << 30));
    program_->max_local_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(depths[0].local, 1u << 30));
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
    place_shared(*kernel);
    functions_.push_back(std::make_unique<FunctionCode>());
    functions_.back()->text = kernel;
    for (std::uint32_t i = 0; i < functions_.size() && !failed(); ++i) lower_function(i);
    if (failed()) return errors_;
    finish_calls();
    if (failed()) return errors_;
    measure_depth();
    const std::vector<ParameterPlace> places = place_parameters(kernel->parameters);
    if (!places.empty()) program_->parameter_bytes = places.back().offset + places.back().size;
    for (const auto& code : functions_)
        program_->estimated_registers =
            std::max(program_->estimated_registers, std::min(255u, code->pressure + kRegistersBeyondPressure));
    return std::move(program_);
}

Result<std::unique_ptr<machine::Program>> lower(const LowerRequest& request) { return Lowering(request).run(); }

}  // namespace tilescope::isa
