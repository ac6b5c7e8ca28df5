// Memory in the order of a stream, and the one pool that it comes from.
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

Code give_memory(Address* address, std::size_t bytes, bool is_pool, void* stream,
                 const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            if (address == nullptr || bytes == 0 || !is_pool) return Status::kInvalidValue;
            void* base = nullptr;
            const Status status = allocate_async(runtime, bytes, stream, base, name);
            if (status == Status::kOk) *address = address_of(base);
            return status;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuMemAllocAsync(Address* address, std::size_t bytes, void* stream) {
    return give_memory(address, bytes, true, stream);
}
TILESCOPE_DRIVER Code cuMemAllocFromPoolAsync(Address* address, std::size_t bytes, void* pool, void* stream) {
    return give_memory(address, bytes, Pool::is(pool), stream);
}
TILESCOPE_DRIVER Code cuMemFreeAsync(Address address, void* stream) {
    return on_context(
        [&](Runtime& runtime) { return release_async(runtime, pointer_of(address), stream, "cuMemFreeAsync"); });
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
// The default pool cannot be destroyed, and there is no other.
TILESCOPE_DRIVER Code cuMemPoolDestroy(void*) {
    return once_initialised([](Contexts&) { return Status::kInvalidValue; });
}

std::span<const Entry> pool_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE_TWICE(cuMemAllocAsync), TILESCOPE_THERE_TWICE(cuMemAllocFromPoolAsync),
        TILESCOPE_THERE_TWICE(cuMemFreeAsync),  TILESCOPE_THERE(cuDeviceGetDefaultMemPool),
        TILESCOPE_THERE(cuDeviceGetMemPool),    TILESCOPE_THERE(cuDeviceSetMemPool),
        TILESCOPE_THERE(cuMemPoolTrimTo),       TILESCOPE_THERE(cuMemPoolSetAttribute),
        TILESCOPE_THERE(cuMemPoolGetAttribute), TILESCOPE_THERE(cuMemPoolDestroy),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
