// Textures and surfaces as the texture unit sees them: an image in memory, and how it is sampled.
//
// Guarantees: plain data, immutable once a kernel can name it. Rows of an image lie one behind the other here; where a
// card puts its texels is tiles.h's. Does not model: multisampled and sparse images.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scope/texture/format.h"

namespace tilescope::texture {

enum class Shape : std::uint8_t { k1D, k2D, k3D, kCube, k1DLayered, k2DLayered, kCubeLayered, kLinear, kPitched };

constexpr bool is_layered(Shape shape) {
    return shape == Shape::k1DLayered || shape == Shape::k2DLayered || shape == Shape::kCubeLayered;
}
constexpr bool is_cube(Shape shape) { return shape == Shape::kCube || shape == Shape::kCubeLayered; }

// Where a card puts a level of an array (tiles.h).
struct Tiles {
    std::uint64_t offset = 0;       // bytes from the image's address
    std::uint32_t columns = 1;      // tiles along a row
    std::uint8_t rows_shift = 0;    // of the tiles of a block, one below the other
    std::uint8_t slices_shift = 0;  // and one behind the other
    std::uint64_t slice = 0;        // bytes of a layer; of a volume those of all that is as deep as a block
};

// One level of detail. depth: slices of a volume, else layers, six for each cube.
struct Level {
    std::uint64_t offset = 0;  // bytes from the image's first
    std::uint32_t width = 1, height = 1, depth = 1;
    std::uint64_t pitch = 0, slice = 0;  // bytes from row to row, and from one slice or layer to the next
    Tiles tiles;
};

struct Image {
    Shape shape = Shape::k2D;
    Format format;
    std::uint64_t address = 0;   // as kernels see it
    std::byte* bytes = nullptr;  // where it lies in this process
    std::uint64_t size = 0;
    std::uint64_t allocation = 0;  // of the memory, by number: another one there later is not meant
    std::vector<Level> levels = std::vector<Level>(1);

    // Whether a texel lies within the image's bytes, which those of the program's own memory need not.
    bool holds(const Level& level, std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
        const std::uint64_t offset =
            level.offset + z * level.slice + y * level.pitch + std::uint64_t{x} * format.bytes();
        return offset <= size && format.bytes() <= size - offset;
    }
    std::byte* texel(const Level& level, std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
        return bytes + level.offset + z * level.slice + y * level.pitch + std::uint64_t{x} * format.bytes();
    }
};

enum class AddressMode : std::uint8_t { kWrap, kClamp, kMirror, kBorder };
enum class Filter : std::uint8_t { kPoint, kLinear };

struct Sampler {
    std::array<AddressMode, 3> modes{AddressMode::kClamp, AddressMode::kClamp, AddressMode::kClamp};
    Filter filter = Filter::kPoint, between_levels = Filter::kPoint;
    bool is_normalised = false;  // coordinates go from 0 to 1
    bool is_srgb = false;
    bool is_seamless = false;
    bool is_anisotropic = false;  // what a card makes of that is not modelled: fetches that it touches are faults
    std::array<float, 4> border{};
    float bias = 0, min_level = 0, max_level = 0;
};

struct Texture {
    Image image;
    Sampler sampler;
    Reading reading = Reading::kFloat;
    std::array<std::byte, 16> border{};  // a texel of the image's format
};

struct Surface {
    Image image;
};

}  // namespace tilescope::texture
