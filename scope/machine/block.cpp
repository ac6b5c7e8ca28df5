#include "scope/machine/block.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "scope/machine/endless.h"
#include "scope/machine/follower.h"

namespace tilescope::machine {
namespace {

// Basic blocks a fragment runs before another may: short enough that spinning warps cost little, long enough that the
// bookkeeping is nothing.
constexpr std::uint32_t kSliceBlocks = 4096;
constexpr unsigned kTurnsPerSlice = 256;
// Slices that lanes wait at a join before they go on without their partners. Large: letting go early would split warps
// that hardware keeps together.
constexpr std::uint32_t kPatience = 256;
constexpr std::uint64_t kRecursionArena = 1u << 20;  // register bytes per warp when the depth of calls is not known

// Warp instructions of a block before anybody asks whether it only spins. The next look comes when it has run twice as
// long: looking costs more than running.
constexpr std::uint64_t kSuspicious = 2'000'000;
constexpr std::uint64_t kInstructionsBetweenVerdicts = 50'000;

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace

std::uint64_t working_bytes(const Program& program, const LaunchShape& shape) {
    const std::uint64_t threads = std::uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
    const std::uint64_t frame = program.has_unbounded_calls
                                    ? std::max<std::uint64_t>(kRecursionArena, program.max_frame_bytes)
                                    : program.max_frame_bytes;
    const std::uint64_t warp = frame + program.special_bytes + shape.local_bytes * kWarpSize;
    return (threads + kWarpSize - 1) / kWarpSize * warp + program.shared_reserved + shape.shared_bytes;
}

BlockRunner::BlockRunner(Worker& worker, const LaunchShape& shape, const std::byte* launch_bank,
                         InstructionBudget& budget, ProgressBoard& board, bool apart)
    : worker_(worker), program_(*worker.program), shape_(shape), budget_(budget), board_(board) {
    threads_ = shape.block[0] * shape.block[1] * shape.block[2];
    warps_.resize((threads_ + kWarpSize - 1) / kWarpSize);
    make_arena(launch_bank, apart);
}

void BlockRunner::make_arena(const std::byte* launch_bank, bool apart) {
    register_bytes_ = program_.has_unbounded_calls ? std::max<std::uint64_t>(kRecursionArena, program_.max_frame_bytes)
                                                   : program_.max_frame_bytes;
    const std::uint64_t constants = aligned(program_.constants.size());
    const std::size_t warps = warps_.size();
    // A call moves to a frame of its own within the warp's storage: warps that call stand apart, too.
    const bool calls = apart && program_.functions.size() > 1;
    enum Part : std::size_t { kFrames, kSpecials, kStacks, kBanks };
    std::vector<std::byte> bank(constants + program_.launch_bytes);
    std::copy(program_.constants.begin(), program_.constants.end(), bank.begin());
    if (program_.launch_bytes) std::memcpy(bank.data() + constants, launch_bank, program_.launch_bytes);
    const std::vector<GuardedArena::Region> regions = {{register_bytes_, warps, calls},
                                                       {program_.special_bytes, warps, false},
                                                       {shape_.local_bytes * kWarpSize, warps, calls},
                                                       {bank.size(), 1, false}};
    arena_.emplace(regions, GuardedArena::Fixed{kBanks, bank});
    std::byte* const constant_bank = arena_->place(kBanks).data;
    std::byte* const launch_values = constant_bank + constants;
    registers_ = arena_->place(kFrames);
    const GuardedArena::Place specials = arena_->place(kSpecials), stacks = arena_->place(kStacks);
    for (std::size_t i = 0; i < warps; ++i) {
        Warp& view = warps_[i].view;
        view.index = static_cast<std::uint32_t>(i);
        view.worker = &worker_;
        view.banks[static_cast<unsigned>(Bank::kRegisters)] = frames_of(view);
        view.banks[static_cast<unsigned>(Bank::kConstants)] = constant_bank;
        view.banks[static_cast<unsigned>(Bank::kLaunch)] = launch_values;
        view.banks[static_cast<unsigned>(Bank::kSpecial)] = specials.data + i * specials.stride;
        view.local = stacks.data + i * stacks.stride;
        warps_[i].first_thread = static_cast<std::uint32_t>(i) * kWarpSize;
    }
}

void BlockRunner::run() {
    begin();
    polls_granted_ = 0;
    charged_ = worker_.executed;
    charge();  // blocks too short to be stopped on the way may have used the limit up
    const std::uint64_t start = worker_.executed;
    std::uint64_t next_look = start + kSuspicious;
    while (live_ != 0) {
        run_warps();
        board_.between_slices();
        if (worker_.executed < next_look || live_ == 0) continue;
        const bool soon = look_for_hang();
        next_look = worker_.executed + (soon ? kInstructionsBetweenVerdicts : worker_.executed - start);
    }
    if (gave_up_) {
        gave_up_ = false;
        board_.moves_again();
    }
}

Turn BlockRunner::take_turn(std::uint64_t instructions, std::uint32_t polls) {
    polls_granted_ = polls;
    const std::uint64_t start = charged_ = worker_.executed;
    charge();
    const std::uint64_t exits = poll_exits_;
    const std::uint32_t live = live_;
    bool ran_on = false;
    while (live_ != 0) {
        const Ran ran = run_warps();
        ran_on |= ran == Ran::kRan;
        if (live_ == 0) break;
        if (ran == Ran::kPolled && !complete_barriers())
            return ran_on || live_ != live || poll_exits_ != exits ? Turn::kOver : Turn::kWaits;
        if (worker_.executed - start >= instructions) return Turn::kOver;
    }
    return Turn::kEnded;
}

// A slice for each warp.
BlockRunner::Ran BlockRunner::run_warps() {
    Ran ran = Ran::kNothing;
    for (WarpState& state : warps_) ran = std::max(ran, run_warp(state, kSliceBlocks));
    charge();
    if (ran == Ran::kNothing && live_ != 0 && !complete_barriers() && !release_waiting()) raise_deadlock();
    return ran;
}

void BlockRunner::charge() {
    const std::uint64_t since = worker_.executed - charged_;
    charged_ = worker_.executed;
    if (budget_.limited && budget_.left.fetch_sub(static_cast<std::int64_t>(since), std::memory_order_relaxed) <
                               static_cast<std::int64_t>(since))
        raise_limit("the limit on executed instructions was reached");
    if (budget_.deadline && std::chrono::steady_clock::now() >= *budget_.deadline)
        raise_limit("the time limit was reached");
}

// At the first lanes that still run.
void BlockRunner::raise_limit(const char* which) {
    for (WarpState& state : warps_)
        for (Fragment& fragment : state.lanes.fragments()) {
            state.view.active = state.view.exec = fragment.mask;
            const BasicBlock& code = program_.blocks[fragment.block];
            Op place;
            place.index = code.count > 0 || !code.end.op ? code.first : code.end.op->index;
            raise(state.view, place, FaultKind::kInstructionLimit, "",
                  static_cast<unsigned>(std::countr_zero(fragment.mask)), which);
        }
}

void BlockRunner::begin() {
    live_ = threads_;
    is_followed_ = worker_.follower != nullptr;
    for (Barrier& barrier : barriers_) barrier = Barrier{};
    const Function& kernel = program_.functions[0];
    for (WarpState& state : warps_) {
        const std::uint32_t left = threads_ - state.first_thread;
        state.view.live = left >= kWarpSize ? kFullMask : (1u << left) - 1;
        state.idle_slices = 0;
        state.patience = kPatience;
        state.polled_at = worker_.executed;
        state.polls = state.idle_polls = 0;
        state.at_group = state.ended_at = 0;
        state.view.carry = 0;
        state.view.clock = {};
        state.lanes.start(state.view.live, kernel.entry);
        for (auto [offset, bytes] : kernel.zeroed)
            std::memset(state.view.banks[static_cast<unsigned>(Bank::kRegisters)] + offset, 0, bytes);
        if (kernel.local_bytes) std::memset(state.view.local, 0, kernel.local_bytes * kWarpSize);
        fill_specials(state);
        if (worker_.follower) worker_.follower->begin_warp(state.view, {frames_of(state.view), register_bytes_});
    }
}

void BlockRunner::fill_specials(WarpState& state) {
    for (const SpecialSlot& slot : program_.specials) {
        auto* lanes =
            reinterpret_cast<std::uint32_t*>(state.view.banks[static_cast<unsigned>(Bank::kSpecial)] + slot.offset);
        for (std::uint32_t i = 0; i < kWarpSize; ++i) {
            const std::uint32_t thread = state.first_thread + i;
            switch (slot.what) {
                case Special::kTidX: lanes[i] = thread % shape_.block[0]; break;
                case Special::kTidY: lanes[i] = thread / shape_.block[0] % shape_.block[1]; break;
                case Special::kTidZ: lanes[i] = thread / shape_.block[0] / shape_.block[1]; break;
                case Special::kCtaidX: lanes[i] = worker_.block.index[0]; break;
                case Special::kCtaidY: lanes[i] = worker_.block.index[1]; break;
                case Special::kCtaidZ: lanes[i] = worker_.block.index[2]; break;
                case Special::kLaneId: lanes[i] = i; break;
                case Special::kWarpId: lanes[i] = state.view.index; break;
                case Special::kLaneMaskEq: lanes[i] = 1u << i; break;
                case Special::kLaneMaskLt: lanes[i] = (1u << i) - 1; break;
                case Special::kLaneMaskLe: lanes[i] = (2u << i) - 1; break;
                case Special::kLaneMaskGt: lanes[i] = ~((2u << i) - 1); break;
                case Special::kLaneMaskGe: lanes[i] = ~((1u << i) - 1); break;
                case Special::kSmId: lanes[i] = worker_.block.multiprocessor; break;
            }
        }
    }
}

// A slice went by with lanes of the warp waiting at a join, if any do.
void BlockRunner::wear_patience(WarpState& state) {
    if (++state.idle_slices < state.patience) return;
    state.idle_slices = 0;
    // A warp whose lanes wait on each other will do so again: the next time less is waited.
    if (state.lanes.release_waiting()) state.patience = std::max(1u, state.patience / 2);
}

// One slice for a warp.
BlockRunner::Ran BlockRunner::run_warp(WarpState& state, std::uint32_t slice_blocks) {
    Ran ran = Ran::kNothing;
    // Calls and returns end fragments early; however many there are, other warps get their turn.
    for (unsigned turn = 0; turn < kTurnsPerSlice; ++turn) {
        std::vector<Fragment>& fragments = state.lanes.fragments();
        std::size_t pick = fragments.size();
        while (pick > 0 && fragments[pick - 1].state != FragmentState::kReady &&
               fragments[pick - 1].state != FragmentState::kPastBarrier)
            --pick;
        if (pick == 0) return ran;
        ran = Ran::kRan;
        Fragment fragment = fragments[pick - 1];
        fragments.erase(fragments.begin() + static_cast<std::ptrdiff_t>(pick - 1));
        const Stop stop = run_fragment(state, fragment, slice_blocks);
        if (stop == Stop::kWaiting) fragments.push_back(fragment);
        if (stop != Stop::kSlice && stop != Stop::kPolls) {
            state.idle_slices = 0;
            continue;
        }
        // Its time is up: others first.
        fragments.insert(fragments.begin(), fragment);
        if (stop == Stop::kPolls) {
            state.idle_polls += polls_granted_;
            if (state.idle_polls < kSliceBlocks) return Ran::kPolled;
            state.idle_polls = 0;
        }
        if (slice_blocks == kSliceBlocks) wear_patience(state);  // small steps wear nobody's out
        return stop == Stop::kPolls ? Ran::kPolled : Ran::kRan;
    }
    return ran;
}

void BlockRunner::prepare(WarpState& state, const Fragment& fragment) {
    Warp& warp = state.view;
    warp.active = warp.exec = fragment.mask;
    warp.banks[static_cast<unsigned>(Bank::kRegisters)] = frames_of(warp) + fragment.frame;
    warp.local_frame = fragment.local_frame;
}

BlockRunner::Stop BlockRunner::run_fragment(WarpState& state, Fragment& fragment, std::uint32_t slice_blocks) {
    Warp& warp = state.view;
    prepare(state, fragment);
    if (fragment.state == FragmentState::kPastBarrier) {
        const BasicBlock& code = program_.blocks[fragment.block];
        worker_.barrier_result = fragment.result;
        warp.exec = guard_lanes(state, fragment, code.end.op);
        if (code.end.op->guarded || code.end.op->fn)
            (code.end.op->guarded ? code.end.op->guarded : code.end.op->fn)(warp, *code.end.op);
        warp.exec = warp.active;
        fragment.block = code.end.next;
    }
    fragment.state = FragmentState::kReady;
    const Op* const ops = program_.ops.data();
    const BasicBlock* const blocks = program_.blocks.data();
    BlockCount* const counts = worker_.counts.data();
    const WarpClock* const paces = worker_.paces;
    for (std::uint32_t slice = 0; slice < slice_blocks; ++slice) {
        if (fragment.block == state.lanes.meeting_block(fragment.join) && fragment.block != kNoBlock) {
            Fragment merged;
            if (!state.lanes.arrive(fragment.join, fragment.mask, merged)) return Stop::kGone;
            fragment = merged;
            prepare(state, fragment);
        }
        const BasicBlock& code = blocks[fragment.block];
        counts[fragment.block].runs += 1;
        counts[fragment.block].lanes += static_cast<unsigned>(std::popcount(fragment.mask));
        worker_.executed += code.count + (code.end.op ? 1u : 0u);
        if (paces != nullptr) {
            warp.clock.slots += paces[fragment.block].slots;
            warp.clock.chain += paces[fragment.block].chain;
            warp.clock.turns += paces[fragment.block].turns;
        }
        const Op* op = ops + code.first;
        if (is_followed_) [[unlikely]] {
            run_followed(warp, op, op + code.count);
            if (code.end.kind != TerminatorKind::kYield) end_followed(warp, fragment.mask, code.end);
        } else {
            for (const Op* const end = op + code.count; op != end; ++op) op->fn(warp, *op);
        }
        if (code.end.kind == TerminatorKind::kFallThrough) {
            fragment.block = code.end.next;
            continue;
        }
        if (code.end.kind == TerminatorKind::kYield) {
            if (try_and_yield(warp, fragment, code)) return Stop::kSlice;
            continue;
        }
        const Next next = finish_block(state, fragment, code);
        if (next == Next::kRuns) continue;
        if (next == Next::kPolls) return Stop::kPolls;
        return fragment.mask == 0 ? Stop::kGone : Stop::kWaiting;
    }
    return Stop::kSlice;
}

// An instruction that may have to wait. True when it does: the turn goes to the block's other warps.
bool BlockRunner::try_and_yield(Warp& warp, Fragment& fragment, const BasicBlock& code) {
    worker_.yields = false;
    const Op* const op = code.end.op;
    if (is_followed_)
        run_followed(warp, op, op + 1);
    else
        op->fn(warp, *op);
    fragment.block = code.end.next;
    return worker_.yields;
}

// Ops that a proof or a follower runs. One that a proof runs its follower does not see.
void BlockRunner::run_followed(Warp& warp, const Op* first, const Op* end) {
    if (proof_ == nullptr) return worker_.follower->run(warp, first, end);
    proof_->run(warp, first, end);
    if (worker_.follower) worker_.follower->forget(warp);
}

void BlockRunner::end_followed(Warp& warp, std::uint32_t lanes, const Terminator& end) {
    if (proof_)
        proof_->at_end(warp, lanes, end);
    else
        worker_.follower->at_end(warp, lanes, end);
}

std::uint32_t BlockRunner::guard_lanes(const WarpState& state, const Fragment& fragment, const Op* op) const {
    if (!op || !op->guarded) return fragment.mask;
    const std::uint32_t holds = state.view.predicate(op->guard);
    return fragment.mask & (op->guard_negated ? ~holds : holds);
}

// The terminator. kStops when the fragment no longer runs: mask 0 when it is gone, else it waits.
BlockRunner::Next BlockRunner::finish_block(WarpState& state, Fragment& fragment, const BasicBlock& code) {
    switch (code.end.kind) {
        case TerminatorKind::kFallThrough: fragment.block = code.end.next; return Next::kRuns;
        case TerminatorKind::kBranch: return Next{branch(state, fragment, code)};
        case TerminatorKind::kPollBranch: return poll(state, fragment, code);
        case TerminatorKind::kBranchIndexed: return Next{branch_indexed(state, fragment, code)};
        case TerminatorKind::kCall: return Next{call(state, fragment, code)};
        case TerminatorKind::kReturn: return Next{leave(state, fragment, code, true)};
        case TerminatorKind::kExit: return Next{leave(state, fragment, code, false)};
        case TerminatorKind::kBarrier: return Next{arrive_at_barrier(state, fragment, code)};
        case TerminatorKind::kConverge: return Next{converge(state, fragment, code)};
        case TerminatorKind::kYield: break;  // run_fragment's own
        case TerminatorKind::kTrap: {
            const std::uint32_t lanes = guard_lanes(state, fragment, code.end.op);
            if (lanes == 0) {
                fragment.block = code.end.next;
                return Next::kRuns;
            }
            raise(state.view, *code.end.op, FaultKind::kTrap, "", static_cast<unsigned>(std::countr_zero(lanes)),
                  "the kernel executed a trap instruction");
        }
    }
    return Next::kStops;
}

bool BlockRunner::branch(WarpState& state, Fragment& fragment, const BasicBlock& code) {
    const std::uint32_t taken = guard_lanes(state, fragment, code.end.op);
    if (taken == fragment.mask) {
        fragment.block = code.end.target;
        return true;
    }
    if (taken == 0 || code.end.target == code.end.next) {
        fragment.block = code.end.next;
        return true;
    }
    ++worker_.counts[fragment.block].divergent;
    const std::uint32_t meeting = code.end.reconvergence;
    const std::uint32_t join = join_for(state, fragment, meeting);
    const std::uint32_t rest = fragment.mask & ~taken;
    // The fall-through side runs first; where it stands at the meeting place already, the loop that called sees that.
    part(state, fragment, taken, code.end.target, join);
    fragment.mask = rest;
    fragment.block = code.end.next;
    fragment.join = join;
    prepare(state, fragment);
    return true;
}

bool BlockRunner::release_waiting() {
    bool released = false;
    for (WarpState& state : warps_) released |= state.lanes.release_waiting();
    return released;
}

}  // namespace tilescope::machine
