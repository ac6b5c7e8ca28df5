// Copies of one run of bytes. They are done before the call returns, on every stream.
#include <cstring>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/memory/spans.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

Status copy(Runtime& runtime, void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
            const machine::Issue& issue) {
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    const Status status = check_copy(memory, target, source, bytes, kind);
    if (status != Status::kOk || bytes == 0) return status;
    runtime.session().observers().on_copy({.target = {reinterpret_cast<std::uint64_t>(target)},
                                           .source = {reinterpret_cast<std::uint64_t>(source)},
                                           .extent = {bytes},
                                           .kind = copy_kind(kind),
                                           .issue = issue});
    std::memmove(memory.bytes(target), memory.bytes(source), bytes);
    runtime.session().observers().on_changed();
    return Status::kOk;
}

Status copy_async(Runtime& runtime, void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                  void* stream) {
    return on_stream(
        runtime, stream, [&](const machine::Issue& issue) { return copy(runtime, target, source, bytes, kind, issue); },
        [&](Work& work) {
            Sides sides;
            if (bytes == 0) return sides_of(kind, sides) ? Status::kOk : Status::kInvalidDirection;
            const abi::Memcpy3D volume = volume_of(target, source, bytes, kind);
            work = volume;
            return check_volume(runtime, volume);
        });
}

}  // namespace

TILESCOPE_API cudaError cudaMemcpy(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
    return on_device([&](Runtime& runtime) {
        return at_once(runtime,
                       [&](const machine::Issue& issue) { return copy(runtime, target, source, bytes, kind, issue); });
    });
}

TILESCOPE_API cudaError cudaMemcpyAsync(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                                        void* stream) {
    return on_device([&](Runtime& runtime) { return copy_async(runtime, target, source, bytes, kind, stream); });
}

// The one device is its own peer in these calls.
TILESCOPE_API cudaError cudaMemcpyPeer(void* target, int target_device, const void* source, int source_device,
                                       std::size_t bytes) {
    return on_device([&](Runtime& runtime) -> Status {
        if (target_device != 0 || source_device != 0) return Status::kInvalidDevice;
        return at_once(runtime, [&](const machine::Issue& issue) {
            return copy(runtime, target, source, bytes, cudaMemcpyDeviceToDevice, issue);
        });
    });
}

TILESCOPE_API cudaError cudaMemcpyPeerAsync(void* target, int target_device, const void* source, int source_device,
                                            std::size_t bytes, void* stream) {
    return on_device([&](Runtime& runtime) -> Status {
        if (target_device != 0 || source_device != 0) return Status::kInvalidDevice;
        return copy_async(runtime, target, source, bytes, cudaMemcpyDeviceToDevice, stream);
    });
}

TILESCOPE_PER_THREAD(cudaMemcpy_ptds, cudaMemcpy);
TILESCOPE_PER_THREAD(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);

}  // namespace tilescope::runtime
