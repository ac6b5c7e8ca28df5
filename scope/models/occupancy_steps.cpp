#include "scope/models/occupancy_steps.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace tilescope::models {
namespace {

// Whether a kernel with this much of one resource does what is wanted.
using Wanted = std::function<bool(std::uint64_t)>;

// The largest value in [least, most] for which `wanted` holds, which holds up to some value and not beyond.
std::optional<std::uint64_t> largest(std::uint64_t least, std::uint64_t most, const Wanted& wanted) {
    if (least > most || !wanted(least)) return std::nullopt;
    while (least < most) {
        const std::uint64_t middle = least + (most - least + 1) / 2;
        if (wanted(middle))
            least = middle;
        else
            most = middle - 1;
    }
    return least;
}

KernelResources with_registers(KernelResources kernel, std::uint64_t registers) {
    kernel.registers_per_thread = static_cast<std::uint32_t>(registers);
    return kernel;
}

KernelResources with_shared(KernelResources kernel, std::uint64_t bytes) {
    kernel.static_shared_bytes = 0;  // only the sum counts
    kernel.dynamic_shared_bytes = bytes;
    return kernel;
}

KernelResources with_barriers(KernelResources kernel, std::uint64_t barriers) {
    kernel.barriers = static_cast<std::uint32_t>(barriers);
    return kernel;
}

std::int64_t difference(std::uint64_t to, std::uint64_t from) {
    return static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from);
}

class Search {
public:
    Search(const Device& device, const KernelResources& kernel, SharedScaling scaling)
        : device_(device), kernel_(kernel), scaling_(scaling), now_(occupancy(device, kernel)) {}

    std::vector<OccupancyStep> run() {
        if (now_.warps_per_sm >= device_.max_warps_per_sm()) return {};
        try_fewer(SmResource::kRegisters, 1, kernel_.registers_per_thread, with_registers);
        try_fewer(SmResource::kShared, 0, kernel_.shared_bytes(), with_shared);
        try_fewer(SmResource::kBarriers, 1, device_.max_barriers_per_sm == 0 ? 0 : kernel_.barriers, with_barriers);
        if (steps_.empty()) try_together();
        try_threads();
        try_carveout();
        return std::move(steps_);
    }

private:
    using Change = KernelResources (*)(KernelResources, std::uint64_t);

    bool better(const Occupancy& found) const { return found.warps_per_sm > now_.warps_per_sm; }

    void add(std::vector<OccupancyChange> changes, const KernelResources& kernel) {
        const Occupancy found = occupancy(device_, kernel);
        steps_.push_back({std::move(changes), found.blocks_per_sm, found.fraction});
    }

    void try_fewer(SmResource resource, std::uint64_t least, std::uint64_t now, Change change) {
        if (now <= least) return;
        const auto to =
            largest(least, now - 1, [&](std::uint64_t to) { return better(occupancy(device_, change(kernel_, to))); });
        if (to) add({{resource, difference(*to, now)}}, change(kernel_, *to));
    }

    // Several resources bind alike: each gives way as far as one block more needs.
    void try_together() {
        const std::uint32_t wanted = now_.blocks_per_sm + 1;
        std::vector<OccupancyChange> changes;
        KernelResources kernel = kernel_;
        const auto give_way = [&](SmResource resource, std::uint64_t least, std::uint64_t now, Change change,
                                  std::uint32_t Occupancy::*limit) {
            if (now_.*limit >= wanted || now <= least) return;
            const auto to = largest(least, now - 1, [&](std::uint64_t to) {
                return occupancy(device_, change(kernel_, to)).*limit >= wanted;
            });
            if (!to) return;
            changes.push_back({resource, difference(*to, now)});
            kernel = change(kernel, *to);
        };
        give_way(SmResource::kRegisters, 1, kernel_.registers_per_thread, with_registers, &Occupancy::by_registers);
        give_way(SmResource::kShared, 0, kernel_.shared_bytes(), with_shared, &Occupancy::by_shared);
        give_way(SmResource::kBarriers, 1, kernel_.barriers, with_barriers, &Occupancy::by_barriers);
        if (better(occupancy(device_, kernel))) add(std::move(changes), kernel);
    }

    // The nearest block size on either side, in whole warps.
    void try_threads() {
        const std::uint64_t warp = device_.warp_size, now = kernel_.threads_per_block;
        const std::uint64_t most = device_.max_threads_per_block / warp * warp;
        const auto try_size = [&](std::uint64_t threads) {
            const KernelResources other = with_threads(kernel_, threads, scaling_);
            if (!better(occupancy(device_, other))) return false;
            add({{SmResource::kThreads, difference(threads, now)}}, other);
            return true;
        };
        for (std::uint64_t threads = std::min(most, now == 0 ? 0 : (now - 1) / warp * warp); threads >= warp;
             threads -= warp)
            if (try_size(threads)) break;
        for (std::uint64_t threads = now / warp * warp + warp; threads <= most && now <= most; threads += warp)
            if (try_size(threads)) break;
    }

    void try_carveout() {
        if (!kernel_.carveout_percent) return;
        for (const std::uint64_t bytes : device_.shared_carveouts) {
            if (bytes <= now_.carveout_bytes) continue;
            KernelResources other = kernel_;
            // Rounded down: the hardware rounds a share up to the next carve-out.
            other.carveout_percent = static_cast<unsigned>(bytes * 100 / device_.shared_bytes_per_sm);
            if (!better(occupancy(device_, other))) continue;
            add({{SmResource::kCarveout, difference(occupancy(device_, other).carveout_bytes, now_.carveout_bytes)}},
                other);
            return;
        }
    }

    const Device& device_;
    const KernelResources& kernel_;
    SharedScaling scaling_;
    Occupancy now_;
    std::vector<OccupancyStep> steps_;
};

}  // namespace

KernelResources with_threads(const KernelResources& kernel, std::uint64_t threads, SharedScaling scaling) {
    KernelResources other = kernel;
    other.threads_per_block = threads;
    if (scaling == SharedScaling::kPerThread && kernel.threads_per_block != 0) {
        const std::uint64_t from = kernel.threads_per_block;
        return with_shared(other, (kernel.shared_bytes() * threads + from - 1) / from);
    }
    return other;
}

std::vector<OccupancyStep> next_steps(const Device& device, const KernelResources& kernel, SharedScaling scaling) {
    return Search(device, kernel, scaling).run();
}

std::vector<OccupancyChange> headroom(const Device& device, const KernelResources& kernel) {
    const std::uint32_t now = occupancy(device, kernel).blocks_per_sm;
    if (now == 0) return {};
    const auto more = [&](std::uint64_t from, std::uint64_t to,
                          KernelResources (*change)(KernelResources, std::uint64_t)) {
        const auto found = largest(from, std::max(from, to), [&](std::uint64_t value) {
            return occupancy(device, change(kernel, value)).blocks_per_sm >= now;
        });
        return difference(found.value_or(from), from);
    };
    const auto resize = [](KernelResources other, std::uint64_t threads) {
        other.threads_per_block = threads;
        return other;
    };
    std::vector<OccupancyChange> result;
    if (kernel.registers_per_thread != 0)
        result.push_back({SmResource::kRegisters,
                          more(kernel.registers_per_thread, device.max_registers_per_thread, with_registers)});
    result.push_back(
        {SmResource::kShared, more(kernel.shared_bytes(), device.shared_bytes_per_block_optin, with_shared)});
    result.push_back({SmResource::kThreads, more(kernel.threads_per_block, device.max_threads_per_block, resize)});
    return result;
}

}  // namespace tilescope::models
