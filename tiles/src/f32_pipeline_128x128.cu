#include "tiles/src/f32_pipeline.h"
#include "tiles/src/rows_simt.h"
#include "tiles/tuning/sm80.h"

namespace tiles {

const Kernel kF32Pipeline128x128 = F32Pipeline<sm80::kF32Pipeline128x128>::row("f32_pipeline_128x128");

}  // namespace tiles
