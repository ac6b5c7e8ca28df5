#include "scope/isa/lower/early_reads.h"

#include <algorithm>
#include <cstdint>

namespace tilescope::isa {
namespace {

// What is known of a register's value: 0, nothing is under way; 1, a product that is in no group yet; 2 and more, one
// whose group has so many, less two, behind it.
struct State {
    std::uint8_t age = 0;
    std::uint32_t product = 0;  // index of the instruction
    bool operator==(const State&) const = default;
};
constexpr std::uint8_t kLoose = 1, kLatest = 2, kOldest = 12;

using States = std::vector<State>;

// Where paths meet the younger one counts, as it takes the longer wait.
bool join(States& into, const States& from) {
    bool changed = false;
    for (std::size_t i = 0; i < into.size(); ++i) {
        if (from[i].age == 0 || (into[i].age != 0 && into[i].age <= from[i].age)) continue;
        into[i] = from[i];
        changed = true;
    }
    return changed;
}

class Walk {
public:
    explicit Walk(const FunctionCode& code) : code_(code), entry_(code.blocks.size(), States(code.registers.size())) {}

    std::vector<machine::EarlyRead> run() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t b = 0; b < code_.blocks.size(); ++b) {
                States states = entry_[b];
                for (const std::uint32_t index : code_.blocks[b].instructions) step(index, states);
                for (std::uint32_t next = 0; next < code_.blocks.size(); ++next) {
                    const auto& before = code_.blocks[next].predecessors;
                    if (std::find(before.begin(), before.end(), b) != before.end())
                        changed = join(entry_[next], states) || changed;
                }
            }
        }
        notes_ = true;
        for (std::uint32_t b = 0; b < code_.blocks.size(); ++b) {
            States states = entry_[b];
            for (const std::uint32_t index : code_.blocks[b].instructions) step(index, states);
        }
        return std::move(found_);
    }

private:
    void step(std::uint32_t index, States& states) {
        const Instruction& instruction = code_.instructions[index];
        if (instruction.dead) return;
        const Effect& effect = instruction.chosen->row->effect;
        if (effect.action == Action::kCommitProducts) {
            for (State& state : states)
                if (state.age != 0)
                    state.age = state.age == kLoose ? kLatest : std::min<std::uint8_t>(state.age + 1, kOldest);
            return;
        }
        if (effect.action == Action::kWaitProducts) {
            const std::int64_t pending = instruction.operands[0].bound.value;
            for (State& state : states)
                if (state.age >= kLatest && state.age - kLatest >= pending) state = State();
            return;
        }
        State moved;
        for_each_source(instruction, [&](std::int32_t reg) {
            const State& state = states[static_cast<std::size_t>(reg)];
            if (state.age != 0 && (moved.age == 0 || state.age < moved.age)) moved = state;
        });
        const bool moves = instruction.chosen->row->kind == Class::kMove;
        if (effect.adds_up) return multiply(index, instruction, states);
        if (!moves && moved.age != 0) note(instruction, moved);
        for_each_result(instruction, [&](std::int32_t reg) {
            State& state = states[static_cast<std::size_t>(reg)];
            if (moves && moved.age != 0)
                state = moved;
            else if (instruction.guard == kNoRegister)
                state = State();
        });
    }

    // A product may go on where another one adds up, and what it multiplies has to be there.
    void multiply(std::uint32_t index, const Instruction& instruction, States& states) {
        for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
            const auto look = [&](const OpenOperand& operand) {
                if (operand.reg == kNoRegister) return;
                const State& state = states[static_cast<std::size_t>(operand.reg)];
                if (state.age != 0) note(instruction, state);
            };
            look(instruction.operands[i]);
            for (const OpenOperand& element : instruction.operands[i].elements) look(element);
        }
        for_each_result(instruction, [&](std::int32_t reg) {
            states[static_cast<std::size_t>(reg)] = {kLoose, index};
        });
    }

    void note(const Instruction& instruction, const State& state) {
        if (!notes_) return;
        const machine::EarlyRead read{instruction.op, code_.instructions[state.product].op};
        if (found_.empty() || !(found_.back() == read)) found_.push_back(read);
    }

    const FunctionCode& code_;
    std::vector<States> entry_;  // by block
    bool notes_ = false;
    std::vector<machine::EarlyRead> found_;
};

}  // namespace

std::vector<machine::EarlyRead> early_reads(const FunctionCode& code) {
    const bool has_products =
        std::any_of(code.instructions.begin(), code.instructions.end(),
                    [](const Instruction& one) { return one.chosen->row->effect.action == Action::kFactorLoad; });
    return has_products ? Walk(code).run() : std::vector<machine::EarlyRead>();
}

}  // namespace tilescope::isa
