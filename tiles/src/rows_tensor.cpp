// The registry's rows for tensor-core kernels, in ladder order.
#include "tiles/src/rows_tensor.h"

#include "tiles/src/registry.h"
#include "tiles/src/rows_simt.h"
#include "tiles/tuning/cost_model.h"

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

const Kernel* const kRows[] = {&kTf32Mma,
                               &kTf32Wgmma256x128,
                               &kTf32Wgmma64x128,
                               &kBf16Mma,
                               &kBf16Wgmma128x256,
                               &kBf16Wgmma128x192,
                               &kBf16Wgmma128x128,
                               &kBf16Wgmma64x128Below,
                               &kBf16Wgmma64x128Beside,
                               &kBf16Wgmma128x64Below,
                               &kF16Mma,
                               &kF16Wgmma128x256,
                               &kF16Wgmma128x192,
                               &kF16Wgmma128x128,
                               &kF16Wgmma64x128Below,
                               &kF16Wgmma64x128Beside,
                               &kF16Wgmma128x64Below,
                               &kF32TensorMma,
                               &kF32Tensor192x128,
                               &kF32Tensor64x128,
                               &kF32Tensor128x64,
                               &kF32TensorByFma,
                               &kTf32ByFma,
                               &kBf16Checked,
                               &kF16Checked};

}  // namespace

const Kernel kF32TensorByFma{"f32_tensor_by_fma", nullptr, Compute::kF32Tensor, 70,     128, 64, 8, 2, 1, 0.09f, 5.0f,
                             fma_supports,        nullptr, fma_launch,          nullptr};
const Kernel kTf32ByFma{"tf32_by_fma", nullptr, Compute::kTF32, 70,      128,        64,     8, 2, 1,
                        0.04f,         6.0f,    fma_supports,   nullptr, fma_launch, nullptr};

KernelList tensor_kernels() { return {kRows, static_cast<int>(sizeof(kRows) / sizeof(kRows[0]))}; }

}  // namespace tiles
