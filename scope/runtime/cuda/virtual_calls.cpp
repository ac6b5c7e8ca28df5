// Virtual memory management: addresses, physical memory, mappings, access.
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/memory/mappings.h"

namespace tilescope::runtime::driver {
namespace {

using machine::VirtualMemory;

// CUmemLocationType, CUmemAllocationType, CUmemAllocationHandleType.
constexpr int kAtDeviceMemory = 1, kAtHostMemory = 2, kLastPlace = 5;
constexpr int kPinnedType = 1, kManagedType = 2;
constexpr int kNoHandle = 0, kFileHandle = 1, kFabricHandle = 8;

Status refuse_part(const char* call, const char* what) {
    Runtime::get().warn_once("runtime-unsupported-call", std::string(call) + ": " + what + " is not supported yet");
    return Status::kNotSupported;
}

Status check_place(const abi::MemLocation& at) {
    if (at.type <= 0 || at.type > kLastPlace) return Status::kInvalidValue;
    return at.type == kAtDeviceMemory && at.id != 0 ? Status::kInvalidDevice : Status::kOk;
}

Status check_properties(const MemoryProperties& said) {
    if (said.type != kPinnedType && said.type != kManagedType) return Status::kInvalidValue;
    if (const Status status = check_place(said.at); status != Status::kOk) return status;
    if (said.handles != kNoHandle && said.handles != kFileHandle && said.handles != kFabricHandle)
        return because(Status::kInvalidValue, "there is no such kind of handle here");
    if (said.compression > 1) return Status::kInvalidValue;
    if (said.handles == kFabricHandle) return refuse_part("cuMemCreate", "a handle for other hosts");
    if (said.type == kManagedType) return refuse_part("cuMemCreate", "managed memory");
    if (said.at.type != kAtDeviceMemory) return refuse_part("cuMemCreate", "memory of the host");
    return Status::kOk;
}

}  // namespace

TILESCOPE_DRIVER Code cuMemGetAllocationGranularity(std::size_t* out, const MemoryProperties* said, int option) {
    return ask_device([&](Runtime&) {
        if (out == nullptr || said == nullptr || option < 0 || option > 1) return Status::kInvalidValue;
        *out = VirtualMemory::kGrain;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuMemAddressReserve(Address* out, std::size_t bytes, std::size_t alignment, Address wanted,
                                          unsigned long long flags) {
    return ask_device([&](Runtime& runtime) {
        if (out == nullptr || flags != 0) return Status::kInvalidValue;
        std::uint64_t base = 0;
        const Status status = reserve_addresses(runtime, bytes, alignment, wanted, base);
        if (status == Status::kOk) *out = base;
        return status;
    });
}
TILESCOPE_DRIVER Code cuMemAddressFree(Address base, std::size_t bytes) {
    return ask_device([&](Runtime& runtime) { return free_addresses(runtime, base, bytes); });
}

TILESCOPE_DRIVER Code cuMemCreate(Address* handle, std::size_t bytes, const MemoryProperties* said,
                                  unsigned long long flags) {
    return ask_device([&](Runtime& runtime) {
        if (handle == nullptr || said == nullptr || flags != 0) return Status::kInvalidValue;
        if (const Status status = check_properties(*said); status != Status::kOk) return status;
        std::uint64_t made = 0;
        const Status status = make_physical(runtime, bytes, made);
        if (status == Status::kOk) *handle = made;
        return status;
    });
}
TILESCOPE_DRIVER Code cuMemRelease(Address handle) {
    return ask_device([&](Runtime& runtime) { return release_physical(runtime, handle); });
}
TILESCOPE_DRIVER Code cuMemRetainAllocationHandle(Address* handle, void* address) {
    return ask_device([&](Runtime& runtime) {
        if (handle == nullptr) return Status::kInvalidValue;
        std::uint64_t found = 0;
        const Status status = physical_at(runtime, address_of(address), found);
        if (status == Status::kOk) *handle = found;
        return status;
    });
}
TILESCOPE_DRIVER Code cuMemGetAllocationPropertiesFromHandle(MemoryProperties* out, Address handle) {
    return ask_device([&](Runtime& runtime) {
        if (out == nullptr || !runtime.session().memory().virtual_memory().size_of(handle))
            return Status::kInvalidValue;
        *out = {};
        out->type = kPinnedType;
        out->at = {kAtDeviceMemory, 0};
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuMemMap(Address at, std::size_t bytes, std::size_t offset, Address handle,
                               unsigned long long flags) {
    return ask_device([&](Runtime& runtime) {
        return flags != 0 ? Status::kInvalidValue : map_memory(runtime, at, bytes, offset, handle);
    });
}
TILESCOPE_DRIVER Code cuMemUnmap(Address at, std::size_t bytes) {
    return ask_device([&](Runtime& runtime) { return unmap_memory(runtime, at, bytes); });
}

TILESCOPE_DRIVER Code cuMemSetAccess(Address at, std::size_t bytes, const AccessDescription* said, std::size_t count) {
    return ask_device([&](Runtime& runtime) {
        if (said == nullptr || count == 0) return Status::kInvalidValue;
        for (std::size_t i = 0; i < count; ++i) {
            if (said[i].flags != 0 && said[i].flags != 1 && said[i].flags != 3) return Status::kInvalidValue;
            if (said[i].at.type == kAtHostMemory)
                return because(Status::kNotSupported, "the host cannot touch memory of the device");
            if (check_place(said[i].at) != Status::kOk) return Status::kInvalidValue;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Status status = allow_access(runtime, at, bytes, static_cast<MappedAccess>(said[i].flags));
            if (status != Status::kOk) return status;
        }
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuMemGetAccess(unsigned long long* out, const abi::MemLocation* place, Address at) {
    return ask_device([&](Runtime& runtime) {
        if (out == nullptr || place == nullptr) return Status::kInvalidValue;
        if (const Status status = check_place(*place); status != Status::kOk) return status;
        const auto access = runtime.session().memory().virtual_memory().access_at(at);
        *out = access ? static_cast<unsigned long long>(*access) : 0;
        return access ? Status::kOk : because(Status::kInvalidValue, "nothing is mapped there");
    });
}

std::span<const Entry> virtual_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuMemGetAllocationGranularity),
        TILESCOPE_THERE(cuMemAddressReserve),
        TILESCOPE_THERE(cuMemAddressFree),
        TILESCOPE_THERE(cuMemCreate),
        TILESCOPE_THERE(cuMemRelease),
        TILESCOPE_THERE(cuMemRetainAllocationHandle),
        TILESCOPE_THERE(cuMemGetAllocationPropertiesFromHandle),
        TILESCOPE_THERE(cuMemMap),
        TILESCOPE_THERE(cuMemUnmap),
        TILESCOPE_THERE(cuMemSetAccess),
        TILESCOPE_THERE(cuMemGetAccess),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
