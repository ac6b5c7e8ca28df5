#include "scope/isa/families/texel_lanes.h"

#include <algorithm>
#include <cstddef>

#include "scope/isa/families/texel_places.h"
#include "scope/isa/families/texel_values.h"
#include "scope/texture/level.h"
#include "scope/texture/tiles.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using texture::Fetch;
using texture::Format;
using texture::Image;
using texture::Level;
using texture::Texture;

// Where lanes read: texels of one level, or pairs of them along two dimensions.
struct Places {
    const Level* level = nullptr;
    LaneTexels x, y;
    alignas(64) std::int32_t slice[kWarpSize] = {};
    bool is_filtered = false;
    bool is_inside = true;
};

// How many channels are sRGB's: three of four, else the first.
unsigned colours_of(const Texture& texture) {
    const Format& format = texture.image.format;
    if (!texture.sampler.is_srgb || format.bits != 8 || texture.reading != texture::Reading::kNormalised) return 0;
    return format.channels == 4 ? 3 : 1;
}

// The level that all lanes read, alone; null: there is none.
const Level* level_of_all(const Texture& texture, const Fetch& how) {
    const Image& image = texture.image;
    if (how.level != texture::LevelFrom::kNothing) return nullptr;
    texture::LevelChoice choice;
    if (!how.is_whole) choice = texture::level_of(texture, 0);
    if (choice.fraction != 0 && texture.reading != texture::Reading::kBits) return nullptr;
    const Level& level = image.levels[choice.first];
    return image.holds(level, level.width - 1, level.height - 1, level.depth - 1) ? &level : nullptr;
}

bool is_for_all(const Texture& texture, const Fetch& how, const LaneRequests& from) {
    if (how.gathers || from.has_offsets || texture::is_cube(how.geometry)) return false;
    if (texture.image.shape == texture::Shape::kLinear) return how.is_whole && how.geometry == texture::Geometry::k1D;
    // Whole coordinates find nothing in a line that is an array; beside a line a border may begin.
    if (how.geometry == texture::Geometry::k1D)
        return !how.is_whole && texture.sampler.modes[1] != texture::AddressMode::kBorder;
    return true;
}

bool are_inside(const std::int32_t* at, std::uint32_t exec, std::uint32_t size) {
    std::uint32_t outside = 0;
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i)
        outside |= static_cast<std::uint32_t>(static_cast<std::uint32_t>(at[i]) >= size) << i;
    return (outside & exec) == 0;
}

// Lanes that do not take part read the first texel.
void copy_texels(const std::int32_t* from, std::uint32_t exec, std::int32_t* to) {
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) to[i] = (exec >> i & 1u) != 0 ? from[i] : 0;
}

bool find_slices(const Fetch& how, const LaneRequests& from, std::uint32_t exec, Places& places) {
    if (!texture::is_layered(how.geometry)) return true;
    const std::uint32_t depth = places.level->depth;
    const auto* const layers = reinterpret_cast<const std::int32_t*>(from.layer);
    if (how.is_whole && !are_inside(layers, exec, depth)) return false;
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i)
        places.slice[i] = (exec >> i & 1u) != 0 ? static_cast<std::int32_t>(std::min(from.layer[i], depth - 1)) : 0;
    return true;
}

bool find_places(const Texture& texture, const Fetch& how, const LaneRequests& from, std::uint32_t exec,
                 Places& places) {
    const unsigned dimensions = texture::dimensions_of(how.geometry);
    const Level& level = *places.level;
    const std::uint32_t sizes[] = {level.width, level.height, level.depth};
    std::int32_t* const nearest[] = {places.x.first, places.y.first, places.slice};
    if (!find_slices(how, from, exec, places)) return false;
    if (dimensions < 2) std::fill_n(places.y.first, kWarpSize, 0);
    if (how.is_whole) {
        for (unsigned i = 0; i < dimensions; ++i) {
            if (!are_inside(from.whole[i], exec, sizes[i])) return false;
            copy_texels(from.whole[i], exec, nearest[i]);
        }
        return true;
    }
    const auto along = [&](unsigned i) {
        return Along{sizes[i], texture::mode_of(texture.sampler, i), texture.sampler.is_normalised};
    };
    if (!places.is_filtered) {
        for (unsigned i = 0; i < dimensions; ++i)
            if (!nearest_lanes(from.at[i], exec, along(i), nearest[i], places.is_inside)) return false;
        return true;
    }
    if (!pairs_of_lanes(from.at[0], exec, along(0), places.x, places.is_inside)) return false;
    if (dimensions > 1) return pairs_of_lanes(from.at[1], exec, along(1), places.y, places.is_inside);
    std::fill_n(places.y.second, kWarpSize, 0);
    std::fill_n(places.y.fraction, kWarpSize, 0);
    return true;
}

template <unsigned kBytes>
void take_texels(const Image& image, const Places& places, LaneWords& words) {
    const Level& level = *places.level;
    const std::byte* const first = image.bytes + level.offset;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const std::byte* const slice = first + static_cast<std::uint64_t>(places.slice[i]) * level.slice;
        const std::byte* const row = slice + static_cast<std::uint64_t>(places.y.first[i]) * level.pitch;
        const auto column = static_cast<std::uint64_t>(places.x.first[i]) * kBytes;
        take_texel<kBytes>(row + column, words, 0, i);
        if (!places.is_filtered) continue;
        const std::byte* const below = slice + static_cast<std::uint64_t>(places.y.second[i]) * level.pitch;
        const auto beside = static_cast<std::uint64_t>(places.x.second[i]) * kBytes;
        take_texel<kBytes>(below + column, words, 1, i);
        take_texel<kBytes>(row + beside, words, 2, i);
        take_texel<kBytes>(below + beside, words, 3, i);
    }
}

void take_texels_of(const Image& image, const Places& places, LaneWords& words) {
    switch (image.format.bytes()) {
        case 1: return take_texels<1>(image, places, words);
        case 2: return take_texels<2>(image, places, words);
        case 4: return take_texels<4>(image, places, words);
        case 8: return take_texels<8>(image, places, words);
        default: return take_texels<16>(image, places, words);
    }
}

// ---- the sectors that they ask for
// -----------------------------------------------------------------------------------

// Of arrays, whose sectors are 16 bytes wide and two rows high. A lane's texels lie in two columns of sectors and two
// rows of them at most.
class TiledSectors {
public:
    TiledSectors(const Image& image, const Places& places) : image_(image), places_(places) {
        const auto size = static_cast<std::uint32_t>(image.format.bytes());
        const std::uint32_t texel = (1u << size) - 1;
        const bool is_filtered = places.is_filtered;
#pragma GCC ivdep
        for (unsigned i = 0; i < kWarpSize; ++i) {
            const std::uint32_t at = static_cast<std::uint32_t>(places.x.first[i]) * size;
            columns_[0][i] = at / kWide;
            bytes_[0][i] = texel << at % kWide;
            rows_[0][i] = static_cast<std::uint32_t>(places.y.first[i]) / 2;
            halves_[0][i] = (places.y.first[i] & 1) != 0 ? kOddRow : 1u;
        }
        if (!is_filtered) return;
        columns_count_ = rows_count_ = 2;
#pragma GCC ivdep
        for (unsigned i = 0; i < kWarpSize; ++i) {
            // What lies in the first's sector goes there.
            const std::uint32_t at = static_cast<std::uint32_t>(places.x.second[i]) * size, column = at / kWide;
            const std::uint32_t bytes = places.x.fraction[i] != 0 ? texel << at % kWide : 0u;
            const std::uint32_t beside = column == columns_[0][i] ? 0u : ~0u;
            columns_[1][i] = column;
            bytes_[0][i] |= bytes & ~beside;
            bytes_[1][i] = bytes & beside;
            const std::uint32_t row = static_cast<std::uint32_t>(places.y.second[i]) / 2;
            const std::uint32_t odd = (places.y.second[i] & 1) != 0 ? kOddRow : 1u;
            const std::uint32_t half = places.y.fraction[i] != 0 ? odd : 0u;
            const std::uint32_t below = row == rows_[0][i] ? 0u : ~0u;
            rows_[1][i] = row;
            halves_[0][i] |= half & ~below;
            halves_[1][i] = half & below;
        }
    }

    void operator()(unsigned lane, TexelRequests& requests) const {
        for (unsigned x = 0; x < columns_count_; ++x)
            for (unsigned y = 0; y < rows_count_; ++y)
                if (const std::uint32_t bytes = bytes_[x][lane] * halves_[y][lane])
                    add(requests, columns_[x][lane], rows_[y][lane], bytes, lane);
    }

private:
    static constexpr std::uint32_t kWide = 16, kOddRow = 1u << kWide;

    void add(TexelRequests& requests, std::uint32_t column, std::uint32_t row, std::uint32_t bytes,
             unsigned lane) const {
        constexpr unsigned kRowBits = 20, kSliceBits = 40;
        const auto slice = static_cast<std::uint32_t>(places_.slice[lane]);
        const std::uint64_t key = column | std::uint64_t{row} << kRowBits | std::uint64_t{slice} << kSliceBits;
        requests.add_sector(key, column % 8 + row % 4 * 8, bytes, [&] {
            return texture::device_address(image_, *places_.level, std::uint64_t{column} * kWide, row * 2, slice);
        });
    }

    const Image& image_;
    const Places& places_;
    unsigned columns_count_ = 1, rows_count_ = 1;
    // By first and second, and by lane: sectors, and the bytes of a row and the rows of them that are asked for.
    alignas(64) std::uint32_t columns_[2][kWarpSize];
    alignas(64) std::uint32_t rows_[2][kWarpSize];
    alignas(64) std::uint32_t bytes_[2][kWarpSize];
    alignas(64) std::uint32_t halves_[2][kWarpSize];
};

// Of linear and pitched memory, whose sectors are 32 bytes of it.
class FlatSectors {
public:
    FlatSectors(const Image& image, const Places& places) : image_(image), places_(places) {}

    void operator()(unsigned lane, TexelRequests& requests) const {
        const bool has_second_column = places_.is_filtered && places_.x.fraction[lane] != 0;
        const bool has_second_row = places_.is_filtered && places_.y.fraction[lane] != 0;
        for (unsigned x = 0; x < (has_second_column ? 2u : 1u); ++x)
            for (unsigned y = 0; y < (has_second_row ? 2u : 1u); ++y)
                add(requests, x != 0 ? places_.x.second[lane] : places_.x.first[lane],
                    y != 0 ? places_.y.second[lane] : places_.y.first[lane], lane);
    }

private:
    void add(TexelRequests& requests, std::int32_t x, std::int32_t y, unsigned lane) const {
        constexpr std::uint64_t kSector = texture::Footprint::kSectorBytes;
        const unsigned bytes = image_.format.bytes();
        const std::uint64_t address =
            texture::device_address(image_, *places_.level, static_cast<std::uint64_t>(x) * bytes,
                                    static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(places_.slice[lane]));
        const std::uint64_t key = address / kSector;
        requests.add_sector(key, static_cast<unsigned>(key), ((1u << bytes) - 1) << address % kSector,
                            [&] { return key * kSector; });
    }

    const Image& image_;
    const Places& places_;
};

}  // namespace

bool fetch_together(const Texture& texture, const Fetch& how, const LaneRequests& from, std::uint32_t exec,
                    machine::TexelAccess access, TexelRequests& requests, std::uint32_t (*results)[kWarpSize]) {
    const Image& image = texture.image;
    const unsigned srgb = colours_of(texture);
    Places places;
    if (!is_for_all(texture, how, from) || (places.level = level_of_all(texture, how)) == nullptr) return false;
    places.is_filtered = !how.is_whole && texture.sampler.filter == texture::Filter::kLinear &&
                         texture.reading != texture::Reading::kBits;
    if (places.is_filtered &&
        (texture::dimensions_of(how.geometry) > 2 || !can_filter_lanes(image.format, texture.reading, srgb)))
        return false;
    if (!find_places(texture, how, from, exec, places)) return false;
    LaneWords words;
    take_texels_of(image, places, words);
    if (places.is_filtered) {
        LaneWeights weights;
        weigh_lanes(places.x.fraction, places.y.fraction, weights);
        for (unsigned i = 0; i < image.format.channels; ++i) filter_lanes(words, weights, image.format, i, results[i]);
    } else {
        for (unsigned i = 0; i < image.format.channels; ++i)
            read_texels(words, image.format, texture.reading, srgb, i, results[i]);
    }
    access.is_inside = places.is_inside;
    if (!requests.is_wanted()) return true;
    const unsigned threads = texture::threads_of_request(image.shape);
    if (access.is_tiled)
        requests.of_all(exec, threads, image, access, TiledSectors(image, places));
    else
        requests.of_all(exec, threads, image, access, FlatSectors(image, places));
    return true;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
