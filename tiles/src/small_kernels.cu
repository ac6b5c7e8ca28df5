// The entry points of the kernels that are bound by memory: check, pick the width of the accesses, launch.
#include <algorithm>
#include <cstring>

#include "tiles/add.h"
#include "tiles/convolve2d.h"
#include "tiles/kernels/convolve2d.cuh"
#include "tiles/kernels/convolve2d_strips.cuh"
#include "tiles/kernels/stencil.cuh"
#include "tiles/kernels/stencil_sheets.cuh"
#include "tiles/kernels/stream_kernels.cuh"
#include "tiles/kernels/transpose.cuh"
#include "tiles/reduce.h"
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

using ConvolveFunction = void (*)(int64_t, int64_t, const float*, int64_t, float*, int64_t, int64_t, Filter);

constexpr ConvolveFunction kConvolve[] = {preloaded<convolve_tiles<1>>(),  preloaded<convolve_tiles<3>>(),
                                          preloaded<convolve_tiles<5>>(),  preloaded<convolve_tiles<7>>(),
                                          preloaded<convolve_tiles<9>>(),  preloaded<convolve_tiles<11>>(),
                                          preloaded<convolve_tiles<13>>(), preloaded<convolve_tiles<15>>()};

using StripFunction = void (*)(int64_t, int64_t, const float*, int64_t, float*, int64_t, int, int, Filter);

constexpr StripFunction kConvolveStrips[] = {preloaded<convolve_strips<1>>(), preloaded<convolve_strips<3>>(),
                                             preloaded<convolve_strips<5>>(), preloaded<convolve_strips<7>>(),
                                             preloaded<convolve_strips<9>>()};
static_assert(sizeof(kConvolveStrips) / sizeof(kConvolveStrips[0]) == kMostStripSide / 2 + 1, "one for each side");

// How far blocks walk so that `columns` of them side by side fill the device once.
Status depth_of_walk(int64_t length, int64_t columns, int blocks_per_sm, int* depth) {
    const DeviceProperties* device = nullptr;
    if (Status status = current_device(&device); !status.ok()) return status;
    const int64_t parts = std::max<int64_t>(static_cast<int64_t>(device->sms) * blocks_per_sm / columns, 1);
    *depth = static_cast<int>(std::clamp<int64_t>(parts_of(length, parts), 16, 1 << 20));
    return {};
}

Status convolve_in_strips(int64_t rows, int64_t columns, const float* in, int64_t ld_in, const Filter& filter, int side,
                          float* out, int64_t ld_out, cudaStream_t stream) {
    const int64_t across = parts_of(columns, kStripWidth * kStripWarps);
    int depth = kShortStrip;
    if (side > kMostShortSide) {
        if (Status status = depth_of_walk(rows, across, strip_blocks_per_sm(side), &depth); !status.ok()) return status;
    }
    unsigned grid = 0;
    if (Status status = grid_of(across * parts_of(rows, depth), "rows", &grid); !status.ok()) return status;
    kConvolveStrips[side / 2]<<<grid, 32 * kStripWarps, 0, stream>>>(rows, columns, in, ld_in, out, ld_out,
                                                                     static_cast<int>(across), depth, filter);
    return launched("convolve2d");
}

}  // namespace

Status transpose(int64_t rows, int64_t columns, const float* in, int64_t ld_in, float* out, int64_t ld_out,
                 cudaStream_t stream) noexcept {
    if (Status status = check_image(rows, columns, in, ld_in, out, ld_out, rows); !status.ok()) return status;
    if (rows == 0 || columns == 0) return {};
    const int64_t across = parts_of(columns, kTransposeTile);
    unsigned grid = 0;
    if (Status status = grid_of(across * parts_of(rows, kTransposeTile), "rows", &grid); !status.ok()) return status;
    const bool wide =
        rows % 4 == 0 && columns % 4 == 0 && ld_in % 4 == 0 && ld_out % 4 == 0 && aligned_16(in) && aligned_16(out);
    const auto kernel = wide ? preloaded<transpose_tiles<true>>() : preloaded<transpose_tiles<false>>();
    kernel<<<grid, kTransposeThreads, 0, stream>>>(rows, columns, in, ld_in, out, ld_out, across);
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
    const int64_t wanted = parts_of(std::max<int64_t>(count / 4, 1), kStreamThreads * kStreamLoads);
    const int blocks = static_cast<int>(std::min<int64_t>(wanted, kReduceBlocks));
    float* partial = static_cast<float*>(workspace);
    preloaded<sum_parts>()<<<static_cast<unsigned>(blocks), kStreamThreads, 0, stream>>>(
        count, x, static_cast<int>(head), partial);
    if (Status status = launched("sum_parts"); !status.ok()) return status;
    preloaded<sum_of_parts>()<<<1, kStreamThreads, 0, stream>>>(blocks, partial, out);
    return launched("sum_of_parts");
}

Status convolve2d(int64_t rows, int64_t columns, const float* in, int64_t ld_in, const float* filter, int side,
                  float* out, int64_t ld_out, cudaStream_t stream) noexcept {
    if (Status status = check_image(rows, columns, in, ld_in, out, ld_out, columns); !status.ok()) return status;
    if (side < 1 || side > kMostFilterSide || side % 2 == 0)
        return invalid("side", "is not odd or not between 1 and 15");
    if (filter == nullptr) return invalid("filter", "is null");
    if (rows == 0 || columns == 0) return {};
    Filter values{};
    std::memcpy(values.values, filter, sizeof(float) * static_cast<size_t>(side * side));
    const bool wide = columns % 4 == 0 && ld_in % 4 == 0 && ld_out % 4 == 0 && aligned_16(in) && aligned_16(out);
    if (wide && side <= kMostStripSide)
        return convolve_in_strips(rows, columns, in, ld_in, values, side, out, ld_out, stream);
    const int64_t across = parts_of(columns, kConvolveWidth);
    unsigned grid = 0;
    const int64_t blocks = across * parts_of(rows, kConvolveRows * kConvolveGroups);
    if (Status status = grid_of(blocks, "rows", &grid); !status.ok()) return status;
    kConvolve[side / 2]<<<grid, dim3(kConvolveWidth, kConvolveGroups), 0, stream>>>(rows, columns, in, ld_in, out,
                                                                                    ld_out, across, values);
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
    unsigned grid = 0;
    if (nx % 4 == 0 && aligned_16(in) && aligned_16(out)) {
        const int64_t sheets_x = parts_of(nx, kSheetX), sheets_y = parts_of(ny, kSheetY);
        int depth = 0;
        if (Status status = depth_of_walk(nz, sheets_x * sheets_y, kSheetBlocksPerSm, &depth); !status.ok())
            return status;
        if (Status status = grid_of(sheets_x * sheets_y * parts_of(nz, depth), "nz", &grid); !status.ok())
            return status;
        preloaded<stencil_sheets>()<<<grid, 32 * kSheetWarps, 0, stream>>>(
            nx, ny, nz, centre, neighbour, in, out, static_cast<int>(sheets_x), static_cast<int>(sheets_y), depth);
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
