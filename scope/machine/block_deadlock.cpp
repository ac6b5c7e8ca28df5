// Blocks in which no thread can go on: who waits for whom.
#include <bit>
#include <map>
#include <string>
#include <utility>

#include "scope/base/number_ranges.h"
#include "scope/machine/block.h"
#include "scope/machine/describe.h"

namespace tilescope::machine {
namespace {

constexpr std::size_t kShownGroups = 4;

}  // namespace

// "threads 0-31 wait at barrier 0 in sum.cu:12, which has 32 of 64 threads; ..."; "" when nobody waits.
std::string BlockRunner::who_waits() const {
    struct Group {
        std::string where;
        std::vector<std::uint32_t> threads;
    };
    std::map<std::pair<std::uint32_t, std::string>, Group> groups;  // by op, and the warps that it waits for
    for (const WarpState& state : warps_)
        for (const Fragment& fragment : state.lanes.fragments()) {
            const bool at_barrier = fragment.state == FragmentState::kAtBarrier;
            if (!at_barrier && fragment.state != FragmentState::kAtConverge) continue;
            const BasicBlock& code = program_.blocks[fragment.block];
            const std::string warps = !at_barrier && state.at_group != 0 ? missing_warps(state) : std::string();
            Group& group = groups[{code.end.op->index, warps}];
            const std::string place = place_text(program_, code.end.op->index);
            if (at_barrier) {
                const Barrier& barrier = barriers_[fragment.barrier];
                group.where = "barrier " + std::to_string(fragment.barrier) + " in " + place + ", which has " +
                              std::to_string(barrier.arrived) + " of " +
                              std::to_string(barrier.expected ? barrier.expected : live_) + " threads";
            } else if (!warps.empty()) {
                group.where = place + " for the rest of their warpgroup: " + warps;
            } else {
                group.where = place + " for other lanes named in the member mask";
            }
            for (std::uint32_t i = 0; i < kWarpSize; ++i)
                if (fragment.mask >> i & 1) group.threads.push_back(state.first_thread + i);
        }
    std::string text;
    std::size_t shown = 0;
    for (const auto& [op, group] : groups) {
        if (shown++ == kShownGroups) return text + "; others wait elsewhere";
        text += (text.empty() ? "" : "; ") + numbered("thread", group.threads) +
                (group.threads.size() == 1 ? " waits at " : " wait at ") + group.where;
    }
    if (live_ != threads_ && !text.empty())
        text += "; " + std::to_string(threads_ - live_) + (threads_ - live_ == 1 ? " thread has" : " threads have") +
                " ended";
    return text;
}

void BlockRunner::raise_deadlock() {
    for (WarpState& state : warps_)
        for (const Fragment& fragment : state.lanes.fragments()) {
            prepare(state, fragment);
            raise(state.view, *program_.blocks[fragment.block].end.op, FaultKind::kDeadlock, "",
                  static_cast<unsigned>(std::countr_zero(fragment.mask)), "no thread can go on: " + who_waits());
        }
    Op none;
    Warp& warp = warps_[0].view;
    warp.exec = 1;
    raise(warp, none, FaultKind::kDeadlock, "", 0, "no thread of the block can go on");
}

}  // namespace tilescope::machine
