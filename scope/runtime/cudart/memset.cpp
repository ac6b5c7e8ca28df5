// Filling device memory with a byte.
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/memory/sets.h"
#include "scope/runtime/service/streams/handles.h"

namespace tilescope::runtime {
namespace {

Status set_from(const abi::PitchedPointer& volume, int value, const abi::Extent& extent, Set& set) {
    return set_of(volume.ptr, volume.pitch, volume.ysize, value, {extent.width, extent.height, extent.depth}, set);
}

}  // namespace

TILESCOPE_API cudaError cudaMemset(void* target, int value, std::size_t bytes) {
    return on_device([&](Runtime& runtime) { return fill(runtime, set_of(target, value, bytes, bytes, 1)); });
}

TILESCOPE_API cudaError cudaMemsetAsync(void* target, int value, std::size_t bytes, void* stream) {
    return on_device([&](Runtime& runtime) { return fill(runtime, set_of(target, value, bytes, bytes, 1), stream); });
}

TILESCOPE_API cudaError cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width,
                                     std::size_t height) {
    return on_device([&](Runtime& runtime) { return fill(runtime, set_of(target, value, pitch, width, height)); });
}

TILESCOPE_API cudaError cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width,
                                          std::size_t height, void* stream) {
    return on_device(
        [&](Runtime& runtime) { return fill(runtime, set_of(target, value, pitch, width, height), stream); });
}

TILESCOPE_API cudaError cudaMemset3D(abi::PitchedPointer volume, int value, abi::Extent extent) {
    return on_device([&](Runtime& runtime) {
        Set set;
        const Status status = set_from(volume, value, extent, set);
        return status != Status::kOk ? status : fill(runtime, set);
    });
}

TILESCOPE_API cudaError cudaMemset3DAsync(abi::PitchedPointer volume, int value, abi::Extent extent, void* stream) {
    return on_device([&](Runtime& runtime) {
        Set set;
        if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
        const Status status = set_from(volume, value, extent, set);
        return status != Status::kOk ? status : fill(runtime, set, stream);
    });
}

TILESCOPE_PER_THREAD(cudaMemset_ptds, cudaMemset);
TILESCOPE_PER_THREAD(cudaMemsetAsync_ptsz, cudaMemsetAsync);
TILESCOPE_PER_THREAD(cudaMemset2D_ptds, cudaMemset2D);
TILESCOPE_PER_THREAD(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);
TILESCOPE_PER_THREAD(cudaMemset3D_ptds, cudaMemset3D);
TILESCOPE_PER_THREAD(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);

}  // namespace tilescope::runtime
