#include "scope/runtime/service/arrays/objects.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "scope/runtime/service/capture/capture.h"
#include "scope/runtime/service/memory/spans.h"
#include "scope/texture/objects.h"

namespace tilescope::runtime {
namespace {

using texture::AddressMode;
using texture::Channel;
using texture::Format;
using texture::Image;
using texture::Level;
using texture::Shape;

constexpr std::size_t kLinearTexels = std::size_t{1} << 30;
constexpr std::size_t kPitchedWidth = 131072, kPitchedHeight = 65000, kPitch = 2097120;

// Memory that the program allocated itself.
Status image_of_memory(Runtime& runtime, const Resource& resource, Image& image, bool& always_normalises) {
    const auto format = format_of(resource.channels, always_normalises);
    if (!format) return Status::kInvalidChannels;
    const models::Device& device = runtime.session().device();
    const bool is_pitched = resource.kind == ResourceKind::kPitched;
    const auto address = reinterpret_cast<std::uint64_t>(resource.memory);
    image.shape = is_pitched ? Shape::kPitched : Shape::kLinear;
    image.format = *format;
    Level& level = image.levels.front();
    std::size_t bytes = resource.bytes;
    if (is_pitched) {
        if (resource.width > kPitchedWidth || resource.height > kPitchedHeight || resource.pitch > kPitch)
            return Status::kInvalidValue;
        const std::size_t row = resource.width * format->bytes();
        if (!rows_extent(resource.pitch, row, resource.height, bytes)) return Status::kInvalidValue;
        if (device.texture_pitch_alignment != 0 && resource.pitch % device.texture_pitch_alignment != 0)
            return because(Status::kInvalidValue, "the pitch is no multiple of the device's for textures");
        level.width = static_cast<std::uint32_t>(std::max<std::size_t>(1, resource.width));
        level.height = static_cast<std::uint32_t>(std::max<std::size_t>(1, resource.height));
        level.pitch = resource.pitch;
    } else {
        level.width = static_cast<std::uint32_t>(std::min(resource.bytes / format->bytes(), kLinearTexels));
        level.pitch = resource.bytes;
    }
    level.slice = level.pitch * level.height;
    if (device.texture_alignment != 0 && address % device.texture_alignment != 0)
        return because(Status::kInvalidValue, "the memory is not aligned as the device's textures are");
    const machine::Memory& memory = runtime.session().memory();
    if (resource.memory == nullptr) return Status::kInvalidValue;
    const auto allocation = memory.find(address);
    if (!device_span(memory, resource.memory, 1))
        return refuse_span(memory, "texture", resource.memory, bytes, true, false);
    // CUDA does not look how large the allocation is; what lies behind it is nobody's, and reads as 0.
    const std::uint64_t there = allocation->base + allocation->size - address;
    if (bytes > there)
        runtime.warn_once("runtime-texture-size", "a texture of " + std::to_string(bytes) +
                                                      " bytes passes the end of its memory, of which " +
                                                      std::to_string(there) + " bytes are left");
    image.address = address;
    image.bytes = memory.bytes(resource.memory);
    image.size = std::min<std::uint64_t>(bytes, there);
    image.allocation = allocation->id;
    return Status::kOk;
}

Status image_of(Runtime& runtime, const Resource& resource, Image& image, bool& always_normalises) {
    switch (resource.kind) {
        case ResourceKind::kArray: {
            const Array* const array = runtime.arrays().array(resource.array);
            if (array == nullptr) return Status::kInvalidHandle;
            image = array->image;
            always_normalises = array->always_normalises;
            return Status::kOk;
        }
        case ResourceKind::kMipmappedArray: {
            const MipmappedArray* const array = runtime.arrays().mipmapped(resource.array);
            if (array == nullptr) return Status::kInvalidHandle;
            image = array->whole.image;
            always_normalises = array->whole.always_normalises;
            return Status::kOk;
        }
        default: return image_of_memory(runtime, resource, image, always_normalises);
    }
}

// What the view's formats are, in their order from 1 on; behind them come compressed ones.
std::optional<Format> format_of_view(int number) {
    constexpr Channel kKinds[] = {Channel::kUnsigned, Channel::kSigned, Channel::kUnsigned, Channel::kSigned,
                                  Channel::kUnsigned, Channel::kSigned, Channel::kFloat,    Channel::kFloat};
    constexpr std::uint8_t kBits[] = {8, 8, 16, 16, 32, 32, 16, 32};
    constexpr std::uint8_t kCounts[] = {1, 2, 4};
    const auto index = static_cast<unsigned>(number - 1);
    if (number < 1 || index >= std::size(kKinds) * std::size(kCounts)) return std::nullopt;
    return Format{kKinds[index / 3], kCounts[index % 3], kBits[index / 3]};
}

Status apply_view(Runtime& runtime, const View& view, Image& image) {
    constexpr int kFirstCompressed = 25;
    if (view.format >= kFirstCompressed) {
        runtime.warn_once("runtime-unsupported-call",
                          "views of textures as block-compressed formats are not supported");
        return Status::kNotSupported;
    }
    const auto format = format_of_view(view.format);
    if (!format || format->bytes() != image.format.bytes()) return Status::kInvalidValue;
    image.format = *format;
    if (view.first_level > view.last_level || view.last_level >= image.levels.size()) return Status::kInvalidValue;
    image.levels = {image.levels.begin() + view.first_level, image.levels.begin() + view.last_level + 1};
    if (texture::is_layered(image.shape)) {
        if (view.first_layer > view.last_layer || view.last_layer >= image.levels.front().depth)
            return Status::kInvalidValue;
        for (Level& level : image.levels) {
            level.offset += view.first_layer * level.slice;
            level.tiles.offset += view.first_layer * level.tiles.slice;
            level.depth = view.last_layer - view.first_layer + 1;
        }
    }
    return Status::kOk;
}

bool is_mode(int mode) { return mode >= 0 && mode <= 3; }

Status sampler_of(const Sampling& said, texture::Sampler& sampler) {
    for (unsigned i = 0; i < 3; ++i) {
        if (!is_mode(said.modes[i])) return Status::kInvalidValue;
        sampler.modes[i] = static_cast<AddressMode>(said.modes[i]);
    }
    if (said.filter < 0 || said.filter > 1 || said.between_levels < 0 || said.between_levels > 1)
        return Status::kInvalidValue;
    sampler.filter = static_cast<texture::Filter>(said.filter);
    sampler.between_levels = static_cast<texture::Filter>(said.between_levels);
    sampler.is_normalised = said.is_normalised;
    sampler.is_srgb = said.is_srgb;
    sampler.is_seamless = said.is_seamless;
    sampler.is_anisotropic = said.anisotropy > 1;
    std::copy_n(said.border, 4, sampler.border.begin());
    sampler.bias = said.bias;
    sampler.min_level = said.min_level;
    sampler.max_level = said.max_level;
    return Status::kOk;
}

}  // namespace

void SaidObjects::note(std::uint64_t handle, const SaidTexture& said) {
    const std::lock_guard lock(mutex_);
    said_[handle] = said;
}

void SaidObjects::forget(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    said_.erase(handle);
}

std::optional<SaidTexture> SaidObjects::find(std::uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = said_.find(handle);
    return found == said_.end() ? std::nullopt : std::optional(found->second);
}

void SaidObjects::clear() {
    const std::lock_guard lock(mutex_);
    said_.clear();
}

Status make_texture(Runtime& runtime, const SaidTexture& said, std::uint64_t& handle) {
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    texture::Texture texture;
    bool always_normalises = false;
    if (const Status status = image_of(runtime, said.resource, texture.image, always_normalises); status != Status::kOk)
        return status;
    if (const Status status = sampler_of(said.sampling, texture.sampler); status != Status::kOk) return status;
    if (said.view) {
        const bool is_array =
            said.resource.kind == ResourceKind::kArray || said.resource.kind == ResourceKind::kMipmappedArray;
        const Status status = is_array ? apply_view(runtime, *said.view, texture.image) : Status::kOk;
        if (status != Status::kOk) return status;
    }
    const Format& format = texture.image.format;
    const bool is_integer = format.channel != Channel::kFloat;
    const bool reads_numbers = said.sampling.reads_numbers || always_normalises;
    if (reads_numbers && !format.can_normalise()) return Status::kInvalidReading;
    texture.reading = !is_integer     ? texture::Reading::kFloat
                      : reads_numbers ? texture::Reading::kNormalised
                                      : texture::Reading::kBits;
    if (said.sampling.filter == 1 && texture.reading == texture::Reading::kBits) return Status::kInvalidFilter;
    texture.border = texture::border_texel(texture.image.format, texture.reading, texture.sampler.border);
    handle = runtime.session().memory().textures().add(std::move(texture));
    runtime.said_objects().note(handle, said);
    return Status::kOk;
}

Status make_surface(Runtime& runtime, const Resource& resource, std::uint64_t& handle) {
    if (resource.kind != ResourceKind::kArray) return Status::kInvalidValue;
    const Array* const array = runtime.arrays().array(resource.array);
    if (array == nullptr) return Status::kInvalidHandle;
    handle = runtime.session().memory().textures().add(texture::Surface{array->image});
    runtime.said_objects().note(handle, {resource, {}, {}});
    return Status::kOk;
}

Status destroy_texture(Runtime& runtime, std::uint64_t handle) {
    runtime.session().memory().textures().remove_texture(handle);  // CUDA takes any handle
    runtime.said_objects().forget(handle);
    return Status::kOk;
}

Status destroy_surface(Runtime& runtime, std::uint64_t handle) {
    runtime.session().memory().textures().remove_surface(handle);
    runtime.said_objects().forget(handle);
    return Status::kOk;
}

}  // namespace tilescope::runtime
