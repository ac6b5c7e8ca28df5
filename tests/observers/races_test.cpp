// The race check against small kernels: for each rule one that it must speak about, and one that is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

// Line 1 of every kernel. Shared words: %r4 the thread's own, %r5 that of the other warp's lane, %r6 the neighbour's;
// %r2 the first one. Global words: %rd1 the thread's own, %rd10 the first one.
const std::string kRaceSetUp =
    "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3; xor.b32 %r5, %r1, 32; "
    "shl.b32 %r5, %r5, 2; add.u32 %r5, %r2, %r5; xor.b32 %r6, %r1, 1; shl.b32 %r6, %r6, 2; add.u32 %r6, %r2, %r6; "
    "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd10, %rd2; mov.u32 %r7, %ctaid.x; setp.eq.u32 %p1, %r1, 0; "
    "setp.lt.u32 %p2, %r1, 32; setp.eq.u32 %p3, %r7, 0; mad.lo.u32 %r30, %r7, 64, %r1; mul.wide.u32 %rd3, %r30, 4; "
    "add.s64 %rd9, %rd10, %rd3;\n";

// What was loaded is used: nobody is told of loads whose result nobody reads.
const std::string kUse =
    "\nadd.u32 %r8, %r8, %r9; add.u32 %r8, %r8, %r11; add.u32 %r8, %r8, %r12; add.u32 %r8, %r8, %r13; "
    "add.u32 %r8, %r8, %r14; st.global.u32 [%rd9+2048], %r8;\nret;";

std::vector<Hazard> race_hazards_of(const std::string& body, KernelShape shape = {.block = {64, 1, 1}}) {
    shape.checks = bit_of(Check::kRaces);
    const KernelRun run = run_kernel(ptx_kernel(kRaceSetUp + body + kUse), "k", {Words(1024)}, shape);
    EXPECT_EQ(run.problem + run.fault, "") << body;
    return run.hazards;
}

// "space order 3<2": the access of line 3 met that of line 2, which the program has before; by line, "~" before a
// warning. Line 1 is the set-up.
std::string races(const std::string& body, const KernelShape& shape = {.block = {64, 1, 1}}) {
    const std::string head = ptx_kernel("");
    const auto first = static_cast<std::uint32_t>(std::count(head.begin(), head.end(), '\n')) - 2;
    std::set<std::string> lines;
    for (const Hazard& hazard : race_hazards_of(body, shape))
        lines.insert((hazard.severity == Severity::kError ? "" : "~") + std::string(report::name_of(hazard.space)) +
                     " " + std::string(report::name_of(hazard.order)) + " " + std::to_string(hazard.line - first) +
                     "<" + std::to_string(hazard.other_line - first));
    std::string all;
    for (const std::string& line : lines) all += (all.empty() ? "" : ", ") + line;
    return all;
}

const KernelShape kTwoBlocks = {.grid = {2, 1, 1}, .block = {32, 1, 1}};

TEST(Races, ABarrierOrdersTheBlock) {
    EXPECT_EQ(races("st.shared.u32 [%r4], %r1;\nbar.sync 0;\nld.shared.u32 %r8, [%r5];"), "");
    EXPECT_EQ(races("st.shared.u32 [%r4], %r3;\nld.shared.u32 %r8, [%r5];"), "shared read-after-write 3<2");
    EXPECT_EQ(races("st.global.u32 [%rd1], %r1;\nbar.sync 0;\nld.global.u32 %r8, [%rd10+128];"), "");
    EXPECT_EQ(races("st.global.u32 [%rd1], %r1;\nld.global.u32 %r8, [%rd10+128];"), "global read-after-write 3<2");
}

TEST(Races, TheMissingBarriersPlaceIsNamed) {
    const auto straight = race_hazards_of("st.shared.u32 [%r4], %r3;\nld.shared.u32 %r8, [%r5];");
    ASSERT_EQ(straight.size(), 1u);
    EXPECT_NE(straight[0].hint.find("add __syncthreads() between line "), std::string::npos) << straight[0].hint;
    EXPECT_NE(straight[0].message.find("tile, byte 128"), std::string::npos) << straight[0].message;
    EXPECT_EQ(straight[0].other_thread[0] ^ 32, straight[0].thread[0]);
    const auto loop = race_hazards_of(
        "mov.u32 %r9, 0;\nloop:\nadd.u32 %r10, %r1, %r9;\nst.shared.u32 [%r4], %r10;\nbar.sync 0;\n"
        "ld.shared.u32 %r8, [%r5];\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p4, %r9, 3;\n@%p4 bra loop;");
    ASSERT_EQ(loop.size(), 1u);
    EXPECT_EQ(loop[0].order, RaceOrder::kWriteAfterRead);
    EXPECT_NE(loop[0].hint.find("before the loop comes round to line"), std::string::npos) << loop[0].hint;
    EXPECT_EQ(loop[0].count, 2u * 64);
}

// Code by the lines of a source whose function stands above its kernel: what is inlined counts at its call.
TEST(Races, TheMissingBarriersPlaceIsThatOfTheSource) {
    const auto hint_of = [](const std::string& body) {
        const auto found = race_hazards_of(body);
        return found.empty() ? "nothing" : found[0].hint;
    };
    const std::string turn =
        ".loc 1 9 0\nadd.u32 %r9, %r9, %r1;\nst.shared.u32 [%r4], %r9;\n.loc 1 10 0\nbar.sync 0;\n.loc 1 11 0\n"
        "ld.shared.u32 %r8, [%r5];\nadd.u32 %r9, %r9, %r8;\n";
    EXPECT_EQ(hint_of("mov.u32 %r9, 1;\n" + turn + turn),
              "add __syncthreads() after line 11, before line 9 comes again");
    const std::string called =
        ".loc 1 20 0\nst.shared.u32 [%r4], %r3;\n.loc 1 3 0, function_name names, inlined_at 1 21 5\n"
        "ld.shared.u32 %r8, [%r5];";
    EXPECT_EQ(hint_of(called), "add __syncthreads() between line 20 and line 3");
    // What a compiler moved up stands by its line.
    EXPECT_EQ(hint_of(".loc 1 11 0\nld.shared.u32 %r8, [%r5];\n.loc 1 9 0\nst.shared.u32 [%r4], %r3;"),
              "add __syncthreads() between line 9 and line 11");
}

// A barrier of the block is of no use where a condition keeps threads from it.
TEST(Races, TheMissingBarriersPlaceIsOneThatAllThreadsReach) {
    const auto hint_of = [](const std::string& body) {
        const auto found = race_hazards_of(body);
        return found.empty() ? "nothing" : found[0].hint;
    };
    const std::string write = ".loc 1 9 0\nadd.u32 %r9, %r9, %r1;\nst.shared.u32 [%r4], %r9;\n";
    const std::string read = ".loc 1 12 0\nld.shared.u32 %r11, [%r2+160];\nadd.u32 %r14, %r14, %r11;\n";
    const auto turn = [&](const std::string& number) {
        return write + ".loc 1 10 0\nbar.sync 0;\n.loc 1 11 0\n@!%p1 bra on" + number + ";\n" + read + "on" + number +
               ":\n";
    };
    const std::string once = "add.u32 %r13, %r13, 1;\nsetp.lt.u32 %p4, %r13, 4;\n@%p4 bra again;";
    const std::string missing =
        "add __syncthreads() after line 12, before the loop comes round to line 9, where all threads come by, outside "
        "the condition at line 11";
    EXPECT_EQ(hint_of("mov.u32 %r13, 0; mov.u32 %r9, 0; mov.u32 %r14, 0;\nagain:\n" + turn("1") + once), missing);
    // The same where a compiler unrolled the loop.
    EXPECT_EQ(hint_of("mov.u32 %r13, 0; mov.u32 %r9, 0; mov.u32 %r14, 0;\nagain:\n" + turn("1") + turn("2") + once),
              missing);
    // A condition that is the same for all threads is none.
    EXPECT_EQ(hint_of("setp.eq.u32 %p4, %r7, 0;\n@!%p4 bra on;\n.loc 1 9 0\nst.shared.u32 [%r4], %r3;\n.loc 1 12 0\n"
                      "ld.shared.u32 %r8, [%r5];\non:\n"),
              "add __syncthreads() between line 9 and line 12");
    EXPECT_EQ(hint_of(".loc 1 8 0\n@!%p2 bra on;\n.loc 1 9 0\nst.shared.u32 [%r4], %r3;\n.loc 1 12 0\n"
                      "ld.shared.u32 %r8, [%r6];\non:\n"),
              "add __syncwarp() between line 9 and line 12, where all lanes of the warp come by");
}

// A warp stores, one of its lanes arrives at a barrier object, and another warp waits there.
TEST(Races, AHandOverByOneLaneNeedsABarrierOfItsWarp) {
    const auto hint_of = [](const std::string& between) {
        const auto found = race_hazards_of(
            ".shared .align 8 .b64 object;\nmov.u32 %r20, object;\n@%p1 mbarrier.init.shared.b64 [%r20], 1;\nbar.sync "
            "0;\n@!%p2 bra waits;\n"
            ".loc 1 9 0\nst.shared.u32 [%r4], %r3;\n" +
            between +
            "@%p1 mbarrier.arrive.shared.b64 %rd20, [%r20];\nbra done;\nwaits:\n"
            "mbarrier.test_wait.parity.shared.b64 %p5, [%r20], 0;\n@!%p5 bra waits;\n.loc 1 12 0\n"
            "ld.shared.u32 %r8, [%r5];\ndone:\n");
        return found.empty() ? "nothing" : found[0].hint;
    };
    EXPECT_EQ(hint_of(""),
              "add __syncwarp() after line 9, before another lane of that warp lets the other warp go on: nothing "
              "orders the two lanes");
    EXPECT_EQ(hint_of("bar.warp.sync 0xffffffff;\n"), "nothing");
}

// One thread writes first, and its warp's other lanes go on: the write still stands before what all read.
TEST(Races, WhatAFewLanesDoComesWhereItStands) {
    EXPECT_EQ(races("@!%p1 bra on;\nst.shared.u32 [%r2+128], 7;\non:\n@%p2 st.shared.u32 [%r4], %r3;\n"
                    "ld.shared.u32 %r8, [%r2+128];"),
              "shared read-after-write 6<3");
}

TEST(Races, StorageMayBeUsedAgainBehindBarriers) {
    EXPECT_EQ(races("mov.u32 %r9, 0;\nloop:\nadd.u32 %r10, %r1, %r9;\nst.shared.u32 [%r4], %r10;\nbar.sync 0;\n"
                    "ld.shared.u32 %r8, [%r5];\nbar.sync 0;\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p4, %r9, 3;\n"
                    "@%p4 bra loop;"),
              "");
}

TEST(Races, AWriterMeetsEveryReader) {
    for (const char* writer : {"3", "40", "50"})
        EXPECT_NE(
            races("setp.eq.u32 %p4, %r1, 3; setp.eq.u32 %p5, %r1, 40; setp.eq.u32 %p6, %r1, " + std::string(writer) +
                  ";\n@%p4 ld.shared.u32 %r8, [%r2];\n@%p5 ld.shared.u32 %r8, [%r2];\n"
                  "@%p6 st.shared.u32 [%r2], 77;")
                .find("shared write-after-read"),
            std::string::npos)
            << writer;
    EXPECT_EQ(races("ld.shared.u32 %r8, [%r2];\nbar.sync 0;\n@%p1 st.shared.u32 [%r2], 77;"), "");
}

TEST(Races, BytesAndHalvesOfOneWordAreApart) {
    EXPECT_EQ(races("add.u32 %r8, %r2, %r1;\nst.shared.u8 [%r8], %r1;"), "");
    EXPECT_EQ(races("shl.b32 %r8, %r1, 1; add.u32 %r8, %r2, %r8;\nst.shared.b16 [%r8], %r1;"), "");
    EXPECT_EQ(races("add.u32 %r8, %r2, %r1;\nst.shared.u8 [%r8], %r3;\nld.shared.u32 %r9, [%r2];"),
              "shared read-after-write 4<3");
}

TEST(Races, LockStepIsNoExcuse) {
    const KernelShape warp = {.block = {32, 1, 1}};
    const std::string store = "st.shared.u32 [%r4], %r3;\n", load = "ld.shared.u32 %r8, [%r6];";
    EXPECT_EQ(races(store + load, warp), "shared read-after-write 3<2");
    EXPECT_EQ(races(store + "bar.warp.sync -1;\n" + load, warp), "");
    EXPECT_EQ(races(store + "shfl.sync.idx.b32 %r9, %r1, 0, 31, -1;\n" + load, warp), "");
}

TEST(Races, MasksNameTheLanesThatMeet) {
    const KernelShape warp = {.block = {32, 1, 1}};
    const std::string pairs = "and.b32 %r11, %r1, 30; mov.u32 %r12, 3; shl.b32 %r12, %r12, %r11;\n";
    const std::string store = "st.shared.u32 [%r4], %r3;\n";
    EXPECT_EQ(races(pairs + store + "bar.warp.sync %r12;\nld.shared.u32 %r8, [%r6];", warp), "");
    // The next pair is not in the mask.
    const std::string beyond = "xor.b32 %r6, %r1, 2; shl.b32 %r6, %r6, 2; add.u32 %r6, %r2, %r6;\n";
    EXPECT_EQ(races(pairs + beyond + store + "bar.warp.sync %r12;\nld.shared.u32 %r8, [%r6];", warp),
              "shared read-after-write 6<4");
}

TEST(Races, WritesOfOneValueAreMilder) {
    EXPECT_EQ(races("st.global.u32 [%rd10], %r1;"), "global write-after-write 2<2");
    EXPECT_EQ(races("st.global.u32 [%rd10], 1;"), "~global write-after-write 2<2");
    EXPECT_EQ(races("st.global.u8 [%rd10], 1;", {.grid = {3, 1, 1}, .block = {1, 1, 1}}),
              "~global write-after-write 2<2");
    EXPECT_EQ(races("st.global.u32 [%rd10], %r7;", {.grid = {3, 1, 1}, .block = {1, 1, 1}}),
              "global write-after-write 2<2");
}

// Where data happen to bring what was there already, nothing says that they will the next time.
TEST(Races, DataThatChangeNothingAreNoMilder) {
    const std::string read = "\nld.global.u32 %r8, [%rd10+128];";
    EXPECT_EQ(races("st.global.u32 [%rd1], 0;" + read), "~global read-after-write 3<2");
    EXPECT_EQ(races("ld.global.u32 %r9, [%rd1];\nst.global.u32 [%rd1], %r9;" + read), "global read-after-write 4<3");
    EXPECT_EQ(races("ld.global.u32 %r9, [%rd10+512];\nst.global.u32 [%rd1], %r9;" + read),
              "~global read-after-write 4<3");
}

// Who knows neither of two writes meets the first one's change through the second.
TEST(Races, AWriteThatChangesNothingHidesNoChange) {
    const std::string read = "\n@!%p2 ld.shared.u32 %r8, [%r2];";
    EXPECT_EQ(races("@%p1 st.shared.u32 [%r2], 7;\n@%p1 st.shared.u32 [%r2], 7;" + read),
              "shared read-after-write 4<3");
    EXPECT_EQ(races("@%p1 st.shared.u32 [%r2], 7;\nbar.warp.sync -1;\n@%p1 st.shared.u32 [%r2], 7;" + read),
              "shared read-after-write 5<4");
    EXPECT_EQ(races("@%p1 st.shared.u32 [%r2], 7;\nbar.sync 0;\n@%p1 st.shared.u32 [%r2], 7;" + read),
              "~shared read-after-write 5<4");
    // The other block knows of no barrier of this one.
    const std::string other = "\n@!%p3 ld.global.u32 %r8, [%rd10];";
    EXPECT_EQ(races("@%p3 st.global.u32 [%rd10], 7;\nbar.sync 0;\n@%p3 st.global.u32 [%rd10], 7;" + other,
                    {.grid = {2, 1, 1}, .block = {1, 1, 1}}),
              "global read-after-write 5<4");
    // A reader that met such a write is still there for the next one.
    EXPECT_EQ(races("setp.eq.u32 %p4, %r1, 32; @%p2 ld.global.u32 %r8, [%rd10];\n@%p4 st.global.u32 [%rd10], 0;\n"
                    "@%p4 st.global.u32 [%rd10], 7;"),
              "global write-after-read 4<2, ~global write-after-read 3<2");
}

TEST(Races, NamedBarriersOrderThoseWhoArriveBeforeThoseWhoWait) {
    const std::string ends = "ret;\nreader:\n";
    EXPECT_EQ(races("@!%p2 bra reader;\nst.shared.u32 [%r4], %r3;\nbar.arrive 1, 64;\n" + ends +
                    "bar.sync 1, 64;\nld.shared.u32 %r8, [%r5];"),
              "");
    EXPECT_EQ(races("@!%p2 bra reader;\nst.shared.u32 [%r4], %r3;\nbar.sync 1, 64;\n" + ends +
                    "ld.shared.u32 %r8, [%r5];\nbar.arrive 1, 64;"),
              "shared read-after-write 7<3");
    EXPECT_EQ(races("@!%p2 bra reader;\nbar.arrive 1, 64;\nst.shared.u32 [%r4], %r3;\n" + ends +
                    "bar.sync 1, 64;\nld.shared.u32 %r8, [%r5];"),
              "shared read-after-write 8<4");
}

// Block 0 writes data and sets a flag; block 1 waits for the flag and reads.
std::string handing_over(const std::string& producer_fence, const std::string& set, const std::string& get,
                         const std::string& consumer_fence) {
    return "@!%p1 ret; @!%p3 bra consumer;\nst.global.u32 [%rd10+128], 5;\n" + producer_fence + "\n" + set +
           " [%rd10], 1;\nret;\nconsumer:\n" + get + " %r8, [%rd10];\nsetp.eq.u32 %p4, %r8, 0;\n@%p4 bra consumer;\n" +
           consumer_fence + "\nld.global.u32 %r9, [%rd10+128];";
}

TEST(Races, FlagsOrderBlocksWithFencesOnBothSides) {
    const std::string set = "st.volatile.global.u32", get = "ld.volatile.global.u32",
                      data = "global read-after-write 12<3";
    EXPECT_EQ(races(handing_over("membar.gl;", set, get, "membar.gl;"), kTwoBlocks), "");
    EXPECT_EQ(races(handing_over("", set, get, "membar.gl;"), kTwoBlocks), data);
    EXPECT_EQ(races(handing_over("membar.gl;", set, get, ""), kTwoBlocks), data);
    EXPECT_EQ(races(handing_over("membar.cta;", set, get, "membar.gl;"), kTwoBlocks), data);
    EXPECT_EQ(races(handing_over("", "st.release.gpu.global.u32", "ld.acquire.gpu.global.u32", ""), kTwoBlocks), "");
    EXPECT_EQ(races(handing_over("fence.acq_rel.gpu;", "st.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32", ""),
                    kTwoBlocks),
              "");
    EXPECT_EQ(races(handing_over("", "st.release.cta.global.u32", "ld.acquire.cta.global.u32", ""), kTwoBlocks),
              data + ", global scope-too-small 8<5");
}

TEST(Races, WithinABlockTheBlocksScopeIsEnough) {
    EXPECT_EQ(
        races("setp.eq.u32 %p4, %r1, 0; setp.eq.u32 %p5, %r1, 32;\n@%p4 st.shared.u32 [%r2+128], 5;\n"
              "@%p4 st.release.cta.shared.u32 [%r2], 1;\n@!%p5 ret;\nwait:\nld.acquire.cta.shared.u32 %r8, [%r2];\n"
              "setp.eq.u32 %p6, %r8, 0; @%p6 bra wait;\nld.shared.u32 %r9, [%r2+128];"),
        "");
}

// Each block leaves a part; the last one, by a counter, adds them all up.
std::string last_block(const std::string& fence, const std::string& acquire = "membar.gl;",
                       const std::string& load = "ld.global.v4.u32") {
    return "mul.wide.u32 %rd3, %r7, 4; add.s64 %rd3, %rd10, %rd3; setp.ne.u32 %p5, %r1, 0; @%p5 bra meet;\n"
           "st.global.u32 [%rd3+64], 3;\n" +
           fence + "\natom.global.inc.u32 %r8, [%rd10], 100;\n" + acquire +
           "setp.eq.u32 %p4, %r8, 3; selp.u32 %r9, 1, 0, %p4;\n"
           "st.shared.u32 [%r2], %r9;\nmeet:\nbar.sync 0;\nld.shared.u32 %r10, [%r2];\n"
           "setp.eq.u32 %p6, %r10, 0; @%p6 ret;\n" +
           load + " {%r11, %r12, %r13, %r14}, [%rd10+64];";
}

TEST(Races, TheLastBlockNeedsTheFence) {
    const KernelShape four = {.grid = {4, 1, 1}, .block = {64, 1, 1}, .jobs = 4};
    EXPECT_EQ(races(last_block("membar.gl;"), four), "");
    EXPECT_EQ(races(last_block(""), four), "global read-after-write 12<3");
    EXPECT_EQ(races(last_block("membar.cta;"), four), "global read-after-write 12<3");
}

TEST(Races, LastBlockWithoutAnAcquireIsAWarning) {
    const KernelShape four = {.grid = {4, 1, 1}, .block = {64, 1, 1}, .jobs = 4};
    const std::string warning = "~global read-after-write 12<3";
    EXPECT_EQ(races(last_block("membar.gl;", ""), four), warning);
    EXPECT_EQ(races(last_block("membar.gl;", "membar.cta;"), four), warning);
    EXPECT_EQ(races(last_block("membar.gl;", "fence.acq_rel.gpu;"), four), "");
    EXPECT_EQ(races(last_block("membar.gl;", "", "membar.gl; ld.global.v4.u32"), four), "");
    EXPECT_EQ(races(last_block("membar.gl;", "", "ld.global.cg.v4.u32"), four), "");
    EXPECT_EQ(races(last_block("membar.gl;", "", "ld.volatile.global.v4.u32"), four), "");
    EXPECT_EQ(races(last_block("membar.gl;", "", "ld.global.ca.v4.u32"), four), warning);
    const auto hazards = race_hazards_of(last_block("membar.gl;", ""), four);
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].facts.what, HazardCase::kNoAcquire);
}

// Block 0 reads, meets and sets a flag without a fence; block 1 writes there when it has seen the flag.
TEST(Races, AReadIsOverWhenItsBlocksFlagWasSeen) {
    const auto in_place = [](const std::string& first) {
        return "setp.eq.u32 %p4, %r7, 0; @!%p4 bra other;\n" + first +
               "\nbar.sync 0;\n@%p1 st.relaxed.gpu.global.u32 [%rd10], 1;\nret;\nother:\n@!%p1 bra meet;\nwait:\n"
               "ld.relaxed.gpu.global.u32 %r8, [%rd10]; setp.eq.u32 %p6, %r8, 0; @%p6 bra wait;\nmeet:\nbar.sync 0;\n"
               "@%p1 st.global.u32 [%rd10+64], 3;";
    };
    const KernelShape two = {.grid = {2, 1, 1}, .block = {64, 1, 1}};
    EXPECT_EQ(races(in_place("@%p1 ld.global.u32 %r9, [%rd10+64];"), two), "");
    EXPECT_NE(races(in_place("@%p1 st.global.u32 [%rd10+64], 5;"), two).find("write-after-write"), std::string::npos);
}

// It sets the counter back by a plain write, for the next launch: the others' atomics were before.
TEST(Races, TheLastBlockMaySetTheCounterBack) {
    const KernelShape four = {.grid = {4, 1, 1}, .block = {64, 1, 1}, .jobs = 4};
    const std::string back = "\n@%p1 st.global.u32 [%rd10], 0;";
    EXPECT_EQ(races(last_block("membar.gl;") + back, four), "");
    EXPECT_NE(races(last_block("") + back, four).find("plain-against-atomic"), std::string::npos);
}

// So that it works the whole day: beyond a bound, which is said, strong writes are no more told apart.
TEST(Races, AnyNumberOfAtomicsIsFollowed) {
    KernelShape four = {
        .grid = {4, 1, 1}, .block = {64, 1, 1}, .checks = bit_of(Check::kRaces), .max_ordered_writes = 2};
    const std::string back = kRaceSetUp + last_block("membar.gl;") + "\n@%p1 st.global.u32 [%rd10], 0;" + kUse;
    const KernelRun beyond = run_kernel(ptx_kernel(back), "k", {Words(1024)}, four);
    EXPECT_EQ(beyond.hazards.size(), 0u);
    EXPECT_NE(beyond.notes.find("more than 2 atomics"), std::string::npos) << beyond.notes;
    four.max_ordered_writes = 4;
    EXPECT_EQ(run_kernel(ptx_kernel(back), "k", {Words(1024)}, four).notes.find("more than"), std::string::npos);
    const std::string unfenced = kRaceSetUp + last_block("") + "\n@%p1 st.global.u32 [%rd10], 0;" + kUse;
    four.max_ordered_writes = 1;
    EXPECT_GE(run_kernel(ptx_kernel(unfenced), "k", {Words(1024)}, four).hazards.size(), 1u);
}

TEST(Races, AFenceByEachThreadCountsBehindABarrier) {
    const KernelShape four = {.grid = {4, 1, 1}, .block = {64, 1, 1}};
    const auto all_write = [](const std::string& fence) {
        return "mad.lo.u32 %r15, %r7, 64, %r1; and.b32 %r15, %r15, 127; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, "
               "%rd10, "
               "%rd3; setp.ge.u32 %p5, %r7, 1;\n@!%p5 st.global.u32 [%rd3+64], 3;\n" +
               fence +
               "\nbar.sync 0;\n@%p1 atom.global.inc.u32 %r8, [%rd10], 100;\n@%p1 membar.gl;\n@%p1 st.shared.u32 [%r2], "
               "%r8;\n"
               "bar.sync 0;\nld.shared.u32 %r10, [%r2];\nsetp.ne.u32 %p6, %r10, 3; @%p6 ret;\n"
               "ld.global.u32 %r11, [%rd3+64];";
    };
    EXPECT_EQ(races(all_write("membar.gl;"), four), "");
    EXPECT_EQ(races(all_write(""), four), "global read-after-write 12<3");
}

TEST(Races, AtomicsAgainstEachOtherAndAgainstPlainAccesses) {
    const KernelShape blocks = {.grid = {4, 1, 1}, .block = {64, 1, 1}};
    EXPECT_EQ(races("and.b32 %r8, %r1, 7; mul.wide.u32 %rd3, %r8, 4; add.s64 %rd3, %rd10, %rd3;\n"
                    "red.global.add.u32 [%rd3], 1;",
                    blocks),
              "");
    EXPECT_EQ(races("red.global.add.u32 [%rd10], 1;\n@%p1 ld.global.u32 %r8, [%rd10];", blocks),
              "global plain-against-atomic 3<2");
    EXPECT_EQ(races("red.global.add.u32 [%rd10], 1;\nld.volatile.global.u32 %r8, [%rd10];", blocks), "");
    EXPECT_EQ(races("red.relaxed.cta.global.add.u32 [%rd10], 1;", blocks), "global scope-too-small 2<2");
    EXPECT_EQ(races("red.relaxed.cta.global.add.u32 [%rd10], 1;"), "");
    EXPECT_EQ(races("st.shared.u32 [%r4], 0;\nred.shared.add.u32 [%r2], 1;"), "shared plain-against-atomic 3<2");
    EXPECT_EQ(races("st.shared.u32 [%r4], 0;\nbar.sync 0;\nred.shared.add.u32 [%r2], 1;\nbar.sync 0;\n"
                    "ld.shared.u32 %r8, [%r2];"),
              "");
}

// The plain read is the first block's, or the last one's: found either way, at any number of workers.
TEST(Races, TheOrderOfTheRunDoesNotMatter) {
    for (const char* reader : {"0", "3"})
        for (const unsigned jobs : {1u, 4u}) {
            const std::string body = "setp.eq.u32 %p4, %r7, " + std::string(reader) +
                                     ";\n@!%p4 st.global.u32 [%rd1], %r3;\n@%p4 ld.global.u32 %r8, [%rd1];";
            EXPECT_EQ(races(body, {.grid = {4, 1, 1}, .block = {32, 1, 1}, .jobs = jobs}),
                      "global read-after-write 4<3, ~global write-after-write 3<3")
                << reader << jobs;
        }
}

// The same where lanes meet in warps and blocks do not know of each other; readers of many blocks, then a writer.
TEST(Races, ReadersOfManyBlocksMeetAnyWriter) {
    for (const char* writer : {"0", "2", "3"}) {
        const std::string body = "setp.eq.u32 %p4, %r7, " + std::string(writer) +
                                 "; and.pred %p4, %p4, %p1;\nld.global.u32 %r8, [%rd1+256];\nbar.warp.sync -1;\n"
                                 "@%p4 st.global.u32 [%rd10+256], 7;";
        EXPECT_NE(races(body, {.grid = {4, 1, 1}, .block = {32, 1, 1}}).find("global write-after-read 5<3"),
                  std::string::npos)
            << writer;
    }
    EXPECT_EQ(races("ld.global.u32 %r8, [%rd1+256];\nbar.warp.sync -1;\nst.global.u32 [%rd1+256], %r3;",
                    {.grid = {1, 1, 1}, .block = {64, 1, 1}}),
              "");
}

std::string locked(const std::string& taken, const std::string& given) {
    return "@!%p1 ret;\ntake:\natom.global.cas.b32 %r8, [%rd10], 0, 1;\nsetp.ne.u32 %p4, %r8, 0; @%p4 bra take;\n" +
           taken + "\nld.global.u32 %r9, [%rd10+64]; add.u32 %r9, %r9, 1;\nst.global.u32 [%rd10+64], %r9;\n" + given +
           "\natom.global.exch.b32 %r8, [%rd10], 0;";
}

TEST(Races, LocksNeedFences) {
    const KernelShape four = {.grid = {4, 1, 1}, .block = {32, 1, 1}};
    EXPECT_EQ(races(locked("membar.gl;", "membar.gl;"), four), "");
    EXPECT_NE(races(locked("membar.gl;", ""), four), "");
    EXPECT_NE(races(locked("", "membar.gl;"), four), "");
}

TEST(Races, AWorkQueueHandsOutEachItemOnce) {
    EXPECT_EQ(races("atom.global.add.u32 %r8, [%rd10], 1;\nmul.wide.u32 %rd3, %r8, 4; add.s64 %rd3, %rd10, %rd3;\n"
                    "ld.global.u32 %r9, [%rd3+64];\nst.global.u32 [%rd3+64], %r1;",
                    {.grid = {2, 1, 1}, .block = {64, 1, 1}}),
              "");
}

TEST(Races, AsynchronousCopiesLastUntilTheirWait) {
    const std::string copy = "cp.async.ca.shared.global [%r4], [%rd1], 4;\n";
    EXPECT_EQ(races(copy + "cp.async.wait_all;\nld.shared.u32 %r8, [%r4];"), "");
    EXPECT_EQ(races(copy + "ld.shared.u32 %r8, [%r4];"), "shared read-after-write 3<2");
    EXPECT_EQ(races(copy + "bar.sync 0;\nld.shared.u32 %r8, [%r4];"), "shared read-after-write 4<2");
    EXPECT_EQ(races(copy + "cp.async.wait_all;\nld.shared.u32 %r8, [%r5];"), "shared read-after-write 4<2");
    EXPECT_EQ(races(copy + "cp.async.wait_all;\nbar.sync 0;\nld.shared.u32 %r8, [%r5];"), "");
}

TEST(Races, GroupsOfCopiesAreWaitedForInTheirOrder) {
    // Each thread copies to its own word of the first half, then of the second.
    const std::string copies =
        "@!%p2 ret;\ncp.async.ca.shared.global [%r4], [%rd1], 4;\ncp.async.commit_group;\n"
        "cp.async.ca.shared.global [%r5], [%rd1], 4;\ncp.async.commit_group;\n";
    EXPECT_EQ(races(copies + "cp.async.wait_group 1;\nld.shared.u32 %r8, [%r4];"), "");
    EXPECT_EQ(races(copies + "cp.async.wait_group 1;\nld.shared.u32 %r8, [%r5];"), "shared read-after-write 8<5");
    EXPECT_EQ(races(copies + "cp.async.wait_group 0;\nld.shared.u32 %r8, [%r5];"), "");
}

// Warp 0 writes, arrives at a barrier object, and warp 1 waits there.
std::string over_object(const std::string& count, const std::string& arrive, const std::string& meet) {
    return ".shared .align 8 .b64 object; mov.u32 %r20, object; @%p1 mbarrier.init.shared.b64 [%r20], " + count +
           ";\nbar.sync 0;\n@!%p2 bra wait;\nst.shared.u32 [%r4], %r3;\n" + meet + "\n" + arrive +
           " mbarrier.arrive.shared.b64 %rd5, [%r20];\nret;\nwait:\n"
           "mbarrier.test_wait.parity.shared.b64 %p4, [%r20], 0;\n@!%p4 bra wait;\nld.shared.u32 %r8, [%r5];";
}

TEST(Races, BarrierObjectsOrderArrivalsBeforeWaits) {
    EXPECT_EQ(races(over_object("32", "", "")), "");
    EXPECT_EQ(races(over_object("1", "@%p1", "bar.warp.sync -1;")), "");
    EXPECT_EQ(races(over_object("1", "@%p1", "")), "shared read-after-write 12<5");
}

TEST(Races, NothingIsSaidOfWhatEveryThreadHasForItself) {
    EXPECT_EQ(races("ld.global.u32 %r8, [%rd1];\nst.global.u32 [%rd1], %r8;\nst.shared.u32 [%r4], %r8;\n"
                    "ld.shared.u32 %r9, [%r4];\nst.shared.u32 [%r4], %r9;"),
              "");
}

}  // namespace
}  // namespace tilescope::test
