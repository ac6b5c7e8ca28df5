#include "tiles/src/hopper_maps.h"

#include <cuda_runtime.h>

#include "tiles/src/compiled_for.h"

namespace tiles::hopper {
namespace {

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                            const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

Encode find_encode() {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
#else
    const cudaError_t error = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found);
#endif
    if (error != cudaSuccess || found != cudaDriverEntryPointSuccess) return nullptr;
    return reinterpret_cast<Encode>(entry);
}

Encode encode() {
    static const Encode found = find_encode();
    return found;
}

CUtensorMapDataType map_type(const Plane& plane) {
    if (plane.to_tf32) return CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
    switch (plane.type) {
        case DataType::kF64: return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
        case DataType::kF32: return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
        case DataType::kBF16: return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        default: return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    }
}

}  // namespace

bool mappable(const Plane& plane) {
    return reinterpret_cast<uintptr_t>(plane.base) % 16 == 0 && plane.pitch_bytes() % 16 == 0 &&
           (plane.planes() == 1 || plane.stride * plane.element() % 16 == 0);
}

Status make_map(const Plane& plane, int box_columns, int box_rows, CUtensorMap* map, CUtensorMapSwizzle swizzle) {
    const int64_t step = plane.pitch_bytes();
    const int64_t stride = plane.planes() > 1 ? plane.stride * plane.element() : step;
    const cuuint64_t sizes[3] = {static_cast<cuuint64_t>(plane.columns), static_cast<cuuint64_t>(plane.rows),
                                 static_cast<cuuint64_t>(plane.planes())};
    const cuuint64_t steps[2] = {static_cast<cuuint64_t>(step), static_cast<cuuint64_t>(stride)};
    const cuuint32_t box[3] = {static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows), 1};
    const cuuint32_t ones[3] = {1, 1, 1};
    const CUresult result = encode()(map, map_type(plane), 3, const_cast<void*>(plane.base), sizes, steps, box, ones,
                                     CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result == CUDA_SUCCESS) return {};
    return {StatusCode::kCuda, "cuTensorMapEncodeTiled", "the driver refused a tensor map", static_cast<int>(result)};
}

bool copy_engine_usable() { return compiled_for() == 90 && encode() != nullptr; }

bool maps_reach(const Plane& plane) {
    constexpr int64_t kCoordinates = int64_t{1} << 30, kStep = int64_t{1} << 36;
    return plane.columns < kCoordinates && plane.rows < kCoordinates && plane.planes() < kCoordinates &&
           plane.pitch_bytes() < kStep && plane.stride * plane.element() < kStep;
}

}  // namespace tiles::hopper
