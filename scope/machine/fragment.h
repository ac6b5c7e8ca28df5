// How the lanes of one warp are spread over its code.
//
// A Fragment is a set of lanes at one place. Lanes that part at a branch belong to a Join, which says where they meet
// again (the branch's immediate post-dominator) and holds those that are there already. A call is a Join too: its lanes
// meet when they return. Lanes whose partners do not come can be let go (release_waiting), so that a lane which spins
// on another lane of its own warp makes progress. Does not model: barriers (block.h).
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/program.h"

namespace tilescope::machine {

inline constexpr std::uint32_t kNoJoin = 0xffffffffu;

enum class FragmentState : std::uint8_t { kReady, kAtBarrier, kPastBarrier, kAtConverge };

// What a barrier with a reduction found over the threads that met at it.
struct BarrierResult {
    std::uint32_t count = 0;  // threads whose predicate held
    bool all = true, any = false;
};

struct Fragment {
    std::uint32_t mask = 0;
    std::uint32_t block = 0;  // basic block to run next; of a waiting one, the block whose terminator it waits at
    std::uint32_t join = kNoJoin;
    std::uint32_t function = 0;
    std::uint32_t frame = 0;        // byte offset of the register frame
    std::uint32_t local_frame = 0;  // byte offset of the lanes' stack frame
    FragmentState state = FragmentState::kReady;
    std::uint8_t barrier = 0;
    std::uint32_t awaited = 0;  // at a meeting point: the lanes that lived when these came
    BarrierResult result;       // past a barrier: what it found
};

struct Join {
    std::uint32_t parent = kNoJoin;
    std::uint32_t block = kNoBlock;  // where its lanes meet; kNoBlock: when they exit or return
    std::uint32_t expected = 0;      // lanes that are to meet
    std::uint32_t arrived = 0;
    bool is_call = false;
    bool in_use = false;
    std::uint32_t function = 0, frame = 0, local_frame = 0;             // of the code they meet in
    std::uint32_t call_site = 0, call_frame = 0, call_local_frame = 0;  // calls: to copy the results back
};

// The fragments and joins of one warp.
class Lanes {
public:
    void start(std::uint32_t mask, std::uint32_t entry);

    std::vector<Fragment>& fragments() { return fragments_; }
    const std::vector<Fragment>& fragments() const { return fragments_; }
    const std::vector<Join>& joins() const { return joins_; }
    const Join& join(std::uint32_t index) const { return joins_[index]; }

    // Opens a join for lanes of `fragment` that are about to part.
    std::uint32_t open(const Join& join);
    // `mask` has reached the join's meeting place. Returns true and fills `merged` when that completes it.
    bool arrive(std::uint32_t join, std::uint32_t mask, Fragment& merged);
    // `mask`, last in `join`, leaves for good: up to the nearest call when `returning`, else through all joins. No join
    // passed on the way waits for it any more. Branch joins completed by that put their lanes back into fragments();
    // completed calls go to finished_calls(). Returns the call that a return stopped at, kNoJoin when there is none.
    std::uint32_t leave(std::uint32_t join, std::uint32_t mask, bool returning);
    // Calls whose lanes have all returned or exited through leave(); the caller empties the list.
    std::vector<std::uint32_t>& finished_calls() { return finished_calls_; }
    void close(std::uint32_t join) {
        joins_[join].in_use = false;
        free_.push_back(join);
    }
    // Makes one fragment of those that are ready at one place of the code, for one and the same join.
    void gather();
    // Lets lanes that wait at a branch's join go on without their partners. False when none waits.
    bool release_waiting();
    // Where the lanes of `join` meet, kNoBlock for calls and none.
    std::uint32_t meeting_block(std::uint32_t join) const {
        return join == kNoJoin || joins_[join].is_call ? kNoBlock : joins_[join].block;
    }

private:
    bool complete(std::uint32_t join, Fragment& merged);

    std::vector<Fragment> fragments_;
    std::vector<Join> joins_;
    std::vector<std::uint32_t> free_;
    std::vector<std::uint32_t> finished_calls_;
};

}  // namespace tilescope::machine
