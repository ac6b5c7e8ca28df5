// Which levels of detail a fetch reads.
#pragma once

#include "scope/texture/texture.h"

namespace tilescope::texture {

struct LevelChoice {
    std::uint32_t first = 0;
    int fraction = 0;  // of 256, to the next level
};

// What a level that an instruction names comes to.
LevelChoice level_of(const Texture& texture, float level);
// What gradients along x and y come to, each in coordinates of the texture.
float level_of_gradients(const Texture& texture, const float* dx, const float* dy, unsigned dimensions);
// Likewise of a cube, for a direction: they lead to two other directions, on whose distances on the faces it hangs.
float level_of_cube_gradients(const Texture& texture, const float* at, const float* dx, const float* dy);

}  // namespace tilescope::texture
