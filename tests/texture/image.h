// A texture of floats in two dimensions, for tests.
#pragma once

#include <cstring>
#include <vector>

#include "scope/texture/texture.h"
#include "scope/texture/tiles.h"

namespace tilescope::texture {

class TestImage {
public:
    TestImage(std::uint32_t width, std::uint32_t height) : texels_(std::size_t{width} * height) {
        texture.image.bytes = reinterpret_cast<std::byte*>(texels_.data());
        texture.image.address = 4096;
        texture.image.size = texels_.size() * sizeof(float);
        Level& level = texture.image.levels.front();
        level.width = width;
        level.height = height;
        level.pitch = width * sizeof(float);
        level.slice = level.pitch * height;
        place_tiles(texture.image);
        for (std::size_t i = 0; i < texels_.size(); ++i) texels_[i] = static_cast<float>(i);
    }
    float& at(std::uint32_t x, std::uint32_t y) { return texels_[y * texture.image.levels.front().width + x]; }

    Texture texture;

private:
    std::vector<float> texels_;
};

}  // namespace tilescope::texture
