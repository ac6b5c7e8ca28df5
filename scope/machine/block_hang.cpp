// Finding blocks that can never end.
//
// A block whose threads come back to where they stood, with the same values wherever a branch or an address depends on
// them, while nothing that they read has changed, repeats itself for ever (endless.h). When no other worker can change
// memory either, the launch hangs: a fault that says what the threads wait for. Nothing is guessed: a loop that
// computes, however long, is never taken for a hang, nor is one that ends by a count of its tries. One that looks at a
// clock is tried at later times, and goes on from there if that leads it another way.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "scope/machine/barrier_object.h"
#include "scope/machine/block.h"
#include "scope/machine/describe.h"
#include "scope/machine/endless.h"

namespace tilescope::machine {
namespace {

constexpr unsigned kLongestTurn = 1024;  // in basic blocks of the warp that takes longest
constexpr unsigned kTurns = 16;          // followed until the marks no longer grow
// Ticks of the clock, more than anybody waits for: a minute in ns. Halves of it that kernels read move on as well.
constexpr std::uint64_t kLongWait = (std::uint64_t{1} << 36) + (std::uint64_t{1} << 30);
constexpr unsigned kLongWaits = 3;
constexpr unsigned kVerdicts = 3;  // agreement of several looks, as other workers may be about to write
constexpr auto kTimeBetweenVerdicts = std::chrono::milliseconds(10);

// "to which 1 arrival and 64 bytes are missing,".
std::string missing_text(const BarrierObject& barrier) {
    std::string text =
        "to which " + std::to_string(barrier.pending) + (barrier.pending == 1 ? " arrival" : " arrivals");
    if (barrier.bytes != 0) text += " and " + std::to_string(barrier.bytes) + " bytes";
    return text + (barrier.pending == 1 && barrier.bytes == 0 ? " is missing," : " are missing,");
}

template <class T>
void append(std::vector<std::uint64_t>& to, T value) {
    to.push_back(static_cast<std::uint64_t>(value));
}

}  // namespace

// Registers and stacks of all warps, by address: what differs from turn to turn lies in here.
std::vector<std::span<std::byte>> BlockRunner::state() const {
    std::vector<std::span<std::byte>> pieces;
    for (const WarpState& warp : warps_) {
        pieces.emplace_back(frames_of(warp.view), register_bytes_);
        pieces.emplace_back(warp.view.local, shape_.local_bytes * kWarpSize);
    }
    std::erase_if(pieces, [](std::span<std::byte> piece) { return piece.empty(); });
    std::sort(pieces.begin(), pieces.end(), [](auto a, auto b) { return std::less<>()(a.data(), b.data()); });
    return pieces;
}

std::vector<std::byte> BlockRunner::copy_of_state() const {
    std::vector<std::byte> all;
    for (const std::span<std::byte> piece : state()) all.insert(all.end(), piece.begin(), piece.end());
    return all;
}

// Where everybody stands, values apart.
std::vector<std::uint64_t> BlockRunner::standing() const {
    std::vector<std::uint64_t> all;
    for (const WarpState& state : warps_) {
        append(all, state.view.live);
        append(all, state.view.carry);
        for (const Fragment& fragment : state.lanes.fragments()) {
            append(all, fragment.mask);
            append(all, fragment.block);
            append(all, fragment.join);
            append(all, fragment.frame);
            append(all, fragment.local_frame);
            append(all, static_cast<std::uint64_t>(fragment.state) << 8 | fragment.barrier);
        }
        for (const Join& join : state.lanes.joins()) {
            append(all, join.in_use ? join.expected : 0);
            append(all, join.in_use ? join.arrived : 0);
            append(all, join.in_use ? join.block : 0);
        }
    }
    for (const Barrier& barrier : barriers_) append(all, std::uint64_t{barrier.arrived} << 32 | barrier.expected);
    return all;
}

// Every warp takes one step. False when none has anything to run.
bool BlockRunner::step_all() {
    Ran ran = Ran::kNothing;
    for (WarpState& state : warps_) ran = std::max(ran, run_warp(state, 1));
    return ran != Ran::kNothing || complete_barriers();
}

// Runs until everybody stands as they did; how many steps that takes, 0 when it does not come to that. `before` is what
// the registers and stacks held at the beginning of that turn.
unsigned BlockRunner::find_turn(std::vector<std::byte>& before) {
    std::vector<std::uint64_t> anchor = standing();
    before = copy_of_state();
    unsigned since = 0, next_anchor = 64;
    for (unsigned step = 0; step < kLongestTurn && live_ != 0; ++step) {
        if (!step_all()) return 0;
        ++since;
        if (standing() == anchor) return since;
        if (since < next_anchor) continue;
        anchor = standing();
        before = copy_of_state();
        since = 0;
        next_anchor *= 2;
    }
    return 0;
}

// As many steps as a turn takes, under the eyes of a proof.
void BlockRunner::follow_turn(EndlessProof& proof) {
    proof.begin_turn();
    proof_ = &proof;
    is_followed_ = true;
    for (unsigned step = 0; step < repeated_.steps && live_ != 0; ++step) step_all();
    proof_ = nullptr;
    is_followed_ = worker_.follower != nullptr;
}

// Whether the block only repeats itself, by what it is now.
bool BlockRunner::repeats(EndlessProof& proof) {
    std::vector<std::byte> before;
    repeated_.steps = find_turn(before);
    if (repeated_.steps == 0) return false;
    proof.mark_differences(before);
    repeated_.standing = standing();
    for (unsigned turn = 0; turn < kTurns; ++turn) {
        follow_turn(proof);
        if (standing() != repeated_.standing) return false;
        repeated_.path = proof.path();
        if (proof.end_turn()) return true;
        if (proof.failed()) return false;
    }
    return false;
}

bool BlockRunner::is_stuck_later() {
    const std::vector<OpFlow>& flow = *worker_.hang_help->flow();
    for (unsigned wait = 0; wait < kLongWaits; ++wait) {
        worker_.clock_lead += kLongWait;
        EndlessProof proof(program_, flow, state());
        follow_turn(proof);
        if (standing() != repeated_.standing || proof.path() != repeated_.path) return false;
    }
    return true;
}

// True when it is worth looking again soon.
bool BlockRunner::look_for_hang() {
    const std::vector<OpFlow>* flow =
        worker_.hang_help && worker_.hang_help->flow ? worker_.hang_help->flow() : nullptr;
    if (!flow) return false;
    EndlessProof proof(program_, *flow, state());
    bool hopeless = repeats(proof);
    // Lanes that wait at a join may be what the others spin for.
    const bool released = hopeless && release_waiting();
    if (released) hopeless = false;
    // Other blocks may wait for what this one changes.
    if (!worker_.alone && proof.changes_global()) hopeless = false;
    if (hopeless != gave_up_) {
        if (hopeless)
            board_.stops_moving();
        else
            board_.moves_again();
        gave_up_ = hopeless;
    }
    if (!hopeless || !board_.nobody_moves()) {
        hopeless_ = 0;
        return hopeless || released;
    }
    if (++hopeless_ < kVerdicts) {
        std::this_thread::sleep_for(kTimeBetweenVerdicts);
        return true;
    }
    hopeless_ = 0;
    gave_up_ = false;
    board_.moves_again();
    if (proof.asks_time() && !is_stuck_later()) return true;
    raise_endless(proof.polls());
}

// For blocks that take turns: the rest of the grid is looked at by whoever asks.
std::optional<Stuck> BlockRunner::find_stuck() {
    polls_granted_ = 0;
    const std::vector<OpFlow>* flow =
        worker_.hang_help && worker_.hang_help->flow ? worker_.hang_help->flow() : nullptr;
    if (!flow) return std::nullopt;
    EndlessProof proof(program_, *flow, state());
    if (!repeats(proof)) return std::nullopt;
    return Stuck{proof.polls(), proof.reads(), proof.changes(), proof.asks_time()};
}

// What a poll reads, by name where it has one.
std::string BlockRunner::polled_text(std::uint64_t address, bool is_shared) const {
    if (!is_shared) {
        std::string name = worker_.hang_help->name_of ? worker_.hang_help->name_of(address) : std::string();
        return name.empty() ? "global memory" : name;
    }
    for (const SharedVariable& variable : program_.shared_variables)
        if (address >= variable.offset && (variable.bytes == 0 || address < variable.offset + variable.bytes))
            return "shared " +
                   (worker_.hang_help->source_name ? worker_.hang_help->source_name(variable.name) : variable.name);
    return "shared memory";
}

void BlockRunner::raise_endless(const std::vector<EndlessPoll>& polls) {
    std::string message = "the kernel never ends: its threads repeat the same steps";
    Op place;
    unsigned lane = 0;
    const Warp* warp = &warps_[0].view;
    if (!polls.empty()) {
        const EndlessPoll& poll = polls.front();
        place.index = poll.op;
        lane = poll.lane;
        warp = &warps_[poll.warp].view;
        const bool is_shared = poll.space == Space::kShared;
        if (poll.is_barrier)
            message += ", waiting at the barrier in " + polled_text(poll.address, is_shared) + ", " +
                       missing_text(BarrierObject::read(poll.value)) + " which nobody can bring any more";
        else
            message += ", reading " + polled_text(poll.address, is_shared) + ", which holds " +
                       std::to_string(poll.value) + " and which nobody can change any more";
        const std::string left = worker_.hang_help->blocks_left ? worker_.hang_help->blocks_left() : std::string();
        if (!is_shared && !left.empty()) message += ": " + left;
    } else {
        for (const WarpState& state : warps_)
            for (const Fragment& fragment : state.lanes.fragments()) {
                if (fragment.state == FragmentState::kAtConverge) continue;
                const BasicBlock& code = program_.blocks[fragment.block];
                place.index = code.count > 0 || !code.end.op ? code.first : code.end.op->index;
                lane = static_cast<unsigned>(std::countr_zero(fragment.mask));
                warp = &state.view;
            }
        message += " and wait for nothing";
    }
    const std::string others = who_waits();
    if (!others.empty()) message += "; " + others;
    raise(*warp, place, FaultKind::kDeadlock, "", lane, message);
}

}  // namespace tilescope::machine
