#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32Tile<4, 1, 4, 2, 8, 4, 2>;
const Kernel kF32Pipeline256x64 = F32Pipeline<Tile>::row("f32_pipeline_256x64", nullptr, 0.77f, 7.0f);

}  // namespace tiles
