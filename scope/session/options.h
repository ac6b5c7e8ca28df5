// What a run is asked to do, and how that travels from the command line to the process that runs the program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scope/base/result.h"
#include "scope/session/trace_options.h"

namespace tilescope {

struct SessionOptions {
    std::string device = "h200";            // a known name or a path to a JSON file
    unsigned jobs = 0;                      // worker threads; 0: one per hardware thread
    double sample = 1.0;                    // fraction of a grid's blocks to run, (0, 1]
    std::uint64_t max_instructions = 0;     // warp instructions of the whole run; 0: no limit
    std::uint64_t memory_limit = 0;         // bytes of device allocations; 0: the device's own size
    std::vector<std::string> kernel_globs;  // count only kernels whose name matches one; empty: all
    std::optional<std::pair<std::uint64_t, std::uint64_t>> launches;  // count only launches first..last (from 0)
    bool progress = false;                                            // draw a progress bar on standard error
    bool color = false;
    int verbosity = 0;    // -1 quiet, 0, 1 verbose
    std::string program;  // names for the profile's head
    std::string compiler;
    std::optional<TraceOptions> trace;  // record a block of the first launch that is counted
};

// One environment variable carries the options, another where the profile goes.
inline constexpr const char* kOptionsVariable = "TILESCOPE_OPTIONS";
inline constexpr const char* kProfileVariable = "TILESCOPE_PROFILE";

std::string encode(const SessionOptions& options);
Result<SessionOptions> decode(std::string_view text);

}  // namespace tilescope
