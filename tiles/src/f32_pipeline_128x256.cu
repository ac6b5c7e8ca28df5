#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32Tile<2, 4, 4, 2, 8, 4, 1>;
const Kernel kF32Pipeline128x256 = F32Pipeline<Tile>::row(
    "f32_pipeline_128x256", "cp.async: copies run while a block multiplies; even shares of work for all SMs", 0.83f,
    8.0f);

}  // namespace tiles
