// The one device: choosing it, asking about it, and what can be set on it.
#include <atomic>
#include <cstring>

#include "scope/runtime/cudart/device_attributes.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/versioned.h"
#include "scope/runtime/service/device.h"

namespace tilescope::runtime {
namespace {

constexpr const char* kBusId = "0000:00:00.0";
constexpr unsigned kScheduleMask = 0x7, kMapHost = 0x8, kDeviceFlags = 0xff;

std::atomic<unsigned> device_flags{0};

cudaError finish_work(const char* name = __builtin_FUNCTION()) {
    return on_device([](Runtime& runtime) { return finish_work(runtime); }, name);
}

Status check_device(int device) { return device == 0 ? Status::kOk : Status::kInvalidDevice; }

// What a runtime that writes one number to `out` does.
template <class Value>
cudaError give(Value* out, Value value, const char* name = __builtin_FUNCTION()) {
    return call(
        [&]() -> Status {
            if (out == nullptr) return Status::kInvalidValue;
            *out = value;
            return Status::kOk;
        },
        name);
}

}  // namespace

TILESCOPE_API cudaError cudaGetDeviceCount(int* count) { return give(count, 1); }

TILESCOPE_API cudaError cudaGetDevice(int* device) { return give(device, 0); }

TILESCOPE_API cudaError cudaSetDevice(int device) {
    return ask_device([&](Runtime&) { return check_device(device); });
}

TILESCOPE_API cudaError cudaInitDevice(int device, unsigned, unsigned) {
    return ask_device([&](Runtime&) { return check_device(device); });
}

TILESCOPE_API cudaError cudaSetValidDevices(int* devices, int count) {
    return call([&]() -> Status {
        if (count < 0 || (count > 0 && devices == nullptr)) return Status::kInvalidValue;
        for (int i = 0; i < count; ++i) {
            if (devices[i] != 0) return Status::kInvalidDevice;
        }
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaChooseDevice(int* device, const void* properties) {
    return properties == nullptr ? record(Status::kInvalidValue) : give(device, 0);
}

TILESCOPE_API cudaError cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return ask_device([&](Runtime& runtime) -> Status {
        if (value == nullptr) return Status::kInvalidValue;
        if (device != 0) return Status::kInvalidDevice;
        const auto known = device_attribute(runtime.session().device(), attribute);
        if (!known) return Status::kInvalidValue;
        *value = *known;
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int source, int target) {
    return call([&]() -> Status {
        if (value == nullptr) return Status::kInvalidValue;
        // A device is no peer of itself, and there is no other.
        return source == 0 && target == 0 ? Status::kInvalidDevice : check_device(source == 0 ? target : source);
    });
}

TILESCOPE_API cudaError cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    if (device != 0 || peer != 0) return record(Status::kInvalidDevice);
    return give(can, 0);
}

TILESCOPE_API cudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    if (flags != 0) return record(Status::kInvalidValue);
    return record(peer == 0 ? Status::kNoPeer : Status::kInvalidDevice);
}

TILESCOPE_API cudaError cudaDeviceDisablePeerAccess(int peer) {
    return record(peer == 0 ? Status::kNoPeerAccess : Status::kInvalidDevice);
}

TILESCOPE_API cudaError cudaDeviceGetPCIBusId(char* id, int length, int device) {
    return call([&]() -> Status {
        if (device != 0) return Status::kInvalidDevice;
        if (id == nullptr || length <= static_cast<int>(std::strlen(kBusId))) return Status::kInvalidValue;
        std::strcpy(id, kBusId);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaDeviceGetByPCIBusId(int* device, const char* id) {
    return call([&]() -> Status {
        if (device == nullptr || id == nullptr) return Status::kInvalidValue;
        if (std::strcmp(id, kBusId) != 0 && std::strcmp(id, kBusId + 5) != 0) return Status::kInvalidValue;
        *device = 0;
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaDeviceSynchronize() {
    return on_device([](Runtime& runtime) { return synchronize_device(runtime); });
}

TILESCOPE_API cudaError cudaDeviceReset() {
    return ask_device([](Runtime& runtime) {
        reset_device(runtime);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaSetDeviceFlags(unsigned flags) {
    return call([&]() -> Status {
        const unsigned schedule = flags & kScheduleMask;
        const bool known = schedule == 0 || schedule == 1 || schedule == 2 || schedule == 4;
        if (!known || (flags & ~kDeviceFlags) != 0) return Status::kInvalidValue;
        device_flags = flags;
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGetDeviceFlags(unsigned* flags) { return give(flags, device_flags.load() | kMapHost); }

TILESCOPE_API cudaError cudaDriverGetVersion(int* version) { return give(version, 13000); }

TILESCOPE_API cudaError cudaRuntimeGetVersion(int* version) { return give(version, runtime_version()); }

TILESCOPE_API cudaError cudaProfilerStart() { return finish_work(); }

TILESCOPE_API cudaError cudaProfilerStop() { return finish_work(); }

TILESCOPE_API cudaError cudaCtxResetPersistingL2Cache() {
    return on_device([](Runtime& runtime) {
        reset_persisting(runtime);
        return Status::kOk;
    });
}

// Names of before CUDA 4 that CUDA 11 still exports.
TILESCOPE_ALIAS(cudaThreadSynchronize, cudaDeviceSynchronize);
TILESCOPE_ALIAS(cudaThreadExit, cudaDeviceReset);

}  // namespace tilescope::runtime
