#include "scope/isa/assembler/unroll_loops.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "scope/isa/assembler/operation.h"
#include "scope/isa/lower/meeting.h"
#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

constexpr std::uint64_t kMaxTurns = 4096;
constexpr unsigned kLargestBody = 72;
constexpr std::uint64_t kUnrolledSize = 350;
constexpr std::int64_t kWidestAccess = 16;

// Instructions, names among them: of a body that is looked at, and of all its copies.
constexpr std::size_t kLongestBody = 1024, kLongestCode = 8192;
// Seen with up to 12 constants; more are taken for so many.
constexpr double kMoreForConstant = 0.09;
constexpr unsigned kMostConstants = 24;

// Of loops of an unknown number of turns.
constexpr std::uint32_t kTurnsOfUnknown = 4;
constexpr unsigned kLargestWithout = 18, kMoreForShared = 5, kLargestWithLoads = 46;
constexpr unsigned kAtomicTooMuch = 10;  // that size_of() has beyond 2

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

// A loop, looked at for one turn.
class LoopToUnroll {
public:
    LoopToUnroll(const FunctionCode& code, const LoopBlocks& loop, Places& places)
        : code_(code), places_(places), end_(code, places) {
        for (std::uint32_t block = loop.first; block <= loop.last; ++block) {
            const CodeBlock& part = code.blocks[block];
            if (part.keeps_loop) return;
            body_.insert(body_.end(), part.instructions.begin(), part.instructions.end());
            // A part that may be left out ends with the block behind it.
            const bool only_meets = !parts_.empty() && parts_.back().end != 0 &&
                                    is_meeting(code.instructions[body_[parts_.back().end - 1]]);
            parts_.push_back({body_.size(), block != loop.first && part.predecessors.size() == 1 && !only_meets});
        }
        // Longer ones are not unrolled, and need not be looked at instruction by instruction.
        if (code.blocks[loop.last].instructions.empty() || body_.size() > kLongestBody) return;
        const Instruction& last = code.instructions[body_.back()];
        leaves_by_branch_ = loop.jump.has_value();
        is_loop_ = last.control == Control::kBranch && last.guard != kNoRegister &&
                   (leaves_by_branch_ || code.label_blocks[last.label] == loop.first);
    }

    UnrolledLoop find() {
        if (!is_loop_ || !walk_once()) return {};
        UnrolledLoop loop;
        find_inductions(loop.inductions);
        if (!merges_between_turns(loop.inductions)) return {};
        const auto turns = count_turns(loop.inductions);
        if (!turns || *turns < 2) return {};
        find_constants(loop.inductions);
        loop.copies = copies_of(*turns);
        loop.all_turns = loop.copies == *turns;
        return loop;
    }

    TurnsTogether find_together() {
        if (!is_loop_ || !walk_once()) return {};
        TurnsTogether together;
        std::vector<Induction> inductions;
        find_inductions(inductions);
        if (const auto turns = count_turns(inductions)) {
            find_constants(inductions);
            together.turns = *turns < 2 ? 1 : copies_of(*turns);
            together.is_known = true;
            together.all_turns = together.turns == *turns;
            if (together.all_turns) together.constants = std::move(constants_);
        } else if (is_counted()) {
            const unsigned limit = loads_far_ ? kLargestWithLoads : kLargestWithout + kMoreForShared * shared_loads_;
            if (size_ <= limit + kAtomicTooMuch * atomics_) together.turns = kTurnsOfUnknown;
        }
        together.counters = std::move(counters_);
        return together;
    }

private:
    struct Part {
        std::size_t end;  // in body_
        bool may_be_left_out;
    };

    bool walk_once() {
        std::size_t i = 0;
        for (const Part& part : parts_) {
            for (; i < part.end; ++i) {
                const Instruction& instruction = code_.instructions[body_[i]];
                const bool is_branch = instruction.control == Control::kBranch && i + 1 == part.end;
                if (instruction.control != Control::kNone && !is_branch && !is_meeting(instruction)) return false;
                note(instruction);
                end_.step(instruction, false);
                if (part.may_be_left_out)
                    for_each_result(instruction, [&](std::int32_t reg) { end_.set(reg, places_.fresh(0)); });
                size_ += size_of(instruction);
            }
        }
        return true;
    }

    // The comparison that decides on another turn, and accesses.
    void note(const Instruction& instruction) {
        const Instruction& last = code_.instructions[body_.back()];
        const MemoryEffect effect = memory_effect_of(instruction);
        if (instruction.chosen->row->effect.action == Action::kLoad) {
            const machine::Space space = space_of(instruction.chosen->form);
            if (space == machine::Space::kShared) ++shared_loads_;
            loads_far_ = loads_far_ || effect.global || space == machine::Space::kLocal;
        }
        if (effect.use == MemoryUse::kAtomic || effect.use == MemoryUse::kReduction) ++atomics_;
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
        bound_register_ = bound.reg;
        if (bound.reg != kNoRegister && places_.of(bound.reg).id == kConstantPlace)
            bound_ = places_.of(bound.reg).offset;
    }

    void find_inductions(std::vector<Induction>& found) {
        std::vector<std::int32_t> seen;
        for (std::uint32_t index : body_)
            for_each_result(code_.instructions[index], [&](std::int32_t reg) {
                if (std::find(seen.begin(), seen.end(), reg) != seen.end()) return;
                seen.push_back(reg);
                const Place now = end_.of(reg);
                if (now.id != reg || now.offset == 0) return;
                counters_.push_back(reg);
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

    std::uint32_t copies_of(std::uint64_t turns) const {
        const std::uint32_t copies = copies_of_body(turns, size_, size_of_constants_);
        return copies * body_.size() <= kLongestCode ? copies : 1;
    }

    // What follows from counters that begin with a constant alone.
    void find_constants(const std::vector<Induction>& inductions) {
        std::vector<std::int32_t> known;
        for (const Induction& induction : inductions)
            if (induction.start.id == kConstantPlace) known.push_back(induction.reg);
        const auto is_known = [&](const OpenOperand& operand) {
            if (operand.reg == kNoRegister) return operand.bound.is_immediate;
            return places_.of(operand.reg).id == kConstantPlace ||
                   std::find(known.begin(), known.end(), operand.reg) != known.end();
        };
        for (std::uint32_t index : body_) {
            const Instruction& instruction = code_.instructions[index];
            if (instruction.control != Control::kNone || instruction.guard != kNoRegister ||
                instruction.operands.empty() || instruction.operands[0].reg == kNoRegister ||
                instruction.chosen->row->kind == Class::kMemory || instruction.chosen->row->kind == Class::kSync)
                continue;
            const std::int32_t reg = instruction.operands[0].reg;
            if (reg == code_.instructions[body_.back()].guard || code_.definitions[reg].count != 1 ||
                !std::all_of(instruction.operands.begin() + 1, instruction.operands.end(), is_known))
                continue;
            known.push_back(reg);
            constants_.push_back(index);
            size_of_constants_ += size_of(instruction);
        }
        std::sort(constants_.begin(), constants_.end());
    }

    // The only instruction outside the loop that writes a register, which one inside writes, too.
    const Instruction* start_of(std::int32_t reg) const {
        const Definition& definition = code_.definitions[reg];
        if (definition.count != 2) return nullptr;
        const auto is_inside = [&](std::uint32_t at) {
            return std::find(body_.begin(), body_.end(), at) != body_.end();
        };
        if (is_inside(definition.first) == is_inside(definition.last)) return nullptr;
        const Instruction& start = code_.instructions[is_inside(definition.first) ? definition.last : definition.first];
        return start.guard == kNoRegister ? &start : nullptr;
    }

    bool merges_between_turns(const std::vector<Induction>& inductions) const {
        return std::any_of(inductions.begin(), inductions.end(), [&](const Induction& induction) {
            return std::abs(induction.step) < kWidestAccess &&
                   std::find(addresses_.begin(), addresses_.end(), induction.reg) != addresses_.end();
        });
    }

    std::optional<std::uint64_t> count_turns(const std::vector<Induction>& inductions) const {
        if (comparison_.how == Comparison::kNone || !bound_) return std::nullopt;
        const bool while_false = code_.instructions[body_.back()].guard_negated != leaves_by_branch_;
        for (const Induction& counter : inductions) {
            if (counter.reg != compared_.id || counter.start.id != kConstantPlace) continue;
            std::int64_t value = counter.start.offset + compared_.offset;
            for (std::uint64_t turns = 1; turns <= kMaxTurns; ++turns, value += counter.step)
                if (holds(value) == while_false) return turns;
        }
        return std::nullopt;
    }

    // Whether a counter is held against what stays the same.
    bool is_counted() const {
        const auto has = [](const std::vector<std::int32_t>& all, std::int32_t reg) {
            return std::find(all.begin(), all.end(), reg) != all.end();
        };
        if (comparison_.how == Comparison::kNone || !has(counters_, compared_.id)) return false;
        bool changes = false;
        for (std::uint32_t index : body_)
            for_each_result(code_.instructions[index],
                            [&](std::int32_t reg) { changes = changes || reg == bound_register_; });
        return !changes;
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
    Places& places_;
    PlaceWalk end_;  // where registers are, as the turn is walked through
    std::vector<std::uint32_t> body_;
    std::vector<Part> parts_;
    std::vector<std::int32_t> counters_;
    bool is_loop_ = false, leaves_by_branch_ = false, loads_far_ = false;
    unsigned shared_loads_ = 0, atomics_ = 0, size_of_constants_ = 0;
    std::vector<std::uint32_t> constants_;
    unsigned size_ = 0;
    std::vector<std::int32_t> addresses_;  // unknowns that loads and stores count from
    ComparisonOf comparison_;
    Place compared_;
    std::optional<std::int64_t> bound_;
    std::int32_t bound_register_ = kNoRegister;
};

}  // namespace

std::uint32_t copies_of_body(std::uint64_t turns, unsigned size, unsigned constants) {
    const double limit = largest_whole(turns) * (1 + kMoreForConstant * std::min(constants, kMostConstants));
    if (limit > 0 && size - std::min(size, constants) <= limit) return static_cast<std::uint32_t>(turns);
    if (size > kLargestBody || size == 0) return 1;
    for (std::uint64_t copies = std::min(turns - 1, kUnrolledSize / size); copies > 1; --copies)
        if ((copies + turns % copies) * size <= kUnrolledSize) return static_cast<std::uint32_t>(copies);
    return 1;
}

UnrolledLoop unrolled_loop(const FunctionCode& code, std::uint32_t block, Places& places) {
    return LoopToUnroll(code, {block, block, std::nullopt}, places).find();
}

TurnsTogether turns_together(const FunctionCode& code, const LoopBlocks& loop, Places& places) {
    return LoopToUnroll(code, loop, places).find_together();
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
