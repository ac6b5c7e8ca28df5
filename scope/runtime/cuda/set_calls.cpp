// Filling memory of the device with values of 1, 2 and 4 bytes.
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/memory/sets.h"

namespace tilescope::runtime::driver {
namespace {

Set values_of(Address target, std::size_t pitch, unsigned value, unsigned element_bytes, std::size_t width,
              std::size_t height) {
    return {.target = pointer_of(target),
            .pitch = pitch,
            .value = value,
            .element_bytes = element_bytes,
            .width = width,
            .height = height};
}

// The place and the rows of values lie at multiples of their size.
Status check_place(const Set& set) {
    const bool whole = reinterpret_cast<std::uintptr_t>(set.target) % set.element_bytes == 0 &&
                       (set.height <= 1 || set.pitch % set.element_bytes == 0);
    return whole ? Status::kOk
                 : because(Status::kInvalidValue, "the target or its pitch is no multiple of the value's size");
}

Code fill_now(const Set& set, const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) {
            const Status status = check_place(set);
            return status != Status::kOk ? status : fill(runtime, set);
        },
        name, from);
}

Code fill_on(const Set& set, void* stream, const char* name = __builtin_FUNCTION(),
             const void* from = __builtin_return_address(0)) {
    return on_handle(
        stream,
        [&](Runtime& runtime) {
            const Status status = check_place(set);
            return status != Status::kOk ? status : fill(runtime, set, stream);
        },
        name, from);
}

// One row, as wide as its values; that of a number of values which is no size cannot be filled.
Set row_of(Address target, unsigned value, unsigned element_bytes, std::size_t count) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, std::size_t{element_bytes}, &bytes)) bytes = count;
    return values_of(target, bytes, value, element_bytes, count, 1);
}

}  // namespace

TILESCOPE_DRIVER Code cuMemsetD8_v2(Address target, unsigned char value, std::size_t count) {
    return fill_now(row_of(target, value, 1, count));
}
TILESCOPE_DRIVER Code cuMemsetD16_v2(Address target, unsigned short value, std::size_t count) {
    return fill_now(row_of(target, value, 2, count));
}
TILESCOPE_DRIVER Code cuMemsetD32_v2(Address target, unsigned value, std::size_t count) {
    return fill_now(row_of(target, value, 4, count));
}
TILESCOPE_DRIVER Code cuMemsetD8Async(Address target, unsigned char value, std::size_t count, void* stream) {
    return fill_on(row_of(target, value, 1, count), stream);
}
TILESCOPE_DRIVER Code cuMemsetD16Async(Address target, unsigned short value, std::size_t count, void* stream) {
    return fill_on(row_of(target, value, 2, count), stream);
}
TILESCOPE_DRIVER Code cuMemsetD32Async(Address target, unsigned value, std::size_t count, void* stream) {
    return fill_on(row_of(target, value, 4, count), stream);
}
TILESCOPE_DRIVER Code cuMemsetD2D8_v2(Address target, std::size_t pitch, unsigned char value, std::size_t width,
                                      std::size_t height) {
    return fill_now(values_of(target, pitch, value, 1, width, height));
}
TILESCOPE_DRIVER Code cuMemsetD2D16_v2(Address target, std::size_t pitch, unsigned short value, std::size_t width,
                                       std::size_t height) {
    return fill_now(values_of(target, pitch, value, 2, width, height));
}
TILESCOPE_DRIVER Code cuMemsetD2D32_v2(Address target, std::size_t pitch, unsigned value, std::size_t width,
                                       std::size_t height) {
    return fill_now(values_of(target, pitch, value, 4, width, height));
}
TILESCOPE_DRIVER Code cuMemsetD2D8Async(Address target, std::size_t pitch, unsigned char value, std::size_t width,
                                        std::size_t height, void* stream) {
    return fill_on(values_of(target, pitch, value, 1, width, height), stream);
}
TILESCOPE_DRIVER Code cuMemsetD2D16Async(Address target, std::size_t pitch, unsigned short value, std::size_t width,
                                         std::size_t height, void* stream) {
    return fill_on(values_of(target, pitch, value, 2, width, height), stream);
}
TILESCOPE_DRIVER Code cuMemsetD2D32Async(Address target, std::size_t pitch, unsigned value, std::size_t width,
                                         std::size_t height, void* stream) {
    return fill_on(values_of(target, pitch, value, 4, width, height), stream);
}

std::span<const Entry> set_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE_TWICE(cuMemsetD8_v2),      TILESCOPE_THERE_TWICE(cuMemsetD16_v2),
        TILESCOPE_THERE_TWICE(cuMemsetD32_v2),     TILESCOPE_THERE_TWICE(cuMemsetD8Async),
        TILESCOPE_THERE_TWICE(cuMemsetD16Async),   TILESCOPE_THERE_TWICE(cuMemsetD32Async),
        TILESCOPE_THERE_TWICE(cuMemsetD2D8_v2),    TILESCOPE_THERE_TWICE(cuMemsetD2D16_v2),
        TILESCOPE_THERE_TWICE(cuMemsetD2D32_v2),   TILESCOPE_THERE_TWICE(cuMemsetD2D8Async),
        TILESCOPE_THERE_TWICE(cuMemsetD2D16Async), TILESCOPE_THERE_TWICE(cuMemsetD2D32Async),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
