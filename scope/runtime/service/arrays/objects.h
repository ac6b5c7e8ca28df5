// Texture and surface objects: what programs say of them, and what the texture unit makes of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "scope/runtime/service/arrays/arrays.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

enum class ResourceKind : std::uint8_t { kArray, kMipmappedArray, kLinear, kPitched };

// What an object is made of. width, height and pitch: of kPitched, in texels, rows and bytes.
struct Resource {
    ResourceKind kind = ResourceKind::kArray;
    void* array = nullptr;
    void* memory = nullptr;
    Channels channels;
    std::size_t bytes = 0, width = 0, height = 0, pitch = 0;
};

// The numbers of modes are those of runtime and driver alike.
struct Sampling {
    int modes[3] = {};
    int filter = 0, between_levels = 0;
    bool reads_numbers = false;  // integers as numbers from 0 or -1 to 1
    bool is_srgb = false, is_normalised = false, is_seamless = false;
    float border[4] = {};
    unsigned anisotropy = 0;
    float bias = 0, min_level = 0, max_level = 0;
    bool trilinear_as_written = false;
};

// A part of the resource, seen as another format; 0: its own.
struct View {
    int format = 0;
    std::size_t width = 0, height = 0, depth = 0;
    unsigned first_level = 0, last_level = 0, first_layer = 0, last_layer = 0;
};

struct SaidTexture {
    Resource resource;
    Sampling sampling;
    std::optional<View> view;
};

// What was said of each object, for programs that ask.
class SaidObjects {
public:
    void note(std::uint64_t handle, const SaidTexture& said);
    void forget(std::uint64_t handle);
    std::optional<SaidTexture> find(std::uint64_t handle) const;
    void clear();

private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, SaidTexture> said_;
};

Status make_texture(Runtime& runtime, const SaidTexture& said, std::uint64_t& handle);
Status make_surface(Runtime& runtime, const Resource& resource, std::uint64_t& handle);
Status destroy_texture(Runtime& runtime, std::uint64_t handle);
Status destroy_surface(Runtime& runtime, std::uint64_t handle);

}  // namespace tilescope::runtime
