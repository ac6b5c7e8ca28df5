// The binary interface of the CUDA driver: the structures that programs hand to it, beside those that are the
// runtime's, too (cudart/abi.h).
//
// Guarantees: layouts of CUDA 4.0 to 13.0, whose sizes are asserted here. Handles are addresses of ours.
// Does not model: what the driver had before CUDA 3.2, when its addresses were 32 bits wide.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scope/runtime/cudart/abi.h"

namespace tilescope::runtime::driver {

using Address = unsigned long long;  // CUdeviceptr
using Code = int;                    // CUresult
using StreamCallback = void (*)(void* stream, Code status, void* data);

inline constexpr Code kSuccess = 0, kInvalidValueCode = 1, kNoDeviceCode = 100;
inline constexpr int kDriverVersion = 13000;

// CUmemorytype.
enum MemoryKind : int { kHostMemory = 1, kDeviceMemory = 2, kArrayMemory = 3, kUnifiedMemory = 4 };

// One side of CUDA_MEMCPY2D.
struct Side2D {
    std::size_t x = 0, y = 0;
    int kind = 0;
    const void* host = nullptr;
    Address device = 0;
    void* array = nullptr;
    std::size_t pitch = 0;
};
struct Memcpy2D {
    Side2D source, target;
    std::size_t width, height;
};
static_assert(sizeof(Memcpy2D) == 128);

// Of CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER.
struct Side3D {
    std::size_t x, y, z, level;
    int kind;
    const void* host;
    Address device;
    void* array;
    void* context;
    std::size_t pitch, height;
};
struct Memcpy3D {
    Side3D source, target;
    std::size_t width, height, depth;
};
static_assert(sizeof(Memcpy3D) == 200);

struct ArrayDescription {
    std::size_t width, height;
    int format;
    unsigned channels;
};
static_assert(sizeof(ArrayDescription) == 24);

struct ArrayDescription3D {
    std::size_t width, height, depth;
    int format;
    unsigned channels, flags;
};
static_assert(sizeof(ArrayDescription3D) == 40);

struct ResourceDescription {
    int type;  // 0 array, 1 mipmapped array, 2 linear, 3 pitched
    union {
        void* array;
        struct {
            Address memory;
            int format;
            unsigned channels;
            std::size_t bytes;
        } linear;
        struct {
            Address memory;
            int format;
            unsigned channels;
            std::size_t width, height, pitch;
        } pitched;
        int reserved[32];
    };
    unsigned flags;
};
static_assert(sizeof(ResourceDescription) == 144);

struct TextureDescription {
    int modes[3];
    int filter;
    unsigned flags, anisotropy;
    int between_levels;
    float bias, min_level, max_level, border[4];
    int reserved[12];
};
static_assert(sizeof(TextureDescription) == 104);

struct ViewDescription {
    int format;
    std::size_t width, height, depth;
    unsigned first_level, last_level, first_layer, last_layer;
    unsigned reserved[16];
};
static_assert(sizeof(ViewDescription) == 112);

struct LaunchConfig {
    unsigned grid[3], block[3];
    unsigned dynamic_shared;
    void* stream;
    abi::LaunchAttribute* attributes;
    unsigned attribute_count;
};
static_assert(sizeof(LaunchConfig) == 56);

struct KernelNode {
    void* function;
    unsigned grid[3], block[3];
    unsigned dynamic_shared;
    void** parameters;
    void** extra;
    void *kernel, *context;
};
static_assert(sizeof(KernelNode) == 72);

// Of physical memory.
struct MemoryProperties {
    int type, handles;
    abi::MemLocation at;
    void* windows;
    unsigned char compression, remote_writes;
    unsigned short usage;
    unsigned char reserved[4];
};
static_assert(sizeof(MemoryProperties) == 32);

struct AccessDescription {
    abi::MemLocation at;
    int flags;
};
static_assert(sizeof(AccessDescription) == 12);

struct PoolProperties {
    int type, handles;
    abi::MemLocation at;
    void* windows;
    std::size_t most;
    unsigned short usage;
    unsigned char reserved[54];
};
static_assert(sizeof(PoolProperties) == 88);

struct DeviceProperties {
    int max_threads, max_block[3], max_grid[3];
    int shared_bytes, constant_bytes, warp_size, max_pitch, registers, clock_khz, texture_alignment;
};
static_assert(sizeof(DeviceProperties) == 56);

}  // namespace tilescope::runtime::driver
