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
#include "scope/session/launch_trace.h"
#include "scope/session/progress.h"

namespace tilescope {
namespace {

// A thread's stack when the depth of calls is not known (recursion, calls through pointers).
constexpr std::uint64_t kUnboundedStack = 16 * 1024;

const char* kind_of(machine::FaultKind kind) {
    switch (kind) {
        case machine::FaultKind::kOutOfBounds: return "out-of-bounds";
        case machine::FaultKind::kMisaligned: return "misaligned";
        case machine::FaultKind::kTrap: return "trap";
        case machine::FaultKind::kDeadlock: return "deadlock";
        case machine::FaultKind::kStackOverflow: return "stack-overflow";
        case machine::FaultKind::kIllegalInstruction: return "illegal-instruction";
        case machine::FaultKind::kAssert: return "assert";
        case machine::FaultKind::kInstructionLimit: return "limit";
    }
    return "trap";
}

bool is_counted(const Session::Impl& state, const KernelInfo& info) {
    if (state.options.launches &&
        (state.launches < state.options.launches->first || state.launches > state.options.launches->second))
        return false;
    if (state.options.kernel_globs.empty()) return true;
    return std::any_of(state.options.kernel_globs.begin(), state.options.kernel_globs.end(),
                       [&](const std::string& glob) { return kernel_matches(glob, info.name, info.entry); });
}

models::KernelResources resources_of(const KernelInfo& info, const LaunchRequest& request) {
    models::KernelResources resources;
    resources.threads_per_block = std::uint64_t{request.block[0]} * request.block[1] * request.block[2];
    resources.registers_per_thread = info.registers;
    resources.static_shared_bytes = info.static_shared_bytes;
    resources.dynamic_shared_bytes = request.dynamic_shared_bytes;
    resources.barriers = info.barriers;
    resources.carveout_percent = request.carveout_percent;
    return resources;
}

// The launch checks that CUDA makes. kOk when it may run.
LaunchStatus check(const Session::Impl& state, const KernelInfo& info, const LaunchRequest& request) {
    const models::Device& device = state.device;
    std::uint64_t threads = 1;
    for (unsigned i = 0; i < 3; ++i) {
        if (request.grid[i] == 0 || request.block[i] == 0) return LaunchStatus::kInvalidConfiguration;
        if (request.grid[i] > device.max_grid[i] || request.block[i] > device.max_block[i])
            return LaunchStatus::kInvalidConfiguration;
        threads *= request.block[i];
    }
    if (threads > device.max_threads_per_block) return LaunchStatus::kInvalidConfiguration;
    if (info.required_block[0] != 0 && request.block != info.required_block) return LaunchStatus::kInvalidConfiguration;
    if (threads > info.max_threads_per_block) return LaunchStatus::kInvalidConfiguration;
    const std::uint64_t shared = info.static_shared_bytes + request.dynamic_shared_bytes;
    if (request.dynamic_shared_bytes > request.max_dynamic_shared_bytes || shared > device.shared_bytes_per_block_optin)
        return LaunchStatus::kInvalidConfiguration;
    // A kernel whose registers are only estimated is never refused for them.
    if (info.registers_from != RegistersFrom::kEstimate &&
        models::occupancy(device, resources_of(info, request)).blocks_per_sm == 0)
        return LaunchStatus::kOutOfResources;
    return LaunchStatus::kOk;
}

Hazard hazard_of(const machine::Program& program, const LoadedModule& module, const KernelInfo& info,
                 const machine::Fault& fault) {
    Hazard hazard;
    hazard.kind = kind_of(fault.kind);
    hazard.space = fault.space;
    hazard.kernel = info.name;
    std::copy_n(fault.block, 3, hazard.block.begin());
    std::copy_n(fault.thread, 3, hazard.thread.begin());
    hazard.message = fault.message;
    const machine::OpFacts& facts = program.facts[std::min<std::size_t>(fault.op, program.facts.size() - 1)];
    if (facts.place.line != 0) {
        hazard.file = program.files[facts.place.file];
        hazard.line = facts.place.line;
    } else {
        hazard.file = module.text().name;
        hazard.line = facts.text_line;
    }
    return hazard;
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
    const models::KernelResources resources = resources_of(info, request);
    const models::Occupancy found = models::occupancy(device, resources);
    launch.blocks_per_sm = found.blocks_per_sm;
    launch.warps_per_sm = found.warps_per_sm;
    launch.occupancy = found.fraction;
    launch.limiters = found.limiters;
    launch.occupancy_profile = models::occupancy_profile(device, resources);
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
    return launch;
}

machine::GridRequest grid_request(Session::Impl& state, const machine::Program& program, const LaunchRequest& request) {
    machine::GridRequest grid;
    grid.program = &program;
    grid.memory = &state.memory;
    std::copy_n(request.grid.begin(), 3, grid.shape.grid);
    std::copy_n(request.block.begin(), 3, grid.shape.block);
    grid.shape.dynamic_shared_bytes = request.dynamic_shared_bytes;
    grid.shape.shared_bytes = program.static_shared_bytes;
    if (request.dynamic_shared_bytes != 0)
        grid.shape.shared_bytes = (grid.shape.shared_bytes + 15) / 16 * 16 + request.dynamic_shared_bytes;
    grid.shape.local_bytes = program.max_local_bytes + (program.has_unbounded_calls ? kUnboundedStack : 0);
    grid.shape.multiprocessors = state.device.sm_count;
    grid.shape.grid_id = state.launches;
    grid.parameters.assign(request.parameters.begin(), request.parameters.end());
    grid.parameters.resize(std::max<std::size_t>(grid.parameters.size(), program.parameter_bytes));
    grid.workers = state.jobs;
    grid.sample = state.options.sample;
    grid.budget = &state.budget;
    grid.print = [](const char* text, std::size_t size) {
        std::fwrite(text, 1, size, stdout);
        std::fflush(stdout);
    };
    return grid;
}

observers::LaunchContext launch_context(const Session::Impl& state, const LoadedModule& module, const KernelInfo& info,
                                        const machine::GridRequest& grid) {
    observers::LaunchContext context;
    context.memory = &state.memory;
    context.shared_bytes = grid.shape.shared_bytes;
    for (const KernelParameter& parameter : info.parameters) {
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
    return context;
}

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
        info.registers = (*program)->estimated_registers;
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
        return result;
    }
    const KernelInfo& info = complete_info(state, kernel);
    result.status = check(state, info, request);
    if (result.status != LaunchStatus::kOk) return result;
    const auto& program = module->program(info.entry);
    if (!program) {
        result.status = LaunchStatus::kUnsupported;
        result.diagnostics = program.errors();
        return result;
    }
    LaunchProfile launch = head(state, kernel, request);
    launch.observed = is_counted(state, info);
    const std::unique_ptr<LaunchTrace> trace = launch.observed ? LaunchTrace::begin(state, kernel, request) : nullptr;
    machine::GridRequest grid = grid_request(state, trace ? trace->program() : **program, request);
    if (trace) grid.stepper = trace->stepper();
    const Prototypes prototypes =
        launch.observed ? make_observers(launch_context(state, *module, info, grid), grid) : Prototypes{};
    Progress progress(state.options.progress, info.name);
    grid.progress = [&](std::uint64_t done, std::uint64_t all, std::uint64_t instructions) {
        progress.update(done, all, instructions);
    };
    const auto start = std::chrono::steady_clock::now();
    const machine::GridResult run = machine::run_grid(grid);
    launch.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    launch.blocks_run = run.blocks_run;
    if (trace) trace->finish(state, kernel, request);
    const std::uint64_t all = std::uint64_t{request.grid[0]} * request.grid[1] * request.grid[2];
    launch.sampled = !run.fault && run.blocks_run < all;
    fill_occupancy(state.device, info, request, launch);
    if (run.fault) {
        // How far other blocks came by then depends on the workers: no counts are better than some.
        launch.blocks_run = 0;
        result.hazard = hazard_of(**program, *module, info, *run.fault);
        result.status =
            run.fault->kind == machine::FaultKind::kInstructionLimit ? LaunchStatus::kLimit : LaunchStatus::kFault;
        launch.hazards.push_back(*result.hazard);
    } else if (launch.observed) {
        observers::OpCounters counters((*program)->ops.size());
        observers::count_instructions(**program, run, counters);
        for (const auto& observer : run.observers)
            static_cast<const observers::CountingObserver&>(*observer).finish(**program, counters);
        fill_counters(**program, counters, launch);
        for (const auto& observer : run.observers)
            static_cast<const observers::CountingObserver&>(*observer).conclude(**program, launch);
    }
    if (launch.observed) conclude(state.device, **program, *module, launch);
    state.profile.seconds += launch.seconds;
    state.profile.launches.push_back(std::move(launch));
    ++state.launches;
    return result;
}

}  // namespace tilescope
