// What a warp of a launch needs of each station that it passes: schedulers, pipes, L1, the way to L2, L2, device
// memory.
//
// Owns: the demands that follow from a launch's counts and a device's rates (docs/internals/time-model.md has every
// formula). Guarantees: pure functions; cycles are those of the SM clock; all warps of a launch are alike, each an
// average one. Does not model: order within a warp, and warps that do more than others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/models/device.h"
#include "scope/report/profile.h"

namespace tilescope::models {

// How many of a station there are.
enum class StationPer : std::uint8_t { kScheduler, kSm, kDevice };

struct Station {
    TimeBound bound = TimeBound::kIssue;
    StationPer per = StationPer::kSm;
    double cycles = 0;   // of one warp, when nobody is before it
    double at_peak = 0;  // of these, what the unit takes at its peak rate; 0: it has none
};

// Of one warp.
struct Demands {
    std::vector<Station> stations;
    double waiting = 0;  // cycles for what is under way, when nobody is before it
};

// How long requests are under way, on average over a launch; in cycles, the station's own time left out.
struct MemoryWaits {
    double global = 0, local = 0;   // one turn of a warp, which waits for the slowest of its lines
    double first_level_misses = 0;  // share of global load sectors
    double from_device_memory = 0;  // share of sectors read of L2
    double from_far = 0;            // share of sectors looked up in the far part
    double lines_of_a_wait = 1;
};

// Figures that the model cannot do without and the device's description lacks, by their keys.
std::vector<std::string> missing_for_time(const Device& device);
// Whether the launch asks textures of a device of which nobody knows how fast they are.
bool lacks_textures(const Device& device, const LaunchProfile& launch);

// Of a piece of a warp's work: slots of its scheduler, pipes that take more than one each included; and cycles that it
// takes by itself, memory beyond L1 left out.
double scheduler_slots(const Device& device, const WarpWork& work);
double chain_cycles(const Device& device, const WarpWork& work);

// The launch must have counters of caches and its work.
MemoryWaits memory_waits(const Device& device, const LaunchProfile& launch);
Demands demands_of(const Device& device, const LaunchProfile& launch);
// The same by unit, each at the peak rate of its description, which nothing reaches: schedulers and pipes apart.
std::vector<Station> units_of(const Device& device, const LaunchProfile& launch);
// Of a launch.
double warps_of(const LaunchProfile& launch);

// How often a warp asks memory beyond L1 and waits for it, at least once, and how often it meets others at a barrier.
double turns_of(const LaunchProfile& launch);
double barriers_of(const LaunchProfile& launch);

// Cycles before the first instruction and behind the last of a launch whose code and parameters no cache has.
double launch_cycles(const Device& device);

}  // namespace tilescope::models
