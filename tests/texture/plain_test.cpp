// Filtered planes have a way of their own through the texture unit: what it gives is what the way of volumes gives, for
// a volume of one slice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "scope/texture/unit.h"

namespace tilescope::texture {
namespace {

struct Kind {
    Format format;
    Reading reading;
    bool is_srgb = false;
};

TEST(PlainFetches, AreThoseOfAVolumeOfOneSlice) {
    constexpr std::uint32_t kWidth = 13, kHeight = 9;
    constexpr Kind kKinds[] = {
        {{Channel::kFloat, 1, 32}, Reading::kFloat},        {{Channel::kFloat, 4, 32}, Reading::kFloat},
        {{Channel::kFloat, 2, 16}, Reading::kFloat},        {{Channel::kUnsigned, 1, 8}, Reading::kNormalised},
        {{Channel::kUnsigned, 4, 8}, Reading::kNormalised}, {{Channel::kUnsigned, 4, 8}, Reading::kNormalised, true},
        {{Channel::kSigned, 4, 8}, Reading::kNormalised},   {{Channel::kUnsigned, 2, 16}, Reading::kNormalised},
        {{Channel::kSigned, 2, 16}, Reading::kNormalised}};
    std::mt19937 random(34);
    for (const Kind& kind : kKinds)
        for (int mode = 0; mode < 4; ++mode) {
            Texture texture;
            texture.image.format = kind.format;
            Level& level = texture.image.levels.front();
            level.width = kWidth;
            level.height = kHeight;
            level.pitch = kWidth * kind.format.bytes();
            level.slice = level.pitch * kHeight;
            std::vector<std::byte> bytes(level.slice);
            for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
            texture.image.bytes = bytes.data();
            texture.image.size = bytes.size();
            texture.reading = kind.reading;
            texture.sampler.is_srgb = kind.is_srgb;
            texture.sampler.filter = Filter::kLinear;
            texture.sampler.is_normalised = true;
            texture.sampler.modes[0] = texture.sampler.modes[1] = static_cast<AddressMode>(mode);
            texture.border = border_texel(kind.format, kind.reading, {0.25f, -1, 7, 0.5f});
            Fetch plane, volume;
            volume.geometry = Geometry::k3D;
            for (int i = 0; i < 2000; ++i) {
                Request request;
                request.at[0] = static_cast<float>(random() % 4096) / 1024 - 1.5f;
                request.at[1] = static_cast<float>(random() % 4096) / 1024 - 1.5f;
                request.at[2] = 0.5f;
                Footprint of_plane, of_volume;
                const Texel one = fetch(texture, plane, request, &of_plane);
                const Texel other = fetch(texture, volume, request, &of_volume);
                ASSERT_EQ(std::memcmp(one.data(), other.data(), sizeof one), 0) << mode << " " << i;
                ASSERT_EQ(of_plane.count(), of_volume.count());
                ASSERT_TRUE(std::equal(of_plane.begin(), of_plane.end(), of_volume.begin()));
            }
        }
}

}  // namespace
}  // namespace tilescope::texture
