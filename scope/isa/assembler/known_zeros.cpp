#include "scope/isa/assembler/known_zeros.h"

#include <algorithm>
#include <bit>

#include "scope/isa/assembler/operation.h"

namespace tilescope::isa {
namespace {

template <class Visit>
void for_each_operand_read(const Instruction& instruction, Visit visit) {
    for (const OpenOperand& operand : instruction.operands) {
        if (operand.reg != kNoRegister && !operand.writes) visit(operand.reg);
        for (const OpenOperand& element : operand.elements)
            if (element.reg != kNoRegister && !element.writes) visit(element.reg);
    }
}

}  // namespace

unsigned zeros_of_value(std::int64_t value) {
    return value == 0 ? kAllZero : static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(value)));
}

unsigned zeros_after(const Instruction& instruction, std::size_t result, const SourceFacts& facts) {
    const auto& operands = instruction.operands;
    const auto zeros = [&](const OpenOperand& operand) {
        if (operand.reg != kNoRegister) return facts.zeros(operand.reg);
        return operand.bound.is_immediate ? zeros_of_value(operand.bound.value) : 0u;
    };
    const auto source = [&](std::size_t i) { return i + 1 < operands.size() ? zeros(operands[i + 1]) : 0u; };
    const auto capped = [](std::uint64_t value) {
        return static_cast<unsigned>(std::min<std::uint64_t>(value, kAllZero));
    };
    const auto constant = [&](std::size_t i) {
        return i + 1 < operands.size() && operands[i + 1].reg == kNoRegister && operands[i + 1].bound.is_immediate;
    };
    const auto fixed = [&](std::size_t i) {
        return constant(i) || (operands[i + 1].reg != kNoRegister && facts.is_constant(operands[i + 1].reg));
    };
    const Operation operation = operation_of(instruction);
    if (result != 0) return 0;
    switch (operation) {
        case Operation::kMove:
        case Operation::kConvert:
        case Operation::kNegate:
        case Operation::kUnpack: return source(0);
        case Operation::kPack: return operands[1].elements.empty() ? 0 : std::min(16u, zeros(operands[1].elements[0]));
        case Operation::kSubtract: return fixed(0) || fixed(1) ? std::min(source(0), source(1)) : 0;
        case Operation::kAdd:
        case Operation::kOr:
        case Operation::kXor:
        case Operation::kSelect: return std::min(source(0), source(1));
        case Operation::kAnd: return std::max(source(0), source(1));
        case Operation::kMultiply: return capped(std::uint64_t{source(0)} + source(1));
        case Operation::kMultiplyAdd: return std::min(capped(std::uint64_t{source(0)} + source(1)), source(2));
        case Operation::kShiftLeft:
            return constant(1) ? capped(source(0) + static_cast<std::uint64_t>(operands[2].bound.value & 0xff))
                               : source(0);
        case Operation::kInsert:
            return constant(2)
                       ? std::min(capped(source(0) + static_cast<std::uint64_t>(operands[3].bound.value & 0xff)),
                                  source(1))
                       : 0;
        case Operation::kRemainder:  // by a power of two it is a mask
            return constant(1) && std::has_single_bit(static_cast<std::uint64_t>(operands[2].bound.value))
                       ? std::min(source(0), source(1))
                       : 0;
        case Operation::kShiftRight:
        case Operation::kCompare:
        case Operation::kOther: break;
    }
    return 0;
}

KnownZeros::KnownZeros(const FunctionCode& code)
    : zeros_(code.registers.size(), kAllZero), constant_(code.registers.size(), 0), readers_(code.registers.size()) {
    for (const auto& formals : {code.formals, code.formal_results})
        for (std::int32_t formal : formals)
            if (code.parameters[formal].reg != kNoRegister) zeros_[code.parameters[formal].reg] = 0;
    for (const Instruction& instruction : code.instructions)
        for_each_operand_read(instruction, [&](std::int32_t reg) { readers_[reg].push_back(&instruction); });
    for (const Instruction& instruction : code.instructions) {
        if (operation_of(instruction) != Operation::kMove || instruction.guard != kNoRegister) continue;
        const OpenOperand &to = instruction.operands[0], &from = instruction.operands[1];
        if (to.reg != kNoRegister && from.reg == kNoRegister && from.bound.is_immediate)
            constant_[static_cast<std::size_t>(to.reg)] = code.writes_alone(instruction, to.reg);
    }
    for (const Instruction& instruction : code.instructions) visit(instruction);
    // Whatever reads a register of which less is known than before is looked at again.
    while (!changed_.empty()) {
        const std::int32_t reg = changed_.back();
        changed_.pop_back();
        for (const Instruction* reader : readers_[reg]) visit(*reader);
    }
}

void KnownZeros::visit(const Instruction& instruction) {
    std::size_t result = 0;
    const SourceFacts facts = {[&](std::int32_t reg) { return zeros_[reg]; },
                               [&](std::int32_t reg) { return constant_[reg] != 0; }};
    for_each_result(instruction, [&](std::int32_t reg) {
        const unsigned found = zeros_after(instruction, result++, facts);
        if (found >= zeros_[reg]) return;
        zeros_[reg] = found;
        changed_.push_back(reg);
    });
}

}  // namespace tilescope::isa
