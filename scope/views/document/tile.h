// What `tilescope tile` says, as a document.
#pragma once

#include "scope/report/tile.h"
#include "scope/views/document/document.h"

namespace tilescope::views {

Document tile_document(const TileTable& table);
// A row for each tile; as wide as a page.
Row tile_table(const TileTable& table);

}  // namespace tilescope::views
