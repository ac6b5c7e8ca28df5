// Contexts, limits and preferences.
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/device.h"
#include "scope/runtime/service/limits.h"
#include "scope/runtime/service/streams/streams.h"

namespace tilescope::runtime::driver {
namespace {

constexpr unsigned kScheduleBits = 0x7, kMapHostBit = 0x8, kAllFlags = 0xff, kApiVersion = 3020;
std::atomic<int> preferred_cache{0};

Status check_flags(unsigned flags) {
    const unsigned schedule = flags & kScheduleBits;
    const bool known = schedule == 0 || schedule == 1 || schedule == 2 || schedule == 4;
    return known && (flags & ~kAllFlags) == 0 ? Status::kOk : Status::kInvalidValue;
}

// What is on the device goes with the last context that somebody holds.
void leave_device(Contexts& contexts) {
    Runtime& runtime = Runtime::get();
    if (contexts.are_all_gone() && runtime.has_session() && runtime.enter_to_ask() == Status::kOk)
        reset_device(runtime);
}

// What a context may be made with, as cuda.h of CUDA 12.5 and later lays it out.
struct CreateParameters {
    const void* affinity;
    int affinities;
    const void* graphics;
};

// `with_more`: asks for affinity of execution, or for sharing with graphics, which are not there.
Code create(void** out, unsigned flags, int device, bool with_more, const char* name = __builtin_FUNCTION(),
            const void* from = __builtin_return_address(0)) {
    return ask_device(
        [&](Runtime& runtime) -> Status {
            if (out == nullptr || check_flags(flags) != Status::kOk) return Status::kInvalidValue;
            if (device != 0) return Status::kInvalidDevice;
            if (with_more) {
                runtime.warn_once("runtime-unsupported-call",
                                  "parameters of a context (affinity, graphics) are not supported");
                return Status::kNotSupported;
            }
            Contexts& contexts = Contexts::get();
            Context* const made = contexts.make(flags);
            contexts.push(made);
            *out = made;
            return Status::kOk;
        },
        name, from);
}

// body(Contexts&, Context&) of a handle that is one; null: of the current one, where that may be meant.
template <class Body>
Code with_context(void* handle, bool null_is_current, Body&& body, const char* name = __builtin_FUNCTION(),
                  const void* from = __builtin_return_address(0)) {
    return once_initialised(
        [&](Contexts& contexts) -> Status {
            if (handle == nullptr && null_is_current) {
                if (const Status status = contexts.check_current(); status != Status::kOk) return status;
                handle = contexts.current();
            }
            if (!contexts.is_context(handle))
                return because(Status::kNoContext, "the context was never made, or is destroyed already");
            return body(contexts, *static_cast<Context*>(handle));
        },
        name, from);
}

template <class Value>
Code give(void* context, Value* out, Value value, const char* name = __builtin_FUNCTION(),
          const void* from = __builtin_return_address(0)) {
    return with_context(
        context, true,
        [&](Contexts&, Context&) {
            if (out == nullptr) return Status::kInvalidValue;
            *out = value;
            return Status::kOk;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuCtxCreate_v2(void** context, unsigned flags, int device) {
    return create(context, flags, device, false);
}
TILESCOPE_DRIVER Code cuCtxCreate_v3(void** context, void* affinity, int count, unsigned flags, int device) {
    return create(context, flags, device, affinity != nullptr || count != 0);
}
TILESCOPE_DRIVER Code cuCtxCreate_v4(void** context, void* parameters, unsigned flags, int device) {
    const auto* const given = static_cast<const CreateParameters*>(parameters);
    const bool with_more =
        given != nullptr && (given->affinity != nullptr || given->affinities != 0 || given->graphics != nullptr);
    return create(context, flags, device, with_more);
}

TILESCOPE_DRIVER Code cuCtxDestroy_v2(void* context) {
    return once_initialised([&](Contexts& contexts) -> Status {
        if (context == nullptr) return Status::kInvalidValue;
        if (!contexts.destroy(context))
            return because(Status::kNoContext, "the context was never made, or is destroyed already");
        leave_device(contexts);
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxPushCurrent_v2(void* context) {
    if (context == nullptr) return once_initialised([](Contexts&) { return Status::kInvalidValue; });
    return with_context(context, false, [](Contexts& contexts, Context& known) {
        contexts.push(&known);
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxPopCurrent_v2(void** context) {
    return once_initialised([&](Contexts& contexts) -> Status {
        if (contexts.current() == nullptr) return because(Status::kNoContext, "no context is current on this thread");
        Context* const popped = contexts.pop();
        if (context != nullptr) *context = popped;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxSetCurrent(void* context) {
    return once_initialised([&](Contexts& contexts) -> Status {
        if (context != nullptr && !contexts.is_context(context))
            return because(Status::kNoContext, "the context was never made, or is destroyed already");
        contexts.set_current(static_cast<Context*>(context));
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxGetCurrent(void** context) {
    return once_initialised([&](Contexts& contexts) -> Status {
        if (context == nullptr) return Status::kInvalidValue;
        *context = contexts.current();
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxGetDevice_v2(int* device, void* context) { return give(context, device, 0); }
TILESCOPE_DRIVER Code cuCtxGetDevice(int* device) { return give(nullptr, device, 0); }
TILESCOPE_DRIVER Code cuCtxGetApiVersion(void* context, unsigned* version) {
    return give(context, version, kApiVersion);
}

TILESCOPE_DRIVER Code cuCtxGetId(void* context, unsigned long long* id) {
    return with_context(context, true, [&](Contexts&, Context& known) {
        if (id == nullptr) return Status::kInvalidValue;
        *id = known.id;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxGetFlags(unsigned* flags) {
    return with_context(nullptr, true, [&](Contexts&, Context& known) {
        if (flags == nullptr) return Status::kInvalidValue;
        *flags = known.flags | kMapHostBit;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxSetFlags(unsigned flags) {
    return with_context(nullptr, true, [&](Contexts&, Context& known) {
        if (check_flags(flags) != Status::kOk) return Status::kInvalidValue;
        known.flags = flags;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxSynchronize() {
    return on_context([](Runtime& runtime) { return synchronize_device(runtime); });
}

TILESCOPE_DRIVER Code cuCtxSynchronize_v2(void* context) {
    return with_context(context, true, [](Contexts&, Context&) { return with_device(synchronize_device); });
}

TILESCOPE_DRIVER Code cuCtxSetLimit(int limit, std::size_t value) {
    return on_context(
        [&](Runtime& runtime) { return runtime.limits().set(runtime, static_cast<Limit>(limit), value); });
}

TILESCOPE_DRIVER Code cuCtxGetLimit(std::size_t* value, int limit) {
    return on_context([&](Runtime& runtime) {
        return value == nullptr ? Status::kInvalidValue
                                : runtime.limits().get(runtime, static_cast<Limit>(limit), *value);
    });
}

TILESCOPE_DRIVER Code cuCtxSetCacheConfig(int config) {
    return on_context([&](Runtime&) {
        if (config < 0 || config > 3) return Status::kInvalidValue;
        preferred_cache = config;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxGetCacheConfig(int* config) { return give(nullptr, config, preferred_cache.load()); }

// Banks are 4 bytes wide on every device since compute capability 5.0; asking for others changes nothing.
TILESCOPE_DRIVER Code cuCtxSetSharedMemConfig(int config) {
    return on_context([&](Runtime&) { return config < 0 || config > 2 ? Status::kInvalidValue : Status::kOk; });
}
TILESCOPE_DRIVER Code cuCtxGetSharedMemConfig(int* config) { return give(nullptr, config, 1); }

TILESCOPE_DRIVER Code cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    return on_context([&](Runtime&) {
        if (least != nullptr) *least = kLeastPriority;
        if (greatest != nullptr) *greatest = kGreatestPriority;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxResetPersistingL2Cache() {
    return on_context([](Runtime& runtime) {
        reset_persisting(runtime);
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxEnablePeerAccess(void* context, unsigned flags) {
    return with_context(context, false, [&](Contexts&, Context&) {
        return flags != 0 ? Status::kInvalidValue : Status::kNoPeer;  // a device is no peer of itself
    });
}
TILESCOPE_DRIVER Code cuCtxDisablePeerAccess(void* context) {
    return with_context(context, false, [](Contexts&, Context&) { return Status::kNoPeerAccess; });
}

TILESCOPE_DRIVER Code cuDevicePrimaryCtxRetain(void** context, int device) {
    return ask_device([&](Runtime&) -> Status {
        if (context == nullptr) return Status::kInvalidValue;
        if (device != 0) return Status::kInvalidDevice;
        *context = Contexts::get().retain_primary();
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDevicePrimaryCtxRelease_v2(int device) {
    return once_initialised([&](Contexts& contexts) -> Status {
        if (device != 0) return Status::kInvalidDevice;
        if (!contexts.release_primary()) return because(Status::kNoContext, "nobody holds the primary context");
        leave_device(contexts);
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
    return once_initialised([&](Contexts& contexts) -> Status {
        if (device != 0) return Status::kInvalidDevice;
        if (const Status status = check_flags(flags); status != Status::kOk) return status;
        contexts.set_primary_flags(flags);
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
    return once_initialised([&](Contexts& contexts) -> Status {
        if (flags == nullptr || active == nullptr) return Status::kInvalidValue;
        if (device != 0) return Status::kInvalidDevice;
        *flags = contexts.primary()->flags;
        *active = contexts.is_primary_active() ? 1 : 0;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDevicePrimaryCtxReset_v2(int device) {
    return ask_device([&](Runtime& runtime) -> Status {
        if (device != 0) return Status::kInvalidDevice;
        Contexts::get().reset_primary();
        reset_device(runtime);
        return Status::kOk;
    });
}

std::span<const Entry> context_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE_AS(cuCtxCreate, cuCtxCreate_v2),
        TILESCOPE_THERE(cuCtxCreate_v2),
        TILESCOPE_THERE(cuCtxCreate_v3),
        TILESCOPE_THERE(cuCtxCreate_v4),
        TILESCOPE_THERE_AS(cuCtxDestroy, cuCtxDestroy_v2),
        TILESCOPE_THERE(cuCtxDestroy_v2),
        TILESCOPE_THERE_AS(cuCtxPushCurrent, cuCtxPushCurrent_v2),
        TILESCOPE_THERE(cuCtxPushCurrent_v2),
        TILESCOPE_THERE_AS(cuCtxPopCurrent, cuCtxPopCurrent_v2),
        TILESCOPE_THERE(cuCtxPopCurrent_v2),
        TILESCOPE_THERE(cuCtxSetCurrent),
        TILESCOPE_THERE(cuCtxGetCurrent),
        TILESCOPE_THERE(cuCtxGetDevice),
        TILESCOPE_THERE(cuCtxGetDevice_v2),
        TILESCOPE_THERE(cuCtxGetApiVersion),
        TILESCOPE_THERE(cuCtxGetId),
        TILESCOPE_THERE(cuCtxGetFlags),
        TILESCOPE_THERE(cuCtxSetFlags),
        TILESCOPE_THERE(cuCtxSynchronize),
        TILESCOPE_THERE(cuCtxSynchronize_v2),
        TILESCOPE_THERE(cuCtxSetLimit),
        TILESCOPE_THERE(cuCtxGetLimit),
        TILESCOPE_THERE(cuCtxSetCacheConfig),
        TILESCOPE_THERE(cuCtxGetCacheConfig),
        TILESCOPE_THERE(cuCtxSetSharedMemConfig),
        TILESCOPE_THERE(cuCtxGetSharedMemConfig),
        TILESCOPE_THERE(cuCtxGetStreamPriorityRange),
        TILESCOPE_THERE(cuCtxResetPersistingL2Cache),
        TILESCOPE_THERE(cuCtxEnablePeerAccess),
        TILESCOPE_THERE(cuCtxDisablePeerAccess),
        TILESCOPE_THERE(cuDevicePrimaryCtxRetain),
        TILESCOPE_THERE_AS(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2),
        TILESCOPE_THERE(cuDevicePrimaryCtxRelease_v2),
        TILESCOPE_THERE_AS(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2),
        TILESCOPE_THERE(cuDevicePrimaryCtxSetFlags_v2),
        TILESCOPE_THERE(cuDevicePrimaryCtxGetState),
        TILESCOPE_THERE_AS(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2),
        TILESCOPE_THERE(cuDevicePrimaryCtxReset_v2),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
