// What a run gives that goes on after faulting accesses.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "scope/session/session.h"

namespace tilescope {
namespace {

// Thread i reads and writes element 2i of every space's array of 64 words: half of the threads of a block are outside.
// Then what it read goes to out[index].
constexpr const char* kText = R"(.version 8.0
.target sm_80
.address_size 64
.const .align 4 .b8 table[256];
.visible .entry k(.param .u64 out, .param .u64 array, .param .u32 odd, .param .u32 end)
{
 .reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .pred %p<3>;
 .shared .align 4 .b8 tile[256];
 .local .align 4 .b8 stack[256];
 ld.param.u64 %rd1, [out];
 ld.param.u64 %rd2, [array];
 ld.param.u32 %r9, [odd];
 mov.u32 %r1, %tid.x;
 mov.u32 %r2, %ctaid.x;
 mad.lo.u32 %r3, %r2, 64, %r1;
 shl.b32 %r4, %r1, 3;
 add.u32 %r4, %r4, %r9;
 cvt.u64.u32 %rd3, %r4;
 mov.u32 %r8, tile;
 add.u32 %r4, %r4, %r8;
 add.u64 %rd4, %rd2, %rd3;
 mov.u64 %rd5, table;
 add.u64 %rd5, %rd5, %rd3;
 mov.u32 %r10, 5; mov.u32 %r11, 5; mov.u32 %r12, 5; mov.u32 %r13, 5; mov.u32 %r14, 5;
 ld.global.u32 %r10, [%rd4];
 ld.shared.u32 %r11, [%r4];
 ld.local.u32 %r12, [%rd3];
 ld.const.u32 %r13, [%rd5];
 atom.global.add.u32 %r14, [%rd4], 1;
 st.shared.u32 [%r4], 7;
 st.local.u32 [%rd3], 7;
 red.shared.add.u32 [%r4], 1;
 cp.async.ca.shared.global [%r4], [%rd4], 4;
 add.u32 %r10, %r10, %r11;
 add.u32 %r10, %r10, %r12;
 add.u32 %r10, %r10, %r13;
 add.u32 %r10, %r10, %r14;
 mul.wide.u32 %rd6, %r3, 4;
 add.u64 %rd7, %rd1, %rd6;
 st.global.u32 [%rd7], %r10;
 ld.param.u32 %r15, [end];
 setp.eq.u32 %p1, %r15, 1;
 @%p1 trap;
 ret;
}
)";

struct Ran {
    LaunchStatus status = LaunchStatus::kOk;
    LaunchProfile launch;
    Outcome outcome = Outcome::kOk;
    std::vector<std::uint32_t> out, array;
};

constexpr std::uint32_t kBlocks = 6, kThreads = 64;

std::string replaced_once(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

Ran run_text(const std::string& text, unsigned jobs, std::uint32_t odd, std::uint32_t end, bool goes_on) {
    SessionOptions options;
    options.jobs = jobs;
    options.on_after_faults = goes_on;
    auto session = Session::create(options);
    EXPECT_TRUE(session);
    const auto module = (*session)->load_module(text, "on_fault.ptx");
    EXPECT_TRUE(module) << render(module.errors());
    machine::Memory& memory = (*session)->memory();
    void* out = memory.allocate(4 * kBlocks * kThreads, machine::AllocationKind::kDevice);
    void* array = memory.allocate(256, machine::AllocationKind::kDevice);
    const KernelId kernel = *(*session)->find_kernel(*module, "k");
    struct {
        void *out, *array;
        std::uint32_t odd, end;
    } parameters{out, array, odd, end};
    LaunchRequest request;
    request.kernel = kernel;
    request.grid = {kBlocks, 1, 1};
    request.block = {kThreads, 1, 1};
    request.parameters = std::as_bytes(std::span(&parameters, 1));
    Ran ran;
    ran.status = (*session)->launch(request).status;
    ran.launch = (*session)->profile().launches.at(0);
    ran.outcome = (*session)->profile().outcome;
    ran.out.resize(kBlocks * kThreads);
    ran.array.resize(64);
    std::memcpy(ran.out.data(), memory.bytes(out), 4 * ran.out.size());
    std::memcpy(ran.array.data(), memory.bytes(array), 256);
    return ran;
}

// `orderless`: with an atomic whose result nobody reads, so that blocks may run on several workers.
Ran run(unsigned jobs, std::uint32_t odd, std::uint32_t end, bool goes_on = true, bool orderless = false) {
    const std::string atomic = "atom.global.add.u32 %r14,";
    return run_text(orderless ? replaced_once(kText, atomic, "red.global.add.u32") : kText, jobs, odd, end, goes_on);
}

TEST(OnFault, EachPlaceIsListedOnceWithItsCount) {
    const Ran ran = run(1, 0, 0);
    EXPECT_EQ(ran.status, LaunchStatus::kOk);
    EXPECT_EQ(ran.outcome, Outcome::kFault);
    ASSERT_EQ(ran.launch.hazards.size(), 9u);  // a copy whose destination is refused reads nothing
    using enum HazardSpace;
    const HazardSpace spaces[] = {kGlobal, kShared, kLocal, kConstant, kGlobal, kShared, kLocal, kShared, kShared};
    for (std::size_t i = 0; i < 9; ++i) {
        const Hazard& hazard = ran.launch.hazards[i];
        EXPECT_EQ(hazard.kind, HazardKind::kOutOfBounds);
        EXPECT_EQ(hazard.space, spaces[i]) << i;
        EXPECT_EQ(hazard.count, kBlocks * kThreads / 2) << i;
        EXPECT_EQ(hazard.block, (Dim3{0, 0, 0}));
        EXPECT_EQ(hazard.thread, (Dim3{32, 0, 0}));
        EXPECT_NE(hazard.message.find("element 64 of 64, just past the end"), std::string::npos) << hazard.message;
    }
}

// As compilers do with a line that they copy into both branches.
TEST(OnFault, InstructionsOfOneLineAreOnePlace) {
    const std::string load = " ld.global.u32 %r10, [%rd4];\n";
    const std::string lines = replaced_once(kText, ".visible", ".file 1 \"k.cu\"\n.visible");
    const Ran ran = run_text(
        replaced_once(lines, load,
                      " setp.ge.u32 %p2, %r1, 40;\n .loc 1 7 0\n @%p2" + load + " @!%p2" + load + " .loc 1 8 0\n"),
        1, 0, 0, true);
    ASSERT_EQ(ran.launch.hazards.size(), 7u);  // of line 8, the shared write and atomic are one, as are the two writes
    const Hazard& hazard = ran.launch.hazards[0];
    EXPECT_EQ(hazard.line, 7u);
    EXPECT_EQ(hazard.count, kBlocks * kThreads / 2);
    EXPECT_EQ(hazard.thread, (Dim3{40, 0, 0}));  // its instruction comes first
}

TEST(OnFault, ReadsGiveZeroAndWritesAreDropped) {
    const Ran ran = run(1, 0, 0);
    for (std::uint32_t block = 0; block < kBlocks; ++block)
        for (std::uint32_t thread = 0; thread < kThreads; ++thread)
            // Where it may: what earlier blocks added, as it reads it and as its own atomic finds it.
            EXPECT_EQ(ran.out[block * kThreads + thread], thread < 32 ? 2 * block : 0) << block << " " << thread;
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(ran.array[i], i % 2 == 0 ? kBlocks : 0) << i;
}

TEST(OnFault, MisalignedAccessesAreTheirOwnPlaces) {
    const Ran ran = run(1, 2, 0);
    ASSERT_EQ(ran.launch.hazards.size(), 9u);
    for (const Hazard& hazard : ran.launch.hazards) {
        EXPECT_EQ(hazard.kind, HazardKind::kMisaligned);
        EXPECT_EQ(hazard.count, kBlocks * kThreads);
    }
    for (std::uint32_t value : ran.out) EXPECT_EQ(value, 0u);
}

TEST(OnFault, TheSameAtAnyNumberOfJobs) {
    const Ran one = run(1, 0, 0, true, true), ended = run(1, 0, 1, true, true);
    for (unsigned jobs : {2u, 5u}) {
        const Ran other = run(jobs, 0, 0, true, true);
        ASSERT_EQ(other.launch.hazards.size(), one.launch.hazards.size());
        EXPECT_EQ(other.launch.counters.values, one.launch.counters.values);
        for (std::size_t i = 0; i < one.launch.hazards.size(); ++i) {
            EXPECT_EQ(other.launch.hazards[i].count, one.launch.hazards[i].count);
            EXPECT_EQ(other.launch.hazards[i].message, one.launch.hazards[i].message);
            EXPECT_EQ(other.launch.hazards[i].block, one.launch.hazards[i].block);
        }
        const Ran trapped = run(jobs, 0, 1, true, true);
        ASSERT_EQ(trapped.launch.hazards.size(), ended.launch.hazards.size());
        for (std::size_t i = 0; i < ended.launch.hazards.size(); ++i)
            EXPECT_EQ(trapped.launch.hazards[i].count, ended.launch.hazards[i].count);
    }
}

TEST(OnFault, WhatIsNoAccessStillEndsTheLaunch) {
    const Ran ran = run(1, 0, 1);
    EXPECT_EQ(ran.status, LaunchStatus::kFault);
    ASSERT_FALSE(ran.launch.hazards.empty());
    EXPECT_EQ(ran.launch.hazards.back().kind, HazardKind::kTrap);
}

// What a card does not notice, just past an allocation, is told and ends nothing; the next place does.
TEST(OnFault, StopEndsAtTheFirstPlaceThatACardNotices) {
    const Ran ran = run(1, 0, 0, false);
    EXPECT_EQ(ran.status, LaunchStatus::kFault);
    ASSERT_EQ(ran.launch.hazards.size(), 2u);
    EXPECT_EQ(ran.launch.hazards[0].thread, (Dim3{32, 0, 0}));
    EXPECT_EQ(ran.launch.hazards[0].space, HazardSpace::kGlobal);
    EXPECT_EQ(ran.launch.hazards[1].space, HazardSpace::kShared);
}

}  // namespace
}  // namespace tilescope
