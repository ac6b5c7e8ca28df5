#include "scope/models/time/on_device.h"

#include <algorithm>

#include "scope/models/advice.h"
#include "scope/models/energy.h"
#include "scope/models/occupancy_profile.h"
#include "scope/models/roofline.h"
#include "scope/models/time/launch_time.h"
#include "scope/models/time/peaks.h"
#include "scope/models/time/stations.h"

namespace tilescope::models {
namespace {

KernelResources resources_as_launched(const LaunchProfile& launch) {
    KernelResources resources;
    resources.threads_per_block = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    resources.registers_per_thread = launch.registers_per_thread;
    resources.static_shared_bytes = launch.static_shared_bytes;
    resources.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    if (launch.occupancy_profile) {
        resources.barriers = launch.occupancy_profile->barriers;
        resources.carveout_percent = launch.occupancy_profile->carveout_percent;
    }
    return resources;
}

void place(const Device& device, LaunchProfile& launch) {
    const KernelResources resources = resources_as_launched(launch);
    stand_on(device, launch);
    launch.occupancy_profile = occupancy_profile(device, resources);
    launch.occupancy_profile->waves =
        waves_of(device, launch.blocks_per_sm, std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2]);
    if (launch.tiling || !launch.advice.empty()) launch.advice = advise(launch, device);
}

Diagnostic note(std::string code, std::string message) {
    return Diagnostic{Severity::kNote, std::move(code), {}, std::move(message), {}};
}

}  // namespace

void stand_on(const Device& device, LaunchProfile& launch) {
    const Occupancy found = occupancy(device, resources_as_launched(launch));
    launch.blocks_per_sm = found.blocks_per_sm;
    launch.warps_per_sm = found.warps_per_sm;
    launch.occupancy = found.fraction;
    launch.limiters = found.limiters;
    launch.achieved_occupancy = achieved_occupancy(device, launch);
    launch.time = launch_time(device, launch);
    launch.energy = energy(device, launch);
    if (launch.roofline) launch.roofline = roofline(device, launch);
}

Profile on_device(const Profile& profile, const Device& device) {
    Profile other = profile;
    other.device = device.name;
    for (LaunchProfile& launch : other.launches) {
        // What was replayed was the first device's clock.
        if (profile.device != device.name) launch.replay.reset();
        place(device, launch);
    }
    // What waits for what is no longer known.
    const bool had_line = !other.timeline.empty();
    other.timeline.clear();
    other.advice.clear();
    other.timeline_totals.reset();
    for (Transfer& transfer : other.transfers) transfer.microseconds.reset();
    const bool modelled = std::any_of(profile.launches.begin(), profile.launches.end(),
                                      [](const LaunchProfile& launch) { return launch.counters.modelled; });
    other.diagnostics.push_back(
        note("other-device", "occupancy, roofline, advice and time are those of " + device.name +
                                 "; the code is what was compiled for " + profile.device +
                                 (modelled ? ", and so are hits of L1 and traffic of L2 and DRAM" : "")));
    if (had_line)
        other.diagnostics.push_back(
            note("no-time-line", "no timeline: that of " + profile.device + " does not hold on " + device.name));
    std::string missing;
    for (const std::string& key : missing_for_time(device)) missing += (missing.empty() ? "" : ", ") + key;
    if (modelled && !missing.empty())
        other.diagnostics.push_back(
            note("no-time", "no time: the description of " + device.name + " does not have " + missing));
    const auto lacks = [&](const LaunchProfile& launch) {
        return launch.counters.modelled && lacks_textures(device, launch);
    };
    if (missing.empty() && std::any_of(profile.launches.begin(), profile.launches.end(), lacks))
        other.diagnostics.push_back(note("no-time", "no time of launches that touch texels: the description of " +
                                                        device.name + " does not have texture_latency"));
    return other;
}

}  // namespace tilescope::models
