// The textures and surfaces that kernels can name, by handle.
//
// Guarantees: thread-safe; a handle is never given twice, so that one that was forged or destroyed is found out.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <shared_mutex>

#include "scope/texture/texture.h"

namespace tilescope::texture {

class Objects {
public:
    std::uint64_t add(Texture texture);
    std::uint64_t add(Surface surface);
    // False: there is none.
    bool remove_texture(std::uint64_t handle);
    bool remove_surface(std::uint64_t handle);
    // nullptr: there is none. What was found stays readable for a good while after it was removed.
    const Texture* texture(std::uint64_t handle) const;
    const Surface* surface(std::uint64_t handle) const;
    // Whether a handle was given once.
    bool was_texture(std::uint64_t handle) const;
    bool was_surface(std::uint64_t handle) const;
    // Changes whenever something is removed.
    std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

private:
    mutable std::shared_mutex mutex_;
    std::map<std::uint64_t, std::unique_ptr<Texture>> textures_;
    std::map<std::uint64_t, std::unique_ptr<Surface>> surfaces_;
    std::deque<std::unique_ptr<Texture>> removed_textures_;
    std::deque<std::unique_ptr<Surface>> removed_surfaces_;
    std::uint64_t next_texture_ = 1, next_surface_ = 1;
    std::atomic<std::uint64_t> version_{1};
};

}  // namespace tilescope::texture
