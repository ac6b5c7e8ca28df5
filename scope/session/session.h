// One run, wired together: modules loaded, memory, launches, and the profile that grows from them.
//
// Owns: Session. It binds PTX to the machine (scope/isa), runs grids (scope/machine) under the observers
// (scope/observers) and fills a Profile (scope/report). scope/runtime and scope/cli stand on this alone.
// Guarantees: launches run to completion inside launch(); counts and results are the same for any number of jobs.
// All members may be called from several host threads; launches are serialised.
// Does not model: asynchrony. Work happens when it is issued, in issue order, which every stream order allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"
#include "scope/machine/cache_hints.h"
#include "scope/machine/memory.h"
#include "scope/machine/run_observers.h"
#include "scope/models/device.h"
#include "scope/report/profile.h"
#include "scope/session/options.h"

namespace tilescope {

namespace image {
struct LoadedImage;
struct MachineCode;
}  // namespace image

// Facts from a cubin or ptxas about one kernel; what the session shows as registers_per_thread and checks launches
// with.
struct KernelFacts {
    std::string entry;
    std::uint32_t registers = 0;
    std::uint64_t static_shared_bytes = 0, local_bytes = 0;
    std::uint32_t spill_store_bytes = 0, spill_load_bytes = 0;
    std::shared_ptr<const image::MachineCode> machine_code;  // where the machine code tells, and is that of this PTX
    std::uint32_t barriers = 1;                              // named barriers that a block uses
    RegistersFrom from = RegistersFrom::kCubin;
};

enum class ParameterKind : std::uint8_t {
    kUnknown,
    kInteger,  // perhaps a pointer, too, where it has 8 bytes
    kFloat,
    kPointer,
};

struct KernelParameter {
    std::string name;
    std::uint32_t offset = 0, size = 0, align = 1;  // bytes, in the parameter buffer
    ParameterKind kind = ParameterKind::kUnknown;
};

// What a host may ask about a kernel (cudaFuncGetAttributes and the occupancy calls).
struct KernelInfo {
    std::string entry;  // mangled name
    std::string name;   // demangled
    std::uint32_t registers = 0;
    RegistersFrom registers_from = RegistersFrom::kEstimate;
    std::uint64_t static_shared_bytes = 0, constant_bytes = 0, local_bytes = 0;
    std::uint32_t barriers = 1;                  // named barriers that a block uses; 1 when nobody told
    std::uint32_t max_threads_per_block = 1024;  // .maxntid and .reqntid applied
    bool has_thread_bound = false;               // there is one of these
    std::uint32_t max_registers = 0;             // .maxnreg, 0 when absent
    std::uint32_t min_blocks_per_sm = 0;         // .minnctapersm, 0 when absent
    Dim3 required_block{0, 0, 0};                // .reqntid, 0 when absent
    std::uint32_t parameter_bytes = 0;
    std::vector<KernelParameter> parameters;
    std::uint32_t ptx_version = 0, binary_version = 0;  // as CUDA numbers them: 90 for sm_90
};

struct ModuleVariable {
    std::string name;
    std::uint64_t address = 0;  // as kernels see it; the host can touch it if it is managed
    std::uint64_t size = 0;     // bytes
    bool is_constant = false, is_managed = false;
};

// A managed variable's memory where the host program has it already, which then outlives the module.
struct HostStorage {
    std::string name;
    void* base = nullptr;
    std::uint64_t size = 0;  // bytes
};

using ModuleId = std::uint32_t;
using KernelId = std::uint32_t;

struct LaunchRequest {
    KernelId kernel = 0;
    Dim3 grid{1, 1, 1}, block{1, 1, 1};
    std::uint64_t dynamic_shared_bytes = 0;
    // As cudaFuncSetAttribute raised it; nothing: all that the device gives on request.
    std::optional<std::uint64_t> max_dynamic_shared_bytes = 48 * 1024;
    std::optional<unsigned> carveout_percent;  // as cudaFuncSetAttribute chose it
    // Lines for which the stream or the launch asks L2 for a priority (cudaAccessPolicyWindow); bytes 0: none.
    struct AccessWindow {
        std::uint64_t address = 0, bytes = 0;
        double hit_ratio = 0;  // of the lines that get `inside`; the rest get `others`
        machine::Eviction inside = machine::Eviction::kNormal, others = machine::Eviction::kNormal;
    };
    AccessWindow window;
    std::optional<std::uint64_t> persisting_bytes;  // of L2, whose lines give way last; nothing: as the device has it
    std::uint32_t stream = 0;
    bool begins_early = false;              // as machine::Issue has it
    std::uint32_t graph = 0;                // the launch of a graph that it is part of, counted from 1
    bool cooperative = false;               // all blocks have to be resident at once, and may wait for each other
    std::span<const std::byte> parameters;  // laid out as KernelInfo::parameters say
};

// What a Diagnostic says when a run would pass --memory-limit.
inline constexpr const char* kMemoryLimitCode = "memory-limit";
inline constexpr const char* kMemoryLimitHint = "--memory-limit says how much a run may keep";

enum class LaunchStatus : std::uint8_t {
    kOk,
    kInvalidConfiguration,  // grid or block beyond the limits, zero dimensions
    kTooMuchShared,         // dynamic shared memory
    kOutOfResources,        // registers
    kTooManyBlocks,         // of a cooperative launch: they do not fit on the device at once
    kFault,                 // illegal address, trap, deadlock, ...: see hazard
    kUnsupported,           // an instruction or feature that is not there: see diagnostics
    kLimit,                 // max_instructions or memory_limit reached
};

struct LaunchResult {
    LaunchStatus status = LaunchStatus::kOk;
    std::optional<Hazard> hazard;                 // kFault, and kLimit where instructions are meant
    HazardKind kind_on_card = HazardKind::kTrap;  // beside a hazard: what a card takes it for
    std::string reason;                           // why it may not run: kInvalidConfiguration to kTooManyBlocks
    Diagnostics diagnostics;                      // everything else that went wrong
};

// A place in the host's code.
struct CallPlace {
    SourceLocation at;     // line 0: not known
    std::string function;  // readable; empty when not known
};

// Of an H200 (CUDA 13.0).
inline constexpr std::uint64_t kDefaultPrintBytes = 8650752;

class Session {
public:
    static Result<std::unique_ptr<Session>> create(const SessionOptions& options);
    ~Session();

    const models::Device& device() const;
    machine::Memory& memory();
    // Who follows the run: told of memory and launches by the session, of all else by whoever does it. What they are
    // told in must not call the session.
    machine::RunObservers& observers();
    const SessionOptions& options() const;

    // All of loading: chooses the PTX that the device runs, takes what is known of its kernels, and loads the module.
    // Notes of the image go into the profile; so does what was wrong, and the outcome with it, when there is an error.
    // `nothing_runs` is the error when the device runs none of the PTX. `takes_newer`: where all of it is for newer
    // devices, it runs if this one has its instructions, and a note says so. What no driver would load ends no run: the
    // error is the program's to handle, and the profile has it as a warning.
    Result<ModuleId> load(const image::LoadedImage& image, const Diagnostic& nothing_runs,
                          std::span<const HostStorage> host_storage = {}, bool takes_newer = true);
    // Parses and lowers, and holds the module against its own target and the device (session/target_check.h). A kernel
    // that needs something unsupported still loads; launching it gives kUnsupported with the diagnostics (so that a
    // program which never launches it runs). `name` is for messages. Managed variables lie in `host_storage` where it
    // names them, and get their initial values there. `contracts`: as LowerRequest has it.
    Result<ModuleId> load_module(std::string_view ptx, std::string name, std::span<const KernelFacts> facts = {},
                                 std::span<const HostStorage> host_storage = {}, bool contracts = true);
    void unload_module(ModuleId module);

    std::vector<KernelId> kernels(ModuleId module) const;
    std::optional<KernelId> find_kernel(ModuleId module, std::string_view entry) const;
    std::string kernel_entry(KernelId kernel) const;  // its mangled name, which costs nothing; all else is lowered for
    const KernelInfo& kernel_info(KernelId kernel) const;
    std::optional<ModuleVariable> find_variable(ModuleId module, std::string_view name) const;
    // Places a variable of the module at storage that the host chose (managed variables). False when unknown.
    std::vector<ModuleVariable> variables(ModuleId module) const;

    // What launch() would refuse before anything runs: kOk, or a status with its reason. Parameters do not matter.
    LaunchResult check(const LaunchRequest& request) const;
    // Blocks until the grid is done. All of launching: a launch that ends badly gives the profile its outcome, and what
    // else is to be said of it, once.
    LaunchResult launch(const LaunchRequest& request);
    // What a thread has of local memory where the depth of its calls is not known (cudaLimitStackSize).
    void set_stack_limit(std::uint64_t bytes);
    // Lines of L2 that would give way last become as others (cudaCtxResetPersistingL2Cache).
    void reset_persisting();

    // The profile so far; head fields filled. Call with no launch under way.
    const Profile& profile() const;
    void note(Diagnostic warning);  // adds to profile().diagnostics
    // One of the run rather than of a launch. Those that are alike but for their message are one, with a count.
    void note_hazard(Hazard hazard);
    // Who knows the host's calls: `site` names the one under way, `place_of` tells of one that it named.
    // Without them hazards of the host's calls have no lines.
    void name_calls(std::function<std::uint64_t()> site, std::function<CallPlace(std::uint64_t)> place_of);
    // Puts what was found in the host's calls since (--check streams, init) into the profile; costs a look at a flag
    // when that is nothing.
    void tell_call_hazards();
    // Under --check streams: pages of memory that the host sees and that work uses for which it has not waited, by
    // address; and a number that changes whenever these may. Who keeps an eye on them tells observers().
    std::vector<machine::UsedPages> pages_in_use(std::optional<std::uint32_t> stream = {});
    std::uint64_t work_version() const;
    // Who knows where the host's calls come from: `site` gives the address behind the one under way, `place_of` what
    // lies there. Without them copies have no lines.
    void name_copies(std::function<std::uint64_t()> site, std::function<CodePlace(std::uint64_t)> place_of);
    // Milliseconds from one event's record to another's on the modelled time line, or on an estimate of it; nothing for
    // an event that was never recorded.
    std::optional<double> elapsed(std::uint64_t first_event, std::uint64_t last_event);
    // At the program's end: what has not been told since it last changed, and the rest of the time line.
    void tell_all();
    // What of a launch's prints is kept (session/print_buffer.h).
    void set_print_bytes(std::uint64_t bytes);
    void set_outcome(Outcome outcome);  // never lowers a worse outcome already set
    // `told` sees the profile now and whenever it has grown: a launch began or ended, something was noted. It must not
    // call back. True: it has taken the launches over, and the session lets them go.
    void follow(std::function<bool(const Profile&)> told);
    std::string demangle(std::string_view entry) const;

    struct Impl;  // session_state.h

private:
    explicit Session(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace tilescope
