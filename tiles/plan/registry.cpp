#include "tiles/plan/registry.h"

#include <cstring>

#include "tiles/plan/by_fma.h"
#include "tiles/src/rows_simt.h"
#include "tiles/src/rows_tensor.h"

namespace tiles {
namespace {

const Kernel* const kRows[] = {
    // fp32 on FMA units, and fp64.
    &kF32Naive, &kF32Coalesced, &kF32SharedTile, &kF32Checked, &kF32DynamicTile, &kF32Coarsened, &kF32RegisterTile,
    &kF32Vectorised, &kF32Pipeline128x256, &kF32Tma128x256, &kF32Pipeline256x128, &kF32Pipeline128x128,
    &kF32Pipeline256x64, &kF32Pipeline64x256, &kF32Pipeline64x128, &kF32Pipeline64x64, &kF32Sliced64x128,
    &kF32Sliced128x64, &kF32Sliced128x128, &kF32DotRows, &kF32TensorDotRows, &kF64Checked, &kF64TensorCores,
    // Tensor cores.
    &kTf32Mma, &kTf32Wgmma256x128, &kTf32Wgmma64x128, &kBf16Mma, &kBf16WgmmaCopies, &kBf16Wgmma128x256,
    &kBf16Wgmma128x192, &kBf16Wgmma128x128, &kBf16Wgmma64x128Below, &kBf16Wgmma64x128Beside, &kBf16Wgmma128x64Below,
    &kF16Mma, &kF16WgmmaCopies, &kF16Wgmma128x256, &kF16Wgmma128x192, &kF16Wgmma128x128, &kF16Wgmma64x128Below,
    &kF16Wgmma64x128Beside, &kF16Wgmma128x64Below, &kF32TensorMma, &kF32Tensor192x128, &kF32Tensor64x128,
    &kF32Tensor128x64, &kF32TensorByFma, &kTf32ByFma, &kBf16Checked, &kF16Checked};

}  // namespace

KernelList all_kernels() { return {kRows, static_cast<int>(sizeof(kRows) / sizeof(kRows[0]))}; }

const Kernel* find_kernel(const char* name) {
    for (const Kernel* row : kRows) {
        if (std::strcmp(row->name, name) == 0) return row;
    }
    return nullptr;
}

}  // namespace tiles
