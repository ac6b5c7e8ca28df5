// Which face of a cube a direction meets, and where.
#pragma once

#include <cstdint>

namespace tilescope::texture {

struct OnCube {
    std::uint32_t face = 0;  // +x -x +y -y +z -z
    float s = 0, t = 0;      // from 0 to 1
};

OnCube on_cube(float x, float y, float z);

}  // namespace tilescope::texture
