#include "scope/session/launch/limits.h"

#include <optional>

#include "scope/report/format.h"
#include "scope/session/kernel_limits.h"

namespace tilescope {
namespace {

using report::thousands;

constexpr const char* kAxes[] = {"x", "y", "z"};

std::string extent(const Dim3& at) { return thousands(at[0]) + " × " + thousands(at[1]) + " × " + thousands(at[2]); }

// `what`: "grid" or "block".
std::string wrong_extent(const std::string& what, const Dim3& asked, const Dim3& most, const std::string& device) {
    for (std::size_t i = 0; i < asked.size(); ++i) {
        if (asked[i] == 0) return "the " + what + " is " + extent(asked) + ": nothing in it";
        if (asked[i] > most[i])
            return "the " + what + " is " + extent(asked) + "; the " + device + " takes " + thousands(most[i]) +
                   " in " + kAxes[i];
    }
    return {};
}

std::string wrong_shape(const models::Device& device, const KernelInfo& info, const LaunchRequest& request) {
    if (auto wrong = wrong_extent("grid", request.grid, device.max_grid, device.name); !wrong.empty()) return wrong;
    const std::uint64_t threads = std::uint64_t{request.block[0]} * request.block[1] * request.block[2];
    const std::string asked = thousands(threads) + " threads per block";
    if (threads > device.max_threads_per_block)
        return asked + "; the " + device.name + " takes " + thousands(device.max_threads_per_block);
    if (auto wrong = wrong_extent("block", request.block, device.max_block, device.name); !wrong.empty()) return wrong;
    if (info.required_block[0] != 0 && request.block != info.required_block)
        return "blocks of " + extent(request.block) + "; the kernel was compiled for " + extent(info.required_block) +
               " alone";
    if (threads > info.max_threads_per_block)
        return asked + "; the kernel's __launch_bounds__ allow " + thousands(info.max_threads_per_block);
    return {};
}

std::string wrong_shared(const models::Device& device, const KernelInfo& info, const LaunchRequest& request) {
    const std::uint64_t dynamic = request.dynamic_shared_bytes, most = device.shared_bytes_per_block_optin;
    const std::string asked = thousands(dynamic) + " B of dynamic shared memory a block";
    if (info.static_shared_bytes + dynamic > most)
        return asked +
               (info.static_shared_bytes != 0
                    ? " beside " + thousands(info.static_shared_bytes) + " B of __shared__ variables"
                    : "") +
               "; the " + device.name + " has " + thousands(most) + " B";
    if (request.max_dynamic_shared_bytes && dynamic > *request.max_dynamic_shared_bytes)
        return asked + "; this kernel may have " + thousands(*request.max_dynamic_shared_bytes) +
               " B until cudaFuncSetAttribute raises its cudaFuncAttributeMaxDynamicSharedMemorySize";
    return {};
}

std::string too_many_registers(const models::Device& device, const KernelInfo& info, const LaunchRequest& request) {
    const std::uint64_t threads = std::uint64_t{request.block[0]} * request.block[1] * request.block[2];
    const std::uint32_t fit = registers_that_fit(device, info.registers, threads);
    return thousands(info.registers) + " registers per thread for " + thousands(threads) +
           " threads per block; an SM of the " + device.name + " has " + thousands(device.registers_per_sm) +
           ", so that a block may have " + thousands(max_threads_of(device, info)) + ": __launch_bounds__(" +
           std::to_string(threads) + ") on the kernel, or -maxrregcount=" + std::to_string(fit) +
           ", makes the compiler keep to " + thousands(fit) + " registers";
}

}  // namespace

models::KernelResources resources_of(const models::Device& device, const KernelInfo& info,
                                     const LaunchRequest& request) {
    models::KernelResources resources;
    resources.threads_per_block = std::uint64_t{request.block[0]} * request.block[1] * request.block[2];
    resources.registers_per_thread = registers_for(device, info, resources.threads_per_block);
    resources.static_shared_bytes = info.static_shared_bytes;
    resources.dynamic_shared_bytes = request.dynamic_shared_bytes;
    resources.barriers = info.barriers;
    resources.carveout_percent = request.carveout_percent;
    return resources;
}

LaunchResult check_launch(const models::Device& device, const KernelInfo& info, const LaunchRequest& request,
                          const models::Occupancy& occupancy) {
    LaunchResult result;
    const auto refuse = [&](LaunchStatus status, std::string reason) {
        result.status = status;
        result.reason = std::move(reason);
        return result;
    };
    if (auto wrong = wrong_shape(device, info, request); !wrong.empty())
        return refuse(LaunchStatus::kInvalidConfiguration, std::move(wrong));
    if (auto wrong = wrong_shared(device, info, request); !wrong.empty())
        return refuse(LaunchStatus::kTooMuchShared, std::move(wrong));
    const std::uint64_t per_sm = occupancy.blocks_per_sm;
    if (info.registers_from != RegistersFrom::kEstimate && per_sm == 0)
        return refuse(LaunchStatus::kOutOfResources, too_many_registers(device, info, request));
    const std::uint64_t blocks = std::uint64_t{request.grid[0]} * request.grid[1] * request.grid[2];
    if (request.cooperative && blocks > per_sm * device.sm_count)
        return refuse(LaunchStatus::kTooManyBlocks, "a cooperative launch of " + thousands(blocks) + " blocks; the " +
                                                        device.name + " holds " + thousands(per_sm * device.sm_count) +
                                                        " of them at once, " + thousands(per_sm) + " on each of its " +
                                                        thousands(device.sm_count) + " SMs");
    return result;
}

}  // namespace tilescope
