// BlockRunner: runs one thread block at a time on one worker.
//
// Owns: the warps of the block at hand, their registers and stacks, and the block's barriers.
// Guarantees: every lane that can make progress does, whatever the others wait for; a block in which none can is a
// deadlock fault. Order of execution is a function of the program and the block alone.
// Does not model: time, or which warp the hardware would choose.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scope/machine/fragment.h"
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

// Warp instructions that a run may still execute; shared by its workers.
struct InstructionBudget {
    std::atomic<std::int64_t> left{0};
    bool limited = false;
};

// Which workers of a launch can still change anything. A block that only spins is hopeless once no other can.
class HangBoard {
public:
    explicit HangBoard(unsigned workers) : hopeful_(static_cast<int>(workers)) {}
    void give_up() { hopeful_.fetch_sub(1); }  // this worker spins, or has no block left
    void take_heart() { hopeful_.fetch_add(1); }
    bool nobody_hopes() const { return hopeful_.load() == 0; }

private:
    std::atomic<int> hopeful_;
};

class BlockRunner {
public:
    BlockRunner(Worker& worker, const LaunchShape& shape, const std::byte* launch_bank, InstructionBudget& budget,
                HangBoard& board);
    ~BlockRunner();

    // Runs the block to its end. Throws Fault.
    void run(const std::uint32_t index[3]);

private:
    struct WarpState {
        Warp view;
        Lanes lanes;
        std::uint32_t first_thread = 0;
        std::uint32_t idle_slices = 0;  // in a row, with lanes waiting at a join
        std::uint32_t patience = 0;     // idle slices after which those are let go
    };
    struct Barrier {
        std::uint32_t arrived = 0;   // threads
        std::uint32_t expected = 0;  // threads; 0: all that live
        BarrierResult result;
        bool active = false;
    };
    enum class Stop : std::uint8_t { kWaiting, kGone, kSlice };

    void start_warps(const std::uint32_t index[3]);
    void fill_specials(WarpState& state);
    bool run_warp(WarpState& state);
    Stop run_fragment(WarpState& state, Fragment& fragment, std::uint32_t slice_blocks);
    bool finish_block(WarpState& state, Fragment& fragment,
                      const BasicBlock& code);  // false: fragment is gone or waits
    bool branch(WarpState& state, Fragment& fragment, const BasicBlock& code);
    bool branch_indexed(WarpState& state, Fragment& fragment, const BasicBlock& code);
    void part(WarpState& state, Fragment& fragment, std::uint32_t mask, std::uint32_t target, std::uint32_t join);
    std::uint32_t join_for(WarpState& state, const Fragment& fragment, std::uint32_t meeting);
    bool call(WarpState& state, Fragment& fragment, const BasicBlock& code);
    void enter(WarpState& state, Fragment& fragment, std::uint32_t function, const BasicBlock& code);
    bool leave(WarpState& state, Fragment& fragment, const BasicBlock& code, bool returning);
    void resume_call(WarpState& state, std::uint32_t join, Fragment& merged);
    bool arrive_at_barrier(WarpState& state, Fragment& fragment, const BasicBlock& code);
    bool complete_barrier(std::uint32_t id);
    bool complete_barriers();
    bool converge(WarpState& state, Fragment& fragment, const BasicBlock& code);
    bool release_waiting();
    [[noreturn]] void raise_deadlock();
    void look_for_hang();
    bool spins(WarpState& state);
    bool repeats(WarpState& state, std::size_t index);
    struct Frames {
        std::uint32_t caller, callee, caller_local, callee_local;  // registers, then stacks
    };
    void copy_slots(Warp& warp, const Frames& frames, const std::vector<CallCopy>& copies, bool results);
    std::uint32_t guard_lanes(const WarpState& state, const Fragment& fragment, const Op* op) const;
    void prepare(WarpState& state, const Fragment& fragment);
    void charge();

    Worker& worker_;
    const Program& program_;
    const LaunchShape& shape_;
    InstructionBudget& budget_;
    HangBoard& board_;
    bool gave_up_ = false;
    unsigned hopeless_ = 0;  // verdicts in a row
    std::uint64_t charged_ = 0;
    std::vector<WarpState> warps_;
    std::uint32_t threads_ = 0, live_ = 0;
    Barrier barriers_[16];
    std::byte* arena_ = nullptr;  // registers, specials and stacks of all warps
    std::uint64_t arena_bytes_ = 0;
    std::uint64_t register_bytes_ = 0, local_bytes_ = 0, special_bytes_ = 0;  // per warp
    std::byte* launch_bank_ = nullptr;
    std::byte* constant_bank_ = nullptr;
};

}  // namespace tilescope::machine
