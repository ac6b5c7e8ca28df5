// Which variable, or which parameter's memory, an address counts from, where that is certain.
//
// It is when the address was made from one variable's symbol, or one parameter of the kernel, by moves, conversions,
// sums and differences, whatever the other terms are: an index is data. What meets two variables, comes out of memory
// or a call, or goes through any other operation counts from nothing that is known. A parameter of 64 bits may be a
// number as well as a pointer: where it can only be a number, in products and the like, it is data.
#include <algorithm>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {
namespace {

using machine::FlowKind;

// Beside the numbers of variables.
constexpr std::int32_t kUnset = -3, kUnknown = -2, kNoOrigin = -1;

std::int32_t sum_of(std::int32_t one, std::int32_t other) {
    if (one == kUnset || other == kUnset) return kUnset;
    if (one == kNoOrigin) return other;
    return other == kNoOrigin ? one : kUnknown;
}

std::int32_t either(std::int32_t one, std::int32_t other) {
    if (one == kUnset) return other;
    return other == kUnset || one == other ? one : kUnknown;
}

class Origins {
public:
    explicit Origins(const FunctionCode& code) : code_(code), of_(code.registers.size(), kUnset) {
        for (const std::int32_t reg : code.formals)
            if (reg != kNoRegister) of_[static_cast<std::size_t>(reg)] = kUnknown;
        for (const ParameterVariable& parameter : code.parameters)
            if (parameter.reg != kNoRegister) of_[static_cast<std::size_t>(parameter.reg)] = kUnknown;
    }

    // Every pass only makes less certain what was certain, so that there are few.
    std::vector<std::int32_t> find() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Instruction& instruction : code_.instructions) changed = step(instruction) || changed;
        }
        for (std::int32_t& origin : of_) origin = std::max(origin, kNoOrigin);
        return std::move(of_);
    }

private:
    std::int32_t of(const OpenOperand& operand) const {
        if (operand.reg != kNoRegister) return of_[static_cast<std::size_t>(operand.reg)];
        return operand.origin;
    }

    bool is_data(std::int32_t origin) const { return origin == kNoOrigin || origin >= kFirstPointer; }

    std::int32_t result_of(const Instruction& instruction) const {
        if (instruction.chosen == nullptr || instruction.control == Control::kCall) return kUnknown;
        std::vector<std::int32_t> sources;
        for (const OpenOperand& operand : instruction.operands) {
            const bool is_value = operand.bound.kind == BoundKind::kValue && !operand.writes;
            const bool is_predicate = operand.bound.bytes == 0 && !operand.bound.is_immediate;
            if (is_value && !is_predicate) sources.push_back(of(operand));
            for (const OpenOperand& element : operand.elements)
                if (!element.writes) sources.push_back(of(element));
        }
        const FlowKind kind = instruction.chosen->row->effect.flow;
        if (kind == FlowKind::kLoad || kind == FlowKind::kAtomic) return kNoOrigin;
        if (kind == FlowKind::kMove && sources.size() == 1) return sources[0];
        if (kind == FlowKind::kAdd && sources.size() == 2) return sum_of(sources[0], sources[1]);
        if (kind == FlowKind::kSubtract && sources.size() == 2 && sources[1] == kNoOrigin) return sources[0];
        if (kind == FlowKind::kMultiplyAdd && sources.size() == 3 && is_data(sources[0]) && is_data(sources[1]))
            return sources[2];
        if (kind == FlowKind::kSelect && sources.size() == 2) return either(sources[0], sources[1]);
        if (std::count(sources.begin(), sources.end(), kUnset) != 0) return kUnset;
        const bool scales = sources.size() >= 2 && kind != FlowKind::kAdd && kind != FlowKind::kSubtract;
        const bool is_all_data = std::all_of(
            sources.begin(), sources.end(), [&](std::int32_t one) { return scales ? is_data(one) : one == kNoOrigin; });
        return is_all_data ? kNoOrigin : kUnknown;
    }

    // What a load of kernel parameters gives, value by value; nothing of other instructions.
    static std::vector<std::int32_t> parameters_of(const Instruction& instruction) {
        std::vector<std::int32_t> origins;
        if (instruction.chosen == nullptr || instruction.chosen->row->effect.flow != FlowKind::kLoad) return origins;
        for (const OpenOperand& operand : instruction.operands)
            for (const OpenOperand& element : operand.elements)
                if (!element.writes) origins.push_back(element.origin);
        return origins;
    }

    bool step(const Instruction& instruction) {
        bool changed = false;
        const std::vector<std::int32_t> parameters = parameters_of(instruction);
        const std::int32_t result_of_all = parameters.empty() ? result_of(instruction) : kNoOrigin;
        std::size_t number = 0;
        for_each_result(instruction, [&](std::int32_t reg) {
            const std::int32_t result = number < parameters.size() ? parameters[number] : result_of_all;
            ++number;
            std::int32_t& known = of_[static_cast<std::size_t>(reg)];
            const std::int32_t now = either(known, result);
            changed = changed || now != known;
            known = now;
        });
        return changed;
    }

    const FunctionCode& code_;
    std::vector<std::int32_t> of_;
};

}  // namespace

std::vector<std::int32_t> address_origins(const FunctionCode& code) { return Origins(code).find(); }

}  // namespace tilescope::isa
