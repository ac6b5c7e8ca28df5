// Step 6: calls, filled in now that the frame of every function is known.
#include <algorithm>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {
namespace {

// Scalars travel in registers, all else in bytes on the stack; alignment is no part of the type.
bool is_scalar(const ptx::Variable& parameter) { return parameter.dimensions.empty() && parameter.vector == 1; }

bool are_alike(const std::vector<ptx::Variable>& a, const std::vector<ptx::Variable>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ptx::Variable& x, const ptx::Variable& y) {
        return size_of(x) == size_of(y) && is_scalar(x) == is_scalar(y);
    });
}

machine::Operand slot_of(const FunctionCode& code, const OpenOperand& value) {
    if (value.reg == kNoRegister) return value.bound.slot;
    return {machine::Bank::kRegisters, code.registers[value.reg].slot};
}

}  // namespace

bool has_type(const ptx::Function& function, const ptx::CallPrototype& prototype) {
    return !function.is_entry && are_alike(function.parameters, prototype.parameters) &&
           are_alike(function.returns, prototype.returns);
}

// How one side's values travel. False when a value does not have the width of its parameter.
bool Lowering::copy_values(const FunctionCode& code, const FunctionCode& callee, const CallValues& values,
                           std::vector<machine::CallCopy>& out) {
    for (std::size_t i = 0; i < values.values.size(); ++i) {
        const ParameterVariable& formal = callee.parameters[values.formals[i]];
        const OpenOperand& value = values.values[i];
        machine::CallCopy copy;
        if (formal.reg == kNoRegister) {
            if (values.parameters[i] < 0) return false;
            const ParameterVariable& actual = code.parameters[values.parameters[i]];
            if (actual.bytes != formal.bytes) return false;
            copy.on_stack = true;
            copy.caller = static_cast<std::uint32_t>(actual.local_offset);
            copy.callee = static_cast<std::uint32_t>(formal.local_offset);
            copy.bytes = static_cast<std::uint32_t>(formal.bytes);
            out.push_back(copy);
            continue;
        }
        const VirtualRegister& reg = callee.registers[formal.reg];
        const bool immediate = value.bound.is_immediate && value.reg == kNoRegister;
        if (values.parameters[i] >= 0 || (!immediate && value.bound.bytes != reg.bytes)) return false;
        copy.from = immediate
                        ? constant(static_cast<std::uint64_t>(value.bound.value), std::max<unsigned>(2, reg.bytes))
                        : slot_of(code, value);
        copy.caller = copy.from.offset();
        copy.callee = reg.slot;
        copy.bytes = reg.bytes;
        copy.is_predicate = reg.bytes == 0;
        out.push_back(copy);
    }
    return true;
}

// A call of one function. Where its parameters lie is its own affair; their number and sizes must be the call's.
bool Lowering::bind_call(const FunctionCode& code, const OpenCall& open, const FunctionCode& callee,
                         machine::CallSite& site) {
    site.function = callee.index;
    return callee.formals.size() == open.arguments.size() && callee.formal_results.size() >= open.results.size() &&
           copy_values(code, callee, {open.arguments, open.argument_parameters, callee.formals}, site.arguments) &&
           copy_values(code, callee, {open.results, open.result_parameters, callee.formal_results}, site.results);
}

bool Lowering::finish_call(const FunctionCode& code, const OpenCall& open, machine::CallSite& site) {
    if (!open.callee.empty()) return bind_call(code, open, *functions_[*function(open.callee)], site);
    program_->has_unbounded_calls = true;
    site.pointer = slot_of(code, open.pointer);
    for (const auto& other : functions_) {
        if (!has_type(*other->text, *open.prototype)) continue;
        machine::CallSite way;
        if (!bind_call(code, open, *other, way)) continue;
        site.ways.push_back(static_cast<std::uint32_t>(program_->call_sites.size()));
        program_->call_sites.push_back(std::move(way));
    }
    // Where the module has no such function, a pointer to one cannot be right, either: the call faults if it is made.
    return true;
}

void Lowering::finish_calls() {
    for (const auto& code : functions_)
        for (std::uint32_t b = 0; b < code->blocks.size(); ++b) {
            machine::Terminator& end = program_->blocks[code->first_block + b].end;
            if (end.kind == machine::TerminatorKind::kFallThrough) continue;
            end.op = &program_->ops[end.extra];
            if (end.kind == machine::TerminatorKind::kBranchIndexed) end.extra = end.target;
            if (end.kind != machine::TerminatorKind::kCall) continue;
            const OpenCall& open = code->calls[end.target];
            machine::CallSite site;
            if (!finish_call(*code, open, site)) {
                fail("isa-bad-call", code->instructions[code->blocks[b].instructions.back()].text->position,
                     "the call of '" + open.callee + "' does not fit its signature");
                continue;
            }
            end.extra = static_cast<std::uint32_t>(program_->call_sites.size());
            program_->call_sites.push_back(std::move(site));
        }
}

}  // namespace tilescope::isa
