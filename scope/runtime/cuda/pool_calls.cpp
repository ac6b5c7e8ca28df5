// Memory in the order of a stream, and the one pool that it comes from.
#include <string>

#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/cudart/pool_attributes.h"
#include "scope/runtime/service/memory/pool.h"

namespace tilescope::runtime::driver {
namespace {

Code give_pool(void** out, int device, const char* name = __builtin_FUNCTION(),
               const void* from = __builtin_return_address(0)) {
    return ask_device(
        [&](Runtime&) {
            if (out == nullptr) return Status::kInvalidValue;
            if (device != 0) return Status::kInvalidDevice;
            *out = &Pool::get();
            return Status::kOk;
        },
        name, from);
}

Code give_memory(Address* address, std::size_t bytes, Pool* pool, void* stream, const char* name = __builtin_FUNCTION(),
                 const void* from = __builtin_return_address(0)) {
    return on_handle(
        stream,
        [&](Runtime& runtime) -> Status {
            if (address == nullptr || pool == nullptr) return Status::kInvalidValue;
            void* base = nullptr;
            const Status status = allocate_async(runtime, *pool, bytes, stream, base, name);
            if (status == Status::kOk) *address = address_of(base);
            return status;
        },
        name, from);
}

// CUmemLocationType, CUmemAllocationType, CUmemAccess_flags.
constexpr int kOnDevice = 1, kHostPlaces = 5, kPinnedKind = 1, kManagedKind = 2, kReadsAndWrites = 3;

bool is_own_device(const abi::MemLocation& at) { return at.type == kOnDevice && at.id == 0; }

Status refuse_pool(Runtime& runtime, const char* what) {
    runtime.warn_once("runtime-unsupported-call", std::string("a pool of ") + what + " is not supported yet");
    return Status::kNotSupported;
}

Status check_pool(Runtime& runtime, const PoolProperties& said) {
    if (said.type == kManagedKind) return refuse_pool(runtime, "managed memory");
    if (said.type != kPinnedKind || said.at.type <= 0 || said.at.type > kHostPlaces) return Status::kInvalidValue;
    if (said.at.type != kOnDevice) return refuse_pool(runtime, "the host's memory");
    return said.at.id == 0 ? Status::kOk : Status::kInvalidValue;
}

// body() of the device's pinned memory, which is what all its memory is; false: an argument makes no sense.
template <class Body>
Code pool_of_place(const abi::MemLocation* at, int type, Body&& body, const char* name = __builtin_FUNCTION(),
                   const void* from = __builtin_return_address(0)) {
    return ask_device(
        [&](Runtime& runtime) -> Status {
            if (at == nullptr) return Status::kInvalidValue;
            PoolProperties said{};
            said.type = type;
            said.at = *at;
            if (const Status status = check_pool(runtime, said); status != Status::kOk) return status;
            return body() ? Status::kOk : Status::kInvalidValue;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuMemAllocAsync(Address* address, std::size_t bytes, void* stream) {
    return give_memory(address, bytes, &Pool::get(), stream);
}
TILESCOPE_DRIVER Code cuMemAllocFromPoolAsync(Address* address, std::size_t bytes, void* pool, void* stream) {
    return give_memory(address, bytes, Pool::find(pool), stream);
}
TILESCOPE_DRIVER Code cuMemFreeAsync(Address address, void* stream) {
    return on_handle(stream, [&](Runtime& runtime) {
        return release_async(runtime, pointer_of(address), stream, "cuMemFreeAsync");
    });
}

TILESCOPE_DRIVER Code cuDeviceGetDefaultMemPool(void** pool, int device) { return give_pool(pool, device); }
TILESCOPE_DRIVER Code cuDeviceGetMemPool(void** pool, int device) { return give_pool(pool, device); }
TILESCOPE_DRIVER Code cuDeviceSetMemPool(int device, void* pool) {
    return once_initialised([&](Contexts&) -> Status {
        if (device != 0) return Status::kInvalidDevice;
        return Pool::is(pool) ? Status::kOk : Status::kInvalidValue;
    });
}
TILESCOPE_DRIVER Code cuMemPoolTrimTo(void* pool, std::size_t) {
    return once_initialised([&](Contexts&) { return Pool::is(pool) ? Status::kOk : Status::kInvalidValue; });
}
TILESCOPE_DRIVER Code cuMemPoolSetAttribute(void* pool, int attribute, void* value) {
    return once_initialised([&](Contexts&) { return set_pool_attribute(pool, attribute, value); });
}
TILESCOPE_DRIVER Code cuMemPoolGetAttribute(void* pool, int attribute, void* value) {
    return ask_device([&](Runtime& runtime) { return get_pool_attribute(runtime, pool, attribute, value); });
}
// The device's own cannot be destroyed.
TILESCOPE_DRIVER Code cuMemPoolDestroy(void* pool) {
    return once_initialised([&](Contexts&) { return Pool::destroy(pool) ? Status::kOk : Status::kInvalidValue; });
}

TILESCOPE_DRIVER Code cuMemPoolCreate(void** pool, const PoolProperties* said) {
    return ask_device([&](Runtime& runtime) -> Status {
        if (pool == nullptr || said == nullptr) return Status::kInvalidValue;
        if (const Status status = check_pool(runtime, *said); status != Status::kOk) return status;
        *pool = Pool::make(said->most);
        return Status::kOk;
    });
}
// The one device always has access.
TILESCOPE_DRIVER Code cuMemPoolSetAccess(void* pool, const AccessDescription* said, std::size_t count) {
    return ask_device([&](Runtime&) -> Status {
        if (!Pool::is(pool) || said == nullptr || count == 0) return Status::kInvalidValue;
        for (std::size_t i = 0; i < count; ++i) {
            if (!is_own_device(said[i].at)) return Status::kInvalidValue;
            if (said[i].flags != kReadsAndWrites)
                return because(Status::kInvalidDevice, "a device's access to its own memory cannot be taken");
        }
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuMemPoolGetAccess(int* flags, void* pool, const abi::MemLocation* at) {
    return ask_device([&](Runtime&) -> Status {
        if (flags == nullptr || at == nullptr || !Pool::is(pool) || !is_own_device(*at)) return Status::kInvalidValue;
        *flags = kReadsAndWrites;
        return Status::kOk;
    });
}

// By place and kind of memory, as of CUDA 13.
TILESCOPE_DRIVER Code cuMemGetDefaultMemPool(void** pool, const abi::MemLocation* at, int type) {
    return pool_of_place(at, type, [&] {
        if (pool != nullptr) *pool = &Pool::get();
        return pool != nullptr;
    });
}
TILESCOPE_DRIVER Code cuMemGetMemPool(void** pool, const abi::MemLocation* at, int type) {
    return pool_of_place(at, type, [&] {
        if (pool != nullptr) *pool = &Pool::get();
        return pool != nullptr;
    });
}
TILESCOPE_DRIVER Code cuMemSetMemPool(const abi::MemLocation* at, int type, void* pool) {
    return pool_of_place(at, type, [&] { return Pool::is(pool); });
}

std::span<const Entry> pool_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE_TWICE(cuMemAllocAsync), TILESCOPE_THERE_TWICE(cuMemAllocFromPoolAsync),
        TILESCOPE_THERE_TWICE(cuMemFreeAsync),  TILESCOPE_THERE(cuDeviceGetDefaultMemPool),
        TILESCOPE_THERE(cuDeviceGetMemPool),    TILESCOPE_THERE(cuDeviceSetMemPool),
        TILESCOPE_THERE(cuMemPoolTrimTo),       TILESCOPE_THERE(cuMemPoolSetAttribute),
        TILESCOPE_THERE(cuMemPoolGetAttribute), TILESCOPE_THERE(cuMemPoolDestroy),
        TILESCOPE_THERE(cuMemPoolCreate),       TILESCOPE_THERE(cuMemPoolSetAccess),
        TILESCOPE_THERE(cuMemPoolGetAccess),    TILESCOPE_THERE(cuMemGetDefaultMemPool),
        TILESCOPE_THERE(cuMemGetMemPool),       TILESCOPE_THERE(cuMemSetMemPool),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
