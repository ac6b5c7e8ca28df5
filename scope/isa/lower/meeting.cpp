#include "scope/isa/lower/meeting.h"

namespace tilescope::isa {
namespace {

void hand_over(const BoundOperand& operand, std::vector<machine::Brought>& brought) {
    if (operand.kind == BoundKind::kValue) brought.push_back({operand.slot, operand.bytes, operand.negated});
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

}  // namespace tilescope::isa
