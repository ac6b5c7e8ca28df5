// The driver as a whole and its one device: versions, attributes, addresses of functions.
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/cudart/device_attributes.h"
#include "scope/runtime/service/arrays/arrays.h"
#include "scope/runtime/service/device.h"
#include "scope/runtime/service/watch/driver_wanted.h"

namespace tilescope::runtime::driver {
namespace {

constexpr const char* kPciBusId = "0000:00:00.0";

std::string library_of(const void* caller) {
    Dl_info about{};
    return dladdr(caller, &about) == 0 || about.dli_fname == nullptr ? std::string() : about.dli_fname;
}

// A library of NVIDIA's, which holds machine code alone, finds no device.
bool is_turned_away(const void* caller) { return note_driver_wanted(library_of(caller)); }

// body(const models::Device&), where `out` is where the answer goes.
template <class Body>
Code ask(const void* out, int device, Body&& body, const char* name = __builtin_FUNCTION(),
         const void* from = __builtin_return_address(0)) {
    return ask_device(
        [&](Runtime& runtime) -> Status {
            if (out == nullptr) return Status::kInvalidValue;
            if (device != 0) return Status::kInvalidDevice;
            return body(runtime.session().device());
        },
        name, from);
}

Status copy_text(const std::string& text, char* out, int length) {
    if (length <= 0) return Status::kInvalidValue;
    const std::size_t bytes = std::min<std::size_t>(text.size(), static_cast<std::size_t>(length) - 1);
    std::memcpy(out, text.data(), bytes);
    out[bytes] = '\0';
    return Status::kOk;
}

int attribute(const models::Device& device, cudaDeviceAttr which) {
    return device_attribute(device, which).value_or(0);
}

// Who asks for tables of functions that are not public, and what to do about it.
std::string hidden_runtime(const std::string& path) {
    const std::string file = path.substr(path.rfind('/') + 1);
    for (const char* const ours : {"libcudart.so", "libnvrtc.so", "libnvJitLink.so"})
        if (file.starts_with(ours))
            return "NVIDIA's own library " + path +
                   " was loaded in the place of tilescope's and asks the driver for functions that are not public "
                   "(cuGetExportTable): name tilescope's " +
                   file + " in LD_PRELOAD";
    return file +
           " asks the driver for functions that are not public (cuGetExportTable), as a CUDA runtime does that is "
           "linked in: link it with the shared one (-cudart shared), or leave an executable its symbols (no strip)";
}

}  // namespace

TILESCOPE_DRIVER Code cuInit(unsigned flags) {
    if (is_turned_away(__builtin_return_address(0))) return kNoDeviceCode;
    return call([&]() -> Status {
        if (flags != 0) return Status::kInvalidValue;
        Contexts::get().initialise();
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDriverGetVersion(int* version) {
    if (version == nullptr) return record(Status::kInvalidValue);
    *version = kDriverVersion;
    return kSuccess;
}

TILESCOPE_DRIVER Code cuGetProcAddress_v2(const char* name, void** out, int version, unsigned long long flags,
                                          int* found) {
    const void* function = nullptr;
    const Code code = call([&]() -> Status {
        if (out == nullptr) return Status::kInvalidValue;
        int state = 0;
        *out = nullptr;
        if (const Status status = find_entry(name, version, flags, function, state); status != Status::kOk)
            return status;
        *out = const_cast<void*>(function);
        if (found != nullptr) *found = state;
        return Status::kOk;
    });
    // Programs look for functions that may not be there: whatever the answer is, that is no failed call.
    return code == kSuccess && function == nullptr && found == nullptr ? code_of(Status::kNotFound) : code;
}

TILESCOPE_DRIVER Code cuGetProcAddress(const char* name, void** out, int version, unsigned long long flags) {
    return cuGetProcAddress_v2(name, out, version, flags, nullptr);
}

// Tables of functions that only NVIDIA's own code knows, such as a runtime that is linked into a library.
TILESCOPE_DRIVER Code cuGetExportTable(const void** table, const void* id) {
    const void* const caller = __builtin_return_address(0);
    if (is_turned_away(caller)) return kNoDeviceCode;
    return call([&]() -> Status {
        if (table == nullptr || id == nullptr) return Status::kInvalidValue;
        *table = nullptr;
        // What manages devices (libnvidia-ml) asks, too, and does without.
        if (const std::string path = library_of(caller); path.find("/libnvidia-") == std::string::npos)
            Runtime::get().warn_once("runtime-unsupported-call", hidden_runtime(path));
        return Status::kNotSupported;
    });
}

TILESCOPE_DRIVER Code cuDeviceGet(int* device, int ordinal) {
    return ask(device, ordinal, [&](const models::Device&) {
        *device = 0;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDeviceGetCount(int* count) {
    return ask(count, 0, [&](const models::Device&) {
        *count = 1;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDeviceGetName(char* name, int length, int device) {
    return ask(name, device, [&](const models::Device& known) {
        return copy_text(known.product.empty() ? known.name : known.product, name, length);
    });
}

TILESCOPE_DRIVER Code cuDeviceGetUuid_v2(cudaUUID_t* uuid, int device) {
    return ask(uuid, device, [&](const models::Device& known) {
        abi::DeviceProperties13 all;
        fill_properties(known, all);
        *uuid = all.uuid;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
    return ask(bytes, device, [&](const models::Device& known) {
        *bytes = known.dram_bytes;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDeviceGetAttribute(int* value, int which, int device) {
    return ask(value, device, [&](const models::Device& known) -> Status {
        const auto found = device_attribute(known, which);
        if (!found) return Status::kInvalidValue;
        *value = *found;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDeviceComputeCapability(int* major, int* minor, int device) {
    return ask(minor == nullptr ? nullptr : major, device, [&](const models::Device& known) {
        *major = static_cast<int>(known.compute_major);
        *minor = static_cast<int>(known.compute_minor);
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDeviceGetProperties(DeviceProperties* out, int device) {
    return ask(out, device, [&](const models::Device& known) {
        const auto of = [&](cudaDeviceAttr which) { return attribute(known, which); };
        *out = {of(cudaDevAttrMaxThreadsPerBlock),
                {of(cudaDevAttrMaxBlockDimX), of(cudaDevAttrMaxBlockDimY), of(cudaDevAttrMaxBlockDimZ)},
                {of(cudaDevAttrMaxGridDimX), of(cudaDevAttrMaxGridDimY), of(cudaDevAttrMaxGridDimZ)},
                of(cudaDevAttrMaxSharedMemoryPerBlock),
                of(cudaDevAttrTotalConstantMemory),
                of(cudaDevAttrWarpSize),
                of(cudaDevAttrMaxPitch),
                of(cudaDevAttrMaxRegistersPerBlock),
                of(cudaDevAttrClockRate),
                of(cudaDevAttrTextureAlignment)};
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDeviceGetPCIBusId(char* id, int length, int device) {
    return ask(id, device, [&](const models::Device&) -> Status {
        if (length <= static_cast<int>(std::strlen(kPciBusId))) return Status::kInvalidValue;
        return copy_text(kPciBusId, id, length);
    });
}

TILESCOPE_DRIVER Code cuDeviceGetByPCIBusId(int* device, const char* id) {
    return ask(device, 0, [&](const models::Device&) -> Status {
        if (id == nullptr) return Status::kInvalidValue;
        if (std::strcmp(id, kPciBusId) != 0 && std::strcmp(id, kPciBusId + 5) != 0) return Status::kInvalidDevice;
        *device = 0;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuDeviceCanAccessPeer(int* can, int device, int peer) {
    return ask(can, device != 0 ? device : peer, [&](const models::Device&) {
        *can = 0;
        return Status::kOk;
    });
}

// A device is no peer of itself, and there is no other.
TILESCOPE_DRIVER Code cuDeviceGetP2PAttribute(int* value, int, int, int) {
    return ask(value, 0, [](const models::Device&) { return Status::kInvalidDevice; });
}

TILESCOPE_DRIVER Code cuDeviceGetExecAffinitySupport(int* can, int, int device) {
    return ask(can, device, [&](const models::Device&) {
        *can = 0;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuProfilerStart() {
    return on_context([](Runtime& runtime) { return finish_work(runtime); });
}
TILESCOPE_DRIVER Code cuProfilerStop() {
    return on_context([](Runtime& runtime) { return finish_work(runtime); });
}

std::span<const Entry> device_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuInit),
        TILESCOPE_THERE(cuDriverGetVersion),
        TILESCOPE_THERE(cuGetProcAddress),
        TILESCOPE_THERE(cuGetProcAddress_v2),
        TILESCOPE_THERE(cuGetExportTable),
        TILESCOPE_THERE(cuDeviceGet),
        TILESCOPE_THERE(cuDeviceGetCount),
        TILESCOPE_THERE(cuDeviceGetName),
        TILESCOPE_THERE_AS(cuDeviceGetUuid, cuDeviceGetUuid_v2),
        TILESCOPE_THERE(cuDeviceGetUuid_v2),
        TILESCOPE_THERE(cuDeviceTotalMem_v2),
        TILESCOPE_THERE(cuDeviceGetAttribute),
        TILESCOPE_THERE(cuDeviceComputeCapability),
        TILESCOPE_THERE(cuDeviceGetProperties),
        TILESCOPE_THERE(cuDeviceGetPCIBusId),
        TILESCOPE_THERE(cuDeviceGetByPCIBusId),
        TILESCOPE_THERE(cuDeviceCanAccessPeer),
        TILESCOPE_THERE(cuDeviceGetP2PAttribute),
        TILESCOPE_THERE(cuDeviceGetExecAffinitySupport),
        TILESCOPE_THERE(cuProfilerStart),
        TILESCOPE_THERE(cuProfilerStop),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
