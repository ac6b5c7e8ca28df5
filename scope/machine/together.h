// Together: the blocks of a launch that may wait for each other. Internal to scope/machine.
//
// All blocks that fit on the device are resident and take turns in the order of their numbers, on one thread. A block
// that has ended makes room on its SM for the next one of the grid, whose turn comes in the same round.
// Guarantees: the order of turns is a function of the program, the launch and the device alone; whoever can go on does.
// Does not model: how much of its time an SM gives to each of its blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/grid_run.h"
#include "scope/machine/sm.h"

namespace tilescope::machine {

class GridRun::Together {
public:
    explicit Together(GridRun& run);
    ~Together();
    void run_all();

private:
    void place_blocks();
    bool begin(Resident& resident);
    void end(Resident& resident);
    bool run_round();
    bool has_moved(Resident& resident);
    bool release_waiting();
    void look_for_hang();
    bool is_changed_by_another(const std::vector<std::pair<Resident*, Stuck>>& all) const;
    std::string blocks_left() const;
    template <class Action>
    void guarded(Resident& resident, Action action);

    GridRun& run_;
    SmArray sms_;
    std::vector<Resident> resident_;  // in the order of their numbers
    std::vector<WorkerSlot*> free_;
    std::uint64_t kept_ = 0;       // bytes of the memory budget, for the blocks that have begun
    std::uint64_t held_back_ = 0;  // blocks that the memory limit keeps from beginning
    std::uint64_t max_resident_ = 0;
    std::uint32_t polls_ = 0;     // granted in a turn
    std::uint64_t executed_ = 0;  // warp instructions of all blocks
};

}  // namespace tilescope::machine
