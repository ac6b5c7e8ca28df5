#include "scope/session/launch/trace.h"

#include <algorithm>

#include "scope/machine/grid.h"
#include "scope/observers/trace_table.h"

namespace tilescope {
namespace {

std::string coordinates_text(const std::array<std::uint32_t, 3>& at) {
    return "(" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " + std::to_string(at[2]) + ")";
}

std::uint64_t linear(const std::array<std::uint32_t, 3>& at, const Dim3& extent) {
    return at[0] + std::uint64_t{extent[0]} * (at[1] + std::uint64_t{extent[1]} * at[2]);
}

std::optional<Diagnostic> wrong_target(const Prepared& launch, std::uint32_t threads) {
    const TraceOptions& options = *launch.settings.options.trace;
    const LaunchRequest& request = launch.request;
    for (std::size_t i = 0; i < options.block.size(); ++i)
        if (options.block[i] >= request.grid[i])
            return error("trace-block", {},
                         "there is no block " + coordinates_text(options.block) + " in a grid of " +
                             std::to_string(request.grid[0]) + " × " + std::to_string(request.grid[1]) + " × " +
                             std::to_string(request.grid[2]),
                         "--block counts from 0");
    if (options.first_thread >= threads)
        return error(
            "trace-threads", {},
            "there is no thread " + std::to_string(options.first_thread) + " in a block of " + std::to_string(threads),
            "--threads counts from 0");
    if (!machine::in_sample(linear(options.block, request.grid), launch.settings.options.sample))
        return error("trace-block", {},
                     "block " + coordinates_text(options.block) + " is not among those that --sample runs",
                     "block 0 always is");
    return std::nullopt;
}

// Elements of arrays whose type nobody told are as wide as the narrowest access to them.
void measure_elements(const observers::TraceRecord& record, observers::TraceNames& names, Diagnostics& warnings) {
    std::vector<std::uint32_t> narrowest(names.arrays.size());
    for (const observers::TracedThread& thread : record.threads)
        for (const observers::TraceEvent& event : thread.events) {
            const std::size_t array = names.find(event.space, event.address);
            if (array < narrowest.size() && (narrowest[array] == 0 || event.bytes < narrowest[array]))
                narrowest[array] = event.bytes;
        }
    for (std::size_t i = 0; i < narrowest.size(); ++i) {
        observers::TraceArray& array = names.arrays[i];
        if (array.shown.element_bytes != 0) continue;
        array.shown.element_bytes = narrowest[i];
        if (narrowest[i] == 0 || array.shown.shape.empty()) continue;
        std::uint64_t bytes = narrowest[i];
        for (std::uint64_t size : array.shown.shape) bytes *= size;
        if (bytes > array.high - array.base) {
            warnings.push_back({Severity::kWarning,
                                "trace-shape",
                                {},
                                "--shape: " + array.shown.name + " has room for " +
                                    std::to_string((array.high - array.base) / narrowest[i]) + " elements of " +
                                    std::to_string(narrowest[i]) + " bytes, so its shape is left out",
                                {}});
            array.shown.shape.clear();
        } else if (array.is_part) {
            array.shown.bytes = bytes;
            array.high = array.base + bytes;
        }
    }
}

}  // namespace

std::unique_ptr<LaunchTrace> LaunchTrace::begin(const Prepared& launch, Recording& recording) {
    Profile& profile = recording.profile;
    if (!launch.settings.options.trace || profile.trace || recording.trace_failed) return nullptr;
    const TraceOptions& options = *launch.settings.options.trace;
    const Dim3& block = launch.request.block;
    const std::uint32_t threads = block[0] * block[1] * block[2];
    auto fail = [&](const Diagnostics& errors) {
        recording.trace_failed = true;
        profile.diagnostics.insert(profile.diagnostics.end(), errors.begin(), errors.end());
        return nullptr;
    };
    if (const auto wrong = wrong_target(launch, threads)) return fail({*wrong});
    auto program = launch.module.traceable_program(launch.kernel.info.entry);
    if (!program) return fail(program.errors());
    auto arrays = trace_arrays(launch, **program);
    if (!arrays) return fail(arrays.errors());
    profile.diagnostics.insert(profile.diagnostics.end(), arrays->warnings.begin(), arrays->warnings.end());
    std::unique_ptr<LaunchTrace> trace(new LaunchTrace);
    trace->program_ = std::move(program).value();
    trace->arrays_ = std::move(arrays).value();
    machine::make_steppable(*trace->program_);
    observers::TraceTarget target;
    target.block = options.block;
    target.threads = threads;
    target.first = options.first_thread;
    target.last = options.last_thread;
    trace->recorder_ = std::make_unique<observers::TraceRecorder>(*trace->program_, target);
    return trace;
}

void LaunchTrace::finish(const Prepared& launch, Recording& recording) {
    const TraceOptions& options = *launch.settings.options.trace;
    measure_elements(recorder_->record(), arrays_.names, recording.profile.diagnostics);
    PhaseTable table = observers::phase_table(*program_, recorder_->record(), arrays_.names,
                                              {options.first_phase, options.last_phase});
    table.launch = static_cast<std::uint32_t>(launch.index);
    table.kernel = launch.name();
    table.grid = launch.request.grid;
    table.block = launch.request.block;
    table.block_index = options.block;
    if (table.phase_count != 0 && options.first_phase > table.phase_count)
        table.notes.push_back("the block has " + std::to_string(table.phase_count) +
                              (table.phase_count == 1 ? " phase" : " phases"));
    recording.profile.trace = std::move(table);
}

}  // namespace tilescope
