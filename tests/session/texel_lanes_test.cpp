// Fetches of a whole warp at once give what the texture unit gives lane by lane, to the bit, and ask for the same
// sectors; and what is seen of how they go through their images.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "scope/session/session.h"
#include "scope/texture/objects.h"
#include "scope/texture/tiles.h"
#include "scope/texture/unit.h"

namespace tilescope::test {
namespace {

using namespace tilescope::texture;

constexpr unsigned kThreads = 1024;
constexpr unsigned kNumbers = 3;  // that each thread brings

// Each thread fetches at its own coordinates and stores what it got; its line is 7 of a.cu.
std::string kernel(const std::string& fetch) {
    return R"(.version 8.0
.target sm_90
.address_size 64
.file 1 "a.cu"
.visible .entry k(.param .u64 to, .param .u64 picture, .param .u64 from)
{
.reg .b32 %r<10>; .reg .b64 %d<10>; .reg .f32 %f<12>;
ld.param.u64 %d1, [to]; ld.param.u64 %d2, [picture]; ld.param.u64 %d3, [from];
mov.u32 %r1, %tid.x;
mul.wide.u32 %d4, %r1, 12; add.u64 %d4, %d3, %d4;
ld.global.f32 %f1, [%d4]; ld.global.f32 %f2, [%d4+4]; ld.global.f32 %f3, [%d4+8];
cvt.rzi.s32.f32 %r2, %f1; cvt.rzi.s32.f32 %r3, %f2; cvt.rzi.s32.f32 %r4, %f3;
.loc 1 7 0
)" + fetch +
           R"(
.loc 1 8 0
mul.wide.u32 %d5, %r1, 16; add.u64 %d5, %d1, %d5;
st.global.v4.f32 [%d5], {%f8, %f9, %f10, %f11};
ret;
}
)";
}

struct Form {
    const char* text;
    Fetch how;
    bool is_linear = false;
};
constexpr Form kForms[] = {
    {"tex.1d.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%d2, {%f1}];", {.geometry = Geometry::k1D}},
    {"tex.2d.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%d2, {%f1,%f2}];", {.geometry = Geometry::k2D}},
    {"tex.3d.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%d2, {%f1,%f2,%f3,%f3}];", {.geometry = Geometry::k3D}},
    {"tex.a2d.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%d2, {%r4,%f1,%f2,%f2}];", {.geometry = Geometry::k2DLayered}},
    {"tex.2d.v4.f32.s32 {%f8,%f9,%f10,%f11}, [%d2, {%r2,%r3}];", {.geometry = Geometry::k2D, .is_whole = true}},
    {"tex.1d.v4.f32.s32 {%f8,%f9,%f10,%f11}, [%d2, {%r2}];", {.geometry = Geometry::k1D, .is_whole = true}, true},
};

struct Kind {
    Format format;
    Reading reading;
    bool is_srgb = false;
};
constexpr Kind kKinds[] = {
    {{Channel::kFloat, 1, 32}, Reading::kFloat},         {{Channel::kFloat, 2, 32}, Reading::kFloat},
    {{Channel::kFloat, 4, 32}, Reading::kFloat},         {{Channel::kFloat, 4, 16}, Reading::kFloat},
    {{Channel::kUnsigned, 1, 8}, Reading::kNormalised},  {{Channel::kUnsigned, 4, 8}, Reading::kNormalised},
    {{Channel::kSigned, 2, 8}, Reading::kNormalised},    {{Channel::kUnsigned, 4, 8}, Reading::kNormalised, true},
    {{Channel::kUnsigned, 2, 16}, Reading::kNormalised}, {{Channel::kUnsigned, 4, 16}, Reading::kNormalised},
    {{Channel::kSigned, 1, 16}, Reading::kNormalised},   {{Channel::kSigned, 4, 8}, Reading::kBits},
    {{Channel::kUnsigned, 2, 16}, Reading::kBits},       {{Channel::kUnsigned, 4, 32}, Reading::kBits}};

class World {
public:
    World() {
        SessionOptions options;
        options.jobs = 1;
        auto made = Session::create(options);
        session_ = std::move(*made);
    }
    Session& session() { return *session_; }
    machine::Memory& memory() { return session_->memory(); }

    // An image of random bytes.
    Texture texture(const Kind& kind, Shape shape, std::mt19937& random) {
        Texture made;
        Image& image = made.image;
        image.shape = shape;
        image.format = kind.format;
        Level& level = image.levels.front();
        level.width = shape == Shape::kLinear ? 700 : 37;
        level.height = shape == Shape::kLinear ? 1 : 23;
        level.depth = shape == Shape::k3D || shape == Shape::k2DLayered ? 3 : 1;
        level.pitch = shape == Shape::kPitched ? 1024 : std::uint64_t{level.width} * image.format.bytes();
        level.slice = level.pitch * level.height;
        image.size = level.slice * level.depth;
        const bool is_array = shape != Shape::kLinear && shape != Shape::kPitched;
        const std::uint64_t bytes = is_array ? std::max(image.size, place_tiles(image)) : image.size;
        void* const texels = memory().allocate(bytes, machine::AllocationKind::kArray);
        image.address = reinterpret_cast<std::uint64_t>(texels);
        image.bytes = memory().bytes(texels);
        image.allocation = memory().find(image.address)->id;
        for (std::uint64_t i = 0; i < image.size; ++i) image.bytes[i] = static_cast<std::byte>(random());
        made.reading = kind.reading;
        made.sampler.is_srgb = kind.is_srgb;
        return made;
    }

    const LaunchProfile& launch(const std::string& text, std::uint64_t handle, std::span<const float> coordinates,
                                std::span<float> results) {
        if (text != text_) {
            const auto module = session_->load_module(text, "test.ptx");
            EXPECT_TRUE(module) << render(module.errors());
            kernel_ = *session_->find_kernel(*module, "k");
            text_ = text;
        }
        void* const to = memory().allocate(results.size_bytes(), machine::AllocationKind::kDevice);
        void* const from = memory().allocate(coordinates.size_bytes(), machine::AllocationKind::kDevice);
        std::memcpy(memory().bytes(from), coordinates.data(), coordinates.size_bytes());
        const std::uint64_t parameters[] = {reinterpret_cast<std::uint64_t>(to), handle,
                                            reinterpret_cast<std::uint64_t>(from)};
        LaunchRequest request;
        request.kernel = kernel_;
        request.grid = {1, 1, 1};
        request.block = {kThreads, 1, 1};
        request.parameters = std::as_bytes(std::span(parameters));
        EXPECT_EQ(session_->launch(request).status, LaunchStatus::kOk);
        std::memcpy(results.data(), memory().bytes(to), results.size_bytes());
        memory().release(to);
        memory().release(from);
        return session_->profile().launches.back();
    }

private:
    std::unique_ptr<Session> session_;
    std::string text_;  // of the module that was loaded last
    KernelId kernel_{};
};

// What threads ask for: most of them near the image, some far away, and what is hardly a number.
float coordinate(std::mt19937& random, bool is_normalised) {
    constexpr float kOdd[] = {0.0f, -0.0f, 1e-42f, 1e30f, -1e30f, 0.5f, 1.0f, 36.5f, 1e-30f, -1e-30f, 3000.25f};
    if (random() % 512 == 0) return std::numeric_limits<float>::quiet_NaN();
    if (random() % 512 == 0) return kOdd[random() % std::size(kOdd)];
    const float at = static_cast<float>(random() % 65536) / 65536 * 1.2f - 0.1f;
    return is_normalised ? at : at * 40;
}

Request request_of(const Form& form, const float* at) {
    Request request;
    const auto whole = [](float value) {
        if (std::isnan(value)) return 0;
        return static_cast<std::int32_t>(
            std::clamp(std::trunc(static_cast<double>(value)), -2147483648.0, 2147483647.0));
    };
    for (unsigned i = 0; i < dimensions_of(form.how.geometry); ++i) {
        request.at[i] = at[i];
        request.whole[i] = whole(at[i]);
    }
    request.layer = static_cast<std::uint32_t>(whole(at[2]));
    return request;
}

struct Expected {
    std::vector<Texel> texels;
    std::uint64_t sectors = 0;
};
Expected one_by_one(const Texture& texture, const Form& form, std::span<const float> coordinates) {
    Expected expected;
    const unsigned threads = threads_of_request(texture.image.shape);
    const bool filters = !form.how.is_whole && texture.sampler.filter == Filter::kLinear;
    const bool is_volume = texture.image.shape == Shape::k3D;
    const unsigned bytes = texture.image.format.bytes(), part = threads_of_part(threads, filters, is_volume, bytes);
    Footprint footprint;
    for (unsigned i = 0; i < kThreads; ++i) {
        if (i % part == 0) {
            expected.sectors += std::uint64_t{footprint.count()} * times_asked(filters, bytes);
            footprint.clear();
        }
        expected.texels.push_back(
            fetch(texture, form.how, request_of(form, coordinates.data() + std::size_t{i} * kNumbers), &footprint));
    }
    expected.sectors += std::uint64_t{footprint.count()} * times_asked(filters, bytes);
    return expected;
}

void expect_same(World& world, const Form& form, const Texture& texture, std::mt19937& random,
                 const std::string& what) {
    std::vector<float> coordinates(std::size_t{kThreads} * kNumbers), results(std::size_t{kThreads} * 4);
    for (float& number : coordinates) number = coordinate(random, texture.sampler.is_normalised && !form.how.is_whole);
    // Half of the warps stay within the image.
    for (std::size_t i = 0; i < coordinates.size() / 2; ++i) {
        const float most = texture.sampler.is_normalised && !form.how.is_whole ? 0.97f : 22.0f;
        coordinates[i] = std::isnan(coordinates[i]) ? 0.1f : std::clamp(coordinates[i], 0.02f * most, most);
    }
    const std::uint64_t handle = world.memory().textures().add(texture);
    const Expected expected = one_by_one(texture, form, coordinates);
    const LaunchProfile& launch = world.launch(kernel(form.text), handle, coordinates, results);
    for (unsigned i = 0; i < kThreads; ++i)
        ASSERT_EQ(std::memcmp(expected.texels[i].data(), &results[std::size_t{i} * 4], sizeof(Texel)), 0)
            << what << ", thread " << i << " at " << coordinates[std::size_t{i} * kNumbers] << " "
            << coordinates[std::size_t{i} * kNumbers + 1] << ": " << std::hex << expected.texels[i][0] << " not "
            << std::bit_cast<std::uint32_t>(results[std::size_t{i} * 4]);
    EXPECT_EQ(launch.counters[Counter::kTextureSectors], expected.sectors) << what;
    EXPECT_TRUE(world.memory().textures().remove_texture(handle));
}

TEST(TexelLanes, GiveWhatTheUnitGivesLaneByLane) {
    std::mt19937 random(34);
    World world;
    unsigned number = 0;
    for (const Form& form : kForms)
        for (const Kind& kind : kKinds) {
            const Shape shape = form.is_linear                              ? Shape::kLinear
                                : form.how.geometry == Geometry::k1D        ? Shape::k1D
                                : form.how.geometry == Geometry::k3D        ? Shape::k3D
                                : form.how.geometry == Geometry::k2DLayered ? Shape::k2DLayered
                                : ++number % 3 == 0 && !form.how.is_whole   ? Shape::kPitched
                                                                            : Shape::k2D;
            Texture texture = world.texture(kind, shape, random);
            for (int mode = 0; mode < 4; ++mode)
                for (const bool is_normalised : {false, true})
                    for (const Filter filter : {Filter::kPoint, Filter::kLinear}) {
                        texture.sampler.modes.fill(static_cast<AddressMode>(mode));
                        texture.sampler.filter = filter;
                        texture.sampler.is_normalised = is_normalised;
                        texture.border = border_texel(kind.format, kind.reading, {0.25f, -1, 7, 0.5f});
                        expect_same(world, form, texture, random,
                                    std::string(form.text) + " kind " + std::to_string(&kind - kKinds) + " mode " +
                                        std::to_string(mode) + (is_normalised ? " normalised" : "") +
                                        (filter == Filter::kLinear ? " filtered" : ""));
                        if (HasFatalFailure()) return;
                    }
        }
}

const Kind kFloats = {{Channel::kFloat, 1, 32}, Reading::kFloat};

// Fetches of float texels at the middles of those that `place` names, by thread.
template <class Place>
LaunchProfile launch_of(World& world, const Texture& texture, const std::string& fetch, const Place& place) {
    std::vector<float> coordinates(std::size_t{kThreads} * kNumbers), results(std::size_t{kThreads} * 4);
    for (unsigned i = 0; i < kThreads; ++i) {
        const std::array<unsigned, 2> at = place(i);
        coordinates[std::size_t{i} * kNumbers] = static_cast<float>(at[0]) + 0.5f;
        coordinates[std::size_t{i} * kNumbers + 1] = static_cast<float>(at[1]) + 0.5f;
    }
    return world.launch(kernel(fetch), world.memory().textures().add(texture), coordinates, results);
}
const char* const kOfPlane = kForms[1].text;

const LineProfile& line_of(const LaunchProfile& launch) {
    return *std::find_if(launch.lines.begin(), launch.lines.end(),
                         [](const LineProfile& line) { return line.line == 7; });
}

constexpr unsigned kWarps = kThreads / 32;

TEST(TexelLanes, AreSeenToGoAlongRows) {
    std::mt19937 random(1);
    World world;
    const Texture texture = world.texture(kFloats, Shape::k2D, random);
    const auto launch = launch_of(world, texture, kOfPlane, [](unsigned i) { return std::array{i % 32, i / 32 % 20}; });
    const TexelWalk& walk = line_of(launch).texels.value();
    EXPECT_EQ(walk.fetches, kWarps);
    EXPECT_EQ(walk.requests, kWarps * 8);
    EXPECT_EQ(walk.single, kWarps);
    EXPECT_EQ(walk.sectors, kWarps * 8);
    // Rows of 148 bytes begin anywhere in a sector.
    EXPECT_GE(walk.row_sectors, kWarps * 4);
    EXPECT_LE(walk.row_sectors, kWarps * 5);
    EXPECT_EQ(walk.in_rows, 0u);
    EXPECT_EQ(walk.by_hand, 0u);
}

TEST(TexelLanes, AreSeenToGoDownColumnsOfPitchedMemory) {
    std::mt19937 random(1);
    World world;
    const Texture texture = world.texture(kFloats, Shape::kPitched, random);
    const auto launch = launch_of(world, texture, kOfPlane, [](unsigned i) { return std::array{i / 32, i % 20}; });
    const TexelWalk& walk = line_of(launch).texels.value();
    EXPECT_EQ(walk.in_rows, kWarps);
    EXPECT_EQ(walk.sectors, kWarps * 32);
    EXPECT_EQ(walk.row_sectors, kWarps * 20);
    EXPECT_EQ(walk.tile_sectors, kWarps * 16);
}

TEST(TexelLanes, BeyondAnEdgeAreNotSingle) {
    std::mt19937 random(1);
    World world;
    const Texture texture = world.texture(kFloats, Shape::k2D, random);
    const auto launch = launch_of(world, texture, kOfPlane, [](unsigned i) {
        return std::array{i % 32 + 8, i / 32 % 20};
    });
    EXPECT_EQ(line_of(launch).texels.value().single, 0u);
}

// Four texels that are two by two neighbours, but for the last of those that are not.
TEST(TexelLanes, AreSeenToBeNeighbours) {
    const auto four = [](const char* last_x) {
        const std::string one = "tex.2d.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%d2, {";
        return "add.f32 %f4, %f1, 0f3F800000; add.f32 %f5, %f2, 0f3F800000; add.f32 %f6, %f1, 0f40000000;\n" + one +
               "%f1,%f2}];\n" + one + "%f4,%f2}];\n" + one + "%f1,%f5}];\n" + one + last_x + ",%f5}];\n";
    };
    std::mt19937 random(1);
    World world;
    const Texture texture = world.texture(kFloats, Shape::k2D, random);
    const auto place = [](unsigned i) { return std::array{i * 7 % 30, i * 5 % 20}; };
    const auto are = launch_of(world, texture, four("%f4"), place),
               are_not = launch_of(world, texture, four("%f6"), place);
    // A warp is looked at for so many fetches, which these do not reach.
    EXPECT_EQ(line_of(are).texels.value().by_hand, kWarps * 4);
    EXPECT_EQ(line_of(are_not).texels.value().by_hand, 0u);
}

TEST(TexelLanes, HavePicturesOfTheirTexels) {
    std::mt19937 random(1);
    World world;
    const Texture texture = world.texture(kFloats, Shape::k2D, random);
    const auto launch = launch_of(world, texture, kOfPlane, [](unsigned i) { return std::array{i % 32, i / 32 % 20}; });
    ASSERT_EQ(line_of(launch).pictures.size(), 1u);
    const RequestPicture& picture = line_of(launch).pictures.front();
    EXPECT_EQ(picture.memory, TexelMemory::kArray);
    EXPECT_EQ(picture.lanes_of_request, 4u);
    EXPECT_EQ(picture.units, 8u);
    EXPECT_EQ(picture.ideal, 8u);
    EXPECT_EQ(picture.requests, kWarps);
    EXPECT_EQ(picture.of, kWarps);
    ASSERT_EQ(picture.texels.size(), 32u * 4);
    for (unsigned i = 0; i < 32; ++i) {
        const auto* const texel = &picture.texels[std::size_t{i} * 4];
        EXPECT_EQ(texel[0], i / 4);
        EXPECT_EQ(texel[1], i);
        EXPECT_EQ(texel[2], 0);
        EXPECT_EQ(texel[3], 0);
    }
}

}  // namespace
}  // namespace tilescope::test
