// What a run is asked to do, and how that travels from the command line to the process that runs the program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scope/base/result.h"
#include "scope/report/enums.h"
#include "scope/session/trace_options.h"

namespace tilescope {

struct SessionOptions {
    std::string device = "h200";         // a known name or a path to a JSON file
    unsigned jobs = 0;                   // worker threads; 0: one per hardware thread
    bool jobs_at_once = false;           // they all begin with each launch, however small; not for the command line
    double sample = 1.0;                 // fraction of a grid's blocks to run, (0, 1]
    std::uint64_t max_instructions = 0;  // warp instructions of the whole run; 0: no limit
    double time_limit = 0;               // seconds of the whole run; 0: no limit
    std::int64_t deadline = 0;           // when it is reached, in nanoseconds of the steady clock; 0: never
    bool on_after_faults = false;        // drop faulting accesses and list their places, instead of ending the launch
    std::uint32_t checks = 0;            // bits of Check: which hazards to look for
    bool checks_are_auto = false;        // --check auto: as far as they cost little, and they decide no exit status
    bool mild_leaks = false;             // leaks are told and decide nothing: --check all names them by the way
    std::vector<TraceShape> shapes;      // of buffers, whose rows --check memory looks at
    // Checks of an index that kernels run without, as "LINE" or "FILE:LINE" (isa::LowerRequest::is_without).
    std::vector<std::string> without_checks;
    // The profile has each launch's checks, and what memory holds behind it; not for the command line.
    bool tells_checks = false;
    // Atomics and other strong writes of a launch, by warp instruction, whose order the race check keeps.
    std::uint32_t max_ordered_writes = (1u << 27) - 2;
    std::uint8_t fill = 0;        // what fresh device and shared memory holds
    bool caches = false;          // model L1, L2 and device memory
    bool caches_in_full = false;  // the whole of each launch, however long and however often it repeats itself
    bool warm = false;            // L2 keeps what it has from one launch to the next
    // A launch that requests of the caches what one before did takes its answer; not for the command line.
    bool recalls_launches = true;
    std::uint64_t memory_limit = 0;         // bytes that the run may keep; 0: no limit
    std::string memory_file;                // through which all its processes keep to it; empty: one process
    std::uint64_t device_memory = 0;        // bytes of the device's memory; 0: as the device description says
    std::vector<std::string> kernel_globs;  // count only kernels whose name matches one; empty: all
    std::optional<std::pair<std::uint64_t, std::uint64_t>> launches;  // count only launches first..last (from 0)
    bool progress = false;                                            // draw a progress bar on standard error
    bool color = false;
    bool ask_ptxas = true;  // for the registers of kernels that no machine code tells them of
    int verbosity = 0;      // -1 quiet, 0, 1 verbose
    std::string program;    // names for the profile's head
    std::string compiler;
    std::optional<TraceOptions> trace;  // record a block of the first launch that is counted
};

// Where a check of an index stands: a line, of a file whose path ends so; empty: of any.
struct CheckPlace {
    std::string file;
    std::uint32_t line = 0;
};
// "LINE" or "FILE:LINE", counted from 1; nothing for anything else.
std::optional<CheckPlace> parse_check_place(std::string_view text);

// One environment variable carries the options, another where the journal of the run goes (scope/report/journal.h).
inline constexpr const char* kOptionsVariable = "TILESCOPE_OPTIONS";
inline constexpr const char* kJournalVariable = "TILESCOPE_JOURNAL";
// Set where the program may have a CUDA runtime linked into it, whose calls ours takes over.
inline constexpr const char* kStaticRuntimeVariable = "TILESCOPE_STATIC_RUNTIME";
// The compiler that the user chose, for what the program has compiled while it runs.
inline constexpr const char* kCompilerVariable = "TILESCOPE_COMPILER";

// Starts the time that options.time_limit gives.
void set_deadline(SessionOptions& options);

std::string encode(const SessionOptions& options);
Result<SessionOptions> decode(std::string_view text);

}  // namespace tilescope
