// Launches as programs wrote them before CUDA 4: shape, shared memory and parameters are set one by one.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/cudart/graph_abi.h"
#include "scope/runtime/service/launch/launch.h"

namespace tilescope::runtime::driver {
namespace {

constexpr std::size_t kMostParameters = 32764;  // of a kernel, as of CUDA 12.1

// What was set of each function. It stays until it is set anew.
struct OldSetting {
    unsigned block[3] = {0, 0, 0}, dynamic_shared = 0;
    std::size_t bytes = 0;
    std::vector<unsigned char> parameters;
};

class OldSettings {
public:
    static OldSettings& get() {
        static auto* const kept = new OldSettings;
        return *kept;
    }
    template <class Change>
    void change(const void* function, Change&& change) {
        const std::lock_guard lock(mutex_);
        change(settings_[function]);
    }
    OldSetting of(const void* function) {
        const std::lock_guard lock(mutex_);
        return settings_[function];
    }

private:
    std::mutex mutex_;
    std::map<const void*, OldSetting> settings_;
};

// change(OldSetting&) of a function; whether it is one is found out at its launch.
template <class Change>
Code change_settings(void* function, bool is_valid, Change&& change, const char* name = __builtin_FUNCTION(),
                     const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime&) -> Status {
            if (function == nullptr) return Status::kInvalidFunction;
            if (!is_valid) return Status::kInvalidValue;
            OldSettings::get().change(function, change);
            return Status::kOk;
        },
        name, from);
}

Code set_bytes(void* function, int offset, const void* value, std::size_t bytes,
               const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    const std::size_t at = offset < 0 ? kMostParameters : static_cast<std::size_t>(offset);
    const bool is_valid = value != nullptr && at <= kMostParameters && bytes <= kMostParameters - at;
    return change_settings(
        function, is_valid,
        [&](OldSetting& settings) {
            if (settings.parameters.size() < at + bytes) settings.parameters.resize(at + bytes);
            std::memcpy(settings.parameters.data() + at, value, bytes);
        },
        name, from);
}

Code launch_set(void* function, int width, int height, void* stream, const char* name = __builtin_FUNCTION(),
                const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            if (width < 0 || height < 0) return Status::kInvalidValue;
            OldSetting settings = OldSettings::get().of(function);
            settings.parameters.resize(std::max(settings.parameters.size(), settings.bytes));
            std::size_t bytes = settings.bytes;
            void* packed[] = {reinterpret_cast<void*>(abi::kExtraBuffer), settings.parameters.data(),
                              reinterpret_cast<void*>(abi::kExtraSize), &bytes,
                              reinterpret_cast<void*>(abi::kExtraEnd)};
            LaunchCall call{.function = runtime.modules().by_handle(function),
                            .grid = {static_cast<unsigned>(width), static_cast<unsigned>(height), 1},
                            .block = {settings.block[0], settings.block[1], settings.block[2]},
                            .dynamic_shared = settings.dynamic_shared,
                            .stream = stream};
            return launch(runtime, std::move(call), nullptr, bytes == 0 ? nullptr : packed);
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuFuncSetBlockShape(void* function, int x, int y, int z) {
    return change_settings(function, x > 0 && y > 0 && z > 0, [&](OldSetting& settings) {
        settings.block[0] = static_cast<unsigned>(x);
        settings.block[1] = static_cast<unsigned>(y);
        settings.block[2] = static_cast<unsigned>(z);
    });
}
TILESCOPE_DRIVER Code cuFuncSetSharedSize(void* function, unsigned bytes) {
    return change_settings(function, true, [&](OldSetting& settings) { settings.dynamic_shared = bytes; });
}
TILESCOPE_DRIVER Code cuParamSetSize(void* function, unsigned bytes) {
    return change_settings(function, bytes <= kMostParameters, [&](OldSetting& settings) { settings.bytes = bytes; });
}
TILESCOPE_DRIVER Code cuParamSeti(void* function, int offset, unsigned value) {
    return set_bytes(function, offset, &value, sizeof value);
}
TILESCOPE_DRIVER Code cuParamSetf(void* function, int offset, float value) {
    return set_bytes(function, offset, &value, sizeof value);
}
TILESCOPE_DRIVER Code cuParamSetv(void* function, int offset, const void* value, unsigned bytes) {
    return set_bytes(function, offset, value, bytes);
}
TILESCOPE_DRIVER Code cuLaunch(void* function) { return launch_set(function, 1, 1, nullptr); }
TILESCOPE_DRIVER Code cuLaunchGrid(void* function, int width, int height) {
    return launch_set(function, width, height, nullptr);
}
TILESCOPE_DRIVER Code cuLaunchGridAsync(void* function, int width, int height, void* stream) {
    return launch_set(function, width, height, stream);
}

std::span<const Entry> old_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuFuncSetBlockShape),
        TILESCOPE_THERE(cuFuncSetSharedSize),
        TILESCOPE_THERE(cuParamSetSize),
        TILESCOPE_THERE(cuParamSeti),
        TILESCOPE_THERE(cuParamSetf),
        TILESCOPE_THERE(cuParamSetv),
        TILESCOPE_THERE(cuLaunch),
        TILESCOPE_THERE(cuLaunchGrid),
        TILESCOPE_THERE(cuLaunchGridAsync),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
