#include "tiles/plan/by_fma.h"

#include "tiles/plan/cost_model.h"
#include "tiles/src/rows_simt.h"
#include "tiles/tuning/sm70.h"

namespace tiles {
namespace {

// Over a short k an fp32 FMA rounds so seldom that three tf32 products fall behind its accuracy (1.8 times its error at
// k = 16): the others refuse those. A long product without workspace is as fast this way, too. Cards before 8.0 have
// nothing else, for plain tf32 neither.
GemmProblem by_fma(const GemmProblem& p) {
    GemmProblem same = p;
    same.compute = Compute::kF32;
    return same;
}

bool fma_supports(const GemmProblem& p, const DeviceProperties& device) {
    return kF32Checked.supports(by_fma(p), device);
}

Status fma_launch(const GemmProblem& p, const Tuning&, const DeviceProperties& device) {
    const GemmProblem same = by_fma(p);
    const Choice choice = choose_kernel(same, device, p.workspace_bytes);
    if (choice.kernel == nullptr) return {StatusCode::kUnsupported, "compute", "this device has no kernel for it", 0};
    return choice.kernel->launch(same, choice.tuning, device);
}

}  // namespace

const Kernel kF32TensorByFma = {.name = "f32_tensor_by_fma",
                                .compute = Compute::kF32Tensor,
                                .min_capability = 70,
                                .figures = sm70::kF32TensorByFma,
                                .supports = &fma_supports,
                                .launch = &fma_launch};
const Kernel kTf32ByFma = {.name = "tf32_by_fma",
                           .compute = Compute::kTF32,
                           .min_capability = 70,
                           .figures = sm70::kTf32ByFma,
                           .supports = &fma_supports,
                           .launch = &fma_launch};

}  // namespace tiles
