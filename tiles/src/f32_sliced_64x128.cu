#include "tiles/src/f32_sliced.h"
#include "tiles/src/rows_simt.h"
#include "tiles/tuning/sm80.h"

namespace tiles {

const Kernel kF32Sliced64x128 = F32Sliced<sm80::kF32Sliced64x128>::row("f32_sliced_64x128");

}  // namespace tiles
