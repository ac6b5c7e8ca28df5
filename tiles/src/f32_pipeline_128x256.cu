#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32Tile<2, 4, 4, 2, 16, 3, 1>;
const Kernel kF32Pipeline128x256 = F32Pipeline<Tile>::row("f32_pipeline_128x256", nullptr, 0.85f, 6.0f);

}  // namespace tiles
