// What launches and streams are asked for beside their shapes, and what the device is limited to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scope/models/device.h"
#include "scope/runtime/cudart/abi.h"
#include "scope/session/session.h"

namespace tilescope::runtime {

// cudaLaunchAttributeID, as far as it is known here.
enum LaunchAttributeId {
    kIgnore = 0,
    kAccessPolicyWindow = 1,
    kCooperative = 2,
    kSynchronizationPolicy = 3,
    kClusterDimension = 4,
    kClusterScheduling = 5,
    kProgrammaticSerialization = 6,
    kPriority = 8,
    kMemSyncDomainMap = 9,
    kMemSyncDomain = 10,
    kPreferredCluster = 11,
    kCarveout = 14,
    kNvlinkCentric = 16,
};

// As programs write it.
std::string attribute_name(int id);

// Whether the device would take it; and what is wrong if not.
bool is_window(const models::Device& device, const abi::AccessPolicyWindow& window);
inline constexpr const char* kNoWindow =
    "the access-policy window is wider than the device allows, its ratio is not within 0 and 1, or it has properties "
    "that it cannot have";
LaunchRequest::AccessWindow asked_by(const abi::AccessPolicyWindow& window);

// cudaLimitPersistingL2CacheSize, if the program has set it.
std::optional<std::uint64_t> persisting_limit();

}  // namespace tilescope::runtime
