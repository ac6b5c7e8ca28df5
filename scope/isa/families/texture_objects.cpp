#include "scope/isa/families/texture_objects.h"

#include <string>

#include <fmt/format.h>

#include "scope/isa/families/memory_bounds.h"
#include "scope/texture/objects.h"

namespace tilescope::isa {
namespace {

using machine::FaultKind;
using machine::Op;
using machine::SiteMemo;
using machine::Space;
using machine::Warp;

// Whether the image's memory is still the one it was made of.
bool is_there(const machine::Memory& memory, const texture::Image& image) {
    const auto found = memory.find(image.address);
    return found && found->id == image.allocation;
}

// What is wrong with a handle that names nothing.
std::string no_object_text(const char* kind, std::uint64_t handle, bool was_one) {
    if (was_one) return fmt::format("a {} object that was destroyed ({:#x}) is used", kind, handle);
    return fmt::format("{:#x} is no {} object: no call of this program made it", handle, kind);
}

void refuse_object(const Warp& warp, const Op& op, unsigned lane, bool was_one, const std::string& text) {
    const FaultKind kind = was_one ? FaultKind::kUseAfterFree : FaultKind::kOutOfBounds;
    refuse(warp, op, Refusal(kind), Space::kTexture, lane, false, [&] { return text; });
}

// `known`: remembers the object in the site's memo, as long as nothing was freed or removed.
template <class Object>
const Object* known(const Warp& warp, const Op& op, std::uint64_t handle, std::uint64_t version) {
    const SiteMemo& memo = warp.worker->memos[op.site];
    if (memo.allowed_from != handle || memo.allowed_version != version || memo.allowed_bytes == 0) return nullptr;
    return reinterpret_cast<const Object*>(memo.shift);
}

template <class Object>
void remember(const Warp& warp, const Op& op, std::uint64_t handle, std::uint64_t version, const Object* object) {
    SiteMemo& memo = warp.worker->memos[op.site];
    memo.allowed_from = handle;
    memo.allowed_version = version;
    memo.allowed_bytes = 1;
    memo.shift = reinterpret_cast<std::uint64_t>(object);
}

// Both only grow, so their sum stays only while both do.
std::uint64_t version_of(const machine::Memory& memory) { return memory.version() + memory.textures().version(); }

}  // namespace

const texture::Texture* texture_if_there(const Warp& warp, const Op& op, std::uint64_t handle) {
    const machine::Memory& memory = *warp.worker->memory;
    const std::uint64_t version = version_of(memory);
    if (const auto* texture = known<texture::Texture>(warp, op, handle, version)) return texture;
    const texture::Texture* texture = memory.textures().texture(handle);
    if (texture == nullptr || !is_there(memory, texture->image)) return nullptr;
    remember(warp, op, handle, version, texture);
    return texture;
}

const texture::Texture* texture_of(const Warp& warp, const Op& op, unsigned lane, std::uint64_t handle) {
    if (const texture::Texture* texture = texture_if_there(warp, op, handle)) return texture;
    const machine::Memory& memory = *warp.worker->memory;
    const texture::Texture* texture = memory.textures().texture(handle);
    if (texture == nullptr) {
        const bool was_one = memory.textures().was_texture(handle);
        refuse_object(warp, op, lane, was_one, no_object_text("texture", handle, was_one));
        return nullptr;
    }
    refuse_object(warp, op, lane, true, "a texture object is used whose memory was freed");
    return nullptr;
}

const texture::Surface* surface_of(const Warp& warp, const Op& op, unsigned lane, std::uint64_t handle) {
    const machine::Memory& memory = *warp.worker->memory;
    const std::uint64_t version = version_of(memory);
    if (const auto* surface = known<texture::Surface>(warp, op, handle, version)) return surface;
    const texture::Surface* surface = memory.textures().surface(handle);
    if (surface == nullptr) {
        const bool was_one = memory.textures().was_surface(handle);
        refuse_object(warp, op, lane, was_one, no_object_text("surface", handle, was_one));
        return nullptr;
    }
    if (!is_there(memory, surface->image)) {
        refuse_object(warp, op, lane, true, "a surface object is used whose array was freed");
        return nullptr;
    }
    remember(warp, op, handle, version, surface);
    return surface;
}

void refuse_anisotropic(const Warp& warp, const Op& op, unsigned lane) {
    refuse(warp, op, Refusal(FaultKind::kIllegalInstruction), Space::kTexture, lane, false, [] {
        return "a fetch by level or gradients of a texture with anisotropic filtering (maxAnisotropy above 1), which "
               "is "
               "not supported";
    });
}

void refuse_outside(const Warp& warp, const Op& op, unsigned lane, unsigned bytes, bool writes,
                    const texture::Surface& surface, std::int64_t x, std::int64_t y, std::int64_t z) {
    const texture::Level& level = surface.image.levels.front();
    refuse(warp, op, Refusal(FaultKind::kOutOfBounds), Space::kTexture, lane, writes, [&] {
        return fmt::format(
            "{}-byte {} of a surface at byte {} of row {} of slice {} is out of bounds: it has rows of {} "
            "bytes, {} rows, {} slices",
            bytes, writes ? "write" : "read", x, y, z, std::uint64_t{level.width} * surface.image.format.bytes(),
            level.height, level.depth);
    });
}

void refuse_misaligned(const Warp& warp, const Op& op, unsigned lane, unsigned bytes, bool writes, std::int64_t x) {
    refuse(warp, op, Refusal(FaultKind::kMisaligned), Space::kTexture, lane, writes, [&] {
        return fmt::format("{}-byte {} of a surface at byte {} of a row, which is no multiple of {}", bytes,
                           writes ? "write" : "read", x, bytes);
    });
}

}  // namespace tilescope::isa
