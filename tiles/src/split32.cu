#include "tiles/src/split32.h"

#include "tiles/kernels/split32.cuh"

namespace tiles {

Status launch_split32(const hopper::Plane& from, bool transpose, const hopper::Plane& to, float* high, float* low,
                      cudaStream_t stream) {
    SplitArguments g{};
    g.from = static_cast<const float*>(from.base), g.high = high, g.low = low;
    g.rows = to.rows, g.columns = to.columns;
    g.from_pitch = from.pitch, g.from_stride = from.stride, g.to_pitch = to.pitch, g.to_stride = to.stride;
    g.count = from.planes();
    const auto tiles_of = [](int64_t n) { return static_cast<unsigned>((n + kSplitTile - 1) / kSplitTile); };
    const dim3 grid(tiles_of(g.columns), tiles_of(g.rows), static_cast<unsigned>(g.count));
    if (transpose)
        preloaded<split32<true>>()<<<grid, kSplitThreads, 0, stream>>>(g);
    else
        preloaded<split32<false>>()<<<grid, kSplitThreads, 0, stream>>>(g);
    return launched("split32");
}

}  // namespace tiles
