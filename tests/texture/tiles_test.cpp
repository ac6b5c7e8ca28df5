// Where an H200 puts texels of four bytes, as bench/hardware/texture_layout.cu printed it (27 November 2026): how far
// on each power of two of a coordinate leads.
#include "scope/texture/tiles.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tilescope::texture {
namespace {

using Steps = std::vector<std::uint64_t>;

struct Measured {
    Shape shape;
    std::uint32_t width, height, depth;
    Steps x, y, z;
};
const std::vector<Measured> kMeasured = {
    {Shape::k2DLayered, 64, 8, 1, {4, 8, 64, 256, 512, 1024}, {16, 32, 128}, {}},
    {Shape::k2DLayered, 64, 16, 1, {4, 8, 64, 256, 1024, 2048}, {16, 32, 128, 512}, {}},
    {Shape::k2DLayered, 64, 64, 1, {4, 8, 64, 256, 4096, 8192}, {16, 32, 128, 512, 1024, 2048}, {}},
    {Shape::k2D,
     256,
     256,
     1,
     {4, 8, 64, 256, 8192, 16384, 32768, 65536},
     {16, 32, 128, 512, 1024, 2048, 4096, 131072},
     {}},
    {Shape::k2D,
     300,
     200,
     1,
     {4, 8, 64, 256, 8192, 16384, 32768, 65536, 131072},
     {16, 32, 128, 512, 1024, 2048, 4096, 155648},
     {}},
    {Shape::k2DLayered,
     256,
     64,
     4,
     {4, 8, 64, 256, 4096, 8192, 16384, 32768},
     {16, 32, 128, 512, 1024, 2048},
     {65536, 131072}},
    {Shape::k3D,
     64,
     64,
     64,
     {4, 8, 64, 256, 8192, 16384},
     {16, 32, 128, 32768, 65536, 131072},
     {512, 1024, 2048, 4096, 262144, 524288}},
    {Shape::k3D, 64, 64, 4, {4, 8, 64, 256, 2048, 4096}, {16, 32, 128, 8192, 16384, 32768}, {512, 1024}},
    {Shape::k3D, 32, 32, 16, {4, 8, 64, 256, 8192}, {16, 32, 128, 16384, 32768}, {512, 1024, 2048, 4096}},
};

Image image_of(const Measured& measured) {
    Image image;
    image.shape = measured.shape;
    image.address = 1 << 20;
    image.levels.front().width = measured.width;
    image.levels.front().height = measured.height;
    image.levels.front().depth = measured.depth;
    return image;
}

TEST(Tiles, LieWhereACardHasThem) {
    for (const Measured& measured : kMeasured) {
        Image image = image_of(measured);
        const std::uint64_t bytes = place_tiles(image);
        const Level& level = image.levels.front();
        const auto at = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
            return device_address(image, level, std::uint64_t{x} * 4, y, z) - image.address;
        };
        EXPECT_EQ(at(0, 0, 0), 0u);
        for (std::size_t i = 0; i < measured.x.size(); ++i) EXPECT_EQ(at(1u << i, 0, 0), measured.x[i]) << i;
        for (std::size_t i = 0; i < measured.y.size(); ++i) EXPECT_EQ(at(0, 1u << i, 0), measured.y[i]) << i;
        for (std::size_t i = 0; i < measured.z.size(); ++i) EXPECT_EQ(at(0, 0, 1u << i), measured.z[i]) << i;
        EXPECT_LE(at(measured.width - 1, measured.height - 1, measured.depth - 1) + 4, bytes);
        // Steps add up.
        EXPECT_EQ(at(13, 7, 0), at(8, 0, 0) + at(4, 0, 0) + at(1, 0, 0) + at(0, 4, 0) + at(0, 2, 0) + at(0, 1, 0));
    }
}

TEST(Tiles, NoTwoTexelsShareAPlace) {
    Image image = image_of({Shape::k3D, 20, 12, 5, {}, {}, {}});
    image.levels.resize(2, image.levels.front());
    image.levels[1].width = 10;
    image.levels[1].height = 6;
    image.levels[1].depth = 2;
    std::vector<char> taken(place_tiles(image) / 4);
    for (const Level& level : image.levels)
        for (std::uint32_t z = 0; z < level.depth; ++z)
            for (std::uint32_t y = 0; y < level.height; ++y)
                for (std::uint32_t x = 0; x < level.width; ++x) {
                    char& place = taken.at((device_address(image, level, x * 4, y, z) - image.address) / 4);
                    EXPECT_EQ(place, 0);
                    place = 1;
                }
}

void expect_found(const Image& image) {
    for (std::uint32_t number = 0; number < image.levels.size(); ++number) {
        const Level& level = image.levels[number];
        for (std::uint32_t z = 0; z < level.depth; ++z)
            for (std::uint32_t y = 0; y < level.height; ++y)
                for (std::uint32_t x = 0; x < level.width; ++x) {
                    const unsigned bytes = image.format.bytes();
                    TexelPlace place;
                    ASSERT_TRUE(find_texel(image, device_address(image, level, x * bytes, y, z) + bytes - 1, place));
                    ASSERT_EQ((std::array{place.level, place.column, place.row, place.slice}),
                              (std::array{number, x, y, z}));
                }
    }
}

TEST(Tiles, TellWhichTexelAnAddressIs) {
    for (const std::uint8_t bits : {8, 16, 32})
        for (const Shape shape : {Shape::k2D, Shape::k3D, Shape::k2DLayered}) {
            Image image = image_of({shape, 75, 140, 5, {}, {}, {}});
            image.format.bits = bits;
            image.format.channels = 2;
            if (shape == Shape::k2D) image.levels.front().depth = 1;
            image.levels.resize(2, image.levels.front());
            image.levels[1].width = 37;
            image.levels[1].height = 70;
            const std::uint64_t end = place_tiles(image);
            expect_found(image);
            TexelPlace place;
            EXPECT_FALSE(find_texel(image, image.address + end, place));
            EXPECT_FALSE(find_texel(image, image.address - 1, place));
        }
}

TEST(Tiles, TellWhichTexelOfRowsAnAddressIs) {
    Image image = image_of({Shape::kPitched, 50, 9, 1, {}, {}, {}});
    image.levels.front().pitch = 256;
    image.size = 9 * 256;
    expect_found(image);
    TexelPlace place;
    EXPECT_FALSE(find_texel(image, image.address + image.size, place));
    image.shape = Shape::kLinear;
    image.levels.front().width = 576;
    image.levels.front().height = 1;
    expect_found(image);
}

}  // namespace
}  // namespace tilescope::texture
