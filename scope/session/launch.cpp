#include "scope/session/launch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "scope/base/names.h"
#include "scope/machine/grid.h"
#include "scope/models/occupancy_profile.h"
#include "scope/observers/counting.h"
#include "scope/session/conclude.h"
#include "scope/session/fault_hazards.h"
#include "scope/session/hang_help.h"
#include "scope/session/kernel_limits.h"
#include "scope/session/launch_caches.h"
#include "scope/session/launch_checks.h"
#include "scope/session/launch_limits.h"
#include "scope/session/launch_memory.h"
#include "scope/session/launch_trace.h"
#include "scope/session/machine_counts.h"
#include "scope/session/place_hazard.h"
#include "scope/session/print_buffer.h"
#include "scope/session/progress.h"
#include "scope/session/warp_work.h"

namespace tilescope {
namespace {

bool is_counted(const Session::Impl& state, const KernelInfo& info) {
    if (state.options.launches &&
        (state.launches < state.options.launches->first || state.launches > state.options.launches->second))
        return false;
    if (state.options.kernel_globs.empty()) return true;
    return std::any_of(state.options.kernel_globs.begin(), state.options.kernel_globs.end(),
                       [&](const std::string& glob) { return kernel_matches(glob, info.name, info.entry); });
}

// What the kernel did that hardware leaves undefined and goes on from.
void add_findings(const machine::Program& program, const LoadedModule& module, const machine::Findings& findings,
                  std::uint32_t checks, LaunchProfile& launch) {
    for (const auto& [key, finding] : findings.all()) {
        // --check init follows such a value, and tells where it decides something or reaches the host.
        if (key.second == machine::FindingKind::kAbsentSource && (checks & bit_of(Check::kInit)) != 0) continue;
        Hazard hazard;
        hazard.kind = key.second == machine::FindingKind::kAbsentSource ? HazardKind::kUninitialized
                                                                        : HazardKind::kDivergentBarrier;
        const bool is_looked_for = (checks & bit_of(Check::kBarriers)) != 0;
        hazard.severity =
            is_looked_for && hazard.kind == HazardKind::kDivergentBarrier ? Severity::kError : Severity::kWarning;
        hazard.kernel = launch.kernel;
        hazard.count = finding.count;
        std::copy_n(finding.block, 3, hazard.block.begin());
        std::copy_n(finding.thread, 3, hazard.thread.begin());
        hazard.message = finding.message;
        place_op(program, module, key.first, hazard.file, hazard.line);
        launch.hazards.push_back(std::move(hazard));
    }
}

// Whether a kernel looks for what a cooperative launch keeps of its grid.
bool asks_for_grid(const machine::Program& program) {
    return std::any_of(program.launch_slots.begin(), program.launch_slots.end(), [](const machine::LaunchSlot& slot) {
        return slot.what == machine::LaunchValue::kWorkspaceLow || slot.what == machine::LaunchValue::kWorkspaceHigh;
    });
}

// Sums the ops' counters per launch and per source line.
void fill_counters(const machine::Program& program, const observers::OpCounters& by_op, LaunchProfile& launch) {
    std::map<std::pair<std::string, std::uint32_t>, CounterSet> lines;
    for (std::size_t i = 0; i < by_op.size(); ++i) {
        if (by_op[i].empty()) continue;
        CounterSet counters = by_op[i];
        for (std::uint64_t& value : counters.values) value = observers::scaled(launch, value);
        launch.counters += counters;
        const machine::SourcePlace& place = program.facts[i].place;
        if (place.line != 0) lines[{program.files[place.file], place.line}] += counters;
    }
    for (auto& [place, counters] : lines) launch.lines.push_back({place.first, place.second, counters, {}});
}

void fill_occupancy(const models::Device& device, const KernelInfo& info, const LaunchRequest& request,
                    LaunchProfile& launch) {
    const models::KernelResources resources = resources_of(device, info, request);
    const models::Occupancy found = models::occupancy(device, resources);
    launch.blocks_per_sm = found.blocks_per_sm;
    launch.warps_per_sm = found.warps_per_sm;
    launch.occupancy = found.fraction;
    launch.limiters = found.limiters;
    launch.occupancy_profile = models::occupancy_profile(device, resources);
    launch.occupancy_profile->waves =
        models::waves_of(device, found.blocks_per_sm, std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2]);
}

LaunchProfile head(const Session::Impl& state, const Kernel& kernel, const LaunchRequest& request) {
    LaunchProfile launch;
    launch.index = static_cast<std::uint32_t>(state.launches);
    launch.kernel = kernel.info.name;
    launch.entry = kernel.info.entry;
    launch.grid = request.grid;
    launch.block = request.block;
    launch.static_shared_bytes = kernel.info.static_shared_bytes;
    launch.dynamic_shared_bytes = request.dynamic_shared_bytes;
    launch.local_bytes_per_thread = kernel.info.local_bytes;
    launch.registers_per_thread = kernel.info.registers;
    launch.registers_from = kernel.info.registers_from;
    if (kernel.facts) {
        launch.spill_store_bytes = kernel.facts->spill_store_bytes;
        launch.spill_load_bytes = kernel.facts->spill_load_bytes;
    }
    launch.stream = request.stream;
    launch.graph = request.graph;
    return launch;
}

machine::GridRequest grid_request(Session::Impl& state, const machine::Program& program, const KernelInfo& info,
                                  const LaunchRequest& request) {
    machine::GridRequest grid;
    grid.program = &program;
    grid.memory = &state.memory;
    std::copy_n(request.grid.begin(), 3, grid.shape.grid);
    std::copy_n(request.block.begin(), 3, grid.shape.block);
    grid.shape.dynamic_shared_bytes = request.dynamic_shared_bytes;
    grid.shape.shared_bytes = program.static_shared_bytes;
    if (request.dynamic_shared_bytes != 0)
        grid.shape.shared_bytes = (grid.shape.shared_bytes + 15) / 16 * 16 + request.dynamic_shared_bytes;
    // Where the depth of calls is not known (recursion, calls through pointers) a thread has what the limit says.
    grid.shape.local_bytes = program.has_unbounded_calls
                                 ? std::max<std::uint64_t>(program.max_local_bytes, state.stack_limit)
                                 : program.max_local_bytes;
    grid.shape.multiprocessors = state.device.sm_count;
    grid.shape.grid_id = state.launches;
    // Registers that are only estimated may seem too many for a single block.
    grid.blocks_per_sm = std::max<std::uint64_t>(
        1, models::occupancy(state.device, resources_of(state.device, info, request)).blocks_per_sm);
    grid.cooperative = request.cooperative;
    grid.parameters.assign(request.parameters.begin(), request.parameters.end());
    grid.parameters.resize(std::max<std::size_t>(grid.parameters.size(), program.parameter_bytes));
    grid.workers = state.jobs;
    if (state.options.jobs_at_once) grid.alone = {};
    grid.sample = state.options.sample;
    grid.on_after_faults = state.options.on_after_faults;
    grid.fill = state.options.fill;
    grid.shared_bytes_reserved = static_cast<std::uint32_t>(state.device.shared_bytes_reserved);
    grid.budget = &state.budget;
    return grid;
}

// What cooperative groups keep of a grid, ready for a launch: its size, then the counters of its barriers (CUDA 11 to
// 13 use the second word; the headers here those from byte 32 on). 0 when there is no room.
std::uint64_t grid_workspace(Session::Impl& state) {
    constexpr std::uint32_t kBytes = 64;
    if (state.grid_workspace == 0)
        state.grid_workspace =
            reinterpret_cast<std::uint64_t>(state.memory.allocate(kBytes, machine::AllocationKind::kModule));
    if (state.grid_workspace == 0) return 0;
    std::byte* const bytes = state.memory.bytes(state.grid_workspace);
    std::memset(bytes, 0, kBytes);
    std::memcpy(bytes, &kBytes, sizeof kBytes);
    return state.grid_workspace;
}

observers::LaunchContext launch_context(Session::Impl& state, const LoadedModule& module, const Kernel& kernel,
                                        const LaunchRequest& request, machine::GridRequest& grid) {
    observers::LaunchContext context;
    context.memory = &state.memory;
    context.shared_bytes = grid.shape.shared_bytes;
    context.padding = &module.padding(kernel.info.entry);
    context.blocks = std::uint64_t{grid.shape.grid[0]} * grid.shape.grid[1] * grid.shape.grid[2];
    for (const KernelParameter& parameter : kernel.info.parameters) {
        std::uint64_t value = 0;
        const bool is_wide = parameter.size == sizeof value;
        if (is_wide) std::memcpy(&value, grid.parameters.data() + parameter.offset, sizeof value);
        context.pointers.push_back(is_wide ? std::optional(value) : std::nullopt);
    }
    context.name_of = [&module](std::uint64_t base) {
        for (const ModuleVariable& variable : module.variables())
            if (variable.address == base) return variable.name;
        return std::string();
    };
    for (const ModuleVariable& variable : module.variables())
        if (variable.is_constant) context.constants.push_back({variable.address, variable.size});
    std::sort(context.constants.begin(), context.constants.end(),
              [](const auto& a, const auto& b) { return a.address < b.address; });
    add_caches(state, kernel, request, grid, context);
    return context;
}

machine::LaunchEvent launch_event(const Session::Impl& state, const KernelInfo& info, const LaunchRequest& request,
                                  const machine::GridRequest& grid) {
    machine::LaunchEvent event;
    event.index = state.launches;
    event.kernel = info.name;
    event.entry = info.entry;
    event.program = grid.program;
    std::copy_n(grid.shape.grid, 3, event.grid);
    std::copy_n(grid.shape.block, 3, event.block);
    event.shared_bytes = grid.shape.shared_bytes;
    event.is_cooperative = grid.cooperative;
    event.parameters = grid.parameters;
    event.issue = {request.stream, true, request.graph, request.begins_early};
    event.memory = &state.memory;
    return event;
}

// What the run's observers look into a launch with: behind the counting observers in its request, and apart from them
// in its result.
class RunObserversInside {
public:
    RunObserversInside(machine::RunObservers& run, const machine::LaunchEvent& event, machine::GridRequest& grid)
        : run_(run), event_(event), prototypes_(run.on_launch_begin(event)) {
        for (const auto& prototype : prototypes_)
            if (prototype) grid.observers.push_back(prototype.get());
    }

    void end(machine::GridResult& result) {
        std::size_t at = result.observers.size();
        for (const auto& prototype : prototypes_) at -= prototype ? 1 : 0;
        std::size_t next = at;
        std::vector<const machine::Observer*> seen;
        for (const auto& prototype : prototypes_) seen.push_back(prototype ? result.observers[next++].get() : nullptr);
        event_.blocks_run = result.blocks_run;
        event_.has_faulted = result.fault.has_value();
        run_.on_launch_end(event_, seen);
        result.observers.resize(at);
    }

private:
    machine::RunObservers& run_;
    machine::LaunchEvent event_;
    std::vector<std::unique_ptr<machine::Observer>> prototypes_;
};

using Prototypes = std::vector<std::unique_ptr<observers::CountingObserver>>;

// The observers of an ordinary run, told of the launch and entered into its request.
Prototypes make_observers(const observers::LaunchContext& context, machine::GridRequest& grid) {
    Prototypes prototypes;
    for (const observers::ObserverRow& row : observers::counting_observers()) {
        prototypes.push_back(row.make());
        prototypes.back()->prepare(context);
        grid.observers.push_back(prototypes.back().get());
    }
    return prototypes;
}

// The launch, and with it the run, has come to the end of what it may keep.
void end_at_memory_limit(const KernelInfo& info, const std::string& why, LaunchResult& result) {
    result.status = LaunchStatus::kLimit;
    result.diagnostics.push_back(error(kMemoryLimitCode, {}, info.name + ": " + why, kMemoryLimitHint));
}

}  // namespace

const KernelInfo& complete_info(Session::Impl& state, Kernel& kernel) {
    if (kernel.complete) return kernel.info;
    kernel.complete = true;
    KernelInfo& info = kernel.info;
    for (const ModuleVariable& variable : state.modules[kernel.module]->variables())
        if (variable.is_constant) info.constant_bytes += variable.size;
    const auto& program = state.modules[kernel.module]->program(info.entry);
    if (program) {
        info.static_shared_bytes = (*program)->static_shared_bytes;
        info.local_bytes = (*program)->max_local_bytes;
        info.registers = bounded_registers(state.device, info, (*program)->estimated_registers);
        info.registers_from = RegistersFrom::kEstimate;
    }
    if (kernel.facts) {
        info.registers = kernel.facts->registers;
        info.registers_from = kernel.facts->from;
        info.static_shared_bytes = kernel.facts->static_shared_bytes;
        info.local_bytes = kernel.facts->local_bytes;
        info.barriers = kernel.facts->barriers;
    }
    return info;
}

LaunchResult run_launch(Session::Impl& state, const LaunchRequest& request) {
    LaunchResult result;
    Kernel& kernel = state.kernels.at(request.kernel);
    LoadedModule* module = state.modules[kernel.module].get();
    if (!module) {
        result.status = LaunchStatus::kInvalidConfiguration;
        result.reason = "the library that holds the kernel was closed";
        return result;
    }
    const KernelInfo& info = complete_info(state, kernel);
    result = check_launch(state.device, info, request);
    if (result.status != LaunchStatus::kOk) return result;
    const auto& program = module->program(info.entry);
    if (!program) {
        result.status = LaunchStatus::kUnsupported;
        result.diagnostics = program.errors();
        for (Diagnostic& diagnostic : result.diagnostics) diagnostic.message += "; kernel " + info.name;
        return result;
    }
    LaunchProfile launch = head(state, kernel, request);
    launch.observed = is_counted(state, info);
    const std::unique_ptr<LaunchTrace> trace = launch.observed ? LaunchTrace::begin(state, kernel, request) : nullptr;
    machine::GridRequest grid = grid_request(state, trace ? trace->program() : **program, info, request);
    if (trace) grid.stepper = trace->stepper();
    if (request.cooperative) {
        grid.workspace = grid_workspace(state);
        if (grid.workspace == 0) {
            end_at_memory_limit(info, "no room for the workspace of its grid", result);
            return result;
        }
    }
    const BlockMemory block_memory(state.memory.budget(), grid);
    if (block_memory.refusal()) {
        end_at_memory_limit(info, *block_memory.refusal(), result);
        return result;
    }
    LaunchHangHelp hang_help(*module, state.memory, info);
    hang_help.offer(grid);
    const Prototypes prototypes =
        launch.observed ? make_observers(launch_context(state, *module, kernel, request, grid), grid) : Prototypes{};
    LaunchChecks checks(state, kernel, grid, launch.observed);
    RunObserversInside inside(state.observers, launch_event(state, info, request, grid), grid);
    Progress progress(state.options.progress, info.name);
    grid.progress = [&](std::uint64_t done, std::uint64_t all, std::uint64_t instructions) {
        progress.update(done, all, instructions);
    };
    state.profile.unfinished = UnfinishedLaunch{launch.index, launch.kernel, launch.grid, launch.block};
    state.profile_grew();
    const auto start = std::chrono::steady_clock::now();
    PrintBuffer prints(state.print_bytes);
    grid.print = [&](const char* text, std::size_t size) { prints.add(text, size); };
    machine::GridResult run = machine::run_grid(grid);
    if (const std::uint64_t lost = prints.flush(); lost != 0)
        result.diagnostics.push_back({Severity::kWarning,
                                      "session-prints-lost",
                                      {},
                                      std::to_string(lost) + " calls of printf are not shown: a launch's buffer of " +
                                          std::to_string(state.print_bytes) + " bytes keeps the last; kernel " +
                                          info.name,
                                      "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, ...) makes it larger"});
    launch.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    inside.end(run);
    const auto unkept = checks.end(kernel, **program, grid, run, launch);
    if (unkept) end_at_memory_limit(info, *unkept, result);
    launch.blocks_run = run.blocks_run;
    if (trace) trace->finish(state, kernel, request);
    const std::uint64_t all = std::uint64_t{request.grid[0]} * request.grid[1] * request.grid[2];
    launch.sampled = !run.fault && run.blocks_run < all;
    fill_occupancy(state.device, info, request, launch);
    for (Hazard& hazard : fault_hazards(**program, *module, info.name, run.places)) {
        launch.hazards.push_back(std::move(hazard));
        if (state.profile.outcome == Outcome::kOk) state.profile.outcome = Outcome::kFault;
    }
    if (run.fault) {
        // How far other blocks came by then depends on the workers: no counts are better than some.
        launch.blocks_run = 0;
        result.hazard = fault_hazard(**program, *module, info.name, *run.fault);
        if (run.fault->kind == machine::FaultKind::kTrap && !grid.cooperative && asks_for_grid(**program))
            result.hazard->hint =
                "the kernel asks for the barrier of the whole grid (grid.sync()), which a launch by <<<...>>> does not "
                "have: launch it by cudaLaunchCooperativeKernel()";
        result.kind_on_card = kind_on_card(*run.fault);
        result.status =
            run.fault->kind == machine::FaultKind::kInstructionLimit ? LaunchStatus::kLimit : LaunchStatus::kFault;
        launch.hazards.push_back(*result.hazard);
    } else if (launch.observed) {
        observers::OpCounters counters((*program)->ops.size());
        observers::count_instructions(**program, run, counters);
        for (const auto& observer : run.observers)
            static_cast<const observers::CountingObserver&>(*observer).finish(**program, counters);
        fill_counters(**program, counters, launch);
        if (kernel.facts && kernel.facts->machine_code)
            add_machine_counts(*kernel.facts->machine_code, **program, run, launch);
        for (const auto& observer : run.observers)
            static_cast<const observers::CountingObserver&>(*observer).conclude(**program, launch);
        add_warp_work(**program, run, launch);
    }
    if (launch.observed && !run.fault && state.options.caches && !launch.counters.modelled)
        note_missing_caches(state, info, request, grid);
    if (launch.counters.modelled) note_missing_spills(state, kernel, launch);
    add_findings(**program, *module, run.findings, state.options.checks, launch);
    if (launch.observed) conclude(state, kernel, **program, launch);
    if (const auto refusal = launch.observed ? count_tables(state.memory.budget(), run) : std::nullopt)
        end_at_memory_limit(info, *refusal, result);
    if (const auto refusal = keep_launch(state.memory.budget(), launch)) end_at_memory_limit(info, *refusal, result);
    // Who measures a launch that nobody counts gets an estimate by its instructions.
    std::optional<LaunchProfile> uncounted;
    if (!launch.observed && !run.fault) {
        observers::OpCounters counters((*program)->ops.size());
        observers::count_instructions(**program, run, counters);
        fill_counters(**program, counters, uncounted.emplace(launch));
    }
    {
        const auto order = state.observers.keep_order();
        state.work->add_launch(uncounted ? *uncounted : launch,
                               std::uint64_t{launch.blocks_per_sm} * state.device.sm_count);
    }
    state.profile.seconds += launch.seconds;
    state.profile.launches.push_back(std::move(launch));
    state.profile.unfinished.reset();
    ++state.launches;
    state.profile_grew();
    return result;
}

}  // namespace tilescope
