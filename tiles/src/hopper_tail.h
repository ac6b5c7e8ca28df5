// Host side of the tail: when there is one, what it needs of the workspace, and the launch that adds it up.
#pragma once

#include "tiles/kernels/hopper_tail.cuh"
#include "tiles/src/hopper_launch.h"
#include "tiles/src/repitch.h"
#include "tiles/src/tail_cut.h"

namespace tiles::hopper {

inline int clusters_at_once(int cluster, const DeviceProperties& device) { return std::max(device.sms / cluster, 1); }

// A schedule without a tail.
inline void keep_whole(Schedule* work) {
    work->whole = static_cast<int>(work->count());
    work->sharers = work->cut_tiles = work->tail_parts = work->shared_tiles = 0;
}

// Cuts the tiles of the last wave, if that pays and there are full waves before it. Whether it did.
inline bool cut_tail(Schedule* work, int clusters) {
    const int64_t rest = work->count() % clusters;
    const TailCut cut = cut_of_tail(rest, clusters, work->k_blocks);
    if (cut.parts == 0 || work->parts > 1 || work->count() < clusters) return false;
    work->whole = static_cast<int>(work->count() - rest), work->sharers = clusters;
    work->cut_tiles = cut.tiles, work->tail_parts = cut.parts, work->shared_tiles = cut.shared ? 1 : 0;
    return true;
}

// Sums of all pieces.
template <class S>
size_t piece_bytes(const Schedule& work) {
    return aligned_bytes(sizeof(float) * static_cast<size_t>(work.works() - work.whole) * S::kCluster * S::kM * S::kN);
}

// Follows the product in its stream; its blocks may be launched while the product's last ones still run.
template <class S>
Status launch_add_tail(const Schedule& work, const Output<typename S::Out>& out, const float* pieces,
                       cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>((work.cut_tiles + work.shared_tiles) * S::kCluster),
                    S::kM * S::kN / (4 * kConsumers));
    return launch_kernel(preloaded<add_tail<S>>(), {grid, kConsumers, 0, stream, true}, work, out, pieces);
}

}  // namespace tiles::hopper
