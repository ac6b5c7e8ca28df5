// The registry's rows for tensor-core kernels, in ladder order.
#include "tiles/src/rows_tensor.h"

#include "tiles/src/registry.h"
#include "tiles/src/rows_simt.h"

namespace tiles {
namespace {

// Over a short k an fp32 FMA rounds so seldom that three tf32 products fall behind its accuracy (1.8 times its error at
// k = 16), and there is little to gain: those products go to the FMA kernels, the others refuse them.
GemmProblem by_fma(const GemmProblem& p) {
    GemmProblem same = p;
    same.compute = Compute::kF32;
    return same;
}

bool short_supports(const GemmProblem& p, const DeviceProperties& device) {
    return p.k < kShortestThree && kF32Pipeline128x128.supports(by_fma(p), device);
}

Status short_launch(const GemmProblem& p, const Tuning&, const DeviceProperties& device) {
    return kF32Pipeline128x128.launch(by_fma(p), Tuning{}, device);
}

const Kernel* const kRows[] = {&kTf32Mma,          &kTf32Wgmma256x128, &kTf32Wgmma64x128, &kBf16Mma,
                               &kBf16Wgmma128x256, &kBf16Wgmma128x128, &kBf16Wgmma64x256, &kF16Mma,
                               &kF16Wgmma128x256,  &kF16Wgmma128x128,  &kF16Wgmma64x256,  &kF32TensorMma,
                               &kF32Tensor192x128, &kF32Tensor64x128,  &kF32TensorShort};

}  // namespace

const Kernel kF32TensorShort{"f32_3xtf32_short_k", nullptr, Compute::kF32Tensor, 75,     128, 128, 8, 1, 1, 0.06f, 3.0f,
                             short_supports,       nullptr, short_launch,        nullptr};

KernelList tensor_kernels() { return {kRows, static_cast<int>(sizeof(kRows) / sizeof(kRows[0]))}; }

}  // namespace tiles
