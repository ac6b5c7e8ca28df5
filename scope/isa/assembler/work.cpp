#include "scope/isa/assembler/work.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "scope/isa/assembler/instruction_cost.h"
#include "scope/isa/assembler/operation.h"
#include "scope/isa/assembler/places.h"
#include "scope/isa/assembler/unroll_loops.h"
#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

using machine::BlockWork;
using machine::FlowKind;
using machine::Space;

// About how long each is, in cycles: only to tell which of several chains is the longest.
constexpr std::array<float, kWaits> kAboutCycles = {400, 150, 30, 40, 600};
constexpr float kAboutStep = 4;

// A chain of instructions each of which needs the one before.
struct Path {
    float cycles = 0, steps = 0;
    std::array<float, kWaits> waits{};

    void take_steps(float more) {
        steps += more;
        cycles += more * kAboutStep;
    }
    void wait(Wait kind) {
        if (kind == kNoWait) return;
        waits[kind] += 1;
        cycles += kAboutCycles[kind];
    }
};

void keep_longer(Path& into, const Path& other) {
    if (other.cycles > into.cycles) into = other;
}

template <class Visit>
void for_each_source(const Instruction& instruction, Visit visit) {
    const auto each = [&](const OpenOperand& operand, const auto& self) -> void {
        if (operand.reg != kNoRegister && !operand.writes) visit(operand.reg);
        for (const OpenOperand& element : operand.elements) self(element, self);
    };
    for (const OpenOperand& operand : instruction.operands) each(operand, each);
    if (instruction.guard != kNoRegister) visit(instruction.guard);
    for (const std::int32_t reg : instruction.extra_uses) visit(reg);
}

// One of several turns of a loop that are one stretch of code: counting and the branch back are there once.
struct Turn {
    const TurnsTogether* loop = nullptr;
    std::int32_t guard = kNoRegister;  // of the branch back
    bool is_last = false;
};

class BlockWalk {
public:
    using Pending = std::map<std::int32_t, Wait>;  // loads that are under way, by register

    // Continues the walk of the block before where ptxas makes one stretch of both.
    BlockWalk(const FunctionCode& code, std::uint32_t block, const Pending& pending, const BlockWalk* before,
              const Turn* turn = nullptr)
        : block_(code.blocks[block]), pending_(pending), turn_(turn) {
        if (before != nullptr) {
            ready_ = before->ready_;
            products_ = before->products_;
            divisors_ = before->divisors_;
            stored_ = before->stored_;
            placed_ = before->placed_;
            shifted_ = before->shifted_;
            loaded_ = before->loaded_;
            longest_ = before_ = before->longest_;
        }
        const Instruction* last =
            block_.instructions.empty() ? nullptr : &code.instructions[block_.instructions.back()];
        is_loop_ = last != nullptr && last->control == Control::kBranch && code.label_blocks[last->label] == block;
        if (is_loop_)
            for (std::uint32_t index : block_.instructions)
                for_each_result(code.instructions[index], [&](std::int32_t reg) { changing_.insert(reg); });
        for (std::uint32_t index : block_.instructions)
            if (!is_constant(index)) step(code.instructions[index]);
    }

    const Pending& pending() const { return pending_; }
    BlockWork work() const {
        // By how much this block makes the chain longer; of one kind it may become less, when another chain takes over.
        BlockWork work = work_;
        const auto more = [&](Wait kind) { return longest_.waits[kind] - before_.waits[kind]; };
        work.steps = longest_.steps - before_.steps;
        work.global_waits = more(kGlobal);
        work.local_waits = more(kLocal);
        work.shared_waits = more(kShared);
        work.constant_waits = more(kConstant);
        work.atomic_waits = more(kAtomic);
        return work;
    }

private:
    void step(const Instruction& instruction) {
        if (instruction.dead || instruction.chosen == nullptr) return;
        if (turn_ != nullptr && is_counting(instruction)) return;
        const Cost cost = cost_of(instruction);
        add(cost);
        if (cost.is_name) return rename(instruction);
        Path path;
        for_each_source(instruction, [&](std::int32_t reg) { use(reg, path); });
        Path* const stored = stored_in(instruction, cost);
        const std::optional<Placed> placed =
            stored == &stored_[kElsewhere] ? place_of(instruction, cost) : std::nullopt;
        if (stored != nullptr && !cost.passes_stores) {
            keep_longer(path, *stored);
            if (stored == &stored_[kElsewhere])
                for (const Placed& other : placed_)
                    if (cost.is_store || !placed || !lie_apart(*placed, other)) keep_longer(path, other.path);
        }
        if (waits_for_copies(instruction)) path.wait(kGlobal);
        if (cost.wait == kGlobal && loaded_.size() >= kMostUnderWay)
            keep_longer(path, loaded_[loaded_.size() - kMostUnderWay]);
        path.take_steps(cost.steps);
        keep_longer(longest_, path);
        if (stored != nullptr && cost.is_store) keep_store(*stored, placed, path);
        Path result = path;
        result.wait(cost.wait);
        if (cost.wait == kGlobal) loaded_.push_back(result);
        for_each_result(instruction, [&](std::int32_t reg) {
            ready_[reg] = result;
            pending_.erase(reg);
            if (cost.wait != kNoWait) pending_[reg] = cost.wait;
            forget_places(reg);
        });
    }

    // A store to memory that is not shared or local, of which it is known where it lies: so far from what `reg` holds.
    struct Placed {
        std::int32_t reg = kNoRegister;
        std::int64_t offset = 0, bytes = 0;
        Path path;
    };
    static bool lie_apart(const Placed& one, const Placed& other) {
        return one.reg == other.reg &&
               (one.offset + one.bytes <= other.offset || other.offset + other.bytes <= one.offset);
    }
    std::optional<Placed> place_of(const Instruction& instruction, const Cost& cost) const {
        if (cost.is_load == cost.is_store) return std::nullopt;
        const std::size_t at = cost.is_load ? 1 : 0;
        if (instruction.operands.size() <= at) return std::nullopt;
        const OpenOperand& address = instruction.operands[at];
        if (address.bound.kind != BoundOperand::Kind::kAddress || address.reg == kNoRegister) return std::nullopt;
        const Form& form = instruction.chosen->form;
        const auto shifted = shifted_.find(address.reg);
        const std::int64_t shift = shifted != shifted_.end() ? shifted->second : 0;
        return Placed{
            address.reg, address.bound.value + shift, std::int64_t{bytes_of(form.type())} * vector_length(form), {}};
    }
    void keep_store(Path& stored, const std::optional<Placed>& placed, const Path& path) {
        if (!placed || placed_.size() >= kMostPlaced) return keep_longer(stored, path);
        placed_.push_back(*placed);
        placed_.back().path = path;
    }
    bool is_constant(std::uint32_t index) const {
        return turn_ != nullptr && std::find(turn_->loop->constants.begin(), turn_->loop->constants.end(), index) !=
                                       turn_->loop->constants.end();
    }

    // Whether an instruction counts turns, or asks for another one. What is added to a register stands in the offsets
    // of the accesses that count from it, but for all turns together at the end.
    bool is_counting(const Instruction& instruction) {
        if (instruction.control == Control::kBranch && instruction.guard == turn_->guard) return !turn_->is_last;
        if (instruction.operands.empty() || instruction.guard != kNoRegister) return false;
        const std::int32_t reg = instruction.operands[0].reg;
        const Operation operation = operation_of(instruction);
        if (operation == Operation::kCompare) return reg == turn_->guard && !turn_->is_last;
        if (operation != Operation::kAdd || reg == kNoRegister || instruction.operands[1].reg != reg ||
            instruction.operands[2].reg != kNoRegister || !instruction.operands[2].bound.is_immediate)
            return false;
        if (std::find(turn_->loop->counters.begin(), turn_->loop->counters.end(), reg) == turn_->loop->counters.end())
            return false;
        shifted_[reg] += instruction.operands[2].bound.value;
        if (turn_->is_last) add(cost_of(instruction));
        return true;
    }

    // The register holds something else from here on.
    void forget_places(std::int32_t reg) {
        shifted_.erase(reg);
        std::erase_if(placed_, [&](const Placed& store) {
            if (store.reg == reg) keep_longer(stored_[kElsewhere], store.path);
            return store.reg == reg;
        });
    }

    void add(const Cost& cost) {
        work_.instructions += cost.instructions;
        work_.fp32 += cost.fp32;
        work_.integer += cost.integer;
        work_.fp64 += cost.fp64;
        work_.special += cost.special;
        work_.memory += cost.memory;
    }

    // The value is needed: a load that was under way is waited for.
    void use(std::int32_t reg, Path& path) {
        const auto pending = pending_.find(reg);
        const auto known = ready_.find(reg);
        if (known != ready_.end()) {
            keep_longer(path, known->second);
        } else if (pending != pending_.end()) {
            Path waited;
            waited.wait(pending->second);
            keep_longer(path, waited);
        }
        if (pending != pending_.end()) pending_.erase(pending);
    }

    void rename(const Instruction& instruction) {
        Path path;
        Wait wait = kNoWait;
        for_each_source(instruction, [&](std::int32_t reg) {
            const auto known = ready_.find(reg);
            if (known != ready_.end()) keep_longer(path, known->second);
            const auto pending = pending_.find(reg);
            if (pending == pending_.end()) return;
            wait = pending->second;
            if (known != ready_.end()) return;
            Path waited;
            waited.wait(wait);
            keep_longer(path, waited);
        });
        for_each_result(instruction, [&](std::int32_t reg) {
            ready_[reg] = path;
            pending_.erase(reg);
            if (wait != kNoWait) pending_[reg] = wait;
        });
    }

    // The last store to memory that this access may find changed.
    Path* stored_in(const Instruction& instruction, const Cost& cost) {
        if (!cost.is_load && !cost.is_store) return nullptr;
        switch (space_of(instruction.chosen->form)) {
            case Space::kShared: return &stored_[0];
            case Space::kLocal: return &stored_[1];
            default: return &stored_[kElsewhere];
        }
    }

    // Of copies to shared memory that were started before: all of them are waited for, not only the older ones.
    static bool waits_for_copies(const Instruction& instruction) {
        const Form& form = instruction.chosen->form;
        if (instruction.chosen->row->kind != Class::kSync) return false;
        if (form.has("wait_all")) return true;
        return form.has("wait_group") && !instruction.operands.empty() && instruction.operands[0].bound.value == 0;
    }

    Cost cost_of(const Instruction& instruction) {
        const Row& row = *instruction.chosen->row;
        const Form& form = instruction.chosen->form;
        if (row.kind == Class::kMemory) return cost_of_access(instruction);
        if (row.effect.action == Action::kExchange) return Cost{.memory = 1, .steps = 0, .wait = kShared};
        if (row.kind == Class::kControl || row.kind == Class::kSync) return Cost{.steps = 0};
        switch (row.effect.expansion) {
            case Expansion::kNone:
                // Only a special register takes an instruction to be read.
                return Cost{.instructions = reads_special(instruction) ? 1.f : 0.f, .steps = 0, .is_name = true};
            case Expansion::kSubroutine: return cost_of_division(instruction, knows_divisor(instruction));
            case Expansion::kSpecial: return cost_of_special(instruction);
            case Expansion::kSpecialOne: return Cost{.special = 1};
            case Expansion::kOne: break;
        }
        if (row.kind == Class::kConversion) return cost_of_conversion(instruction);
        return cost_of_arithmetic(instruction, row, form);
    }

    Cost cost_of_arithmetic(const Instruction& instruction, const Row& row, const Form& form) {
        const Type type = form.type();
        const FlowKind flow = row.effect.flow;
        const bool multiplies = flow == FlowKind::kMultiply || flow == FlowKind::kMultiplyAdd;
        const bool adds = flow == FlowKind::kAdd || flow == FlowKind::kSubtract;
        Cost cost;
        if (row.kind == Class::kFloat && type == Type::kF64) {
            cost.fp64 = 1;
        } else if (row.kind == Class::kFloat && (multiplies || adds)) {
            cost.fp32 = 1;
        } else if (multiplies) {
            cost.fp32 = bytes_of(type) == 8 && !form.has("wide") ? 4 : 1;
            cost.instructions = cost.fp32;
            if (form.has("wide")) for_each_result(instruction, [&](std::int32_t reg) { products_.insert(reg); });
        } else if (adds && bytes_of(type) == 8 && adds_product(instruction)) {
            cost.instructions = 0;  // the multiplication adds as well
            cost.steps = 0;
        } else {
            cost.integer = 1;  // addresses of 64 bits are mostly led on by offsets and multiply-adds
        }
        return cost;
    }

    bool adds_product(const Instruction& instruction) const {
        bool found = false;
        for_each_source(instruction, [&](std::int32_t reg) { found |= products_.count(reg) != 0; });
        return found;
    }

    // The reciprocal of a divisor is worked out once for a block, and before a loop where it stays the same.
    bool knows_divisor(const Instruction& instruction) {
        if (instruction.operands.size() < 3 || instruction.operands[2].reg == kNoRegister) return false;
        const std::int32_t divisor = instruction.operands[2].reg;
        return !divisors_.insert(divisor).second || (is_loop_ && changing_.count(divisor) == 0);
    }

    const CodeBlock& block_;
    Pending pending_;
    std::map<std::int32_t, Path> ready_;
    std::set<std::int32_t> products_, divisors_, changing_;
    static constexpr unsigned kElsewhere = 2;
    static constexpr std::size_t kMostPlaced = 32;
    // Loads that ptxas 13.0 starts before it needs the first of them (12 to 20 in stretches that have more).
    static constexpr std::size_t kMostUnderWay = 12;
    std::array<Path, 3> stored_{};                  // by memory: shared, local, elsewhere
    std::vector<Placed> placed_;                    // stores elsewhere that are not in it
    std::map<std::int32_t, std::int64_t> shifted_;  // what was added to counters in this stretch
    std::vector<Path> loaded_;                      // by load of global memory: when it has come
    Path longest_, before_;
    const Turn* turn_ = nullptr;
    BlockWork work_;
    bool is_loop_ = false;
};

// Loads that are under way when a block begins: on any way there. Into a loop only those that every turn starts anew,
// for what was loaded before it is waited for once.
BlockWalk::Pending pending_at(const FunctionCode& code, std::uint32_t block,
                              const std::vector<BlockWalk::Pending>& behind, bool settled) {
    BlockWalk::Pending pending;
    for (const std::uint32_t from : code.blocks[block].predecessors)
        if (from < block) pending.insert(behind[from].begin(), behind[from].end());
    if (!settled) return pending;
    for (const std::uint32_t from : code.blocks[block].predecessors)
        if (from >= block)
            std::erase_if(pending, [&](const auto& load) { return behind[from].count(load.first) == 0; });
    return pending;
}

// A short block that is run or left out by a branch before it, and is all there is between that and where it leads.
// ptxas puts its instructions under a predicate.
bool is_conditional(const FunctionCode& code, std::uint32_t block) {
    constexpr std::size_t kShort = 16;
    const CodeBlock& then = code.blocks[block];
    if (block == 0 || then.predecessors != std::vector<std::uint32_t>{block - 1}) return false;
    if (then.successors != std::vector<std::uint32_t>{block + 1} || then.instructions.size() > kShort) return false;
    const auto control = [&](const CodeBlock& of) {
        return of.instructions.empty() ? Control::kNone : code.instructions[of.instructions.back()].control;
    };
    const CodeBlock& head = code.blocks[block - 1];
    return control(head) == Control::kBranch &&
           (control(then) == Control::kNone || control(then) == Control::kBranch) &&
           std::find(head.successors.begin(), head.successors.end(), block + 1) != head.successors.end();
}

// Whether ptxas makes one stretch of a block and the one before it.
bool continues(const FunctionCode& code, std::uint32_t block) {
    const std::vector<std::uint32_t>& from = code.blocks[block].predecessors;
    if (is_conditional(code, block)) return true;
    return block >= 2 && from.size() == 2 && std::min(from[0], from[1]) == block - 2 &&
           std::max(from[0], from[1]) == block - 1 && is_conditional(code, block - 1);
}

// The loop whose last block this is, if all of it is one stretch.
std::optional<LoopBlocks> loop_ending_with(const FunctionCode& code, std::uint32_t block) {
    const auto branch_of = [&](std::uint32_t of) -> const Instruction* {
        if (of >= code.blocks.size() || code.blocks[of].instructions.empty()) return nullptr;
        const Instruction& last = code.instructions[code.blocks[of].instructions.back()];
        return last.control == Control::kBranch ? &last : nullptr;
    };
    const Instruction* branch = branch_of(block);
    if (branch == nullptr || branch->guard == kNoRegister) return std::nullopt;
    LoopBlocks loop{code.label_blocks[branch->label], block, std::nullopt};
    if (loop.first > block) {
        const Instruction* back = branch_of(block + 1);
        if (back == nullptr || back->guard != kNoRegister || code.blocks[block + 1].instructions.size() != 1 ||
            code.blocks[block + 1].predecessors != std::vector<std::uint32_t>{block})
            return std::nullopt;
        loop.first = code.label_blocks[back->label];
        loop.jump = block + 1;
    }
    if (loop.first > block) return std::nullopt;
    for (std::uint32_t part = loop.first + 1; part <= block; ++part)
        if (!continues(code, part)) return std::nullopt;
    return loop;
}

// All blocks of a function.
class WorkOf {
public:
    explicit WorkOf(const FunctionCode& code)
        : code_(code),
          follow_(code.blocks.size() <= kManyBlocks),
          behind_(code.blocks.size()),
          works_(code.blocks.size()) {
        std::optional<Places> places;
        for (std::uint32_t block = 0; follow_ && block < code.blocks.size(); ++block)
            if (const auto loop = loop_ending_with(code, block)) {
                if (!places) places.emplace(code);
                TurnsTogether together = turns_together(code, *loop, *places);
                if (together.turns > 1) loops_.emplace(loop->first, Repeated{*loop, std::move(together)});
            }
    }

    void append_to(machine::Program& program) {
        for (round_ = 0; round_ < (follow_ ? kRounds : 1); ++round_) {
            std::unique_ptr<BlockWalk> before;
            for (std::uint32_t block = 0; block < code_.blocks.size(); ++block) {
                const auto loop = loops_.find(block);
                if (loop != loops_.end()) {
                    before = walk_turns(loop->second);
                    block = loop->second.blocks.jump.value_or(loop->second.blocks.last);
                    continue;
                }
                auto walk = std::make_unique<BlockWalk>(code_, block, pending_at(block),
                                                        continues(code_, block) ? before.get() : nullptr);
                behind_[block] = walk->pending();
                works_[block] = walk->work();
                before = std::move(walk);
            }
        }
        program.work.insert(program.work.end(), works_.begin(), works_.end());
    }

private:
    static constexpr unsigned kRounds = 3;
    // What is under way matters near the load alone; very long code is looked at block by block.
    static constexpr std::size_t kManyBlocks = 4096;

    struct Repeated {
        LoopBlocks blocks;
        TurnsTogether together;
    };

    BlockWalk::Pending pending_at(std::uint32_t block) const {
        return follow_ ? isa::pending_at(code_, block, behind_, round_ != 0) : BlockWalk::Pending{};
    }

    // The average turn.
    std::unique_ptr<BlockWalk> walk_turns(const Repeated& loop) {
        const auto [first, last, jump] = loop.blocks;
        for (std::uint32_t block = first; block <= jump.value_or(last); ++block) works_[block] = {};
        std::unique_ptr<BlockWalk> before;
        for (std::uint32_t turn = 0; turn < loop.together.turns; ++turn) {
            const Turn here{&loop.together, code_.instructions[code_.blocks[last].instructions.back()].guard,
                            turn + 1 == loop.together.turns};
            for (std::uint32_t block = first; block <= last; ++block) {
                auto walk = std::make_unique<BlockWalk>(
                    code_, block, before != nullptr ? before->pending() : pending_at(block), before.get(), &here);
                add(works_[block], walk->work());
                behind_[block] = walk->pending();
                before = std::move(walk);
            }
        }
        for (std::uint32_t block = first; block <= last; ++block)
            for (float BlockWork::*part : kParts) works_[block].*part /= static_cast<float>(loop.together.turns);
        for (std::uint32_t block = first; block <= jump.value_or(last); ++block) {
            works_[block].turns_together = loop.together.turns;
            works_[block].may_leave_turns = !loop.together.is_known;
            works_[block].behind_first = block - first;
        }
        if (jump) behind_[*jump] = behind_[last];
        return before;
    }

    static constexpr float BlockWork::*kParts[] = {
        &BlockWork::instructions, &BlockWork::fp32,           &BlockWork::integer,      &BlockWork::fp64,
        &BlockWork::special,      &BlockWork::memory,         &BlockWork::global_waits, &BlockWork::local_waits,
        &BlockWork::shared_waits, &BlockWork::constant_waits, &BlockWork::atomic_waits, &BlockWork::steps};
    static void add(BlockWork& to, const BlockWork& more) {
        for (float BlockWork::*part : kParts) to.*part += more.*part;
    }

    const FunctionCode& code_;
    const bool follow_;
    unsigned round_ = 0;
    std::vector<BlockWalk::Pending> behind_;
    std::vector<BlockWork> works_;
    std::map<std::uint32_t, Repeated> loops_;  // by first block
};

}  // namespace

void add_work(const FunctionCode& code, machine::Program& program) { WorkOf(code).append_to(program); }

}  // namespace tilescope::isa
