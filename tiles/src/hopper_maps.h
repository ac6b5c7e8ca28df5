// Tensor maps: how the copy engine is told where a matrix lies.
//
// Owns: Plane (a stored matrix or a batch of them) and its encoding. Guarantees: a map never covers an element outside
// the matrix, except up to 15 bytes before each row when the row does not start at a multiple of 16 bytes, which no box
// reaches. Does not choose box shapes.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "tiles/src/problem.h"

namespace tiles::hopper {

// `rows` rows of `columns` contiguous elements, `pitch` elements apart; matrices `stride` elements apart.
struct Plane {
    const void* base = nullptr;
    DataType type = DataType::kF32;
    int64_t columns = 0, rows = 0, pitch = 0;
    int64_t stride = 0, count = 1;
    bool to_tf32 = false;  // of fp32: the copy engine rounds it on its way into shared memory

    int element() const { return type == DataType::kF64 ? 8 : type == DataType::kF32 ? 4 : 2; }
    int64_t pitch_bytes() const { return pitch * element(); }
    // Matrices that a map tells apart: one that the whole batch shares is a single plane.
    int64_t planes() const { return stride == 0 ? 1 : count; }
};

// Whether the copy engine can read and write the plane: base, pitch and stride are multiples of 16 bytes. (It reads
// nothing else: a box whose first byte is elsewhere ends the kernel with an illegal instruction.)
bool mappable(const Plane& plane);

// Boxes of `box_columns` by `box_rows`, with a 128-byte swizzle unless `swizzle` says none. The plane must be mappable.
Status make_map(const Plane& plane, int box_columns, int box_rows, CUtensorMap* map,
                CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B);

// Whether the library has code for the current device that uses the copy engine, and the driver can encode maps. Asked
// once for each device: DeviceProperties::tensor_maps.
bool copy_engine_usable();

// Whether the plane's coordinates fit a map's.
bool maps_reach(const Plane& plane);

}  // namespace tiles::hopper
