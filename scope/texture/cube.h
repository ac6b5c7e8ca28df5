// Which face of a cube a direction meets, and where.
#pragma once

#include <cstdint>

namespace tilescope::texture {

struct OnCube {
    std::uint32_t face = 0;  // +x -x +y -y +z -z
    float s = 0, t = 0;      // from 0 to 1
};

OnCube on_cube(float x, float y, float z);
// How far apart on the faces two directions meet the cube, in faces: along s and t of the first one's face, unfolded
// over the edge where the second lies on the next face. Infinite where it lies on the opposite one.
struct CubeStep {
    double s = 0, t = 0;
    bool leaves_face = false;
};
CubeStep step_on_cube(const float* from, const float* by);
// The texel of a face of `size` by `size`, or beyond one of its edges: then the one on the face behind that edge.
struct CubeTexel {
    std::uint32_t face = 0;
    std::int64_t x = 0, y = 0;
};
CubeTexel across_edge(std::uint32_t face, std::int64_t x, std::int64_t y, std::uint32_t size);

}  // namespace tilescope::texture
