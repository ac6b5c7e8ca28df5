#include "tiles/src/f32_sliced.h"
#include "tiles/src/rows_simt.h"
#include "tiles/tuning/sm80.h"

namespace tiles {

const Kernel kF32Sliced128x128 = F32Sliced<sm80::kF32Sliced128x128>::row("f32_sliced_128x128");

}  // namespace tiles
