#include "scope/observers/caches/issues.h"

#include <algorithm>
#include <set>

namespace tilescope::observers {

using machine::AccessKind;

namespace {

// Registers of 64 bits; others take less.
constexpr std::uint32_t kRegisterBytes = 8 * machine::kWarpSize;

// Off the same register, without a byte in common.
bool lie_apart(const machine::Op& one, const machine::Op& other) {
    return one.a == other.a &&
           (one.immediate + one.width <= other.immediate || other.immediate + other.width <= one.immediate);
}

bool writes_address_of(const machine::Op& op, const machine::Op& access) {
    if (op.dst.bank() != access.a.bank()) return false;
    const std::uint32_t from = op.dst.offset(), to = access.a.offset();
    return from < to + kRegisterBytes && to < from + kRegisterBytes;
}

// The last load that comes before the store at `number` in the machine code and behind it here. ptxas does the loads of
// a basic block first, as far as they may not read what a store writes; it knows that of addresses off one register.
std::uint32_t passing(const machine::Program& program, std::uint32_t number, std::uint32_t end) {
    const machine::Op& store = program.ops[number];
    if (store.a.bank() != static_cast<unsigned>(machine::Bank::kRegisters)) return 0;
    std::vector<const machine::Op*> stores = {&store};
    std::uint32_t last = 0;
    for (std::uint32_t i = number + 1; i < end; ++i) {
        const machine::Op& op = program.ops[i];
        const machine::OpFacts& facts = program.facts[i];
        if (facts.order != machine::Order::kWeak) break;
        if (facts.memory == Counter::kGlobalLoadInstructions) {
            if (!std::all_of(stores.begin(), stores.end(), [&](const auto* other) { return lie_apart(op, *other); }))
                break;
            last = i;
        } else if (facts.memory == Counter::kGlobalStoreInstructions) {
            stores.push_back(&op);
        } else if (facts.memory != Counter::kCount && facts.memory != Counter::kSharedLoadInstructions &&
                   facts.memory != Counter::kSharedStoreInstructions) {
            break;
        }
        if (writes_address_of(op, store)) break;
    }
    return last;
}

}  // namespace

std::vector<Issue> issues_of(const machine::Program& program) {
    std::vector<Issue> issues(program.ops.size());
    std::set<std::uint32_t> nowhere;
    for (const machine::Function& function : program.functions) nowhere.insert(function.nowhere().offset());
    for (std::uint32_t b = 0; b < program.blocks.size(); ++b) {
        const machine::BasicBlock& block = program.blocks[b];
        std::vector<std::uint32_t> loaded;
        const auto is_loaded = [&](const machine::Operand& operand) {
            return operand.bank() == static_cast<unsigned>(machine::Bank::kRegisters) &&
                   std::find(loaded.begin(), loaded.end(), operand.offset()) != loaded.end();
        };
        const std::uint32_t end = block.first + block.count + (block.end.op != nullptr ? 1 : 0);
        for (std::uint32_t i = block.first; i < std::min<std::uint32_t>(end, static_cast<std::uint32_t>(issues.size()));
             ++i) {
            const machine::Op& op = program.ops[i];
            const Counter memory = program.facts[i].memory;
            const bool loads = memory == Counter::kGlobalLoadInstructions;
            // A load takes an address alone; its second operand is where it brings things to.
            const bool is_load = memory != Counter::kCount && program.sites[op.site].is_access &&
                                 program.sites[op.site].kind == AccessKind::kLoad;
            const bool takes = is_loaded(op.a) || (!is_load && (is_loaded(op.b) || is_loaded(op.c)));
            issues[i] = {b, block.first, end, takes};
            if (b < program.work.size() && program.work[b].may_leave_turns) {
                issues[i].loop = b - program.work[b].behind_first + 1;
                issues[i].turns = program.work[b].turns_together;
            }
            if (memory == Counter::kGlobalStoreInstructions && program.facts[i].order == machine::Order::kWeak)
                issues[i].passed_by =
                    passing(program, i, std::min<std::uint32_t>(end, static_cast<std::uint32_t>(issues.size())));
            if (op.dst.bank() != static_cast<unsigned>(machine::Bank::kRegisters) ||
                nowhere.count(op.dst.offset()) != 0)
                continue;
            std::erase(loaded, op.dst.offset());  // registers share slots: what was loaded there is no more
            if ((loads || takes) && loaded.size() < 64) loaded.push_back(op.dst.offset());
        }
    }
    return issues;
}

}  // namespace tilescope::observers
