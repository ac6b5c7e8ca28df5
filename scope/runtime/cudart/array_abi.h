// The binary interface of arrays, textures and surfaces.
//
// Guarantees: sizes are asserted here.
#pragma once

#include <cstddef>

#include "scope/runtime/cudart/abi.h"
#include "scope/runtime/service/arrays/objects.h"

namespace tilescope::abi {

struct ResourceDescription {
    int type;  // 0 array, 1 mipmapped array, 2 linear, 3 pitched
    union {
        void* array;
        struct {
            void* memory;
            ChannelFormat format;
            std::size_t bytes;
        } linear;
        struct {
            void* memory;
            ChannelFormat format;
            std::size_t width, height, pitch;
        } pitched;
        int reserved[14];  // room that CUDA 13 keeps
    };
};

struct TextureDescription {
    int modes[3];
    int filter, reading, srgb;
    float border[4];
    int normalised;
    unsigned anisotropy;
    int between_levels;
    float bias, min_level, max_level;
    int trilinear_as_written;
    int seamless;  // not in that of CUDA 11's first functions
};
static_assert(sizeof(TextureDescription) == 72);

struct ResourceViewDescription {
    int format;
    std::size_t width, height, depth;
    unsigned first_level, last_level, first_layer, last_layer;
};
static_assert(sizeof(ResourceViewDescription) == 48);

}  // namespace tilescope::abi

namespace tilescope::runtime {

inline Channels channels_from(const abi::ChannelFormat& said) {
    return {{said.x, said.y, said.z, said.w}, static_cast<int>(said.kind)};
}
inline abi::ChannelFormat abi_of(const Channels& channels) {
    return {channels.bits[0], channels.bits[1], channels.bits[2], channels.bits[3],
            static_cast<cudaChannelFormatKind>(channels.kind)};
}

}  // namespace tilescope::runtime
