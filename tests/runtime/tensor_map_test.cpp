// Tensor maps against those that the driver of an H200 made (tests/truth/tensor_maps_h200.txt).
#include "scope/runtime/cuda/tensor_map.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace tilescope::runtime::driver {
namespace {

constexpr std::uint64_t kSharedBytes = 232448;  // of a block on an H200, as it asks for

template <class Numbers>
void read(std::istream& from, Numbers& numbers) {
    for (auto& number : numbers) from >> number;
}

// The words in hexadecimal, with a space before each; nothing where there is no map.
std::string made_of(std::istream& said) {
    std::string kind;
    Tensor tensor;
    Tile tile;
    Pixels pixels;
    said >> kind >> tensor.type >> tensor.rank >> tensor.address;
    read(said, tensor.sizes);
    read(said, tensor.strides);
    if (kind == "im2col") {
        read(said, pixels.lower);
        read(said, pixels.upper);
        said >> pixels.channels >> pixels.count;
    } else {
        read(said, tile.box);
    }
    read(said, tensor.steps);
    said >> tensor.interleave >> tensor.swizzle >> tensor.promotion >> tensor.fill;
    const char* why = nullptr;
    const auto map =
        kind == "im2col" ? encode(tensor, pixels, kSharedBytes, why) : encode(tensor, tile, kSharedBytes, why);
    EXPECT_EQ(map.has_value(), why == nullptr);
    std::ostringstream words;
    if (map)
        for (const std::uint64_t word : map->words) words << ' ' << std::hex << word;
    return words.str();
}

TEST(TensorMap, IsWhatTheCardsDriverMakes) {
    std::ifstream file(TILESCOPE_TRUTH "/tensor_maps_h200.txt");
    std::string line;
    int maps = 0, refused = 0;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t first = line.find('|'), second = line.find('|', first + 1);
        std::istringstream said(line.substr(0, first));
        const std::string made = made_of(said);
        ASSERT_EQ(made, line.substr(second + 1)) << line;
        ++(made.empty() ? refused : maps);
    }
    EXPECT_GT(maps, 500);
    EXPECT_GT(refused, 500);
}

TEST(TensorMap, GetsAnotherAddressThatIsAlignedAsItAsks) {
    Tensor tensor{.type = 0, .rank = 3, .sizes = {64, 4, 4}, .strides = {64, 256}, .steps = {1, 1, 1}};
    Tile tile{{16, 1, 1}};
    const char* why = nullptr;
    auto map = encode(tensor, tile, kSharedBytes, why);
    ASSERT_TRUE(map);
    EXPECT_FALSE(replace_address(*map, 8));
    ASSERT_TRUE(replace_address(*map, 16));
    tensor.address = 16;
    EXPECT_EQ(map->words, encode(tensor, tile, kSharedBytes, why)->words);
    tensor.interleave = 2;
    EXPECT_FALSE(encode(tensor, tile, kSharedBytes, why));
    tensor.address = 0;
    map = encode(tensor, tile, kSharedBytes, why);
    ASSERT_TRUE(map) << why;
    EXPECT_FALSE(replace_address(*map, 16));
    EXPECT_TRUE(replace_address(*map, 32));
}

}  // namespace
}  // namespace tilescope::runtime::driver
