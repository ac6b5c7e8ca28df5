// The entry points of the kernels that are bound by memory: check, pick the width of the accesses, launch.
#include <algorithm>
#include <cstring>

#include "tiles/add.h"
#include "tiles/convolve2d.h"
#include "tiles/kernels/convolve2d.cuh"
#include "tiles/kernels/convolve2d_boxes.cuh"
#include "tiles/kernels/convolve2d_patches.cuh"
#include "tiles/kernels/stencil.cuh"
#include "tiles/kernels/stencil_sheets.cuh"
#include "tiles/kernels/stream_kernels.cuh"
#include "tiles/kernels/transpose.cuh"
#include "tiles/reduce.h"
#include "tiles/src/device.h"
#include "tiles/src/hopper_maps.h"
#include "tiles/src/product.h"
#include "tiles/stencil.h"
#include "tiles/transpose.h"

namespace tiles {
namespace {

Status invalid(const char* argument, const char* message) {
    return {StatusCode::kInvalidArgument, argument, message, 0};
}

bool aligned_16(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer) % 16 == 0; }

// `blocks` of a one-dimensional grid, or an error in the name of what is too large.
Status grid_of(int64_t blocks, const char* argument, unsigned* grid) {
    if (blocks > 2147483647) return invalid(argument, "needs more blocks than a grid has");
    *grid = static_cast<unsigned>(blocks);
    return {};
}

static_assert(kReduceWorkspaceBytes == kMaxReduceBlocks * sizeof(float), "a partial sum for each block");

Status check_image(int64_t rows, int64_t columns, const void* in, int64_t ld_in, const void* out, int64_t ld_out,
                   int64_t out_row) {
    if (rows < 0) return invalid("rows", "is negative");
    if (columns < 0) return invalid("columns", "is negative");
    if (ld_in < columns) return invalid("ld_in", "is shorter than a row");
    if (ld_out < out_row) return invalid("ld_out", "is shorter than a row");
    if (rows == 0 || columns == 0) return {};
    if (in == nullptr) return invalid("in", "is null");
    if (out == nullptr) return invalid("out", "is null");
    return {};
}

using ConvolveFunction = void (*)(int64_t, int64_t, const float*, int64_t, float*, int64_t, unsigned, Filter);

// By side / 2.
constexpr ConvolveFunction kConvolve[] = {preloaded<convolve_patches<1>>(), preloaded<convolve_patches<3>>(),
                                          preloaded<convolve_patches<5>>(), preloaded<convolve_patches<7>>(),
                                          preloaded<convolve_patches<9>>(), preloaded<convolve_tiles<11>>(),
                                          preloaded<convolve_tiles<13>>(),  preloaded<convolve_tiles<15>>()};

using ConvolveBoxes = void (*)(CUtensorMap, int64_t, int64_t, float*, int64_t, unsigned, Filter);

constexpr ConvolveBoxes kConvolveBoxes[] = {preloaded<convolve_boxes<1>>(), preloaded<convolve_boxes<3>>(),
                                            preloaded<convolve_boxes<5>>(), preloaded<convolve_boxes<7>>(),
                                            preloaded<convolve_boxes<9>>()};
static_assert(sizeof(kConvolveBoxes) / sizeof(kConvolveBoxes[0]) == kMaxPatchSide / 2 + 1, "one for each side");

// Whether the copy engine can bring an image of which every row is aligned to 16 bytes.
bool boxed(const hopper::Plane& image, const DeviceProperties& device) {
    return device.tensor_maps && hopper::mappable(image) && hopper::maps_reach(image);
}

Status convolve_in_boxes(const hopper::Plane& image, const Filter& filter, int side, float* out, int64_t ld_out,
                         unsigned across, unsigned grid, cudaStream_t stream) {
    CUtensorMap map;
    const int width = ConvolveBox<1>::kPitch, height = kPatchHeight + side / 2 * 2;
    if (Status s = hopper::make_map(image, width, height, &map, CU_TENSOR_MAP_SWIZZLE_NONE); !s.ok()) return s;
    kConvolveBoxes[side / 2]<<<grid, kPatchThreads, 0, stream>>>(map, image.rows, image.columns, out, ld_out, across,
                                                                 filter);
    return launched("convolve2d");
}

}  // namespace

Status transpose(int64_t rows, int64_t columns, const float* in, int64_t ld_in, float* out, int64_t ld_out,
                 cudaStream_t stream) noexcept {
    if (Status status = check_image(rows, columns, in, ld_in, out, ld_out, rows); !status.ok()) return status;
    if (rows == 0 || columns == 0) return {};
    const bool wide =
        rows % 4 == 0 && columns % 4 == 0 && ld_in % 4 == 0 && ld_out % 4 == 0 && aligned_16(in) && aligned_16(out);
    const int64_t down = parts_of(wide ? rows : rows + kSector - 1, kTransposeTile);
    unsigned grid = 0;
    if (Status status = grid_of(down * parts_of(columns, kTransposeTile), "rows", &grid); !status.ok()) return status;
    const auto kernel = wide ? preloaded<transpose_tiles>() : preloaded<transpose_skewed>();
    const int threads = wide ? kTransposeThreads : kSkewedThreads;
    kernel<<<grid, threads, 0, stream>>>(rows, columns, in, ld_in, out, ld_out, static_cast<unsigned>(down));
    return launched("transpose");
}

Status add(int64_t count, const float* x, const float* y, float* out, cudaStream_t stream) noexcept {
    if (count < 0) return invalid("count", "is negative");
    if (count == 0) return {};
    if (x == nullptr) return invalid("x", "is null");
    if (y == nullptr) return invalid("y", "is null");
    if (out == nullptr) return invalid("out", "is null");
    const bool wide = aligned_16(x) && aligned_16(y) && aligned_16(out);
    const int64_t accesses = wide ? std::max<int64_t>(count / 4, 1) : count;
    unsigned grid = 0;
    if (Status status = grid_of(parts_of(accesses, kStreamThreads * kStreamLoads), "count", &grid); !status.ok())
        return status;
    (wide ? preloaded<add_vectors<true>>() : preloaded<add_vectors<false>>())<<<grid, kStreamThreads, 0, stream>>>(
        count, x, y, out);
    return launched("add");
}

Status reduce(int64_t count, const float* x, float* out, void* workspace, cudaStream_t stream) noexcept {
    if (count < 0) return invalid("count", "is negative");
    if (out == nullptr) return invalid("out", "is null");
    if (count > 0 && x == nullptr) return invalid("x", "is null");
    if (workspace == nullptr || !aligned_16(workspace))
        return invalid("workspace", "is null or not aligned to 16 bytes");
    const int64_t head = std::min<int64_t>((16 - reinterpret_cast<uintptr_t>(x) % 16) % 16 / sizeof(float), count);
    const int64_t stretches = parts_of(std::max<int64_t>(count, 1), kReduceStretch);
    const int64_t each = parts_of(stretches, kMaxReduceBlocks);
    const unsigned blocks = static_cast<unsigned>(parts_of(stretches, each));
    float* partial = static_cast<float*>(workspace);
    preloaded<sum_parts>()<<<blocks, kReduceThreads, 0, stream>>>(count, x, static_cast<int>(head), each, partial);
    if (Status status = launched("sum_parts"); !status.ok()) return status;
    preloaded<sum_of_parts>()<<<1, kReduceThreads, 0, stream>>>(static_cast<int>(blocks), partial, out);
    return launched("sum_of_parts");
}

Status convolve2d(int64_t rows, int64_t columns, const float* in, int64_t ld_in, const float* filter, int side,
                  float* out, int64_t ld_out, cudaStream_t stream) noexcept {
    if (Status status = check_image(rows, columns, in, ld_in, out, ld_out, columns); !status.ok()) return status;
    if (side < 1 || side > kMaxFilterSide || side % 2 == 0)
        return invalid("side", "is not odd or not between 1 and 15");
    if (filter == nullptr) return invalid("filter", "is null");
    if (rows == 0 || columns == 0) return {};
    Filter values{};
    std::memcpy(values.values, filter, sizeof(float) * static_cast<size_t>(side * side));
    const DeviceProperties* device = nullptr;
    if (Status status = read_device(&device); !status.ok()) return status;
    const bool patches = side <= kMaxPatchSide;
    const int64_t across = parts_of(columns, patches ? kPatchWidth : kConvolveWidth);
    const int64_t down = parts_of(rows, patches ? kPatchHeight : kConvolveRows * kConvolveGroups);
    unsigned grid = 0;
    if (Status status = grid_of(across * down, "rows", &grid); !status.ok()) return status;
    const hopper::Plane image{in, DataType::kF32, columns, rows, ld_in};
    if (patches && columns % 4 == 0 && ld_out % 4 == 0 && aligned_16(out) && boxed(image, *device))
        return convolve_in_boxes(image, values, side, out, ld_out, static_cast<unsigned>(across), grid, stream);
    const dim3 threads = patches ? dim3(kPatchThreads) : dim3(kConvolveWidth, kConvolveGroups);
    kConvolve[side / 2]<<<grid, threads, 0, stream>>>(rows, columns, in, ld_in, out, ld_out,
                                                      static_cast<unsigned>(across), values);
    return launched("convolve2d");
}

Status stencil(int64_t nx, int64_t ny, int64_t nz, float centre, float neighbour, const float* in, float* out,
               cudaStream_t stream) noexcept {
    if (nx < 0) return invalid("nx", "is negative");
    if (ny < 0) return invalid("ny", "is negative");
    if (nz < 0) return invalid("nz", "is negative");
    if (nx == 0 || ny == 0 || nz == 0) return {};
    if (in == nullptr) return invalid("in", "is null");
    if (out == nullptr) return invalid("out", "is null");
    const DeviceProperties* device = nullptr;
    if (Status status = read_device(&device); !status.ok()) return status;
    // Half the L2: the planes that are written pass through it as well.
    const bool held = (kShallowSheet + 2) * nx * ny * static_cast<int64_t>(sizeof(float)) <= device->l2_bytes / 2;
    const int depth = held ? kShallowSheet : kDeepSheet;
    unsigned grid = 0;
    if (nx % 4 == 0 && aligned_16(in) && aligned_16(out)) {
        const int64_t sheets_x = parts_of(nx, kSheetX), sheets_y = parts_of(ny, kSheetY);
        if (Status status = grid_of(sheets_x * sheets_y * parts_of(nz, depth), "nz", &grid); !status.ok())
            return status;
        preloaded<stencil_sheets>()<<<grid, 32 * kSheetWarps, 0, stream>>>(nx, ny, nz, centre, neighbour, in, out,
                                                                           static_cast<unsigned>(sheets_x),
                                                                           static_cast<unsigned>(sheets_y), depth);
        return launched("stencil");
    }
    const int64_t blocks_x = parts_of(nx, kStencilX), blocks_y = parts_of(ny, kStencilY);
    if (Status status = grid_of(blocks_x * blocks_y * parts_of(nz, kStencilZ), "nz", &grid); !status.ok())
        return status;
    preloaded<stencil_march>()<<<grid, dim3(kStencilX, kStencilY), 0, stream>>>(nx, ny, nz, centre, neighbour, in, out,
                                                                                blocks_x, blocks_y);
    return launched("stencil");
}

}  // namespace tiles
