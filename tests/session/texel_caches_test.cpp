// Caches and time of launches that fetch texels, and the word where there are none.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>

#include "scope/session/session.h"
#include "scope/texture/objects.h"
#include "scope/texture/tiles.h"
#include "tests/session/with_caches.h"

namespace tilescope::test {
namespace {

// Each thread fetches the texel of its own number, of the row of its block, over and over.
constexpr const char* kFetchingKernel = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 to, .param .u64 picture, .param .u64 turns)
{
.reg .pred %p<2>; .reg .b32 %r<10>; .reg .b64 %d<10>; .reg .f32 %f<8>;
ld.param.u64 %d1, [to]; ld.param.u64 %d2, [picture]; ld.param.u64 %d6, [turns];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
mad.lo.u32 %r4, %r1, %r2, %r3;
mul.wide.u32 %d3, %r4, 4; add.u64 %d5, %d1, %d3;
again:
tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d2, {%r3, %r1}];
st.global.f32 [%d5], %f1;
sub.u64 %d6, %d6, 1;
setp.ne.u64 %p1, %d6, 0;
@%p1 bra again;
ret;
}
)";
constexpr std::uint32_t kWide = 128, kHigh = 64;

// A block fetches a row of the picture, `turns` times.
LaunchProfile fetches_of(const SessionOptions& options, std::uint64_t turns, Diagnostics* diagnostics = nullptr) {
    auto session = Session::create(options);
    EXPECT_TRUE(session);
    const auto module = (*session)->load_module(kFetchingKernel, "test.ptx");
    EXPECT_TRUE(module) << render(module.errors());
    machine::Memory& memory = (*session)->memory();
    texture::Texture texture;
    texture::Image& image = texture.image;
    texture::Level& level = image.levels.front();
    level.width = kWide;
    level.height = kHigh;
    level.pitch = kWide * sizeof(float);
    level.slice = image.size = std::uint64_t{kHigh} * level.pitch;
    const std::uint64_t bytes = std::max(image.size, texture::place_tiles(image));
    void* const texels = memory.allocate(bytes, machine::AllocationKind::kArray);
    image.address = reinterpret_cast<std::uint64_t>(texels);
    image.bytes = memory.bytes(texels);
    image.allocation = memory.find(image.address)->id;
    const std::uint64_t parameters[] = {reinterpret_cast<std::uint64_t>(memory.allocate(
                                            kWide * kHigh * sizeof(float), machine::AllocationKind::kDevice)),
                                        memory.textures().add(texture), turns};
    LaunchRequest request;
    request.kernel = *(*session)->find_kernel(*module, "k");
    request.grid = {kHigh, 1, 1};
    request.block = {kWide, 1, 1};
    request.parameters = std::as_bytes(std::span(parameters));
    EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    if (diagnostics != nullptr) *diagnostics = (*session)->profile().diagnostics;
    return (*session)->profile().launches.back();
}

// Sectors of loads that L1 did not have, by why.
std::uint64_t missed(const CounterSet& counters) {
    std::uint64_t sum = 0;
    for (const Counter why : {Counter::kL1MissFirstTouch, Counter::kL1MissCapacity, Counter::kL1MissPartWritten,
                              Counter::kL1MissFence, Counter::kL1MissAtomic, Counter::kL1MissBypass})
        sum += counters[why];
    return sum;
}

// A sector is four floats wide and two rows high: each is asked for by two blocks, on SMs of their own, and comes once.
TEST(TexelCaches, CountWhatTexelsAskFor) {
    const LaunchProfile once = fetches_of(with_caches(), 1), twice = fetches_of(with_caches(), 2);
    constexpr std::uint64_t kSectors = kWide * kHigh / 4, kPicture = kWide * kHigh * 4;
    ASSERT_TRUE(once.counters.modelled);
    EXPECT_EQ(once.counters[Counter::kTextureSectors], kSectors);
    EXPECT_EQ(once.counters[Counter::kTextureHitSectors], 0u);
    EXPECT_EQ(missed(once.counters), kSectors);
    EXPECT_EQ(once.counters[Counter::kL1MissFirstTouch], kSectors);
    EXPECT_EQ(once.counters[Counter::kL2ReadSectors] + once.counters[Counter::kL1MergedSectors], kSectors);
    EXPECT_EQ(once.counters[Counter::kDramReadBytes], kPicture + 32 * kOfTheLaunch);
    EXPECT_EQ(once.counters[Counter::kGlobalLoadL1HitSectors], 0u);
    EXPECT_EQ(twice.counters[Counter::kTextureHitSectors], kSectors);
    EXPECT_EQ(missed(twice.counters), kSectors);
    ASSERT_TRUE(once.work && twice.work && once.time && twice.time && twice.replay);
    EXPECT_EQ(once.work->texture_passes, kWide * kHigh / 4);  // a quad each
    EXPECT_EQ(twice.work->texture_passes, 2 * once.work->texture_passes);
    EXPECT_EQ((*once.work)[Pipe::kTexture], kWide * kHigh / 32);
    EXPECT_GT(twice.time->microseconds, once.time->microseconds);
    EXPECT_GT(once.time->of_peak.value()[TimeBound::kTexture], 0);
    // The picture is a buffer of its own, the first that was made.
    ASSERT_FALSE(once.cached_buffers.empty());
    const auto picture = std::find_if(once.cached_buffers.begin(), once.cached_buffers.end(), [](const auto& buffer) {
        return buffer.counters[Counter::kTextureSectors] != 0;
    });
    ASSERT_NE(picture, once.cached_buffers.end());
    EXPECT_EQ(picture->counters[Counter::kTextureSectors], kSectors);
    EXPECT_EQ(picture->counters[Counter::kDramReadBytes], kPicture);
    EXPECT_EQ(picture->bytes, kPicture);
    EXPECT_EQ(picture->parameter, 1u);
}

TEST(TexelCaches, AreTheSameWithAnyNumberOfWorkers) {
    const LaunchProfile one = fetches_of(with_caches(1), 3), three = fetches_of(with_caches(3), 3);
    EXPECT_EQ(one.counters.values, three.counters.values);
    EXPECT_EQ(one.cached_buffers, three.cached_buffers);
    EXPECT_EQ(one.replay, three.replay);
}

// Of a device whose textures nobody has measured part of the traffic would be missing from L2, DRAM and time: none is
// told.
TEST(TexelCaches, AreLeftOutWithAWord) {
    SessionOptions other = with_caches();
    other.device = "a100";
    Diagnostics said;
    const LaunchProfile some = fetches_of(other, 1, &said);
    EXPECT_GT(some.counters[Counter::kTextureSectors], 0u);
    EXPECT_FALSE(some.counters.modelled);
    EXPECT_FALSE(some.time);
    EXPECT_NE(render(said).find("does not say how fast its textures are"), std::string::npos);
}

}  // namespace
}  // namespace tilescope::test
