#include "scope/observers/hierarchy/record/issues.h"

#include <algorithm>

namespace tilescope::observers {

namespace {

// Registers of 64 bits; others take less.
constexpr std::uint32_t kRegisterBytes = 8 * machine::kWarpSize;  // geometry: of 64 bits

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

std::vector<Issue> issues_of(const machine::Program& program, const std::vector<machine::WarpClock>& paces) {
    std::vector<Issue> issues(program.ops.size());
    for (std::uint32_t b = 0; b < program.blocks.size(); ++b) {
        const machine::BasicBlock& block = program.blocks[b];
        const std::uint32_t end = block.first + block.count + (block.end.op != nullptr ? 1 : 0);
        for (std::uint32_t i = block.first; i < std::min<std::uint32_t>(end, static_cast<std::uint32_t>(issues.size()));
             ++i) {
            issues[i] = {b, block.first, end, program.facts[i].follows_loads};
            if (b < paces.size()) {
                const std::uint64_t all = end - block.first, left = end - i;
                issues[i].left.slots = paces[b].slots * left / all;
                issues[i].left.chain = paces[b].chain * left / all;
            }
            if (b < program.work.size() && program.work[b].may_leave_turns) {
                issues[i].loop = b - program.work[b].behind_first + 1;
                issues[i].turns = program.work[b].turns_together;
            }
            if (program.facts[i].memory == Counter::kGlobalStoreInstructions &&
                program.facts[i].order == machine::Order::kWeak)
                issues[i].passed_by =
                    passing(program, i, std::min<std::uint32_t>(end, static_cast<std::uint32_t>(issues.size())));
        }
    }
    return issues;
}

}  // namespace tilescope::observers
