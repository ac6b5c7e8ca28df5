// What was said of managed memory, many ranges or copies at once, and attributes that are set.
#include <cstring>

#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/memory/advice_book.h"
#include "scope/runtime/service/memory/allocate.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/memory/managed.h"
#include "scope/runtime/service/streams/handles.h"

namespace tilescope::runtime::driver {
namespace {

// CUmem_range_attribute.
enum RangeAttribute {
    kReadMostly = 1,
    kPreferredPlace = 2,
    kAccessedBy = 3,
    kPrefetchedTo = 4,
    kPreferredType = 5,
    kPreferredId = 6,
    kPrefetchedType = 7,
    kPrefetchedId = 8,
};
constexpr int kPlaceDevice = 1, kPlaceHost = 2, kNoType = 0;

int type_of_place(int place) { return place == kNoPlace ? kNoType : place == kOnHost ? kPlaceHost : kPlaceDevice; }

Status answer(const Advice& advice, int which, void* out, std::size_t bytes) {
    if (bytes < sizeof(int) || bytes % sizeof(int) != 0 || (which != kAccessedBy && bytes != sizeof(int)))
        return Status::kInvalidValue;
    auto* const numbers = static_cast<int*>(out);
    switch (which) {
        case kReadMostly: *numbers = advice.is_read_mostly ? 1 : 0; return Status::kOk;
        case kPreferredPlace: *numbers = advice.preferred; return Status::kOk;
        case kPrefetchedTo: *numbers = advice.prefetched; return Status::kOk;
        case kPreferredType: *numbers = type_of_place(advice.preferred); return Status::kOk;
        case kPrefetchedType: *numbers = type_of_place(advice.prefetched); return Status::kOk;
        case kPreferredId:
            *numbers = advice.preferred == kNoPlace || advice.preferred == kOnHost ? 0 : advice.preferred;
            return Status::kOk;
        case kPrefetchedId:
            *numbers = advice.prefetched == kNoPlace || advice.prefetched == kOnHost ? 0 : advice.prefetched;
            return Status::kOk;
        case kAccessedBy: {
            std::size_t next = 0;
            const std::size_t room = bytes / sizeof(int);
            if (advice.by_host && next < room) numbers[next++] = kOnHost;
            if (advice.by_device && next < room) numbers[next++] = 0;
            while (next < room) numbers[next++] = kNoPlace;
            return Status::kOk;
        }
        default: return Status::kInvalidValue;
    }
}

MemoryPlace place_said(const abi::MemLocation& at) {
    if (at.type == kPlaceDevice) return at.id == 0 ? MemoryPlace::kDevice : MemoryPlace::kOtherDevice;
    return at.type >= kPlaceHost && at.type <= kPlaceHost + 2 ? MemoryPlace::kHost : MemoryPlace::kNowhere;
}

// Where each of a batch's ranges goes: places[i] from range first_of[i] on.
struct Places {
    const abi::MemLocation* places;
    const std::size_t* first_of;
    std::size_t count;

    bool is_valid(std::size_t ranges) const {
        if (places == nullptr || first_of == nullptr || count == 0 || count > ranges || first_of[0] != 0) return false;
        for (std::size_t i = 1; i < count; ++i)
            if (first_of[i] <= first_of[i - 1] || first_of[i] >= ranges) return false;
        return true;
    }
    const abi::MemLocation& of(std::size_t range) const {
        std::size_t which = 0;
        while (which + 1 < count && first_of[which + 1] <= range) ++which;
        return places[which];
    }
};

Status check_ranges(Runtime& runtime, const Address* at, const std::size_t* bytes, std::size_t count,
                    unsigned long long flags, void* stream) {
    if (at == nullptr || bytes == nullptr || count == 0 || flags != 0) return Status::kInvalidValue;
    if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
    for (std::size_t i = 0; i < count; ++i)
        if (bytes[i] == 0 || !is_managed(runtime, pointer_of(at[i]), bytes[i]))
            return because(Status::kInvalidValue, "a range is no managed memory");
    return Status::kOk;
}

Status prefetch_all(Runtime& runtime, const Address* at, const std::size_t* bytes, std::size_t count,
                    const Places& places, void* stream) {
    for (std::size_t i = 0; i < count; ++i) {
        const Status status = prefetch_managed(runtime, pointer_of(at[i]), bytes[i], place_said(places.of(i)), stream);
        if (status != Status::kOk) return status;
    }
    return Status::kOk;
}

// Copies in any order, whose attributes are hints.
Code copy_all(const Address* to, const Address* from_where, const std::size_t* bytes, std::size_t count,
              std::size_t* failed, void* stream, const char* name = __builtin_FUNCTION(),
              const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            constexpr std::size_t kNone = ~std::size_t{0};
            if (failed != nullptr) *failed = kNone;
            if (to == nullptr || from_where == nullptr || bytes == nullptr || count == 0) return Status::kInvalidValue;
            const auto found = runtime.handles().stream(stream);
            if (!found) return Status::kInvalidHandle;
            if (found->id == 0) return because(Status::kInvalidValue, "the legacy default stream takes no batch");
            for (std::size_t i = 0; i < count; ++i) {
                const Status status = copy_bytes(runtime, pointer_of(to[i]), pointer_of(from_where[i]), bytes[i],
                                                 machine::CopyKind::kByAddress, stream);
                if (status == Status::kOk) continue;
                if (failed != nullptr) *failed = i;
                return status;
            }
            return Status::kOk;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuMemRangeGetAttribute(void* out, std::size_t room, int which, Address at, std::size_t bytes) {
    return on_context([&](Runtime& runtime) -> Status {
        if (out == nullptr || bytes == 0) return Status::kInvalidValue;
        if (!is_managed(runtime, pointer_of(at), bytes))
            return because(Status::kInvalidValue, "the range is no managed memory");
        return answer(AdviceBook::get().of(at, bytes), which, out, room);
    });
}
TILESCOPE_DRIVER Code cuMemRangeGetAttributes(void** out, std::size_t* room, const int* which, std::size_t count,
                                              Address at, std::size_t bytes) {
    return on_context([&](Runtime& runtime) -> Status {
        if (out == nullptr || room == nullptr || which == nullptr || count == 0 || bytes == 0)
            return Status::kInvalidValue;
        if (!is_managed(runtime, pointer_of(at), bytes))
            return because(Status::kInvalidValue, "the range is no managed memory");
        const Advice advice = AdviceBook::get().of(at, bytes);
        for (std::size_t i = 0; i < count; ++i) {
            if (out[i] == nullptr) return Status::kInvalidValue;
            if (const Status status = answer(advice, which[i], out[i], room[i]); status != Status::kOk) return status;
        }
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuMemPrefetchBatchAsync(const Address* at, const std::size_t* bytes, std::size_t count,
                                              const abi::MemLocation* places, const std::size_t* first_of,
                                              std::size_t place_count, unsigned long long flags, void* stream) {
    return on_context([&](Runtime& runtime) -> Status {
        const Places all{places, first_of, place_count};
        const Status status = check_ranges(runtime, at, bytes, count, flags, stream);
        if (status != Status::kOk) return status;
        return all.is_valid(count) ? prefetch_all(runtime, at, bytes, count, all, stream) : Status::kInvalidValue;
    });
}
// What is given up has any contents until it is written: it keeps those that it has.
TILESCOPE_DRIVER Code cuMemDiscardBatchAsync(const Address* at, const std::size_t* bytes, std::size_t count,
                                             unsigned long long flags, void* stream) {
    return on_context([&](Runtime& runtime) { return check_ranges(runtime, at, bytes, count, flags, stream); });
}
TILESCOPE_DRIVER Code cuMemDiscardAndPrefetchBatchAsync(const Address* at, const std::size_t* bytes, std::size_t count,
                                                        const abi::MemLocation* places, const std::size_t* first_of,
                                                        std::size_t place_count, unsigned long long flags,
                                                        void* stream) {
    return on_context([&](Runtime& runtime) -> Status {
        const Places all{places, first_of, place_count};
        const Status status = check_ranges(runtime, at, bytes, count, flags, stream);
        if (status != Status::kOk) return status;
        return all.is_valid(count) ? prefetch_all(runtime, at, bytes, count, all, stream) : Status::kInvalidValue;
    });
}

TILESCOPE_DRIVER Code cuMemcpyBatchAsync(const Address* to, const Address* from, const std::size_t* bytes,
                                         std::size_t count, const void*, const std::size_t*, std::size_t,
                                         std::size_t* failed, void* stream) {
    return copy_all(to, from, bytes, count, failed, stream);
}
TILESCOPE_DRIVER Code cuMemcpyBatchAsync_v2(const Address* to, const Address* from, const std::size_t* bytes,
                                            std::size_t count, const void*, const std::size_t*, std::size_t,
                                            void* stream) {
    return copy_all(to, from, bytes, count, nullptr, stream);
}

// Copies always wait here, so that being told to changes nothing.
TILESCOPE_DRIVER Code cuPointerSetAttribute(const void* value, int which, Address at) {
    constexpr int kCopiesWait = 6;
    return on_context([&](Runtime& runtime) -> Status {
        if (value == nullptr || which != kCopiesWait) return Status::kInvalidValue;
        const bool is_device = type_of_memory(runtime, pointer_of(at)) == MemoryType::kDevice;
        return is_device ? Status::kOk : because(Status::kInvalidValue, "no memory of the device lies there");
    });
}

std::span<const Entry> range_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuMemRangeGetAttribute),
        TILESCOPE_THERE(cuMemRangeGetAttributes),
        TILESCOPE_THERE_TWICE(cuMemPrefetchBatchAsync),
        TILESCOPE_THERE_TWICE(cuMemDiscardBatchAsync),
        TILESCOPE_THERE_TWICE(cuMemDiscardAndPrefetchBatchAsync),
        TILESCOPE_THERE_TWICE(cuMemcpyBatchAsync),
        TILESCOPE_THERE_TWICE(cuMemcpyBatchAsync_v2),
        TILESCOPE_THERE(cuPointerSetAttribute),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
