#include "scope/models/time/peaks.h"

#include <algorithm>

#include "scope/models/bounds.h"
#include "scope/models/time/stations.h"
#include "scope/report/ratios.h"

namespace tilescope::models {
namespace {

double units_of_kind(const Device& device, StationPer per) {
    switch (per) {
        case StationPer::kScheduler: return double{1} * device.sm_count * std::max(1u, device.sub_partitions);
        case StationPer::kSm: return device.sm_count;
        case StationPer::kDevice: break;
    }
    return 1;
}

}  // namespace

void note_peaks(const Device& device, const LaunchProfile& launch, TimeProfile& time) {
    time.of_peak.emplace();
    if (time.microseconds <= 0) return;
    const double cycles = time.microseconds * device.cycles_per_microsecond(), warps = warps_of(launch);
    for (const Station& unit : units_of(device, launch)) {
        double& share = (*time.of_peak)[unit.bound];
        share = std::max(share, unit.at_peak * warps / (cycles * units_of_kind(device, unit.per)));
    }
    const auto count = [&](Counter counter) { return static_cast<double>(launch.counters[counter]); };
    constexpr double kBytesToGb = 1e-3;  // geometry: of bytes a microsecond
    const double rate = kBytesToGb / time.microseconds;
    time.dram_gb_per_second = (count(Counter::kDramReadBytes) + count(Counter::kDramWriteBytes)) * rate;
    time.l2_gb_per_second = (count(Counter::kL2ReadSectors) + count(Counter::kL2WriteSectors)) * kSectorBytes * rate;
    time.effective_gb_per_second = static_cast<double>(report::requested_bytes(launch.counters)) * rate;
}

std::optional<double> achieved_occupancy(const Device& device, const LaunchProfile& launch) {
    if (!launch.replay || launch.replay->active_cycles <= 0 || device.max_warps_per_sm() == 0) return {};
    // A block's warps are there for a while before and behind what the replay has of them.
    const ReplayClock& clock = *launch.replay;
    const double resident = clock.resident_cycles + warps_of(launch) * device.time.block_resident;
    const double active = clock.active_cycles + static_cast<double>(clock.active_spells) * device.time.block_resident;
    return std::min(resident / (active * device.max_warps_per_sm()), 1.0);
}

}  // namespace tilescope::models
