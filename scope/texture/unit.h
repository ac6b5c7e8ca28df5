// The texture unit: what an instruction gets for one thread's coordinates. Pure functions.
#pragma once

#include <cstdint>

#include "scope/texture/footprint.h"
#include "scope/texture/format.h"
#include "scope/texture/texture.h"

namespace tilescope::texture {

enum class Geometry : std::uint8_t { k1D, k2D, k3D, kCube, k1DLayered, k2DLayered, kCubeLayered };

constexpr bool is_layered(Geometry geometry) { return geometry >= Geometry::k1DLayered; }
constexpr bool is_cube(Geometry geometry) { return geometry == Geometry::kCube || geometry == Geometry::kCubeLayered; }
// Coordinates without the layer.
constexpr unsigned dimensions_of(Geometry geometry) {
    if (geometry == Geometry::k1D || geometry == Geometry::k1DLayered) return 1;
    return geometry == Geometry::k2D || geometry == Geometry::k2DLayered ? 2 : 3;
}

enum class LevelFrom : std::uint8_t { kNothing, kOperand, kGradients };

// What the instruction says.
struct Fetch {
    Geometry geometry = Geometry::k2D;
    LevelFrom level = LevelFrom::kNothing;
    bool is_whole = false;  // coordinates are integers
    bool gathers = false;   // one channel of the four texels around
    std::uint8_t channel = 0;
};

// What a thread brings.
struct Request {
    float at[3] = {};
    std::int32_t whole[3] = {};
    std::uint32_t layer = 0;
    float level = 0;
    std::int32_t whole_level = 0;
    float dx[3] = {}, dy[3] = {};
    std::int32_t offset[3] = {};
};

// `footprint` gets the sectors of the texels that have a weight; null: nobody asks.
Texel fetch(const Texture& texture, const Fetch& how, const Request& request, Footprint* footprint = nullptr);

}  // namespace tilescope::texture
