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

class BlockWalk {
public:
    using Pending = std::map<std::int32_t, Wait>;  // loads that are under way, by register

    // Continues the walk of the block before where ptxas makes one stretch of both.
    BlockWalk(const FunctionCode& code, std::uint32_t block, const Pending& pending, const BlockWalk* before)
        : block_(code.blocks[block]), pending_(pending) {
        if (before != nullptr) {
            ready_ = before->ready_;
            products_ = before->products_;
            divisors_ = before->divisors_;
            stored_ = before->stored_;
            placed_ = before->placed_;
            longest_ = before_ = before->longest_;
        }
        const Instruction* last =
            block_.instructions.empty() ? nullptr : &code.instructions[block_.instructions.back()];
        is_loop_ = last != nullptr && last->control == Control::kBranch && code.label_blocks[last->label] == block;
        if (is_loop_)
            for (std::uint32_t index : block_.instructions)
                for_each_result(code.instructions[index], [&](std::int32_t reg) { changing_.insert(reg); });
        for (std::uint32_t index : block_.instructions) step(code.instructions[index]);
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
        path.take_steps(cost.steps);
        keep_longer(longest_, path);
        if (stored != nullptr && cost.is_store) keep_store(*stored, placed, path);
        Path result = path;
        result.wait(cost.wait);
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
    static std::optional<Placed> place_of(const Instruction& instruction, const Cost& cost) {
        if (cost.is_load == cost.is_store) return std::nullopt;
        const std::size_t at = cost.is_load ? 1 : 0;
        if (instruction.operands.size() <= at) return std::nullopt;
        const OpenOperand& address = instruction.operands[at];
        if (address.bound.kind != BoundOperand::Kind::kAddress || address.reg == kNoRegister) return std::nullopt;
        const Form& form = instruction.chosen->form;
        return Placed{address.reg, address.bound.value, std::int64_t{bytes_of(form.type())} * vector_length(form), {}};
    }
    void keep_store(Path& stored, const std::optional<Placed>& placed, const Path& path) {
        if (!placed || placed_.size() >= kMostPlaced) return keep_longer(stored, path);
        placed_.push_back(*placed);
        placed_.back().path = path;
    }
    // The register holds something else from here on.
    void forget_places(std::int32_t reg) {
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
    std::array<Path, 3> stored_{};  // by memory: shared, local, elsewhere
    std::vector<Placed> placed_;    // stores elsewhere that are not in it
    Path longest_, before_;
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

}  // namespace

void add_work(const FunctionCode& code, machine::Program& program) {
    constexpr unsigned kRounds = 3;
    // What is under way matters near the load alone; very long code is looked at block by block.
    constexpr std::size_t kManyBlocks = 4096;
    std::vector<BlockWalk::Pending> behind(code.blocks.size());
    std::vector<machine::BlockWork> works(code.blocks.size());
    const bool follow = code.blocks.size() <= kManyBlocks;
    for (unsigned round = 0; round < (follow ? kRounds : 1); ++round) {
        std::unique_ptr<BlockWalk> before;
        for (std::uint32_t block = 0; block < code.blocks.size(); ++block) {
            auto walk = std::make_unique<BlockWalk>(
                code, block, follow ? pending_at(code, block, behind, round != 0) : BlockWalk::Pending{},
                continues(code, block) ? before.get() : nullptr);
            if (follow) behind[block] = walk->pending();
            works[block] = walk->work();
            before = std::move(walk);
        }
    }
    program.work.insert(program.work.end(), works.begin(), works.end());
}

}  // namespace tilescope::isa
