#include "scope/models/occupancy_curves.h"

#include <algorithm>
#include <set>

#include "scope/models/occupancy_textbook.h"
#include "scope/report/format.h"

namespace tilescope::models {
namespace {

KernelResources changed(const KernelResources& kernel, OccupancyResource resource, std::uint64_t value,
                        SharedScaling scaling) {
    KernelResources other = kernel;
    switch (resource) {
        case OccupancyResource::kThreads: return with_threads(kernel, value, scaling);
        case OccupancyResource::kRegisters: other.registers_per_thread = static_cast<std::uint32_t>(value); break;
        case OccupancyResource::kShared:
            other.static_shared_bytes = 0;  // only the sum counts
            other.dynamic_shared_bytes = value;
            break;
    }
    return other;
}

std::uint64_t own_value(const KernelResources& kernel, OccupancyResource resource) {
    switch (resource) {
        case OccupancyResource::kThreads: return kernel.threads_per_block;
        case OccupancyResource::kRegisters: return kernel.registers_per_thread;
        case OccupancyResource::kShared: return kernel.shared_bytes();
    }
    return 0;
}

// Where the answer may change, whichever way it is computed.
std::set<std::uint64_t> candidates(const Device& device, const KernelResources& kernel, OccupancyResource resource) {
    std::set<std::uint64_t> values;
    const std::uint64_t unit = device.shared_allocation_unit, most = device.shared_bytes_per_block_optin;
    switch (resource) {
        case OccupancyResource::kThreads:
            for (std::uint64_t v = device.warp_size; v <= device.max_threads_per_block; v += device.warp_size)
                values.insert(v);
            break;
        case OccupancyResource::kRegisters:
            for (std::uint64_t v = 1; v <= device.max_registers_per_thread; ++v) values.insert(v);
            break;
        case OccupancyResource::kShared:
            values.insert({0, most});
            // The first byte of each unit, the driver's share taken off, and of each whole part of the SM.
            for (std::uint64_t v = unit; v <= most + device.shared_bytes_reserved; v += unit)
                if (v >= device.shared_bytes_reserved) values.insert(v - device.shared_bytes_reserved + 1);
            for (std::uint64_t parts = 1; parts <= device.max_blocks_per_sm; ++parts)
                values.insert(device.shared_bytes_per_sm / parts + 1);
            values.insert(kernel.shared_bytes());
            values.erase(values.upper_bound(most), values.end());
            break;
    }
    return values;
}

const char* axis_title(OccupancyResource resource) {
    switch (resource) {
        case OccupancyResource::kThreads: return "threads per block";
        case OccupancyResource::kRegisters: return "registers per thread";
        case OccupancyResource::kShared: return "shared memory per block, bytes";
    }
    return "";
}

const char* curve_name(OccupancyResource resource) {
    switch (resource) {
        case OccupancyResource::kThreads: return "block size";
        case OccupancyResource::kRegisters: return "registers";
        case OccupancyResource::kShared: return "shared memory";
    }
    return "";
}

report::Axis value_axis(const Device& device, OccupancyResource resource) {
    report::Axis axis{axis_title(resource), false, 0, 1};
    switch (resource) {
        case OccupancyResource::kThreads: axis.most = device.max_threads_per_block; break;
        case OccupancyResource::kRegisters: axis.most = device.max_registers_per_thread + 1; break;
        case OccupancyResource::kShared: axis.most = static_cast<double>(device.shared_bytes_per_block_optin); break;
    }
    return axis;
}

}  // namespace

OccupancyCurve occupancy_curve(const Device& device, const KernelResources& kernel, OccupancyResource resource,
                               SharedScaling scaling) {
    OccupancyCurve curve{resource, {}};
    for (const std::uint64_t value : candidates(device, kernel, resource)) {
        const KernelResources other = changed(kernel, resource, value, scaling);
        const Occupancy found = occupancy(device, other);
        const double textbook =
            static_cast<double>(textbook_occupancy(device, other).threads_per_sm) / device.warp_size;
        const OccupancyPoint point{value, found.blocks_per_sm, found.warps_per_sm, textbook};
        const bool news = curve.points.empty() || curve.points.back().warps_per_sm != point.warps_per_sm ||
                          curve.points.back().textbook_warps != textbook;
        if (news || resource == OccupancyResource::kThreads) curve.points.push_back(point);
    }
    return curve;
}

std::vector<BlockSize> block_sizes(const Device& device, const KernelResources& kernel, SharedScaling scaling) {
    std::vector<BlockSize> sizes;
    for (std::uint64_t threads = device.warp_size; threads <= device.max_threads_per_block; threads += device.warp_size)
        sizes.push_back({threads, occupancy(device, with_threads(kernel, threads, scaling))});
    return sizes;
}

std::vector<BlockSize> best_block_sizes(const std::vector<BlockSize>& sizes) {
    std::uint32_t most = 0;
    for (const BlockSize& size : sizes) most = std::max(most, size.occupancy.warps_per_sm);
    std::vector<BlockSize> best;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
        if (most != 0 && size->occupancy.warps_per_sm == most) best.push_back(*size);
    return best;
}

report::Chart occupancy_chart(const Device& device, const KernelResources& kernel, const OccupancyCurve& curve) {
    const bool by_size = curve.resource == OccupancyResource::kThreads;
    report::Chart chart;
    chart.title = std::string("Occupancy by ") + curve_name(curve.resource);
    chart.subtitle = device.name + ": " + report::thousands(kernel.threads_per_block) + " threads per block";
    if (kernel.registers_per_thread != 0)
        chart.subtitle += ", " + report::thousands(kernel.registers_per_thread) + " registers per thread";
    chart.subtitle += ", " + report::thousands(kernel.shared_bytes()) + " bytes of shared memory per block";
    chart.x = value_axis(device, curve.resource);
    chart.y = {"warps per SM", false, 0, static_cast<double>(device.max_warps_per_sm())};
    // Between two block sizes there is none, so their curve is drawn from point to point.
    report::Curve hardware{"hardware", {}, !by_size, true}, textbook{"textbook", {}, !by_size, false};
    for (const OccupancyPoint& point : curve.points) {
        hardware.points.emplace_back(point.at, point.warps_per_sm);
        textbook.points.emplace_back(point.at, point.textbook_warps);
    }
    if (!curve.points.empty() && !by_size)
        for (report::Curve* line : {&textbook, &hardware})
            if (line->points.back().first < chart.x.most)
                line->points.emplace_back(chart.x.most, line->points.back().second);
    const bool differs = std::any_of(curve.points.begin(), curve.points.end(), [](const OccupancyPoint& point) {
        return point.textbook_warps != point.warps_per_sm;
    });
    if (differs) chart.curves.push_back(std::move(textbook));
    chart.curves.push_back(std::move(hardware));
    const std::uint64_t own = own_value(kernel, curve.resource);
    const Occupancy found = occupancy(device, kernel);
    // Registers that nobody told are no point on an axis of registers.
    if (own != 0 || curve.resource == OccupancyResource::kShared)
        chart.marks.push_back(
            {"this kernel: " + report::thousands(found.warps_per_sm) + " warps at " + report::thousands(own),
             static_cast<double>(own), static_cast<double>(found.warps_per_sm), true});
    return chart;
}

}  // namespace tilescope::models
