#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32Tile<4, 2, 4, 2, 16, 3, 1>;
const Kernel kF32Pipeline256x128 = F32Pipeline<Tile>::row("f32_pipeline_256x128", nullptr, 0.85f, 6.0f);

}  // namespace tiles
