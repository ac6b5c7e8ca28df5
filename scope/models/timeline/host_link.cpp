#include "scope/models/timeline/host_link.h"

#include <algorithm>

namespace tilescope::models {
namespace {

constexpr double kMicroseconds = 1e6;  // geometry: of a second

LinkFigures figures_of(const Device& device, double pinned, double within) {
    LinkFigures link;
    link.pinned = pinned;
    link.pageable = std::min(pinned, device.host.pageable_bandwidth);
    link.within = within;
    if (device.async_engines != 0) link.engines = device.async_engines;
    link.rules = device.host;
    return link;
}

double copies_within(const Device& device) {
    return device.dram_copy_bandwidth > 0 ? device.dram_copy_bandwidth : device.dram_bandwidth;
}

}  // namespace

std::optional<LinkFigures> link_figures(const Device& device) {
    if (device.host_link_bandwidth <= 0 && device.host_copy_bandwidth <= 0) return std::nullopt;
    if (device.dram_copy_bandwidth <= 0 && device.dram_bandwidth <= 0) return std::nullopt;
    const double pinned = device.host_copy_bandwidth > 0 ? device.host_copy_bandwidth
                                                         : device.host.copy_share * device.host_link_bandwidth;
    return figures_of(device, pinned, copies_within(device));
}

LinkFigures estimated_link(const Device& device) {
    const double within = copies_within(device);
    return figures_of(device, device.host.copy_share * device.host.link_estimate,
                      within > 0 ? within : device.host.dram_estimate);
}

double copy_microseconds(const LinkFigures& link, CopyDirection direction, HostMemory memory, std::uint64_t bytes) {
    const auto size = static_cast<double>(bytes);
    switch (direction) {
        case CopyDirection::kHtoH: return 0;
        case CopyDirection::kDtoD: return link.rules.copy_start + 2 * size / link.within * kMicroseconds;
        case CopyDirection::kHtoD:
        case CopyDirection::kDtoH: break;
    }
    return link.rules.copy_start +
           size / (memory == HostMemory::kPageable ? link.pageable : link.pinned) * kMicroseconds;
}

double set_microseconds(const LinkFigures& link, std::uint64_t bytes) {
    return link.rules.set_start + static_cast<double>(bytes) / link.within * kMicroseconds;
}

double fault_microseconds(const PageRules& rules, std::uint64_t faults, std::uint64_t bytes) {
    return static_cast<double>(faults) * rules.fault + static_cast<double>(bytes) / rules.bandwidth * kMicroseconds;
}

double graph_kernel_microseconds(const HostLinkRules& rules, double microseconds, double launch_overhead) {
    const double saved = std::max(0.0, launch_overhead - rules.graph_step);
    return std::max(std::min(microseconds, rules.graph_step), microseconds - saved);
}

double call_microseconds(const HostLinkRules& rules, HostCall call) {
    switch (call) {
        case HostCall::kLaunch: return rules.call_launch;
        case HostCall::kCopy: return rules.call_copy;
        case HostCall::kSet: return rules.call_set;
        case HostCall::kGraph: return rules.call_graph;
        case HostCall::kWait: break;
    }
    return rules.call_wait;
}

}  // namespace tilescope::models
