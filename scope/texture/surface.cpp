#include "scope/texture/surface.h"

#include <algorithm>

#include "scope/texture/tiles.h"

namespace tilescope::texture {

SurfacePlace place_on(const Surface& surface, unsigned dimensions, bool is_layered, bool in_texels, unsigned bytes,
                      Outside outside, const SurfaceRequest& request) {
    const Image& image = surface.image;
    const Level& level = image.levels.front();
    SurfacePlace place;
    std::int64_t x = request.x;
    if (in_texels) x *= image.format.bytes();
    if (x % bytes != 0) {
        place.is_misaligned = true;
        return place;
    }
    const std::int64_t row = std::int64_t{level.width} * image.format.bytes();
    std::int64_t y = dimensions > 1 ? request.y : 0;
    std::int64_t z = is_layered ? std::int64_t{request.layer} : dimensions > 2 ? request.z : 0;
    const bool is_inside = x >= 0 && x <= row - std::int64_t{bytes} && y >= 0 && y < std::int64_t{level.height} &&
                           z >= 0 && z < std::int64_t{level.depth};
    if (!is_inside) {
        if (outside != Outside::kClamp) {
            place.is_outside = outside == Outside::kTrap;
            return place;
        }
        x = std::clamp<std::int64_t>(x, 0, std::max<std::int64_t>(0, row - std::int64_t{bytes}));
        y = std::clamp<std::int64_t>(y, 0, std::int64_t{level.height} - 1);
        z = std::clamp<std::int64_t>(z, 0, std::int64_t{level.depth} - 1);
        if (x + std::int64_t{bytes} > row) return place;
    }
    const auto offset = level.offset + static_cast<std::uint64_t>(z) * level.slice +
                        static_cast<std::uint64_t>(y) * level.pitch + static_cast<std::uint64_t>(x);
    place.bytes = image.bytes + offset;
    place.address = device_address(image, level, static_cast<std::uint64_t>(x), static_cast<std::uint32_t>(y),
                                   static_cast<std::uint32_t>(z));
    return place;
}

}  // namespace tilescope::texture
