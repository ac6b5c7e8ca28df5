// cudaMallocAsync and memory pools, of which there is the device's default alone.
#include "scope/runtime/service/memory/pool.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/cudart/pool_attributes.h"

namespace tilescope::runtime {
namespace {

// cudaMemPoolAttr.
enum Attribute {
    kReuseFollowEvents = 1,
    kReuseOpportunistic = 2,
    kReuseInternal = 3,
    kReleaseThreshold = 4,
    kReservedCurrent = 5,
    kReservedHigh = 6,
    kUsedCurrent = 7,
    kUsedHigh = 8,
};

Pool::Reuse reuse_of(int attribute) { return static_cast<Pool::Reuse>(attribute - kReuseFollowEvents); }

cudaError give_pool(void** out, int device, const char* name = __builtin_FUNCTION()) {
    return ask_device(
        [&](Runtime&) {
            if (out == nullptr) return Status::kInvalidValue;
            if (device != 0) return Status::kInvalidDevice;
            *out = &Pool::get();
            return Status::kOk;
        },
        name);
}

cudaError give_memory(void** pointer, std::size_t bytes, void* stream, const char* name = __builtin_FUNCTION(),
                      const void* from = __builtin_return_address(0)) {
    return on_device(
        [&](Runtime& runtime) {
            return pointer == nullptr ? Status::kInvalidValue
                                      : allocate_async(runtime, Pool::get(), bytes, stream, *pointer, name);
        },
        name, from);
}

}  // namespace

Status set_pool_attribute(void* handle, int attribute, void* value) {
    Pool* const pool = Pool::find(handle);
    if (pool == nullptr || value == nullptr) return Status::kInvalidValue;
    switch (attribute) {
        case kReuseFollowEvents:
        case kReuseOpportunistic:
        case kReuseInternal: pool->set_reuse(reuse_of(attribute), *static_cast<int*>(value)); return Status::kOk;
        case kReleaseThreshold: pool->set_release_threshold(*static_cast<std::uint64_t*>(value)); return Status::kOk;
        case kReservedHigh:
        case kUsedHigh:  // may only be reset
            if (*static_cast<std::uint64_t*>(value) != 0) return Status::kInvalidValue;
            pool->reset_high_water();
            return Status::kOk;
        default: return Status::kInvalidValue;
    }
}

Status get_pool_attribute(Runtime& runtime, void* handle, int attribute, void* value) {
    Pool* const pool = Pool::find(handle);
    if (pool == nullptr || value == nullptr) return Status::kInvalidValue;
    const std::uint64_t used = pool->used(runtime);
    auto* const number = static_cast<std::uint64_t*>(value);
    switch (attribute) {
        case kReuseFollowEvents:
        case kReuseOpportunistic:
        case kReuseInternal: *static_cast<int*>(value) = pool->reuse(reuse_of(attribute)); return Status::kOk;
        case kReleaseThreshold: *number = pool->release_threshold(); return Status::kOk;
        case kReservedCurrent:
        case kUsedCurrent: *number = used; return Status::kOk;
        case kReservedHigh:
        case kUsedHigh: *number = pool->high_water(used); return Status::kOk;
        default: return Status::kInvalidValue;
    }
}

TILESCOPE_API cudaError cudaMallocAsync(void** pointer, std::size_t bytes, void* stream) {
    return give_memory(pointer, bytes, stream);
}

TILESCOPE_API cudaError cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, void* from, void* stream) {
    return Pool::is(from) ? give_memory(pointer, bytes, stream) : record(Status::kInvalidValue);
}

TILESCOPE_API cudaError cudaFreeAsync(void* pointer, void* stream) {
    return on_device([&](Runtime& runtime) { return release_async(runtime, pointer, stream, "cudaFreeAsync"); });
}

TILESCOPE_API cudaError cudaDeviceGetDefaultMemPool(void** out, int device) { return give_pool(out, device); }

TILESCOPE_API cudaError cudaDeviceGetMemPool(void** out, int device) { return give_pool(out, device); }

TILESCOPE_API cudaError cudaDeviceSetMemPool(int device, void* handle) {
    return call([&]() -> Status {
        if (device != 0) return Status::kInvalidDevice;
        return Pool::is(handle) ? Status::kOk : Status::kInvalidValue;
    });
}

TILESCOPE_API cudaError cudaMemPoolTrimTo(void* handle, std::size_t) {
    return call([&] { return Pool::is(handle) ? Status::kOk : Status::kInvalidValue; });
}

// The default pool cannot be destroyed, and there is no other.
TILESCOPE_API cudaError cudaMemPoolDestroy(void*) { return record(Status::kInvalidValue); }

TILESCOPE_API cudaError cudaMemPoolSetAttribute(void* handle, int attribute, void* value) {
    return call([&] { return set_pool_attribute(handle, attribute, value); });
}

TILESCOPE_API cudaError cudaMemPoolGetAttribute(void* handle, int attribute, void* value) {
    return on_device([&](Runtime& runtime) { return get_pool_attribute(runtime, handle, attribute, value); });
}

TILESCOPE_PER_THREAD(cudaMallocAsync_ptsz, cudaMallocAsync);
TILESCOPE_PER_THREAD(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);
TILESCOPE_PER_THREAD(cudaFreeAsync_ptsz, cudaFreeAsync);

}  // namespace tilescope::runtime
