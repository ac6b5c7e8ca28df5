// Tensor maps: the 128 bytes that name a tensor to the unit that copies tiles of it.
//
// Guarantees: the arguments that are taken, and the bytes, are those of an H200 (driver 580.159.04, November 2026):
// 24,000 random ones (bench/hardware/tensor_maps.cpp) agree in all. Does not model: maps of the wide im2col kind, which
// an H200 has no use for, and types of 4 and 6 bits, which it refuses.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tilescope::runtime::driver {

inline constexpr unsigned kMostDimensions = 5;

struct TensorMap {
    std::array<std::uint64_t, 16> words{};
};

// As programs say it: sizes and strides in elements and bytes, the innermost dimension first.
struct Tensor {
    int type = 0;
    unsigned rank = 0;
    std::uint64_t address = 0;
    std::array<std::uint64_t, kMostDimensions> sizes{};
    std::array<std::uint64_t, kMostDimensions - 1> strides{};
    std::array<std::uint32_t, kMostDimensions> steps{};
    int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
};

// What one copy takes: a box, or pixels of an image with a border around it.
struct Tile {
    std::array<std::uint32_t, kMostDimensions> box{};
};
struct Pixels {
    std::array<int, kMostDimensions - 2> lower{}, upper{};
    std::uint32_t channels = 0, count = 0;
};

// Nothing: what was said makes no map; `why` says why. most_bytes: of shared memory for a block.
std::optional<TensorMap> encode(const Tensor& tensor, const Tile& tile, std::uint64_t most_bytes, const char*& why);
std::optional<TensorMap> encode(const Tensor& tensor, const Pixels& pixels, std::uint64_t most_bytes, const char*& why);

// The map of the same tensor at another address; false: that is not aligned as the map asks.
bool replace_address(TensorMap& map, std::uint64_t address);

}  // namespace tilescope::runtime::driver
