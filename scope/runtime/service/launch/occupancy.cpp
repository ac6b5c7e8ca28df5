// Occupancy: scope/models answers, for the kernel's own registers and shared memory.
#include "scope/models/occupancy.h"

#include <algorithm>

#include "scope/runtime/service/launch/functions.h"
#include "scope/session/kernel_limits.h"

namespace tilescope::runtime {
namespace {

struct Kernel {
    const models::Device& device;
    const KernelInfo& info;
    const Function& function;

    // The most shared memory that one block may have, static and dynamic together.
    std::uint64_t shared_limit() const {
        const std::uint64_t allowed = max_dynamic_shared(device, info, function) + info.static_shared_bytes;
        return allowed > device.shared_bytes_per_block ? device.shared_bytes_per_block_optin
                                                       : device.shared_bytes_per_block;
    }

    // What the program allowed counts only above what every block may have: of 30,240 answers of an H200
    // (driver 580.159.04, measured November 2026) none says otherwise.
    std::uint64_t dynamic_limit() const {
        const std::uint64_t all = device.shared_bytes_per_block;
        return std::max(max_dynamic_shared(device, info, function), all - std::min(all, info.static_shared_bytes));
    }

    models::Occupancy occupancy(std::uint64_t threads, std::uint64_t dynamic_shared) const {
        models::KernelResources resources;
        resources.threads_per_block = threads;
        resources.registers_per_thread = registers_for(device, info, threads);
        resources.static_shared_bytes = info.static_shared_bytes;
        resources.dynamic_shared_bytes = dynamic_shared;
        resources.barriers = info.barriers;
        const int carveout = function.carveout.load(std::memory_order_relaxed);
        if (carveout >= 0) resources.carveout_percent = static_cast<unsigned>(carveout);
        return models::occupancy(device, resources);
    }

    int blocks(std::uint64_t threads, std::uint64_t dynamic_shared) const {
        // The kernel's own launch bounds do not count here, as on an H200.
        if (threads > device.max_threads_per_block || dynamic_shared > dynamic_limit()) return 0;
        return static_cast<int>(occupancy(threads, dynamic_shared).blocks_per_sm);
    }
};

template <class Body>
Status with_kernel(Runtime& runtime, const FunctionName& name, Body&& body) {
    Function* record = nullptr;
    KernelId id = 0;
    if (const Status status = runtime.modules().find(runtime, name, record, id); status != Status::kOk) return status;
    const KernelInfo& info = runtime.session().kernel_info(id);
    if (info.registers_from == RegistersFrom::kEstimate)
        runtime.warn_once("runtime-estimated-occupancy",
                          "what is said of the occupancy of " + info.name +
                              " is an estimate: its registers are, as neither a cubin nor ptxas says how many it has");
    return body(Kernel{runtime.session().device(), runtime.session().kernel_info(id), *record});
}

// The rule of NVIDIA's cuda_occupancy.h (CUDA 13.0): one block may have all that a block can get, several share the
// carve-out; then what the function's own limit leaves.
Status available_shared(const Kernel& kernel, std::uint64_t blocks, std::uint64_t threads, std::size_t& bytes) {
    if (kernel.blocks(threads, 0) < static_cast<int>(blocks)) return Status::kInvalidValue;
    const std::uint64_t limit = kernel.shared_limit();
    const std::uint64_t unit = std::max<std::uint64_t>(kernel.device.shared_allocation_unit, 1);
    std::uint64_t share = blocks == 1 ? limit : kernel.occupancy(threads, 0).carveout_bytes / blocks / unit * unit;
    share = std::min(share, limit);
    share = share > kernel.info.static_shared_bytes ? share - kernel.info.static_shared_bytes : 0;
    bytes = std::min(share, max_dynamic_shared(kernel.device, kernel.info, kernel.function));
    return Status::kOk;
}

}  // namespace

Status active_blocks(Runtime& runtime, const FunctionName& name, std::uint64_t threads, std::uint64_t dynamic_shared,
                     int& blocks) {
    return with_kernel(runtime, name, [&](const Kernel& kernel) {
        blocks = kernel.blocks(threads, dynamic_shared);
        return Status::kOk;
    });
}

Status available_shared(Runtime& runtime, const FunctionName& name, std::uint64_t blocks, std::uint64_t threads,
                        std::size_t& bytes) {
    return with_kernel(runtime, name,
                       [&](const Kernel& kernel) { return available_shared(kernel, blocks, threads, bytes); });
}

}  // namespace tilescope::runtime
