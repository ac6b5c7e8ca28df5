#include "scope/isa/lower/uniform.h"

namespace tilescope::isa {
namespace {

constexpr unsigned kMostPasses = 16;  // over code whose definitions stand behind their uses

}  // namespace

// In the order of the code, so that a chain of any length is known after one pass.
Uniformity::Uniformity(const FunctionCode& code) : uniform_(code.registers.size(), 0) {
    bool changed = true;
    for (unsigned pass = 0; changed && pass < kMostPasses; ++pass) {
        changed = false;
        for (const Instruction& instruction : code.instructions) {
            if (!follows_from_uniform(instruction)) continue;
            for_each_result(instruction, [&](std::int32_t reg) {
                if (uniform_[reg] || !code.definitions[reg].is_only(instruction)) return;
                uniform_[reg] = 1;
                changed = true;
            });
        }
    }
}

bool Uniformity::is_uniform(const OpenOperand& operand) const {
    for (const OpenOperand& element : operand.elements)
        if (!is_uniform(element)) return false;
    if (operand.reg != kNoRegister) return uniform_[operand.reg] != 0;
    return !operand.elements.empty() || operand.bound.slot.bank() != static_cast<unsigned>(machine::Bank::kSpecial);
}

bool Uniformity::follows_from_uniform(const Instruction& instruction) const {
    if (instruction.guard != kNoRegister || instruction.control != Control::kNone) return false;
    const Class kind = instruction.chosen->row->kind;
    const bool computes = kind == Class::kInteger || kind == Class::kMove || kind == Class::kConversion;
    // Parameters are loaded, but from places that the launch fills (kVector: lower_addresses.cpp).
    const bool parameter = kind == Class::kMemory && instruction.operands.size() > 1 &&
                           instruction.operands[1].bound.kind == BoundOperand::Kind::kVector;
    if (!computes && !parameter) return false;
    for (const OpenOperand& source : instruction.operands)
        if (!source.writes && !is_uniform(source)) return false;
    return true;
}

bool Uniformity::is_combined(const Instruction& instruction) const {
    const Action action = instruction.chosen->row->effect.action;
    const std::size_t address = action == Action::kReduction ? 0 : 1;
    if ((action != Action::kReduction && action != Action::kAtomic) || !instruction.chosen->form.has("add"))
        return false;
    if (is_float(instruction.chosen->form.type()) || instruction.operands.size() < address + 2) return false;
    return instruction.operands[address + 1].bound.is_immediate && is_uniform(instruction.operands[address]);
}

}  // namespace tilescope::isa
