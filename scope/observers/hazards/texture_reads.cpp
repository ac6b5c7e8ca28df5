#include "scope/observers/hazards/texture_reads.h"

#include <algorithm>
#include <bit>

#include "scope/texture/footprint.h"
#include "scope/texture/tiles.h"

namespace tilescope::observers {

using texture::Footprint;

bool any_texel(const machine::Texels& event, bool writes_surfaces, const std::function<bool(std::uint64_t)>& visit) {
    if (event.image == nullptr || (event.access.is_tiled && !writes_surfaces)) return false;
    const texture::Image& image = *event.image;
    const unsigned bytes = std::max<unsigned>(1, image.format.bytes());
    for (unsigned i = 0; i < event.count; ++i) {
        const texture::Sector& sector = event.sectors[i];
        for (unsigned byte = 0; byte < Footprint::kSectorBytes; byte += std::min(bytes, 16u)) {
            if ((sector.bytes >> byte & 1) == 0) continue;
            std::uint64_t address = sector.address + byte;
            if (event.access.is_tiled) {
                texture::TexelPlace place;
                if (!texture::find_texel(image, address, place)) continue;
                const texture::Level& level = image.levels[place.level];
                address = image.address + level.offset + place.slice * level.slice + place.row * level.pitch +
                          std::uint64_t{place.column} * bytes;
            }
            if (visit(address)) return true;
        }
    }
    return false;
}

}  // namespace tilescope::observers
