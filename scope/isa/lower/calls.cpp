// Step 2, continued: calls of device functions, through pointers, and of functions that the rows know.
#include "scope/isa/lower/operand_reader.h"

namespace tilescope::isa {
namespace {

// What compilers make of a kernel that launches kernels calls these.
bool launches_kernels(std::string_view callee) {
    for (const std::string_view name : {"__cudaCDP2", "cudaLaunchDevice", "cudaGetParameterBuffer"})
        if (callee.starts_with(name)) return true;
    return false;
}

}  // namespace

bool OperandReader::read_call_values(const ptx::ListOperand& list, bool writes, OpenCall& call) {
    auto& values = writes ? call.results : call.arguments;
    auto& parameters = writes ? call.result_parameters : call.argument_parameters;
    auto& bytes = writes ? call.result_bytes : call.argument_bytes;
    for (const ptx::Operand& from : list.elements) {
        OpenOperand to;
        to.writes = writes;
        std::int32_t parameter = -1;
        const auto* symbol = std::get_if<ptx::Symbol>(&from.value);
        const Entity* entity = symbol ? find(symbol->name) : nullptr;
        if (entity && entity->parameter != -1) {
            const ParameterVariable& variable = code_.parameters[entity->parameter];
            bytes.push_back(variable.bytes);
            if (variable.reg == kNoRegister) {
                parameter = entity->parameter;
            } else {
                to.reg = variable.reg;
                to.bound.kind = BoundKind::kValue;
                to.bound.bytes = code_.registers[variable.reg].bytes;
            }
        } else if (entity && entity->kind == EntityKind::kRegister) {
            to.reg = register_of(symbol->name, symbol->component, *entity);
            if (to.reg == kNoRegister) return no("'" + symbol->name + "' is not declared");
            to.bound.kind = BoundKind::kValue;
            to.bound.bytes = code_.registers[to.reg].bytes;
            bytes.push_back(to.bound.bytes);
        } else if (!writes) {
            // An immediate: its width is the formal's, found when the callee is known; 64 bits hold any.
            if (!read_value(from, Type::kB64, 8, false, to)) return false;
            bytes.push_back(8);
        } else {
            return no("a result that is no register or parameter");
        }
        values.push_back(std::move(to));
        parameters.push_back(parameter);
    }
    return true;
}

bool OperandReader::match_call(Instruction& instruction) {
    OpenCall call;
    std::size_t next = 0;
    const auto& operands = text_.operands;
    if (next < operands.size())
        if (const auto* results = std::get_if<ptx::ListOperand>(&operands[next].value)) {
            if (!read_call_values(*results, true, call)) return false;
            ++next;
        }
    const auto* callee = next < operands.size() ? std::get_if<ptx::Symbol>(&operands[next].value) : nullptr;
    if (!callee) return no("a call needs a function");
    ++next;
    if (next < operands.size())
        if (const auto* arguments = std::get_if<ptx::ListOperand>(&operands[next].value)) {
            if (!read_call_values(*arguments, false, call)) return false;
            ++next;
        }
    if (const Entity* pointer = find(callee->name); pointer && pointer->kind == EntityKind::kRegister) {
        call.pointer.reg = register_of(callee->name, callee->component, *pointer);
        if (call.pointer.reg == kNoRegister || code_.registers[call.pointer.reg].bytes != 8)
            return no("a function pointer has 64 bits");
        call.pointer.bound.kind = BoundKind::kValue;
        const auto* prototype = next < operands.size() ? std::get_if<ptx::Symbol>(&operands[next].value) : nullptr;
        const Entity* entity = prototype ? find(prototype->name) : nullptr;
        if (!entity) return no("a call through a pointer needs a prototype");
        if (entity->kind == EntityKind::kTargets) return no("a call with .calltargets");
        if (entity->kind != EntityKind::kPrototype) return no("a call through a pointer needs a prototype");
        call.prototype = entity->prototype;
        for (const ptx::Function* function : lowering_.functions_pointed_to())
            if (has_type(*function, *call.prototype)) lowering_.function(function->name);
    } else {
        call.callee = callee->name;
        if (!lowering_.function(callee->name)) return bind_library_call(call, instruction);
    }
    for (const auto* side : {&call.arguments, &call.results})
        for (const OpenOperand& value : *side)
            if (value.reg != kNoRegister)
                (side == &call.results ? instruction.extra_defs : instruction.extra_uses).push_back(value.reg);
    if (call.pointer.reg != kNoRegister) instruction.extra_uses.push_back(call.pointer.reg);
    instruction.call = static_cast<std::uint32_t>(code_.calls.size());
    code_.calls.push_back(std::move(call));
    return true;
}

// A function without a body that the rows know: the device library's and the system's.
bool OperandReader::bind_library_call(OpenCall& call, Instruction& instruction) {
    const std::vector<Candidate>& candidates = lowering_.rows().find(call.callee, {});
    for (const Candidate& candidate : candidates) {
        std::size_t results = 0;
        for (const Token& token : candidate.tokens) results += token.writes ? 1 : 0;
        if (results < call.results.size() || candidate.tokens.size() - results != call.arguments.size()) continue;
        instruction.chosen = &candidate;
        instruction.control = candidate.row->control;
        std::size_t result = 0, argument = 0;
        for (const Token& token : candidate.tokens) {
            OpenOperand operand;
            operand.writes = token.writes;
            if (token.writes) {
                if (result < call.results.size()) operand = call.results[result++];
            } else {
                operand = call.arguments[argument++];
            }
            instruction.operands.push_back(operand);
        }
        return true;
    }
    if (launches_kernels(call.callee))
        lowering_.fail(
            "isa-device-launch", text_.position,
            "a kernel that launches kernels (dynamic parallelism) is not supported: this calls '" + call.callee + "'",
            "launch them from the host");
    else
        lowering_.fail("isa-undefined-function", text_.position,
                       candidates.empty() ? "the function '" + call.callee + "' has no body in this module"
                                          : "the call of '" + call.callee + "' does not fit its signature",
                       "name the file that defines it as well, and have the files' device code linked "
                       "(--compile-flags=-rdc=true); or define it in a header");
    instruction.control = Control::kNone;
    instruction.chosen = &lowering_.rows().plain(Control::kExit);
    return true;
}

}  // namespace tilescope::isa
