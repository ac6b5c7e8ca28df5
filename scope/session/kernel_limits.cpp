#include "scope/session/kernel_limits.h"

#include <algorithm>

#include "scope/models/occupancy.h"

namespace tilescope {
namespace {

std::uint64_t blocks_of(const models::Device& device, std::uint32_t registers, std::uint64_t threads) {
    models::KernelResources resources;
    resources.threads_per_block = threads;
    resources.registers_per_thread = registers;
    return models::occupancy(device, resources).blocks_per_sm;
}

}  // namespace

std::uint32_t registers_that_fit(const models::Device& device, std::uint32_t wanted, std::uint64_t threads,
                                 std::uint64_t blocks) {
    std::uint32_t registers = std::max(wanted, 1u);
    while (registers > 1 && blocks_of(device, registers, threads) < blocks) --registers;
    return registers;
}

std::uint32_t registers_for(const models::Device& device, const KernelInfo& info, std::uint64_t threads) {
    const bool is_estimate = info.registers_from == RegistersFrom::kEstimate;
    if (!is_estimate || threads > device.max_threads_per_block || info.registers == 0) return info.registers;
    return registers_that_fit(device, info.registers, threads);
}

std::uint32_t max_threads_of(const models::Device& device, const KernelInfo& info) {
    std::uint32_t threads = info.max_threads_per_block;
    if (info.registers_from == RegistersFrom::kEstimate) return threads;
    while (threads > device.warp_size && blocks_of(device, info.registers, threads) == 0)
        threads = (threads - 1) / device.warp_size * device.warp_size;
    return threads;
}

std::uint32_t bounded_registers(const models::Device& device, const KernelInfo& info, std::uint32_t estimate) {
    std::uint32_t registers = info.max_registers != 0 ? std::min(estimate, info.max_registers) : estimate;
    if (info.has_thread_bound)
        registers = registers_that_fit(device, registers, info.max_threads_per_block,
                                       std::max<std::uint64_t>(1, info.min_blocks_per_sm));
    return registers;
}

}  // namespace tilescope
