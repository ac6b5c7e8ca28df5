// What launches and streams are asked for beside their shapes, by the names that programs write.
#pragma once

#include <string>

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

}  // namespace tilescope::runtime
