// Stream-ordered allocation. Work is done when it is issued, so it is cudaMalloc and cudaFree under other names; the
// one pool is the device's default, and its attributes are kept and given back.
#include <algorithm>
#include <array>
#include <mutex>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/memory/allocate.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

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

struct Pool {
    std::mutex mutex;
    std::array<int, 4> reuse = {0, 1, 1, 1};  // by attribute; all on at first, as in CUDA
    std::uint64_t threshold = 0, high = 0;
};

Pool& pool() {
    static Pool* const kept = new Pool;
    return *kept;
}

bool is_default(const void* handle) { return handle == &pool(); }

cudaError give_pool(void** out, int device) {
    return ask_device([&](Runtime&) -> Status {
        if (out == nullptr) return Status::kInvalidValue;
        if (device != 0) return Status::kInvalidDevice;
        *out = &pool();
        return Status::kOk;
    });
}

// Memory that a graph itself takes and gives back.
Status refuse_in_capture(Runtime& runtime, const char* name, const char* instead) {
    runtime.warn_once("runtime-unsupported-call",
                      std::string(name) + " in a stream that captures is not supported yet: " + instead);
    return Status::kNotSupported;
}

cudaError allocate_async(void** pointer, std::size_t bytes, void* stream, const char* name = __builtin_FUNCTION(),
                         const void* from = __builtin_return_address(0)) {
    return on_device(
        [&](Runtime& runtime) -> Status {
            if (pointer == nullptr) return Status::kInvalidValue;
            return on_stream(
                runtime, stream,
                [&](const machine::Issue& issue) {
                    const Status status = allocate(runtime, bytes, machine::AllocationKind::kDevice, *pointer, issue);
                    const std::lock_guard lock(pool().mutex);
                    pool().high = std::max(pool().high, runtime.session().memory().in_use());
                    return status;
                },
                [&](Work&) { return refuse_in_capture(runtime, name, "allocate before the capture"); });
        },
        name, from);
}

}  // namespace

TILESCOPE_API cudaError cudaMallocAsync(void** pointer, std::size_t bytes, void* stream) {
    return allocate_async(pointer, bytes, stream);
}

TILESCOPE_API cudaError cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, void* from, void* stream) {
    return is_default(from) ? allocate_async(pointer, bytes, stream) : record(Status::kInvalidValue);
}

TILESCOPE_API cudaError cudaFreeAsync(void* pointer, void* stream) {
    return on_device([&](Runtime& runtime) -> Status {
        return on_stream(
            runtime, stream,
            [&](const machine::Issue& issue) {
                return release(
                    runtime, pointer,
                    [](machine::AllocationKind kind) { return kind == machine::AllocationKind::kDevice; }, issue);
            },
            [&](Work&) { return refuse_in_capture(runtime, "cudaFreeAsync", "free behind the graph's launch"); });
    });
}

TILESCOPE_API cudaError cudaDeviceGetDefaultMemPool(void** out, int device) { return give_pool(out, device); }

TILESCOPE_API cudaError cudaDeviceGetMemPool(void** out, int device) { return give_pool(out, device); }

TILESCOPE_API cudaError cudaDeviceSetMemPool(int device, void* handle) {
    return call([&]() -> Status {
        if (device != 0) return Status::kInvalidDevice;
        return is_default(handle) ? Status::kOk : Status::kInvalidValue;
    });
}

TILESCOPE_API cudaError cudaMemPoolTrimTo(void* handle, std::size_t) {
    return call([&] { return is_default(handle) ? Status::kOk : Status::kInvalidValue; });
}

// The default pool cannot be destroyed, and there is no other.
TILESCOPE_API cudaError cudaMemPoolDestroy(void*) { return record(Status::kInvalidValue); }

TILESCOPE_API cudaError cudaMemPoolSetAttribute(void* handle, int attribute, void* value) {
    return call([&]() -> Status {
        if (!is_default(handle) || value == nullptr) return Status::kInvalidValue;
        const std::lock_guard lock(pool().mutex);
        switch (attribute) {
            case kReuseFollowEvents:
            case kReuseOpportunistic:
            case kReuseInternal:
                pool().reuse[static_cast<std::size_t>(attribute)] = *static_cast<int*>(value);
                return Status::kOk;
            case kReleaseThreshold: pool().threshold = *static_cast<std::uint64_t*>(value); return Status::kOk;
            case kReservedHigh:
            case kUsedHigh:  // may only be reset
                if (*static_cast<std::uint64_t*>(value) != 0) return Status::kInvalidValue;
                pool().high = 0;
                return Status::kOk;
            default: return Status::kInvalidValue;
        }
    });
}

TILESCOPE_API cudaError cudaMemPoolGetAttribute(void* handle, int attribute, void* value) {
    return on_device([&](Runtime& runtime) -> Status {
        if (!is_default(handle) || value == nullptr) return Status::kInvalidValue;
        const std::uint64_t used = runtime.session().memory().in_use();
        const std::lock_guard lock(pool().mutex);
        switch (attribute) {
            case kReuseFollowEvents:
            case kReuseOpportunistic:
            case kReuseInternal:
                *static_cast<int*>(value) = pool().reuse[static_cast<std::size_t>(attribute)];
                return Status::kOk;
            case kReleaseThreshold: *static_cast<std::uint64_t*>(value) = pool().threshold; return Status::kOk;
            case kReservedCurrent:
            case kUsedCurrent: *static_cast<std::uint64_t*>(value) = used; return Status::kOk;
            case kReservedHigh:
            case kUsedHigh: *static_cast<std::uint64_t*>(value) = std::max(pool().high, used); return Status::kOk;
            default: return Status::kInvalidValue;
        }
    });
}

TILESCOPE_PER_THREAD(cudaMallocAsync_ptsz, cudaMallocAsync);
TILESCOPE_PER_THREAD(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);
TILESCOPE_PER_THREAD(cudaFreeAsync_ptsz, cudaFreeAsync);

}  // namespace tilescope::runtime
