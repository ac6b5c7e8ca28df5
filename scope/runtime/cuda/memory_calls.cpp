// Memory of the device, of the host and of both.
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/memory/allocate.h"
#include "scope/runtime/service/memory/managed.h"
#include "scope/runtime/service/memory/pinned.h"

namespace tilescope::runtime::driver {
namespace {

constexpr int kCpuDevice = -1;
// CUmemLocationType.
constexpr int kAtDevice = 1, kAtHost = 2, kAtHostNuma = 3, kAtHostNumaCurrent = 4;

MemoryPlace place_of(const abi::MemLocation& at) {
    if (at.type == kAtDevice) return at.id == 0 ? MemoryPlace::kDevice : MemoryPlace::kOtherDevice;
    const bool is_host = at.type == kAtHost || at.type == kAtHostNuma || at.type == kAtHostNumaCurrent;
    return is_host ? MemoryPlace::kHost : MemoryPlace::kNowhere;
}

abi::MemLocation location_of_device(int device) {
    return device == kCpuDevice ? abi::MemLocation{kAtHost, 0} : abi::MemLocation{kAtDevice, device};
}

// CUmem_advise: pairs of what is set and taken back.
Status give_advice(Runtime& runtime, Address at, std::size_t bytes, int advice, const abi::MemLocation& to) {
    using machine::AdviceKind;
    constexpr AdviceKind kKinds[] = {AdviceKind::kReadMostly, AdviceKind::kPreferred, AdviceKind::kAccessedBy};
    if (advice < 1 || advice > 6) return Status::kInvalidValue;
    const Status status =
        advise_managed(runtime, pointer_of(at), bytes, kKinds[(advice - 1) / 2], advice % 2 == 1, place_of(to));
    return status == Status::kInvalidDevice ? Status::kInvalidValue : status;
}

// body(void*& base) makes memory, which goes to `out`; there is none of 0 bytes.
template <class Out, class Body>
Code make_memory(Out* out, std::size_t bytes, Body&& body, const char* name = __builtin_FUNCTION(),
                 const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            if (out == nullptr || bytes == 0) return Status::kInvalidValue;
            void* base = nullptr;
            const Status status = body(runtime, base);
            if (status == Status::kOk) {
                if constexpr (std::is_pointer_v<Out>)
                    *out = base;
                else
                    *out = address_of(base);
            }
            return status;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuMemAlloc_v2(Address* address, std::size_t bytes) {
    return make_memory(address, bytes,
                       [&](Runtime& runtime, void*& base) { return allocate_device(runtime, bytes, base); });
}

TILESCOPE_DRIVER Code cuMemFree_v2(Address address) {
    return on_handle(pointer_of(address),
                     [&](Runtime& runtime) { return release_device(runtime, pointer_of(address)); });
}

TILESCOPE_DRIVER Code cuMemAllocPitch_v2(Address* address, std::size_t* pitch, std::size_t width, std::size_t height,
                                         unsigned element_bytes) {
    const bool has_element = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
    return make_memory(address, height == 0 ? 0 : width, [&](Runtime& runtime, void*& base) {
        if (pitch == nullptr || !has_element) return Status::kInvalidValue;
        return allocate_rows(runtime, width, height, base, *pitch);
    });
}

TILESCOPE_DRIVER Code cuMemAllocManaged(Address* address, std::size_t bytes, unsigned flags) {
    constexpr unsigned kAttachGlobal = 1, kAttachHost = 2;
    return make_memory(address, bytes, [&](Runtime& runtime, void*& base) {
        if (flags != kAttachGlobal && flags != kAttachHost) return Status::kInvalidValue;
        return allocate_managed(runtime, bytes, base);
    });
}

TILESCOPE_DRIVER Code cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    if (pointer != nullptr && bytes == 0) return on_context([&](Runtime&) { return *pointer = nullptr, Status::kOk; });
    return make_memory(pointer, bytes,
                       [&](Runtime& runtime, void*& base) { return allocate_pinned(runtime, bytes, flags, base); });
}

TILESCOPE_DRIVER Code cuMemAllocHost_v2(void** pointer, std::size_t bytes) {
    return make_memory(pointer, bytes,
                       [&](Runtime& runtime, void*& base) { return allocate_pinned(runtime, bytes, 0, base); });
}

TILESCOPE_DRIVER Code cuMemFreeHost(void* pointer) {
    return on_context([&](Runtime& runtime) {
        return pointer == nullptr ? Status::kInvalidValue : release_pinned(runtime, pointer);
    });
}

TILESCOPE_DRIVER Code cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned flags) {
    return on_context([&](Runtime& runtime) { return register_memory(runtime, pointer, bytes, flags); });
}

TILESCOPE_DRIVER Code cuMemHostUnregister(void* pointer) {
    return on_context([&](Runtime& runtime) { return unregister_memory(runtime, pointer); });
}

TILESCOPE_DRIVER Code cuMemHostGetDevicePointer_v2(Address* address, void* pointer, unsigned flags) {
    return on_context([&](Runtime& runtime) {
        if (address == nullptr || flags != 0 || !is_host_memory(runtime, pointer)) return Status::kInvalidValue;
        *address = address_of(pointer);
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuMemHostGetFlags(unsigned* flags, void* pointer) {
    return on_context([&](Runtime& runtime) {
        const auto known = flags_of_host_memory(runtime, pointer);
        if (flags == nullptr || !known) return Status::kInvalidValue;
        *flags = *known;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
    return on_context([&](Runtime& runtime) {
        const MemoryLeft left = memory_left(runtime);
        if (free_bytes != nullptr) *free_bytes = left.free;
        if (total_bytes != nullptr) *total_bytes = left.total;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuMemPrefetchAsync(Address address, std::size_t bytes, int device, void* stream) {
    return on_context([&](Runtime& runtime) {
        return prefetch_managed(runtime, pointer_of(address), bytes, place_of(location_of_device(device)), stream);
    });
}

TILESCOPE_DRIVER Code cuMemPrefetchAsync_v2(Address address, std::size_t bytes, abi::MemLocation to, unsigned flags,
                                            void* stream) {
    return on_context([&](Runtime& runtime) {
        return flags != 0 ? Status::kInvalidValue
                          : prefetch_managed(runtime, pointer_of(address), bytes, place_of(to), stream);
    });
}

TILESCOPE_DRIVER Code cuMemAdvise(Address address, std::size_t bytes, int advice, int device) {
    return on_context(
        [&](Runtime& runtime) { return give_advice(runtime, address, bytes, advice, location_of_device(device)); });
}

TILESCOPE_DRIVER Code cuMemAdvise_v2(Address address, std::size_t bytes, int advice, abi::MemLocation to) {
    return on_context([&](Runtime& runtime) { return give_advice(runtime, address, bytes, advice, to); });
}

std::span<const Entry> memory_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuMemAlloc_v2),
        TILESCOPE_THERE(cuMemFree_v2),
        TILESCOPE_THERE(cuMemAllocPitch_v2),
        TILESCOPE_THERE(cuMemAllocManaged),
        TILESCOPE_THERE(cuMemHostAlloc),
        TILESCOPE_THERE_AS(cuMemAllocHost, cuMemAllocHost_v2),
        TILESCOPE_THERE(cuMemAllocHost_v2),
        TILESCOPE_THERE(cuMemFreeHost),
        TILESCOPE_THERE_AS(cuMemHostRegister, cuMemHostRegister_v2),
        TILESCOPE_THERE(cuMemHostRegister_v2),
        TILESCOPE_THERE(cuMemHostUnregister),
        TILESCOPE_THERE(cuMemHostGetDevicePointer_v2),
        TILESCOPE_THERE(cuMemHostGetFlags),
        TILESCOPE_THERE(cuMemGetInfo_v2),
        TILESCOPE_THERE_TWICE(cuMemPrefetchAsync),
        TILESCOPE_THERE_TWICE(cuMemPrefetchAsync_v2),
        TILESCOPE_THERE(cuMemAdvise),
        TILESCOPE_THERE(cuMemAdvise_v2),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
