#include "scope/session/launch/spill_plan.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilescope {
namespace {

struct Anchor {
    std::uint32_t op = 0, block = 0;
};

// By line of the PTX, its access or barrier, if no predicate may leave it out.
std::unordered_map<std::uint32_t, Anchor> anchors_of(const machine::Program& program) {
    std::unordered_map<std::uint32_t, Anchor> anchors;
    for (std::uint32_t b = 0; b < program.blocks.size(); ++b) {
        const machine::BasicBlock& block = program.blocks[b];
        const auto take = [&](std::uint32_t op) {
            const machine::OpFacts& facts = program.facts[op];
            if (!facts.guarded && facts.text_line != 0) anchors.try_emplace(facts.text_line, Anchor{op, b});
        };
        for (std::uint32_t i = block.first; i < block.first + block.count; ++i)
            if (program.facts[i].memory != Counter::kCount) take(i);
        if (block.end.op != nullptr && (block.end.kind == machine::TerminatorKind::kBarrier ||
                                        program.facts[block.end.op->index].memory != Counter::kCount))
            take(block.end.op->index);
    }
    return anchors;
}

}  // namespace

std::shared_ptr<const observers::SpillPlan> spill_plan(const image::MachineCode& code, const machine::Program& program,
                                                       std::uint32_t threads, std::uint64_t local_bytes) {
    constexpr std::uint32_t kMaxTurns = 0xffff;
    if (code.spills.empty() || !code.complete) return nullptr;
    const auto anchors = anchors_of(program);
    const std::uint64_t frame = (local_bytes + 3) / 4 * 4;
    auto plan = std::make_shared<observers::SpillPlan>();
    plan->threads = threads;
    std::vector<std::pair<std::uint32_t, observers::SpillAccess>> by_block;
    // Of a turn of a basic block, how far its spills have come.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, bool>> reached;
    for (const image::SpillPlace& spill : code.spills) {
        const auto found = anchors.find(spill.line);
        if (found == anchors.end() || spill.copies > kMaxTurns || code.regions[spill.region].guarded) return nullptr;
        const auto [op, block] = found->second;
        auto& at = reached[{block, spill.copy}];
        at = std::max(at, {op, spill.after});
        observers::SpillAccess access;
        std::tie(access.op, access.after) = at;
        access.turn = static_cast<std::uint16_t>(spill.copy);
        access.of_turns = static_cast<std::uint16_t>(spill.copies);
        access.loads = spill.loads;
        access.words = spill.words;
        access.offset = static_cast<std::uint32_t>(frame + spill.offset);
        plan->local_bytes = std::max(plan->local_bytes, frame + spill.offset + 4 * std::uint64_t{spill.words});
        by_block.emplace_back(block, access);
    }
    std::stable_sort(by_block.begin(), by_block.end(), [](const auto& a, const auto& b) {
        return std::tie(a.first, a.second.op, a.second.after) < std::tie(b.first, b.second.op, b.second.after);
    });
    plan->of_block.reserve(program.blocks.size() + 1);
    for (std::uint32_t b = 0; b <= program.blocks.size(); ++b) {
        const auto first =
            std::find_if(by_block.begin(), by_block.end(), [&](const auto& one) { return one.first >= b; });
        plan->of_block.push_back(static_cast<std::uint32_t>(first - by_block.begin()));
    }
    for (const auto& [block, access] : by_block) plan->accesses.push_back(access);
    return plan;
}

}  // namespace tilescope
