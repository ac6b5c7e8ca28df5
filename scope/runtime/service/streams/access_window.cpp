#include "scope/runtime/service/streams/access_window.h"

namespace tilescope::runtime {
namespace {

constexpr int kStreaming = 1, kPersisting = 2;

machine::Eviction eviction_of(int property) {
    return property == kStreaming    ? machine::Eviction::kFirst
           : property == kPersisting ? machine::Eviction::kLast
                                     : machine::Eviction::kNormal;
}

}  // namespace

bool is_window(const models::Device& device, const AccessWindow& window) {
    const std::uint64_t widest = device.access_policy_window_bytes;
    return (widest == 0 || window.bytes <= widest) && window.hit_ratio >= 0 && window.hit_ratio <= 1 &&
           window.hit_property >= 0 && window.hit_property <= kPersisting && window.miss_property >= 0 &&
           window.miss_property <= kStreaming;
}

LaunchRequest::AccessWindow asked_by(const AccessWindow& window) {
    return {reinterpret_cast<std::uint64_t>(window.base), window.bytes, double{window.hit_ratio},
            eviction_of(window.hit_property), eviction_of(window.miss_property)};
}

}  // namespace tilescope::runtime
