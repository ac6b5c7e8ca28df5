// Sectors of a warp's requests, as an H200 counted them (bench/hardware/texture_counters.cu, 27 November 2026).
#include "scope/texture/footprint.h"

#include <gtest/gtest.h>

#include <functional>

#include "scope/texture/unit.h"
#include "tests/texture/image.h"

namespace tilescope::texture {
namespace {

struct At {
    int x, y;
};

unsigned sectors_of(const Texture& texture, float shift, const std::function<At(int)>& at) {
    unsigned sectors = 0;
    for (unsigned quad = 0; quad < 8; ++quad) {
        Footprint footprint;
        for (unsigned lane = quad * kQuad; lane < (quad + 1) * kQuad; ++lane) {
            const At place = at(static_cast<int>(lane));
            Request request;
            request.at[0] = static_cast<float>(place.x) + shift;
            request.at[1] = static_cast<float>(place.y) + shift;
            fetch(texture, Fetch{}, request, &footprint);
        }
        sectors += footprint.count();
    }
    return sectors;
}

const auto kRow = [](int lane) { return At{lane, 0}; };
const auto kRowFrom3 = [](int lane) { return At{lane + 3, 0}; };
const auto kColumn = [](int lane) { return At{0, lane}; };
const auto kTile = [](int lane) { return At{lane % 8, lane / 8}; };
const auto kOne = [](int) { return At{8, 8}; };

TEST(Footprint, PointsOfAnArray) {
    const TestImage image(256, 256);
    EXPECT_EQ(sectors_of(image.texture, 0.5f, kOne), 8u);
    EXPECT_EQ(sectors_of(image.texture, 0.5f, kRow), 8u);
    EXPECT_EQ(sectors_of(image.texture, 0.5f, kRowFrom3), 16u);
    EXPECT_EQ(sectors_of(image.texture, 0.5f, kColumn), 16u);
    EXPECT_EQ(sectors_of(image.texture, 0.5f, kTile), 8u);
}

TEST(Footprint, FilteredTexelsThatHaveAWeight) {
    TestImage image(256, 256);
    image.texture.sampler.filter = Filter::kLinear;
    EXPECT_EQ(sectors_of(image.texture, 1.0f, kOne), 8u);
    EXPECT_EQ(sectors_of(image.texture, 1.0f, kRow), 16u);
    EXPECT_EQ(sectors_of(image.texture, 1.0f, kColumn), 24u);
    EXPECT_EQ(sectors_of(image.texture, 1.0f, kTile), 24u);
    EXPECT_EQ(sectors_of(image.texture, 0.5f, kRow), 8u);
}

TEST(Footprint, PitchedMemoryHasSectorsOf32Bytes) {
    TestImage image(256, 256);
    image.texture.image.shape = Shape::kPitched;
    EXPECT_EQ(sectors_of(image.texture, 0.5f, kRow), 8u);
    EXPECT_EQ(sectors_of(image.texture, 0.5f, kRowFrom3), 12u);
    EXPECT_EQ(sectors_of(image.texture, 0.5f, kColumn), 32u);
}

}  // namespace
}  // namespace tilescope::texture
