#include "scope/isa/lower.h"

#include <algorithm>

#include "scope/isa/assembler/address_sources.h"
#include "scope/isa/assembler/assemble.h"
#include "scope/isa/assembler/padding.h"
#include "scope/isa/assembler/work.h"
#include "scope/isa/families.h"
#include "scope/isa/lower/directives.h"
#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {
namespace {

// The least that a call keeps on the stack beside its arrays: where it returns to, in whole units of the stack.
constexpr std::uint32_t kSavedByCall = 16;

constexpr std::uint32_t kRegistersBeyondPressure = 8;  // addresses and temporaries of the assembler, in the estimate

// The first instruction of a function that has a line of the source, to name its place by.
const ptx::Instruction* first_of_source(const ptx::Block& block) {
    for (const ptx::Statement& statement : block.statements) {
        const auto* found = std::get_if<ptx::Instruction>(&statement);
        if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) found = first_of_source(**inner);
        if (found != nullptr && found->loc >= 0) return found;
    }
    return nullptr;
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

Lowering::Lowering(const LowerRequest& request)
    : request_(request), program_(std::make_unique<machine::Program>()), rows_(families()) {
    for (const ptx::Function& function : request.module->functions) {
        auto [entry, fresh] = function_texts_.try_emplace(function.name, &function);
        if (!fresh && function.body) entry->second = &function;
    }
    for (const ptx::Alias& alias : request.module->aliases)
        if (auto aliasee = function_texts_.find(alias.aliasee); aliasee != function_texts_.end())
            function_texts_[alias.name] = aliasee->second;
    for (const ptx::Variable& variable : request.module->variables) variables_.try_emplace(variable.name, &variable);
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
    constexpr std::size_t kMostBlocks = 4000;  // of a function whose conditions are looked at by the way
    if (request_.lists_checks || (request_.with_indices && code.blocks.size() <= kMostBlocks)) lower_checks(code);
    find_definitions(code);
    assemble(code, *program_);
    find_address_sources(code);
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
    find_indices();
    find_races();
    if (!places.empty()) program_->parameter_bytes = places.back().offset + places.back().size;
    check_banks(*kernel);
    if (failed()) return errors_;
    for (const auto& code : functions_)
        program_->estimated_registers =
            std::max(program_->estimated_registers, std::min(255u, code->pressure + kRegistersBeyondPressure));
    return std::move(program_);
}

Result<std::unique_ptr<machine::Program>> lower(const LowerRequest& request) { return Lowering(request).run(); }

}  // namespace tilescope::isa
