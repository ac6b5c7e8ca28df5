// Profile: the plain data of a finished run, as the JSON of schema 1 carries it.
//
// Owns: Profile and what it holds. Guarantees: values only; reading one never runs anything; order of launches is the
// order in which the program made them. Does not model: how any of it was counted (scope/observers) or drawn (views/).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scope/base/diagnostic.h"
#include "scope/report/access_picture.h"
#include "scope/report/advice.h"
#include "scope/report/bounds_checks.h"
#include "scope/report/counters.h"
#include "scope/report/enums.h"
#include "scope/report/hazard_facts.h"
#include "scope/report/kernel_code.h"
#include "scope/report/launch_energy.h"
#include "scope/report/launch_list.h"
#include "scope/report/launch_occupancy.h"
#include "scope/report/phase_table.h"
#include "scope/report/roofline_profile.h"
#include "scope/report/run_timeline.h"

namespace tilescope {

inline bool operator==(const CounterSet& a, const CounterSet& b) { return a.values == b.values; }

using Dim3 = std::array<std::uint32_t, 3>;

// What tiling could save: bytes that the threads of a block asked of global memory by loads, against the distinct bytes
// that those loads touched. Exact; of a sampled launch scaled to the whole grid, as its counters are.
struct Tiling {
    std::uint64_t requested_bytes = 0;         // asked for by threads
    std::uint64_t unique_bytes_per_block = 0;  // distinct bytes, counted once for each block, over all blocks
    std::uint64_t requests = 0;                // loads, once for each thread
    // Distinct bytes over the whole grid. Nothing for a line, and of a sampled launch: blocks that did not run would
    // have touched others.
    std::optional<std::uint64_t> unique_bytes = std::nullopt;
    // Share of the requested bytes that the thread which asked for them had asked for before, with no other thread of
    // its block asking in between. From the first accesses of a few blocks; nothing when none of them loaded any.
    std::optional<double> own_share = std::nullopt;
    // Of all requested bytes, those of own_share that the same instruction asked for again: a register's.
    double register_share = 0;
    // How many times less would be asked for if a block loaded each byte once: the most that shared memory can save. 0
    // when nothing was loaded.
    double potential() const {
        return unique_bytes_per_block == 0
                   ? 0
                   : static_cast<double>(requested_bytes) / static_cast<double>(unique_bytes_per_block);
    }
    // The same for what a thread asks for after another one of its block.
    double between_threads() const { return std::max(1.0, potential() * (1 - own_share.value_or(0))); }
    bool operator==(const Tiling&) const = default;
};

// The same for one allocation that loads touched.
struct BufferReuse {
    std::optional<std::uint32_t> parameter;  // the first kernel parameter that points into it
    std::string name;  // of a module's variable, or of the parameter in the kernel's source, where that could be read
    std::uint64_t bytes = 0;  // of the allocation
    Tiling tiling;            // of the loads from it
    // How often each element that was loaded at all was asked for, on average over the whole grid.
    std::optional<double> requests_per_element() const {
        if (tiling.unique_bytes.value_or(0) == 0) return std::nullopt;
        return static_cast<double>(tiling.requested_bytes) / static_cast<double>(*tiling.unique_bytes);
    }
    bool operator==(const BufferReuse&) const = default;
};

// What the caches did for one buffer: modelled.
struct CachedBuffer {
    BufferKind kind = BufferKind::kAllocation;
    std::optional<std::uint32_t> parameter;  // the first kernel parameter that points into it
    std::string name;                        // as of a BufferReuse
    std::uint64_t bytes = 0;                 // of an allocation
    std::uint64_t atomic_sectors = 0;        // of atomics and reductions, once for each request
    // Sectors of loads and stores, those of caches, and bytes of device memory.
    CounterSet counters;
    bool operator==(const CachedBuffer&) const = default;
};

// What became of a shared variable, or of a stretch of shared memory without one: sums over the blocks.
struct SharedReuse {
    std::string name;  // as in the PTX
    std::uint64_t offset = 0, bytes = 0;
    std::uint64_t written_bytes = 0;         // distinct bytes that a thread wrote
    std::uint64_t read_by_others_bytes = 0;  // of these: read by a thread other than the one that wrote them last
    // An instruction of one thread went to several places of it, so that registers cannot take its place.
    bool indexed_at_run_time = false;
    bool operator==(const SharedReuse&) const = default;
};

// One variable of a kernel, or all of one kind: how large one is, how many there are during the launch, and who sees
// it.
struct Variable {
    std::string name;  // as in the source; "registers", "local arrays" and "spills" where no name survives
    VariableSpace space = VariableSpace::kRegister;
    std::uint64_t bytes = 0;  // of one version
    std::uint64_t versions = 0;
    VariableScope scope = VariableScope::kThread;  // who sees one version
    VariableLifetime lifetime = VariableLifetime::kGrid;
    // Of a shared array, as the kernel's source declares it; empty where that could not be read.
    std::vector<std::uint64_t> extents{};
    bool operator==(const Variable&) const = default;
};

// How fetches of textures go through their images: of blocks of a sample, the same for any number of workers.
struct TexelWalk {
    std::uint64_t fetches = 0;   // warp instructions
    std::uint64_t requests = 0;  // of these
    // Warp instructions of which each lane gets one texel, as it lies there, within the image.
    std::uint64_t single = 0;
    std::uint64_t sectors = 0;                     // that they ask for
    std::uint64_t row_sectors = 0, row_lines = 0;  // that loads would touch where the texels lay in rows
    std::uint64_t tile_sectors = 0;                // that the same requests would ask of an array
    std::uint64_t in_rows = 0;                     // warp instructions, from linear or pitched memory
    std::uint64_t by_hand = 0;                     // one of four whose texels are two by two neighbours
    bool operator==(const TexelWalk&) const = default;
};

// A scalar or array that a kernel declares within itself: every thread has its own.
struct AutomaticVariable {
    std::string name, type;
    std::vector<std::uint64_t> extents{};            // empty: no array
    std::uint64_t bytes = 0;                         // of one thread's
    VariableSpace space = VariableSpace::kRegister;  // or local memory
    bool kept_by_assembler = false;                  // in registers, where the PTX has local memory
    bool operator==(const AutomaticVariable&) const = default;
};

// Counts of one source line. file is as the compiler recorded it. Of code that names no line of a source: of one line
// of its PTX; file is then the PTX's name.
// A copy of an aligned record, one access in the source, of which the compiler made several.
struct SplitCopy {
    std::uint32_t bytes = 0;              // that one access would move
    std::uint32_t loads = 0, stores = 0;  // that move them; 0: one, or none
    bool operator==(const SplitCopy&) const = default;
};

struct LineProfile {
    std::string file;
    std::uint32_t line = 0;
    CounterSet counters;
    std::optional<Tiling> tiling;   // of the line's global loads
    std::string shared_variable{};  // the one that its shared loads and stores with bank conflicts went to
    // Of a structure whose parts the line's accesses to global memory ask for one by one, where that takes more
    // sectors; 0: of none.
    std::uint32_t structure_bytes = 0;
    std::optional<SplitCopy> split_copy{};
    // From row to row of the matrices that the line loads or stores in shared memory (ldmatrix, stmatrix, wmma), where
    // rows conflict and all lie that far apart; 0: not so.
    std::uint32_t matrix_row_bytes = 0;
    // All that it asks of global memory are matrices for tensor cores, whose elements the hardware gives to lanes.
    bool by_layout = false;
    LinesFrom from = LinesFrom::kSource;
    std::string text{};                      // of a line of PTX: its instruction
    std::optional<TexelWalk> texels{};       // of its fetches of textures
    std::vector<RequestPicture> pictures{};  // of the lines that moved most
    bool operator==(const LineProfile&) const = default;
};

// Something wrong that a kernel did: a fault that ended it, or a finding of --check.
struct Hazard {
    HazardKind kind = HazardKind::kTrap;
    HazardSpace space = HazardSpace::kNone;
    RaceOrder order = RaceOrder::kNone;  // of a race
    std::string file;
    std::uint32_t line = 0;
    std::string other_file;  // of the access that it met, which the program has before it
    std::uint32_t other_line = 0;
    std::uint64_t count = 1;
    Severity severity = Severity::kError;  // only errors make the run's status
    Dim3 block{}, thread{};                // of the example: who did it, and whom it met
    Dim3 other_block{}, other_thread{};
    std::string kernel;
    HazardFacts facts;
    std::string message;   // these two in words, which are made of the facts where a run ends (views/words/speak.h)
    std::string hint;      // what to do about it
    bool by_auto = false;  // found by --check auto: it decides no exit status
    bool operator==(const Hazard&) const = default;
};

// What was looked for in a run, and in how many of its launches.
struct CheckedLaunches {
    std::vector<Check> kinds;
    bool is_auto = false;
    std::uint64_t launches = 0, in_part = 0, skipped = 0;
    bool operator==(const CheckedLaunches&) const = default;
};

struct SpillCount {
    std::uint64_t instructions = 0, requests = 0, sectors = 0, bytes = 0;
    bool operator==(const SpillCount&) const = default;
};

// What a launch's spills moved through local memory.
struct SpillTraffic {
    bool counted = false;  // exact, and among the local counters; else an estimate, which is not
    SpillCount loads, stores;
    SpillsInCaches in_caches = SpillsInCaches::kNone;
    bool operator==(const SpillTraffic&) const = default;
};

// What a launch's warps ask of the SMs, as near as can be told before the machine code is there: an estimate from the
// PTX, sums over all warps. It does not depend on the device. The time model goes by it.
//
// Multiplications of integers are the multiply-add pipe's, conversions between integers and floating-point numbers the
// special functions'.
struct WarpWork : PipeWork<double> {
    // Of the requests to global memory, by their addresses: passes of loads through L1's banks and tags, and the
    // 128-byte lines of loads and of stores and atomics.
    double load_passes = 0, load_lines = 0, store_lines = 0;
    // Of fetches of textures and reads of surfaces: passes of the texture unit, and lines. Nothing where the caches
    // were not modelled.
    double texture_passes = 0, texture_lines = 0;
    // Turns of the unit of L2 that atomics and reductions keep busy the longest, and how many of them sum floats right
    // behind another turn of the same sector. Nothing without any.
    double hottest_updates = 0, hottest_waits = 0;
    // Stores to the line that has the most, as they reach L2.
    double hottest_stores = 0;
    // Of all stores, as they reach L2: times a line is sent, and sectors that are not sent whole. Nothing where the
    // caches were not modelled.
    double sent_lines = 0, sent_in_part = 0;
    // Loads and atomics on global and local memory of the warp with the most, in times the average one's.
    double busiest_warp = 1;
    bool operator==(const WarpWork&) const = default;
};

// What the replay of the caches found on its own clock, in cycles of the SMs.
struct ReplayClock {
    double cycles = 0;        // from the launch's begin to the end of its last block
    double busy_cycles = 0;   // to the end of each SM's last block, on average over those that had one
    double warp_cycles = 0;   // from the begin of each warp's block to the warp's end, summed over all warps
    double longest_warp = 0;  // of these, the longest
    // From the begin of each warp's block to the block's end, summed over all warps; cycles in which SMs have blocks,
    // summed over all SMs, and of the SM with the least and with the most. What was written before they were counted
    // has 0.
    double resident_cycles = 0, active_cycles = 0, least_active_cycles = 0, most_active_cycles = 0;
    std::uint64_t active_spells = 0;                  // stretches of time in which an SM has blocks, of all SMs
    std::uint64_t least_blocks = 0, most_blocks = 0;  // that an SM ran
    std::uint64_t sms = 0, busy_sms = 0;              // of the device; that ran some
    // Of all warps: waiting for a slot of the scheduler, for arithmetic, for a turn in the pipe of L1 and shared
    // memory, for what memory brings, and for others at barriers.
    double slots = 0, arithmetic = 0, pipe = 0, memory = 0, barriers = 0;
    double local_memory = 0;  // of the waiting for memory, what would not be without local memory and spills
    // What opening rows of device memory took beyond the bytes that were read and written, as so many bytes more.
    double row_read_bytes = 0, row_write_bytes = 0;
    bool operator==(const ReplayClock&) const = default;
};

// How long a launch takes on the modelled device: modelled (docs/internals/time-model.md).
struct TimeProfile {
    double microseconds = 0;
    TimeBound bound = TimeBound::kLaunch;       // what takes the largest part
    TimeBound next_bound = TimeBound::kLaunch;  // what would, if that took nothing
    double next_microseconds = 0;               // how long the launch would take then
    double clock_ghz = 0;                       // of the SMs, that this counts on
    // Where idle SMs wait for one warp that takes most of the launch: how long it does, and how long the average one.
    std::optional<double> longest_warp, average_warp;
    TimeParts breakdown;  // microseconds, that add up
    // How busy the units are on average over the device and this time, and what is read and written meanwhile. Nothing
    // in profiles that were written before this was told.
    std::optional<PeakShares> of_peak;
    double dram_gb_per_second = 0, l2_gb_per_second = 0;
    double effective_gb_per_second = 0;  // of what threads ask for, wherever it comes from; 0: of nothing, or not told
    bool operator==(const TimeProfile&) const = default;
};

// Floating-point operations whose product is known to be 0: a factor is a zero that the kernel put into shared memory
// itself, where an edge left nothing to load.
struct PaddedFlop {
    std::uint64_t fp16 = 0, fp32 = 0, fp64 = 0;
    std::uint64_t all() const { return fp16 + fp32 + fp64; }
    bool operator==(const PaddedFlop&) const = default;
};

struct LaunchProfile {
    std::uint32_t index = 0;
    std::string kernel;  // demangled
    std::string entry;   // as in the PTX
    Dim3 grid{1, 1, 1}, block{1, 1, 1};
    std::uint64_t static_shared_bytes = 0, dynamic_shared_bytes = 0, local_bytes_per_thread = 0;
    std::uint32_t registers_per_thread = 0;
    RegistersFrom registers_from = RegistersFrom::kEstimate;
    std::uint32_t spill_store_bytes = 0, spill_load_bytes = 0;  // per thread, when a cubin or ptxas told
    std::optional<SpillTraffic> spill_traffic;                  // nothing without spills, or where nobody can tell
    // Launches that this entry stands for (fold.h), and the different shapes (grid, block, dynamic shared memory) they
    // had.
    std::uint32_t folded = 1, folded_shapes = 1;
    std::uint64_t blocks_run = 0;
    std::optional<std::uint64_t> blocks_checked;  // of these, the first ones, where --check auto stopped early
    bool sampled = false;                         // counters are scaled from blocks_run to the whole grid
    bool observed = true;  // false: --kernel or --launches left it out; it ran, nothing was counted
    std::uint32_t stream = 0;
    std::uint32_t graph = 0;    // the launch of a graph that it is part of, counted from 1; 0: of none
    std::uint32_t process = 0;  // which of Profile::processes made it
    CounterSet counters;
    PaddedFlop padded_flop;  // of what the counters count
    // Of the bytes that device memory reads, those that a launch takes even where its kernel reads nothing: code and
    // parameters among them. 0 where the caches were not modelled.
    std::uint64_t launch_read_bytes = 0;
    // The share of the requests to memory that the caches' clock saw; the others went through the caches without one,
    // and what they did is told by those that did the same before and behind. Nothing without a replay.
    std::optional<double> caches_replayed;
    double seconds = 0;  // wall time of the emulation
    // Occupancy on the modelled device; 0 blocks when not known.
    std::uint32_t blocks_per_sm = 0, warps_per_sm = 0;
    double occupancy = 0;
    std::vector<SmResource> limiters;
    // Warps that an SM has on average while it has any, of those it can hold: modelled; nothing without a replay.
    std::optional<double> achieved_occupancy;
    std::optional<OccupancyProfile> occupancy_profile;
    std::optional<WarpWork> work;             // nothing when not observed
    std::optional<ReplayClock> replay;        // nothing where the caches were not modelled
    std::optional<TimeProfile> time;          // nothing where the caches were not modelled, or the device is not known
    std::optional<RooflineProfile> roofline;  // nothing without arithmetic
    std::optional<EnergyProfile> energy;  // estimated; nothing where the caches were not modelled, or no cost is known
    std::optional<Tiling> tiling;         // nothing when not observed
    std::vector<BufferReuse> buffers;     // by parameter, then by age
    std::vector<SharedReuse> shared_reuse;  // by offset
    // Those that caches moved: by parameter, then by age, then local memory and the heap.
    std::vector<CachedBuffer> cached_buffers;
    // Whether barriers order anything: threads of a block meet at bytes of global memory that one of them wrote, there
    // are atomics or volatile accesses, or barriers hand on votes. Only looked at where a kernel has barriers and no
    // shared memory.
    std::optional<bool> threads_meet;
    std::vector<Variable> variables;
    std::vector<AutomaticVariable> automatic_variables;  // in the order of the source; those whose place is known
    std::vector<LineProfile> lines;                      // sorted by file, then line
    std::vector<Advice> advice;                          // the most rewarding first
    std::optional<BoundsProfile> bounds;                 // nothing where nobody asked
    std::vector<Hazard> hazards;
    std::uint64_t hazards_passed_over = 0;  // by who read the profile and wanted a part of them
    bool operator==(const LaunchProfile&) const = default;
};
using LaunchList = LaunchesOf<LaunchProfile>;

// An address in a program or library, as its file has it.
struct CodePlace {
    std::string module;  // path
    std::uint64_t address = 0;
};

// A call of the CUDA runtime that failed, once for each place that made it. What fails only because a kernel has
// faulted before is not among them.
struct FailedCall {
    std::string call;    // "cudaMalloc"; "launch" for kernel<<<...>>>(...), which hands no error back
    std::string error;   // "cudaErrorInvalidValue"
    std::string reason;  // in words
    std::string kernel;  // of a launch: the one that did not run
    std::string file;    // of the host code; empty: not known
    std::uint32_t line = 0;
    std::uint64_t count = 1;
    // How often nobody read the error afterwards (cudaGetLastError, cudaPeekAtLastError). What a program does with the
    // value that a call returns cannot be seen.
    std::uint64_t unread = 0;
    std::vector<CodePlace> called_from;  // the innermost first, until file and line are found

    bool is_launch() const { return call == "launch"; }
};

// Copies that one place of the host program made alike: direction, kind of host memory, stream, way of waiting.
struct Transfer {
    CopyDirection direction = CopyDirection::kHtoD;
    HostMemory host_memory = HostMemory::kNone;  // of the host's side; between two places of the device none
    std::uint32_t stream = 0;
    bool is_async = false;  // by a call that need not wait
    std::uint64_t count = 0, bytes = 0;
    std::uint64_t repeated = 0;          // of these copies, those that brought to the device what was there already
    std::optional<double> microseconds;  // of all of them on the copy engine: modelled; nothing where nobody can tell
    std::string file;                    // of the host code; empty: not known
    std::uint32_t line = 0;
    std::vector<CodePlace> called_from;  // until file and line are found
};

// A launch that was under way when the program ended.
struct UnfinishedLaunch {
    std::uint32_t index = 0;
    std::string kernel;  // demangled
    Dim3 grid{1, 1, 1}, block{1, 1, 1};
};

// What became of a budget over all launches of its kernel.
struct BudgetResult {
    std::string budget;  // as given
    BudgetVerdict verdict = BudgetVerdict::kKept;
    std::uint64_t launches = 0;  // that were held against it
    std::uint64_t broken = 0;    // of these, that broke it
    // Of the first launch that broke it, else of the first that lacks a value; nothing where it was kept.
    std::optional<std::uint32_t> launch;
    std::string kernel;  // demangled
    std::string values;  // "name = value", for each name in it
    bool operator==(const BudgetResult&) const = default;
};

// A process of the program that used the device. One that replaces itself by another program is two of them.
struct ProcessOfRun {
    int id = 0, parent = 0;  // as the system numbers them
    std::string program;     // the name of its executable
    ProcessBegin how = ProcessBegin::kStarted;
    std::uint64_t launches = 0;
    bool operator==(const ProcessOfRun&) const = default;
};

struct Profile {
    int schema = 1;
    std::string tilescope_version;
    std::string device = "h200";
    std::string program;
    std::string compiler;  // "clang 19.1.7", "nvcc 13.0.88" or "" for an executable
    LaunchList launches;
    std::vector<Hazard> hazards;  // of the run rather than of one launch
    Outcome outcome = Outcome::kOk;
    // How the host program ended: "exit 0", "signal 11", "time limit"; empty where there was none (`launch`).
    std::string ended;
    std::optional<UnfinishedLaunch> unfinished;
    std::vector<ProcessOfRun> processes;  // in the order in which they began; nothing where one program ran alone
    std::vector<FailedCall> failed_calls;
    std::vector<Transfer> transfers;                // in the order of their first copies
    std::vector<TimelineSpan> timeline;             // in the order in which they end
    std::vector<Advice> advice;                     // about the program rather than a launch, the most rewarding first
    std::optional<TimelineTotals> timeline_totals;  // nothing where no time line could be drawn
    std::optional<EventTimes> event_times;          // nothing where nobody asked for one
    std::optional<PageReport> pages;                // nothing without managed memory
    std::optional<PhaseTable> trace;                // of `trace`: one block of one launch
    std::vector<KernelCode> code;                   // of kernels, once for each
    std::vector<Check> checks;                      // that looked for hazards
    bool checks_are_auto = false;                   // as far as they cost little (--check auto)
    std::optional<CheckedLaunches> checked;         // of a finished run (note_checked); nothing without checks
    std::uint64_t suppressed = 0;                   // hazards that --suppress and comments in the source have hidden
    std::uint64_t hazards_passed_over = 0;          // of the run, as of launches
    std::vector<BudgetResult> budgets;              // in the order in which they were given
    Diagnostics diagnostics;                        // what ended it, and warnings on the way (calls not supported, ...)
    unsigned jobs = 1;
    double seconds = 0;
};

}  // namespace tilescope
