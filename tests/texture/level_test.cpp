// Levels that gradients of cubes come to, as an H200 gave them (driver 580.159.04, 27 November 2026), in 256ths: a face
// of 1,024 texels, within the 256th that the last step of the card's logarithm leaves open
// (docs/reference/textures.md).
#include "scope/texture/level.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "scope/texture/cube.h"

namespace tilescope::texture {
namespace {

struct Row {
    float at[3], dx[3], dy[3];
    int level;
};

// Steps within a face, over an edge, with one and with both gradients; directions of any length.
constexpr Row kRows[] = {
    {{0x0p+0f, 0x1p+0f, 0x0p+0f}, {0x1.a67d56p-4f, 0x0p+0f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 1465},
    {{-0x1p+0f, 0x0p+0f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, -0x1.f81ac4p-5f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 1275},
    {{-0x1p+0f, 0x0p+0f, 0x0p+0f},
     {-0x1.bdfa4p-10f, -0x1.0d36a4p-10f, 0x1.4b7fd6p-8f},
     {0x0p+0f, 0x0p+0f, 0x0p+0f},
     375},
    {{0x0p+0f, -0x1p+0f, 0x0p+0f},
     {-0x1.6bac14p-9f, -0x1.616d2ep-9f, -0x1.bff554p-10f},
     {0x0p+0f, 0x0p+0f, 0x0p+0f},
     200},
    {{-0x1.a2bd6p-3f, -0x1.a4467p-2f, 0x1.222728p-2f},
     {-0x1.cb9446p-7f, 0x1.4c8762p-8f, -0x1.48034p-8f},
     {0x0p+0f, 0x0p+0f, 0x0p+0f},
     1134},
    {{-0x1.33833p-2f, -0x1.2f7368p-2f, -0x1.73c268p-1f},
     {-0x1.6b3412p-3f, 0x1.2a1a42p-3f, 0x1.fc506p-3f},
     {0x0p+0f, 0x0p+0f, 0x0p+0f},
     2125},
    {{-0x1.cca34p-3f, -0x1.a6bd68p-1f, 0x1.e96aap-2f},
     {0x1.fd9088p-10f, -0x1.cb967p-11f, 0x1.6b5aaap-9f},
     {0x0p+0f, 0x0p+0f, 0x0p+0f},
     231},
    {{0x1.a09f1p-1f, -0x1.5fe66p-1f, -0x1.154838p-2f},
     {-0x1.262932p-5f, -0x1.d467cep-8f, -0x1.f4e60cp-5f},
     {0x0p+0f, 0x0p+0f, 0x0p+0f},
     1490},
    {{0x1.bfcafp-2f, 0x1.e0e83p-2f, 0x1.9a19cp-5f},
     {-0x1.a0ea28p-9f, 0x1.438ee6p-6f, 0x1.165bdp-6f},
     {-0x1.1493bep-7f, -0x1.2b14e8p-5f, 0x1.c5f32ap-8f},
     1333},
    {{0x1.199bcp-3f, 0x1.a3fcc4p-1f, -0x1.ea8d3p-3f},
     {0x1.a0fdcap-3f, 0x1.26c0b2p-4f, -0x1.fd606ep-4f},
     {0x1.7670b6p-8f, 0x1.41c166p-9f, -0x1.b7f42p-12f},
     1798},
    {{0x1.39cc88p-1f, 0x1.c57c58p-2f, -0x1.5f84c4p-1f},
     {0x1.e8b2f6p-5f, -0x1.ec3cbep-5f, -0x1.16b68ep-3f},
     {0x1.2e8b4p-8f, -0x1.9e42e6p-6f, -0x1.e8009p-8f},
     1719},
    {{-0x1.d569bp-1f, 0x1.d77094p-1f, 0x1.5a4a3p-3f},
     {0x1.3a9816p-9f, 0x1.7b5e24p-9f, -0x1.9c4a64p-8f},
     {0x1.00e86ep-8f, -0x1.23f64ep-9f, 0x1.d21076p-10f},
     578},
    {{0x1.938f26p+2f, -0x1.0e2082p+2f, 0x1.dd7eccp+1f},
     {-0x1.32762ap-8f, 0x1.6db88ap-7f, -0x1.8e497p-6f},
     {0x1.b1c30ep-8f, -0x1.09f89ap-5f, 0x1.301d1ap-5f},
     488},
    {{0x1.b2c542p-6f, 0x1.ebe8a2p-2f, 0x1.19931cp-1f},
     {0x1.9649ap-10f, 0x1.1c8df8p-10f, -0x1.f81f16p-10f},
     {0x1.2a6534p-4f, 0x1.947f74p-6f, 0x1.8a4e58p-6f},
     1542},
    {{0x1.80d59ep-4f, 0x1.15fcc6p-3f, 0x1.a73468p-6f},
     {-0x1.09e3eep-2f, 0x1.c2b396p-5f, 0x1.0acbd2p-3f},
     {-0x1.361a7cp-12f, 0x1.32bfbap-6f, -0x1.32d9ap-9f},
     2516},
    {{-0x1.a0ab48p-1f, 0x1.d9f37p+0f, -0x1.9aea34p+0f},
     {-0x1.6d65ecp-10f, -0x1.de2d9p-10f, -0x1.6a4bf8p-10f},
     {-0x1.62fe06p-6f, 0x1.45a53p-6f, 0x1.138426p-5f},
     1003},
    {{-0x1.c6614p-4f, -0x1.486e1p-1f, -0x1.9f582p-2f},
     {0x0p+0f, -0x1.24f998p-3f, 0x0p+0f},
     {0x0p+0f, 0x0p+0f, 0x0p+0f},
     1540},
    {{-0x1.4c7e8cp-1f, 0x1.c5736cp-1f, 0x1.b410c8p-1f},
     {0x0p+0f, 0x0p+0f, 0x1.415a9ap-6f},
     {0x0p+0f, 0x0p+0f, 0x0p+0f},
     896},
    {{-0x1.1cd578p-1f, 0x1.503348p-1f, -0x1.e8c6acp-1f},
     {0x1.5524d6p-6f, 0x0p+0f, 0x0p+0f},
     {0x0p+0f, 0x0p+0f, 0x0p+0f},
     891},
    {{0x1.aa81fp-2f, 0x1.dc6e4p-1f, 0x1.497f8cp-1f},
     {0x0p+0f, -0x1.e9eedp-4f, 0x0p+0f},
     {0x0p+0f, 0x0p+0f, 0x0p+0f},
     1535},
};

Texture cube_of(std::uint32_t size, std::uint32_t levels) {
    Texture texture;
    texture.image.shape = Shape::kCube;
    texture.image.levels.resize(levels);
    for (Level& level : texture.image.levels) level.width = level.height = size;
    texture.sampler.between_levels = Filter::kLinear;
    texture.sampler.max_level = 20;
    return texture;
}

TEST(CubeGradients, AreTheCards) {
    const Texture texture = cube_of(1024, 11);
    for (const Row& row : kRows) {
        const LevelChoice chosen = level_of(texture, level_of_cube_gradients(texture, row.at, row.dx, row.dy));
        EXPECT_NEAR(static_cast<int>(chosen.first) * 256 + chosen.fraction, row.level, 1) << row.at[0];
    }
}

TEST(CubeGradients, ToTheOppositeFaceAreTheLastLevel) {
    const Texture texture = cube_of(1024, 11);
    const float at[] = {0.1f, 0.2f, 1}, over[] = {0, 0, -3}, none[] = {0, 0, 0};
    EXPECT_EQ(level_of(texture, level_of_cube_gradients(texture, at, over, none)).first, 10u);
    EXPECT_EQ(level_of(texture, level_of_cube_gradients(texture, at, none, none)).first, 0u);
}

TEST(CubeGradients, AreSafeForAnyNumbers) {
    const Texture texture = cube_of(1024, 11);
    const float kInfinity = std::numeric_limits<float>::infinity(), kNothing = std::numeric_limits<float>::quiet_NaN();
    for (const float a : {0.0f, 1.0f, kInfinity, kNothing})
        for (const float b : {0.0f, -1.0f, -kInfinity, kNothing}) {
            const float at[] = {a, b, a}, by[] = {b, a, a};
            EXPECT_LE(level_of(texture, level_of_cube_gradients(texture, at, by, at)).first, 10u);
        }
}

// The parts of a power of two whose level is not simply their middle's, to the nearest, and some that are; and that all
// of a part is alike (bench/hardware/texture_probe.cu, an H200, 27 November 2026).
TEST(Gradients, HaveTheCardsLogarithm) {
    constexpr int kParts[][2] = {{0, 0},     {1, 2},     {2, 4},     {61, 79},   {62, 81},   {86, 107},  {108, 130},
                                 {109, 131}, {110, 132}, {111, 133}, {115, 137}, {116, 138}, {117, 139}, {128, 150},
                                 {141, 162}, {162, 181}, {170, 188}, {254, 255}, {255, 255}};
    Texture texture = cube_of(1024, 11);
    texture.image.shape = Shape::k1D;
    texture.sampler.is_normalised = true;
    const float none[] = {0};
    for (const auto& [part, level] : kParts)
        for (const float within : {0.0f, 0.5f, 0.99f}) {
            const float dx[] = {8 * (256 + static_cast<float>(part) + within) / 256 / 1024};
            const LevelChoice chosen = level_of(texture, level_of_gradients(texture, dx, none, 1));
            EXPECT_EQ(static_cast<int>(chosen.first) * 256 + chosen.fraction, 3 * 256 + level) << part << " " << within;
        }
}

// What the shorter part of a gradient adds is cut at 2^-9 of the longer one's power of two.
TEST(Gradients, CutTheirLesserParts) {
    Texture texture = cube_of(1024, 11);
    texture.image.shape = Shape::k2D;
    const float none[] = {0, 0};
    const auto level = [&](float x, float y) {
        const float dx[] = {x, y};
        const LevelChoice chosen = level_of(texture, level_of_gradients(texture, dx, none, 2));
        return static_cast<int>(chosen.first) * 256 + chosen.fraction;
    };
    // 511/512 and a bit of a part more; 11/32 of the other is just below and just above 1/512.
    const float longer = 1 + 511.5f / 512;
    EXPECT_EQ(level(longer, 0.005f), level(longer, 0));
    EXPECT_EQ(level(longer, 0.006f), 256);
}

}  // namespace
}  // namespace tilescope::texture
