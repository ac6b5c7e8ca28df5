#include "scope/session/launch/instrument.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "scope/session/launch/caches.h"

namespace tilescope {
namespace {

observers::LaunchContext launch_context(Prepared& launch, DeviceMemory& device_memory) {
    const LoadedModule& module = launch.module;
    const machine::GridRequest& grid = launch.grid;
    observers::LaunchContext context;
    context.memory = &launch.memory;
    context.shared_bytes = grid.program->shared_reserved + grid.shape.shared_bytes;
    context.padding = &module.padding(launch.kernel.info.entry);
    context.blocks = launch.blocks();
    context.progress = launch.progress.get();
    for (const KernelParameter& parameter : launch.kernel.info.parameters) {
        std::uint64_t value = 0;
        const bool is_wide = parameter.size == sizeof value;
        if (is_wide) std::memcpy(&value, grid.parameters.data() + parameter.offset, sizeof value);
        context.pointers.push_back(is_wide ? std::optional(value) : std::nullopt);
        context.parameter_offsets.push_back(parameter.offset);
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
    add_caches(launch, device_memory, context);
    return context;
}

machine::LaunchEvent launch_event(const Prepared& launch) {
    const machine::GridRequest& grid = launch.grid;
    machine::LaunchEvent event;
    event.index = launch.index;
    event.kernel = launch.name();
    event.entry = launch.kernel.info.entry;
    event.program = grid.program;
    std::copy_n(grid.shape.grid, 3, event.grid);
    std::copy_n(grid.shape.block, 3, event.block);
    event.shared_bytes = grid.shape.shared_bytes;
    event.is_cooperative = grid.cooperative;
    event.parameters = grid.parameters;
    event.issue = {launch.request.stream, true, launch.request.graph, launch.request.begins_early};
    event.memory = &launch.memory;
    return event;
}

}  // namespace

RunObserversInside::RunObserversInside(machine::RunObservers& run, Prepared& launch)
    : run_(run), event_(launch_event(launch)), prototypes_(run.on_launch_begin(event_)) {
    for (const auto& prototype : prototypes_)
        if (prototype) launch.grid.observers.push_back(prototype.get());
}

void RunObserversInside::end(machine::GridResult& result) {
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

Instruments instrument(Prepared& launch, DeviceMemory& device_memory, Recording& recording) {
    Instruments with;
    if (launch.is_counted) with.trace = LaunchTrace::begin(launch, recording);
    if (with.trace) {
        launch.grid.program = &with.trace->program();
        launch.grid.stepper = with.trace->stepper();
    }
    with.hang_help = std::make_unique<LaunchHangHelp>(launch.module, launch.memory, launch.kernel.info);
    with.hang_help->offer(launch.grid);
    if (launch.is_counted) {
        const observers::LaunchContext context = launch_context(launch, device_memory);
        for (const observers::ObserverRow& row : observers::counting_observers()) {
            with.counting.push_back(row.make());
            with.counting.back()->prepare(context);
            launch.grid.observers.push_back(with.counting.back().get());
        }
    }
    with.checks = std::make_unique<LaunchChecks>(launch, recording);
    with.run = std::make_unique<RunObserversInside>(recording.observers, launch);
    return with;
}

}  // namespace tilescope
