// Copies: of one run of bytes, of rows, of volumes, to and from arrays.
#include "scope/runtime/cuda/copy_from.h"
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/streams/handles.h"

namespace tilescope::runtime::driver {
namespace {

using machine::CopyKind;

Code bytes_now(void* target, const void* source, std::size_t bytes, CopyKind kind,
               const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_context([&](Runtime& runtime) { return copy_bytes(runtime, target, source, bytes, kind); }, name, from);
}

Code bytes_on(void* stream, void* target, const void* source, std::size_t bytes, CopyKind kind,
              const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_handle(
        stream, [&](Runtime& runtime) { return copy_bytes(runtime, target, source, bytes, kind, stream); }, name, from);
}

// Where a side lies; kByAddress: it may be either.
enum class Lies { kHost, kDevice, kAnywhere };
bool place(int kind, Lies& lies) {
    switch (kind) {
        case kHostMemory: lies = Lies::kHost; return true;
        case kDeviceMemory:
        case kArrayMemory: lies = Lies::kDevice; return true;
        case kUnifiedMemory: lies = Lies::kAnywhere; return true;
        default: return false;
    }
}

Status direction_between(int source, int target, Direction& direction) {
    Lies from{}, to{};
    if (!place(source, from) || !place(target, to)) return Status::kInvalidValue;
    if (from == Lies::kAnywhere || to == Lies::kAnywhere)
        direction = CopyKind::kByAddress;
    else if (from == Lies::kHost)
        direction = to == Lies::kHost ? CopyKind::kHostToHost : CopyKind::kHostToDevice;
    else
        direction = to == Lies::kHost ? CopyKind::kDeviceToHost : CopyKind::kDeviceToDevice;
    return Status::kOk;
}

// `width` of a row and `height` of a slice where the program leaves them out.
template <class Said>
CopySide side_from(const Said& said, std::size_t z, std::size_t rows, std::size_t width, std::size_t height) {
    CopySide side{.at = {said.x, said.y, z}};
    if (said.kind == kArrayMemory) {
        side.array = said.array;
        return side;
    }
    side.base = said.kind == kHostMemory ? const_cast<void*>(said.host) : pointer_of(said.device);
    side.pitch = said.pitch != 0 ? said.pitch : said.x + width;
    side.width = side.pitch;
    side.height = rows != 0 ? rows : said.y + height;
    return side;
}

}  // namespace

Status copy_from(const Memcpy2D* said, Copy& copy) {
    if (said == nullptr) return Status::kInvalidValue;
    copy.source = side_from(said->source, 0, 0, said->width, said->height);
    copy.target = side_from(said->target, 0, 0, said->width, said->height);
    copy.extent = {said->width, said->height, 1};
    return direction_between(said->source.kind, said->target.kind, copy.direction);
}

Status copy_from(const Memcpy3D* said, Copy& copy) {
    const auto has_level = [](const Side3D& side) { return side.kind == kArrayMemory && side.level != 0; };
    if (said == nullptr || has_level(said->source) || has_level(said->target)) return Status::kInvalidValue;
    copy.source = side_from(said->source, said->source.z, said->source.height, said->width, said->height);
    copy.target = side_from(said->target, said->target.z, said->target.height, said->width, said->height);
    copy.extent = {said->width, said->height, said->depth};
    return direction_between(said->source.kind, said->target.kind, copy.direction);
}

namespace {

template <class Said>
Code volume_now(const Said* said, const char* name = __builtin_FUNCTION(),
                const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) {
            Copy copy;
            const Status status = copy_from(said, copy);
            return status != Status::kOk ? status : copy_volume(runtime, copy);
        },
        name, from);
}

template <class Said>
Code volume_on(const Said* said, void* stream, const char* name = __builtin_FUNCTION(),
               const void* from = __builtin_return_address(0)) {
    return on_handle(
        stream,
        [&](Runtime& runtime) {
            Copy copy;
            if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
            const Status status = copy_from(said, copy);
            return status != Status::kOk ? status : copy_volume(runtime, copy, stream);
        },
        name, from);
}

// One run of bytes in a row of an array.
Side2D in_array(void* array, std::size_t offset) { return {.x = offset, .kind = kArrayMemory, .array = array}; }
Side2D in_host(const void* host) { return {.kind = kHostMemory, .host = host}; }
Side2D in_device(Address address) { return {.kind = kDeviceMemory, .device = address}; }

}  // namespace

TILESCOPE_DRIVER Code cuMemcpy(Address target, Address source, std::size_t bytes) {
    return bytes_now(pointer_of(target), pointer_of(source), bytes, CopyKind::kByAddress);
}
TILESCOPE_DRIVER Code cuMemcpyAsync(Address target, Address source, std::size_t bytes, void* stream) {
    return bytes_on(stream, pointer_of(target), pointer_of(source), bytes, CopyKind::kByAddress);
}
TILESCOPE_DRIVER Code cuMemcpyHtoD_v2(Address target, const void* source, std::size_t bytes) {
    return bytes_now(pointer_of(target), source, bytes, CopyKind::kHostToDevice);
}
TILESCOPE_DRIVER Code cuMemcpyHtoDAsync_v2(Address target, const void* source, std::size_t bytes, void* stream) {
    return bytes_on(stream, pointer_of(target), source, bytes, CopyKind::kHostToDevice);
}
TILESCOPE_DRIVER Code cuMemcpyDtoH_v2(void* target, Address source, std::size_t bytes) {
    return bytes_now(target, pointer_of(source), bytes, CopyKind::kDeviceToHost);
}
TILESCOPE_DRIVER Code cuMemcpyDtoHAsync_v2(void* target, Address source, std::size_t bytes, void* stream) {
    return bytes_on(stream, target, pointer_of(source), bytes, CopyKind::kDeviceToHost);
}
TILESCOPE_DRIVER Code cuMemcpyDtoD_v2(Address target, Address source, std::size_t bytes) {
    return bytes_now(pointer_of(target), pointer_of(source), bytes, CopyKind::kDeviceToDevice);
}
TILESCOPE_DRIVER Code cuMemcpyDtoDAsync_v2(Address target, Address source, std::size_t bytes, void* stream) {
    return bytes_on(stream, pointer_of(target), pointer_of(source), bytes, CopyKind::kDeviceToDevice);
}

// All contexts are of the one device.
TILESCOPE_DRIVER Code cuMemcpyPeer(Address target, void*, Address source, void*, std::size_t bytes) {
    return bytes_now(pointer_of(target), pointer_of(source), bytes, CopyKind::kDeviceToDevice);
}
TILESCOPE_DRIVER Code cuMemcpyPeerAsync(Address target, void*, Address source, void*, std::size_t bytes, void* stream) {
    return bytes_on(stream, pointer_of(target), pointer_of(source), bytes, CopyKind::kDeviceToDevice);
}

TILESCOPE_DRIVER Code cuMemcpy2D_v2(const Memcpy2D* said) { return volume_now(said); }
TILESCOPE_DRIVER Code cuMemcpy2DUnaligned_v2(const Memcpy2D* said) { return volume_now(said); }
TILESCOPE_DRIVER Code cuMemcpy2DAsync_v2(const Memcpy2D* said, void* stream) { return volume_on(said, stream); }
TILESCOPE_DRIVER Code cuMemcpy3D_v2(const Memcpy3D* said) { return volume_now(said); }
TILESCOPE_DRIVER Code cuMemcpy3DAsync_v2(const Memcpy3D* said, void* stream) { return volume_on(said, stream); }
TILESCOPE_DRIVER Code cuMemcpy3DPeer(const Memcpy3D* said) { return volume_now(said); }
TILESCOPE_DRIVER Code cuMemcpy3DPeerAsync(const Memcpy3D* said, void* stream) { return volume_on(said, stream); }

TILESCOPE_DRIVER Code cuMemcpyHtoA_v2(void* array, std::size_t offset, const void* host, std::size_t bytes) {
    const Memcpy2D said{in_host(host), in_array(array, offset), bytes, 1};
    return volume_now(&said);
}
TILESCOPE_DRIVER Code cuMemcpyHtoAAsync_v2(void* array, std::size_t offset, const void* host, std::size_t bytes,
                                           void* stream) {
    const Memcpy2D said{in_host(host), in_array(array, offset), bytes, 1};
    return volume_on(&said, stream);
}
TILESCOPE_DRIVER Code cuMemcpyAtoH_v2(void* host, void* array, std::size_t offset, std::size_t bytes) {
    const Memcpy2D said{in_array(array, offset), in_host(host), bytes, 1};
    return volume_now(&said);
}
TILESCOPE_DRIVER Code cuMemcpyAtoHAsync_v2(void* host, void* array, std::size_t offset, std::size_t bytes,
                                           void* stream) {
    const Memcpy2D said{in_array(array, offset), in_host(host), bytes, 1};
    return volume_on(&said, stream);
}
TILESCOPE_DRIVER Code cuMemcpyDtoA_v2(void* array, std::size_t offset, Address source, std::size_t bytes) {
    const Memcpy2D said{in_device(source), in_array(array, offset), bytes, 1};
    return volume_now(&said);
}
TILESCOPE_DRIVER Code cuMemcpyAtoD_v2(Address target, void* array, std::size_t offset, std::size_t bytes) {
    const Memcpy2D said{in_array(array, offset), in_device(target), bytes, 1};
    return volume_now(&said);
}
TILESCOPE_DRIVER Code cuMemcpyAtoA_v2(void* target, std::size_t target_offset, void* source, std::size_t source_offset,
                                      std::size_t bytes) {
    const Memcpy2D said{in_array(source, source_offset), in_array(target, target_offset), bytes, 1};
    return volume_now(&said);
}

std::span<const Entry> copy_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE_TWICE(cuMemcpy),
        TILESCOPE_THERE_TWICE(cuMemcpyAsync),
        TILESCOPE_THERE_TWICE(cuMemcpyHtoD_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyHtoDAsync_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyDtoH_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyDtoHAsync_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyDtoD_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyDtoDAsync_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyPeer),
        TILESCOPE_THERE_TWICE(cuMemcpyPeerAsync),
        TILESCOPE_THERE_TWICE(cuMemcpy2D_v2),
        TILESCOPE_THERE_TWICE(cuMemcpy2DUnaligned_v2),
        TILESCOPE_THERE_TWICE(cuMemcpy2DAsync_v2),
        TILESCOPE_THERE_TWICE(cuMemcpy3D_v2),
        TILESCOPE_THERE_TWICE(cuMemcpy3DAsync_v2),
        TILESCOPE_THERE_TWICE(cuMemcpy3DPeer),
        TILESCOPE_THERE_TWICE(cuMemcpy3DPeerAsync),
        TILESCOPE_THERE_TWICE(cuMemcpyHtoA_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyHtoAAsync_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyAtoH_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyAtoHAsync_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyDtoA_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyAtoD_v2),
        TILESCOPE_THERE_TWICE(cuMemcpyAtoA_v2),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
