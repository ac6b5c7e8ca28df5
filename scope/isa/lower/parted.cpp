// Which conditions keep some threads of a block from an instruction.
//
// A register differs within a block when it follows from the thread's place there, from what an atomic or another lane
// gives, from memory at an address that differs, or from which way a branch on such a value went. Parameters, block
// numbers and the results of block-wide reductions are the same for all.
#include <algorithm>

#include "scope/isa/lower/control_ways.h"
#include "scope/isa/lower/race_facts.h"

namespace tilescope::isa {
namespace {

constexpr std::uint32_t kNone = machine::RaceFacts::kNoOp;

bool is_of_thread(machine::Special what) {
    switch (what) {
        case machine::Special::kCtaidX:
        case machine::Special::kCtaidY:
        case machine::Special::kCtaidZ:
        case machine::Special::kSmId: return false;
        default: return true;
    }
}

class Parting {
public:
    Parting(const FunctionCode& code, const machine::Program& program)
        : code_(code),
          ways_(code),
          differs_(code.registers.size(), 0),
          by_(code.blocks.size(), kNone),
          widths_(code.blocks.size(), 0),
          is_known_(code.blocks.size(), 0) {
        for (const machine::SpecialSlot& slot : program.specials)
            if (is_of_thread(slot.what)) slots_.push_back(slot.offset);
        for (const std::int32_t reg : code.formals) set(reg);
        for (const ParameterVariable& parameter : code.parameters) set(parameter.reg);
    }

    // By instruction: the instruction that parts the threads before it.
    std::vector<std::uint32_t> find() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t block = 0; block < code_.blocks.size(); ++block) {
                for (const std::uint32_t index : code_.blocks[block].instructions)
                    changed = step(block, code_.instructions[index]) || changed;
                changed = branch(block) || changed;
            }
        }
        std::vector<std::uint32_t> found(code_.instructions.size(), kNone);
        for (std::uint32_t block = 0; block < code_.blocks.size(); ++block)
            for (const std::uint32_t index : code_.blocks[block].instructions) {
                const Instruction& instruction = code_.instructions[index];
                const bool by_itself = instruction.control == Control::kNone && differs(instruction.guard);
                found[index] = by_itself ? index : by_[block];
            }
        return found;
    }

private:
    bool differs(std::int32_t reg) const { return reg != kNoRegister && differs_[static_cast<std::size_t>(reg)] != 0; }
    bool set(std::int32_t reg) {
        if (reg == kNoRegister || differs_[static_cast<std::size_t>(reg)] != 0) return false;
        differs_[static_cast<std::size_t>(reg)] = 1;
        return true;
    }

    bool reads_place(const OpenOperand& operand) const {
        const machine::Operand slot = operand.bound.slot;
        if (!operand.writes && operand.reg == kNoRegister && operand.bound.kind == BoundKind::kValue &&
            slot.bank() == static_cast<unsigned>(machine::Bank::kSpecial) &&
            std::find(slots_.begin(), slots_.end(), slot.offset()) != slots_.end())
            return true;
        return std::any_of(operand.elements.begin(), operand.elements.end(),
                           [&](const OpenOperand& element) { return reads_place(element); });
    }

    bool gives_what_differs(const Instruction& instruction) const {
        if (instruction.control == Control::kBarrier) return false;  // one result for the whole block
        if (instruction.chosen == nullptr || instruction.control != Control::kNone) return true;
        const Effect& effect = instruction.chosen->row->effect;
        if (effect.varies || effect.flow == machine::FlowKind::kAtomic || effect.action == Action::kExchange)
            return true;
        bool any = differs(instruction.guard);
        for_each_read(instruction, [&](std::int32_t reg, bool) { any = any || differs(reg); });
        return any || std::any_of(instruction.operands.begin(), instruction.operands.end(),
                                  [&](const OpenOperand& operand) { return reads_place(operand); });
    }

    bool step(std::uint32_t block, const Instruction& instruction) {
        const bool gives = gives_what_differs(instruction);
        bool changed = false;
        for_each_result(instruction, [&](std::int32_t reg) {
            // One of several values, by the way that the thread came.
            const bool by_way = by_[block] != kNone && code_.definitions[static_cast<std::size_t>(reg)].count > 1;
            if (gives || by_way) changed = set(reg) || changed;
        });
        return changed;
    }

    bool branch(std::uint32_t block) {
        if (is_known_[block] != 0 || code_.blocks[block].instructions.empty()) return false;
        const std::uint32_t index = code_.blocks[block].instructions.back();
        const Instruction& last = code_.instructions[index];
        const bool ends = last.control == Control::kReturn || last.control == Control::kExit;
        bool parts = (ends || last.control == Control::kBranch) && differs(last.guard);
        if (last.control == Control::kBranchIndexed)
            for_each_source(last, [&](std::int32_t reg) { parts = parts || differs(reg); });
        const auto& targets = code_.blocks[block].successors;
        if (!parts ||
            std::any_of(targets.begin(), targets.end(), [&](std::uint32_t to) { return ways_.leads_nowhere(to); }))
            return false;
        is_known_[block] = 1;
        // The innermost condition is the one with the least code.
        const std::vector<std::uint32_t> blocks = ways_.between(block);
        for (const std::uint32_t each : blocks) {
            if (by_[each] != kNone && widths_[each] <= blocks.size()) continue;
            by_[each] = index;
            widths_[each] = blocks.size();
        }
        return true;
    }

    const FunctionCode& code_;
    ControlWays ways_;
    std::vector<std::uint32_t> slots_;  // of the special bank, that differ within a block
    std::vector<char> differs_;         // by register
    std::vector<std::uint32_t> by_;     // by block: the instruction that parts the threads before it
    std::vector<std::size_t> widths_;   // and how many blocks that one parts
    std::vector<char> is_known_;        // by block: its end parts
};

}  // namespace

std::vector<std::uint32_t> parted_by(const FunctionCode& code, const machine::Program& program) {
    return Parting(code, program).find();
}

}  // namespace tilescope::isa
