#include "tiles/src/f32_sliced.h"
#include "tiles/src/rows_simt.h"

namespace tiles {

using Tile = F32SlicedTile<F32Tile<2, 2, 2, 2, 8, 3, 1>, 3>;
const Kernel kF32Sliced64x128 = F32Sliced<Tile>::row("f32_sliced_64x128", nullptr, 0.775f, 4.5f);

}  // namespace tiles
