// What the machine tells of a launch: every access as it is written, barriers, fences, copies and barrier objects, each
// with the right data and in the right order.
#include <gtest/gtest.h>

#include <cstring>

#include "scope/report/json.h"
#include "tests/machine/event_recorder.h"
#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

using machine::bit_of;
using machine::Event;
using machine::Space;
using machine::View;

constexpr Wanted kNothing{.spaces = 0, .events = 0, .blocks = false, .host = false};

Wanted accesses(View view = View::kWritten) {
    Wanted wanted = kNothing;
    wanted.spaces = machine::kEverySpace;
    wanted.view = view;
    return wanted;
}

Wanted events(std::uint32_t kinds) {
    Wanted wanted = kNothing;
    wanted.events = kinds;
    return wanted;
}

struct Told {
    Lines lines;
    Profile profile;
};

// Lines of the body count from 1, whatever ptx_kernel() puts before them.
std::string shortened(const std::string& line, unsigned first_line) {
    const std::size_t at = line.find(" line ");
    if (at == std::string::npos) return line;
    std::size_t end = 0;
    const unsigned long number = std::stoul(line.substr(at + 6), &end);
    return line.substr(0, at) + " " + std::to_string(number - first_line + 1) + line.substr(at + 6 + end);
}

// The buffer is #3, behind the two variables of the module.
Told tell(const std::string& body, const Wanted& wanted, const KernelShape& shape = {}, bool cooperative = false) {
    Told told;
    Lines lines;  // outlives the session, which releases memory at its end
    SessionOptions options;
    options.jobs = shape.jobs;
    auto session = Session::create(options);
    EXPECT_TRUE(session);
    (*session)->observers().add(std::make_unique<RunRecorder>(lines, wanted));
    const std::string text = ptx_kernel(body);
    const auto module = (*session)->load_module(text, "test.ptx");
    if (!module) {
        ADD_FAILURE() << render(module.errors());
        return told;
    }
    const auto address =
        reinterpret_cast<std::uint64_t>((*session)->memory().allocate(4096, machine::AllocationKind::kDevice));
    LaunchRequest request;
    request.kernel = *(*session)->find_kernel(*module, "k");
    request.grid = shape.grid;
    request.block = shape.block;
    request.cooperative = cooperative;
    request.stream = 5;
    request.parameters = std::as_bytes(std::span(&address, 1));
    const LaunchResult result = (*session)->launch(request);
    EXPECT_EQ(result.status, LaunchStatus::kOk)
        << body << (result.hazard ? result.hazard->message : "") << render(result.diagnostics);
    const auto first_line = 1 + static_cast<unsigned>(std::count(
                                    text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(body)), '\n'));
    for (const std::string& line : lines) told.lines.push_back(shortened(line, first_line));
    told.profile = (*session)->profile();
    return told;
}

std::string told(const std::string& body, const Wanted& wanted, const KernelShape& shape = {}) {
    return joined(tell(body, wanted, shape).lines);
}

// %rd1: the lane's own four bytes of the buffer; %r2: of the tile.
constexpr const char* kOwn =
    "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd10, %rd2; mov.u32 %r3, tile; shl.b32 %r4, %r1, "
    "2; "
    "add.s32 %r2, %r3, %r4;\n";

TEST(Events, AccessesComeAsTheyAreWritten) {
    EXPECT_EQ(told(std::string(kOwn) + "ld.global.u32 %r5, [%rd1];\n"
                                       "st.shared.u32 [%r2], %r5;\n"
                                       "setp.lt.u32 %p1, %r1, 3;\n"
                                       "@%p1 st.global.v2.u32 [%rd10+256], {%r5, %r1};\n"
                                       "setp.ge.u32 %p2, %r1, 30;\n"
                                       "@!%p2 ld.shared.u8 %r6, [%r2+1];\n"
                                       "@!%p2 st.global.u8 [%rd1+2], %r6;\n"
                                       "ret;",
                   accesses(), {.block = {34, 1, 1}}),
              "b0 w0 2 load global 4 weak at #3+0+4*32 by ffffffff\n"
              "b0 w0 3 store shared 4 weak at 0+4*32 by ffffffff\n"
              "b0 w0 5 store global 8 weak at #3+256+0*3 by 7\n"
              "b0 w0 7 load shared 1 weak at 1+4*30 by 3fffffff\n"
              "b0 w0 8 store global 1 weak at #3+2+4*30 by 3fffffff\n"
              "b0 w1 2 load global 4 weak at #3+128+4*2 by 3\n"
              "b0 w1 3 store shared 4 weak at 128+4*2 by 3\n");
}

TEST(Events, OrderAndScopeComeWithTheAccess) {
    EXPECT_EQ(told("ld.volatile.global.u32 %r1, [%rd10];\n"
                   "ld.acquire.gpu.global.u32 %r2, [%rd10];\n"
                   "st.release.sys.global.u32 [%rd10], %r1;\n"
                   "st.relaxed.cta.shared.u32 [tile], %r2;\n"
                   "atom.acq_rel.gpu.global.add.u32 %r3, [%rd10], 2;\n"
                   "atom.global.cas.b32 %r4, [%rd10], %r3, 1;\n"
                   "red.release.cta.shared.add.u32 [tile], %r4;\n"
                   "ret;",
                   accesses(), {.block = {1, 1, 1}}),
              "b0 w0 1 load global 4 volatile.sys at #3+0 by 1\n"
              "b0 w0 2 load global 4 acquire.gpu at #3+0 by 1\n"
              "b0 w0 3 store global 4 release.sys at #3+0 by 1\n"
              "b0 w0 4 store shared 4 relaxed.cta at 0 by 1\n"
              "b0 w0 5 atomic global 4 acq_rel.gpu at #3+0 by 1\n"
              "b0 w0 6 atomic global 4 relaxed.gpu at #3+0 by 1\n"
              "b0 w0 7 reduction shared 4 release.cta at 0 by 1\n");
}

// One instruction whose lanes mean three spaces, and constants by a 32-bit address.
TEST(Events, GenericAddressesComeInTheirSpaces) {
    EXPECT_EQ(told(".local .align 4 .u32 own;\n"
                   "cvta.shared.u64 %rd1, tile; mov.u32 %r9, tile; add.s64 %rd1, %rd1, 8;\n"
                   "cvta.local.u64 %rd2, own;\n"
                   "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 1; setp.eq.u32 %p2, %r1, 2;\n"
                   "selp.b64 %rd3, %rd1, %rd10, %p1; selp.b64 %rd3, %rd2, %rd3, %p2;\n"
                   "st.u32 [%rd3], %r1;\n"
                   "atom.add.u32 %r2, [%rd1], %r1;\n"
                   "st.global.u32 [%rd10+8], %r2;\n"
                   "ret;",
                   accesses(), {.block = {4, 1, 1}}),
              "b0 w0 6 store global 4 weak at #3+0+0*2 by 9\n"
              "b0 w0 6 store shared 4 weak at 8 by 2\n"
              "b0 w0 6 store local 4 weak at 0 by 4\n"
              "b0 w0 7 atomic shared 4 relaxed.gpu at 8+0*4 by f\n"
              "b0 w0 8 store global 4 weak at #3+8+0*4 by f\n");
}

// What the assembler merges, leaves out and combines is for those who ask for it.
TEST(Events, OnlyTheCountedViewIsFolded) {
    const std::string body =
        "and.b64 %rd1, %rd10, -16;\n"
        "ld.global.u32 %r1, [%rd1];\n"
        "ld.global.u32 %r2, [%rd1+4];\n"
        "add.u32 %r3, %r1, %r2;\n"
        "red.global.add.u32 [%rd10+64], %r3;\n"
        "red.shared.add.u32 [tile], 1;\n"
        "ret;";
    EXPECT_EQ(told(body, accesses()),
              "b0 w0 2 load global 4 weak at #3+0+0*32 by ffffffff\n"
              "b0 w0 3 load global 4 weak at #3+4+0*32 by ffffffff\n"
              "b0 w0 5 reduction global 4 relaxed.gpu at #3+64+0*32 by ffffffff\n"
              "b0 w0 6 reduction shared 4 relaxed.gpu at 0+0*32 by ffffffff\n");
    EXPECT_EQ(told(body, accesses(View::kCounted)),
              "b0 w0 2 load global 8 weak at #3+0+0*32 by ffffffff\n"
              "b0 w0 5 combined global 4 relaxed.gpu at #3+64+0*32 by ffffffff\n"
              "b0 w0 6 increment shared 4 relaxed.gpu at 0+0*32 by ffffffff\n");
}

TEST(Events, OnlyWantedSpacesAreTold) {
    Wanted shared = accesses();
    shared.spaces = bit_of(Space::kShared);
    EXPECT_EQ(told("mov.u32 %r1, 3;\ncvta.shared.u64 %rd1, tile;\nst.u32 [%rd1], %r1;\nst.u32 [%rd10], %r1;\n"
                   "st.shared.u32 [tile+4], %r1;\nst.global.u32 [%rd10], %r1;\nret;",
                   shared, {.block = {1, 1, 1}}),
              "b0 w0 3 store shared 4 weak at 0 by 1\nb0 w0 5 store shared 4 weak at 4 by 1\n");
}

TEST(Events, CopiesAreAccessesAndGroups) {
    Wanted wanted = accesses();
    wanted.events = bit_of(Event::kCopyGroup);
    EXPECT_EQ(told(std::string(kOwn) + "cp.async.ca.shared.global [%r2], [%rd1], 4;\n"
                                       "cp.async.commit_group;\n"
                                       "cp.async.ca.shared.global [%r2+64], [%rd1], 4, %r1;\n"
                                       "cp.async.commit_group;\n"
                                       "cp.async.wait_group 1;\n"
                                       "cp.async.wait_all;\n"
                                       "ret;",
                   wanted, {.block = {6, 1, 1}}),
              "b0 w0 2 copy-write shared 4 weak at 0+4*6 by 3f\n"
              "b0 w0 2 copy-read global 4 weak at #3+0+4*6 by 3f\n"
              "b0 w0 3 copies committed by 3f\n"
              "b0 w0 4 copy-write shared 4 weak at 64+4*6 by 3f\n"
              "b0 w0 4 copy-read global 4 weak at #3+4+4*5 bytes 1,2,3,4,4 by 3e\n"
              "b0 w0 5 copies committed by 3f\n"
              "b0 w0 6 copies waited for but 1 by 3f\n"
              "b0 w0 7 copies all waited for by 3f\n");
}

TEST(Events, BarriersOfTheBlock) {
    Wanted wanted = events(bit_of(Event::kBarrierArrival) | bit_of(Event::kBarrierPassed));
    wanted.spaces = bit_of(Space::kShared);
    // Warp 0 produces and goes on, warp 1 waits for it; then all meet, and vote.
    EXPECT_EQ(told("mov.u32 %r1, %tid.x;\n"
                   "setp.lt.u32 %p1, %r1, 32;\n"
                   "@!%p1 bra consume;\n"
                   "st.shared.u32 [tile], %r1;\n"
                   "bar.arrive 2, 64;\n"
                   "bra.uni all;\n"
                   "consume:\n"
                   "bar.sync 2, 64;\n"
                   "ld.shared.u32 %r2, [tile];\n"
                   "st.shared.u32 [tile+4], %r2;\n"
                   "all:\n"
                   "bar.red.popc.u32 %r3, 0, %p1;\n"
                   "st.shared.u32 [tile+8], %r3;\n"
                   "ret;",
                   wanted, {.block = {64, 1, 1}}),
              "b0 w0 4 store shared 4 weak at 0+0*32 by ffffffff\n"
              "b0 w0 5 barrier 2 arrive of 64 by ffffffff\n"
              "b0 w0 12 barrier 0 reduce of 64 living by ffffffff\n"
              "b0 w1 8 barrier 2 sync of 64 by ffffffff\n"
              "b0 barrier 2 passed by 64\n"
              "b0 w1 9 load shared 4 weak at 0+0*32 by ffffffff\n"
              "b0 w1 10 store shared 4 weak at 4+0*32 by ffffffff\n"
              "b0 w1 12 barrier 0 reduce of 64 living by ffffffff\n"
              "b0 barrier 0 passed by 64\n"
              "b0 w1 13 store shared 4 weak at 8+0*32 by ffffffff\n"
              "b0 w0 13 store shared 4 weak at 8+0*32 by ffffffff\n");
}

// Threads that end complete a barrier for the rest.
TEST(Events, ABarrierMayBePassedByAnEnd) {
    EXPECT_EQ(told("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@!%p1 ret;\nbar.sync 0;\nret;",
                   events(bit_of(Event::kBarrierArrival) | bit_of(Event::kBarrierPassed)), {.block = {64, 1, 1}}),
              "b0 w0 4 barrier 0 sync of 64 living by ffffffff\nb0 barrier 0 passed by 32\n");
}

TEST(Events, BarriersOfTheWarpTellTheirMembers) {
    // Halves that came by different ways meet under their own masks, then all; lanes that exchange values order
    // nothing.
    EXPECT_EQ(told("mov.u32 %r1, %laneid;\n"
                   "setp.lt.u32 %p1, %r1, 16;\n"
                   "@%p1 bra low;\n"
                   "bar.warp.sync 0xffff0000;\n"
                   "bra.uni all;\n"
                   "low:\n"
                   "bar.warp.sync 0xffff;\n"
                   "all:\n"
                   "shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;\n"
                   "vote.sync.ballot.b32 %r3, %p1, -1;\n"
                   "setp.gt.u32 %p2, %r1, 3;\n"
                   "@%p2 ret;\n"
                   "bar.warp.sync 15;\n"
                   "st.global.v2.u32 [%rd10], {%r2, %r3};\n"
                   "ret;",
                   events(bit_of(Event::kWarpBarrier))),
              "b0 w0 4 warp barrier acq_rel.cta for ffff0000 by ffff0000\n"
              "b0 w0 7 warp barrier acq_rel.cta for ffff by ffff\n"
              "b0 w0 9 warp barrier weak for ffffffff by ffffffff\n"
              "b0 w0 10 warp barrier weak for ffffffff by ffffffff\n"
              "b0 w0 13 warp barrier acq_rel.cta for f by f\n");
    // Lanes that come one way after the other are told of once, together.
    EXPECT_EQ(told("mov.u32 %r1, %laneid;\nsetp.lt.u32 %p1, %r1, 16;\n@%p1 bra low;\nbar.warp.sync -1;\nret;\nlow:\n"
                   "bar.warp.sync -1;\nret;",
                   events(bit_of(Event::kWarpBarrier))),
              "b0 w0 4 warp barrier acq_rel.cta for ffffffff by ffffffff\n");
}

TEST(Events, FencesTellTheirOrderAndScope) {
    Wanted wanted = events(bit_of(Event::kFence));
    wanted.spaces = bit_of(Space::kGlobal);
    EXPECT_EQ(told("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 1;\n"
                   "st.global.u32 [%rd10], %r1;\n"
                   "@%p1 membar.gl;\n"
                   "fence.acq_rel.cta;\n"
                   "fence.sc.sys;\n"
                   "fence.proxy.async;\n"
                   "fence.mbarrier_init.release.cluster;\n"
                   "st.global.u32 [%rd10+4], %r1;\n"
                   "ret;",
                   wanted, {.block = {2, 1, 1}}),
              "b0 w0 2 store global 4 weak at #3+0+0*2 by 3\n"
              "b0 w0 3 fence sc.gpu by 2\n"
              "b0 w0 4 fence acq_rel.cta by 3\n"
              "b0 w0 5 fence sc.sys by 3\n"
              "b0 w0 6 proxy fence weak by 3\n"
              "b0 w0 7 barrier fence release.cluster by 3\n"
              "b0 w0 8 store global 4 weak at #3+4+0*2 by 3\n");
}

TEST(Events, PrefetchesTellTheirAddresses) {
    EXPECT_EQ(told("prefetch.global.L2 [%rd10];\nprefetch.global.L2::evict_last [%rd10+1000000000];\nret;",
                   events(bit_of(Event::kPrefetch)), {.block = {2, 1, 1}}),
              "b0 w0 1 prefetch at 0+0*2 by 3\nb0 w0 2 prefetch last at 0+0*2 by 3\n");
}

TEST(Events, BarrierObjectsTellWhoArrivesAndWhoHasWaited) {
    EXPECT_EQ(told("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0;\n"
                   "@%p1 mbarrier.init.shared.b64 [tile], 4;\n"
                   "bar.sync 0;\n"
                   "mbarrier.arrive.shared.b64 %rd1, [tile];\n"
                   "mbarrier.test_wait.shared.b64 %p2, [tile], %rd1;\n"
                   "@%p1 mbarrier.arrive.shared.b64 %rd2, [tile], 1;\n"
                   "again:\n"
                   "mbarrier.try_wait.parity.acquire.cta.shared.b64 %p3, [tile], 0;\n"
                   "@!%p3 bra again;\n"
                   "@%p1 mbarrier.arrive.expect_tx.relaxed.cta.shared.b64 _, [tile], 8;\n"
                   "@%p1 mbarrier.complete_tx.shared.b64 [tile], 8;\n"
                   "cp.async.mbarrier.arrive.shared.b64 [tile];\n"
                   "@%p1 mbarrier.inval.shared.b64 [tile];\n"
                   "ret;",
                   events(bit_of(Event::kBarrierObject)), {.block = {3, 1, 1}}),
              "b0 w0 2 object init weak at 0 of 4 by 1\n"
              "b0 w0 4 object arrive release.cta at 0+0*3 by 7\n"
              "b0 w0 6 object arrive release.cta at 0 of 1 completing by 1 by 1\n"
              "b0 w0 8 object wait-passed acquire.cta at 0+0*3 by 7\n"
              "b0 w0 10 object arrive relaxed.cta at 0 of 8 expecting by 1\n"
              "b0 w0 11 object bytes relaxed.cta at 0 of 8 by 1\n"
              "b0 w0 12 object copies release.cta at 0+0*3 by 7\n"
              "b0 w0 13 object invalidate weak at 0 by 1\n");
}

// Blocks, launches and memory, around the launch and in it; one observer for all blocks, however many jobs.
TEST(Events, ALaunchAndItsBlocksAreTold) {
    Wanted wanted;
    wanted.events = 0;
    EXPECT_EQ(told("mov.u32 %r1, %ctaid.y;\nst.global.u32 [%rd10], %r1;\nret;", wanted,
                   {.grid = {1, 2, 1}, .block = {1, 1, 1}, .jobs = 3}),
              "allocate #1 module 4 on stream 0\n"
              "allocate #2 module 4 on stream 0\n"
              "allocate #3 device 4096 on stream 0\n"
              "launch 0 k 1,2,1 x 1,1,1 shared 256 on stream 5 async\n"
              "b0 begins at 0,0,0 on SM 0\n"
              "b0 w0 2 store global 4 weak at #3+0 by 1\n"
              "b0 ends\n"
              "b1 begins at 0,1,0 on SM 1\n"
              "b1 w0 2 store global 4 weak at #3+0 by 1\n"
              "b1 ends\n"
              "launch 0 ends after 2 blocks, seen\n");
}

// Blocks that wait for each other are under way at once, and every event says whose it is.
TEST(Events, BlocksThatTakeTurnsAreToldApart) {
    Wanted wanted = accesses();
    wanted.blocks = true;
    const std::string body =
        "mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 1;\n"
        "@%p1 bra second;\n"
        "again:\n"
        "ld.volatile.global.u32 %r2, [%rd10]; setp.eq.u32 %p2, %r2, 0;\n"
        "@%p2 bra again;\n"
        "ret;\n"
        "second:\n"
        "st.volatile.global.u32 [%rd10], %r1;\n"
        "ret;";
    Lines lines = tell(body, wanted, {.grid = {2, 1, 1}, .block = {1, 1, 1}, .jobs = 2}).lines;
    const std::string poll = "b0 w0 4 load global 4 volatile.sys at #3+0 by 1";
    ASSERT_GT(lines.size(), 8u);
    EXPECT_EQ(lines[1], poll);
    EXPECT_EQ(lines[2], poll);
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    EXPECT_EQ(joined(lines), "b0 begins at 0,0,0 on SM 0\n" + poll +
                                 "\nb1 begins at 1,0,0 on SM 1\n"
                                 "b1 w0 8 store global 4 volatile.sys at #3+0 by 1\nb1 ends\n" +
                                 poll + "\nb0 ends\n");
}

TEST(Events, MallocInAKernelIsAnAllocation) {
    Wanted wanted = kNothing;
    wanted.host = true;
    const Lines lines = tell(
                            "{\n.param .b64 size; .param .b64 out;\nmov.u64 %rd1, 40; st.param.b64 [size], %rd1;\n"
                            "call.uni (out), malloc, (size);\nld.param.b64 %rd2, [out];\n}\n"
                            "st.global.u64 [%rd10], %rd2;\n{\n.param .b64 what; st.param.b64 [what], %rd2;\ncall.uni "
                            "free, (what);\n}\nret;",
                            wanted, {.block = {1, 1, 1}})
                            .lines;
    ASSERT_EQ(lines.size(), 7u) << joined(lines);
    EXPECT_EQ(lines[4], "allocate #4 heap 40 on stream 0");
    EXPECT_EQ(lines[5], "release #4 on stream 0");
    EXPECT_EQ(lines[6], "launch 0 ends after 1 blocks");
}

// Who listens changes nothing of what is counted.
TEST(Events, ListenersChangeNoCount) {
    const std::string body = std::string(kOwn) +
                             "ld.global.u32 %r5, [%rd1];\nld.global.u32 %r6, [%rd1+4];\nst.shared.u32 [%r2], %r5;\n"
                             "bar.sync 0;\nld.shared.u32 %r7, [tile];\nadd.u32 %r7, %r7, %r6;\n"
                             "red.global.add.u32 [%rd10+2048], %r7;\nret;";
    const KernelShape shape{.grid = {7, 1, 1}, .block = {64, 1, 1}};
    const Told alone = tell(body, kNothing, shape), heard = tell(body, {}, shape);
    EXPECT_TRUE(alone.lines.empty());
    EXPECT_GT(heard.lines.size(), 100u);
    EXPECT_EQ(report::to_json(alone.profile), report::to_json(heard.profile));
}

}  // namespace
}  // namespace tilescope::test
