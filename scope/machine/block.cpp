#include "scope/machine/block.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

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

// Slices that every warp of a block gets before anybody asks whether the block only spins, and between two looks.
constexpr std::uint64_t kSuspiciousRounds = 1024;
constexpr std::uint64_t kRoundsBetweenLooks = 64;

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace

BlockRunner::BlockRunner(Worker& worker, const LaunchShape& shape, const std::byte* launch_bank,
                         InstructionBudget& budget, HangBoard& board)
    : worker_(worker), program_(*worker.program), shape_(shape), budget_(budget), board_(board) {
    threads_ = shape.block[0] * shape.block[1] * shape.block[2];
    warps_.resize((threads_ + kWarpSize - 1) / kWarpSize);
    register_bytes_ =
        aligned(program_.has_unbounded_calls ? std::max<std::uint64_t>(kRecursionArena, program_.max_frame_bytes)
                                             : program_.max_frame_bytes);
    local_bytes_ = aligned(shape.local_bytes * kWarpSize);
    special_bytes_ = aligned(program_.special_bytes);
    const std::uint64_t constants = aligned(program_.constants.size()), launch = aligned(program_.launch_bytes);
    arena_bytes_ = warps_.size() * (register_bytes_ + local_bytes_ + special_bytes_) + constants + launch + 4096;
    void* arena =
        mmap(nullptr, arena_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena == MAP_FAILED) throw std::bad_alloc();
    arena_ = static_cast<std::byte*>(arena);
    constant_bank_ = arena_ + warps_.size() * (register_bytes_ + local_bytes_ + special_bytes_);
    launch_bank_ = constant_bank_ + constants;
    if (!program_.constants.empty()) std::memcpy(constant_bank_, program_.constants.data(), program_.constants.size());
    if (program_.launch_bytes) std::memcpy(launch_bank_, launch_bank, program_.launch_bytes);
    // Registers and special slots of one warp lie together, stacks behind them.
    for (std::size_t i = 0; i < warps_.size(); ++i) {
        Warp& view = warps_[i].view;
        std::byte* base = arena_ + i * (register_bytes_ + special_bytes_);
        view.index = static_cast<std::uint32_t>(i);
        view.worker = &worker_;
        view.banks[static_cast<unsigned>(Bank::kRegisters)] = base;
        view.banks[static_cast<unsigned>(Bank::kConstants)] = constant_bank_;
        view.banks[static_cast<unsigned>(Bank::kLaunch)] = launch_bank_;
        view.banks[static_cast<unsigned>(Bank::kSpecial)] = base + register_bytes_;
        view.local = arena_ + warps_.size() * (register_bytes_ + special_bytes_) + i * local_bytes_;
        warps_[i].first_thread = static_cast<std::uint32_t>(i) * kWarpSize;
    }
}

BlockRunner::~BlockRunner() { munmap(arena_, arena_bytes_); }

void BlockRunner::run(const std::uint32_t index[3]) {
    start_warps(index);
    charge();  // blocks too short to be stopped on the way may have used the limit up
    for (std::uint64_t round = 1; live_ != 0; ++round) {
        bool progress = false;
        for (WarpState& state : warps_) progress |= run_warp(state);
        charge();
        if (!progress && live_ != 0 && !complete_barriers() && !release_waiting()) raise_deadlock();
        if (round >= kSuspiciousRounds && round % kRoundsBetweenLooks == 0 && live_ != 0) look_for_hang();
    }
    if (gave_up_) {
        gave_up_ = false;
        board_.take_heart();
    }
}

void BlockRunner::charge() {
    const std::uint64_t since = worker_.executed - charged_;
    charged_ = worker_.executed;
    if (!budget_.limited) return;
    if (budget_.left.fetch_sub(static_cast<std::int64_t>(since), std::memory_order_relaxed) >=
        static_cast<std::int64_t>(since))
        return;
    for (WarpState& state : warps_)
        for (Fragment& fragment : state.lanes.fragments()) {
            state.view.active = state.view.exec = fragment.mask;
            const BasicBlock& code = program_.blocks[fragment.block];
            Op place;
            place.index = code.count > 0 || !code.end.op ? code.first : code.end.op->index;
            raise(state.view, place, FaultKind::kInstructionLimit, "",
                  static_cast<unsigned>(std::countr_zero(fragment.mask)),
                  "the limit on executed instructions was reached");
        }
}

void BlockRunner::start_warps(const std::uint32_t index[3]) {
    std::copy_n(index, 3, worker_.block_index);
    live_ = threads_;
    for (Barrier& barrier : barriers_) barrier = Barrier{};
    const Function& kernel = program_.functions[0];
    for (WarpState& state : warps_) {
        const std::uint32_t left = threads_ - state.first_thread;
        state.view.live = left >= kWarpSize ? kFullMask : (1u << left) - 1;
        state.idle_slices = 0;
        state.patience = kPatience;
        state.view.carry = 0;
        state.lanes.start(state.view.live, kernel.entry);
        for (auto [offset, bytes] : kernel.zeroed)
            std::memset(state.view.banks[static_cast<unsigned>(Bank::kRegisters)] + offset, 0, bytes);
        if (local_bytes_) std::memset(state.view.local, 0, kernel.local_bytes * kWarpSize);
        fill_specials(state);
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
                case Special::kCtaidX: lanes[i] = worker_.block_index[0]; break;
                case Special::kCtaidY: lanes[i] = worker_.block_index[1]; break;
                case Special::kCtaidZ: lanes[i] = worker_.block_index[2]; break;
                case Special::kLaneId: lanes[i] = i; break;
                case Special::kWarpId: lanes[i] = state.view.index; break;
                case Special::kLaneMaskEq: lanes[i] = 1u << i; break;
                case Special::kLaneMaskLt: lanes[i] = (1u << i) - 1; break;
                case Special::kLaneMaskLe: lanes[i] = (2u << i) - 1; break;
                case Special::kLaneMaskGt: lanes[i] = ~((2u << i) - 1); break;
                case Special::kLaneMaskGe: lanes[i] = ~((1u << i) - 1); break;
                case Special::kSmId: {
                    const std::uint64_t linear =
                        worker_.block_index[0] +
                        std::uint64_t{shape_.grid[0]} *
                            (worker_.block_index[1] + std::uint64_t{shape_.grid[1]} * worker_.block_index[2]);
                    lanes[i] = static_cast<std::uint32_t>(linear % shape_.multiprocessors);
                    break;
                }
            }
        }
    }
}

// One slice for a warp. False when it has nothing to run.
bool BlockRunner::run_warp(WarpState& state) {
    bool ran = false;
    // Calls and returns end fragments early; however many there are, other warps get their turn.
    for (unsigned turn = 0; turn < kTurnsPerSlice; ++turn) {
        std::vector<Fragment>& fragments = state.lanes.fragments();
        std::size_t pick = fragments.size();
        while (pick > 0 && fragments[pick - 1].state != FragmentState::kReady &&
               fragments[pick - 1].state != FragmentState::kPastBarrier)
            --pick;
        if (pick == 0) return ran;
        ran = true;
        Fragment fragment = fragments[pick - 1];
        fragments.erase(fragments.begin() + static_cast<std::ptrdiff_t>(pick - 1));
        const Stop stop = run_fragment(state, fragment, kSliceBlocks);
        if (stop == Stop::kWaiting) fragments.push_back(fragment);
        if (stop != Stop::kSlice) {
            state.idle_slices = 0;
            continue;
        }
        // Its time is up: others first.
        fragments.insert(fragments.begin(), fragment);
        if (++state.idle_slices >= state.patience) {
            state.idle_slices = 0;
            // A warp whose lanes wait on each other will do so again: the next time less is waited.
            if (state.lanes.release_waiting()) state.patience = std::max(1u, state.patience / 2);
        }
        return true;
    }
    return ran;
}

void BlockRunner::prepare(WarpState& state, const Fragment& fragment) {
    Warp& warp = state.view;
    warp.active = warp.exec = fragment.mask;
    warp.banks[static_cast<unsigned>(Bank::kRegisters)] =
        arena_ + warp.index * (register_bytes_ + special_bytes_) + fragment.frame;
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
        const Op* op = ops + code.first;
        for (const Op* const end = op + code.count; op != end; ++op) op->fn(warp, *op);
        if (code.end.kind == TerminatorKind::kFallThrough) {
            fragment.block = code.end.next;
            continue;
        }
        if (!finish_block(state, fragment, code)) return fragment.mask == 0 ? Stop::kGone : Stop::kWaiting;
    }
    return Stop::kSlice;
}

std::uint32_t BlockRunner::guard_lanes(const WarpState& state, const Fragment& fragment, const Op* op) const {
    if (!op || !op->guarded) return fragment.mask;
    const std::uint32_t holds = state.view.predicate(op->guard);
    return fragment.mask & (op->guard_negated ? ~holds : holds);
}

// The terminator. False when the fragment no longer runs: mask 0 when it is gone, else it waits.
bool BlockRunner::finish_block(WarpState& state, Fragment& fragment, const BasicBlock& code) {
    switch (code.end.kind) {
        case TerminatorKind::kFallThrough: fragment.block = code.end.next; return true;
        case TerminatorKind::kBranch: return branch(state, fragment, code);
        case TerminatorKind::kBranchIndexed: return branch_indexed(state, fragment, code);
        case TerminatorKind::kCall: return call(state, fragment, code);
        case TerminatorKind::kReturn: return leave(state, fragment, code, true);
        case TerminatorKind::kExit: return leave(state, fragment, code, false);
        case TerminatorKind::kBarrier: return arrive_at_barrier(state, fragment, code);
        case TerminatorKind::kConverge: return converge(state, fragment, code);
        case TerminatorKind::kTrap: {
            const std::uint32_t lanes = guard_lanes(state, fragment, code.end.op);
            if (lanes == 0) {
                fragment.block = code.end.next;
                return true;
            }
            raise(state.view, *code.end.op, FaultKind::kTrap, "", static_cast<unsigned>(std::countr_zero(lanes)),
                  "the kernel executed a trap instruction");
        }
    }
    return false;
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

bool BlockRunner::release_waiting() {
    bool released = false;
    for (WarpState& state : warps_) released |= state.lanes.release_waiting();
    return released;
}

}  // namespace tilescope::machine
