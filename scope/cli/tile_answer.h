// What `tilescope tile` prints: text and JSON of a TileTable.
//
// Guarantees: pure functions of it; the text is at most 100 columns wide. Does not model: anything.
#pragma once

#include <string>

#include "scope/report/tile.h"

namespace tilescope::cli {

std::string tile_text(const TileTable& table, bool color);
std::string tile_json(const TileTable& table);

}  // namespace tilescope::cli
