// Finding blocks that can never end.
//
// A warp whose registers and place repeat, while nothing it could read has changed, repeats for ever. When that is so
// of every warp that still runs, and no other worker can change memory either, the launch hangs: a fault, with the line
// it spins at. Nothing is guessed: a loop that computes, however long, is never taken for a hang.
#include <bit>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "scope/machine/block.h"

namespace tilescope::machine {
namespace {

constexpr unsigned kProbeBlocks = 4096;  // the longest cycle, in basic blocks, that is recognised
constexpr unsigned kVerdicts = 3;        // agreement of several looks, as other workers may be about to write
constexpr auto kBetweenVerdicts = std::chrono::milliseconds(10);

}  // namespace

// Runs one fragment until its place and registers repeat. False when they do not, or when it waits or ends.
bool BlockRunner::repeats(WarpState& state, std::size_t index) {
    Fragment fragment = state.lanes.fragments()[index];
    state.lanes.fragments().erase(state.lanes.fragments().begin() + static_cast<std::ptrdiff_t>(index));
    const std::byte* frame = arena_ + state.view.index * (register_bytes_ + special_bytes_) + fragment.frame;
    const std::size_t bytes = program_.functions[fragment.function].frame_bytes;
    const std::vector<std::byte> before(frame, frame + bytes);
    const Fragment start = fragment;
    for (unsigned step = 0; step < kProbeBlocks; ++step) {
        const Stop stop = run_fragment(state, fragment, 1);
        if (stop == Stop::kWaiting) state.lanes.fragments().push_back(fragment);
        if (stop != Stop::kSlice) return false;
        if (fragment.block == start.block && fragment.mask == start.mask && fragment.frame == start.frame &&
            fragment.join == start.join && std::memcmp(before.data(), frame, bytes) == 0) {
            state.lanes.fragments().push_back(fragment);
            return true;
        }
    }
    state.lanes.fragments().push_back(fragment);
    return false;
}

// Whether every fragment of the warp that could run only repeats itself.
bool BlockRunner::spins(WarpState& state) {
    std::size_t ready = 0;
    for (const Fragment& fragment : state.lanes.fragments()) {
        if (fragment.state == FragmentState::kPastBarrier) return false;
        ready += fragment.state == FragmentState::kReady ? 1 : 0;
    }
    // A repeating fragment goes to the end of the list, so the first ready one is always a new one.
    for (std::size_t probed = 0; probed < ready; ++probed) {
        std::size_t index = 0;
        while (index < state.lanes.fragments().size() && state.lanes.fragments()[index].state != FragmentState::kReady)
            ++index;
        if (index == state.lanes.fragments().size() || !repeats(state, index)) return false;
    }
    return true;
}

void BlockRunner::look_for_hang() {
    const std::uint64_t writes = worker_.writes;
    bool hopeless = true;
    for (WarpState& state : warps_) hopeless = hopeless && spins(state);
    // Lanes that wait at a join may be what the others spin for.
    if (hopeless && release_waiting()) hopeless = false;
    hopeless = hopeless && worker_.writes == writes;
    if (hopeless != gave_up_) {
        if (hopeless)
            board_.give_up();
        else
            board_.take_heart();
        gave_up_ = hopeless;
    }
    if (!hopeless || !board_.nobody_hopes()) {
        hopeless_ = 0;
        return;
    }
    if (++hopeless_ < kVerdicts) {
        std::this_thread::sleep_for(kBetweenVerdicts);
        return;
    }
    hopeless_ = 0;
    gave_up_ = false;
    board_.take_heart();
    for (WarpState& state : warps_)
        for (const Fragment& fragment : state.lanes.fragments()) {
            if (fragment.state != FragmentState::kReady) continue;
            prepare(state, fragment);
            Op place;
            place.index = program_.blocks[fragment.block].first;
            raise(
                state.view, place, FaultKind::kDeadlock, "", static_cast<unsigned>(std::countr_zero(fragment.mask)),
                "the kernel never ends: its threads repeat the same steps, and nothing they read can change any more");
        }
}

}  // namespace tilescope::machine
