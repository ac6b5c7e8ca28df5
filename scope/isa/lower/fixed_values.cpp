// Which values differ by thread or follow from data, and which the program and its launch fix: constants, parameters,
// what is computed from these alone, and what lies at an address that is fixed so.
#include <algorithm>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {
namespace {

using machine::FlowKind;

bool is_special(machine::Operand slot) { return slot.bank() == static_cast<unsigned>(machine::Bank::kSpecial); }

class Variation {
public:
    explicit Variation(const FunctionCode& code) : code_(code), varies_(code.registers.size(), 0) {
        for (const std::int32_t reg : code.formals) set(reg);
        for (const ParameterVariable& parameter : code.parameters) set(parameter.reg);
    }

    std::vector<char> find() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Instruction& instruction : code_.instructions) {
                if (!gives_what_varies(instruction)) continue;
                for_each_result(instruction, [&](std::int32_t reg) { changed = set(reg) || changed; });
            }
        }
        return std::move(varies_);
    }

private:
    bool set(std::int32_t reg) {
        if (reg == kNoRegister || varies_[static_cast<std::size_t>(reg)] != 0) return false;
        varies_[static_cast<std::size_t>(reg)] = 1;
        return true;
    }

    bool gives_what_varies(const Instruction& instruction) const {
        if (instruction.chosen == nullptr || instruction.control == Control::kCall) return true;
        const Effect& effect = instruction.chosen->row->effect;
        if (effect.varies || effect.same_for_all || effect.flow == FlowKind::kAtomic) return true;
        const auto& operands = instruction.operands;
        return std::any_of(operands.begin(), operands.end(),
                           [&](const OpenOperand& operand) { return value_varies(operand, varies_); });
    }

public:
    static bool value_varies(const OpenOperand& operand, const std::vector<char>& varies) {
        const bool is_address = operand.bound.kind == BoundKind::kAddress;
        if (operand.writes && !is_address) return false;
        if (is_address && operand.bound.frame_relative) return true;
        if (operand.reg != kNoRegister && varies[static_cast<std::size_t>(operand.reg)] != 0) return true;
        const bool is_read = operand.bound.kind == BoundKind::kValue || is_address;
        if (operand.reg == kNoRegister && is_read && is_special(operand.bound.slot)) return true;
        return std::any_of(operand.elements.begin(), operand.elements.end(),
                           [&](const OpenOperand& element) { return value_varies(element, varies); });
    }

private:
    const FunctionCode& code_;
    std::vector<char> varies_;
};

}  // namespace

std::vector<char> varying_registers(const FunctionCode& code) { return Variation(code).find(); }

bool stores_what_varies(const Instruction& store, const std::vector<char>& varies) {
    return std::any_of(store.operands.begin(), store.operands.end(), [&](const OpenOperand& operand) {
        return operand.bound.kind != BoundKind::kAddress && Variation::value_varies(operand, varies);
    });
}

}  // namespace tilescope::isa
