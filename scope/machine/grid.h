// Grid: all blocks of a launch over all workers.
//
// Guarantees: the same results and counts for any number of workers. Blocks are handed out in order; a program whose
// results depend on the order of blocks (Program::order_dependent) runs on one worker. Blocks that may wait for each
// other (Program::may_wait, and those of a cooperative launch) take turns on one worker, as many of them at a time as
// fit on the device (together.h). When blocks that run apart fault, the fault of the lowest one is the launch's; of
// those that take turns, the first.
// Does not model: blocks of other launches that are on the device at the same time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scope/machine/block.h"
#include "scope/machine/launch_progress.h"
#include "scope/machine/memory.h"
#include "scope/machine/observer.h"
#include "scope/machine/stepper.h"

namespace tilescope::machine {

// Observers that see a launch's first blocks alone: all of a long launch would take them too long.
struct FirstBlocks {
    std::vector<const Observer*> observers;  // of GridRequest::observers
    // How many blocks they see, from the first on. Called once, when the first block has run, with its warp
    // instructions; it must not depend on anything else that changes from run to run. Empty: they see all blocks.
    std::function<std::uint64_t(std::uint64_t executed)> count;

    bool has(const Observer* observer) const;
};

struct GridRequest {
    const Program* program = nullptr;
    Memory* memory = nullptr;
    LaunchShape shape;
    std::vector<std::byte> parameters;
    unsigned workers = 1;
    // The other workers come when the first has run for so long: most launches of a program that makes thousands are
    // over before a thread would begin.
    std::chrono::microseconds alone{100};
    std::uint64_t blocks_per_sm = 0;  // that fit on each of shape.multiprocessors; 0: as many as there are
    bool cooperative = false;         // blocks may wait for each other, whatever the program looks like
    std::uint64_t workspace = 0;      // address of what cooperative groups keep of the grid; 0: none
    std::vector<WarpClock> paces;     // by basic block, what each adds to a warp's clock; empty: nothing
    double sample = 1.0;              // fraction of the blocks to run; cooperative ones all do
    // Reserved before each block's shared memory, where accesses harm nobody; the unit in which a block gets it; and
    // what special registers say of the reserved part: bytes that CUDA's own code uses, and the place where it ends.
    std::uint32_t shared_bytes_reserved = 0, shared_allocation_unit = 1;
    std::uint32_t shared_reserved_used = 0, shared_reserved_end = 0;
    std::uint8_t fill = 0;                   // what shared memory holds when a block begins
    bool on_after_faults = false;            // faulting accesses are dropped and taken down; loads give 0
    std::vector<const Observer*> observers;  // prototypes; each worker gets shards
    FirstBlocks first;                       // blocks that take turns on one worker are seen whole
    Stepper* stepper = nullptr;              // needs a program that make_steppable() made ready
    InstructionBudget* budget = nullptr;
    LaunchProgress* progress = nullptr;                             // told of it; null: nobody looks
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
    std::uint64_t blocks_first = 0;                    // of these, those that the observers of GridRequest::first saw
    std::vector<BlockCount> counts;                    // by basic block, over all workers
    std::vector<std::uint64_t> guarded_lanes;          // by site
    std::vector<std::unique_ptr<Observer>> observers;  // merged, in the order of the request's
    std::uint64_t executed = 0;                        // warp instructions
};

GridResult run_grid(const GridRequest& request);

// Bytes that the blocks which run at once take, as working_bytes of each; of blocks that take turns, the first one's.
std::uint64_t working_bytes(const GridRequest& request);

// Blocks that a sample of the grid runs; linear numbers, evenly spread, the first included.
bool in_sample(std::uint64_t block, double fraction);
// The first of them from `block` on, or `end` or more when none comes before that.
std::uint64_t next_in_sample(std::uint64_t block, std::uint64_t end, double fraction);

}  // namespace tilescope::machine
