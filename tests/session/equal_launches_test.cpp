// Launches that request the same of the caches as one before: profiles are as if each had been replayed.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "scope/report/json.h"
#include "scope/session/session.h"
#include "tests/session/with_caches.h"

namespace tilescope::test {
namespace {

// gather: out[i] = from[index[i]]; scale: out[i] = 2 from[i], whose blocks meet at a barrier.
constexpr const char* kKernels = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry gather(.param .u64 to, .param .u64 from, .param .u64 index)
{
.reg .b32 %r<10>; .reg .b64 %d<10>; .reg .f32 %f<4>;
ld.param.u64 %d1, [to]; ld.param.u64 %d2, [from]; ld.param.u64 %d6, [index];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
mad.lo.u32 %r4, %r1, %r2, %r3;
mul.wide.u32 %d3, %r4, 4; add.u64 %d7, %d6, %d3; add.u64 %d5, %d1, %d3;
ld.global.u32 %r5, [%d7];
mul.wide.u32 %d8, %r5, 4; add.u64 %d4, %d2, %d8;
ld.global.f32 %f1, [%d4];
st.global.f32 [%d5], %f1;
ret;
}
.visible .entry scale(.param .u64 to, .param .u64 from, .param .u64 index)
{
.reg .b32 %r<10>; .reg .b64 %d<10>; .reg .f32 %f<4>;
ld.param.u64 %d1, [to]; ld.param.u64 %d2, [from];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
mad.lo.u32 %r4, %r1, %r2, %r3;
mul.wide.u32 %d3, %r4, 4; add.u64 %d4, %d2, %d3; add.u64 %d5, %d1, %d3;
ld.global.f32 %f1, [%d4];
bar.sync 0;
add.f32 %f1, %f1, %f1;
st.global.f32 [%d5], %f1;
ret;
}
)";

constexpr std::uint32_t kWords = 1 << 14;

// The JSON of a program that launches two kernels in turns, changes what one of them goes by, takes and gives back
// memory and resets what L2 keeps.
std::string profile_of(SessionOptions options) {
    auto session = Session::create(options);
    EXPECT_TRUE(session);
    machine::Memory& memory = (*session)->memory();
    const auto module = (*session)->load_module(kKernels, "test.ptx");
    EXPECT_TRUE(module) << render(module.errors());
    const auto take = [&](machine::AllocationKind kind) {
        return reinterpret_cast<std::uint64_t>(memory.allocate(kWords * 4, kind));
    };
    const std::uint64_t to = take(machine::AllocationKind::kDevice), from = take(machine::AllocationKind::kManaged),
                        index = take(machine::AllocationKind::kDevice);
    const auto set_index = [&](std::uint32_t stride) {
        for (std::uint32_t i = 0; i < kWords; ++i) {
            const std::uint32_t value = i * stride % kWords;
            std::memcpy(memory.bytes(index) + i * 4, &value, sizeof value);
        }
    };
    const auto launch = [&](const char* kernel, std::uint64_t target, std::uint32_t blocks, std::uint32_t stream = 0) {
        const std::uint64_t parameters[] = {target, from, index};
        LaunchRequest request;
        request.kernel = *(*session)->find_kernel(*module, kernel);
        request.grid = {blocks, 1, 1};
        request.block = {128, 1, 1};
        request.stream = stream;
        request.parameters = std::as_bytes(std::span(parameters));
        EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    };
    set_index(1);
    for (unsigned i = 0; i < 3; ++i) {
        launch("gather", to, kWords / 128);
        launch("scale", to, kWords / 128, i);
    }
    set_index(33);  // the same launch requests something else now
    launch("gather", to, kWords / 128);
    launch("gather", to, kWords / 128);
    std::uint32_t other = 5;  // of one block alone
    std::memcpy(memory.bytes(index) + (kWords - 1) * 4, &other, sizeof other);
    launch("gather", to, kWords / 128);
    (*session)->reset_persisting();
    launch("scale", to, 7);
    launch("scale", to, 7, 2);
    const std::uint64_t more = take(machine::AllocationKind::kDevice);
    launch("scale", to, 7);
    launch("scale", more, 7);
    EXPECT_TRUE(memory.release(reinterpret_cast<void*>(more)));
    const std::uint64_t again = take(machine::AllocationKind::kDevice);
    launch("scale", again, 7);
    launch("scale", again, 7);
    set_index(1);
    launch("gather", to, kWords / 128);
    Profile profile = (*session)->profile();
    profile.jobs = 0;
    return report::to_json(profile);
}

TEST(EqualLaunches, HaveTheProfilesThatTheirReplaysWouldHave) {
    for (const bool warm : {false, true}) {
        SessionOptions options = with_caches();
        options.warm = warm;
        options.recalls_launches = false;
        const std::string expected = profile_of(options);
        EXPECT_NE(expected.find("\"dram_read_bytes\""), std::string::npos);
        options.recalls_launches = true;
        for (const unsigned jobs : {1u, 2u, 8u}) {
            options.jobs = jobs;
            options.jobs_at_once = jobs > 1;
            EXPECT_EQ(profile_of(options), expected) << jobs << " jobs, " << (warm ? "warm" : "cold");
        }
    }
}

// What a session need not keep, as whoever follows it has it.
TEST(EqualLaunches, LeaveTheProfileWhenTheyAreToldOf) {
    auto session = Session::create(with_caches());
    ASSERT_TRUE(session);
    const auto module = (*session)->load_module(kKernels, "test.ptx");
    ASSERT_TRUE(module) << render(module.errors());
    std::vector<std::uint32_t> told;
    (*session)->follow([&](const Profile& profile) {
        for (const LaunchProfile& launch : profile.launches) told.push_back(launch.index);
        return true;
    });
    const std::uint64_t bytes =
        reinterpret_cast<std::uint64_t>((*session)->memory().allocate(kWords * 4, machine::AllocationKind::kDevice));
    const std::uint64_t parameters[] = {bytes, bytes, bytes};
    LaunchRequest request;
    request.kernel = *(*session)->find_kernel(*module, "scale");
    request.block = {128, 1, 1};
    request.parameters = std::as_bytes(std::span(parameters));
    const std::uint64_t before = (*session)->memory().budget().used();
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    EXPECT_EQ(told, (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_TRUE((*session)->profile().launches.empty());
    EXPECT_EQ((*session)->memory().budget().used(), before);
}

}  // namespace
}  // namespace tilescope::test
