#include "scope/isa/lower/meeting.h"

#include <vector>

namespace tilescope::isa {
namespace {

void hand_over(const BoundOperand& operand, std::vector<machine::Brought>& brought) {
    if (operand.kind == BoundKind::kValue || operand.kind == BoundKind::kAddress)
        brought.push_back({operand.slot, operand.bytes, operand.negated});
    for (const BoundOperand& element : operand.elements) hand_over(element, brought);
}

}  // namespace

void place_meeting(const Meets& meets, const std::vector<BoundOperand>& operands, machine::Program& program,
                   machine::Terminator& end) {
    if (meets.members < operands.size()) end.member_mask = operands[meets.members].slot;
    end.first_brought = static_cast<std::uint32_t>(program.brought.size());
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (meets.brought >> i & 1) hand_over(operands[i], program.brought);
    end.brought_count = static_cast<std::uint32_t>(program.brought.size()) - end.first_brought;
}

bool is_meeting(const Instruction& instruction) {
    return instruction.guard == kNoRegister &&
           (instruction.control == Control::kBarrier || instruction.control == Control::kConverge);
}

bool only_meets_before(const FunctionCode& code, std::uint32_t block) {
    if (block == 0 || code.blocks[block].predecessors != std::vector<std::uint32_t>{block - 1}) return false;
    const std::vector<std::uint32_t>& before = code.blocks[block - 1].instructions;
    return !before.empty() && is_meeting(code.instructions[before.back()]);
}

bool meets_group(const FunctionCode& code, std::uint32_t block) {
    const auto group_of = [&](std::uint32_t instruction) {
        const Candidate* const chosen = code.instructions[instruction].chosen;
        return chosen == nullptr ? WarpGroup::kNone : chosen->row->meets.group;
    };
    const WarpGroup own = group_of(code.blocks[block].instructions.back());
    if (own != WarpGroup::kMeetsUnlessBehind) return own == WarpGroup::kMeets;
    std::size_t skipped = 1;  // itself
    for (;; --block, skipped = 0) {
        const std::vector<std::uint32_t>& instructions = code.blocks[block].instructions;
        for (std::size_t i = instructions.size() - skipped; i-- > 0;) {
            const WarpGroup before = group_of(instructions[i]);
            if (before >= WarpGroup::kMeets) return before == WarpGroup::kMeetsUnlessBehind;
        }
        if (!only_meets_before(code, block)) return true;
    }
}

}  // namespace tilescope::isa
