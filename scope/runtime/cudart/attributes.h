// What launches and streams are asked for beside their shapes, by the names that programs write.
#pragma once

#include <string>

#include "scope/runtime/cudart/abi.h"
#include "scope/runtime/service/runtime.h"

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
// Whether CUDA 13.0 has one of that number.
inline bool is_attribute(int id) { return id >= kIgnore && id <= kNvlinkCentric; }

// Of a stream, for both faces; one that is not there is refused by name.
Status set_stream_attribute(Runtime& runtime, void* stream, int id, const abi::AttributeValue* value);
Status stream_attribute(Runtime& runtime, void* stream, int id, abi::AttributeValue* value);

}  // namespace tilescope::runtime
