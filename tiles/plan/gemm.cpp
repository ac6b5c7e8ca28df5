// The entry points: check, choose, launch.
#include "tiles/gemm.h"

#include "tiles/plan/cost_model.h"
#include "tiles/plan/device.h"
#include "tiles/plan/registry.h"
#include "tiles/src/scale.h"
#include "tiles/src/validate.h"

namespace tiles {
namespace {

bool usable(const Kernel& kernel, const GemmProblem& problem, const DeviceProperties& device) {
    return kernel.compute == problem.compute && device.capability() >= kernel.min_capability &&
           kernel.supports(problem, device);
}

// The kernel that the caller named, with the tuning that the model finds best for it.
Status named_kernel(const char* name, const GemmProblem& problem, const DeviceProperties& device, size_t limit,
                    Choice* choice) {
    const Kernel* kernel = find_kernel(name);
    if (kernel == nullptr) return {StatusCode::kInvalidArgument, "kernel", "no kernel has this name", 0};
    if (!usable(*kernel, problem, device)) {
        return {StatusCode::kUnsupported, "kernel", "this kernel does not run this product on this device", 0};
    }
    *choice = best_tuning(*kernel, problem, device, limit);
    if (choice->kernel == nullptr) {
        return {StatusCode::kWorkspaceTooSmall, "workspace", "this kernel needs a larger workspace", 0};
    }
    return {};
}

Status choose(const GemmArguments& arguments, const GemmProblem& problem, const DeviceProperties& device, size_t limit,
              Choice* choice) {
    if (arguments.options.kernel != nullptr) {
        return named_kernel(arguments.options.kernel, problem, device, limit, choice);
    }
    *choice = choose_kernel(problem, device, limit);
    if (choice->kernel == nullptr) {
        return {StatusCode::kUnsupported, "compute", "this device has no kernel for it", 0};
    }
    return {};
}

bool empty(const GemmProblem& p) { return p.m == 0 || p.n == 0 || p.batch == 0; }

}  // namespace

Status gemm(const GemmArguments& arguments) noexcept {
    GemmProblem problem;
    if (Status status = make_problem(arguments, &problem); !status.ok()) return status;
    if (empty(problem)) return {};
    const DeviceProperties* device = nullptr;
    if (Status status = current_device(&device); !status.ok()) return status;
    if (problem.k == 0) return launch_scale(problem);
    Choice choice;
    if (Status status = choose(arguments, problem, *device, problem.workspace_bytes, &choice); !status.ok())
        return status;
    return choice.kernel->launch(problem, choice.tuning, *device);
}

Status gemm_workspace_size(const GemmArguments& arguments, size_t* bytes) noexcept {
    if (bytes == nullptr) return {StatusCode::kInvalidArgument, "bytes", "is null", 0};
    *bytes = 0;
    GemmProblem problem;
    if (Status status = make_problem(arguments, &problem, Memory::kPlanned); !status.ok()) return status;
    if (empty(problem) || problem.k == 0) return {};
    const DeviceProperties* device = nullptr;
    if (Status status = current_device(&device); !status.ok()) return status;
    Choice choice;
    if (Status status = choose(arguments, problem, *device, SIZE_MAX, &choice); !status.ok()) return status;
    if (choice.kernel->workspace != nullptr) *bytes = choice.kernel->workspace(problem, choice.tuning, *device);
    return {};
}

Status prepare() noexcept {
    const DeviceProperties* device = nullptr;
    return current_device(&device);
}

}  // namespace tiles
