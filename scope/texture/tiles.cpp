#include "scope/texture/tiles.h"

#include <algorithm>
#include <bit>

namespace tilescope::texture {
namespace {

constexpr std::uint32_t kMaxTilesOfBlock = 16;

std::uint64_t divided_up(std::uint64_t value, unsigned shift) {
    return (value + (std::uint64_t{1} << shift) - 1) >> shift;
}

// How far so many tiles fill a block, as a power of two.
std::uint8_t block_shift(std::uint64_t tiles) {
    const std::uint64_t all = std::clamp<std::uint64_t>(tiles, 1, kMaxTilesOfBlock);
    return static_cast<std::uint8_t>(std::bit_width(all - 1));
}

}  // namespace

std::uint64_t place_tiles(Image& image) {
    const bool is_volume = image.shape == Shape::k3D;
    std::uint64_t end = 0;
    for (Level& level : image.levels) {
        Tiles& tiles = level.tiles;
        const std::uint64_t rows = divided_up(level.height, kTileRowsShift);
        tiles.offset = end;
        tiles.columns =
            static_cast<std::uint32_t>(divided_up(std::uint64_t{level.width} * image.format.bytes(), kTileWidthShift));
        tiles.rows_shift = is_volume ? std::uint8_t{0} : block_shift(rows);
        tiles.slices_shift = is_volume ? block_shift(level.depth) : std::uint8_t{0};
        const unsigned block = kTileShift + tiles.rows_shift + tiles.slices_shift;
        tiles.slice = divided_up(rows, tiles.rows_shift) * tiles.columns << block;
        end += divided_up(level.depth, tiles.slices_shift) * tiles.slice;
    }
    return end;
}

bool find_texel(const Image& image, std::uint64_t address, TexelPlace& place) {
    if (address < image.address) return false;
    std::uint64_t offset = address - image.address;
    const unsigned bytes = std::max(1u, image.format.bytes());
    if (image.shape == Shape::kLinear || image.shape == Shape::kPitched) {
        const Level& level = image.levels.front();
        if (offset < level.offset || offset >= image.size) return false;
        offset -= level.offset;
        const bool has_rows = image.shape == Shape::kPitched && level.pitch != 0;
        place = {0, static_cast<std::uint32_t>((has_rows ? offset % level.pitch : offset) / bytes),
                 has_rows ? static_cast<std::uint32_t>(offset / level.pitch) : 0, 0};
        return true;
    }
    std::uint32_t number = 0;
    while (number + 1 < image.levels.size() && image.levels[number + 1].tiles.offset <= offset) ++number;
    const Level& level = image.levels[number];
    const Tiles& tiles = level.tiles;
    if (offset < tiles.offset || tiles.slice == 0 || tiles.columns == 0) return false;
    offset -= tiles.offset;
    const std::uint64_t slices = offset / tiles.slice, tile = offset % tiles.slice >> kTileShift;
    if (slices >= divided_up(level.depth, tiles.slices_shift)) return false;
    const unsigned within = static_cast<unsigned>(offset) & ((1u << kTileShift) - 1);
    const unsigned of_block = tiles.rows_shift + tiles.slices_shift;  // one of the two is 0
    const std::uint64_t in_block = tile & ((std::uint64_t{1} << of_block) - 1), block = tile >> of_block;
    const std::uint64_t below = tiles.slices_shift == 0 ? in_block : 0, behind = tiles.slices_shift == 0 ? 0 : in_block;
    const std::uint64_t byte =
        ((block % tiles.columns) << kTileWidthShift) + (within & 15) + (within >> 2 & 16) + (within >> 3 & 32);
    const std::uint64_t row = (((block / tiles.columns << tiles.rows_shift) + below) << kTileRowsShift) +
                              (within >> 4 & 1) + (within >> 4 & 2) + (within >> 5 & 4);
    place = {number, static_cast<std::uint32_t>(byte / bytes), static_cast<std::uint32_t>(row),
             static_cast<std::uint32_t>((slices << tiles.slices_shift) + behind)};
    return true;
}

}  // namespace tilescope::texture
