#include "scope/texture/footprint.h"

namespace tilescope::texture {

std::uint64_t sector_of(const Image& image, const Level& level, std::uint64_t byte, std::uint32_t row,
                        std::uint32_t slice) {
    constexpr std::uint64_t kBytes = 32, kTileWidth = 16, kTileRows = 2;
    if (image.shape == Shape::kLinear || image.shape == Shape::kPitched) {
        const std::uint64_t address = image.address + level.offset + row * level.pitch + byte;
        return 2 * (address / kBytes * kBytes);
    }
    const std::uint64_t rows_before = row / kTileRows * kTileRows;
    return 2 * (image.address + level.offset + slice * level.slice + rows_before * level.pitch) +
           byte / kTileWidth * kBytes;
}

}  // namespace tilescope::texture
