#include "scope/session/launch/judge.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scope/models/advice.h"
#include "scope/models/energy.h"
#include "scope/models/occupancy_profile.h"
#include "scope/models/roofline.h"
#include "scope/models/time/launch_time.h"
#include "scope/models/time/peaks.h"
#include "scope/report/caveats.h"
#include "scope/session/launch/caches.h"
#include "scope/session/variables.h"

namespace tilescope {
namespace {

// Observers name variables as the PTX does, a profile names them as the source does.
void name_variables(LaunchProfile& launch) {
    std::vector<std::string*> places;
    for (LineProfile& line : launch.lines) {
        places.push_back(&line.shared_variable);
        for (RequestPicture& picture : line.pictures) places.push_back(&picture.variable);
    }
    for (SharedReuse& shared : launch.shared_reuse) places.push_back(&shared.name);
    for (BufferReuse& buffer : launch.buffers) places.push_back(&buffer.name);
    for (CachedBuffer& buffer : launch.cached_buffers) places.push_back(&buffer.name);
    std::erase_if(places, [](const std::string* name) { return name->empty(); });
    std::set<std::string> different;
    for (const std::string* name : places) different.insert(*name);
    const std::vector<std::string> mangled(different.begin(), different.end());
    const std::vector<std::string> names = source_names(mangled);
    for (std::string* name : places) {
        const auto at = std::lower_bound(mangled.begin(), mangled.end(), *name) - mangled.begin();
        *name = names[static_cast<std::size_t>(at)];
    }
}

// Names of parameters and extents of shared arrays, which the PTX does not keep.
void read_source(const image::KernelSource& source, LaunchProfile& launch) {
    const auto name = [&](auto& buffer) {
        if (buffer.name.empty() && buffer.parameter && *buffer.parameter < source.parameters.size())
            buffer.name = source.parameters[*buffer.parameter];
    };
    for (BufferReuse& buffer : launch.buffers) name(buffer);
    for (CachedBuffer& buffer : launch.cached_buffers) name(buffer);
    for (Variable& variable : launch.variables) {
        if (variable.space != VariableSpace::kShared) continue;
        for (const image::SharedDeclaration& declared : source.shared)
            if (declared.name == variable.name) variable.extents = declared.shape;
    }
    // What the assembler gives no local memory it has kept in registers.
    const bool has_frame = launch.registers_from == RegistersFrom::kEstimate || launch.local_bytes_per_thread != 0;
    for (const image::AutomaticVariable& variable : source.automatic)
        launch.automatic_variables.push_back(
            {variable.name, variable.type, variable.shape, variable.bytes,
             variable.has_memory && has_frame ? VariableSpace::kLocal : VariableSpace::kRegister,
             variable.has_memory && !has_frame});
}

void fill_occupancy(const Prepared& about, LaunchProfile& launch) {
    const models::Device& device = about.settings.device;
    launch.blocks_per_sm = about.occupancy.blocks_per_sm;
    launch.warps_per_sm = about.occupancy.warps_per_sm;
    launch.occupancy = about.occupancy.fraction;
    launch.limiters = about.occupancy.limiters;
    const std::shared_ptr<const JudgedLaunch>& last = about.kernel.last;
    launch.occupancy_profile = last && last->resources == about.resources
                                   ? last->judged.occupancy_profile
                                   : models::occupancy_profile(device, about.resources);
    launch.occupancy_profile->waves = models::waves_of(device, about.occupancy.blocks_per_sm, about.blocks());
}

void conclude(const Prepared& about, LaunchProfile& launch) {
    const models::Device& device = about.settings.device;
    name_variables(launch);
    launch.variables = list_variables(about.program, about.module, launch);
    if (const image::KernelSource* source = source_of(about.settings, about.kernel, about.program))
        read_source(*source, launch);
    launch.advice = models::advise(launch, device);
    launch.achieved_occupancy = models::achieved_occupancy(device, launch);
    launch.time = models::launch_time(device, launch);
    launch.roofline = models::roofline(device, launch);
    launch.energy = models::energy(device, launch);
}

// How tensor cores round what they add up is known of one architecture (isa/families/matrix_sums.h).
std::optional<Diagnostic> borrowed_sums(const Prepared& about, const LaunchProfile& launch) {
    constexpr std::uint32_t kKnown = 9;  // Hopper
    const models::Device& device = about.settings.device;
    std::uint64_t operations = 0;
    for (const Counter counter :
         {Counter::kTensorFp16Operations, Counter::kTensorBf16Operations, Counter::kTensorTf32Operations,
          Counter::kTensorFp8Operations, Counter::kTensorFp64Operations})
        operations += launch.counters[counter];
    if (device.compute_major == kKnown || operations == 0) return std::nullopt;
    return Diagnostic{Severity::kWarning,
                      std::string(report::kBorrowedSums),
                      {},
                      "tensor cores added up by an H200's rule; the rule of " + device.name +
                          " is not known, and its results may differ",
                      "--device h200 gives results that are right to the bit"};
}

// What tells two launches apart of which all else is alike, and no conclusion goes by.
struct Marks {
    std::uint32_t index = 0, stream = 0, graph = 0;
    double seconds = 0;
};

// Puts other marks on a launch and returns its own.
Marks exchange_marks(LaunchProfile& launch, const Marks& marks) {
    const Marks own{launch.index, launch.stream, launch.graph, launch.seconds};
    launch.index = marks.index;
    launch.stream = marks.stream;
    launch.graph = marks.graph;
    launch.seconds = marks.seconds;
    return own;
}

}  // namespace

void judge(const Prepared& about, const Executed& executed, Measured& measured) {
    LaunchProfile& launch = measured.launch;
    fill_occupancy(about, launch);
    if (launch.observed && !executed.grid.fault && about.settings.options.caches && !launch.counters.modelled)
        measured.notes.push_back(missing_caches(about));
    if (launch.counters.modelled)
        if (auto note = missing_spills(about, launch)) measured.notes.push_back(*std::move(note));
    if (!launch.observed) return;
    if (auto note = borrowed_sums(about, launch)) measured.notes.push_back(*std::move(note));
    // Conclusions are functions of what was measured: a launch that was measured as the last one was has its.
    const Marks own = exchange_marks(launch, {});
    std::shared_ptr<const JudgedLaunch>& last = about.kernel.last;
    if (last && last->resources == about.resources && last->measured == launch) {
        launch = last->judged;
    } else {
        JudgedLaunch now{about.resources, launch, {}};
        conclude(about, launch);
        now.judged = launch;
        last = std::make_shared<const JudgedLaunch>(std::move(now));
    }
    exchange_marks(launch, own);
}

}  // namespace tilescope
