// Launches of one kernel again and again: each is judged by what it did, whichever came before.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

#include "scope/session/session.h"
#include "tests/session/with_caches.h"

namespace tilescope::test {
namespace {

// Each thread reads as many words of its block's as it is told, each twice, and writes their sum.
constexpr const char* kSums = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 to, .param .u64 from, .param .u64 turns)
{
.reg .pred %p<2>; .reg .b32 %r<10>; .reg .b64 %d<10>; .reg .f32 %f<4>;
ld.param.u64 %d1, [to]; ld.param.u64 %d2, [from]; ld.param.u64 %d6, [turns];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
mad.lo.u32 %r4, %r1, %r2, %r3;
mul.wide.u32 %d3, %r4, 4; add.u64 %d4, %d2, %d3; add.u64 %d5, %d1, %d3;
again:
ld.global.f32 %f1, [%d4];
ld.global.f32 %f2, [%d4+256];
add.f32 %f3, %f1, %f2;
sub.u64 %d6, %d6, 1;
setp.ne.u64 %p1, %d6, 0;
@%p1 bra again;
st.global.f32 [%d5], %f3;
ret;
}
)";

struct Shape {
    std::uint32_t blocks, dynamic_shared;
    std::uint64_t turns;
};

// The profiles of launches of these shapes in one session, but for what tells them apart.
std::vector<LaunchProfile> launch_all(std::initializer_list<Shape> shapes) {
    auto session = Session::create(with_caches());
    EXPECT_TRUE(session);
    const auto module = (*session)->load_module(kSums, "test.ptx");
    EXPECT_TRUE(module) << render(module.errors());
    constexpr std::uint64_t kBytes = 1 << 20;
    std::uint64_t parameters[] = {
        reinterpret_cast<std::uint64_t>((*session)->memory().allocate(kBytes, machine::AllocationKind::kDevice)),
        reinterpret_cast<std::uint64_t>((*session)->memory().allocate(kBytes, machine::AllocationKind::kDevice)), 1};
    for (const Shape& shape : shapes) {
        parameters[2] = shape.turns;
        LaunchRequest request;
        request.kernel = *(*session)->find_kernel(*module, "k");
        request.grid = {shape.blocks, 1, 1};
        request.block = {128, 1, 1};
        request.dynamic_shared_bytes = shape.dynamic_shared;
        request.parameters = std::as_bytes(std::span(parameters));
        EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    }
    std::vector<LaunchProfile> launches = (*session)->profile().launches;
    for (std::uint32_t i = 0; i < launches.size(); ++i) {
        EXPECT_EQ(launches[i].index, i);
        launches[i].index = 0;
        launches[i].seconds = 0;
    }
    return launches;
}

TEST(RepeatedLaunches, AreJudgedByWhatTheyDid) {
    constexpr Shape kFew{2, 0, 1}, kMany{300, 0, 1}, kLong{2, 0, 8}, kWithShared{300, 40 << 10, 1};
    const LaunchProfile few = launch_all({kFew}).at(0), many = launch_all({kMany}).at(0),
                        slow = launch_all({kLong}).at(0), shared = launch_all({kWithShared}).at(0);
    ASSERT_TRUE(few.time && many.time && slow.time && shared.time);
    EXPECT_NE(few.time->microseconds, many.time->microseconds);
    EXPECT_NE(few.time->microseconds, slow.time->microseconds);
    EXPECT_NE(many.occupancy, shared.occupancy);
    const auto all = launch_all({kFew, kFew, kMany, kFew, kLong, kLong, kMany, kWithShared, kWithShared, kMany});
    const LaunchProfile* expected[] = {&few, &few, &many, &few, &slow, &slow, &many, &shared, &shared, &many};
    ASSERT_EQ(all.size(), std::size(expected));
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].time, expected[i]->time) << i;
        EXPECT_TRUE(all[i] == *expected[i]) << i;
    }
}

}  // namespace
}  // namespace tilescope::test
