#include "scope/texture/objects.h"

#include <mutex>
#include <utility>

namespace tilescope::texture {
namespace {

// Handles of the two kinds are told apart by their upper halves, as is what no call ever gave.
constexpr std::uint64_t kTextures = std::uint64_t{1} << 32, kSurfaces = std::uint64_t{2} << 32;
constexpr std::size_t kRemovedKept = 4096;

template <class Map, class Removed>
bool take_out(Map& map, Removed& removed, std::uint64_t handle) {
    const auto found = map.find(handle);
    if (found == map.end()) return false;
    removed.push_back(std::move(found->second));
    if (removed.size() > kRemovedKept) removed.pop_front();
    map.erase(found);
    return true;
}

template <class Map>
auto look_up(const Map& map, std::uint64_t handle) {
    const auto found = map.find(handle);
    return found == map.end() ? nullptr : found->second.get();
}

}  // namespace

std::uint64_t Objects::add(Texture texture) {
    const std::unique_lock lock(mutex_);
    const std::uint64_t handle = kTextures + next_texture_++;
    textures_.emplace(handle, std::make_unique<Texture>(std::move(texture)));
    return handle;
}

std::uint64_t Objects::add(Surface surface) {
    const std::unique_lock lock(mutex_);
    const std::uint64_t handle = kSurfaces + next_surface_++;
    surfaces_.emplace(handle, std::make_unique<Surface>(std::move(surface)));
    return handle;
}

bool Objects::remove_texture(std::uint64_t handle) {
    const std::unique_lock lock(mutex_);
    version_.fetch_add(1, std::memory_order_acq_rel);
    return take_out(textures_, removed_textures_, handle);
}

bool Objects::remove_surface(std::uint64_t handle) {
    const std::unique_lock lock(mutex_);
    version_.fetch_add(1, std::memory_order_acq_rel);
    return take_out(surfaces_, removed_surfaces_, handle);
}

const Texture* Objects::texture(std::uint64_t handle) const {
    const std::shared_lock lock(mutex_);
    return look_up(textures_, handle);
}

const Surface* Objects::surface(std::uint64_t handle) const {
    const std::shared_lock lock(mutex_);
    return look_up(surfaces_, handle);
}

bool Objects::was_texture(std::uint64_t handle) const {
    const std::shared_lock lock(mutex_);
    return handle > kTextures && handle < kTextures + next_texture_;
}

bool Objects::was_surface(std::uint64_t handle) const {
    const std::shared_lock lock(mutex_);
    return handle > kSurfaces && handle < kSurfaces + next_surface_;
}

}  // namespace tilescope::texture
