#include "scope/isa/assembler/combine_atomics.h"

#include <algorithm>

#include "scope/isa/assembler/operation.h"

namespace tilescope::isa {
namespace {

using machine::Special;

// The special register that an operand is, if it is one that differs by warp or lane.
const machine::SpecialSlot* special_of(const machine::Program& program, const OpenOperand& operand) {
    if (operand.reg != kNoRegister || operand.bound.slot.bank() != static_cast<unsigned>(machine::Bank::kSpecial))
        return nullptr;
    for (const machine::SpecialSlot& slot : program.specials)
        if (slot.offset == operand.bound.slot.offset()) return &slot;
    return nullptr;
}

bool is_block_wide(Special what) {
    return what == Special::kCtaidX || what == Special::kCtaidY || what == Special::kCtaidZ ||
           what == Special::kWarpId || what == Special::kSmId;
}

// Comparisons that at most one lane passes, as far as the assembler can tell.
class OneLane {
public:
    OneLane(const FunctionCode& code, const machine::Program& program, const Uniformity& uniformity)
        : code_(code), program_(program), uniformity_(uniformity) {}

    // Whether a predicate, or its opposite, says so.
    bool passes(std::int32_t predicate, bool negated) const {
        if (predicate == kNoRegister || code_.definitions[predicate].count != 1) return false;
        const Instruction& from = code_.instructions[code_.definitions[predicate].last];
        const ComparisonOf comparison = comparison_of(from);
        if (comparison.how != (negated ? Comparison::kUnequal : Comparison::kEqual)) return false;
        const OpenOperand &a = from.operands[1], &b = from.operands[2];
        return (counts_lanes(a, 0) && uniformity_.is_uniform(b)) || (counts_lanes(b, 0) && uniformity_.is_uniform(a));
    }

private:
    static constexpr unsigned kDeepest = 8;

    // The lane's number and something added.
    bool counts_lanes(const OpenOperand& operand, unsigned depth) const {
        if (const machine::SpecialSlot* special = special_of(program_, operand))
            return special->what == Special::kTidX || special->what == Special::kLaneId;
        if (operand.reg == kNoRegister || code_.definitions[operand.reg].count != 1 || depth == kDeepest) return false;
        const Instruction& from = code_.instructions[code_.definitions[operand.reg].last];
        switch (operation_of(from)) {
            case Operation::kMove: return counts_lanes(from.operands[1], depth + 1);
            case Operation::kAdd:
                return counts_lanes(from.operands[1], depth + 1) || counts_lanes(from.operands[2], depth + 1);
            case Operation::kSubtract: return counts_lanes(from.operands[1], depth + 1);
            case Operation::kMultiplyAdd: return counts_lanes(from.operands[3], depth + 1);
            default: return false;
        }
    }

    const FunctionCode& code_;
    const machine::Program& program_;
    const Uniformity& uniformity_;
};

Combined combined(const Instruction& instruction, const Uniformity& uniformity, const std::vector<char>& is_read) {
    const Combining how = combining_of(instruction);
    if (how == Combining::kNone) return Combined::kNo;
    const std::size_t at = memory_effect_of(instruction).use == MemoryUse::kReduction ? 0 : 1;
    const auto& operands = instruction.operands;
    if (operands.size() < at + 2 || !uniformity.is_uniform(operands[at])) return Combined::kNo;
    const bool has_result =
        at == 1 && operands[0].reg != kNoRegister && is_read[static_cast<std::size_t>(operands[0].reg)];
    const bool is_word = bytes_of(instruction.chosen->form.type()) == 4;
    if (how == Combining::kAdd && uniformity.is_uniform(operands[at + 1])) return Combined::kAlways;
    if (!is_word) return Combined::kNo;
    if (!has_result) return Combined::kAlways;
    return how == Combining::kAdd ? Combined::kFullWarps : Combined::kNo;
}

}  // namespace

// Everything is taken for uniform until a reason is found against it.
Uniformity::Uniformity(const FunctionCode& code, const machine::Program& program)
    : code_(code), program_(program), uniform_(code.registers.size(), 1), divergent_(code.blocks.size(), 0) {
    for (const auto& formals : {code.formals, code.formal_results})
        for (std::int32_t formal : formals)
            if (code.parameters[formal].reg != kNoRegister)
                uniform_[static_cast<std::size_t>(code.parameters[formal].reg)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        find_divergent_regions();
        for (std::size_t b = 0; b < code.blocks.size(); ++b)
            for (std::uint32_t index : code.blocks[b].instructions) {
                const Instruction& instruction = code.instructions[index];
                const bool follows = follows_from_uniform(instruction);
                for_each_result(instruction, [&](std::int32_t reg) {
                    const auto at = static_cast<std::size_t>(reg);
                    const bool meets = divergent_[b] != 0 && code.definitions[at].count > 1;
                    if (uniform_[at] == 0 || (follows && !meets)) return;
                    uniform_[at] = 0;
                    changed = true;
                });
            }
    }
}

// Blocks between a branch that parts lanes and where they meet, by the order of the code.
void Uniformity::find_divergent_regions() {
    for (std::uint32_t b = 0; b < code_.blocks.size(); ++b)
        if (!code_.blocks[b].instructions.empty()) note_region(b);
}

void Uniformity::note_region(std::uint32_t block) {
    const Instruction& last = code_.instructions[code_.blocks[block].instructions.back()];
    if (last.control != Control::kBranch && last.control != Control::kBranchIndexed) return;
    const bool parts = last.control == Control::kBranchIndexed
                           ? !is_uniform(last.operands[0])
                           : last.guard != kNoRegister && uniform_[static_cast<std::size_t>(last.guard)] == 0;
    if (!parts) return;
    std::uint32_t low = block + 1, high = block;
    const auto reach = [&](std::uint32_t label) {
        const std::uint32_t target = code_.label_blocks[label];
        if (target <= block) low = std::min(low, target);
        if (target > block && target != machine::kNoBlock) high = std::max(high, target - 1);
    };
    if (last.control == Control::kBranch) reach(last.label);
    for (std::uint32_t label : last.labels) reach(label);
    // The other side of an if ends with a jump beyond.
    for (std::uint32_t b = block + 1; b <= high && b < code_.blocks.size(); ++b) {
        if (code_.blocks[b].instructions.empty()) continue;
        const Instruction& end = code_.instructions[code_.blocks[b].instructions.back()];
        if (end.control == Control::kBranch && code_.label_blocks[end.label] > high)
            high = code_.label_blocks[end.label] - 1;
    }
    for (std::uint32_t b = low; b <= high && b < divergent_.size(); ++b) divergent_[b] = 1;
}

bool Uniformity::is_uniform(const OpenOperand& operand) const {
    for (const OpenOperand& element : operand.elements)
        if (!is_uniform(element)) return false;
    if (operand.reg != kNoRegister) return uniform_[static_cast<std::size_t>(operand.reg)] != 0;
    if (const machine::SpecialSlot* special = special_of(program_, operand)) return is_block_wide(special->what);
    return !operand.elements.empty() || operand.bound.slot.bank() != static_cast<unsigned>(machine::Bank::kSpecial);
}

bool Uniformity::follows_from_uniform(const Instruction& instruction) const {
    if (instruction.guard != kNoRegister && uniform_[static_cast<std::size_t>(instruction.guard)] == 0) return false;
    if (gives_all_the_same(instruction)) return true;
    if (instruction.control != Control::kNone) return false;
    const Class kind = instruction.chosen->row->kind;
    const bool computes =
        kind == Class::kInteger || kind == Class::kMove || kind == Class::kConversion || kind == Class::kFloat;
    if (!computes && (kind != Class::kMemory || memory_effect_of(instruction).use > MemoryUse::kLoad)) return false;
    return std::all_of(instruction.operands.begin(), instruction.operands.end(), [&](const OpenOperand& source) {
        const bool is_result = source.writes || (!source.elements.empty() && source.elements[0].writes);
        return is_result || is_uniform(source);
    });
}

void combine_atomics(FunctionCode& code, const machine::Program& program, const std::vector<char>& is_read) {
    const bool any =
        std::any_of(code.instructions.begin(), code.instructions.end(),
                    [](const Instruction& instruction) { return combining_of(instruction) != Combining::kNone; });
    if (!any) return;
    const Uniformity uniformity(code, program);
    const OneLane one_lane(code, program, uniformity);
    std::vector<char> is_labelled(code.blocks.size(), 0);
    for (std::uint32_t target : code.label_blocks)
        if (target < is_labelled.size()) is_labelled[target] = 1;
    bool expects_one = false;  // of the block at hand, which nothing but the one before leads to
    for (std::size_t b = 0; b < code.blocks.size(); ++b) {
        if (is_labelled[b]) expects_one = false;
        for (std::uint32_t index : code.blocks[b].instructions) {
            Instruction& instruction = code.instructions[index];
            if (!expects_one && !one_lane.passes(instruction.guard, instruction.guard_negated))
                instruction.combined = combined(instruction, uniformity, is_read);
        }
        if (code.blocks[b].instructions.empty()) continue;
        const Instruction& last = code.instructions[code.blocks[b].instructions.back()];
        if (last.control != Control::kNone && last.guard != kNoRegister)
            expects_one = expects_one || one_lane.passes(last.guard, !last.guard_negated);
    }
}

}  // namespace tilescope::isa
