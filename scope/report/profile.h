// Profile: the plain data of a finished run, as the JSON of schema 1 carries it.
//
// Owns: Profile and what it holds. Guarantees: values only; reading one never runs anything; order of launches is the
// order in which the program made them. Does not model: how any of it was counted (scope/observers) or drawn (views/).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scope/base/diagnostic.h"
#include "scope/report/counters.h"

namespace tilescope {

using Dim3 = std::array<std::uint32_t, 3>;

// Counts of one source line. file is as the compiler recorded it.
struct LineProfile {
    std::string file;
    std::uint32_t line = 0;
    CounterSet counters;
};

// Something wrong that a kernel did: a fault that ended it, or a finding of --check.
// kind: "race", "out-of-bounds", "misaligned", "uninitialized", "divergent-barrier", "use-after-free", "invalid-free",
// "leak", "stream-race", "stack-overflow"; faults that are none of these use "trap", "deadlock", "illegal-instruction",
// "limit".
struct Hazard {
    std::string kind;
    std::string space;  // "global", "shared", "local", "constant" or ""
    std::string order;  // races: "read-after-write", ...
    std::string file;
    std::uint32_t line = 0;
    std::string other_file;
    std::uint32_t other_line = 0;
    std::uint64_t count = 1;
    Dim3 block{}, thread{};
    std::string kernel;
    std::string message;
};

enum class RegistersFrom : std::uint8_t { kCubin, kPtxas, kEstimate };

struct LaunchProfile {
    std::uint32_t index = 0;
    std::string kernel;  // demangled
    std::string entry;   // as in the PTX
    Dim3 grid{1, 1, 1}, block{1, 1, 1};
    std::uint64_t static_shared_bytes = 0, dynamic_shared_bytes = 0, local_bytes_per_thread = 0;
    std::uint32_t registers_per_thread = 0;
    RegistersFrom registers_from = RegistersFrom::kEstimate;
    std::uint32_t spill_store_bytes = 0, spill_load_bytes = 0;  // per thread, when a cubin or ptxas told
    std::uint64_t blocks_run = 0;
    bool sampled = false;  // counters are scaled from blocks_run to the whole grid
    bool observed = true;  // false: --kernel or --launches left it out; it ran, nothing was counted
    std::uint32_t stream = 0;
    CounterSet counters;
    double seconds = 0;  // wall time of the emulation
    // Occupancy on the modelled device; 0 blocks when not known.
    std::uint32_t blocks_per_sm = 0, warps_per_sm = 0;
    double occupancy = 0;
    std::vector<std::string> limiters;  // "threads", "blocks", "registers", "shared"
    std::vector<LineProfile> lines;     // sorted by file, then line
    std::vector<Hazard> hazards;
};

// How the run ended, beside the program's own status.
enum class Outcome : std::uint8_t {
    kOk,
    kFault,        // a kernel faulted: exit status 3
    kUnsupported,  // a kernel needed something that is not there: exit status 3
    kLimit,        // --max-instructions or --memory-limit: exit status 6
};

struct Profile {
    int schema = 1;
    std::string tilescope_version;
    std::string device = "h200";
    std::string program;
    std::string compiler;  // "clang 19.1.7", "nvcc 13.0.88" or "" for an executable
    std::vector<LaunchProfile> launches;
    std::vector<Hazard> hazards;  // of the run rather than of one launch
    Outcome outcome = Outcome::kOk;
    Diagnostics diagnostics;  // what ended it, and warnings on the way (calls not supported, ...)
    unsigned jobs = 1;
    double seconds = 0;
};

}  // namespace tilescope
