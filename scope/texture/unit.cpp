#include "scope/texture/unit.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "scope/texture/addressing.h"
#include "scope/texture/cube.h"
#include "scope/texture/filter.h"
#include "scope/texture/level.h"
#include "scope/texture/tiles.h"

namespace tilescope::texture {
namespace {

Texel bits_of(const std::array<float, 4>& numbers) {
    Texel texel;
    for (unsigned i = 0; i < 4; ++i) texel[i] = std::bit_cast<std::uint32_t>(numbers[i]);
    return texel;
}

constexpr std::array<std::byte, 16> kNothing{};

// How many channels are sRGB's: three of four, else the first.
unsigned srgb_channels(const Texture& texture) {
    const Format& format = texture.image.format;
    if (!texture.sampler.is_srgb || format.bits != 8 || texture.reading != Reading::kNormalised) return 0;
    return format.channels == 4 ? 3 : 1;
}

// One level of the image, at one slice or layer where the geometry does not filter over it.
class Plane {
public:
    Plane(const Texture& texture, const Level& level, std::uint32_t slice, Footprint* footprint)
        : texture_(texture), level_(level), slice_(slice), footprint_(footprint) {}

    const std::byte* at(std::int64_t x, std::int64_t y, std::int64_t z) const {
        if (x < 0 || y < 0 || z < 0) return texture_.border.data();
        const auto row = static_cast<std::uint32_t>(y);
        const auto slice = slice_ + static_cast<std::uint32_t>(z);
        const auto column = static_cast<std::uint32_t>(x);
        if (!texture_.image.holds(level_, column, row, slice)) return kNothing.data();
        if (footprint_ != nullptr)
            footprint_->add(device_address(texture_.image, level_,
                                           std::uint64_t{column} * texture_.image.format.bytes(), row, slice),
                            texture_.image.format.bytes());
        return texture_.image.texel(level_, column, row, slice);
    }
    Texel texel(std::int64_t x, std::int64_t y, std::int64_t z) const {
        const std::byte* bytes = at(x, y, z);
        Texel texel = read(texture_.image.format, texture_.reading, bytes);
        for (unsigned i = 0; i < srgb_channels(texture_); ++i)
            texel[i] = std::bit_cast<std::uint32_t>(linear_of_srgb(std::to_integer<std::uint8_t>(bytes[i])));
        return texel;
    }
    std::array<double, 4> to_filter(std::int64_t x, std::int64_t y, std::int64_t z) const {
        std::array<double, 4> values{};
        to_be_filtered(texture_.image.format, texture_.reading, srgb_channels(texture_), at(x, y, z), values.data());
        return values;
    }

private:
    const Texture& texture_;
    const Level& level_;
    std::uint32_t slice_;
    Footprint* footprint_;
};

struct Where {
    Footprint* footprint = nullptr;
    const Level* level = nullptr;
    unsigned dimensions = 2;
    std::uint32_t slice = 0;
    float at[3] = {};
    bool is_normalised = false;
    bool is_seamless = false;  // of a cube's faces, whose edges are no ends
    AddressMode mode(const Sampler& sampler, unsigned i) const {
        return is_seamless ? AddressMode::kClamp : mode_of(sampler, i);
    }
    std::uint32_t size(unsigned i) const { return i == 0 ? level->width : i == 1 ? level->height : level->depth; }
};

std::array<std::int64_t, 3> nearest_texel(const Texture& texture, const Where& where, const Request& request) {
    std::array<std::int64_t, 3> at{};
    for (unsigned i = 0; i < where.dimensions; ++i) {
        const AddressMode mode = where.mode(texture.sampler, i);
        const std::int64_t whole = nearest(where.at[i], where.size(i), where.is_normalised);
        at[i] = wrapped(whole + request.offset[i], where.size(i), mode);
    }
    return at;
}

Texel sample_point(const Texture& texture, const Where& where, const Request& request) {
    const std::array<std::int64_t, 3> at = nearest_texel(texture, where, request);
    return Plane(texture, *where.level, where.slice, where.footprint).texel(at[0], at[1], at[2]);
}

// The two texels along a dimension, and the weight of the second.
struct Pair {
    std::int64_t first = 0, second = 0;
    int fraction = 0;
};

Pair pair_along(const Texture& texture, const Where& where, const Request& request, unsigned i) {
    const AddressMode mode = where.mode(texture.sampler, i);
    const std::uint32_t size = where.size(i);
    Fixed fixed = between(where.at[i], size, where.is_normalised);
    fixed.value += std::int64_t{request.offset[i]} * kWholeWeight;
    if (where.is_seamless) return {fixed.whole(), fixed.whole() + 1, fixed.fraction()};
    // What is clamped lies on a texel, not between two.
    if (mode == AddressMode::kClamp)
        fixed.value = std::clamp<std::int64_t>(fixed.value, 0, (std::int64_t{size} - 1) * kWholeWeight);
    const std::int64_t lower = fixed.whole();
    return {wrapped(lower, size, mode), wrapped(lower + 1, size, mode), fixed.fraction()};
}

// A texel of a cube, on this face or beyond an edge.
std::array<double, 4> on_faces(const Texture& texture, const Where& where, std::int64_t x, std::int64_t y) {
    const CubeTexel there = across_edge(where.slice % 6, x, y, where.level->width);
    const std::uint32_t cube = where.slice / 6 * 6;
    return Plane(texture, *where.level, cube + there.face, where.footprint).to_filter(there.x, there.y, 0);
}

// Whether a place lies beyond two edges of a face.
bool is_beyond(const Where& where, std::int64_t x, std::int64_t y) {
    const std::int64_t size = where.level->width;
    return (x < 0 || x >= size) && (y < 0 || y >= size);
}

// Beyond a corner of a cube there is no texel: its weight goes to the three around, a third to the nearest to each of
// those beyond an edge, and the rest to that on this face.
void share_corner(Quad& quad, unsigned corner) {
    const int third = (2 * quad.weights[corner] + 3) / 6;
    quad.weights[corner ^ 3] += quad.weights[corner] - 2 * third;
    quad.weights[corner ^ 1] += third;
    quad.weights[corner ^ 2] += third;
    quad.weights[corner] = 0;
}

// Adds the texels of one level, which share `weight`.
void add_texels(const Texture& texture, const Where& where, const Request& request, int weight, Sum& sum) {
    const Plane plane(texture, *where.level, where.slice, where.footprint);
    Pair pairs[3];
    for (unsigned i = 0; i < where.dimensions; ++i) pairs[i] = pair_along(texture, where, request, i);
    if (texture.sampler.filter == Filter::kPoint) {
        Quad quad;
        quad.weights[0] = weight;
        quad.count = 1;
        const std::array<std::int64_t, 3> texel = nearest_texel(texture, where, request);
        quad.values[0] = plane.to_filter(texel[0], texel[1], texel[2]);
        sum.add(quad);
        return;
    }
    const auto at = [](const Pair& pair, unsigned which) { return which != 0 ? pair.second : pair.first; };
    for (unsigned z = 0; z < (where.dimensions > 2 ? 2u : 1u); ++z) {
        const int behind = share(weight, pairs[2].fraction);
        const int of_slice = z != 0 ? behind : weight - behind;
        if (z != 0 && pairs[2].fraction == 0) continue;
        Quad quad;
        unsigned corner = 4;  // of the quad, none yet
        for (unsigned x = 0; x < 2; ++x) {
            const int beside = share(of_slice, pairs[0].fraction);
            const int of_column = x != 0 ? beside : of_slice - beside;
            for (unsigned y = 0; y < (where.dimensions > 1 ? 2u : 1u); ++y) {
                const int below = share_rows(of_column, pairs[1].fraction, x != 0);
                quad.weights[quad.count] = y != 0 ? below : of_column - below;
                // What has no share at all is not fetched; what has one that comes to nothing is.
                if ((x != 0 && pairs[0].fraction == 0) || (y != 0 && pairs[1].fraction == 0)) continue;
                const bool is_corner = where.is_seamless && is_beyond(where, at(pairs[0], x), at(pairs[1], y));
                if (is_corner) {
                    corner = quad.count++;
                    continue;
                }
                quad.values[quad.count++] = where.is_seamless
                                                ? on_faces(texture, where, at(pairs[0], x), at(pairs[1], y))
                                                : plane.to_filter(at(pairs[0], x), at(pairs[1], y), at(pairs[2], z));
            }
        }
        if (corner < quad.count) share_corner(quad, corner);
        sum.add(quad);
    }
}

Texel sample_linear(const Texture& texture, const Where& first, const Where* second, int fraction,
                    const Request& request) {
    Sum sum(texture.image.format, texture.reading, srgb_channels(texture));
    add_texels(texture, first, request, kWholeWeight - fraction, sum);
    if (second != nullptr) add_texels(texture, *second, request, fraction, sum);
    return bits_of(sum.result());
}

// A line or a plane of one level, filtered, none of whose texels lies outside: what most fetches are. False: it is not
// that, and nothing was done.
bool sample_plain(const Texture& texture, const Where& where, const Request& request, Texel& texel) {
    const Image& image = texture.image;
    const Level& level = *where.level;
    if (where.dimensions > 2 || where.is_seamless || texture.sampler.filter != Filter::kLinear ||
        !Sum::can_do_plainly(image.format, texture.reading, srgb_channels(texture)) ||
        !image.holds(level, level.width - 1, level.height - 1, where.slice))
        return false;
    const Pair x = pair_along(texture, where, request, 0);
    const Pair y = where.dimensions > 1 ? pair_along(texture, where, request, 1) : Pair{};
    const bool has_second_column = x.fraction != 0, has_second_row = y.fraction != 0;
    if (x.first < 0 || y.first < 0 || (has_second_column && x.second < 0) || (has_second_row && y.second < 0))
        return false;
    FlatQuad quad;
    for (unsigned column = 0; column < (has_second_column ? 2u : 1u); ++column) {
        const int beside = share(kWholeWeight, x.fraction);
        const int of_column = column != 0 ? beside : kWholeWeight - beside;
        const auto at_x = static_cast<std::uint32_t>(column != 0 ? x.second : x.first);
        for (unsigned row = 0; row < (has_second_row ? 2u : 1u); ++row) {
            const int below = share_rows(of_column, y.fraction, column != 0);
            const auto at_y = static_cast<std::uint32_t>(row != 0 ? y.second : y.first);
            if (where.footprint != nullptr)
                where.footprint->add(
                    device_address(image, level, std::uint64_t{at_x} * image.format.bytes(), at_y, where.slice),
                    image.format.bytes());
            quad.weights[quad.count] = row != 0 ? below : of_column - below;
            quad.texels[quad.count++] = image.texel(level, at_x, at_y, where.slice);
        }
    }
    texel = bits_of(Sum::of(image.format, quad));
    return true;
}

// The texels around a coordinate, counter-clockwise from the lower left.
Texel gather(const Texture& texture, const Where& where, const Request& request, unsigned channel) {
    const auto pair = [&](unsigned i) {
        const AddressMode mode = mode_of(texture.sampler, i);
        const std::int64_t lower = between(where.at[i], where.size(i), where.is_normalised).whole() + request.offset[i];
        return Pair{wrapped(lower, where.size(i), mode), wrapped(lower + 1, where.size(i), mode), 0};
    };
    const Pair x = pair(0), y = pair(1);
    const Plane plane(texture, *where.level, where.slice, where.footprint);
    return {plane.texel(x.first, y.second, 0)[channel], plane.texel(x.second, y.second, 0)[channel],
            plane.texel(x.second, y.first, 0)[channel], plane.texel(x.first, y.first, 0)[channel]};
}

Where where_of(const Texture& texture, const Fetch& how, const Request& request, const Level& level) {
    Where where;
    where.level = &level;
    where.dimensions = dimensions_of(how.geometry);
    where.is_normalised = texture.sampler.is_normalised;
    std::copy_n(request.at, 3, where.at);
    // A line is a picture of one row, at whose edge a fetch without another coordinate lies: half of what is filtered
    // is the border's, where the second mode is that.
    if (how.geometry == Geometry::k1D && texture.sampler.modes[1] == AddressMode::kBorder && !how.is_whole)
        where.dimensions = 2;
    const auto layers = std::max(1u, is_cube(how.geometry) ? level.depth / 6 : level.depth);
    if (is_layered(how.geometry)) where.slice = std::min(request.layer, layers - 1);
    if (is_cube(how.geometry)) {
        const OnCube on = on_cube(request.at[0], request.at[1], request.at[2]);
        where.at[0] = on.s;
        where.at[1] = on.t;
        where.dimensions = 2;
        where.is_normalised = true;
        where.is_seamless = texture.sampler.is_seamless && !how.gathers;
        where.slice = std::min(where.slice * 6 + on.face, level.depth - 1);
    }
    return where;
}

// Linear memory holds nothing beyond its end, and is read by whole coordinates alone.
Texel fetch_linear(const Texture& texture, const Fetch& how, const Request& request, Footprint* footprint) {
    const Level& level = texture.image.levels.front();
    const std::int64_t at = request.whole[0];
    if (!how.is_whole || how.geometry != Geometry::k1D || at < 0 || at >= std::int64_t{level.width}) return {};
    return Plane(texture, level, 0, footprint).texel(at, 0, 0);
}

// Whole coordinates know no mode unless a level is named: beyond the image, its layers and levels there is 0, and so
// there is of a line.
Texel fetch_whole(const Texture& texture, const Fetch& how, const Request& request, Footprint* footprint) {
    const std::vector<Level>& levels = texture.image.levels;
    const auto number = how.level == LevelFrom::kOperand ? static_cast<std::uint32_t>(request.whole_level) : 0u;
    if (number >= levels.size() || how.geometry == Geometry::k1D) return {};
    const Level& level = levels[number];
    const unsigned dimensions = dimensions_of(how.geometry);
    const std::uint32_t sizes[] = {level.width, level.height, level.depth};
    std::int64_t at[3] = {};
    for (unsigned i = 0; i < dimensions; ++i) {
        const std::int64_t there = std::int64_t{request.whole[i]} + request.offset[i];
        at[i] = how.level == LevelFrom::kOperand ? wrapped(there, sizes[i], mode_of(texture.sampler, i)) : there;
        if (how.level != LevelFrom::kOperand && (there < 0 || there >= std::int64_t{sizes[i]})) return {};
    }
    if (is_layered(how.geometry) && request.layer >= level.depth) return {};
    return Plane(texture, level, is_layered(how.geometry) ? request.layer : 0, footprint).texel(at[0], at[1], at[2]);
}

LevelChoice choose_level(const Texture& texture, const Fetch& how, const Request& request) {
    switch (how.level) {
        case LevelFrom::kNothing: return level_of(texture, 0);
        case LevelFrom::kGradients:
            if (is_cube(how.geometry))
                return level_of(texture, level_of_cube_gradients(texture, request.at, request.dx, request.dy));
            return level_of(texture, level_of_gradients(texture, request.dx, request.dy, dimensions_of(how.geometry)));
        case LevelFrom::kOperand: break;
    }
    return level_of(texture, request.level);
}

}  // namespace

Texel fetch(const Texture& texture, const Fetch& how, const Request& request, Footprint* footprint) {
    if (texture.image.shape == Shape::kLinear) return fetch_linear(texture, how, request, footprint);
    if (how.is_whole) return fetch_whole(texture, how, request, footprint);
    const LevelChoice chosen = choose_level(texture, how, request);
    const std::vector<Level>& levels = texture.image.levels;
    Where first = where_of(texture, how, request, levels[chosen.first]);
    first.footprint = footprint;
    if (how.gathers) return gather(texture, first, request, how.channel);
    const bool filters = texture.sampler.filter == Filter::kLinear && texture.reading != Reading::kBits;
    const bool blends = chosen.fraction != 0 && texture.reading != Reading::kBits;
    if (!filters && !blends) return sample_point(texture, first, request);
    Texel plain;
    if (!blends && sample_plain(texture, first, request, plain)) return plain;
    Where second;
    if (blends) second = where_of(texture, how, request, levels[chosen.first + 1]);
    second.footprint = footprint;
    return sample_linear(texture, first, blends ? &second : nullptr, blends ? chosen.fraction : 0, request);
}

}  // namespace tilescope::texture
