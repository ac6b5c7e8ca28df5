#include "scope/runtime/cuda/tensor_map.h"

#include <algorithm>

namespace tilescope::runtime::driver {
namespace {

struct ElementType {
    unsigned bytes;
    std::uint64_t code;
    bool is_tf32;
    bool is_float() const { return code >= 6; }
};
// In the order of CUtensorMapDataType: integers, then floats.
constexpr ElementType kTypes[] = {{1, 0, false}, {2, 1, false}, {4, 2, false}, {4, 3, false}, {8, 4, false},
                                  {8, 5, false}, {2, 6, false}, {4, 7, false}, {8, 9, false}, {2, 10, false},
                                  {4, 8, false}, {4, 7, true},  {4, 8, true}};
constexpr int kTypeCount = std::size(kTypes);

constexpr int kInterleave32 = 2, kLastInterleave = 2, kLastSwizzle = 3, kLastPromotion = 3;
constexpr std::uint64_t kLongestSide = std::uint64_t{1} << 32U, kStrideEnd = std::uint64_t{1} << 40U;
constexpr std::uint32_t kLongestBox = 256, kLongestStep = 8, kMostPixels = 1024;
constexpr unsigned kUnit = 16;  // bytes: what addresses, strides and rows of a box are multiples of
// By swizzle: bytes of a row at most, and of what repeats itself in shared memory.
constexpr unsigned kSwizzledRow[] = {0, 32, 64, 128};
constexpr std::uint64_t kSwizzlePattern[] = {16, 256, 512, 1024};

// Where what stands in the words.
constexpr unsigned kRankAt = 4, kTypeAt = 7, kInterleaveAt = 11, kSwizzleAt = 13, kFillAt = 15, kTf32At = 16,
                   kPromotionAt = 17, kHigh = 32, kStepBits = 3, kRowAt = 56, kByte = 8, kUpperAt = 16;

bool within(int value, int last) { return value >= 0 && value <= last; }

const char* problem_of(const Tensor& tensor) {
    if (!within(tensor.type, kTypeCount - 1)) return "there is no such type of elements here";
    if (!within(tensor.interleave, kLastInterleave)) return "there is no such interleaving";
    if (!within(tensor.swizzle, kLastSwizzle)) return "there is no such swizzling here";
    if (!within(tensor.promotion, kLastPromotion)) return "there is no such promotion";
    if (!within(tensor.fill, 1)) return "there is no such filling";
    if (tensor.fill != 0 && !kTypes[tensor.type].is_float()) return "only floats are filled with NaN";
    if (tensor.rank < 1 || tensor.rank > kMostDimensions) return "a tensor has 1 to 5 dimensions";
    if (tensor.interleave != 0 && tensor.rank < 3) return "an interleaved tensor has 3 dimensions at least";
    const std::uint64_t unit = tensor.interleave == kInterleave32 ? 2 * kUnit : kUnit;
    if (tensor.address % unit != 0) return "the address is no multiple of 16 bytes, or of 32 where they interleave";
    for (unsigned i = 0; i < tensor.rank; ++i) {
        if (tensor.sizes[i] == 0 || tensor.sizes[i] > kLongestSide) return "a side is empty, or past 2^32 elements";
        if (tensor.steps[i] == 0 || tensor.steps[i] > kLongestStep) return "a step is none of 1 to 8";
    }
    for (unsigned i = 0; i + 1 < tensor.rank; ++i)
        if (tensor.strides[i] % unit != 0 || tensor.strides[i] >= kStrideEnd)
            return "a stride is no multiple of 16 bytes, or of 32 where they interleave, or not below 2^40";
    return nullptr;
}

const char* problem_of_rows(const Tensor& tensor, std::uint32_t elements, std::uint64_t all_bytes,
                            std::uint64_t most_bytes) {
    const std::uint64_t bytes = std::uint64_t{elements} * kTypes[tensor.type].bytes;
    if (bytes % kUnit != 0) return "rows of the box are no multiple of 16 bytes";
    if (tensor.swizzle != 0 && tensor.interleave == 0 && bytes > kSwizzledRow[tensor.swizzle])
        return "rows of the box are longer than what is swizzled";
    return all_bytes > most_bytes ? "a box does not fit into the shared memory of a block" : nullptr;
}

std::uint64_t bytes_of(const Tensor& tensor, const Tile& tile) {
    std::uint64_t bytes = kTypes[tensor.type].bytes;
    for (unsigned i = 0; i < tensor.rank; ++i) bytes *= tile.box[i] / tensor.steps[i];
    return bytes;
}

// The part that all kinds have.
TensorMap begin(const Tensor& tensor, std::uint64_t box_bytes) {
    const ElementType& type = kTypes[tensor.type];
    const auto side = [&](unsigned i) { return i < tensor.rank ? tensor.sizes[i] - 1 : 0; };
    const auto stride = [&](unsigned i) { return i + 1 < tensor.rank ? tensor.strides[i] / kUnit : 0; };
    const auto low = [&](unsigned i) { return stride(i) & 0xffffffffU; };
    TensorMap map;
    auto& words = map.words;
    words[0] = tensor.address;
    words[1] = std::uint64_t{tensor.rank - 1} << kRankAt | type.code << kTypeAt |
               static_cast<std::uint64_t>(tensor.interleave) << kInterleaveAt |
               static_cast<std::uint64_t>(tensor.swizzle) << kSwizzleAt |
               static_cast<std::uint64_t>(tensor.fill) << kFillAt | std::uint64_t{type.is_tf32} << kTf32At |
               static_cast<std::uint64_t>(tensor.promotion) << kPromotionAt | low(0) << kHigh;
    words[2] = low(1) | low(2) << kHigh;
    words[3] = low(3);
    words[4] = side(0) | side(1) << kHigh;
    words[5] = side(2) | side(3) << kHigh;
    words[6] = side(4);
    for (unsigned i = 0; i + 1 < tensor.rank; ++i) words[3] |= (stride(i) >> kHigh) << (kHigh + 4 * i);
    for (unsigned i = 0; i < tensor.rank; ++i)
        words[6] |= std::uint64_t{tensor.steps[i] - 1} << (kHigh + kStepBits * i);
    words[8] = box_bytes;
    words[9] = kSwizzlePattern[tensor.swizzle];
    return map;
}

// A pixel's place from the image's border: 16, 8 or 5 bits for one, two or three sides.
unsigned corner_bits(unsigned sides) { return sides == 1 ? 16 : sides == 2 ? 8 : 5; }

const char* problem_of(const Tensor& tensor, const Pixels& pixels) {
    if (tensor.rank < 3) return "an image has 3 dimensions at least";
    if (pixels.channels == 0 || pixels.channels > kLongestBox) return "channels are none of 1 to 256";
    if (pixels.count == 0 || pixels.count > kMostPixels) return "pixels are none of 1 to 1,024";
    const unsigned sides = tensor.rank - 2;
    const int end = 1 << (corner_bits(sides) - 1);
    const auto fits = [&](int corner) { return corner >= -end && corner < end; };
    for (unsigned i = 0; i < sides; ++i) {
        if (!fits(pixels.lower[i]) || !fits(pixels.upper[i])) return "a corner lies too far off";
        // Where channels interleave, they are not the innermost dimension. Sides are counted in 32 bits.
        const std::uint64_t side = tensor.sizes[i + (tensor.interleave == 0 ? 1 : 0)];
        const auto left =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(side) + static_cast<std::uint32_t>(pixels.upper[i]) -
                                      static_cast<std::uint32_t>(pixels.lower[i]));
        if (left < 1) return "between the corners is no pixel";
    }
    return nullptr;
}

}  // namespace

std::optional<TensorMap> encode(const Tensor& tensor, const Tile& tile, std::uint64_t most_bytes, const char*& why) {
    why = problem_of(tensor);
    for (unsigned i = 0; why == nullptr && i < tensor.rank; ++i)
        if (tile.box[i] == 0 || tile.box[i] > kLongestBox) why = "a side of the box is none of 1 to 256";
    if (why == nullptr) why = problem_of_rows(tensor, tile.box[0], bytes_of(tensor, tile), most_bytes);
    if (why != nullptr) return std::nullopt;
    TensorMap map = begin(tensor, bytes_of(tensor, tile));
    map.words[6] |= std::uint64_t{tile.box[0] - 1} << kRowAt;
    for (unsigned i = 1; i < tensor.rank; ++i) map.words[7] |= std::uint64_t{tile.box[i] - 1} << kByte * (i - 1);
    return map;
}

std::optional<TensorMap> encode(const Tensor& tensor, const Pixels& pixels, std::uint64_t most_bytes,
                                const char*& why) {
    why = problem_of(tensor);
    if (why == nullptr) why = problem_of(tensor, pixels);
    if (why != nullptr) return std::nullopt;
    const std::uint64_t bytes = std::uint64_t{pixels.channels} * pixels.count * kTypes[tensor.type].bytes;
    why = problem_of_rows(tensor, pixels.channels, bytes, most_bytes);
    if (why != nullptr) return std::nullopt;
    TensorMap map = begin(tensor, bytes);
    const unsigned sides = tensor.rank - 2, bits = corner_bits(sides);
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    map.words[1] |= 1;
    map.words[6] |= std::uint64_t{pixels.channels - 1} << kRowAt;
    map.words[7] = std::uint64_t{pixels.count - 1} << kHigh;
    for (unsigned i = 0; i < sides; ++i) {
        map.words[7] |= (static_cast<std::uint64_t>(pixels.lower[i]) & mask) << bits * i;
        map.words[7] |= (static_cast<std::uint64_t>(pixels.upper[i]) & mask) << (kUpperAt + bits * i);
    }
    return map;
}

bool replace_address(TensorMap& map, std::uint64_t address) {
    const bool is_wide = (map.words[1] >> kInterleaveAt & 3U) == kInterleave32;
    if (address % (is_wide ? 2 * kUnit : kUnit) != 0) return false;
    map.words[0] = address;
    return true;
}

}  // namespace tilescope::runtime::driver
