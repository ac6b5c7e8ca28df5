#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32Tile<4, 2, 2, 2, 8, 4, 2>;
const Kernel kF32Pipeline128x128 = F32Pipeline<Tile>::row("f32_pipeline_128x128", nullptr, 0.755f, 7.0f);

}  // namespace tiles
