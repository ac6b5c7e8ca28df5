// The files of devices/ as they were when tilescope was built; embed.cmake writes the definition.
#pragma once

#include <span>
#include <string_view>

namespace tilescope::models {

// name: the path below devices/ without ".json": "h200", or "cc/9.0" for what all devices of a compute capability
// share.
struct EmbeddedDevice {
    std::string_view name, json;
};

std::span<const EmbeddedDevice> embedded_devices();

// By that very name; nullptr if there is none.
const EmbeddedDevice* find_embedded_device(std::string_view name);

}  // namespace tilescope::models
