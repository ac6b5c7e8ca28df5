// Instructions, branches, barriers and flop: they follow from how often each basic block ran and with how many lanes.
#include "scope/observers/counting.h"

namespace tilescope::observers {
namespace {

void count_op(const machine::OpFacts& facts, std::uint64_t runs, std::uint64_t lanes, CounterSet& counters) {
    counters[Counter::kInstructions] += runs;
    counters[Counter::kThreadInstructions] += lanes;
    if (facts.mix != Counter::kCount) counters[facts.mix] += runs;
    if (facts.memory != Counter::kCount) counters[facts.memory] += runs * facts.memory_times;
    counters.add(facts.operations, lanes);
}

}  // namespace

void count_instructions(const machine::Program& program, const machine::GridResult& result, OpCounters& counters) {
    for (std::size_t b = 0; b < program.blocks.size(); ++b) {
        const machine::BasicBlock& block = program.blocks[b];
        const machine::BlockCount& count = result.counts[b];
        if (count.runs == 0) continue;
        for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
            const machine::OpFacts& facts = program.facts[i];
            count_op(facts, count.runs, facts.guarded ? result.guarded_lanes[facts.site] : count.lanes, counters[i]);
        }
        if (!block.end.op) continue;
        const std::uint32_t end = block.end.op->index;
        // A branch is executed by all active lanes, whichever way they go.
        const machine::OpFacts& facts = program.facts[end];
        const bool narrowed = block.end.kind == machine::TerminatorKind::kYield && facts.guarded;
        count_op(facts, count.runs, narrowed ? result.guarded_lanes[facts.site] : count.lanes, counters[end]);
        switch (block.end.kind) {
            case machine::TerminatorKind::kBranch:
            case machine::TerminatorKind::kPollBranch:
            case machine::TerminatorKind::kBranchIndexed:
                counters[end][Counter::kBranches] += count.runs;
                counters[end][Counter::kDivergentBranches] += count.divergent;
                break;
            case machine::TerminatorKind::kBarrier: counters[end][Counter::kBarriers] += count.runs; break;
            default: break;
        }
    }
}

}  // namespace tilescope::observers
