// Passes of the texture unit, as an H200 took time for a warp's fetch (bench/hardware/texture_pipe.cu, 27 November
// 2026): eight quads of an image of 256 by 256 texels, a cycle a pass.
#include "scope/observers/texture_rule.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "scope/texture/footprint.h"
#include "scope/texture/tiles.h"

namespace tilescope::observers {
namespace {

struct At {
    std::uint32_t x, y;
};
using Pattern = std::function<At(unsigned)>;

const TextureRules kRules{
    .latency = 120, .interval = 1, .tags = 4, .gather = 2, .wide = 2, .wide_surface = 4, .wide_filtered = 64};

// Of texels of so many bytes; filtered ones lie between two columns and two rows.
unsigned passes_of(unsigned bytes, bool filters, const Pattern& pattern) {
    texture::Image image;
    image.format = {texture::Channel::kUnsigned, static_cast<std::uint8_t>(bytes > 4 ? 4 : 1),
                    static_cast<std::uint8_t>(bytes > 4 ? bytes * 2 : bytes * 8)};
    image.levels.front().width = image.levels.front().height = 256;
    texture::place_tiles(image);
    std::vector<texture::Sector> sectors;
    std::vector<std::uint8_t> counts;
    const unsigned threads = texture::threads_of_part(texture::kQuad, filters, false, bytes);
    for (unsigned first = 0; first < 32; first += threads) {
        texture::Footprint footprint;
        for (unsigned lane = first; lane < first + threads; ++lane)
            for (unsigned texel = 0; texel < (filters ? 4u : 1u); ++texel) {
                const At at = pattern(lane);
                footprint.add(texture::device_address(image, image.levels.front(), (at.x + texel / 2) * bytes,
                                                      at.y + texel % 2, 0),
                              bytes);
            }
        for (unsigned i = 0; i < texture::times_asked(filters, bytes); ++i) {
            sectors.insert(sectors.end(), footprint.begin(), footprint.end());
            counts.push_back(static_cast<std::uint8_t>(footprint.count()));
        }
    }
    machine::Texels event;
    event.access.bytes = static_cast<std::uint8_t>(bytes);
    event.access.filters = filters;
    event.requests = 8;
    event.parts = static_cast<unsigned>(counts.size());
    event.counts = counts.data();
    event.sectors = sectors.data();
    event.count = static_cast<unsigned>(sectors.size());
    return texture_passes(event, kRules);
}

const Pattern kOne = [](unsigned) { return At{8, 8}; };
const Pattern kRow = [](unsigned i) { return At{i, 8}; };
const Pattern kTile = [](unsigned i) { return At{i % 8, i / 8}; };
const Pattern kQuads = [](unsigned i) { return At{i / 4 % 4 * 2 + i % 2, i / 16 * 2 + i / 2 % 2}; };
const Pattern kColumn = [](unsigned i) { return At{8, i}; };
const Pattern kRowBy8 = [](unsigned i) { return At{i * 8 % 120, 8}; };
const Pattern kApart = [](unsigned i) { return At{i % 2, i / 4 * 16 + i / 2 % 2}; };

TEST(TexturePasses, AreAQuadEachWhereTexelsLieTogether) {
    for (const unsigned bytes : {1u, 2u, 4u, 8u})
        for (const Pattern* pattern : {&kOne, &kRow, &kTile, &kQuads, &kColumn, &kApart})
            EXPECT_EQ(passes_of(bytes, false, *pattern), 8u) << bytes;
    for (const unsigned bytes : {1u, 2u, 4u})
        for (const Pattern* pattern : {&kOne, &kRow, &kTile, &kQuads, &kColumn, &kApart})
            EXPECT_EQ(passes_of(bytes, true, *pattern), 8u) << bytes;
}

TEST(TexturePasses, AreMoreWhereTexelsWantTheSameBanks) {
    EXPECT_EQ(passes_of(4, false, kRowBy8), 32u);
    EXPECT_EQ(passes_of(4, true, kRowBy8), 32u);
    EXPECT_EQ(passes_of(2, false, kRowBy8), 20u);
    EXPECT_EQ(passes_of(1, false, kRowBy8), 10u);
    EXPECT_EQ(passes_of(8, true, kRow), 16u);
    EXPECT_EQ(passes_of(8, true, kQuads), 8u);
}

TEST(TexturePasses, AreMoreOfTexelsOf16Bytes) {
    for (const Pattern* pattern : {&kOne, &kRow, &kTile, &kQuads, &kColumn, &kApart}) {
        EXPECT_EQ(passes_of(16, false, *pattern), 16u);
        EXPECT_EQ(passes_of(16, true, *pattern), 32u);
    }
    EXPECT_EQ(passes_of(16, true, kRowBy8), 64u);
}

}  // namespace
}  // namespace tilescope::observers
