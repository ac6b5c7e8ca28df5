#include "tiles/src/f32_sliced.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32SlicedTile<F32Tile<2, 1, 4, 2, 8, 4, 1>, 4>;
const Kernel kF32Sliced128x64 = F32Sliced<Tile>::row("f32_sliced_128x64", nullptr, 0.765f, 6.0f);

}  // namespace tiles
