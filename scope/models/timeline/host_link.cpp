#include "scope/models/timeline/host_link.h"

#include <algorithm>

namespace tilescope::models {
namespace {

// Of a PCIe link's data rate, copies of pinned memory reach so much: 12.36 of 15.75 GB/s in NVIDIA's own example of
// host_to_device_memcpy_ce (nvbandwidth, README; PCIe 3.0, 16 lanes). A description with host_copy_bandwidth goes
// first.
constexpr double kReached = 0.785;
// Pageable memory goes through a pinned buffer of the driver's, by the host's processor. Assumed, for a single thread
// of a server's processor; NVIDIA documents the way (CUDA Runtime API, "API synchronization behavior"), not its speed.
constexpr double kPageable = 12e9;
// Before the first byte of a copy or set moves. Assumed: what small copies take between events.
constexpr double kStart = 1.5;
// Assumed: 4 to 6 µs are reported for launches on recent drivers, about 2 µs for calls that find nothing to do.
constexpr double kCall = 4, kWaitCall = 2;
constexpr double kMicroseconds = 1e6;

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
    return kStart + static_cast<double>(bytes) / link.within * kMicroseconds;
}

double call_microseconds() { return kCall; }
double wait_call_microseconds() { return kWaitCall; }

}  // namespace tilescope::models
