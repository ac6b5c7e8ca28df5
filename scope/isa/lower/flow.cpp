// Step 3: the control-flow graph and where parted lanes meet again.
#include <algorithm>

#include "scope/isa/lower/control_ways.h"
#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {
namespace {

using machine::kNoBlock;

const Instruction* last_of(const FunctionCode& code, const CodeBlock& block) {
    return block.instructions.empty() ? nullptr : &code.instructions[block.instructions.back()];
}

void add_edge(FunctionCode& code, std::uint32_t from, std::uint32_t to) {
    auto& list = code.blocks[from].successors;
    if (std::find(list.begin(), list.end(), to) != list.end()) return;
    list.push_back(to);
    code.blocks[to].predecessors.push_back(from);
}

void connect(FunctionCode& code) {
    const auto count = static_cast<std::uint32_t>(code.blocks.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const Instruction* last = last_of(code, code.blocks[i]);
        const Control control = last ? last->control : Control::kNone;
        const bool leaves = control == Control::kReturn || control == Control::kExit || control == Control::kTrap;
        const bool jumps = control == Control::kBranch || control == Control::kBranchIndexed;
        if (control == Control::kBranch) add_edge(code, i, code.label_blocks[last->label]);
        if (control == Control::kBranchIndexed)
            for (std::uint32_t label : last->labels) add_edge(code, i, code.label_blocks[label]);
        const bool falls = (!leaves && !jumps) || (last && last->guard != kNoRegister);
        const std::uint32_t next = code.blocks[i].next == kNoBlock ? i + 1 : code.blocks[i].next;
        if (falls && next < count) add_edge(code, i, next);
    }
}

// Whether the program cannot go on from a block: it traps, or is what a compiler puts where no thread comes by.
bool is_dead_end(const FunctionCode& code, const CodeBlock& block) {
    const Instruction* last = last_of(code, block);
    if (last == nullptr || last->guard != kNoRegister) return false;
    return last->control == Control::kTrap || (last->control == Control::kExit && block.instructions.size() == 1);
}

// Immediate post-dominators, by the iteration of Cooper, Harvey and Kennedy on the reversed graph. Node `count` is the
// virtual exit. Without dead ends a block that leads to nothing else has kNoBlock.
enum class DeadEnds : bool { kAreExits, kDoNotCount };
std::vector<std::uint32_t> post_dominators(const FunctionCode& code, DeadEnds dead_ends) {
    const auto count = static_cast<std::uint32_t>(code.blocks.size());
    std::vector<std::uint32_t> order, number(count + 1, kNoBlock), dominator(count + 1, kNoBlock);
    std::vector<std::uint32_t> exits;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Instruction* last = last_of(code, code.blocks[i]);
        const bool leaves = last && (last->control == Control::kReturn || last->control == Control::kExit ||
                                     last->control == Control::kTrap);
        if (dead_ends == DeadEnds::kDoNotCount && is_dead_end(code, code.blocks[i])) continue;
        if (code.blocks[i].successors.empty() || leaves) exits.push_back(i);
    }
    // Postorder of the reversed graph from the virtual exit, without recursion.
    std::vector<char> seen(count + 1, 0);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{count, 0}};
    seen[count] = 1;
    while (!stack.empty()) {
        auto& [node, next] = stack.back();
        const auto& into = node == count ? exits : code.blocks[node].predecessors;
        if (next == into.size()) {
            number[node] = static_cast<std::uint32_t>(order.size());
            order.push_back(node);
            stack.pop_back();
        } else if (const std::uint32_t to = into[next++]; !seen[to]) {
            seen[to] = 1;
            stack.push_back({to, 0});
        }
    }
    dominator[count] = count;
    auto meet = [&](std::uint32_t a, std::uint32_t b) {
        while (a != b) {
            while (number[a] < number[b]) a = dominator[a];
            while (number[b] < number[a]) b = dominator[b];
        }
        return a;
    };
    std::vector<char> is_exit(count, 0);
    for (std::uint32_t i : exits) is_exit[i] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t at = order.size() - 1; at-- > 0;) {
            const std::uint32_t node = order[at];
            std::uint32_t best = is_exit[node] ? count : kNoBlock;
            for (std::uint32_t next : code.blocks[node].successors) {
                if (number[next] == kNoBlock || dominator[next] == kNoBlock) continue;
                best = best == kNoBlock ? next : meet(best, next);
            }
            if (best != dominator[node]) {
                dominator[node] = best;
                changed = true;
            }
        }
    }
    return dominator;
}

}  // namespace

ControlWays::ControlWays(const FunctionCode& code)
    : code_(code), meeting_(post_dominators(code, DeadEnds::kDoNotCount)) {
    meeting_.resize(code.blocks.size());
}

std::vector<std::uint32_t> ControlWays::between(std::uint32_t block) const {
    return from(block, meeting_[block], /*with_itself=*/false);
}

std::vector<std::uint32_t> ControlWays::from(std::uint32_t block, std::uint32_t end, bool with_itself) const {
    std::vector<std::uint32_t> found, open{block};
    std::vector<char> seen(code_.blocks.size(), 0);
    if (with_itself) seen[block] = 1, found.push_back(block);
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        for (const std::uint32_t next : code_.blocks[at].successors) {
            if (next == end || seen[next] != 0 || leads_nowhere(next)) continue;
            seen[next] = 1;
            found.push_back(next);
            open.push_back(next);
        }
    }
    return found;
}

bool ControlWays::leaves_loop(std::uint32_t block) const {
    bool stays = false, leaves = false;
    for (const std::uint32_t next : code_.blocks[block].successors) {
        if (leads_nowhere(next)) continue;
        const std::vector<std::uint32_t> behind = from(next, machine::kNoBlock, true);
        const bool comes_round = std::find(behind.begin(), behind.end(), block) != behind.end();
        (comes_round ? stays : leaves) = true;
    }
    return stays && leaves;
}

void Lowering::lower_flow(FunctionCode& code) {
    // A label at the very end, or code that falls off it: the function returns there.
    if (code.blocks.empty()) code.blocks.emplace_back();
    const Instruction* last = last_of(code, code.blocks.back());
    const bool ends =
        last && last->guard == kNoRegister &&
        (last->control == Control::kReturn || last->control == Control::kExit || last->control == Control::kTrap ||
         last->control == Control::kBranch || last->control == Control::kBranchIndexed);
    if (!ends) {
        // Never destroyed: a program's exit handlers may launch.
        static const auto* const kNoText = new ptx::Instruction;
        Instruction instruction;
        instruction.text = kNoText;
        instruction.chosen = &rows_.plain(Control::kReturn);
        instruction.control = Control::kReturn;
        if (last && last->control != Control::kNone) code.blocks.emplace_back();
        code.blocks.back().instructions.push_back(static_cast<std::uint32_t>(code.instructions.size()));
        code.instructions.push_back(std::move(instruction));
    }
    connect(code);
    const std::vector<std::uint32_t> dominators = post_dominators(code, DeadEnds::kAreExits);
    for (std::size_t i = 0; i < code.blocks.size(); ++i)
        code.blocks[i].reconvergence = dominators[i] < code.blocks.size() ? dominators[i] : kNoBlock;
}

}  // namespace tilescope::isa
