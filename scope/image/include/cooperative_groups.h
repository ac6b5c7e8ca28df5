// Cooperative groups: thread blocks, clusters, grids, tiles, and the lanes that are active together.
//
// Does not model: multi-device grids, scans of tiles wider than a warp, memcpy_async
// (cooperative_groups/memcpy_async.h).
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__)
#include <type_traits>

#define TILESCOPE_GROUP static __inline__ __attribute__((device, always_inline))
#define TILESCOPE_MEMBER __inline__ __attribute__((device, always_inline))

#include "tilescope/groups/blocks.h"
//
#include "tilescope/groups/lanes.h"
//
#include "tilescope/groups/any_group.h"
//
#include "tilescope/groups/reduce.h"
//
#include "tilescope/groups/functions.h"
#include "tilescope/groups/wide_tiles.h"

#undef TILESCOPE_GROUP
#undef TILESCOPE_MEMBER
#endif
