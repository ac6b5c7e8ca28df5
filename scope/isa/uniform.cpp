#include "scope/isa/uniform.h"

namespace tilescope::isa {
namespace {

constexpr unsigned kLongestChain = 16;  // of instructions that make an address

const Instruction* only_definition(const FunctionCode& code, std::int32_t reg) {
    const Instruction* found = nullptr;
    for (const Instruction& instruction : code.instructions) {
        bool writes = false;
        for (const OpenOperand& operand : instruction.operands) {
            writes |= operand.writes && operand.reg == reg;
            for (const OpenOperand& element : operand.elements) writes |= element.writes && element.reg == reg;
        }
        for (std::int32_t defined : instruction.extra_defs) writes |= defined == reg;
        if (!writes) continue;
        if (found) return nullptr;
        found = &instruction;
    }
    return found;
}

bool is_uniform(const FunctionCode& code, const OpenOperand& operand, unsigned depth) {
    for (const OpenOperand& element : operand.elements)
        if (!is_uniform(code, element, depth)) return false;
    if (operand.reg == kNoRegister)
        return !operand.elements.empty() || operand.bound.slot.bank() != static_cast<unsigned>(machine::Bank::kSpecial);
    if (depth == kLongestChain) return false;
    const Instruction* from = only_definition(code, operand.reg);
    if (!from || from->guard != kNoRegister || from->control != Control::kNone) return false;
    const Class kind = from->chosen->row->kind;
    const bool computes = kind == Class::kInteger || kind == Class::kMove || kind == Class::kConversion;
    // Parameters are loaded, but from places that the launch fills (kVector: lower_addresses.cpp).
    const bool parameter = kind == Class::kMemory && from->operands.size() > 1 &&
                           from->operands[1].bound.kind == BoundOperand::Kind::kVector;
    if (!computes && !parameter) return false;
    for (const OpenOperand& source : from->operands)
        if (!source.writes && !is_uniform(code, source, depth + 1)) return false;
    return true;
}

}  // namespace

bool is_combined(const FunctionCode& code, const Instruction& instruction) {
    const std::string_view opcode = opcode_of(instruction.chosen->row->syntax);
    const std::size_t address = opcode == "red" ? 0 : 1;
    if ((opcode != "red" && opcode != "atom") || !instruction.chosen->form.has("add")) return false;
    if (is_float(instruction.chosen->form.type()) || instruction.operands.size() < address + 2) return false;
    return instruction.operands[address + 1].bound.is_immediate && is_uniform(code, instruction.operands[address], 0);
}

}  // namespace tilescope::isa
