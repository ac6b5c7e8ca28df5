// Tensor maps of any arguments: none may crash, a map says of itself what was asked for, and one that is refused has a
// reason.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "scope/runtime/cuda/tensor_map.h"

namespace {

using namespace tilescope::runtime::driver;

constexpr std::uint64_t kSharedBytes = 232448;

// Takes numbers of the input, and zeros behind its end.
class Numbers {
public:
    Numbers(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
    template <class Number>
    void take(Number& into) {
        into = {};
        const std::size_t bytes = std::min(sizeof into, size_ - at_);
        std::memcpy(&into, data_ + at_, bytes);
        at_ += bytes;
    }
    int small() {
        std::uint8_t byte = 0;
        take(byte);
        return static_cast<std::int8_t>(byte);
    }

private:
    const std::uint8_t* data_;
    std::size_t size_, at_ = 0;
};

void must(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Numbers input(data, size);
    Tensor tensor;
    Tile tile;
    Pixels pixels;
    const bool is_image = input.small() % 2 != 0;
    tensor.type = input.small();
    tensor.rank = static_cast<unsigned>(input.small()) % 8;
    tensor.interleave = input.small() % 4;
    tensor.swizzle = input.small() % 5;
    tensor.promotion = input.small() % 5;
    tensor.fill = input.small() % 3;
    input.take(tensor.address);
    for (auto& side : tensor.sizes) input.take(side);
    for (auto& stride : tensor.strides) input.take(stride);
    for (auto& step : tensor.steps) step = static_cast<std::uint32_t>(input.small());
    for (auto& side : tile.box) side = static_cast<std::uint32_t>(input.small() + 128);
    for (auto& corner : pixels.lower) input.take(corner);
    for (auto& corner : pixels.upper) input.take(corner);
    input.take(pixels.channels);
    input.take(pixels.count);
    const char* why = nullptr;
    auto map = is_image ? encode(tensor, pixels, kSharedBytes, why) : encode(tensor, tile, kSharedBytes, why);
    must(map.has_value() == (why == nullptr));
    if (!map) return 0;
    must(map->words[0] == tensor.address);
    must((map->words[1] & 1U) == (is_image ? 1U : 0U));
    must((map->words[1] >> 4U & 7U) + 1 == tensor.rank);
    must(map->words[8] <= kSharedBytes);
    must(map->words[4] << 32U >> 32U == tensor.sizes[0] - 1);
    must(replace_address(*map, 0) && map->words[0] == 0);
    return 0;
}
