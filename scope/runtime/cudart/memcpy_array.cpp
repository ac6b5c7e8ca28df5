// Copies to and from arrays, of rows and of runs of bytes. Those of volumes are cudaMemcpy3D's (memcpy_rows.cpp).
#include <algorithm>
#include <optional>

#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/arrays/arrays.h"
#include "scope/runtime/service/memory/copies.h"

namespace tilescope::runtime {
namespace {

CopySide in_array(const void* array, std::size_t x, std::size_t y) {
    return {.array = const_cast<void*>(array), .at = {x, y, 0}};
}

CopySide in_memory(const void* base, std::size_t pitch, std::size_t width, std::size_t height) {
    return {.base = const_cast<void*>(base), .pitch = pitch, .width = width, .height = height};
}

Copy copy_of(const CopySide& target, const CopySide& source, std::size_t width, std::size_t height,
             cudaMemcpyKind kind) {
    return {.target = target, .source = source, .extent = {width, height, 1}, .direction = direction_of(kind)};
}

Status run(Runtime& runtime, const Copy& copy, std::optional<void*> stream) {
    if (copy.target.array == nullptr && copy.source.array == nullptr) return Status::kInvalidHandle;
    for (const CopySide* side : {&copy.target, &copy.source})
        if (side->array == nullptr)
            if (const Status status = check_pitch(*side, copy.extent); status != Status::kOk) return status;
    return stream ? copy_volume(runtime, copy, *stream) : copy_volume(runtime, copy);
}

Copy to_array(void* array, std::size_t x, std::size_t y, const void* source, std::size_t pitch, std::size_t width,
              std::size_t height, cudaMemcpyKind kind) {
    return copy_of(in_array(array, x, y), in_memory(source, pitch, width, height), width, height, kind);
}

Copy from_array(void* target, std::size_t pitch, const void* array, std::size_t x, std::size_t y, std::size_t width,
                std::size_t height, cudaMemcpyKind kind) {
    return copy_of(in_memory(target, pitch, width, height), in_array(array, x, y), width, height, kind);
}

// A run of bytes that goes on from row to row: what is left of the first, whole ones, and what is left over.
template <class CopyRows>
Status run_through(Runtime& runtime, const void* handle, std::size_t x, std::size_t y, std::size_t bytes,
                   const CopyRows& copy_rows_of) {
    const Array* const array = runtime.arrays().array(handle);
    if (array == nullptr) return Status::kInvalidHandle;
    const std::size_t row = std::size_t{array->image.levels.front().width} * array->image.format.bytes();
    if (x > row) return Status::kInvalidValue;
    std::size_t done = 0;
    while (done < bytes) {
        const std::size_t left = bytes - done;
        const bool is_whole = x == 0 && left >= row;
        const std::size_t width = is_whole ? row : std::min(row - x, left);
        const std::size_t height = is_whole ? left / row : 1;
        if (width == 0) return Status::kInvalidValue;
        const Status status = copy_rows_of(x, y, done, width, height);
        if (status != Status::kOk) return status;
        done += width * height;
        x = 0;
        y += height;
    }
    return Status::kOk;
}

Status run_to_array(Runtime& runtime, void* array, std::size_t x, std::size_t y, const void* source, std::size_t bytes,
                    cudaMemcpyKind kind, std::optional<void*> stream) {
    return run_through(
        runtime, array, x, y, bytes,
        [&](std::size_t at_x, std::size_t at_y, std::size_t done, std::size_t width, std::size_t height) {
            const auto* from = static_cast<const std::byte*>(source) + done;
            return run(runtime, to_array(array, at_x, at_y, from, width, width, height, kind), stream);
        });
}

Status run_from_array(Runtime& runtime, void* target, const void* array, std::size_t x, std::size_t y,
                      std::size_t bytes, cudaMemcpyKind kind, std::optional<void*> stream) {
    return run_through(
        runtime, array, x, y, bytes,
        [&](std::size_t at_x, std::size_t at_y, std::size_t done, std::size_t width, std::size_t height) {
            auto* to = static_cast<std::byte*>(target) + done;
            return run(runtime, from_array(to, width, array, at_x, at_y, width, height, kind), stream);
        });
}

}  // namespace

TILESCOPE_API cudaError cudaMemcpy2DToArray(void* array, std::size_t x, std::size_t y, const void* source,
                                            std::size_t pitch, std::size_t width, std::size_t height,
                                            cudaMemcpyKind kind) {
    return on_device([&](Runtime& runtime) {
        return run(runtime, to_array(array, x, y, source, pitch, width, height, kind), std::nullopt);
    });
}

TILESCOPE_API cudaError cudaMemcpy2DToArrayAsync(void* array, std::size_t x, std::size_t y, const void* source,
                                                 std::size_t pitch, std::size_t width, std::size_t height,
                                                 cudaMemcpyKind kind, void* stream) {
    return on_device([&](Runtime& runtime) {
        return run(runtime, to_array(array, x, y, source, pitch, width, height, kind), stream);
    });
}

TILESCOPE_API cudaError cudaMemcpy2DFromArray(void* target, std::size_t pitch, const void* array, std::size_t x,
                                              std::size_t y, std::size_t width, std::size_t height,
                                              cudaMemcpyKind kind) {
    return on_device([&](Runtime& runtime) {
        return run(runtime, from_array(target, pitch, array, x, y, width, height, kind), std::nullopt);
    });
}

TILESCOPE_API cudaError cudaMemcpy2DFromArrayAsync(void* target, std::size_t pitch, const void* array, std::size_t x,
                                                   std::size_t y, std::size_t width, std::size_t height,
                                                   cudaMemcpyKind kind, void* stream) {
    return on_device([&](Runtime& runtime) {
        return run(runtime, from_array(target, pitch, array, x, y, width, height, kind), stream);
    });
}

TILESCOPE_API cudaError cudaMemcpy2DArrayToArray(void* target, std::size_t target_x, std::size_t target_y,
                                                 const void* source, std::size_t source_x, std::size_t source_y,
                                                 std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return on_device([&](Runtime& runtime) {
        return run(
            runtime,
            copy_of(in_array(target, target_x, target_y), in_array(source, source_x, source_y), width, height, kind),
            std::nullopt);
    });
}

TILESCOPE_API cudaError cudaMemcpyToArray(void* array, std::size_t x, std::size_t y, const void* source,
                                          std::size_t bytes, cudaMemcpyKind kind) {
    return on_device(
        [&](Runtime& runtime) { return run_to_array(runtime, array, x, y, source, bytes, kind, std::nullopt); });
}

TILESCOPE_API cudaError cudaMemcpyToArrayAsync(void* array, std::size_t x, std::size_t y, const void* source,
                                               std::size_t bytes, cudaMemcpyKind kind, void* stream) {
    return on_device([&](Runtime& runtime) { return run_to_array(runtime, array, x, y, source, bytes, kind, stream); });
}

TILESCOPE_API cudaError cudaMemcpyFromArray(void* target, const void* array, std::size_t x, std::size_t y,
                                            std::size_t bytes, cudaMemcpyKind kind) {
    return on_device(
        [&](Runtime& runtime) { return run_from_array(runtime, target, array, x, y, bytes, kind, std::nullopt); });
}

TILESCOPE_API cudaError cudaMemcpyFromArrayAsync(void* target, const void* array, std::size_t x, std::size_t y,
                                                 std::size_t bytes, cudaMemcpyKind kind, void* stream) {
    return on_device(
        [&](Runtime& runtime) { return run_from_array(runtime, target, array, x, y, bytes, kind, stream); });
}

TILESCOPE_API cudaError cudaMemcpyArrayToArray(void* target, std::size_t target_x, std::size_t target_y,
                                               const void* source, std::size_t source_x, std::size_t source_y,
                                               std::size_t bytes, cudaMemcpyKind kind) {
    return on_device([&](Runtime& runtime) {
        return run_through(runtime, source, source_x, source_y, bytes,
                           [&](std::size_t x, std::size_t y, std::size_t, std::size_t width, std::size_t height) {
                               const Copy copy =
                                   copy_of(in_array(target, x - source_x + target_x, y - source_y + target_y),
                                           in_array(source, x, y), width, height, kind);
                               return run(runtime, copy, std::nullopt);
                           });
    });
}

TILESCOPE_PER_THREAD(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);
TILESCOPE_PER_THREAD(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);
TILESCOPE_PER_THREAD(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);
TILESCOPE_PER_THREAD(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);
TILESCOPE_PER_THREAD(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray);
TILESCOPE_PER_THREAD(cudaMemcpyToArray_ptds, cudaMemcpyToArray);
TILESCOPE_PER_THREAD(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync);
TILESCOPE_PER_THREAD(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray);
TILESCOPE_PER_THREAD(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArrayAsync);
TILESCOPE_PER_THREAD(cudaMemcpyArrayToArray_ptds, cudaMemcpyArrayToArray);

}  // namespace tilescope::runtime
