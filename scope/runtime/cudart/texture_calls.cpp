// Texture and surface objects.
#include <algorithm>
#include <iterator>

#include "scope/runtime/cudart/array_abi.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/versioned.h"
#include "scope/runtime/service/arrays/objects.h"

namespace tilescope::runtime {
namespace {

Status resource_from(const abi::ResourceDescription& said, Resource& resource) {
    switch (said.type) {
        case 0:
        case 1:
            resource.kind = said.type == 0 ? ResourceKind::kArray : ResourceKind::kMipmappedArray;
            resource.array = said.array;
            return Status::kOk;
        case 2:
            resource.kind = ResourceKind::kLinear;
            resource.memory = said.linear.memory;
            resource.channels = channels_from(said.linear.format);
            resource.bytes = said.linear.bytes;
            return Status::kOk;
        case 3:
            resource.kind = ResourceKind::kPitched;
            resource.memory = said.pitched.memory;
            resource.channels = channels_from(said.pitched.format);
            resource.width = said.pitched.width;
            resource.height = said.pitched.height;
            resource.pitch = said.pitched.pitch;
            return Status::kOk;
        default: return Status::kInvalidValue;
    }
}

// Only the members that the type has are written: structures of older releases are smaller.
void tell(const Resource& resource, abi::ResourceDescription& said) {
    switch (resource.kind) {
        case ResourceKind::kArray:
        case ResourceKind::kMipmappedArray:
            said.type = resource.kind == ResourceKind::kArray ? 0 : 1;
            said.array = resource.array;
            return;
        case ResourceKind::kLinear:
            said.type = 2;
            said.linear = {resource.memory, abi_of(resource.channels), resource.bytes};
            return;
        case ResourceKind::kPitched:
            said.type = 3;
            said.pitched = {resource.memory, abi_of(resource.channels), resource.width, resource.height,
                            resource.pitch};
            return;
    }
}

Sampling sampling_from(const abi::TextureDescription& said, bool has_seamless) {
    Sampling sampling;
    std::copy_n(said.modes, std::size(sampling.modes), sampling.modes);
    sampling.filter = said.filter;
    sampling.between_levels = said.between_levels;
    sampling.reads_numbers = said.reading == 1;
    sampling.is_srgb = said.srgb != 0;
    sampling.is_normalised = said.normalised != 0;
    sampling.is_seamless = has_seamless && said.seamless != 0;
    std::copy_n(said.border, std::size(sampling.border), sampling.border);
    sampling.anisotropy = said.anisotropy;
    sampling.bias = said.bias;
    sampling.min_level = said.min_level;
    sampling.max_level = said.max_level;
    sampling.trilinear_as_written = said.trilinear_as_written != 0;
    return sampling;
}

void tell(const Sampling& sampling, abi::TextureDescription& said, bool has_seamless) {
    std::copy_n(sampling.modes, std::size(sampling.modes), said.modes);
    said.filter = sampling.filter;
    said.reading = sampling.reads_numbers ? 1 : 0;
    said.srgb = sampling.is_srgb ? 1 : 0;
    std::copy_n(sampling.border, std::size(sampling.border), said.border);
    said.normalised = sampling.is_normalised ? 1 : 0;
    said.anisotropy = sampling.anisotropy;
    said.between_levels = sampling.between_levels;
    said.bias = sampling.bias;
    said.min_level = sampling.min_level;
    said.max_level = sampling.max_level;
    said.trilinear_as_written = sampling.trilinear_as_written ? 1 : 0;
    if (has_seamless) said.seamless = sampling.is_seamless ? 1 : 0;
}

Status make(Runtime& runtime, std::uint64_t* handle, const abi::ResourceDescription* resource,
            const abi::TextureDescription* texture, const abi::ResourceViewDescription* view, bool has_seamless) {
    if (handle == nullptr || resource == nullptr) return Status::kInvalidValue;
    if (texture == nullptr) return Status::kInvalidHandle;
    SaidTexture said;
    if (const Status status = resource_from(*resource, said.resource); status != Status::kOk) return status;
    said.sampling = sampling_from(*texture, has_seamless);
    if (view != nullptr)
        said.view = View{view->format,      view->width,      view->height,      view->depth,
                         view->first_level, view->last_level, view->first_layer, view->last_layer};
    return make_texture(runtime, said, *handle);
}

// From CUDA 12 on the functions without a number have all members.
bool has_seamless_member() { return runtime_version() >= 12000; }

template <class Said, class Tell>
cudaError ask(std::uint64_t handle, Said* said, const Tell& tell_it, const char* name = __builtin_FUNCTION()) {
    return on_device(
        [&](Runtime& runtime) {
            if (said == nullptr) return Status::kInvalidValue;
            const auto found = runtime.said_objects().find(handle);
            return found ? tell_it(*found) : Status::kInvalidValue;
        },
        name);
}

}  // namespace

TILESCOPE_API cudaError cudaCreateTextureObject(std::uint64_t* handle, const abi::ResourceDescription* resource,
                                                const abi::TextureDescription* texture,
                                                const abi::ResourceViewDescription* view) {
    return on_device(
        [&](Runtime& runtime) { return make(runtime, handle, resource, texture, view, has_seamless_member()); });
}

TILESCOPE_API cudaError cudaCreateTextureObject_v2(std::uint64_t* handle, const abi::ResourceDescription* resource,
                                                   const abi::TextureDescription* texture,
                                                   const abi::ResourceViewDescription* view) {
    return on_device([&](Runtime& runtime) { return make(runtime, handle, resource, texture, view, true); });
}

TILESCOPE_API cudaError cudaDestroyTextureObject(std::uint64_t handle) {
    return on_device([&](Runtime& runtime) { return destroy_texture(runtime, handle); });
}

TILESCOPE_API cudaError cudaGetTextureObjectResourceDesc(abi::ResourceDescription* resource, std::uint64_t handle) {
    return ask(handle, resource, [&](const SaidTexture& said) {
        tell(said.resource, *resource);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGetTextureObjectTextureDesc(abi::TextureDescription* texture, std::uint64_t handle) {
    return ask(handle, texture, [&](const SaidTexture& said) {
        tell(said.sampling, *texture, has_seamless_member());
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGetTextureObjectTextureDesc_v2(abi::TextureDescription* texture, std::uint64_t handle) {
    return ask(handle, texture, [&](const SaidTexture& said) {
        tell(said.sampling, *texture, true);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGetTextureObjectResourceViewDesc(abi::ResourceViewDescription* view, std::uint64_t handle) {
    return ask(handle, view, [&](const SaidTexture& said) {
        const View known = said.view.value_or(View{});
        *view = {known.format,      known.width,      known.height,      known.depth,
                 known.first_level, known.last_level, known.first_layer, known.last_layer};
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaCreateSurfaceObject(std::uint64_t* handle, const abi::ResourceDescription* said) {
    return on_device([&](Runtime& runtime) {
        if (handle == nullptr || said == nullptr) return Status::kInvalidValue;
        Resource resource;
        if (const Status status = resource_from(*said, resource); status != Status::kOk) return status;
        return make_surface(runtime, resource, *handle);
    });
}

TILESCOPE_API cudaError cudaDestroySurfaceObject(std::uint64_t handle) {
    return on_device([&](Runtime& runtime) { return destroy_surface(runtime, handle); });
}

TILESCOPE_API cudaError cudaGetSurfaceObjectResourceDesc(abi::ResourceDescription* resource, std::uint64_t handle) {
    return ask(handle, resource, [&](const SaidTexture& said) {
        tell(said.resource, *resource);
        return Status::kOk;
    });
}

}  // namespace tilescope::runtime
