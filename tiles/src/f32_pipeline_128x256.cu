#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"
#include "tiles/tuning/sm80.h"

namespace tiles {

const Kernel kF32Pipeline128x256 = F32Pipeline<sm80::kF32Pipeline128x256>::row(
    "f32_pipeline_128x256", "cp.async: copies run while a block multiplies; even shares of work for all SMs");

}  // namespace tiles
