#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32Tile<4, 2, 4, 2, 8, 4, 1>;
const Kernel kF32Pipeline256x128 = F32Pipeline<Tile>::row("f32_pipeline_256x128", nullptr, 0.79f, 8.0f);

}  // namespace tiles
