// Aligned copies of factors in the workspace. Owns: the layout of such copies and their launch. Does not decide when a
// copy pays.
#pragma once

#include "tiles/src/hopper_maps.h"

namespace tiles {

constexpr size_t kWorkspaceAlignment = 256;

inline size_t aligned_bytes(size_t bytes) {
    return (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
}

// The plane as it will lie at `to`: the same matrices, rows a multiple of 128 bytes apart.
hopper::Plane repitched(const hopper::Plane& plane, void* to);
size_t repitched_bytes(const hopper::Plane& plane);

// Copies up to two planes in one launch; a null `from` is skipped.
struct Repitch {
    const hopper::Plane* from = nullptr;
    const hopper::Plane* to = nullptr;
};
Status launch_repitch(const Repitch& one, const Repitch& other, cudaStream_t stream);

}  // namespace tiles
