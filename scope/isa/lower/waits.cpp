// Which loops may wait for another block: those whose way out hangs on what other threads write to global memory.
//
// Found by data flow over each loop's registers: a branch whose guard follows from a load that asks memory anew
// (volatile, relaxed, acquire, past the first level of cache) or from an atomic in the same loop, through any
// instructions, calls and memory of the thread's own. Plain loads, which compilers take out of loops, count where they
// alone decide: at addresses that stay, in a loop that changes nothing. Says yes too often rather than too rarely: a
// loop that retries an atomic may wait, too, and nothing is lost by that but the order of its blocks.
#include <algorithm>

#include "scope/isa/lower/loops.h"
#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {
namespace {

bool is_explicit(const Instruction& instruction, std::initializer_list<std::string_view> spaces) {
    return instruction.chosen->form.one_of(spaces) != "";
}

bool is_thread_or_block_memory(const Instruction& instruction) {
    return is_explicit(instruction, {"shared", "shared::cta", "local", "param", "param::entry", "param::func"});
}

bool accesses(const Instruction& instruction) {
    return !instruction.dead && instruction.chosen->row->kind == Class::kMemory;
}

bool has_result(const Instruction& instruction) {
    bool any = false;
    for_each_result(instruction, [&](std::int32_t) { any = true; });
    return any;
}

// A way on that is chosen by the instruction's guard or index.
bool decides(const Instruction& instruction) {
    switch (instruction.control) {
        case Control::kBranch:
        case Control::kReturn:
        case Control::kExit:
        case Control::kTrap: return instruction.guard != kNoRegister;
        case Control::kBranchIndexed: return true;
        default: return false;
    }
}

class LoopWaits {
public:
    // `reads_others`: by function of the program, whether it does, itself or through what it calls.
    LoopWaits(Lowering& lowering, const FunctionCode& code, const std::vector<char>& reads_others)
        : lowering_(lowering), code_(code), reads_others_(reads_others) {}

    // The blocks at whose end it is decided, by what others write, whether the loop goes on.
    std::vector<std::uint32_t> deciding_blocks(const Loop& loop) {
        std::vector<std::uint32_t> found;
        bool reads = false, loads = false, writes = false;
        for_each(loop, [&](const Instruction& instruction, std::uint32_t) {
            reads |= instruction.reads_others || call_reads_others(instruction);
            const bool stores = accesses(instruction) && !has_result(instruction);
            const bool meets = instruction.control == Control::kBarrier || instruction.control == Control::kCall;
            writes |= meets || stores;
            loads |= accesses(instruction) && !stores;
        });
        if (!(reads && follow(loop)) && !(loads && !writes && !reads && waits_by_plain_loads(loop))) return found;
        for_each(loop, [&](const Instruction& instruction, std::uint32_t block) {
            if (!decides(instruction)) return;
            bool depends = false;
            for_each_read(instruction, [&](std::int32_t reg, bool) { depends |= marked_[reg] != 0; });
            if (depends && (found.empty() || found.back() != block)) found.push_back(block);
        });
        return found;
    }

private:
    template <class Visit>
    void for_each(const Loop& loop, Visit visit) const {
        for (const std::uint32_t block : loop.blocks)
            for (const std::uint32_t index : code_.blocks[block].instructions)
                if (!code_.instructions[index].dead) visit(code_.instructions[index], block);
    }

    bool call_reads_others(const Instruction& instruction) {
        if (instruction.control != Control::kCall) return false;
        const OpenCall& call = code_.calls[instruction.call];
        if (call.callee.empty())  // through a pointer: to any function
            return std::find(reads_others_.begin(), reads_others_.end(), 1) != reads_others_.end();
        const auto callee = lowering_.function(call.callee);
        return callee && reads_others_[*callee] != 0;
    }

    // Marks all registers of the loop that follow from what others write. False when none does.
    bool follow(const Loop& loop) {
        marked_.assign(code_.registers.size(), 0);
        bool any = false, own_memory = false, global_memory = false;
        for (bool changed = true; changed;) {
            changed = false;
            for_each(loop, [&](const Instruction& instruction, std::uint32_t) {
                const bool calls = call_reads_others(instruction);
                bool is_marked = instruction.reads_others || calls, by_value = false;
                for_each_read(instruction, [&](std::int32_t reg, bool is_address) {
                    is_marked |= marked_[reg] != 0;
                    by_value |= marked_[reg] != 0 && !is_address;
                });
                if (accesses(instruction)) {
                    const bool is_global = is_explicit(instruction, {"global"});
                    const bool is_own = is_thread_or_block_memory(instruction);
                    if (has_result(instruction)) {
                        is_marked |= (!is_global && own_memory) || (!is_own && global_memory);
                    } else if (by_value) {
                        changed |= (!is_global && !own_memory) || (!is_own && !global_memory);
                        own_memory |= !is_global;
                        global_memory |= !is_own;
                    }
                }
                if (calls && !own_memory) changed = own_memory = true;  // it may write through a pointer
                if (!is_marked) return;
                any = true;
                for_each_result(instruction, [&](std::int32_t reg) {
                    changed |= marked_[reg] == 0;
                    marked_[reg] = 1;
                });
            });
        }
        return any;
    }

    // Whether plain loads at fixed places are all that any way out hangs on, in a loop that writes nothing. Marks what
    // follows from them.
    bool waits_by_plain_loads(const Loop& loop) {
        marked_.assign(code_.registers.size(), 0);
        std::vector<unsigned> definitions(code_.registers.size(), 0);
        for_each(loop, [&](const Instruction& instruction, std::uint32_t) {
            for_each_result(instruction, [&](std::int32_t reg) { ++definitions[reg]; });
        });
        const std::vector<char> known = settle(loop, definitions);
        bool any = false, others = false;
        for_each(loop, [&](const Instruction& instruction, std::uint32_t) {
            if (!decides(instruction)) return;
            for_each_read(instruction, [&](std::int32_t reg, bool) {
                any |= known[reg] && marked_[reg];
                others |= !known[reg];
            });
        });
        return any && !others;
    }

    // By register: whether it only changes when memory does. Those that are defined outside the loop stay.
    std::vector<char> settle(const Loop& loop, const std::vector<unsigned>& definitions) {
        std::vector<char> known(code_.registers.size());
        for (std::size_t reg = 0; reg < known.size(); ++reg) known[reg] = definitions[reg] == 0;
        for (bool changed = true; changed;) {
            changed = false;
            for_each(loop, [&](const Instruction& instruction, std::uint32_t) {
                // What the machine makes up itself (a clock) changes by nothing that is read.
                bool settled = instruction.chosen->row->syntax.front() != '%', loaded = false;
                for_each_read(instruction, [&](std::int32_t reg, bool) {
                    settled = settled && known[reg];
                    loaded |= marked_[reg] != 0;
                });
                loaded |= accesses(instruction) && !is_thread_or_block_memory(instruction) &&
                          !is_explicit(instruction, {"const"});
                if (!settled) return;
                for_each_result(instruction, [&](std::int32_t reg) {
                    if (known[reg] || definitions[reg] != 1) return;
                    known[reg] = changed = true;
                    marked_[reg] = loaded ? 1 : 0;
                });
            });
        }
        return known;
    }

    Lowering& lowering_;
    const FunctionCode& code_;
    const std::vector<char>& reads_others_;
    std::vector<char> marked_;  // by register
};

}  // namespace

void Lowering::find_waits() {
    std::vector<char> reads_others(functions_.size(), 0);
    for (bool changed = true; changed;) {
        changed = false;
        // Callees stand behind the function that was first to name them.
        for (auto at = functions_.rbegin(); at != functions_.rend(); ++at) {
            const auto& code = *at;
            if (reads_others[code->index]) continue;
            bool reads = std::any_of(code->instructions.begin(), code->instructions.end(),
                                     [](const Instruction& instruction) { return instruction.reads_others; });
            for (const OpenCall& call : code->calls) {
                const auto callee = call.callee.empty() ? std::nullopt : function(call.callee);
                reads |= callee && reads_others[*callee];
            }
            reads_others[code->index] = reads ? 1 : 0;
            changed |= reads;
        }
    }
    for (const auto& code : functions_) {
        std::vector<Loop> loops = find_loops(*code);
        LoopWaits waits(*this, *code, reads_others);
        std::vector<char> is_found(code->blocks.size(), 0);
        // Inner loops first: what decides about them says nothing about those around.
        for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
            bool is_wait = false;
            for (const std::uint32_t block : waits.deciding_blocks(*loop)) {
                is_wait |= !is_found[block];
                is_found[block] = 1;
            }
            if (!is_wait) continue;
            program_->may_wait = true;
            for (const std::uint32_t block : loop->blocks) {
                machine::Terminator& end = program_->blocks[code->first_block + block].end;
                const bool back = std::find(loop->headers.begin(), loop->headers.end(),
                                            end.target - code->first_block) != loop->headers.end();
                if (end.kind == machine::TerminatorKind::kBranch && back)
                    end.kind = machine::TerminatorKind::kPollBranch;
            }
        }
    }
}

}  // namespace tilescope::isa
