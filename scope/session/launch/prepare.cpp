#include "scope/session/launch/prepare.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "scope/base/names.h"
#include "scope/session/kernel_limits.h"
#include "scope/session/launch/limits.h"

namespace tilescope {
namespace {

bool is_counted(const SessionOptions& options, std::uint64_t index, const KernelInfo& info) {
    if (options.launches && (index < options.launches->first || index > options.launches->second)) return false;
    if (options.kernel_globs.empty()) return true;
    return std::any_of(options.kernel_globs.begin(), options.kernel_globs.end(),
                       [&](const std::string& glob) { return kernel_matches(glob, info.name, info.entry); });
}

void fill_grid(Prepared& launch) {
    const Settings& settings = launch.settings;
    const LaunchRequest& request = launch.request;
    const machine::Program& program = launch.program;
    machine::GridRequest& grid = launch.grid;
    grid.program = &program;
    grid.memory = &launch.memory;
    std::copy_n(request.grid.begin(), 3, grid.shape.grid);
    std::copy_n(request.block.begin(), 3, grid.shape.block);
    grid.shape.dynamic_shared_bytes = request.dynamic_shared_bytes;
    grid.shape.shared_bytes = program.static_shared_bytes;
    if (request.dynamic_shared_bytes != 0)
        grid.shape.shared_bytes = (grid.shape.shared_bytes + 15) / 16 * 16 + request.dynamic_shared_bytes;
    // Where the depth of calls is not known (recursion, calls through pointers) a thread has what the limit says.
    grid.shape.local_bytes = program.has_unbounded_calls
                                 ? std::max<std::uint64_t>(program.max_local_bytes, settings.stack_limit)
                                 : program.max_local_bytes;
    grid.shape.multiprocessors = settings.device.sm_count;
    grid.shape.grid_id = launch.index;
    // Registers that are only estimated may seem too many for a single block.
    grid.blocks_per_sm = std::max<std::uint64_t>(1, launch.occupancy.blocks_per_sm);
    grid.cooperative = request.cooperative;
    grid.parameters.assign(request.parameters.begin(), request.parameters.end());
    grid.parameters.resize(std::max<std::size_t>(grid.parameters.size(), program.parameter_bytes));
    grid.workers = settings.jobs;
    if (settings.options.jobs_at_once) grid.alone = {};
    grid.sample = settings.options.sample;
    grid.on_after_faults = settings.options.on_after_faults;
    grid.fill = settings.options.fill;
    const models::Device& device = settings.device;
    grid.shared_bytes_reserved = static_cast<std::uint32_t>(device.shared_bytes_reserved);
    grid.shared_allocation_unit = static_cast<std::uint32_t>(device.shared_allocation_unit);
    grid.shared_reserved_used = static_cast<std::uint32_t>(device.shared_reserved_used);
    grid.shared_reserved_end = static_cast<std::uint32_t>(device.shared_base);
}

// What cooperative groups keep of a grid, ready for a launch: its size, then the counters of its barriers (CUDA 11 to
// 13 use the second word; the headers here those from byte 32 on). 0 when there is no room.
std::uint64_t grid_workspace(DeviceMemory& device_memory) {
    constexpr std::uint32_t kBytes = 64;
    machine::Memory& memory = device_memory.memory;
    std::uint64_t& workspace = device_memory.grid_workspace;
    if (workspace == 0)
        workspace = reinterpret_cast<std::uint64_t>(memory.allocate(kBytes, machine::AllocationKind::kModule));
    if (workspace == 0) return 0;
    std::byte* const bytes = memory.bytes(workspace);
    std::memset(bytes, 0, kBytes);
    std::memcpy(bytes, &kBytes, sizeof kBytes);
    return workspace;
}

// What the launch takes of the memory that a run may keep; false when there is none left.
bool take_room(Prepared& launch, DeviceMemory& device_memory, LaunchResult& result) {
    if (launch.request.cooperative) {
        launch.grid.workspace = grid_workspace(device_memory);
        if (launch.grid.workspace == 0) {
            end_at_memory_limit(launch.name(), "no room for the workspace of its grid", result);
            return false;
        }
    }
    launch.room = std::make_unique<BlockMemory>(device_memory.memory.budget(), launch.grid);
    if (!launch.room->refusal()) return true;
    end_at_memory_limit(launch.name(), *launch.room->refusal(), result);
    return false;
}

}  // namespace

const KernelInfo& complete_info(const models::Device& device, Modules& modules, Kernel& kernel) {
    if (kernel.complete) return kernel.info;
    kernel.complete = true;
    KernelInfo& info = kernel.info;
    LoadedModule& module = modules.of(kernel);
    for (const ModuleVariable& variable : module.variables())
        if (variable.is_constant) info.constant_bytes += variable.size;
    const auto& program = module.program(info.entry);
    if (program) {
        info.static_shared_bytes = (*program)->static_shared_bytes;
        info.local_bytes = (*program)->max_local_bytes;
        info.registers = bounded_registers(device, info, (*program)->estimated_registers);
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

std::optional<Prepared> prepare(const Settings& settings, Modules& modules, DeviceMemory& device_memory,
                                std::uint64_t index, const LaunchRequest& request, LaunchResult& result) {
    Kernel& kernel = modules.kernels.at(request.kernel);
    LoadedModule* module = modules.loaded[kernel.module].get();
    if (module == nullptr) {
        result.status = LaunchStatus::kInvalidConfiguration;
        result.reason = "the library that holds the kernel was closed";
        return std::nullopt;
    }
    const KernelInfo& info = complete_info(settings.device, modules, kernel);
    const models::KernelResources resources = resources_of(settings.device, info, request);
    const models::Occupancy occupancy = models::occupancy(settings.device, resources);
    result = check_launch(settings.device, info, request, occupancy);
    if (result.status != LaunchStatus::kOk) return std::nullopt;
    const auto& program = module->program(info.entry);
    if (!program) {
        result.status = LaunchStatus::kUnsupported;
        result.diagnostics = program.errors();
        for (Diagnostic& diagnostic : result.diagnostics) diagnostic.message += "; kernel " + info.name;
        return std::nullopt;
    }
    Prepared launch{.settings = settings,
                    .memory = device_memory.memory,
                    .module = *module,
                    .kernel = kernel,
                    .request = request,
                    .program = **program,
                    .resources = resources,
                    .occupancy = occupancy,
                    .index = index,
                    .is_counted = is_counted(settings.options, index, info),
                    .grid = {},
                    .room = nullptr,
                    .progress = nullptr};
    fill_grid(launch);
    if (!take_room(launch, device_memory, result)) return std::nullopt;
    if (settings.options.progress) {
        constexpr std::chrono::milliseconds kEvery(100);
        launch.progress = std::make_unique<machine::LaunchProgress>(kEvery);
        launch.grid.progress = launch.progress.get();
    }
    return launch;
}

}  // namespace tilescope
