// The first stage of a launch: from what is asked for to what will run.
//
// Guarantees: says what CUDA refuses, before anything runs; occupancy and the grid's shape are worked out here, once.
// Does not model: a launch that waits for room; there is room or it is refused.
#pragma once

#include <memory>
#include <optional>

#include "scope/machine/grid.h"
#include "scope/models/occupancy.h"
#include "scope/session/launch/memory.h"
#include "scope/session/session_state.h"

namespace tilescope {

// A launch that may run, and all that it is about.
struct Prepared {
    const Settings& settings;
    machine::Memory& memory;
    LoadedModule& module;
    Kernel& kernel;
    const LaunchRequest& request;
    const machine::Program& program;
    models::KernelResources resources;
    models::Occupancy occupancy;
    std::uint64_t index = 0;  // of the run's launches, from 0
    bool is_counted = true;   // false: --kernel or --launches leaves it out
    machine::GridRequest grid;
    std::unique_ptr<BlockMemory> room;
    std::unique_ptr<machine::LaunchProgress> progress;  // null: nobody looks; then `grid` does not have it either

    const std::string& name() const { return kernel.info.name; }
    std::uint64_t blocks() const { return std::uint64_t{request.grid[0]} * request.grid[1] * request.grid[2]; }
};

// Nothing where it may not run: `result` says why.
std::optional<Prepared> prepare(const Settings& settings, Modules& modules, DeviceMemory& device_memory,
                                std::uint64_t index, const LaunchRequest& request, LaunchResult& result);

}  // namespace tilescope
