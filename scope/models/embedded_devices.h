// The device files of this folder as they were when tilescope was built; embed.cmake writes the definition.
#pragma once

#include <span>
#include <string_view>

namespace tilescope::models {

struct EmbeddedDevice {
    std::string_view name, json;
};

std::span<const EmbeddedDevice> embedded_devices();  // sorted by name

}  // namespace tilescope::models
