// The conditions that keep threads from accesses to memory, and programs that run without some of them.
//
// A check is a branch, or an instruction of its own, behind a predicate that compares an index with something: the
// thread's place in the grid by "less" and its kin, or by any comparison what the guarded addresses are made of. Which
// of a branch's ways it guards follows from where accesses are before both ways meet again. Without it the branch goes
// that way for all threads. Does not model: clamped indices (min, selected addresses), which no branch guards.
#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "scope/isa/lower/control_ways.h"
#include "scope/isa/lower/loops.h"
#include "scope/isa/lower/lowering.h"
#include "scope/isa/lower/source_credit.h"
#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

using machine::BoundsCheck;
using machine::BoundsCheckKind;
using machine::FlowFunction;
using machine::kNoBlock;
using machine::Space;

// A place of the source with its column; line 0: not known.
using FinePlace = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

bool is_memory_access(const Instruction& instruction) {
    if (instruction.dead || instruction.chosen == nullptr) return false;
    const Action action = instruction.chosen->row->effect.action;
    const bool accesses = action == Action::kLoad || action == Action::kStore || action == Action::kAtomic ||
                          action == Action::kReduction || action == Action::kCopy;
    return accesses && instruction.chosen->form.one_of({"param", "param::entry", "param::func", "const"}).empty();
}

bool is_of_global(const Instruction& instruction) {
    const Space space = space_of(instruction.chosen->form);
    return space == Space::kGlobal || space == Space::kGeneric;
}

bool leaves(const Instruction& instruction) {
    return instruction.control == Control::kReturn || instruction.control == Control::kExit;
}

struct GuardedAccesses {
    std::uint32_t all = 0, global = 0;
    std::vector<std::uint32_t> blocks;
};

class BoundsChecks {
public:
    // The code has its blocks, edges and where these meet again.
    BoundsChecks(Lowering& lowering, FunctionCode& code)
        : lowering_(lowering),
          code_(code),
          of_block_(place_registers(code, lowering.program(), PlaceWithin::kBlock)),
          of_grid_(place_registers(code, lowering.program(), PlaceWithin::kGrid)),
          varying_(varying_registers(code)),
          writers_(writers_of_registers(code)),
          loops_(find_loops(code)),
          lines_(credit_lines(code.text->locs, lowering.request().module->files)) {}

    void run() {
        find_loop_ends();
        find_conditional_barriers();
        std::vector<Found> found;
        for (std::uint32_t block = 0; block < code_.blocks.size(); ++block)
            for (const std::uint32_t index : code_.blocks[block].instructions)
                if (auto one = look_at(block, index)) found.push_back(std::move(*one));
        std::map<std::pair<std::string, std::uint32_t>, BoundsCheck> by_line;
        for (const Found& one : found) {
            BoundsCheck& check =
                by_line.try_emplace({one.file, one.line}, BoundsCheck{one.file, one.line, one.kind}).first->second;
            check.accesses += one.accesses;
            // What cannot go alone cannot go with others of its line; what guards counts more than what chooses.
            if (one.kind == BoundsCheckKind::kEndsLoop || check.kind == BoundsCheckKind::kEitherWay)
                check.kind = one.kind;
        }
        const auto& is_without = lowering_.request().is_without;
        for (auto& [place, check] : by_line)
            check.is_out =
                check.kind == BoundsCheckKind::kGuards && is_without && is_without(place.first, place.second);
        for (const Found& one : found)
            if (one.kind == BoundsCheckKind::kGuards && by_line.at({one.file, one.line}).is_out) take_out(one);
        keep(by_line);
    }

private:
    struct Found {
        std::uint32_t block = 0, instruction = 0;
        bool keeps_guarded_way = false;  // the guard goes and the instruction stays; otherwise it goes, too
        BoundsCheckKind kind = BoundsCheckKind::kGuards;
        std::uint32_t accesses = 0;
        std::string file;
        std::uint32_t line = 0;
    };

    const CreditedLine* credited(const Instruction& instruction) const {
        const std::int32_t loc = instruction.text->loc;
        if (loc < 0 || lines_[static_cast<std::size_t>(loc)].line == 0) return nullptr;
        return &lines_[static_cast<std::size_t>(loc)];
    }

    FinePlace fine_place(const Instruction& instruction) const {
        const CreditedLine* line = credited(instruction);
        if (line == nullptr) return {0, 0, 0};
        return {line->file, line->line, code_.text->locs[static_cast<std::size_t>(instruction.text->loc)].column};
    }

    // Branches by which a loop ends, where no other way leads out of it.
    void find_loop_ends() {
        for (const Loop& loop : loops_) {
            std::vector<std::uint32_t> ends;
            for (const std::uint32_t block : loop.blocks) {
                const auto& ways = code_.blocks[block].successors;
                if (!std::all_of(ways.begin(), ways.end(), [&](std::uint32_t to) { return is_in(loop, to); }) ||
                    leaves_by_guard(block))
                    ends.push_back(block);
            }
            if (ends.size() != 1) continue;
            only_ends_.insert(ends.front());
            if (const auto& list = code_.blocks[ends.front()].instructions; !list.empty())
                loop_places_.insert(fine_place(code_.instructions[list.back()]));
        }
        loop_places_.erase({0, 0, 0});
    }

    static bool is_in(const Loop& loop, std::uint32_t block) {
        return std::binary_search(loop.blocks.begin(), loop.blocks.end(), block);
    }

    bool leaves_by_guard(std::uint32_t block) const {
        const auto& list = code_.blocks[block].instructions;
        return !list.empty() && leaves(code_.instructions[list.back()]);
    }

    // The comparisons that a predicate is made of.
    std::vector<std::uint32_t> comparisons_of(std::int32_t predicate) const {
        std::vector<std::uint32_t> found;
        std::set<std::uint32_t> seen;
        std::vector<std::int32_t> open{predicate};
        while (!open.empty()) {
            const std::int32_t at = open.back();
            open.pop_back();
            for (const std::uint32_t writer : writers_[static_cast<std::size_t>(at)]) {
                if (!seen.insert(writer).second) continue;
                const Instruction& instruction = code_.instructions[writer];
                if (instruction.chosen == nullptr || instruction.control != Control::kNone) continue;
                if (instruction.chosen->row->effect.function == FlowFunction::kCompare) found.push_back(writer);
                for_each_source(instruction, [&](std::int32_t reg) {
                    if (code_.registers[static_cast<std::size_t>(reg)].bytes == 0) open.push_back(reg);
                });
            }
        }
        return found;
    }

    // Registers that addresses of accesses in these blocks are made of, but for what loads bring.
    std::vector<char> address_registers(const std::vector<std::uint32_t>& blocks) const {
        std::vector<char> is_part(code_.registers.size(), 0);
        std::vector<std::int32_t> open;
        const auto add = [&](std::int32_t reg) {
            if (is_part[static_cast<std::size_t>(reg)] != 0) return;
            is_part[static_cast<std::size_t>(reg)] = 1;
            open.push_back(reg);
        };
        for (const std::uint32_t block : blocks)
            for (const std::uint32_t index : code_.blocks[block].instructions)
                if (is_memory_access(code_.instructions[index]))
                    for_each_read(code_.instructions[index], [&](std::int32_t reg, bool is_address) {
                        if (is_address) add(reg);
                    });
        while (!open.empty()) {
            const auto reg = static_cast<std::size_t>(open.back());
            open.pop_back();
            for (const std::uint32_t writer : writers_[reg]) {
                const Instruction& instruction = code_.instructions[writer];
                if (instruction.chosen != nullptr && instruction.chosen->row->effect.action == Action::kNone)
                    for_each_source(instruction, add);
            }
        }
        return is_part;
    }

    bool compares_index(std::int32_t predicate, const std::vector<std::uint32_t>& blocks) const {
        std::optional<std::vector<char>> parts;
        for (const std::uint32_t index : comparisons_of(predicate)) {
            const Instruction& comparison = code_.instructions[index];
            const Form& form = comparison.chosen->form;
            if (is_float(form.type(0))) continue;
            bool is_of_grid = false;
            for_each_source(comparison,
                            [&](std::int32_t reg) { is_of_grid |= of_grid_[static_cast<std::size_t>(reg)] != 0; });
            if (is_of_grid && form.one_of({"eq", "ne"}).empty()) return true;
            if (!parts) parts = address_registers(blocks);
            bool is_part = false;
            for_each_source(comparison, [&](std::int32_t reg) {
                const bool is_value = code_.registers[static_cast<std::size_t>(reg)].bytes != 0;
                is_part |= is_value && (*parts)[static_cast<std::size_t>(reg)] != 0 && varies(reg);
            });
            if (is_part) return true;
        }
        return false;
    }

    // Differs by thread or came from memory; not what is only the same parameter or counter.
    bool varies(std::int32_t reg) const { return varying_[static_cast<std::size_t>(reg)] != 0; }

    // Whether which way a branch goes follows from the thread's place in its block, and from nothing that may be the
    // same for all of a block: then that may have decided.
    bool splits_block(std::int32_t predicate) const {
        const std::vector<std::uint32_t> comparisons = comparisons_of(predicate);
        return !comparisons.empty() && std::all_of(comparisons.begin(), comparisons.end(), [&](std::uint32_t index) {
            bool is_of_block = false;
            for_each_source(code_.instructions[index],
                            [&](std::int32_t reg) { is_of_block |= of_block_[static_cast<std::size_t>(reg)] != 0; });
            return is_of_block;
        });
    }

    // Barriers that one way of such a branch leads to, and the other does not.
    void find_conditional_barriers() {
        std::set<std::uint32_t> told;
        const ControlWays ways(code_);
        for (std::uint32_t block = 0; block < code_.blocks.size(); ++block) {
            const CodeBlock& here = code_.blocks[block];
            if (here.instructions.empty()) continue;
            const Instruction& last = code_.instructions[here.instructions.back()];
            const bool branches = last.control == Control::kBranch || leaves(last);
            if (!branches || last.guard == kNoRegister || !splits_block(last.guard)) continue;
            // A failed assertion, or the missing case of a switch that has all, is no way past a barrier.
            const auto& targets = here.successors;
            if (std::any_of(targets.begin(), targets.end(), [&](std::uint32_t to) { return ways.leads_nowhere(to); }))
                continue;
            std::set<std::uint32_t> taken, other;
            if (last.control == Control::kBranch)
                add_barriers(code_.label_blocks[last.label], here.reconvergence, block, taken);
            const std::uint32_t next = here.next == kNoBlock ? block + 1 : here.next;
            if (next < code_.blocks.size()) add_barriers(next, here.reconvergence, block, other);
            for (const auto& [one, rest] : {std::pair(&taken, &other), std::pair(&other, &taken)})
                for (const std::uint32_t barrier : *one)
                    if (!rest->contains(barrier) && told.insert(barrier).second)
                        code_.conditional_barriers.emplace_back(barrier, here.instructions.back());
        }
    }

    void add_barriers(std::uint32_t start, std::uint32_t meeting, std::uint32_t branch,
                      std::set<std::uint32_t>& into) const {
        for (const std::uint32_t block : accesses_from(start, meeting, branch).blocks)
            for (const std::uint32_t index : code_.blocks[block].instructions)
                if (code_.instructions[index].control == Control::kBarrier) into.insert(index);
    }

    // What lies on the way from a block on, before `meeting`.
    GuardedAccesses accesses_from(std::uint32_t start, std::uint32_t meeting, std::uint32_t branch) const {
        GuardedAccesses found;
        std::set<std::uint32_t> seen{branch};
        std::vector<std::uint32_t> open{start};
        while (!open.empty()) {
            const std::uint32_t block = open.back();
            open.pop_back();
            if (block == meeting || !seen.insert(block).second) continue;
            found.blocks.push_back(block);
            for (const std::uint32_t index : code_.blocks[block].instructions) count(index, found);
            for (const std::uint32_t to : code_.blocks[block].successors) open.push_back(to);
        }
        return found;
    }

    void count(std::uint32_t index, GuardedAccesses& found) const {
        const Instruction& instruction = code_.instructions[index];
        if (instruction.control == Control::kCall) {
            const ptx::Function* callee = lowering_.function_text(code_.calls[instruction.call].callee);
            const bool may_access = callee == nullptr || callee->body.has_value();
            found.all += may_access ? 1 : 0;
            found.global += may_access ? 1 : 0;
        } else if (is_memory_access(instruction)) {
            ++found.all;
            found.global += is_of_global(instruction) ? 1 : 0;
        }
    }

    std::optional<Found> look_at(std::uint32_t block, std::uint32_t index) const {
        const Instruction& instruction = code_.instructions[index];
        if (instruction.guard == kNoRegister) return std::nullopt;
        Found found;
        found.block = block;
        found.instruction = index;
        GuardedAccesses guarded;
        if (instruction.control == Control::kBranch || leaves(instruction)) {
            const std::uint32_t next = code_.blocks[block].next == kNoBlock ? block + 1 : code_.blocks[block].next;
            const std::uint32_t meeting = code_.blocks[block].reconvergence;
            GuardedAccesses taken, other;
            if (instruction.control == Control::kBranch)
                taken = accesses_from(code_.label_blocks[instruction.label], meeting, block);
            if (next < code_.blocks.size()) other = accesses_from(next, meeting, block);
            const bool by_all = taken.all == 0 || other.all == 0;
            const bool only_taken = by_all ? taken.all != 0 : other.global == 0 && taken.global != 0;
            const bool only_other = by_all ? other.all != 0 : taken.global == 0 && other.global != 0;
            if (taken.all == 0 && other.all == 0) return std::nullopt;
            if (!only_taken && !only_other) found.kind = BoundsCheckKind::kEitherWay;
            found.keeps_guarded_way = only_taken;
            guarded = only_other ? other : taken;
            if (found.kind == BoundsCheckKind::kEitherWay)
                guarded.blocks.insert(guarded.blocks.end(), other.blocks.begin(), other.blocks.end());
        } else if (is_memory_access(instruction)) {
            found.keeps_guarded_way = true;
            guarded = {1, 1, {block}};
        } else {
            return std::nullopt;
        }
        if (!compares_index(instruction.guard, guarded.blocks)) return std::nullopt;
        found.accesses = guarded.all;
        place(instruction, guarded, found);
        if (only_ends_.contains(block) || loop_places_.contains(fine_place(instruction)))
            found.kind = BoundsCheckKind::kEndsLoop;
        return found;
    }

    // Its line, that of what it compares or guards, or that of the PTX.
    void place(const Instruction& instruction, const GuardedAccesses& guarded, Found& found) const {
        const CreditedLine* line = credited(instruction);
        for (const std::uint32_t index : comparisons_of(instruction.guard))
            if (line == nullptr) line = credited(code_.instructions[index]);
        for (const std::uint32_t block : guarded.blocks)
            for (const std::uint32_t index : code_.blocks[block].instructions)
                if (line == nullptr && is_memory_access(code_.instructions[index]))
                    line = credited(code_.instructions[index]);
        if (line != nullptr) {
            found.file = lowering_.program().files[lowering_.file_of(line->file)];
            found.line = line->line;
        } else {
            found.file = lowering_.request().module->name;
            found.line = instruction.text->position.line;
        }
    }

    void take_out(const Found& found) {
        Instruction& instruction = code_.instructions[found.instruction];
        if (found.keeps_guarded_way) {
            instruction.guard = kNoRegister;
            instruction.guard_negated = false;
        } else {
            std::erase(code_.blocks[found.block].instructions, found.instruction);
        }
    }

    // Of all functions, a line once.
    void keep(const std::map<std::pair<std::string, std::uint32_t>, BoundsCheck>& by_line) {
        std::vector<BoundsCheck>& list = lowering_.program().bounds_checks;
        for (const auto& each : by_line) {
            const BoundsCheck& check = each.second;
            const auto known = std::find_if(list.begin(), list.end(), [&](const BoundsCheck& one) {
                return one.file == check.file && one.line == check.line;
            });
            if (known == list.end())
                list.push_back(check);
            else
                known->accesses += check.accesses;
        }
    }

    Lowering& lowering_;
    FunctionCode& code_;
    std::vector<char> of_block_, of_grid_, varying_;  // by register: place_registers(), varying_registers()
    std::vector<std::vector<std::uint32_t>> writers_;
    std::vector<Loop> loops_;
    std::vector<CreditedLine> lines_;    // by .loc
    std::set<std::uint32_t> only_ends_;  // blocks by whose branch alone a loop ends
    std::set<FinePlace> loop_places_;    // where these branches stand
};

}  // namespace

void Lowering::lower_checks(FunctionCode& code) {
    lower_flow(code);
    BoundsChecks(*this, code).run();
    // The edges are made anew from what is left.
    for (CodeBlock& block : code.blocks) {
        block.successors.clear();
        block.predecessors.clear();
        block.reconvergence = kNoBlock;
    }
}

}  // namespace tilescope::isa
