// Groups of four warps: instructions at which the warps of an aligned group of four wait for each other.
//
// Guarantees: a warp that waits goes on when all four wait, whichever of these instructions each one stands at; each
// then runs its own, in the order of the warps. A group that can never be whole is a fault that names the missing
// warps. An H200 does the same (driver 580, 28 November 2026): one warp that comes 20,000 cycles late holds up the
// other three, and a warp that ends meanwhile makes the waiting ones an illegal instruction. Where the missing warp
// waits elsewhere, an H200 hangs; here that is a deadlock.
#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include "scope/machine/block.h"
#include "scope/machine/describe.h"

namespace tilescope::machine {
namespace {

constexpr std::size_t kGroupWarps = 4;
constexpr std::uint32_t kGroupThreads = kGroupWarps * kWarpSize;

std::string warp_text(std::uint32_t first_thread) {
    return "warp " + std::to_string(first_thread / kWarpSize) + " (threads " + std::to_string(first_thread) + "-" +
           std::to_string(first_thread + kWarpSize - 1) + ")";
}

}  // namespace

// At the end of a block whose warps are no multiple of four there are fewer.
std::span<const BlockRunner::WarpState> BlockRunner::group_of_warps(const WarpState& state) const {
    const std::size_t first = state.view.index / kGroupWarps * kGroupWarps;
    return std::span(warps_).subspan(first, std::min(kGroupWarps, warps_.size() - first));
}
std::span<BlockRunner::WarpState> BlockRunner::group_of_warps(const WarpState& state) {
    const std::size_t first = state.view.index / kGroupWarps * kGroupWarps;
    return std::span(warps_).subspan(first, std::min(kGroupWarps, warps_.size() - first));
}

// A warp has come to an instruction that needs a block with all four warps of its group. Those that have ended count:
// which warp ends first is a matter of the order in which they run here.
void BlockRunner::check_group(const WarpState& state, const Op& op) const {
    const auto lane = static_cast<unsigned>(std::countr_zero(state.view.exec));
    const std::uint32_t first = state.first_thread / kGroupThreads * kGroupThreads;
    if (threads_ - first < kGroupThreads)
        raise(state.view, op, FaultKind::kIllegalInstruction, "", lane,
              "this instruction needs four whole warps, and the block has only " + std::to_string(threads_ - first) +
                  " threads from thread " + std::to_string(first) + " on");
}

// A warp has ended. That ends the kernel if others of its group wait for it.
void BlockRunner::check_awaited(const WarpState& ended) {
    const std::span<WarpState> group = group_of_warps(ended);
    const auto waits = std::find_if(group.begin(), group.end(), [](const auto& warp) { return warp.at_group != 0; });
    if (waits == group.end()) return;
    const std::vector<Fragment>& fragments = waits->lanes.fragments();
    const Fragment& waiting = *std::find_if(fragments.begin(), fragments.end(), [&](const Fragment& fragment) {
        return (fragment.mask & waits->at_group) != 0;
    });
    prepare(*waits, waiting);
    raise(waits->view, *program_.blocks[waiting.block].end.op, FaultKind::kIllegalInstruction, "",
          static_cast<unsigned>(std::countr_zero(waiting.mask)),
          "this instruction needs all four warps of the warpgroup, and " + warp_text(ended.first_thread) +
              " ended at " + place_text(program_, ended.ended_at));
}

// A warp waits for the others of its group. Runs the instructions of all four when it is the last one.
void BlockRunner::meet_group(const WarpState& state) {
    const std::span<WarpState> group = group_of_warps(state);
    for (const WarpState& warp : group)
        if (warp.view.live == 0) check_awaited(warp);
    if (!std::all_of(group.begin(), group.end(), [](const auto& warp) { return warp.at_group != 0; })) return;
    for (WarpState& warp : group) {
        const std::uint32_t lanes = warp.at_group;
        warp.at_group = 0;
        const std::vector<Fragment>& fragments = warp.lanes.fragments();
        const Fragment waiting = *std::find_if(fragments.begin(), fragments.end(),
                                               [&](const Fragment& fragment) { return (fragment.mask & lanes) != 0; });
        pass(warp, waiting, kFullMask, lanes);
        warp.lanes.gather();
    }
}

// "warp 3 (threads 96-127), which waits at barrier 0 in sum.cu:12": those of the group that do not wait for it.
std::string BlockRunner::missing_warps(const WarpState& state) const {
    std::string text;
    for (const WarpState& warp : group_of_warps(state)) {
        if (warp.at_group != 0) continue;
        text += (text.empty() ? "" : ", ") + warp_text(warp.first_thread);
        if (warp.lanes.fragments().empty()) continue;
        const Fragment& first = warp.lanes.fragments().front();
        const BasicBlock& code = program_.blocks[first.block];
        const bool waits = first.state == FragmentState::kAtBarrier || first.state == FragmentState::kAtConverge;
        const std::uint32_t op = code.end.op != nullptr && (waits || code.count == 0) ? code.end.op->index : code.first;
        text += waits ? ", which waits at " : ", which is at ";
        if (first.state == FragmentState::kAtBarrier) text += "barrier " + std::to_string(first.barrier) + " in ";
        text += place_text(program_, op);
    }
    return text;
}

}  // namespace tilescope::machine
