// The work that the textbook's tiled product is, estimated: what a launch of it would have counted.
//
// Owns: TileShape and estimated_launch(). Guarantees: a pure function. Sectors and wavefronts are those of a block in
// the middle of P, averaged over its phases, by the observers' rules. Does not model: sectors that SMs fetch for each
// other, edges of P.
#pragma once

#include <cstdint>

#include "scope/models/device.h"
#include "scope/report/profile.h"

namespace tilescope::explore {

struct TileShape {
    std::uint64_t m = 0, n = 0, k = 0;
    std::uint32_t tile = 0, results = 1, element_bytes = 4, registers = 0;

    std::uint64_t across() const { return (n + tile - 1) / tile; }  // blocks
    std::uint64_t down() const { return (m + std::uint64_t{tile} * results - 1) / (std::uint64_t{tile} * results); }
    std::uint64_t phases() const { return (k + tile - 1) / tile; }
    std::uint64_t shared_bytes() const { return std::uint64_t{results + 1} * tile * tile * element_bytes; }
};

// As nvcc 13.0 has them for sm_90: 32, 32, 40 to 48 and 55 for 1, 2, 4 and 8 results of floats (November 2026).
std::uint32_t estimated_registers(std::uint32_t results, std::uint32_t element_bytes);

LaunchProfile estimated_launch(const models::Device& device, const TileShape& shape);

}  // namespace tilescope::explore
