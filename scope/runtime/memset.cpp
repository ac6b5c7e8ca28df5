// Filling device memory with a byte.
#include <cstring>

#include "scope/runtime/guard.h"
#include "scope/runtime/issue.h"
#include "scope/runtime/per_thread.h"
#include "scope/runtime/spans.h"

namespace tilescope::runtime {
namespace {

// `slice` bytes from one slice's start to the next. Everything is checked before the first byte is written.
cudaError fill(Runtime& runtime, void* base, std::size_t pitch, std::size_t slice, int value, const abi::Extent& extent,
               const machine::Issue& issue) {
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
    std::size_t in_slice = 0;
    std::size_t bytes = 0;
    if (extent.height > 1 && extent.width > pitch) return cudaErrorInvalidValue;
    if (!rows_extent(pitch, extent.width, extent.height, in_slice)) return cudaErrorInvalidValue;
    if (extent.depth > 1 && in_slice > slice) return cudaErrorInvalidValue;
    if (__builtin_mul_overflow(slice, extent.depth - 1, &bytes) || __builtin_add_overflow(bytes, in_slice, &bytes)) {
        return cudaErrorInvalidValue;
    }
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    if (!device_span(memory, base, bytes)) return refuse_span(memory, "target", base, bytes, true);
    runtime.session().observers().on_set({.target = {reinterpret_cast<std::uint64_t>(base), pitch, slice},
                                          .extent = {extent.width, extent.height, extent.depth},
                                          .value = static_cast<std::uint8_t>(value),
                                          .issue = issue});
    std::byte* const first = memory.bytes(base);
    for (std::size_t z = 0; z < extent.depth; ++z) {
        for (std::size_t y = 0; y < extent.height; ++y) {
            std::memset(first + z * slice + y * pitch, value, extent.width);
        }
    }
    runtime.session().observers().on_changed();
    return cudaSuccess;
}

cudaError fill_volume(Runtime& runtime, const abi::PitchedPointer& volume, int value, const abi::Extent& extent,
                      const machine::Issue& issue) {
    std::size_t slice = 0;
    if (__builtin_mul_overflow(volume.pitch, volume.ysize, &slice)) return cudaErrorInvalidValue;
    if (extent.height > volume.ysize && extent.depth > 1) return cudaErrorInvalidValue;
    return fill(runtime, volume.ptr, volume.pitch, slice, value, extent, issue);
}

}  // namespace

TILESCOPE_API cudaError cudaMemset(void* target, int value, std::size_t bytes) {
    return on_device([&](Runtime& runtime) {
        return fill(runtime, target, bytes, bytes, value, {bytes, 1, 1}, at_once());
    });
}

TILESCOPE_API cudaError cudaMemsetAsync(void* target, int value, std::size_t bytes, void* stream) {
    return on_device([&](Runtime& runtime) {
        const auto issue = issue_on(runtime, stream);
        if (!issue) return cudaErrorInvalidResourceHandle;
        return fill(runtime, target, bytes, bytes, value, {bytes, 1, 1}, *issue);
    });
}

TILESCOPE_API cudaError cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width,
                                     std::size_t height) {
    return on_device([&](Runtime& runtime) {
        return fill(runtime, target, pitch, 0, value, {width, height, 1}, at_once());
    });
}

TILESCOPE_API cudaError cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width,
                                          std::size_t height, void* stream) {
    return on_device([&](Runtime& runtime) {
        const auto issue = issue_on(runtime, stream);
        if (!issue) return cudaErrorInvalidResourceHandle;
        return fill(runtime, target, pitch, 0, value, {width, height, 1}, *issue);
    });
}

TILESCOPE_API cudaError cudaMemset3D(abi::PitchedPointer volume, int value, abi::Extent extent) {
    return on_device([&](Runtime& runtime) { return fill_volume(runtime, volume, value, extent, at_once()); });
}

TILESCOPE_API cudaError cudaMemset3DAsync(abi::PitchedPointer volume, int value, abi::Extent extent, void* stream) {
    return on_device([&](Runtime& runtime) {
        const auto issue = issue_on(runtime, stream);
        if (!issue) return cudaErrorInvalidResourceHandle;
        return fill_volume(runtime, volume, value, extent, *issue);
    });
}

TILESCOPE_PER_THREAD(cudaMemset_ptds, cudaMemset);
TILESCOPE_PER_THREAD(cudaMemsetAsync_ptsz, cudaMemsetAsync);
TILESCOPE_PER_THREAD(cudaMemset2D_ptds, cudaMemset2D);
TILESCOPE_PER_THREAD(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);
TILESCOPE_PER_THREAD(cudaMemset3D_ptds, cudaMemset3D);
TILESCOPE_PER_THREAD(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);

}  // namespace tilescope::runtime
