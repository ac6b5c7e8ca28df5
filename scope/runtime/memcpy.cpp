// Copies of one run of bytes. They are done before the call returns, on every stream.
#include <cstring>

#include "scope/runtime/guard.h"
#include "scope/runtime/issue.h"
#include "scope/runtime/per_thread.h"
#include "scope/runtime/spans.h"

namespace tilescope::runtime {
namespace {

cudaError copy(Runtime& runtime, void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
               const machine::Issue& issue = at_once()) {
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    const cudaError error = check_copy(memory, target, source, bytes, kind);
    if (error != cudaSuccess || bytes == 0) return error;
    runtime.session().observers().on_copy({.target = {reinterpret_cast<std::uint64_t>(target)},
                                           .source = {reinterpret_cast<std::uint64_t>(source)},
                                           .extent = {bytes},
                                           .kind = copy_kind(kind),
                                           .issue = issue});
    std::memmove(memory.bytes(target), memory.bytes(source), bytes);
    runtime.session().observers().on_changed();
    return cudaSuccess;
}

// The one device is its own peer in these calls.
cudaError copy_peer(Runtime& runtime, void* target, int target_device, const void* source, int source_device,
                    std::size_t bytes, const machine::Issue& issue = at_once()) {
    if (target_device != 0 || source_device != 0) return cudaErrorInvalidDevice;
    return copy(runtime, target, source, bytes, cudaMemcpyDeviceToDevice, issue);
}

}  // namespace

TILESCOPE_API cudaError cudaMemcpy(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
    return on_device([&](Runtime& runtime) { return copy(runtime, target, source, bytes, kind); });
}

TILESCOPE_API cudaError cudaMemcpyAsync(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                                        void* stream) {
    return on_device([&](Runtime& runtime) {
        const auto issue = issue_on(runtime, stream);
        if (!issue) return cudaErrorInvalidResourceHandle;
        return copy(runtime, target, source, bytes, kind, *issue);
    });
}

TILESCOPE_API cudaError cudaMemcpyPeer(void* target, int target_device, const void* source, int source_device,
                                       std::size_t bytes) {
    return on_device(
        [&](Runtime& runtime) { return copy_peer(runtime, target, target_device, source, source_device, bytes); });
}

TILESCOPE_API cudaError cudaMemcpyPeerAsync(void* target, int target_device, const void* source, int source_device,
                                            std::size_t bytes, void* stream) {
    return on_device([&](Runtime& runtime) {
        const auto issue = issue_on(runtime, stream);
        if (!issue) return cudaErrorInvalidResourceHandle;
        return copy_peer(runtime, target, target_device, source, source_device, bytes, *issue);
    });
}

TILESCOPE_PER_THREAD(cudaMemcpy_ptds, cudaMemcpy);
TILESCOPE_PER_THREAD(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);

}  // namespace tilescope::runtime
