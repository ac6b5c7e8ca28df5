#include "scope/texture/cube.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scope/base/reciprocal_unit.h"

namespace tilescope::texture {
namespace {

// The dimension along which a direction meets the cube.
unsigned major_of(const float* direction) {
    const float x = std::fabs(direction[0]), y = std::fabs(direction[1]), z = std::fabs(direction[2]);
    return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

// Coordinates of a face from 0 to 1, cut to 2^-21 as all coordinates are.
float across_face(float along) {
    constexpr double kUnits = 1 << 20;
    return static_cast<float>(std::floor((static_cast<double>(along) + 1) * kUnits) / (2 * kUnits));
}

}  // namespace

// Machine code multiplies a direction by the reciprocal of its longest part, and the unit takes that part for 1.
OnCube on_cube(float of_x, float of_y, float of_z) {
    const float longest = std::fmax(std::fmax(std::fabs(of_x), std::fabs(of_y)), std::fabs(of_z));
    const float reciprocal = approximate_reciprocal(longest);
    const float x = of_x * reciprocal, y = of_y * reciprocal, z = of_z * reciprocal;
    const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    OnCube on;
    float s = 0, t = 0;
    if (az >= ax && az >= ay) {
        on.face = z < 0 ? 5 : 4;
        s = z < 0 ? -x : x;
        t = -y;
    } else if (ay >= ax) {
        on.face = y < 0 ? 3 : 2;
        s = x;
        t = y < 0 ? -z : z;
    } else {
        on.face = x < 0 ? 1 : 0;
        s = x < 0 ? z : -z;
        t = -y;
    }
    on.s = across_face(s);
    on.t = across_face(t);
    return on;
}

CubeTexel across_edge(std::uint32_t face, std::int64_t x, std::int64_t y, std::uint32_t size) {
    const std::int64_t last = std::int64_t{size} - 1;
    if (x >= 0 && x <= last && y >= 0 && y <= last) return {face, x, y};
    // A direction to the texel's middle, hardly over the edge where it lies beyond one.
    constexpr float kOver = 1.0001f;
    const auto along = [&](std::int64_t at) {
        if (at < 0) return -kOver;
        if (at > last) return kOver;
        return (2 * static_cast<float>(at) + 1) / static_cast<float>(size) - 1;
    };
    const float s = along(x), t = along(y);
    OnCube on;
    switch (face) {
        case 0: on = on_cube(1, -t, -s); break;
        case 1: on = on_cube(-1, -t, s); break;
        case 2: on = on_cube(s, 1, t); break;
        case 3: on = on_cube(s, -1, -t); break;
        case 4: on = on_cube(s, -t, 1); break;
        default: on = on_cube(-s, -t, -1); break;
    }
    const auto texel = [&](float at) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(at * static_cast<float>(size)), 0, last);
    };
    return {on.face, texel(on.s), texel(on.t)};
}

CubeStep step_on_cube(const float* from, const float* by) {
    const float to[3] = {from[0] + by[0], from[1] + by[1], from[2] + by[2]};
    const unsigned face = major_of(from), next = major_of(to);
    const double depth = std::fabs(from[face]), next_depth = std::fabs(to[next]);
    const bool is_opposite = next == face && std::signbit(from[face]) != std::signbit(to[face]);
    CubeStep step;
    step.leaves_face = next != face || is_opposite;
    if (is_opposite) {
        step.s = std::numeric_limits<double>::infinity();
        return step;
    }
    double* const parts[] = {&step.s, &step.t};
    unsigned part = 0;
    for (unsigned i = 0; i < 3; ++i) {
        if (i == face) continue;
        double& along = *parts[part++];
        const double here = from[i] / depth;
        if (i != next) {
            along = to[i] / next_depth - here;
        } else if (next != face) {
            // To the edge, and from there on.
            const double edge = to[i] < 0 ? -1 : 1;
            const double beyond = 1 - std::copysign(1.0, from[face]) * to[face] / next_depth;
            along = (edge - here) + edge * beyond;
        }
        along /= 2;
    }
    return step;
}

}  // namespace tilescope::texture
