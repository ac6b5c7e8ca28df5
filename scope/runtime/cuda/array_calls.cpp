// Arrays.
#include <optional>

#include "scope/runtime/cuda/array_formats.h"
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/arrays/arrays.h"

namespace tilescope::runtime::driver {
namespace {

Status no_array() { return because(Status::kInvalidHandle, "the array was never made, or is destroyed already"); }

Code create(void** out, const ArrayDescription3D& said, const char* name = __builtin_FUNCTION(),
            const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) {
            const auto channels = channels_of(said.format, said.channels);
            if (out == nullptr || !channels) return Status::kInvalidValue;
            Array* made = nullptr;
            const Status status =
                make_array(runtime, *channels, {said.width, said.height, said.depth}, said.flags, made);
            if (status == Status::kOk) *out = made;
            return status;
        },
        name, from);
}

// Of an array that is one.
Code describe(void* array, ArrayDescription3D& out, const char* name = __builtin_FUNCTION(),
              const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) {
            const Array* const known = runtime.arrays().array(array);
            if (known == nullptr) return no_array();
            out = {known->extent.width,       known->extent.height, known->extent.depth, format_number(known->channels),
                   count_of(known->channels), known->flags};
            return Status::kOk;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuArrayCreate_v2(void** array, const ArrayDescription* said) {
    if (said == nullptr) return record(Status::kInvalidValue);
    return create(array, {said->width, said->height, 0, said->format, said->channels, 0});
}
TILESCOPE_DRIVER Code cuArray3DCreate_v2(void** array, const ArrayDescription3D* said) {
    return said == nullptr ? record(Status::kInvalidValue) : create(array, *said);
}
TILESCOPE_DRIVER Code cuArrayGetDescriptor_v2(ArrayDescription* out, void* array) {
    if (out == nullptr) return record(Status::kInvalidValue);
    ArrayDescription3D whole{};
    const Code code = describe(array, whole);
    if (code == kSuccess) *out = {whole.width, whole.height, whole.format, whole.channels};
    return code;
}
TILESCOPE_DRIVER Code cuArray3DGetDescriptor_v2(ArrayDescription3D* out, void* array) {
    return out == nullptr ? record(Status::kInvalidValue) : describe(array, *out);
}
TILESCOPE_DRIVER Code cuArrayDestroy(void* array) {
    return on_context(
        [&](Runtime& runtime) { return array == nullptr ? Status::kInvalidHandle : free_array(runtime, array); });
}

TILESCOPE_DRIVER Code cuMipmappedArrayCreate(void** array, const ArrayDescription3D* said, unsigned levels) {
    return on_context([&](Runtime& runtime) {
        if (array == nullptr || said == nullptr) return Status::kInvalidValue;
        const auto channels = channels_of(said->format, said->channels);
        if (!channels) return Status::kInvalidValue;
        MipmappedArray* made = nullptr;
        const Status status = make_mipmapped_array(runtime, *channels, {said->width, said->height, said->depth}, levels,
                                                   said->flags, made);
        if (status == Status::kOk) *array = made;
        return status;
    });
}
TILESCOPE_DRIVER Code cuMipmappedArrayGetLevel(void** level_array, void* array, unsigned level) {
    return on_context([&](Runtime& runtime) {
        if (level_array == nullptr) return Status::kInvalidValue;
        Array* found = nullptr;
        const Status status = level_of_array(runtime, array, level, found);
        if (status == Status::kOk) *level_array = found;
        return status;
    });
}
TILESCOPE_DRIVER Code cuMipmappedArrayDestroy(void* array) {
    return on_context([&](Runtime& runtime) {
        return array == nullptr ? Status::kInvalidHandle : free_mipmapped_array(runtime, array);
    });
}

std::span<const Entry> array_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuArrayCreate_v2),         TILESCOPE_THERE(cuArray3DCreate_v2),
        TILESCOPE_THERE(cuArrayGetDescriptor_v2),  TILESCOPE_THERE(cuArray3DGetDescriptor_v2),
        TILESCOPE_THERE(cuArrayDestroy),           TILESCOPE_THERE(cuMipmappedArrayCreate),
        TILESCOPE_THERE(cuMipmappedArrayGetLevel), TILESCOPE_THERE(cuMipmappedArrayDestroy),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
