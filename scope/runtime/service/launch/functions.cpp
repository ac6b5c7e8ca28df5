#include "scope/runtime/service/launch/functions.h"

#include "scope/session/kernel_limits.h"

namespace tilescope::runtime {

std::uint64_t max_dynamic_shared(const models::Device& device, const KernelInfo& info, const Function& function) {
    const int raised = function.max_dynamic_shared.load(std::memory_order_relaxed);
    if (raised >= 0) return static_cast<std::uint64_t>(raised);
    const std::uint64_t most = device.shared_bytes_per_block;
    return most > info.static_shared_bytes ? most - info.static_shared_bytes : 0;
}

Status ask_function(Runtime& runtime, const FunctionName& name, FunctionFacts& facts) {
    Function* function = nullptr;
    KernelId kernel = 0;
    if (const Status status = runtime.modules().find(runtime, name, function, kernel); status != Status::kOk)
        return status;
    const KernelInfo& info = runtime.session().kernel_info(kernel);
    facts.info = &info;
    facts.max_threads = max_threads_of(runtime.session().device(), info);
    facts.max_dynamic_shared = max_dynamic_shared(runtime.session().device(), info, *function);
    facts.carveout = function->carveout.load(std::memory_order_relaxed);
    return Status::kOk;
}

Status check_function(Runtime& runtime, const FunctionName& name) {
    Function* function = nullptr;
    KernelId kernel = 0;
    return runtime.modules().find(runtime, name, function, kernel);
}

Status set_max_dynamic_shared(Runtime& runtime, const FunctionName& name, int bytes) {
    Function* function = nullptr;
    KernelId kernel = 0;
    if (const Status status = runtime.modules().find(runtime, name, function, kernel); status != Status::kOk)
        return status;
    const KernelInfo& info = runtime.session().kernel_info(kernel);
    const std::uint64_t most = runtime.session().device().shared_bytes_per_block_optin;
    if (bytes < 0 || static_cast<std::uint64_t>(bytes) + info.static_shared_bytes > most) return Status::kInvalidValue;
    function->max_dynamic_shared = bytes;
    return Status::kOk;
}

Status set_carveout(Runtime& runtime, const FunctionName& name, int percent) {
    Function* function = nullptr;
    KernelId kernel = 0;
    if (const Status status = runtime.modules().find(runtime, name, function, kernel); status != Status::kOk)
        return status;
    if (percent < -1 || percent > 100) return Status::kInvalidValue;
    function->carveout = percent;
    return Status::kOk;
}

Status refuse_clusters(Runtime& runtime, const FunctionName& name) {
    if (const Status status = check_function(runtime, name); status != Status::kOk) return status;
    runtime.warn_once("runtime-unsupported-attribute", "thread block clusters are not supported yet");
    return Status::kNotSupported;
}

}  // namespace tilescope::runtime
