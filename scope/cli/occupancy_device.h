// What `tilescope occupancy --device NAME` says where no kernel is named: the device's limits, what a thread may have
// of each resource while the SM is full, and such an SM as a picture.
//
// Owns: the text and the JSON of it. Guarantees: pure functions of the device; at most 100 columns.
#pragma once

#include <string>

#include "scope/models/device.h"

namespace tilescope::cli {

std::string device_limits_text(const models::Device& device, bool color);
std::string device_limits_json(const models::Device& device);

}  // namespace tilescope::cli
