// What programs said of texture and surface objects, and what arrays are made of.
#include <algorithm>
#include <iterator>

#include "scope/runtime/cuda/array_formats.h"
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/arrays/objects.h"

namespace tilescope::runtime::driver {
namespace {

// CU_TRSF_...
constexpr unsigned kAsIntegers = 0x1, kFromZeroToOne = 0x2, kIsSrgb = 0x10, kAsWritten = 0x20, kSeamless = 0x40;
constexpr int kOfFloats = 2;

ResourceDescription said_of(const Resource& resource) {
    ResourceDescription said{};
    said.type = static_cast<int>(resource.kind);
    switch (resource.kind) {
        case ResourceKind::kArray:
        case ResourceKind::kMipmappedArray: said.array = resource.array; break;
        case ResourceKind::kLinear:
            said.linear = {address_of(resource.memory), format_number(resource.channels), count_of(resource.channels),
                           resource.bytes};
            break;
        case ResourceKind::kPitched:
            said.pitched = {address_of(resource.memory),
                            format_number(resource.channels),
                            count_of(resource.channels),
                            resource.width,
                            resource.height,
                            resource.pitch};
            break;
    }
    return said;
}

bool are_integers(Runtime& runtime, const Resource& resource) {
    const Array* array = runtime.arrays().array(resource.array);
    if (const MipmappedArray* const levels = runtime.arrays().mipmapped(resource.array)) array = &levels->whole;
    return (array != nullptr ? array->channels : resource.channels).kind != kOfFloats;
}

TextureDescription said_of(Runtime& runtime, const SaidTexture& texture) {
    const Sampling& sampling = texture.sampling;
    TextureDescription said{};
    std::copy_n(sampling.modes, std::size(sampling.modes), said.modes);
    std::copy_n(sampling.border, std::size(sampling.border), said.border);
    said.filter = sampling.filter;
    said.between_levels = sampling.between_levels;
    const bool as_integers = are_integers(runtime, texture.resource) && !sampling.reads_numbers;
    said.flags = (as_integers ? kAsIntegers : 0) | (sampling.is_normalised ? kFromZeroToOne : 0) |
                 (sampling.is_srgb ? kIsSrgb : 0) | (sampling.trilinear_as_written ? kAsWritten : 0) |
                 (sampling.is_seamless ? kSeamless : 0);
    said.anisotropy = sampling.anisotropy;
    said.bias = sampling.bias;
    said.min_level = sampling.min_level;
    said.max_level = sampling.max_level;
    return said;
}

// tell(Runtime&, const SaidTexture&) of an object that is one; a Status.
template <class Tell>
Code ask_object(std::uint64_t handle, const void* out, Tell&& tell, const char* name = __builtin_FUNCTION(),
                const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            const auto said = runtime.said_objects().find(handle);
            if (out == nullptr) return Status::kInvalidValue;
            if (!said) return because(Status::kInvalidValue, "the object was never made, or is destroyed already");
            return tell(runtime, *said);
        },
        name, from);
}

// Arrays whose memory is shared, or comes later, are refused when they are made.
Code refuse_array(const void* out, const void* array, bool is_mipmapped, const char* what,
                  const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            const bool is_one =
                is_mipmapped ? runtime.arrays().mipmapped(array) != nullptr : runtime.arrays().array(array) != nullptr;
            if (!is_one) return because(Status::kInvalidHandle, "the array was never made, or is destroyed already");
            return out == nullptr ? Status::kInvalidValue : because(Status::kInvalidValue, what);
        },
        name, from);
}

constexpr const char* kNotSparse = "the array is not sparse";
constexpr const char* kNotDeferred = "the array's memory was not left for later";

}  // namespace

TILESCOPE_DRIVER Code cuTexObjectGetResourceDesc(ResourceDescription* out, std::uint64_t handle) {
    return ask_object(handle, out, [&](Runtime&, const SaidTexture& said) {
        *out = said_of(said.resource);
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuTexObjectGetTextureDesc(TextureDescription* out, std::uint64_t handle) {
    return ask_object(handle, out, [&](Runtime& runtime, const SaidTexture& said) {
        *out = said_of(runtime, said);
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuTexObjectGetResourceViewDesc(ViewDescription* out, std::uint64_t handle) {
    return ask_object(handle, out, [&](Runtime&, const SaidTexture& said) {
        if (!said.view) return because(Status::kInvalidValue, "the object has no view of its own");
        const View& view = *said.view;
        *out = {view.format,     view.width,       view.height,     view.depth, view.first_level,
                view.last_level, view.first_layer, view.last_layer, {}};
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuSurfObjectGetResourceDesc(ResourceDescription* out, std::uint64_t handle) {
    return ask_object(handle, out, [&](Runtime&, const SaidTexture& said) {
        *out = said_of(said.resource);
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuArrayGetPlane(void** out, void* array, unsigned) {
    return refuse_array(out, array, false, "the array has no planes");
}
TILESCOPE_DRIVER Code cuArrayGetSparseProperties(void* out, void* array) {
    return refuse_array(out, array, false, kNotSparse);
}
TILESCOPE_DRIVER Code cuMipmappedArrayGetSparseProperties(void* out, void* array) {
    return refuse_array(out, array, true, kNotSparse);
}
TILESCOPE_DRIVER Code cuArrayGetMemoryRequirements(void* out, void* array, int) {
    return refuse_array(out, array, false, kNotDeferred);
}
TILESCOPE_DRIVER Code cuMipmappedArrayGetMemoryRequirements(void* out, void* array, int) {
    return refuse_array(out, array, true, kNotDeferred);
}

std::span<const Entry> object_asks() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuTexObjectGetResourceDesc),
        TILESCOPE_THERE(cuTexObjectGetTextureDesc),
        TILESCOPE_THERE(cuTexObjectGetResourceViewDesc),
        TILESCOPE_THERE(cuSurfObjectGetResourceDesc),
        TILESCOPE_THERE(cuArrayGetPlane),
        TILESCOPE_THERE(cuArrayGetSparseProperties),
        TILESCOPE_THERE(cuMipmappedArrayGetSparseProperties),
        TILESCOPE_THERE(cuArrayGetMemoryRequirements),
        TILESCOPE_THERE(cuMipmappedArrayGetMemoryRequirements),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
