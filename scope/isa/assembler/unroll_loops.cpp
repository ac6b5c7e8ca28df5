#include "scope/isa/assembler/unroll_loops.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "scope/isa/assembler/operation.h"

namespace tilescope::isa {
namespace {

constexpr std::uint64_t kMaxTurns = 4096;
constexpr unsigned kLargestBody = 72;
constexpr std::uint64_t kUnrolledSize = 350;
constexpr std::int64_t kWidestAccess = 16;

// The largest body that is unrolled whole, by turns; between two rows, by a straight line.
struct WholeSize {
    unsigned turns, size;
};
constexpr WholeSize kWholeSizes[] = {{2, 191}, {3, 122},  {4, 97},  {5, 73},  {6, 69},  {7, 57},  {8, 57},
                                     {10, 47}, {12, 40},  {16, 33}, {20, 29}, {24, 26}, {32, 22}, {48, 17},
                                     {64, 14}, {100, 11}, {128, 9}, {200, 7}, {256, 6}, {400, 4}, {512, 4}};

unsigned largest_whole(std::uint64_t turns) {
    if (turns < kWholeSizes[0].turns) return kWholeSizes[0].size;
    for (std::size_t i = 1; i < std::size(kWholeSizes); ++i) {
        const WholeSize &low = kWholeSizes[i - 1], &high = kWholeSizes[i];
        if (turns > high.turns) continue;
        return static_cast<unsigned>(low.size -
                                     (low.size - high.size) * (turns - low.turns) / (high.turns - low.turns));
    }
    return 0;
}

// The loop that a block is by itself, looked at for one turn.
class Loop {
public:
    Loop(const FunctionCode& code, std::uint32_t block, Places& places)
        : code_(code), block_(code.blocks[block]), places_(places), end_(code, places) {
        if (block_.instructions.empty() || block_.keeps_loop) return;
        const Instruction& last = code.instructions[block_.instructions.back()];
        is_loop_ =
            last.control == Control::kBranch && last.guard != kNoRegister && code.label_blocks[last.label] == block;
    }

    UnrolledLoop find() {
        if (!is_loop_ || !walk_once()) return {};
        UnrolledLoop loop;
        find_inductions(loop.inductions);
        if (!merges_between_turns(loop.inductions)) return {};
        const auto turns = count_turns(loop.inductions);
        if (!turns || *turns < 2) return {};
        loop.copies = copies_of_body(*turns, size_);
        loop.all_turns = loop.copies == *turns;
        return loop;
    }

private:
    bool walk_once() {
        for (std::uint32_t index : block_.instructions) {
            const Instruction& instruction = code_.instructions[index];
            if (instruction.control != Control::kNone && index != block_.instructions.back()) return false;
            note(instruction);
            end_.step(instruction, false);
            size_ += size_of(instruction);
        }
        return true;
    }

    // The comparison that decides on another turn, and accesses.
    void note(const Instruction& instruction) {
        const Instruction& last = code_.instructions[block_.instructions.back()];
        const MemoryEffect effect = memory_effect_of(instruction);
        if (effect.use == MemoryUse::kLoad || effect.use == MemoryUse::kStore) {
            const OpenOperand& address = instruction.operands[effect.use == MemoryUse::kLoad ? 1 : 0];
            if (address.reg != kNoRegister && (effect.shared != effect.global))
                addresses_.push_back(end_.of(address.reg).id);
        }
        if (instruction.operands.empty() || instruction.operands[0].reg != last.guard ||
            !instruction.operands[0].writes)
            return;
        comparison_ = comparison_of(instruction);
        if (comparison_.how == Comparison::kNone || instruction.operands[1].reg == kNoRegister) return;
        compared_ = end_.of(instruction.operands[1].reg);
        const OpenOperand& bound = instruction.operands[2];
        if (bound.reg == kNoRegister && bound.bound.is_immediate) bound_ = bound.bound.value;
        if (bound.reg != kNoRegister && places_.of(bound.reg).id == kConstantPlace)
            bound_ = places_.of(bound.reg).offset;
    }

    void find_inductions(std::vector<Induction>& found) {
        std::vector<std::int32_t> seen;
        for (std::uint32_t index : block_.instructions)
            for_each_result(code_.instructions[index], [&](std::int32_t reg) {
                if (code_.definitions[reg].count != 2 || std::find(seen.begin(), seen.end(), reg) != seen.end()) return;
                seen.push_back(reg);
                const Place now = end_.of(reg);
                if (now.id != reg || now.offset == 0) return;
                size_ -= std::min(size_, 1u);  // the addition
                if (const Instruction* start = start_of(reg)) {
                    PlaceWalk before(code_, places_);
                    before.step(*start, false);
                    found.push_back({reg, now.offset, before.of(reg)});
                }
            });
        // So do the comparison and the branch.
        size_ -= std::min(size_, 2u);
    }

    // The only instruction outside the loop that writes a register.
    const Instruction* start_of(std::int32_t reg) const {
        const Instruction* start = nullptr;
        for (const Instruction& instruction : code_.instructions) {
            bool writes = false;
            for_each_result(instruction, [&](std::int32_t result) { writes = writes || result == reg; });
            if (!writes) continue;
            const auto at = static_cast<std::uint32_t>(&instruction - code_.instructions.data());
            if (std::find(block_.instructions.begin(), block_.instructions.end(), at) != block_.instructions.end())
                continue;
            if (start != nullptr || instruction.guard != kNoRegister) return nullptr;
            start = &instruction;
        }
        return start;
    }

    bool merges_between_turns(const std::vector<Induction>& inductions) const {
        return std::any_of(inductions.begin(), inductions.end(), [&](const Induction& induction) {
            return std::abs(induction.step) < kWidestAccess &&
                   std::find(addresses_.begin(), addresses_.end(), induction.reg) != addresses_.end();
        });
    }

    std::optional<std::uint64_t> count_turns(const std::vector<Induction>& inductions) const {
        if (comparison_.how == Comparison::kNone || !bound_) return std::nullopt;
        const bool while_false = code_.instructions[block_.instructions.back()].guard_negated;
        for (const Induction& counter : inductions) {
            if (counter.reg != compared_.id || counter.start.id != kConstantPlace) continue;
            std::int64_t value = counter.start.offset + compared_.offset;
            for (std::uint64_t turns = 1; turns <= kMaxTurns; ++turns, value += counter.step)
                if (holds(value) == while_false) return turns;
        }
        return std::nullopt;
    }

    bool holds(std::int64_t value) const {
        const bool less = comparison_.is_signed
                              ? value < *bound_
                              : static_cast<std::uint64_t>(value) < static_cast<std::uint64_t>(*bound_);
        switch (comparison_.how) {
            case Comparison::kEqual: return value == *bound_;
            case Comparison::kUnequal: return value != *bound_;
            case Comparison::kLess: return less;
            case Comparison::kLessOrEqual: return less || value == *bound_;
            case Comparison::kGreater: return !less && value != *bound_;
            case Comparison::kGreaterOrEqual: return !less;
            case Comparison::kNone: break;
        }
        return false;
    }

    const FunctionCode& code_;
    const CodeBlock& block_;
    Places& places_;
    PlaceWalk end_;  // where registers are, as the turn is walked through
    bool is_loop_ = false;
    unsigned size_ = 0;
    std::vector<std::int32_t> addresses_;  // unknowns that loads and stores count from
    ComparisonOf comparison_;
    Place compared_;
    std::optional<std::int64_t> bound_;
};

}  // namespace

std::uint32_t copies_of_body(std::uint64_t turns, unsigned size) {
    if (size <= largest_whole(turns)) return static_cast<std::uint32_t>(turns);
    if (size > kLargestBody || size == 0) return 1;
    for (std::uint64_t copies = std::min(turns - 1, kUnrolledSize / size); copies > 1; --copies)
        if ((copies + turns % copies) * size <= kUnrolledSize) return static_cast<std::uint32_t>(copies);
    return 1;
}

UnrolledLoop unrolled_loop(const FunctionCode& code, std::uint32_t block, Places& places) {
    return Loop(code, block, places).find();
}

void insert_copies(FunctionCode& code, std::uint32_t block, std::vector<std::vector<Instruction>> instructions) {
    const auto added = static_cast<std::uint32_t>(instructions.size());
    for (std::uint32_t& target : code.label_blocks)
        if (target != machine::kNoBlock && target > block) target += added;
    for (CodeBlock& other : code.blocks)
        if (other.next != machine::kNoBlock && other.next > block) other.next += added;
    code.blocks.insert(code.blocks.begin() + block + 1, added, CodeBlock{});
    const std::uint32_t behind = block + added + 1;
    const std::uint32_t first_label = code.instructions[code.blocks[block].instructions.back()].label;
    for (std::uint32_t copy = 0; copy <= added; ++copy) {
        CodeBlock& here = code.blocks[block + copy];
        if (copy != 0)
            for (Instruction& instruction : instructions[copy - 1]) {
                here.instructions.push_back(static_cast<std::uint32_t>(code.instructions.size()));
                code.instructions.push_back(std::move(instruction));
            }
        Instruction& last = code.instructions[here.instructions.back()];
        if (copy == added) {
            last.label = first_label;  // around again
            continue;
        }
        here.next = behind;
        last.label = static_cast<std::uint32_t>(code.label_blocks.size());
        code.label_blocks.push_back(block + copy + 1);
    }
}

}  // namespace tilescope::isa
