// Sentences on tiles of a matrix product.
//
// Guarantees: pure functions of the facts. Does not model: the facts (scope/explore).
#pragma once

#include <string>

#include "scope/report/tile.h"

namespace tilescope::views {

// "32×32 threads, 4 results each: 142 µs, bound by ..."
std::string best_tile_text(const TileTable& table);
// What an untiled product asks for, and what tiles leave of it.
std::string tile_requests_text(const TileTable& table);
std::string tile_ridge_text(const TileTable& table);
std::string tile_shared_text(const TileTable& table);
// Of the kernel that was run.
std::string tiled_kernel_text(const TileTable& table);
// Why it cannot be launched; empty where it can.
std::string tile_refusal_text(const TileRow& row);

}  // namespace tilescope::views
