#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"
#include "tiles/tuning/sm80.h"

namespace tiles {

const Kernel kF32Pipeline64x64 = F32Pipeline<sm80::kF32Pipeline64x64>::row("f32_pipeline_64x64");

}  // namespace tiles
