#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32Tile<2, 2, 2, 2, 8, 4, 3>;
const Kernel kF32Pipeline64x128 = F32Pipeline<Tile>::row("f32_pipeline_64x128", nullptr, 0.745f, 5.0f);

}  // namespace tiles
