#include "scope/isa/lower/used_values.h"

namespace tilescope::isa {
namespace {

// Whether it does something although nobody reads what it gives.
bool acts(const Instruction& instruction) {
    const Effect& effect = instruction.chosen->row->effect;
    if (instruction.control != Control::kNone && instruction.control != Control::kConverge) return true;
    if (effect.writes_carry) return true;
    if (instruction.chosen->row->kind == Class::kSync && effect.action != Action::kExchange) return true;
    if (effect.action != Action::kNone && effect.action != Action::kLoad && effect.action != Action::kTexture &&
        effect.action != Action::kExchange)
        return true;
    bool gives = false;
    for_each_result(instruction, [&](std::int32_t) { gives = true; });
    return !gives;
}

}  // namespace

UsedValues::UsedValues(const FunctionCode& code)
    : code_(code), used_(code.instructions.size()), reads_(code.registers.size()), writes_(code.registers.size()) {
    find_used();
    count();
}

// The instructions whose results matter to somebody.
void UsedValues::find_used() {
    std::vector<std::vector<std::uint32_t>> writers(code_.registers.size());
    std::vector<char> wanted(code_.registers.size());
    std::vector<std::int32_t> open;
    const auto want = [&](std::int32_t reg) {
        if (wanted[reg] == 0) open.push_back(reg);
        wanted[reg] = 1;
    };
    const auto use = [&](std::uint32_t index) {
        if (used_[index] != 0) return;
        used_[index] = 1;
        const Instruction& instruction = code_.instructions[index];
        for_each_source(instruction, want);
        if (instruction.guard != kNoRegister) want(instruction.guard);
    };
    for (const CodeBlock& block : code_.blocks)
        for (const std::uint32_t index : block.instructions) {
            const Instruction& instruction = code_.instructions[index];
            bool fixed = false;
            for_each_result(instruction, [&](std::int32_t reg) {
                writers[reg].push_back(index);
                fixed |= code_.registers[reg].fixed;
            });
            if (fixed || acts(instruction)) use(index);
        }
    while (!open.empty()) {
        const std::int32_t reg = open.back();
        open.pop_back();
        for (const std::uint32_t index : writers[reg]) use(index);
    }
}

// How often each register is read and written.
void UsedValues::count() {
    for (const CodeBlock& block : code_.blocks)
        for (const std::uint32_t index : block.instructions) {
            const Instruction& instruction = code_.instructions[index];
            if (used_[index] == 0) continue;
            for_each_source(instruction, [&](std::int32_t reg) { ++reads_[reg]; });
            for_each_result(instruction, [&](std::int32_t reg) { ++writes_[reg]; });
        }
}

// The only instruction that writes a register, where that is no parameter and nothing guards it.
const Instruction* UsedValues::writer_of(std::int32_t reg) const {
    if (writes_[reg] != 1 || code_.registers[reg].fixed) return nullptr;
    const Instruction& writer = code_.instructions[code_.definitions[reg].last];
    const bool plain = writer.guard == kNoRegister && writer.control == Control::kNone && writer.operands.size() >= 2 &&
                       writer.operands[0].reg == reg;
    return plain ? &writer : nullptr;
}

// Whether the assembler knows the value.
bool UsedValues::is_constant(const OpenOperand& operand) {
    if (operand.reg == kNoRegister) return operand.bound.is_immediate;
    const auto [known, fresh] = constants_.try_emplace(operand.reg, false);
    if (!fresh) return known->second;
    const Instruction* writer = writer_of(operand.reg);
    if (writer == nullptr) return false;
    switch (writer->chosen->row->effect.flow) {
        case machine::FlowKind::kMove:
        case machine::FlowKind::kNegate:
        case machine::FlowKind::kAdd:
        case machine::FlowKind::kSubtract:
        case machine::FlowKind::kMultiply: break;
        default: return false;
    }
    for (std::size_t i = 1; i < writer->operands.size(); ++i)
        if (!writer->operands[i].elements.empty() || !is_constant(writer->operands[i])) return false;
    return constants_[operand.reg] = true;
}

// The bits of a constant that stands there, or that moves bring.
std::optional<std::uint64_t> UsedValues::bits_of(const OpenOperand& operand) {
    if (!is_constant(operand)) return std::nullopt;
    if (operand.reg == kNoRegister) return static_cast<std::uint64_t>(operand.bound.value);
    const Instruction* writer = writer_of(operand.reg);
    const Effect& effect = writer->chosen->row->effect;
    const bool moves = effect.flow == machine::FlowKind::kMove && writer->operands.size() == 2 &&
                       effect.function != machine::FlowFunction::kConvert;
    return moves ? bits_of(writer->operands[1]) : std::nullopt;
}

}  // namespace tilescope::isa
