#include "tiles/src/repitch.h"

#include "tiles/kernels/prepare.cuh"

namespace tiles {
namespace {

RepitchArguments arguments_of(const Repitch& job) {
    RepitchArguments g{};
    if (job.from == nullptr) return g;
    const int element = job.from->element();
    g.from = static_cast<const uint8_t*>(job.from->base);
    g.to = static_cast<uint8_t*>(const_cast<void*>(job.to->base));
    g.rows = job.from->rows, g.row_bytes = job.from->columns * element;
    g.from_pitch = job.from->pitch * element, g.from_stride = job.from->stride * element;
    g.to_pitch = job.to->pitch * element, g.to_stride = job.to->stride * element;
    g.count = job.from->planes();
    return g;
}

}  // namespace

hopper::Plane repitched(const hopper::Plane& plane, void* to) {
    hopper::Plane copy = plane;
    const int64_t unit = 128 / plane.element();
    copy.base = to;
    copy.pitch = (plane.columns + unit - 1) / unit * unit;
    if (plane.stride != 0) copy.stride = copy.pitch * plane.rows;
    return copy;
}

size_t repitched_bytes(const hopper::Plane& plane) {
    const hopper::Plane copy = repitched(plane, nullptr);
    return aligned_bytes(static_cast<size_t>(copy.pitch_bytes()) * static_cast<size_t>(copy.rows * copy.planes()));
}

Status launch_repitch(const Repitch& one, const Repitch& other, cudaStream_t stream) {
    RepitchPair pair{{arguments_of(one), arguments_of(other)}, 0};
    pair.first_blocks = repitch_blocks(pair.jobs[0]);
    const int64_t blocks = pair.first_blocks + repitch_blocks(pair.jobs[1]);
    if (blocks == 0) return {};
    preloaded<repitch>()<<<static_cast<unsigned>(blocks), kRepitchThreads, 0, stream>>>(pair);
    return launched("repitch");
}

}  // namespace tiles
