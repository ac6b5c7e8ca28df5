#include "tiles/src/f32_sliced.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32SlicedTile<F32Tile<2, 2, 4, 2, 8, 4, 1>, 2>;
const Kernel kF32Sliced128x128 = F32Sliced<Tile>::row("f32_sliced_128x128", nullptr, 0.805f, 4.0f);

}  // namespace tiles
