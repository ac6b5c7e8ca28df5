// Fetches of all lanes of a warp at once, where they go to one texture and need one texel of a level each, or the four
// around a coordinate: what most fetches are.
//
// Guarantees: results, and the sectors that are told, of texture::fetch() lane by lane. Does not model: borders,
// gathers, gradients, cubes, levels, filtered volumes, linear memory; fetch_together() leaves these alone.
#pragma once

#include <cstdint>

#include "scope/isa/families/texel_requests.h"
#include "scope/machine/simd/target.h"
#include "scope/texture/unit.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// What lanes bring: 32 of each, as many coordinates as the geometry has.
struct LaneRequests {
    const float* at[3] = {};
    const std::int32_t* whole[3] = {};
    const std::uint32_t* layer = nullptr;
    bool has_offsets = false;
};

// results: by channel and lane, 0 before. False: nothing was done.
bool fetch_together(const texture::Texture& texture, const texture::Fetch& how, const LaneRequests& from,
                    std::uint32_t exec, machine::TexelAccess access, TexelRequests& requests,
                    std::uint32_t (*results)[machine::kWarpSize]);

}  // namespace tilescope::isa::TILESCOPE_TARGET
