// Which values follow from where a thread is, in its block or in the grid, by arithmetic alone.
#include <algorithm>
#include <initializer_list>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {
namespace {

using machine::FlowKind;
using machine::Special;

bool is_place(Special what, PlaceWithin within) {
    switch (what) {
        case Special::kTidX:
        case Special::kTidY:
        case Special::kTidZ:
        case Special::kLaneId: return true;
        case Special::kCtaidX:
        case Special::kCtaidY:
        case Special::kCtaidZ: return within == PlaceWithin::kGrid;
        default: return false;
    }
}

// Offsets of such values in the special bank.
std::vector<std::uint32_t> place_slots(const machine::Program& program, PlaceWithin within) {
    std::vector<std::uint32_t> slots;
    for (const machine::SpecialSlot& slot : program.specials)
        if (is_place(slot.what, within)) slots.push_back(slot.offset);
    return slots;
}

bool is_slot_of(const OpenOperand& operand, const std::vector<std::uint32_t>& slots) {
    const machine::Operand slot = operand.bound.slot;
    return operand.reg == kNoRegister && operand.bound.kind == BoundKind::kValue &&
           slot.bank() == static_cast<unsigned>(machine::Bank::kSpecial) &&
           std::find(slots.begin(), slots.end(), slot.offset()) != slots.end();
}

bool computes(const Instruction& instruction) {
    if (instruction.chosen == nullptr || instruction.control != Control::kNone) return false;
    const Effect& effect = instruction.chosen->row->effect;
    return effect.action == Action::kNone && effect.flow != FlowKind::kLoad && !effect.varies;
}

}  // namespace

std::vector<char> place_registers(const FunctionCode& code, const machine::Program& program, PlaceWithin within) {
    const std::vector<std::uint32_t> slots = place_slots(program, within);
    std::vector<char> is_of_place(code.registers.size(), 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (const Instruction& instruction : code.instructions) {
            if (!computes(instruction)) continue;
            bool follows = false;
            const auto look = [&](const OpenOperand& operand, const auto& self) -> void {
                if (operand.writes) return;
                follows |= is_slot_of(operand, slots);
                follows |= operand.reg != kNoRegister && is_of_place[static_cast<std::size_t>(operand.reg)] != 0;
                for (const OpenOperand& element : operand.elements) self(element, self);
            };
            for (const OpenOperand& operand : instruction.operands) look(operand, look);
            if (!follows) continue;
            for_each_result(instruction, [&](std::int32_t reg) {
                changed |= is_of_place[static_cast<std::size_t>(reg)] == 0;
                is_of_place[static_cast<std::size_t>(reg)] = 1;
            });
        }
    }
    return is_of_place;
}

std::vector<std::vector<std::uint32_t>> writers_of_registers(const FunctionCode& code) {
    std::vector<std::vector<std::uint32_t>> writers(code.registers.size());
    for (std::uint32_t index = 0; index < code.instructions.size(); ++index)
        for_each_result(code.instructions[index],
                        [&](std::int32_t reg) { writers[static_cast<std::size_t>(reg)].push_back(index); });
    return writers;
}

}  // namespace tilescope::isa
