// Copies of one run of bytes.
#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/memory/copies.h"

namespace tilescope::runtime {

TILESCOPE_API cudaError cudaMemcpy(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
    return on_device([&](Runtime& runtime) { return copy_bytes(runtime, target, source, bytes, direction_of(kind)); });
}

TILESCOPE_API cudaError cudaMemcpyAsync(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                                        void* stream) {
    return on_device(
        [&](Runtime& runtime) { return copy_bytes(runtime, target, source, bytes, direction_of(kind), stream); });
}

// The one device is its own peer in these calls.
TILESCOPE_API cudaError cudaMemcpyPeer(void* target, int target_device, const void* source, int source_device,
                                       std::size_t bytes) {
    return on_device([&](Runtime& runtime) {
        if (target_device != 0 || source_device != 0) return Status::kInvalidDevice;
        return copy_bytes(runtime, target, source, bytes, machine::CopyKind::kDeviceToDevice);
    });
}

TILESCOPE_API cudaError cudaMemcpyPeerAsync(void* target, int target_device, const void* source, int source_device,
                                            std::size_t bytes, void* stream) {
    return on_device([&](Runtime& runtime) {
        if (target_device != 0 || source_device != 0) return Status::kInvalidDevice;
        return copy_bytes(runtime, target, source, bytes, machine::CopyKind::kDeviceToDevice, stream);
    });
}

TILESCOPE_PER_THREAD(cudaMemcpy_ptds, cudaMemcpy);
TILESCOPE_PER_THREAD(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);

}  // namespace tilescope::runtime
