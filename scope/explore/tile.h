// Which tile: what every tile of the textbook's matrix product comes to on a device, before there is a kernel.
//
// Owns: TileQuestion, explore_tiles() and shape_of_product(). Guarantees: pure functions. Requested elements, phases,
// padding and shared bytes are exact for the kernel of tests/explore/programs/textbook_product.cu; occupancy is that of
// models/occupancy.h; sectors and wavefronts are counted by the observers' rules over a block in the middle. Registers,
// instructions and what caches have are estimated, so that the time, which is that of models/time on this estimated
// work, is too. Does not model: other kernels than that one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/models/device.h"
#include "scope/report/profile.h"
#include "scope/report/tile.h"

namespace tilescope::explore {

struct TileQuestion {
    std::uint64_t n = 0, m = 0, k = 0;          // M is m × k, N is k × n; 0: as n
    std::string type = "f32";                   // or "f64"
    std::vector<std::uint32_t> tiles, results;  // empty: a choice
    bool all = false;                           // every tile from 2 on
    // Of a profile: what the times are anchored at.
    const LaunchProfile* launch = nullptr;
};

inline constexpr std::uint64_t kMaxTileShape = 1 << 20;
inline constexpr std::uint32_t kMaxTileResults = 32;

Result<TileTable> explore_tiles(const models::Device& device, const TileQuestion& question);

// The product that a launch computes: one element of P a thread, two values for each multiply-add. An error where it
// does not look like one.
struct ProductShape {
    std::uint64_t m = 0, n = 0, k = 0;
    double asked_times = 0;  // as TiledKernel has it
};
Result<ProductShape> shape_of_product(const LaunchProfile& launch);

}  // namespace tilescope::explore
