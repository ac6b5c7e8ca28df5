// Grid: all blocks of a launch over all workers.
//
// Guarantees: the same results and counts for any number of workers. Blocks are handed out in order; a program whose
// results depend on the order of blocks (Program::order_dependent) runs on one worker. When blocks fault, the fault of
// the lowest block is the launch's.
// Does not model: which blocks hardware keeps resident together; a block that waits for a later one never ends.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scope/machine/block.h"
#include "scope/machine/memory.h"
#include "scope/machine/observer.h"
#include "scope/machine/stepper.h"

namespace tilescope::machine {

struct GridRequest {
    const Program* program = nullptr;
    Memory* memory = nullptr;
    LaunchShape shape;
    std::vector<std::byte> parameters;
    unsigned workers = 1;
    double sample = 1.0;                     // fraction of the blocks to run
    bool on_after_faults = false;            // faulting accesses are dropped and taken down; loads give 0
    std::vector<const Observer*> observers;  // prototypes; each worker gets shards
    Stepper* stepper = nullptr;              // needs a program that make_steppable() made ready
    InstructionBudget* budget = nullptr;
    std::function<void(std::uint64_t done, std::uint64_t all, std::uint64_t instructions)> progress;  // from one thread
    HangHelp hang_help;                                             // blocks_left is filled by the grid itself
    std::function<void(const char* text, std::size_t size)> print;  // device-side output, whole calls
};

struct GridResult {
    std::optional<Fault> fault;  // what ended the launch; thread and block filled, here and below
    // Where accesses faulted, if the launch went on after them. When a fault of another kind ended it, the places that
    // blocks up to that one's met; how often is then not known, as other blocks came this far or that.
    std::vector<FaultPlace> places;
    Findings findings;  // likewise
    std::uint64_t blocks_run = 0;
    std::vector<BlockCount> counts;                    // by basic block, over all workers
    std::vector<std::uint64_t> guarded_lanes;          // by site
    std::vector<std::unique_ptr<Observer>> observers;  // merged, in the order of the request's
    std::uint64_t executed = 0;                        // warp instructions
};

GridResult run_grid(const GridRequest& request);

// Bytes that the blocks which run at once take, as working_bytes of each.
std::uint64_t working_bytes(const GridRequest& request);

// Blocks that a sample of the grid runs; linear numbers, evenly spread, the first included.
bool in_sample(std::uint64_t block, double fraction);
// The first of them from `block` on, or `end` or more when none comes before that.
std::uint64_t next_in_sample(std::uint64_t block, std::uint64_t end, double fraction);

}  // namespace tilescope::machine
