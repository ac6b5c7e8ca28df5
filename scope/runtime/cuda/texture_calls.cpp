// Texture and surface objects.
#include <algorithm>
#include <iterator>

#include "scope/runtime/cuda/array_formats.h"
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/arrays/objects.h"

namespace tilescope::runtime::driver {
namespace {

// CU_TRSF_...
constexpr unsigned kReadAsInteger = 0x1, kNormalisedPlaces = 0x2, kSrgb = 0x10, kTrilinearAsWritten = 0x20,
                   kSeamlessCube = 0x40;
constexpr int kFloatChannels = 2, kWideBits = 32;

Status resource_from(const ResourceDescription& said, Resource& resource) {
    std::optional<Channels> channels;
    switch (said.type) {
        case 0:
        case 1:
            resource.kind = said.type == 0 ? ResourceKind::kArray : ResourceKind::kMipmappedArray;
            resource.array = said.array;
            return Status::kOk;
        case 2:
            channels = channels_of(said.linear.format, said.linear.channels);
            resource.kind = ResourceKind::kLinear;
            resource.memory = pointer_of(said.linear.memory);
            resource.bytes = said.linear.bytes;
            break;
        case 3:
            channels = channels_of(said.pitched.format, said.pitched.channels);
            resource.kind = ResourceKind::kPitched;
            resource.memory = pointer_of(said.pitched.memory);
            resource.width = said.pitched.width;
            resource.height = said.pitched.height;
            resource.pitch = said.pitched.pitch;
            break;
        default: return Status::kInvalidValue;
    }
    if (!channels) return Status::kInvalidValue;
    resource.channels = *channels;
    return Status::kOk;
}

// Integers come as numbers unless the program asks for them, or they are 32 bits wide.
bool reads_numbers(Runtime& runtime, const Resource& resource, unsigned flags) {
    const Array* array = runtime.arrays().array(resource.array);
    if (const MipmappedArray* const levels = runtime.arrays().mipmapped(resource.array)) array = &levels->whole;
    const Channels& channels = array != nullptr ? array->channels : resource.channels;
    return (flags & kReadAsInteger) == 0 && channels.kind != kFloatChannels && channels.bits[0] < kWideBits;
}

Sampling sampling_from(const TextureDescription& said) {
    Sampling sampling;
    std::copy_n(said.modes, std::size(sampling.modes), sampling.modes);
    std::copy_n(said.border, std::size(sampling.border), sampling.border);
    sampling.filter = said.filter;
    sampling.between_levels = said.between_levels;
    sampling.is_normalised = (said.flags & kNormalisedPlaces) != 0;
    sampling.is_srgb = (said.flags & kSrgb) != 0;
    sampling.trilinear_as_written = (said.flags & kTrilinearAsWritten) != 0;
    sampling.is_seamless = (said.flags & kSeamlessCube) != 0;
    sampling.anisotropy = said.anisotropy;
    sampling.bias = said.bias;
    sampling.min_level = said.min_level;
    sampling.max_level = said.max_level;
    return sampling;
}

}  // namespace

TILESCOPE_DRIVER Code cuTexObjectCreate(std::uint64_t* handle, const ResourceDescription* resource,
                                        const TextureDescription* texture, const ViewDescription* view) {
    return on_context([&](Runtime& runtime) {
        if (handle == nullptr || resource == nullptr || texture == nullptr) return Status::kInvalidValue;
        SaidTexture said;
        if (const Status status = resource_from(*resource, said.resource); status != Status::kOk) return status;
        said.sampling = sampling_from(*texture);
        said.sampling.reads_numbers = reads_numbers(runtime, said.resource, texture->flags);
        if (view != nullptr)
            said.view = View{view->format,      view->width,      view->height,      view->depth,
                             view->first_level, view->last_level, view->first_layer, view->last_layer};
        return make_texture(runtime, said, *handle);
    });
}
TILESCOPE_DRIVER Code cuTexObjectDestroy(std::uint64_t handle) {
    return on_context([&](Runtime& runtime) { return destroy_texture(runtime, handle); });
}
TILESCOPE_DRIVER Code cuSurfObjectCreate(std::uint64_t* handle, const ResourceDescription* said) {
    return on_context([&](Runtime& runtime) {
        if (handle == nullptr || said == nullptr) return Status::kInvalidValue;
        Resource resource;
        if (const Status status = resource_from(*said, resource); status != Status::kOk) return status;
        return make_surface(runtime, resource, *handle);
    });
}
TILESCOPE_DRIVER Code cuSurfObjectDestroy(std::uint64_t handle) {
    return on_context([&](Runtime& runtime) { return destroy_surface(runtime, handle); });
}

std::span<const Entry> texture_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuTexObjectCreate),
        TILESCOPE_THERE(cuTexObjectDestroy),
        TILESCOPE_THERE(cuSurfObjectCreate),
        TILESCOPE_THERE(cuSurfObjectDestroy),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
