// CUDA arrays: images in memory of the device that kernels reach by textures and surfaces alone.
//
// Owns: Arrays: which there are, by handle. Guarantees: a handle that was never given out, or whose array was freed, is
// recognised without being followed. Does not model: where a card puts texels (rows lie one behind the other), sparse,
// block-compressed and planar arrays, which are refused by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/runtime.h"
#include "scope/texture/texture.h"

namespace tilescope::runtime {

// Channels as programs say them; the kinds are those of runtime and driver alike.
struct Channels {
    int bits[4] = {};
    int kind = 0;
};

// Flags of runtime and driver alike.
inline constexpr unsigned kLayered = 1, kSurfaces = 2, kCubemap = 4, kGathers = 8;

struct Array {
    Channels channels;
    Extent extent;  // as asked for, in texels; 0 where there is no such dimension
    unsigned flags = 0;
    bool always_normalises = false;  // its channels are numbers from 0 or -1 to 1 by their kind
    texture::Image image;            // one level
    void* memory = nullptr;          // that it owns; null: the level of another
};

struct MipmappedArray {
    Array whole;  // its image has all levels
    std::vector<Array*> levels;
};

class Arrays {
public:
    Array* add(std::unique_ptr<Array> array);
    MipmappedArray* add(std::unique_ptr<MipmappedArray> array);
    const Array* array(const void* handle) const;
    const MipmappedArray* mipmapped(const void* handle) const;
    std::unique_ptr<Array> take(const void* handle);
    // With its levels.
    std::unique_ptr<MipmappedArray> take_mipmapped(const void* handle);
    void clear();

private:
    mutable std::mutex mutex_;
    std::map<const void*, std::unique_ptr<Array>> arrays_;
    std::map<const void*, std::unique_ptr<MipmappedArray>> mipmapped_;
};

// Nothing: there is no such format.
std::optional<texture::Format> format_of(const Channels& channels, bool& always_normalises);

Status make_array(Runtime& runtime, const Channels& channels, const Extent& extent, unsigned flags, Array*& made);
Status make_mipmapped_array(Runtime& runtime, const Channels& channels, const Extent& extent, unsigned levels,
                            unsigned flags, MipmappedArray*& made);
Status level_of_array(Runtime& runtime, const void* handle, unsigned level, Array*& found);
// A null handle is fine.
Status free_array(Runtime& runtime, void* handle);
Status free_mipmapped_array(Runtime& runtime, void* handle);

}  // namespace tilescope::runtime
