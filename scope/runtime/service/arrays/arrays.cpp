#include "scope/runtime/service/arrays/arrays.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "scope/runtime/service/capture/capture.h"
#include "scope/runtime/service/memory/allocate.h"
#include "scope/texture/tiles.h"

namespace tilescope::runtime {
namespace {

using texture::Channel;
using texture::Format;
using texture::Level;
using texture::Shape;

constexpr std::uint64_t kRowAlignment = 32, kLevelAlignment = 512;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

// Sizes that a device takes, in texels (CUDA Programming Guide, features by compute capability).
struct Bounds {
    std::size_t width, height, depth;
};

// Which shape the extent and the flags describe; nothing: none.
std::optional<Shape> shape_of(const Extent& extent, unsigned flags) {
    constexpr std::size_t kFaces = 6;
    const bool is_layered = (flags & kLayered) != 0;
    if (extent.width == 0) return std::nullopt;
    if ((flags & kCubemap) != 0) {
        if (extent.width != extent.height || extent.depth == 0 || extent.depth % kFaces != 0) return std::nullopt;
        if (!is_layered && extent.depth != kFaces) return std::nullopt;
        return is_layered ? Shape::kCubeLayered : Shape::kCube;
    }
    if (is_layered) {
        if (extent.depth == 0) return std::nullopt;
        return extent.height == 0 ? Shape::k1DLayered : Shape::k2DLayered;
    }
    if (extent.depth != 0) return extent.height == 0 ? std::nullopt : std::optional(Shape::k3D);
    return extent.height == 0 ? Shape::k1D : Shape::k2D;
}

Bounds bounds_of(Shape shape, unsigned flags, const Extent& extent) {
    switch (shape) {
        case Shape::k1D: return (flags & kSurfaces) != 0 ? Bounds{32768, 0, 0} : Bounds{131072, 0, 0};
        case Shape::k2D: return (flags & kGathers) != 0 ? Bounds{32768, 32768, 0} : Bounds{131072, 65536, 0};
        case Shape::k3D: return extent.depth > 16384 ? Bounds{8192, 8192, 32768} : Bounds{16384, 16384, 16384};
        case Shape::k1DLayered: return {32768, 0, 2048};
        case Shape::k2DLayered: return {32768, 32768, 2048};
        case Shape::kCube: return {32768, 32768, 6};
        default: return {32768, 32768, 2046};
    }
}

bool has_room(const Extent& extent, const Bounds& bounds) {
    return extent.width <= bounds.width && extent.height <= bounds.height && extent.depth <= bounds.depth;
}

// Lays the levels out; the bytes that they take together.
std::uint64_t lay_out(texture::Image& image, const Extent& extent, unsigned levels) {
    const bool is_volume = image.shape == Shape::k3D;
    image.levels.clear();
    std::uint64_t offset = 0;
    for (unsigned i = 0; i < levels; ++i) {
        const auto size = [&](std::size_t of, bool shrinks) {
            const std::size_t here = shrinks ? of >> i : of;
            return static_cast<std::uint32_t>(std::max<std::size_t>(1, here));
        };
        Level level;
        level.offset = offset;
        level.width = size(extent.width, true);
        level.height = size(extent.height, true);
        level.depth = size(extent.depth, is_volume);
        level.pitch = round_up(std::uint64_t{level.width} * image.format.bytes(), kRowAlignment);
        level.slice = level.pitch * level.height;
        image.levels.push_back(level);
        offset = round_up(offset + level.slice * level.depth, kLevelAlignment);
    }
    return offset;
}

Status refuse_format(Runtime& runtime, const char* what) {
    runtime.warn_once("runtime-unsupported-call", std::string(what) + " are not supported");
    return Status::kNotSupported;
}

// What make_array() and make_mipmapped_array() have in common: all of the array but its handle.
Status make(Runtime& runtime, const Channels& channels, const Extent& extent, unsigned flags, unsigned levels,
            Array& made) {
    constexpr unsigned kSparse = 0x40, kDeferred = 0x80, kColour = 0x20;
    constexpr int kPlanar = 4, kCompressedFirst = 17, kCompressedLast = 30, kPacked = 31;
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    if ((flags & (kSparse | kDeferred)) != 0) return refuse_format(runtime, "sparse and deferred arrays");
    if (channels.kind == kPlanar) return refuse_format(runtime, "planar arrays (NV12)");
    if (channels.kind >= kCompressedFirst && channels.kind <= kCompressedLast)
        return refuse_format(runtime, "block-compressed arrays");
    if (channels.kind == kPacked) return refuse_format(runtime, "arrays of 10-bit channels");
    const auto format = format_of(channels, made.always_normalises);
    if (!format) return Status::kInvalidChannels;
    const auto shape = shape_of(extent, flags);
    if (!shape || (flags & ~(kLayered | kSurfaces | kCubemap | kGathers | kColour)) != 0) return Status::kInvalidValue;
    if ((flags & kGathers) != 0 && *shape != Shape::k2D) return Status::kInvalidValue;
    if (!has_room(extent, bounds_of(*shape, flags, extent)))
        return because(Status::kInvalidValue, "the array is larger than the device takes");
    made.channels = channels;
    made.extent = extent;
    made.flags = flags;
    made.image.shape = *shape;
    made.image.format = *format;
    made.image.size = lay_out(made.image, extent, levels);
    // Rows lie one behind the other here, and tiles on the card: there is room for either.
    const std::uint64_t bytes = std::max(made.image.size, texture::place_tiles(made.image));
    const Status status = allocate(runtime, bytes, machine::AllocationKind::kArray, made.memory);
    if (status != Status::kOk) return status;
    const machine::Memory& memory = runtime.session().memory();
    made.image.address = reinterpret_cast<std::uint64_t>(made.memory);
    made.image.bytes = memory.bytes(made.memory);
    made.image.allocation = memory.find(made.image.address)->id;
    return Status::kOk;
}

Status give_back(Runtime& runtime, void* memory) {
    return release(runtime, memory,
                   [](machine::AllocationKind kind) { return kind == machine::AllocationKind::kArray; });
}

}  // namespace

Array* Arrays::add(std::unique_ptr<Array> array) {
    const std::lock_guard lock(mutex_);
    Array* const handle = array.get();
    arrays_.emplace(handle, std::move(array));
    return handle;
}

MipmappedArray* Arrays::add(std::unique_ptr<MipmappedArray> array) {
    const std::lock_guard lock(mutex_);
    MipmappedArray* const handle = array.get();
    mipmapped_.emplace(handle, std::move(array));
    return handle;
}

const Array* Arrays::array(const void* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = arrays_.find(handle);
    return found == arrays_.end() ? nullptr : found->second.get();
}

const MipmappedArray* Arrays::mipmapped(const void* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = mipmapped_.find(handle);
    return found == mipmapped_.end() ? nullptr : found->second.get();
}

std::unique_ptr<Array> Arrays::take(const void* handle) {
    const std::lock_guard lock(mutex_);
    auto node = arrays_.extract(handle);
    return node.empty() ? nullptr : std::move(node.mapped());
}

std::unique_ptr<MipmappedArray> Arrays::take_mipmapped(const void* handle) {
    const std::lock_guard lock(mutex_);
    auto node = mipmapped_.extract(handle);
    if (node.empty()) return nullptr;
    for (const Array* level : node.mapped()->levels) arrays_.erase(level);
    return std::move(node.mapped());
}

void Arrays::clear() {
    const std::lock_guard lock(mutex_);
    arrays_.clear();
    mipmapped_.clear();
}

std::optional<Format> format_of(const Channels& channels, bool& always_normalises) {
    constexpr int kSigned = 0, kUnsigned = 1, kFloat = 2;
    constexpr int kUnsigned8 = 5, kUnsigned16 = 8, kSigned8 = 11, kSigned16 = 14, kPastSigned16 = 17;
    Format format;
    unsigned count = 0;
    while (count < 4 && channels.bits[count] != 0) ++count;
    for (unsigned i = count; i < 4; ++i)
        if (channels.bits[i] != 0) return std::nullopt;
    for (unsigned i = 1; i < count; ++i)
        if (channels.bits[i] != channels.bits[0]) return std::nullopt;
    const int bits = channels.bits[0];
    if ((count != 1 && count != 2 && count != 4) || (bits != 8 && bits != 16 && bits != 32)) return std::nullopt;
    format.channels = static_cast<std::uint8_t>(count);
    format.bits = static_cast<std::uint8_t>(bits);
    always_normalises = channels.kind >= kUnsigned8 && channels.kind < kPastSigned16;
    if (always_normalises) {
        const bool is_signed = channels.kind >= kSigned8;
        const int first = is_signed ? (channels.kind >= kSigned16 ? kSigned16 : kSigned8)
                                    : (channels.kind >= kUnsigned16 ? kUnsigned16 : kUnsigned8);
        const int said_bits = first == kUnsigned8 || first == kSigned8 ? 8 : 16;
        if (bits != said_bits || count != 1u << (channels.kind - first)) return std::nullopt;
        format.channel = is_signed ? Channel::kSigned : Channel::kUnsigned;
        return format;
    }
    switch (channels.kind) {
        case kSigned: format.channel = Channel::kSigned; return format;
        case kUnsigned: format.channel = Channel::kUnsigned; return format;
        case kFloat: format.channel = Channel::kFloat; return bits == 8 ? std::nullopt : std::optional(format);
        default: return std::nullopt;
    }
}

Status make_array(Runtime& runtime, const Channels& channels, const Extent& extent, unsigned flags, Array*& made) {
    auto array = std::make_unique<Array>();
    const Status status = make(runtime, channels, extent, flags, 1, *array);
    if (status == Status::kOk) made = runtime.arrays().add(std::move(array));
    return status;
}

Status make_mipmapped_array(Runtime& runtime, const Channels& channels, const Extent& extent, unsigned levels,
                            unsigned flags, MipmappedArray*& made) {
    const std::size_t longest =
        std::max({extent.width, extent.height, (flags & (kLayered | kCubemap)) != 0 ? std::size_t{0} : extent.depth});
    const auto possible = static_cast<unsigned>(std::bit_width(longest));
    auto array = std::make_unique<MipmappedArray>();
    const unsigned count = std::max(1u, std::min(levels, possible));
    const Status status = make(runtime, channels, extent, flags, count, array->whole);
    if (status != Status::kOk) return status;
    for (unsigned i = 0; i < count; ++i) {
        auto level = std::make_unique<Array>(array->whole);
        level->memory = nullptr;
        level->image.levels = {array->whole.image.levels[i]};
        const Level& at = level->image.levels.front();
        const bool is_volume = level->image.shape == Shape::k3D;
        level->extent.width = at.width;
        if (extent.height != 0) level->extent.height = at.height;
        if (is_volume) level->extent.depth = at.depth;
        array->levels.push_back(runtime.arrays().add(std::move(level)));
    }
    made = runtime.arrays().add(std::move(array));
    return Status::kOk;
}

Status level_of_array(Runtime& runtime, const void* handle, unsigned level, Array*& found) {
    const MipmappedArray* const array = runtime.arrays().mipmapped(handle);
    if (array == nullptr) return Status::kInvalidHandle;
    if (level >= array->levels.size()) return Status::kInvalidValue;
    found = array->levels[level];
    return Status::kOk;
}

Status free_array(Runtime& runtime, void* handle) {
    if (handle == nullptr) return Status::kOk;
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    const Array* const array = runtime.arrays().array(handle);
    if (array == nullptr) return Status::kInvalidHandle;
    if (array->memory == nullptr) return Status::kOk;  // a level stays until the whole is freed
    const std::unique_ptr<Array> taken = runtime.arrays().take(handle);
    return taken == nullptr ? Status::kInvalidHandle : give_back(runtime, taken->memory);
}

Status free_mipmapped_array(Runtime& runtime, void* handle) {
    if (handle == nullptr) return Status::kOk;
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    const std::unique_ptr<MipmappedArray> taken = runtime.arrays().take_mipmapped(handle);
    return taken == nullptr ? Status::kInvalidHandle : give_back(runtime, taken->whole.memory);
}

}  // namespace tilescope::runtime
