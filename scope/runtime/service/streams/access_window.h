// Lines for which a stream or a launch asks L2 for a priority.
#pragma once

#include <cstddef>

#include "scope/models/device.h"
#include "scope/session/session.h"

namespace tilescope::runtime {

struct AccessWindow {
    void* base = nullptr;
    std::size_t bytes = 0;
    float hit_ratio = 0;
    int hit_property = 0, miss_property = 0;  // 0 normal, 1 streaming, 2 persisting: as programs say it
};

// Whether the device would take it; and what is wrong if not.
bool is_window(const models::Device& device, const AccessWindow& window);
inline constexpr const char* kNoWindow =
    "the access-policy window is wider than the device allows, its ratio is not within 0 and 1, or it has properties "
    "that it cannot have";
LaunchRequest::AccessWindow asked_by(const AccessWindow& window);

}  // namespace tilescope::runtime
