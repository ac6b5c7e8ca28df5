// The registry's rows for fp32 FMA and fp64 kernels, in ladder order.
#include "tiles/src/rows_simt.h"

#include "tiles/src/registry.h"

namespace tiles {

KernelList simt_kernels() {
    static const Kernel* const rows[] = {
        &kF32Naive,           &kF32Coalesced,       &kF32SharedTile,     &kF32Checked,         &kF32DynamicTile,
        &kF32Coarsened,       &kF32RegisterTile,    &kF32Vectorised,     &kF32Pipeline128x256, &kF32Tma128x256,
        &kF32Pipeline256x128, &kF32Pipeline128x128, &kF32Pipeline256x64, &kF32Pipeline64x256,  &kF32Pipeline64x128,
        &kF32Pipeline64x64,   &kF32Sliced64x128,    &kF32Sliced128x64,   &kF32Sliced128x128,   &kF32DotRows,
        &kF32TensorDotRows,   &kF64Checked,         &kF64TensorCores,
    };
    return {rows, static_cast<int>(sizeof(rows) / sizeof(rows[0]))};
}

}  // namespace tiles
