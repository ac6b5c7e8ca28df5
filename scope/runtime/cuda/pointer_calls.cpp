// What lies at an address.
#include <cstring>
#include <optional>

#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/memory/allocate.h"

namespace tilescope::runtime::driver {
namespace {

// CUpointer_attribute.
enum PointerAttribute {
    kContextOf = 1,
    kKindOf = 2,
    kDevicePointer = 3,
    kHostPointer = 4,
    kSyncCopies = 6,
    kBufferId = 7,
    kIsManaged = 8,
    kDeviceOrdinal = 9,
    kIsIpcCapable = 10,
    kRangeStart = 11,
    kRangeSize = 12,
    kIsMapped = 13,
    kAllowedHandles = 14,
    kIsRdmaCapable = 15,
    kAccessFlags = 16,
    kPoolOf = 17,
};

template <class Value>
Status put(void* out, Value value) {
    std::memcpy(out, &value, sizeof value);
    return Status::kOk;
}

// Mapped memory is asked for as the addresses that were reserved.
machine::VirtualMemory::Range range_around(Runtime& runtime, const machine::Allocation& found) {
    const auto reserved = runtime.session().memory().virtual_memory().reserved_around(found.base);
    return reserved ? *reserved : machine::VirtualMemory::Range{found.base, found.size};
}

Status attribute_of(Runtime& runtime, Address address, int which, void* out) {
    const MemoryType type = type_of_memory(runtime, pointer_of(address));
    const auto found = runtime.session().memory().find(address);
    if (type == MemoryType::kUnknown || !found) return because(Status::kInvalidValue, "no allocation lies there");
    constexpr int kMayReadAndWrite = 3;
    switch (which) {
        case kContextOf: return put<void*>(out, Contexts::get().current());
        case kKindOf: return put<int>(out, type == MemoryType::kHost ? kHostMemory : kDeviceMemory);
        case kDevicePointer: return put<Address>(out, address);
        case kHostPointer:
            return type == MemoryType::kDevice ? because(Status::kInvalidValue, "the host cannot touch this memory")
                                               : put<Address>(out, address);
        case kBufferId: return put<std::uint64_t>(out, found->id);
        case kIsManaged: return put<bool>(out, type == MemoryType::kManaged);
        case kDeviceOrdinal: return put<int>(out, 0);
        case kRangeStart: return put<Address>(out, range_around(runtime, *found).base);
        case kRangeSize: return put<std::size_t>(out, range_around(runtime, *found).size);
        case kIsMapped: return put<bool>(out, true);
        case kSyncCopies:
        case kIsIpcCapable:
        case kIsRdmaCapable: return put<bool>(out, false);
        case kAllowedHandles: return put<std::uint64_t>(out, 0);
        case kAccessFlags: return put<int>(out, kMayReadAndWrite);
        case kPoolOf: return put<void*>(out, nullptr);
        default: return Status::kInvalidValue;
    }
}

std::size_t size_of_attribute(int which) {
    switch (which) {
        case kIsManaged:
        case kSyncCopies:
        case kIsMapped:
        case kIsIpcCapable:
        case kIsRdmaCapable: return sizeof(bool);
        case kKindOf:
        case kDeviceOrdinal:
        case kAccessFlags: return sizeof(int);
        default: return sizeof(Address);
    }
}

}  // namespace

TILESCOPE_DRIVER Code cuMemGetAddressRange_v2(Address* base, std::size_t* size, Address address) {
    return on_context([&](Runtime& runtime) -> Status {
        const auto found = runtime.session().memory().find(address);
        if (!found) return because(Status::kNotFound, "no allocation lies there");
        if (base != nullptr) *base = found->base;
        if (size != nullptr) *size = found->size;
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuPointerGetAttribute(void* out, int which, Address address) {
    return on_context([&](Runtime& runtime) {
        return out == nullptr ? Status::kInvalidValue : attribute_of(runtime, address, which, out);
    });
}

// Of what cannot be said, nothing is.
TILESCOPE_DRIVER Code cuPointerGetAttributes(unsigned count, const int* which, void** out, Address address) {
    return on_context([&](Runtime& runtime) -> Status {
        if (count == 0 || which == nullptr || out == nullptr) return Status::kInvalidValue;
        for (unsigned i = 0; i < count; ++i) {
            if (out[i] == nullptr) return Status::kInvalidValue;
            if (which[i] < kContextOf || which[i] > kPoolOf) return Status::kInvalidValue;
        }
        for (unsigned i = 0; i < count; ++i)
            if (attribute_of(runtime, address, which[i], out[i]) != Status::kOk)
                std::memset(out[i], 0, size_of_attribute(which[i]));
        failure() = {};
        return Status::kOk;
    });
}

std::span<const Entry> pointer_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuMemGetAddressRange_v2),
        TILESCOPE_THERE(cuPointerGetAttribute),
        TILESCOPE_THERE(cuPointerGetAttributes),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
