#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32Tile<2, 2, 4, 2, 16, 3, 2>;
const Kernel kF32Pipeline128x128w4 = F32Pipeline<Tile>::row("f32_pipeline_128x128w4", nullptr, 0.80f, 5.0f);

}  // namespace tiles
