#include "scope/isa/assembler/folded.h"

#include <algorithm>

#include "scope/isa/assembler/operation.h"

namespace tilescope::isa {
namespace {

bool is_sum(Operation operation) { return operation == Operation::kAdd || operation == Operation::kSubtract; }
bool is_logic(Operation operation) {
    return operation == Operation::kAnd || operation == Operation::kOr || operation == Operation::kXor;
}

class Folding {
public:
    explicit Folding(const FunctionCode& code)
        : code_(code),
          fold_(code.instructions.size(), Fold::kNone),
          block_of_(code.instructions.size(), machine::kNoBlock),
          reads_(code.registers.size()) {
        for (std::uint32_t block = 0; block < code.blocks.size(); ++block)
            for (const std::uint32_t index : code.blocks[block].instructions) block_of_[index] = block;
        for (std::uint32_t index = 0; index < code.instructions.size(); ++index)
            if (!is_left_out(index)) note_reads(index);
        for (std::uint32_t index = 0; index < code.instructions.size(); ++index)
            if (may_be_part(index) && is_offset(index)) fold_[index] = Fold::kPart;
        for (const CodeBlock& block : code.blocks)
            for (const std::uint32_t index : block.instructions)
                if (may_be_part(index) && fold_[index] != Fold::kPart) look_at(index);
    }

    std::vector<Fold> found() && { return std::move(fold_); }

private:
    // Who reads a register. More readers than are kept count as strangers.
    struct Reads {
        static constexpr std::size_t kMostKept = 4;
        std::vector<std::uint32_t> by;
        bool only_addresses = true, more = false;
    };

    bool is_left_out(std::uint32_t index) const {
        const Instruction& instruction = code_.instructions[index];
        return instruction.dead || instruction.chosen == nullptr || block_of_[index] == machine::kNoBlock;
    }

    void note_reads(std::uint32_t index) {
        const Instruction& instruction = code_.instructions[index];
        const auto note = [&](std::int32_t reg, bool is_address) {
            if (reg == kNoRegister) return;
            Reads& reads = reads_[reg];
            reads.only_addresses = reads.only_addresses && is_address;
            if (reads.by.size() < Reads::kMostKept)
                reads.by.push_back(index);
            else
                reads.more = true;
        };
        const auto each = [&](const OpenOperand& operand, const auto& self) -> void {
            if (!operand.writes) note(operand.reg, operand.bound.kind == BoundKind::kAddress);
            for (const OpenOperand& element : operand.elements) self(element, self);
        };
        for (const OpenOperand& operand : instruction.operands) each(operand, each);
        note(instruction.guard, false);
        for (const std::int32_t reg : instruction.extra_uses) note(reg, false);
    }

    // Its value is what it always is, and in one register.
    bool may_be_part(std::uint32_t index) const {
        if (is_left_out(index)) return false;
        const Instruction& instruction = code_.instructions[index];
        return instruction.guard == kNoRegister && instruction.operands.size() >= 2 &&
               instruction.operands[0].reg != kNoRegister && instruction.operands[0].writes &&
               code_.writes_alone(instruction, instruction.operands[0].reg);
    }

    const Reads& reads_of(std::uint32_t index) const { return reads_[code_.instructions[index].operands[0].reg]; }
    Operation operation(std::uint32_t index) const { return operation_of(code_.instructions[index]); }
    unsigned bytes(std::uint32_t index) const { return bytes_of(code_.instructions[index].chosen->form.type(0)); }

    bool is_constant(const OpenOperand& operand) const {
        if (operand.reg == kNoRegister) return operand.bound.is_immediate;
        const Definition& definition = code_.definitions[operand.reg];
        if (definition.count != 1) return false;
        const Instruction& from = code_.instructions[definition.last];
        return from.chosen != nullptr && from.guard == kNoRegister && operation_of(from) == Operation::kMove &&
               from.operands.size() == 2 && from.operands[1].reg == kNoRegister && from.operands[1].bound.is_immediate;
    }

    bool is_offset(std::uint32_t index) const {
        const Instruction& instruction = code_.instructions[index];
        const Reads& reads = reads_of(index);
        return operation(index) == Operation::kAdd && !reads.by.empty() && reads.only_addresses &&
               (is_constant(instruction.operands[1]) || is_constant(instruction.operands[2]));
    }

    void look_at(std::uint32_t index) {
        const Reads& reads = reads_of(index);
        if (reads.by.empty() || reads.more) return;
        if (operation(index) == Operation::kShiftLeft) return shift(index, reads);
        if (reads.by.size() != 1) return;
        const std::uint32_t reader = reads.by[0];
        if (operation(index) == Operation::kCompare) return comparison(index, reader);
        if (bytes(index) != 4 || !may_hold(index, reader)) return;
        if (operation(index) == Operation::kMultiply && !code_.instructions[index].chosen->form.has("wide")) {
            if (operation(reader) != Operation::kAdd) return;
            fold_[reader] = Fold::kPart;
        } else if (is_logic(operation(index)) && is_test_of_zero(reader)) {
            fold_[reader] = Fold::kPart;
        } else if (fold_[index] != Fold::kHolds &&
                   ((is_sum(operation(index)) && is_sum(operation(reader))) ||
                    (is_logic(operation(index)) && is_logic(operation(reader)) && constants(index, reader) <= 1))) {
            fold_[index] = Fold::kPart;
            fold_[reader] = Fold::kHolds;
        }
    }

    void comparison(std::uint32_t index, std::uint32_t reader) {
        const Instruction& combines = code_.instructions[reader];
        if (combines.chosen == nullptr || !is_logic(operation(reader)) ||
            combines.chosen->form.type(0) != Type::kPred || !may_hold(index, reader))
            return;
        fold_[reader] = Fold::kPart;
    }

    bool is_test_of_zero(std::uint32_t index) const {
        const Instruction& instruction = code_.instructions[index];
        const Comparison how = comparison_of(instruction).how;
        return (how == Comparison::kEqual || how == Comparison::kUnequal) &&
               instruction.operands[2].reg == kNoRegister && instruction.operands[2].bound.is_immediate &&
               instruction.operands[2].bound.value == 0;
    }

    void shift(std::uint32_t index, const Reads& reads) {
        const auto takes = [&](std::uint32_t reader) {
            return may_hold(index, reader) && is_sum(operation(reader)) && bytes(reader) == bytes(index);
        };
        if (!code_.instructions[index].operands[2].bound.is_immediate ||
            !std::all_of(reads.by.begin(), reads.by.end(), takes))
            return;
        fold_[index] = Fold::kPart;
        for (const std::uint32_t reader : reads.by) fold_[reader] = Fold::kHolds;
    }

    bool may_hold(std::uint32_t index, std::uint32_t reader) const {
        return block_of_[reader] == block_of_[index] && fold_[reader] == Fold::kNone &&
               code_.instructions[reader].guard == kNoRegister;
    }

    unsigned constants(std::uint32_t one, std::uint32_t other) const {
        unsigned found = 0;
        for (const std::uint32_t index : {one, other})
            for (const OpenOperand& operand : code_.instructions[index].operands)
                if (!operand.writes && is_constant(operand)) ++found;
        return found;
    }

    const FunctionCode& code_;
    std::vector<Fold> fold_;               // by instruction
    std::vector<std::uint32_t> block_of_;  // likewise
    std::vector<Reads> reads_;             // by register
};

}  // namespace

std::vector<Fold> folded_instructions(const FunctionCode& code) { return Folding(code).found(); }

}  // namespace tilescope::isa
