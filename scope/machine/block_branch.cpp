// Where lanes part and meet again, and which branches are polls.
#include <string>
#include <utility>
#include <vector>

#include "scope/machine/block.h"

namespace tilescope::machine {
namespace {

// Coming round a polling loop is no more than a poll when the block has run so little since this warp last did, by
// warp.
constexpr std::uint64_t kPollInstructions = 64;

}  // namespace

// A branch back to the head of a loop that waits for others. When all lanes take it time and again with nothing else
// done, the rest of the grid had better run. Lanes that leave the loop one by one get somewhere.
BlockRunner::Next BlockRunner::poll(WarpState& state, Fragment& fragment, const BasicBlock& code) {
    const std::uint32_t lanes = fragment.mask;
    branch(state, fragment, code);
    if (polls_granted_ == 0) return Next::kRuns;
    const std::uint64_t since = worker_.executed - state.polled_at;
    state.polled_at = worker_.executed;
    const bool all_stay = fragment.mask == lanes && fragment.block == code.end.target;
    if (!all_stay) ++poll_exits_;
    state.polls = all_stay && since <= kPollInstructions * warps_.size() ? state.polls + 1 : 0;
    if (state.polls < polls_granted_) return Next::kRuns;
    state.polls = 0;
    return Next::kPolls;
}

// Splits `mask` off the fragment: it goes to `target` in `join`.
void BlockRunner::part(WarpState& state, Fragment& fragment, std::uint32_t mask, std::uint32_t target,
                       std::uint32_t join) {
    Fragment other = fragment;
    other.mask = mask;
    other.block = target;
    other.join = join;
    other.state = FragmentState::kReady;
    Fragment merged;
    if (join != kNoJoin && state.lanes.meeting_block(join) == target && target != kNoBlock)
        state.lanes.arrive(join, mask, merged);  // cannot complete: the rest of the fragment is still expected
    else
        state.lanes.fragments().push_back(other);
}

// The join in which the fragment's parts meet at block `meeting`.
std::uint32_t BlockRunner::join_for(WarpState& state, const Fragment& fragment, std::uint32_t meeting) {
    if (meeting == kNoBlock) return fragment.join;
    if (state.lanes.meeting_block(fragment.join) == meeting && !state.lanes.join(fragment.join).is_call)
        return fragment.join;
    Join join;
    join.parent = fragment.join;
    join.block = meeting;
    join.expected = fragment.mask;
    join.function = fragment.function;
    join.frame = fragment.frame;
    join.local_frame = fragment.local_frame;
    return state.lanes.open(join);
}

bool BlockRunner::branch_indexed(WarpState& state, Fragment& fragment, const BasicBlock& code) {
    const BranchTable& table = program_.branch_tables[code.end.extra];
    const auto* index = state.view.source<std::uint32_t>(table.index);
    const std::uint32_t lanes = guard_lanes(state, fragment, code.end.op);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ways;  // block, mask
    auto add = [&](std::uint32_t block, std::uint32_t mask) {
        for (auto& way : ways)
            if (way.first == block) {
                way.second |= mask;
                return;
            }
        ways.push_back({block, mask});
    };
    if (lanes != fragment.mask) add(code.end.next, fragment.mask & ~lanes);
    for (unsigned i = 0; i < kWarpSize; ++i) {
        if (!(lanes >> i & 1)) continue;
        if (index[i] >= table.targets.size())
            raise(state.view, *code.end.op, FaultKind::kIllegalInstruction, "", i,
                  "an indexed branch has index " + std::to_string(index[i]) + " but " +
                      std::to_string(table.targets.size()) + " targets");
        add(table.targets[index[i]], 1u << i);
    }
    if (ways.size() == 1) {
        fragment.block = ways[0].first;
        return true;
    }
    ++worker_.counts[fragment.block].divergent;
    const std::uint32_t join = join_for(state, fragment, code.end.reconvergence);
    for (std::size_t i = 1; i < ways.size(); ++i) part(state, fragment, ways[i].second, ways[i].first, join);
    fragment.mask = ways[0].second;
    fragment.block = ways[0].first;
    fragment.join = join;
    prepare(state, fragment);
    return true;
}

}  // namespace tilescope::machine
