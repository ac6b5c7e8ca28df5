// What the rules of advice share. Internal to scope/models/advice*.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/models/advice.h"
#include "scope/models/bounds.h"
#include "scope/models/occupancy.h"

namespace tilescope::models {

// One launch as the rules see it.
struct Case {
    const LaunchProfile& launch;
    const Device& device;
    Work work;
    double seconds = 0;                     // least time of the work
    std::optional<TimeProfile> time;        // modelled
    std::vector<LineProfile> lines;         // the launch's, or the launch as one line where the code names none
    std::uint64_t blocks = 0, threads = 0;  // of the grid, of a block

    std::uint64_t operator[](Counter counter) const { return launch.counters[counter]; }
};

// What a rule found, before it is weighed.
struct Finding {
    std::string file;
    std::uint32_t line = 0;
    double saves_bytes = 0;
    Work after{};            // the launch's work without what would be saved
    double speedup = 0;      // 0: as the work before and after says
    bool is_effort = false;  // worth saying for the effort that it would save, however little time
    AdviceFacts facts{};     // that its words go by
    // For the time model: sectors that would not be asked for, and whether the requests for loads go with them.
    double load_sectors = 0, store_sectors = 0, atomic_sectors = 0, local_sectors = 0;
    bool spares_requests = false;
    bool spares_spills = false;  // all of them, with what is known of their traffic
};

std::vector<Finding> find_uncoalesced(const Case&);
std::vector<Finding> find_tiles(const Case&);
std::vector<Finding> find_registers(const Case&);
std::vector<Finding> find_local_arrays(const Case&);
std::vector<Finding> find_spills(const Case&);
std::vector<Finding> find_atomics(const Case&);

std::vector<Finding> find_bank_conflicts(const Case&);
std::vector<Finding> find_constant_divergence(const Case&);
std::vector<Finding> find_no_reuse(const Case&);
std::vector<Finding> find_redundant_barriers(const Case&);

std::vector<Finding> find_stray_doubles(const Case&);

std::vector<Finding> find_low_occupancy(const Case&);
std::vector<Finding> find_partial_warps(const Case&);
std::vector<Finding> find_divergence(const Case&);
std::vector<Finding> find_tiny_grid(const Case&);

KernelResources resources_of(const Case&);
// What a finding would save of the launch's modelled time. Nothing where no time is modelled, or it cannot tell of the
// change.
std::optional<double> saved_microseconds(const Case& about, const Finding& finding);
// The work without so many bytes of memory traffic.
Work without_bytes(const Work& work, double bytes);
// The line that counted most of a counter; null when no line did.
const LineProfile* line_of_most(const Case& launch, Counter counter);
inline double as_double(std::uint64_t value) { return static_cast<double>(value); }

}  // namespace tilescope::models
