#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32Tile<2, 2, 2, 1, 8, 4, 4>;
const Kernel kF32Pipeline64x64 = F32Pipeline<Tile>::row("f32_pipeline_64x64", nullptr, 0.61f, 4.0f);

}  // namespace tiles
