#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32Tile<1, 4, 4, 2, 8, 4, 2>;
const Kernel kF32Pipeline64x256 = F32Pipeline<Tile>::row("f32_pipeline_64x256", nullptr, 0.785f, 7.0f);

}  // namespace tiles
