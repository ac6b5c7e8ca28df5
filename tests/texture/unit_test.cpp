// The texture unit by hand; tests/truth/check_textures.py holds it against a card.
#include "scope/texture/unit.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "scope/texture/addressing.h"
#include "scope/texture/cube.h"
#include "scope/texture/filter.h"
#include "scope/texture/objects.h"
#include "tests/texture/image.h"

namespace tilescope::texture {
namespace {

float fetch_2d(const Texture& texture, float x, float y) {
    Request request;
    request.at[0] = x;
    request.at[1] = y;
    return std::bit_cast<float>(fetch(texture, Fetch{}, request)[0]);
}

TEST(Addressing, ModesWrapWholeTexels) {
    EXPECT_EQ(wrapped(-1, 5, AddressMode::kWrap), 4);
    EXPECT_EQ(wrapped(7, 5, AddressMode::kWrap), 2);
    EXPECT_EQ(wrapped(-1, 5, AddressMode::kMirror), 0);
    EXPECT_EQ(wrapped(5, 5, AddressMode::kMirror), 4);
    EXPECT_EQ(wrapped(-8, 5, AddressMode::kClamp), 0);
    EXPECT_EQ(wrapped(5, 5, AddressMode::kBorder), kOutside);
}

// 6/13 as a float is above 6/13, and still the card gives texel 5: it cuts coordinates to multiples of 2^-21.
TEST(Addressing, NormalisedCoordinatesAreCut) {
    EXPECT_EQ(nearest(0.4615384638309479f, 13, true), 5);
    EXPECT_EQ(nearest(6.0f, 13, false), 6);
    EXPECT_EQ(between(6.0f, 13, false).whole(), 5);
    EXPECT_EQ(between(6.0f, 13, false).fraction(), 128);
}

TEST(Addressing, NoCoordinateIsOutOfReach) {
    const TestImage image(4, 4);
    for (const float at : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN(), 3e38f, -3e38f})
        EXPECT_GE(fetch_2d(image.texture, at, at), 0);
}

TEST(Filter, HalvesOfWeightsGoToTheSecondButInTheFirstColumn) {
    EXPECT_EQ(share(3, 128), 2);
    EXPECT_EQ(share_rows(3, 128, true), 2);
    EXPECT_EQ(share_rows(3, 128, false), 1);
}

TEST(Filter, BetweenFourTexels) {
    TestImage image(2, 2);
    image.texture.sampler.filter = Filter::kLinear;
    EXPECT_EQ(fetch_2d(image.texture, 1, 1), 1.5f);
    EXPECT_EQ(fetch_2d(image.texture, 0.75f, 0.5f), 0.25f);
    EXPECT_EQ(fetch_2d(image.texture, -5, 0.5f), 0);
}

TEST(Filter, SumsAreRoundedAwayFromZero) {
    TestImage image(2, 1);
    image.texture.sampler.filter = Filter::kLinear;
    image.at(0, 0) = 1;
    image.at(1, 0) = 1 + std::numeric_limits<float>::epsilon();
    EXPECT_EQ(fetch_2d(image.texture, 1, 0.5f), image.at(1, 0));
}

TEST(Filter, BorderCountsWhereItIsAskedFor) {
    TestImage image(2, 2);
    image.texture.sampler.modes = {AddressMode::kBorder, AddressMode::kBorder, AddressMode::kBorder};
    image.texture.border = border_texel(image.texture.image.format, Reading::kFloat, {8, 0, 0, 0});
    EXPECT_EQ(fetch_2d(image.texture, -1, 0), 8);
    EXPECT_EQ(fetch_2d(image.texture, 1.5f, 1.5f), 3);
}

TEST(Formats, HalvesGoThereAndBack) {
    for (std::uint32_t bits = 0; bits < 0x7c00; ++bits)
        EXPECT_EQ(float_to_half(half_to_float(static_cast<std::uint16_t>(bits))), bits);
    EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
}

TEST(Cubes, EveryTexelBeyondAnEdgeLiesOnAnotherFace) {
    for (std::uint32_t face = 0; face < 6; ++face)
        for (std::int64_t i = 0; i < 4; ++i) {
            EXPECT_NE(across_edge(face, -1, i, 4).face, face);
            EXPECT_NE(across_edge(face, i, 4, 4).face, face);
            EXPECT_EQ(across_edge(face, i, 3, 4).face, face);
        }
}

TEST(Handles, AreNeverGivenTwice) {
    Objects objects;
    const std::uint64_t first = objects.add(Texture{});
    EXPECT_NE(objects.texture(first), nullptr);
    EXPECT_TRUE(objects.remove_texture(first));
    EXPECT_FALSE(objects.remove_texture(first));
    EXPECT_EQ(objects.texture(first), nullptr);
    EXPECT_TRUE(objects.was_texture(first));
    EXPECT_FALSE(objects.was_texture(first + 1));
    EXPECT_NE(objects.add(Texture{}), first);
    EXPECT_EQ(objects.surface(first), nullptr);
}

}  // namespace
}  // namespace tilescope::texture
