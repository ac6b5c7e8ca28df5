// What the rules of advice share. Internal to scope/models/advice*.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scope/models/advice.h"
#include "scope/models/advice_change.h"
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
    double warps() const;  // of the grid
    // Of the launch's modelled time, the share that a part takes; 0 where there is none.
    double share_of(TimeBound bound) const;
};

// What a rule found, before it is weighed: one change, in as many lines as it takes.
struct Finding {
    explicit Finding(const Case& about) : change(about.launch) {}

    // The lines that it is about: the one that weighs most first.
    void at(const LineProfile& line, double weight) { places.emplace_back(weight, &line); }

    std::vector<std::pair<double, const LineProfile*>> places{};
    double saves_bytes = 0;  // that lanes ask for, where no caches were modelled
    Change change;           // the launch as it would be
    double speedup = 0;      // where no time is modelled; 0: as the least times before and after say
    // Microseconds that the launch would take, where the rule knows that itself.
    std::optional<double> then{};
    double least_share = kLeastShare;  // of the launch's time, that it must save to be worth saying
    bool is_effort = false;            // worth saying for the effort that it would save, however little time
    AdviceFacts facts{};               // that its words go by
};

std::vector<Finding> find_uncoalesced(const Case&);
std::vector<Finding> find_split_structures(const Case&);
std::vector<Finding> find_half_lines(const Case&);
std::vector<Finding> find_local_arrays(const Case&);
std::vector<Finding> find_spills(const Case&);
std::vector<Finding> find_atomics(const Case&);
std::vector<Finding> find_shared_atomics(const Case&);

std::vector<Finding> find_tiles(const Case&);
std::vector<Finding> find_registers(const Case&);

std::vector<Finding> find_bank_conflicts(const Case&);
std::vector<Finding> find_constant_divergence(const Case&);
std::vector<Finding> find_no_reuse(const Case&);
std::vector<Finding> find_redundant_barriers(const Case&);

std::vector<Finding> find_matrix_conflicts(const Case&);
std::vector<Finding> find_products(const Case&);

std::vector<Finding> find_stray_doubles(const Case&);

std::vector<Finding> find_low_occupancy(const Case&);
std::vector<Finding> find_partial_warps(const Case&);
std::vector<Finding> find_divergence(const Case&);
std::vector<Finding> find_tiny_grid(const Case&);
std::vector<Finding> find_few_in_flight(const Case&);
std::vector<Finding> find_imbalance(const Case&);

std::vector<Finding> find_texture_ways(const Case&);

KernelResources resources_of(const Case&);
// What a finding would save of the launch's modelled time. Nothing where no time is modelled.
std::optional<double> saved_microseconds(const Case& about, const Finding& finding);
// The line that counted most of a counter; null when no line did.
const LineProfile* line_of_most(const Case& launch, Counter counter);
inline double as_double(std::uint64_t value) { return static_cast<double>(value); }

}  // namespace tilescope::models
