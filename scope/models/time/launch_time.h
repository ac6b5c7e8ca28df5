// How long a launch takes on a device: modelled.
//
// Owns: launch_time(). Guarantees: a pure function of the launch's counts, its occupancy and the device's description;
// the parts of the breakdown add up to the time; more of anything is never faster. Nothing where the caches were not
// modelled, the occupancy is not known, or the device's description lacks a figure: never a guess.
// docs/internals/time-model.md has every formula, how far it is from hardware, and where it is blind. Does not model:
// other launches at the same time, warm caches, clocks that fall under load.
#pragma once

#include <optional>

#include "scope/models/device.h"
#include "scope/report/profile.h"

namespace tilescope::models {

std::optional<TimeProfile> launch_time(const Device& device, const LaunchProfile& launch);

// Of a launch what the model goes by where there is no replay, and nothing else.
LaunchProfile without_replay(const LaunchProfile& launch);

// What the model says of a launch by itself, whatever a replay said.
std::optional<double> microseconds_without_replay(const Device& device, const LaunchProfile& launch);

// How many microseconds `launch` would take if it were `changed` in counts, work or shape. A replay knows only what
// ran; so its time is taken as many times longer or shorter as the model without a replay makes of the change.
std::optional<double> changed_microseconds(const Device& device, const LaunchProfile& launch,
                                           const LaunchProfile& changed);

}  // namespace tilescope::models
