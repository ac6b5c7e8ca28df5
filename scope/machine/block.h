// BlockRunner: runs one thread block at a time on one worker, to its end or a turn at a time.
//
// Owns: the warps of the block at hand, their registers and stacks, and the block's barriers.
// Guarantees: every lane that can make progress does, whatever the others wait for; a block in which none can is a
// deadlock fault. Order of execution is a function of the program and the block alone.
// Does not model: time, or which warp the hardware would choose.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scope/machine/endless_poll.h"
#include "scope/machine/fragment.h"
#include "scope/machine/guarded_arena.h"
#include "scope/machine/worker.h"

namespace tilescope::machine {

// What a launch fixes for all its blocks.
struct LaunchShape {
    std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    std::uint64_t shared_bytes = 0;  // static and dynamic
    std::uint64_t dynamic_shared_bytes = 0;
    std::uint64_t local_bytes = 0;      // stack of a lane
    std::uint32_t multiprocessors = 1;  // for %nsmid
    std::uint64_t grid_id = 0;
};

// What a run may still take, in warp instructions and in time; shared by its workers.
struct InstructionBudget {
    std::atomic<std::int64_t> left{0};
    bool limited = false;
    std::optional<std::chrono::steady_clock::time_point> deadline;  // not past this moment, however few
};

// Which workers of a launch can still change anything. A block that only spins never ends once no other can.
class ProgressBoard {
public:
    explicit ProgressBoard(unsigned workers) : moving_(static_cast<int>(workers)) {}
    void stops_moving() { moving_.fetch_sub(1); }  // this worker spins, or has no block left
    void moves_again() { moving_.fetch_add(1); }
    bool nobody_moves() const { return moving_.load() == 0; }
    // Called by every worker between slices of its block.
    void set_between_slices(std::function<void()> call) { between_slices_ = std::move(call); }
    void between_slices() const {
        if (between_slices_) between_slices_();
    }

private:
    std::atomic<int> moving_;
    std::function<void()> between_slices_;
};

// Bytes of registers, stacks and shared memory that a running block takes; no more than 2^64 - 1.
std::uint64_t working_bytes(const Program& program, const LaunchShape& shape);

class EndlessProof;

// How a block's turn ended.
enum class Turn : std::uint8_t {
    kEnded,  // all its threads have
    kOver,   // it has run its instructions, and could go on
    kWaits,  // whatever of it still runs did nothing but poll
};

// A block that repeats itself for as long as nobody outside changes what it reads.
struct Stuck {
    std::vector<EndlessPoll> polls;
    // Words of global memory (address / 4) that it reads, and those that it changes, in each turn of its loops.
    std::set<std::uint64_t> reads, changes;
    bool asks_time = false;  // only as long as a clock does not lead it another way
};

class BlockRunner {
public:
    // `apart`: guard space between the warps as well, where they call functions. The host counts such pieces.
    BlockRunner(Worker& worker, const LaunchShape& shape, const std::byte* launch_bank, InstructionBudget& budget,
                ProgressBoard& board, bool apart = true);

    // Runs the worker's block (Worker::block) to its end. Throws Fault, as all below do.
    void run();

    // The same in turns, for blocks that wait for each other: begin() once, then take_turn() until it has ended. A turn
    // is over after about so many warp instructions, or when each warp that could run has come round its polling loops
    // `polls` times.
    void begin();
    Turn take_turn(std::uint64_t instructions, std::uint32_t polls);
    // What the block does for ever, unless another one changes what it reads; nothing when that cannot be proven.
    std::optional<Stuck> find_stuck();
    // For a block that was found stuck: whether it does the same again when much later comes. Its clock stays there.
    bool is_stuck_later();
    // Lets lanes that wait for others of their warp go on without them. False when none waits.
    bool release_waiting();
    [[noreturn]] void raise_endless(const std::vector<EndlessPoll>& polls);

private:
    struct WarpState {
        Warp view;
        Lanes lanes;
        std::uint32_t first_thread = 0;
        std::uint32_t idle_slices = 0;  // in a row, with lanes waiting at a join
        std::uint32_t patience = 0;     // idle slices after which those are let go
        std::uint64_t polled_at = 0;    // when it last came round a polling loop, in instructions of the worker
        std::uint32_t polls = 0;        // such rounds in a row, with next to nothing between them
        std::uint32_t idle_polls = 0;   // since the last of the idle slices that they make up
        std::uint32_t at_group = 0;     // lanes, all that live: they wait for the other warps of their group
        std::uint32_t ended_at = 0;     // the op at which its last lane ended
    };
    struct Barrier {
        std::uint32_t arrived = 0;   // threads
        std::uint32_t expected = 0;  // threads; 0: all that live
        BarrierResult result;
        bool active = false;
    };
    enum class Stop : std::uint8_t { kWaiting, kGone, kSlice, kPolls };
    enum class Next : std::uint8_t { kStops, kRuns, kPolls };   // of a fragment behind its basic block
    enum class Ran : std::uint8_t { kNothing, kPolled, kRan };  // of warps; the greatest stands for several

    void fill_specials(WarpState& state);
    Ran run_warp(WarpState& state, std::uint32_t slice_blocks);
    Ran run_warps();
    void wear_patience(WarpState& state);
    Stop run_fragment(WarpState& state, Fragment& fragment, std::uint32_t slice_blocks);
    Next finish_block(WarpState& state, Fragment& fragment,
                      const BasicBlock& code);  // kStops: fragment is gone or waits
    Next poll(WarpState& state, Fragment& fragment, const BasicBlock& code);
    bool try_and_yield(Warp& warp, Fragment& fragment, const BasicBlock& code);
    bool branch(WarpState& state, Fragment& fragment, const BasicBlock& code);
    bool branch_indexed(WarpState& state, Fragment& fragment, const BasicBlock& code);
    void part(WarpState& state, Fragment& fragment, std::uint32_t mask, std::uint32_t target, std::uint32_t join);
    std::uint32_t join_for(WarpState& state, const Fragment& fragment, std::uint32_t meeting);
    bool call(WarpState& state, Fragment& fragment, const BasicBlock& code);
    void enter(WarpState& state, Fragment& fragment, std::uint32_t site_index, const BasicBlock& code);
    bool leave(WarpState& state, Fragment& fragment, const BasicBlock& code, bool returning);
    void tell_end(const WarpState& state, std::uint32_t lanes) const;
    void resume_call(WarpState& state, std::uint32_t join, Fragment& merged);
    bool arrive_at_barrier(WarpState& state, Fragment& fragment, const BasicBlock& code);
    void announce_arrival(const WarpState& state, const Fragment& fragment, const Op& op, std::uint32_t id);
    bool complete_barrier(std::uint32_t id);
    bool complete_barriers();
    bool converge(WarpState& state, Fragment& fragment, const BasicBlock& code);
    OpFn kind_of(const Op& op) const;
    bool can_meet(const Fragment& one, const Fragment& other) const;
    std::uint32_t named_by(WarpState& state, const Fragment& waiting, std::uint32_t lanes);
    std::uint32_t lanes_naming(WarpState& state, const Fragment& fragment, std::uint32_t members);
    std::uint32_t group_of(WarpState& state, const Fragment& fragment, std::uint32_t members);
    void check_own_masks(WarpState& state, const Fragment& fragment);
    bool complete_groups(WarpState& state);
    void announce_group(const WarpState& state, const Op& op, std::uint32_t members, std::uint32_t group);
    void run_group(WarpState& state, const Fragment& waiting, std::uint32_t group);
    void run_apart(WarpState& state, const Fragment& waiting, std::uint32_t group);
    void pass(WarpState& state, const Fragment& waiting, std::uint32_t members, std::uint32_t group);
    // Groups of four warps (block_group.cpp).
    std::span<WarpState> group_of_warps(const WarpState& state);
    std::span<const WarpState> group_of_warps(const WarpState& state) const;
    void check_group(const WarpState& state, const Op& op) const;
    void check_awaited(const WarpState& ended);
    void meet_group(const WarpState& state);
    std::string missing_warps(const WarpState& state) const;
    void note_ended(const WarpState& state, const Op& op, std::uint32_t lanes);
    void note_missing(const WarpState& state, const Fragment& waiting, std::uint32_t members, std::uint32_t group);
    [[noreturn]] void raise_deadlock();
    std::string who_waits() const;
    bool look_for_hang();
    std::string polled_text(std::uint64_t address, bool is_shared) const;
    std::vector<std::uint64_t> standing() const;
    std::vector<std::span<std::byte>> state() const;
    std::vector<std::byte> copy_of_state() const;
    bool step_all();
    unsigned find_turn(std::vector<std::byte>& before);
    void follow_turn(EndlessProof& proof);
    bool repeats(EndlessProof& proof);
    struct Frames {
        std::uint32_t caller, callee, caller_local, callee_local;  // registers, then stacks
    };
    void copy_slots(Warp& warp, const Frames& frames, const std::vector<CallCopy>& copies, bool results);
    std::uint32_t guard_lanes(const WarpState& state, const Fragment& fragment, const Op* op) const;
    void prepare(WarpState& state, const Fragment& fragment);
    void run_followed(Warp& warp, const Op* first, const Op* end);
    void end_followed(Warp& warp, std::uint32_t lanes, const Terminator& end);
    void run_together(Warp& warp, const Op& op);
    void charge();
    void raise_limit(const char* which);
    void make_arena(const std::byte* launch_bank, bool apart);
    std::byte* frames_of(const Warp& warp) const { return registers_.data + warp.index * registers_.stride; }

    Worker& worker_;
    const Program& program_;
    const LaunchShape& shape_;
    InstructionBudget& budget_;
    ProgressBoard& board_;
    bool gave_up_ = false;
    unsigned hopeless_ = 0;  // verdicts in a row
    // The turn that the block was last seen to repeat.
    struct Repeated {
        unsigned steps = 0;
        std::uint64_t path = 0;
        std::vector<std::uint64_t> standing;
    };
    Repeated repeated_;
    EndlessProof* proof_ = nullptr;  // follows what is executed, while one is tried
    bool is_followed_ = false;       // by a proof, or by the worker's follower
    std::uint64_t charged_ = 0;
    std::uint32_t polls_granted_ = 0;  // in a turn; 0: as many as come
    std::uint64_t poll_exits_ = 0;     // how often lanes left a polling loop
    std::vector<WarpState> warps_;
    std::uint32_t threads_ = 0, live_ = 0;
    Barrier barriers_[16];
    std::uint64_t register_bytes_ = 0;  // frames of one warp
    std::optional<GuardedArena> arena_;
    GuardedArena::Place registers_;  // of the first warp
};

}  // namespace tilescope::machine
