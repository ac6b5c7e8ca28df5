// How long copies, sets and calls take on a device: the figures behind the time line.
//
// Owns: LinkFigures and the times that follow from them. Microseconds, bytes a second. Guarantees: nothing for a device
// whose description has no link to a host. Does not model: the host's own memory and processors beyond what a
// description says of the host that its card was measured in (HostLinkRules); two directions at once that slow each
// other.
#pragma once

#include <cstdint>
#include <optional>

#include "scope/models/device.h"
#include "scope/report/enums.h"

namespace tilescope::models {

struct LinkFigures {
    double pinned = 0, pageable = 0;  // each way
    double within = 0;                // read and written bytes together, device memory
    unsigned engines = 2;
    HostLinkRules rules;
};

std::optional<LinkFigures> link_figures(const Device& device);
// For a device whose description has none: those of the link that its generation came with, to estimate by.
LinkFigures estimated_link(const Device& device);

// On the copy engine, or within the device's memory. Copies from host to host take none of its time: 0.
double copy_microseconds(const LinkFigures& link, CopyDirection direction, HostMemory memory, std::uint64_t bytes);
double set_microseconds(const LinkFigures& link, std::uint64_t bytes);
// How long kernels, or the host, stand still for page faults that bring so many bytes.
double fault_microseconds(const PageRules& rules, std::uint64_t faults, std::uint64_t bytes);
// A kernel behind other work of its graph, which takes so long when it is launched by itself, of which
// `launch_overhead` is the same for every kernel.
double graph_kernel_microseconds(const HostLinkRules& rules, double microseconds, double launch_overhead);
// The host's own part of a call. kWait: one that waits, beyond what it waits for.
enum class HostCall : std::uint8_t { kLaunch, kCopy, kSet, kGraph, kWait };
double call_microseconds(const HostLinkRules& rules, HostCall call);
// Pageable memory up to so many bytes is taken along with the call, which does not wait.
inline constexpr std::uint64_t kTakenAlong = 64 << 10;  // geometry: CUDA Runtime API, "API synchronization behavior"

}  // namespace tilescope::models
