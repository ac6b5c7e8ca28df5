// Where a card puts the texels of an array: in tiles of 64 bytes by eight rows, and these in blocks.
//
// Guarantees: every place as bench/hardware/texture_layout.cu read it off an H200 (27 November 2026), of images, layers
// and volumes of texels of four bytes; other formats are taken to go by bytes alike. Where levels begin was not
// measured: one behind the other here, in whole blocks.
#pragma once

#include <cstdint>

#include "scope/texture/texture.h"

namespace tilescope::texture {

// Of a tile: its bytes, those of a row, and its rows, each as a power of two.
inline constexpr unsigned kTileShift = 9, kTileWidthShift = 6, kTileRowsShift = 3;

// Lays the tiles of all levels out; the bytes that they take together.
std::uint64_t place_tiles(Image& image);

// Where a card has a byte of a row, in its own memory.
inline std::uint64_t device_address(const Image& image, const Level& level, std::uint64_t byte, std::uint32_t row,
                                    std::uint32_t slice) {
    if (image.shape == Shape::kLinear || image.shape == Shape::kPitched)
        return image.address + level.offset + row * level.pitch + byte;
    const Tiles& tiles = level.tiles;
    // Within a tile the bits of byte and row take turns.
    const std::uint64_t within =
        (byte & 15) | (row & 1) << 4 | (row & 2) << 4 | (byte & 16) << 2 | (row & 4) << 5 | (byte & 32) << 3;
    const std::uint64_t column = byte >> kTileWidthShift, tile_row = row >> kTileRowsShift;
    const std::uint64_t block = (tile_row >> tiles.rows_shift) * tiles.columns + column;
    const std::uint64_t below = tile_row & ((1u << tiles.rows_shift) - 1);
    const std::uint64_t behind = slice & ((1u << tiles.slices_shift) - 1);
    return image.address + tiles.offset + (slice >> tiles.slices_shift) * tiles.slice +
           (((block << tiles.rows_shift << tiles.slices_shift) + below + behind) << kTileShift) + within;
}

// The texel that lies at an address, in whose bytes it may be.
struct TexelPlace {
    std::uint32_t level = 0, column = 0, row = 0, slice = 0;
};
// False: the address is none of the image's. What lies in tiles beyond the last row or column is told as if it were
// one.
bool find_texel(const Image& image, std::uint64_t address, TexelPlace& place);

}  // namespace tilescope::texture
