#include "scope/models/timeline/host_link.h"

#include <algorithm>

namespace tilescope::models {
namespace {

// Measured on one H200 SXM behind PCIe 5.0 with 16 lanes, its host a Xeon, 22 November 2026
// (bench/hardware/host_link.cu); taken to hold for other links and hosts, which nobody here has measured.
//
// Of the link's data rate, copies of pinned memory reach so much: 55.2 of 63.0 GB/s for 256 MB, either way. Both ways
// at once take 9 % longer, which is left out. A description with host_copy_bandwidth goes first.
constexpr double kReached = 0.876;
// Pageable memory goes through a pinned buffer of the driver's, by the host's processor: 11.8 to 13.0 GB/s for 4 and 16
// MB; 6.5 to 9.5 for 64 MB, where the host's own caches end.
constexpr double kPageable = 12.5e9;
// The least that a copy or a set takes its engine, one behind another.
constexpr double kStart = 2.1, kSetStart = 1.2;
// What a call that issues work takes the host: 4.2 for a launch, 2.1 to 2.3 for a copy, 1.2 for a set; and
// one that finds nothing to wait for.
constexpr double kLaunchCall = 4.2, kCopyCall = 2.2, kSetCall = 1.2, kWaitCall = 0.45;
// A launch of a graph: 1.7 to 1.9 for a chain of 1 to 100 kernels, 2.3 to 3.4 for 400, 2.7 to 3.3 for two chains side
// by side; and from one kernel of a chain to the next, with next to nothing to do, 0.50 to 0.51, where a stream's own
// launch has its launch_overhead (bench/hardware/graphs.cu, one H200, driver 580.159.04, 24 November 2026). Taken to
// hold for other devices.
constexpr double kGraphCall = 1.8, kGraphStep = 0.5;
constexpr double kMicroseconds = 1e6;
// Page faults of managed memory, one behind another, and what they bring, either way: on the same machine, 23 November
// 2026 (bench/hardware/pages.cu). One thread's walks took 37 to 58 us a fault with all that comes along, the host's 48
// to 90; sweeps by the whole device, whose faults come several at a time, a fifth longer than this says.
constexpr double kFault = 42, kFaultBandwidth = 13e9;

}  // namespace

std::optional<LinkFigures> link_figures(const Device& device) {
    if (device.host_link_bandwidth <= 0 && device.host_copy_bandwidth <= 0) return std::nullopt;
    if (device.dram_copy_bandwidth <= 0 && device.dram_bandwidth <= 0) return std::nullopt;
    LinkFigures link;
    link.pinned = device.host_copy_bandwidth > 0 ? device.host_copy_bandwidth : kReached * device.host_link_bandwidth;
    link.pageable = std::min(link.pinned, kPageable);
    link.within = device.dram_copy_bandwidth > 0 ? device.dram_copy_bandwidth : device.dram_bandwidth;
    if (device.async_engines != 0) link.engines = device.async_engines;
    return link;
}

LinkFigures estimated_link(const Device& device) {
    // PCIe with 16 lanes: 3.0 up to compute capability 7.x, 4.0 for 8.x, 5.0 from 9.0 on.
    constexpr double kThird = 15.75e9;
    // Device memory where the description does not say: the least of the devices that it does say it of.
    constexpr double kMemory = 100e9;
    LinkFigures link;
    link.pinned = kReached * kThird * (device.compute_major >= 9 ? 4 : device.compute_major == 8 ? 2 : 1);
    link.pageable = std::min(link.pinned, kPageable);
    link.within = device.dram_copy_bandwidth > 0 ? device.dram_copy_bandwidth : device.dram_bandwidth;
    if (link.within <= 0) link.within = kMemory;
    if (device.async_engines != 0) link.engines = device.async_engines;
    return link;
}

double copy_microseconds(const LinkFigures& link, CopyDirection direction, HostMemory memory, std::uint64_t bytes) {
    const auto size = static_cast<double>(bytes);
    switch (direction) {
        case CopyDirection::kHtoH: return 0;
        case CopyDirection::kDtoD: return kStart + 2 * size / link.within * kMicroseconds;
        case CopyDirection::kHtoD:
        case CopyDirection::kDtoH: break;
    }
    return kStart + size / (memory == HostMemory::kPageable ? link.pageable : link.pinned) * kMicroseconds;
}

double set_microseconds(const LinkFigures& link, std::uint64_t bytes) {
    return kSetStart + static_cast<double>(bytes) / link.within * kMicroseconds;
}

double fault_microseconds(std::uint64_t faults, std::uint64_t bytes) {
    return static_cast<double>(faults) * kFault + static_cast<double>(bytes) / kFaultBandwidth * kMicroseconds;
}

double graph_kernel_microseconds(double microseconds, double launch_overhead) {
    const double saved = std::max(0.0, launch_overhead - kGraphStep);
    return std::max(std::min(microseconds, kGraphStep), microseconds - saved);
}

double call_microseconds(HostCall call) {
    switch (call) {
        case HostCall::kLaunch: return kLaunchCall;
        case HostCall::kCopy: return kCopyCall;
        case HostCall::kSet: return kSetCall;
        case HostCall::kGraph: return kGraphCall;
        case HostCall::kWait: break;
    }
    return kWaitCall;
}

}  // namespace tilescope::models
