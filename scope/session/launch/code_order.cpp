#include "scope/session/launch/code_order.h"

#include <algorithm>
#include <vector>

namespace tilescope {
namespace {

using machine::Program;
using machine::SourcePlace;

std::uint32_t block_of(const Program& program, std::uint32_t op) {
    const auto behind = std::upper_bound(program.blocks.begin(), program.blocks.end(), op,
                                         [](std::uint32_t at, const auto& block) { return at < block.first; });
    return behind == program.blocks.begin() ? 0 : static_cast<std::uint32_t>(behind - program.blocks.begin()) - 1;
}

// The blocks of the function that holds one, [first, second). Functions lie one behind the other.
std::pair<std::uint32_t, std::uint32_t> blocks_of_function(const Program& program, std::uint32_t block) {
    std::pair<std::uint32_t, std::uint32_t> blocks{0, static_cast<std::uint32_t>(program.blocks.size())};
    for (const machine::Function& function : program.functions)
        if (function.entry <= block)
            blocks.first = std::max(blocks.first, function.entry);
        else
            blocks.second = std::min(blocks.second, function.entry);
    return blocks;
}

bool is_same(const SourcePlace& one, const SourcePlace& other) {
    return one.file == other.file && one.line == other.line;
}

// Where its source is not known, its line in the PTX.
SourcePlace source_place_of(const machine::OpFacts& facts) {
    constexpr std::uint32_t kNoFile = ~0u;
    return facts.place.line != 0 ? facts.place : SourcePlace{kNoFile, facts.text_line};
}

// Whether an op of that line stands in a range.
bool any_of_line(const Program& program, const SourcePlace& place, std::uint32_t begin, std::uint32_t end) {
    const auto from = program.facts.begin() + begin, to = program.facts.begin() + end;
    return std::any_of(from, to, [&](const machine::OpFacts& facts) {
        return facts.memory != Counter::kCount && is_same(source_place_of(facts), place);
    });
}

// A function's blocks and where they lead, whatever the order in which they lie.
class Flow {
public:
    Flow(const Program& program, std::uint32_t entry, std::uint32_t end) : program_(program), entry_(entry), end_(end) {
        states_.resize(end - entry);
        backward_.resize(end - entry);
        find_backward();
    }

    Way way(std::uint32_t first, std::uint32_t second) const {
        const std::uint32_t one = block_of(program_, first), other = block_of(program_, second);
        if (one == other && first < second) return Way::kStraight;
        if (is_reached(one, other, kNobody, true, false)) return Way::kStraight;
        return is_reached(one, other, kNobody, true, true) ? Way::kRound : Way::kNone;
    }

private:
    static constexpr std::uint32_t kNobody = ~0u;
    using Visit = std::uint8_t;  // 0: not yet, 1: on the way, 2: done

    template <class Act>
    void each_next(std::uint32_t block, Act act) const {
        const machine::Terminator& end = program_.blocks[block].end;
        const auto to = [&](std::uint32_t target) {
            if (target >= entry_ && target < end_) act(target);
        };
        if (end.kind == machine::TerminatorKind::kBranchIndexed) {
            for (const std::uint32_t target : program_.branch_tables[end.extra].targets) to(target);
            return;
        }
        using machine::TerminatorKind;
        const bool leaves = end.kind == TerminatorKind::kBranch || end.kind == TerminatorKind::kPollBranch ||
                            end.kind == TerminatorKind::kExit || end.kind == TerminatorKind::kReturn ||
                            end.kind == TerminatorKind::kTrap;
        to(end.target);
        if (end.next != end.target && !(leaves && end.op != nullptr && !end.op->guarded)) to(end.next);
    }

    // Edges that lead back to a block that is on the way: those of loops, by target.
    void find_backward() {
        struct Step {
            std::uint32_t block;
            std::vector<std::uint32_t> next;
        };
        std::vector<Step> steps;
        const auto enter = [&](std::uint32_t block) {
            states_[block - entry_] = 1;
            Step step{block, {}};
            each_next(block, [&](std::uint32_t target) { step.next.push_back(target); });
            steps.push_back(std::move(step));
        };
        enter(entry_);
        while (!steps.empty()) {
            Step& step = steps.back();
            if (step.next.empty()) {
                states_[step.block - entry_] = 2;
                steps.pop_back();
                continue;
            }
            const std::uint32_t target = step.next.back();
            step.next.pop_back();
            const Visit state = states_[target - entry_];
            if (state == 1) backward_[step.block - entry_].push_back(target);
            if (state == 0) enter(target);
        }
    }
    bool is_backward(std::uint32_t from, std::uint32_t to) const {
        const auto& targets = backward_[from - entry_];
        return std::find(targets.begin(), targets.end(), to) != targets.end();
    }

    // Whether a way of at least one edge leads there, not through a block that is left out.
    bool is_reached(std::uint32_t from, std::uint32_t to, std::uint32_t without, bool without_barriers,
                    bool with_backward) const {
        std::vector<bool> seen(end_ - entry_);
        std::vector<std::uint32_t> open{from};
        while (!open.empty()) {
            const std::uint32_t block = open.back();
            open.pop_back();
            if (without_barriers && program_.blocks[block].end.kind == machine::TerminatorKind::kBarrier) continue;
            bool is_there = false;
            each_next(block, [&](std::uint32_t target) {
                if (target == without || (!with_backward && is_backward(block, target))) return;
                is_there = is_there || target == to;
                if (seen[target - entry_]) return;
                seen[target - entry_] = true;
                open.push_back(target);
            });
            if (is_there) return true;
        }
        return false;
    }

    const Program& program_;
    std::uint32_t entry_, end_;
    std::vector<Visit> states_;
    std::vector<std::vector<std::uint32_t>> backward_;  // by block: where its edges lead back to
};

}  // namespace

std::pair<std::uint32_t, std::uint32_t> ops_of_function(const Program& program, std::uint32_t op) {
    const auto [entry, end] = blocks_of_function(program, block_of(program, op));
    return {program.blocks[entry].first,
            end < program.blocks.size() ? program.blocks[end].first : static_cast<std::uint32_t>(program.facts.size())};
}

CodeOrder code_order(const Program& program, std::uint32_t first, std::uint32_t second) {
    const auto last = static_cast<std::uint32_t>(program.facts.size()) - 1;
    first = std::min(first, last);
    second = std::min(second, last);
    CodeOrder order;
    const std::uint32_t one = block_of(program, first), other = block_of(program, second);
    const auto [entry, end] = blocks_of_function(program, one);
    order.is_one_function = other >= entry && other < end;
    if (!order.is_one_function) return order;
    constexpr std::uint32_t kMostBlocks = 256;  // of larger functions the ways are not looked for: that takes too long
    if (end - entry <= kMostBlocks) {
        const Flow flow(program, entry, end);
        order.way = flow.way(first, second);
    }
    const std::uint32_t low = std::min(one, other), high = std::max(one, other);
    for (std::uint32_t i = high; i < end; ++i) {
        const machine::Terminator& leaves = program.blocks[i].end;
        const auto goes_back = [&, entry = entry](std::uint32_t target) { return target >= entry && target <= low; };
        order.is_in_one_loop |= goes_back(leaves.target) || goes_back(leaves.next);
    }
    const SourcePlace here = source_place_of(program.facts[first]), there = source_place_of(program.facts[second]);
    if (first < second && !is_same(here, there)) {
        const auto [begin, behind] = ops_of_function(program, first);
        order.is_repeated = any_of_line(program, there, begin, first) || any_of_line(program, here, second + 1, behind);
    }
    const SourcePlace &outer = program.facts[first].outer, &other_outer = program.facts[second].outer;
    const bool is_called = !is_same(outer, other_outer) && outer.line != 0 && other_outer.line != 0;
    const SourcePlace &from = is_called ? outer : here, &to = is_called ? other_outer : there;
    order.is_upwards = from.file == to.file && to.line < from.line;
    return order;
}

}  // namespace tilescope
