// What the bf16, f16 and tf32 wgmma launchers share: the limits of the copy engine and where results go.
#pragma once

#include "tiles/src/hopper_launch.h"
#include "tiles/src/split_k.h"

namespace tiles::hopper {

inline bool reachable(const GemmProblem& p, const DeviceProperties& device) {
    constexpr int64_t kSize = int64_t{1} << 30;
    return device.tensor_maps && p.m < kSize && p.n < kSize && p.k < kSize && p.batch < 65536 &&
           maps_reach(plane_a(p)) && maps_reach(plane_b(p)) && maps_reach(plane_c(p));
}

// Where the kernel's results go: C, or the planes of sums.
template <class Out>
Status make_output(const GemmProblem& p, int parts, float* sums, int box_rows, Output<Out>* out) {
    Plane plane = plane_c(p);
    out->alpha = static_cast<float>(p.alpha), out->beta = static_cast<float>(p.beta);
    if (parts > 1) {
        plane = {sums, DataType::kF32, p.n, p.m, sums_pitch(p), sums_pitch(p) * p.m, p.batch * parts};
        out->alpha = 1, out->beta = 0;
    }
    out->c = static_cast<Out*>(const_cast<void*>(plane.base));
    out->ldc = plane.pitch, out->stride_c = plane.stride;
    out->m = static_cast<int>(p.m), out->n = static_cast<int>(p.n), out->parts = parts;
    // A box is cut off at the matrix's edge in steps of 16 bytes: in C that must be the edge itself.
    out->maps = mappable(plane) && (parts > 1 || p.n * plane.element() % 16 == 0);
    return out->maps ? make_map(plane, 128 / static_cast<int>(sizeof(Out)), box_rows, &out->map) : Status{};
}

}  // namespace tiles::hopper
