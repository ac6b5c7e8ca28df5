#include "scope/texture/cube.h"

#include <cmath>

namespace tilescope::texture {

OnCube on_cube(float x, float y, float z) {
    const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    OnCube on;
    float s = 0, t = 0, major = 1;
    if (az >= ax && az >= ay) {
        on.face = z < 0 ? 5 : 4;
        s = z < 0 ? -x : x;
        t = -y;
        major = az;
    } else if (ay >= ax) {
        on.face = y < 0 ? 3 : 2;
        s = x;
        t = y < 0 ? -z : z;
        major = ay;
    } else {
        on.face = x < 0 ? 1 : 0;
        s = x < 0 ? z : -z;
        t = -y;
        major = ax;
    }
    on.s = (s / major + 1) / 2;
    on.t = (t / major + 1) / 2;
    return on;
}

}  // namespace tilescope::texture
