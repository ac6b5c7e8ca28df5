// Copies of pitched rows and of volumes of them.
#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/streams/handles.h"

namespace tilescope::runtime {
namespace {

// A copy between devices, which are all the one.
Status copy_of_peers(const abi::Memcpy3DPeer* p, Copy& copy) {
    if (p == nullptr) return Status::kInvalidValue;
    if (p->src_device != 0 || p->dst_device != 0) return Status::kInvalidDevice;
    copy = in_bytes(Runtime::get(), copy_from({p->src_array, p->src_pos, p->src_ptr, p->dst_array, p->dst_pos,
                                               p->dst_ptr, p->extent, cudaMemcpyDeviceToDevice}));
    return Status::kOk;
}

}  // namespace

TILESCOPE_API cudaError cudaMemcpy2D(void* target, std::size_t target_pitch, const void* source,
                                     std::size_t source_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind) {
    return on_device([&](Runtime& runtime) {
        return copy_rows(runtime,
                         volume_of(target, target_pitch, source, source_pitch, width, height, direction_of(kind)));
    });
}

TILESCOPE_API cudaError cudaMemcpy2DAsync(void* target, std::size_t target_pitch, const void* source,
                                          std::size_t source_pitch, std::size_t width, std::size_t height,
                                          cudaMemcpyKind kind, void* stream) {
    return on_device([&](Runtime& runtime) {
        return copy_rows(
            runtime, volume_of(target, target_pitch, source, source_pitch, width, height, direction_of(kind)), stream);
    });
}

TILESCOPE_API cudaError cudaMemcpy3D(const abi::Memcpy3D* p) {
    return on_device([&](Runtime& runtime) {
        return copy_volume(runtime, p == nullptr ? std::nullopt : std::optional(in_bytes(runtime, copy_from(*p))));
    });
}

TILESCOPE_API cudaError cudaMemcpy3DAsync(const abi::Memcpy3D* p, void* stream) {
    return on_device([&](Runtime& runtime) {
        if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
        return p == nullptr ? Status::kInvalidValue : copy_volume(runtime, in_bytes(runtime, copy_from(*p)), stream);
    });
}

TILESCOPE_API cudaError cudaMemcpy3DPeer(const abi::Memcpy3DPeer* p) {
    return on_device([&](Runtime& runtime) {
        Copy copy;
        const Status status = copy_of_peers(p, copy);
        return status != Status::kOk ? status : copy_volume(runtime, copy);
    });
}

TILESCOPE_API cudaError cudaMemcpy3DPeerAsync(const abi::Memcpy3DPeer* p, void* stream) {
    return on_device([&](Runtime& runtime) {
        Copy copy;
        if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
        const Status status = copy_of_peers(p, copy);
        return status != Status::kOk ? status : copy_volume(runtime, copy, stream);
    });
}

TILESCOPE_PER_THREAD(cudaMemcpy2D_ptds, cudaMemcpy2D);
TILESCOPE_PER_THREAD(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);
TILESCOPE_PER_THREAD(cudaMemcpy3D_ptds, cudaMemcpy3D);
TILESCOPE_PER_THREAD(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);
TILESCOPE_PER_THREAD(cudaMemcpy3DPeer_ptds, cudaMemcpy3DPeer);
TILESCOPE_PER_THREAD(cudaMemcpy3DPeerAsync_ptsz, cudaMemcpy3DPeerAsync);

}  // namespace tilescope::runtime
