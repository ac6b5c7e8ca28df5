// Every instruction family, once. A new family is a line here and its file in the CMakeLists.txt above.
#pragma once

#include "scope/isa/table/row.h"
#include "scope/machine/simd/target.h"

// X(name): the family is NAME_family() in NAME.cpp.
#define TILESCOPE_FAMILIES(X) \
    X(integer)                \
    X(integer_division)       \
    X(integer_carry)          \
    X(bits)                   \
    X(video)                  \
    X(video_packed)           \
    X(logic)                  \
    X(compare)                \
    X(select)                 \
    X(move)                   \
    X(float32)                \
    X(float64)                \
    X(half)                   \
    X(approximate)            \
    X(convert)                \
    X(convert_packed)         \
    X(memory)                 \
    X(address)                \
    X(atomic)                 \
    X(texture)                \
    X(surface)                \
    X(fence)                  \
    X(barrier_object)         \
    X(async_copy)             \
    X(control)                \
    X(warp_sync)              \
    X(matrix_multiply)        \
    X(quad_multiply)          \
    X(sparse_multiply)        \
    X(matrix_move)            \
    X(wmma)                   \
    X(wmma_move)              \
    X(wgmma)                  \
    X(wgmma_sparse)           \
    X(special)                \
    X(device_library)         \
    X(internal)               \
    X(system_call)

namespace tilescope::isa::TILESCOPE_TARGET {
#define TILESCOPE_DECLARE_FAMILY(name) const Family& name##_family();
TILESCOPE_FAMILIES(TILESCOPE_DECLARE_FAMILY)
#undef TILESCOPE_DECLARE_FAMILY
}  // namespace tilescope::isa::TILESCOPE_TARGET
