#include "scope/isa/assembler/work.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "scope/isa/assembler/block_walk.h"
#include "scope/isa/assembler/folded.h"
#include "scope/isa/assembler/places.h"
#include "scope/isa/assembler/unroll_loops.h"
#include "scope/isa/lower/meeting.h"

namespace tilescope::isa {
namespace {

using machine::BlockWork;

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
    if (only_meets_before(code, block) || is_conditional(code, block)) return true;
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
          folds_(folded_instructions(code)),
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
                auto walk =
                    std::make_unique<BlockWalk>(code_, folds_, block, pending_at(block),
                                                continues(code_, block) ? before.get() : nullptr, goes_on(block));
                behind_[block] = walk->pending();
                works_[block] = walk->work();
                before = std::move(walk);
            }
        }
        if (code_.text->is_entry && !works_.empty()) works_.front().instructions += kAtEntry;
        program.work.insert(program.work.end(), works_.begin(), works_.end());
    }

private:
    static constexpr unsigned kRounds = 3;
    // Every kernel of ptxas 13.0 begins with reading where its stack and what describes its memory are.
    static constexpr float kAtEntry = 2;
    // What is under way matters near the load alone; very long code is looked at block by block.
    static constexpr std::size_t kManyBlocks = 4096;

    struct Repeated {
        LoopBlocks blocks;
        TurnsTogether together;
    };

    BlockWalk::Pending pending_at(std::uint32_t block) const {
        return follow_ ? isa::pending_at(code_, block, behind_, round_ != 0) : BlockWalk::Pending{};
    }

    bool goes_on(std::uint32_t block) const {
        return block + 1 < code_.blocks.size() && only_meets_before(code_, block + 1);
    }

    // The average turn.
    std::unique_ptr<BlockWalk> walk_turns(const Repeated& loop) {
        const auto [first, last, jump] = loop.blocks;
        for (std::uint32_t block = first; block <= jump.value_or(last); ++block) works_[block] = {};
        std::unique_ptr<BlockWalk> before;
        for (std::uint32_t turn = 0; turn < loop.together.turns; ++turn) {
            const Turn here{&loop.together, code_.instructions[code_.blocks[last].instructions.back()].guard,
                            turn + 1 == loop.together.turns, loop.together.all_turns};
            for (std::uint32_t block = first; block <= last; ++block) {
                auto walk = std::make_unique<BlockWalk>(code_, folds_, block,
                                                        before != nullptr ? before->pending() : pending_at(block),
                                                        before.get(), block != last && goes_on(block), &here);
                add(works_[block], walk->work());
                behind_[block] = walk->pending();
                before = std::move(walk);
            }
        }
        for (std::uint32_t block = first; block <= last; ++block)
            divide(works_[block], static_cast<float>(loop.together.turns));
        for (std::uint32_t block = first; block <= jump.value_or(last); ++block) {
            works_[block].turns_together = loop.together.turns;
            works_[block].may_leave_turns = !loop.together.is_known;
            works_[block].behind_first = block - first;
        }
        if (jump) behind_[*jump] = behind_[last];
        return before;
    }

    static void add(BlockWork& to, const BlockWork& more) {
        to.PipeWork::add(more);
        to.handed_over += more.handed_over;
    }
    static void divide(BlockWork& work, float by) {
        work.for_each([by](float& number) { number /= by; });
        work.handed_over /= by;
    }

    const FunctionCode& code_;
    const std::vector<Fold> folds_;
    const bool follow_;
    unsigned round_ = 0;
    std::vector<BlockWalk::Pending> behind_;
    std::vector<BlockWork> works_;
    std::map<std::uint32_t, Repeated> loops_;  // by first block
};

}  // namespace

void add_work(const FunctionCode& code, machine::Program& program) { WorkOf(code).append_to(program); }

}  // namespace tilescope::isa
