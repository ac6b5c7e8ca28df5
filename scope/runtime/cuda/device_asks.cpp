// Rare questions about the device and contexts, and events of a context.
#include <map>
#include <mutex>
#include <set>

#include "scope/runtime/cuda/array_formats.h"
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/modules/modules.h"
#include "scope/runtime/service/streams/events.h"
#include "scope/runtime/service/streams/handles.h"
#include "scope/runtime/service/streams/streams.h"

namespace tilescope::runtime::driver {
namespace {

// CUgraphMem_attribute: memory that graphs allocate, of which there is none here.
constexpr int kUsedHigh = 1, kReservedHigh = 3;

Code about_device(const void* out, int device, Status status, const char* name = __builtin_FUNCTION(),
                  const void* from = __builtin_return_address(0)) {
    return ask_device(
        [&](Runtime&) {
            if (out == nullptr) return Status::kInvalidValue;
            return device != 0 ? Status::kInvalidDevice : status;
        },
        name, from);
}

struct ExecAffinity {
    int type;
    unsigned sm_count;
};

// Who would be told that memory runs short, which never happens here.
class Listeners {
public:
    static Listeners& get() {
        static auto* const kept = new Listeners;
        return *kept;
    }
    void* add() {
        const std::lock_guard lock(mutex_);
        return reinterpret_cast<void*>(*handles_.insert(++last_).first);
    }
    bool remove(const void* handle) {
        const std::lock_guard lock(mutex_);
        return handles_.erase(reinterpret_cast<std::uintptr_t>(handle)) != 0;
    }

private:
    std::mutex mutex_;
    std::set<std::uintptr_t> handles_;
    std::uintptr_t last_ = 0;
};

// How often a context was attached to, beside having been made.
class Attached {
public:
    static Attached& get() {
        static auto* const kept = new Attached;
        return *kept;
    }
    void add(const void* context) {
        const std::lock_guard lock(mutex_);
        ++times_[context];
    }
    bool remove(const void* context) {
        const std::lock_guard lock(mutex_);
        const auto found = times_.find(context);
        if (found == times_.end()) return false;
        if (--found->second == 0) times_.erase(found);
        return true;
    }

private:
    std::mutex mutex_;
    std::map<const void*, unsigned> times_;
};

// body(Runtime&) with a context that is one.
template <class Body>
Code in_context(const void* context, Body&& body, const char* name = __builtin_FUNCTION(),
                const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            if (!Contexts::get().is_context(context)) return because(Status::kNoContext, "that is no context");
            return body(runtime);
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuDeviceGetTexture1DLinearMaxWidth(std::size_t* width, int format, unsigned count, int device) {
    return ask_device([&](Runtime&) -> Status {
        constexpr std::size_t kMostBytes = std::size_t{1} << 32U, kByteBits = 8;
        const auto channels = channels_of(format, count);
        if (width == nullptr || !channels) return Status::kInvalidValue;
        if (device != 0) return Status::kInvalidDevice;
        std::size_t bits = 0;
        for (const int channel : channels->bits) bits += static_cast<std::size_t>(channel);
        *width = kMostBytes / (bits / kByteBits);
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDeviceGetGraphMemAttribute(int device, int which, std::uint64_t* value) {
    if (which < 0 || which > kReservedHigh) return driver::record(Status::kInvalidValue);
    const Code code = about_device(value, device, Status::kOk);
    if (code == kSuccess) *value = 0;
    return code;
}
// The highest uses may be set back.
TILESCOPE_DRIVER Code cuDeviceSetGraphMemAttribute(int device, int which, const std::uint64_t* value) {
    const bool is_high = which == kUsedHigh || which == kReservedHigh;
    const bool may_be = is_high && (value == nullptr || *value == 0);
    return about_device(value, device, may_be ? Status::kOk : Status::kInvalidValue);
}
TILESCOPE_DRIVER Code cuDeviceGraphMemTrim(int device) { return about_device(&device, device, Status::kOk); }

TILESCOPE_DRIVER Code cuDeviceRegisterAsyncNotification(int device, const void* callback, void*, void** handle) {
    const Code code = about_device(callback == nullptr ? nullptr : handle, device, Status::kOk);
    if (code == kSuccess) *handle = Listeners::get().add();
    return code;
}
TILESCOPE_DRIVER Code cuDeviceUnregisterAsyncNotification(int device, void* handle) {
    return ask_device([&](Runtime&) {
        if (device != 0) return Status::kInvalidDevice;
        return Listeners::get().remove(handle) ? Status::kOk : Status::kInvalidValue;
    });
}

TILESCOPE_DRIVER Code cuCtxGetExecAffinity(ExecAffinity* out, int type) {
    return on_context([&](Runtime& runtime) -> Status {
        if (out == nullptr) return Status::kInvalidValue;
        if (type != 0) return because(Status::kUnsupportedAffinity, "there is no such kind of affinity");
        *out = {type, static_cast<unsigned>(runtime.session().device().sm_count)};
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuCtxAttach(void** context, unsigned flags) {
    return on_context([&](Runtime&) {
        if (context == nullptr || flags != 0) return Status::kInvalidValue;
        *context = Contexts::get().current();
        Attached::get().add(*context);
        return Status::kOk;
    });
}
// The last one destroys it.
TILESCOPE_DRIVER Code cuCtxDetach(void* context) {
    return in_context(context, [&](Runtime&) -> Status {
        Contexts& contexts = Contexts::get();
        if (context != contexts.current()) return because(Status::kNoContext, "that is not the current context");
        if (Attached::get().remove(context)) return Status::kOk;
        return contexts.destroy(context) ? Status::kOk : Status::kNoContext;
    });
}

// Work is done when it is issued, so that all streams of a context are where its default stream is.
TILESCOPE_DRIVER Code cuCtxRecordEvent(void* context, void* event) {
    return in_context(context, [&](Runtime& runtime) { return record_event(runtime, event, nullptr, false); });
}
TILESCOPE_DRIVER Code cuCtxWaitEvent(void* context, void* event) {
    return in_context(context, [&](Runtime& runtime) { return wait_for_event(runtime, nullptr, event, false); });
}
TILESCOPE_DRIVER Code cuStreamGetCtx_v2(void* stream, void** context, void** green) {
    return on_context([&](Runtime& runtime) {
        if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
        if (context == nullptr || green == nullptr) return Status::kInvalidValue;
        *context = Contexts::get().current();
        *green = nullptr;
        return Status::kOk;
    });
}

// Functions of the host beside those of the device come from tables that only NVIDIA's compiler makes.
TILESCOPE_DRIVER Code cuLibraryGetUnifiedFunction(void** function, void* library, const char* name) {
    return on_context([&](Runtime& runtime) -> Status {
        if (function == nullptr || name == nullptr) return Status::kInvalidValue;
        if (!runtime.modules().is_module(static_cast<Module*>(library))) return Status::kInvalidHandle;
        return because(Status::kInvalidValue, "the library has no function of that name for both sides");
    });
}

std::span<const Entry> device_asks() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuDeviceGetTexture1DLinearMaxWidth),
        TILESCOPE_THERE(cuDeviceGetGraphMemAttribute),
        TILESCOPE_THERE(cuDeviceSetGraphMemAttribute),
        TILESCOPE_THERE(cuDeviceGraphMemTrim),
        TILESCOPE_THERE(cuDeviceRegisterAsyncNotification),
        TILESCOPE_THERE(cuDeviceUnregisterAsyncNotification),
        TILESCOPE_THERE(cuCtxGetExecAffinity),
        TILESCOPE_THERE(cuCtxAttach),
        TILESCOPE_THERE(cuCtxDetach),
        TILESCOPE_THERE(cuCtxRecordEvent),
        TILESCOPE_THERE(cuCtxWaitEvent),
        TILESCOPE_THERE_TWICE(cuStreamGetCtx_v2),
        TILESCOPE_THERE(cuLibraryGetUnifiedFunction),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
