#include "scope/session/launch/record.h"

#include "scope/machine/memory_budget.h"
#include "scope/session/launch/kernel_code.h"
#include "scope/session/launch/memory.h"

namespace tilescope {
namespace {

Outcome outcome_of(LaunchStatus status) {
    switch (status) {
        case LaunchStatus::kFault: return Outcome::kFault;
        case LaunchStatus::kUnsupported: return Outcome::kUnsupported;
        case LaunchStatus::kLimit: return Outcome::kLimit;
        case LaunchStatus::kOk:
        case LaunchStatus::kInvalidConfiguration:
        case LaunchStatus::kTooMuchShared:
        case LaunchStatus::kOutOfResources:
        case LaunchStatus::kTooManyBlocks: break;
    }
    return Outcome::kOk;
}

}  // namespace

void announce(const Prepared& launch, Recording& recording) {
    recording.profile.unfinished = UnfinishedLaunch{static_cast<std::uint32_t>(launch.index), launch.name(),
                                                    launch.request.grid, launch.request.block};
    recording.profile_grew();
}

void record(const Prepared& launch, Measured measured, Recording& recording, LaunchResult& result) {
    LaunchProfile& profile = measured.launch;
    recording.note_once(measured.notes);
    if (profile.observed) keep_code(launch, recording);
    if (const auto refusal = keep_launch(launch.memory.budget(), profile, recording.kept_bytes))
        end_at_memory_limit(launch.name(), *refusal, result);
    {
        const auto order = recording.observers.keep_order();
        const std::uint64_t at_once = std::uint64_t{profile.blocks_per_sm} * launch.settings.device.sm_count;
        if (measured.uncounted) {
            // Who measures a launch that nobody counts gets an estimate by its instructions.
            LaunchProfile estimated = profile;
            estimated.counters = *measured.uncounted;
            recording.work->add_launch(estimated, at_once);
        } else {
            recording.work->add_launch(profile, at_once);
        }
    }
    recording.profile.seconds += profile.seconds;
    recording.profile.launches.push_back(std::move(profile));
    recording.profile.unfinished.reset();
    ++recording.launches;
    if (!recording.profile_grew()) return;
    recording.profile.launches.clear();
    launch.memory.budget().give(machine::Kept::kProfile, recording.kept_bytes);
    recording.kept_bytes = 0;
}

void record_end(const LaunchResult& result, Recording& recording) {
    const Outcome outcome = outcome_of(result.status);
    if (outcome == Outcome::kOk && result.diagnostics.empty()) return;
    recording.note_once(result.diagnostics);
    recording.end_with(outcome);
    recording.profile_grew();
}

}  // namespace tilescope
