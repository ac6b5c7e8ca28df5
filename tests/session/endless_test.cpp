// Kernels that wait for what never comes end with a message that says what for; those that only take long do not.
#include <gtest/gtest.h>

#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

KernelRun run_endless(const std::string& body, const KernelShape& shape = {}) {
    return run_kernel(ptx_kernel(body), "k", {Words(64)}, shape);
}

void expect_endless(const std::string& body, const std::string& part, const KernelShape& shape = {}) {
    const KernelRun ran = run_endless(body, shape);
    EXPECT_EQ(ran.problem, "");
    EXPECT_EQ(ran.fault.substr(0, 9), "deadlock ") << body << "\n" << ran.fault;
    EXPECT_NE(ran.fault.find(part), std::string::npos) << ran.fault;
}

// All blocks meet by a counter, but more are waited for than there are.
const std::string kGridBarrier =
    "mov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra meet;\natom.global.add.u32 %r2, [count], 1;\n"
    "mov.u32 %r3, %nctaid.x;\nadd.u32 %r3, %r3, 1;\nmov.u32 %r9, 0;\nwait:\nTRY\nsetp.lt.u32 %p2, %r4, %r3;\n@%p2 bra "
    "wait;\nmeet:\n"
    "bar.sync 0;\nret;";

std::string grid_barrier(const std::string& look) {
    std::string text = kGridBarrier;
    return text.replace(text.find("TRY"), 3, look);
}

TEST(Endless, AGridBarrierThatNobodyPassesNamesTheVariable) {
    const KernelShape shape{.grid = {8, 1, 1}, .block = {64, 1, 1}};
    const std::string expected =
        "reading count, which holds 8 and which nobody can change any more; threads 1-63 wait at barrier 0";
    expect_endless(grid_barrier("atom.global.add.u32 %r4, [count], 0;"), expected, shape);
    expect_endless(grid_barrier("atom.global.cas.b32 %r4, [count], 99, 98;"), expected, shape);
    expect_endless(grid_barrier("ld.volatile.global.u32 %r4, [count];"), expected, shape);
    expect_endless(grid_barrier("ld.acquire.gpu.global.u32 %r4, [count];\nnanosleep.u32 20;"), expected, shape);
    // A count of tries that nobody asks for, and one that is written where nobody reads it.
    expect_endless(grid_barrier("ld.volatile.global.u32 %r4, [count];\nadd.u32 %r9, %r9, 1;"), expected, shape);
    expect_endless(grid_barrier("atom.global.add.u32 %r4, [count], 0;\nadd.u32 %r9, %r9, 1;\n"
                                "st.global.u32 [%rd10], %r9;\nmov.u64 %rd5, %clock64;\nst.global.u64 [%rd10+8], %rd5;"),
                   expected, shape);
    // Waiting longer and longer.
    expect_endless(grid_barrier("ld.volatile.global.u32 %r4, [count];\nadd.u32 %r9, %r9, %r9;\nmax.u32 %r9, %r9, 8;\n"
                                "min.u32 %r9, %r9, 256;\nnanosleep.u32 %r9;"),
                   expected, shape);
}

TEST(Endless, ALockThatIsNeverFreed) {
    expect_endless(
        "again:\natom.global.exch.b32 %r1, [%rd10], 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra again;\n"
        "mov.u32 %r2, %tid.x;\nret;",
        "reading the buffer of argument 0, which holds 1");
    expect_endless("again:\natom.shared.cas.b32 %r1, [tile+4], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra again;\nret;",
                   "reading shared tile, which holds 1");
}

TEST(Endless, LoopsWithoutAWayOut) {
    for (const char* inside :
         {"bar.sync 0;", "bar.warp.sync -1;", "membar.gl;", "fence.acq_rel.gpu;",
          "shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", "st.global.u32 [%rd10], 5;", "prefetch.global.L2 [%rd10];",
          "nanosleep.u32 5;", "add.u32 %r3, %r3, 1;", "add.cc.u32 %r3, %r3, 1;\naddc.u32 %r4, %r4, 0;",
          "mov.u32 %r4, %clock;", "vote.sync.ballot.b32 %r5, %p1, -1;", "red.global.add.u32 [%rd10], 1;",
          "bar.red.popc.u32 %r5, 0, %p1;", ""})
        expect_endless("mov.u32 %r2, 1;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;\nsetp.eq.u32 %p1, %r2, 1;\nagain:\n" +
                           std::string(inside) + "\nbra again;",
                       "the kernel never ends", {.block = {96, 1, 1}});
}

TEST(Endless, WarpsThatWaitForEachOther) {
    // Warp 0 polls what warp 1 writes after a barrier that warp 0 never reaches.
    expect_endless(
        "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra wait;\nbar.sync 0;\n"
        "st.volatile.shared.u32 [tile], 1;\nret;\nwait:\nld.volatile.shared.u32 %r2, [tile];\n"
        "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra wait;\nbar.sync 0;\nret;",
        "threads 32-63 wait at barrier 0", {.block = {64, 1, 1}});
}

// As libraries wait: some tries at once, then ever longer sleeps by the time that has passed.
TEST(Endless, AClockThatOnlySaysHowLongToSleep) {
    expect_endless(
        "mov.u32 %r1, 0;\nmov.u64 %rd1, %globaltimer;\nagain:\nld.volatile.global.u32 %r2, [%rd10];\n"
        "setp.eq.u32 %p1, %r2, 77;\n@%p1 bra done;\nsetp.ge.u32 %p2, %r1, 16;\n@%p2 bra late;\n"
        "add.u32 %r1, %r1, 1;\nbra again;\nlate:\nmov.u64 %rd2, %globaltimer;\nsub.u64 %rd3, %rd2, %rd1;\n"
        "shr.u64 %rd3, %rd3, 2;\nsetp.lt.u64 %p3, %rd3, 1000000;\n@%p3 bra short;\nnanosleep.u32 1000000;\n"
        "bra again;\nshort:\ncvt.u32.u64 %r3, %rd3;\nnanosleep.u32 %r3;\nbra again;\ndone:\nret;",
        "reading the buffer of argument 0, which holds 0");
}

// ---- what ends, ends ------------------------------------------------------------------------------------------------

void expect_endless_end(const std::string& body, std::uint32_t first, const KernelShape& shape = {}) {
    const KernelRun ran = run_endless(body, shape);
    EXPECT_EQ(ran.problem + ran.fault, "") << body;
    EXPECT_EQ(ran.buffers[0][0], first) << body;
}

TEST(Endless, LongLoopsThatEndAreLeftAlone) {
    // A count that is compared, a clock, a walk over numbers that only looks like standing still.
    expect_endless_end(
        "mov.u32 %r1, 0;\nagain:\nld.volatile.global.u32 %r2, [%rd10];\nadd.u32 %r1, %r1, 1;\n"
        "setp.lt.u32 %p1, %r1, 1500000;\n@%p1 bra again;\nst.global.u32 [%rd10], %r1;\nret;",
        1500000);
    expect_endless_end(
        "mov.u64 %rd1, %clock64;\nagain:\nmov.u64 %rd2, %clock64;\nsub.u64 %rd3, %rd2, %rd1;\n"
        "setp.lt.u64 %p1, %rd3, 6000000;\n@%p1 bra again;\nmov.u32 %r1, 7;\nst.global.u32 [%rd10], %r1;\nret;",
        7);
    expect_endless_end(
        "again:\natom.global.add.u32 %r1, [%rd10], 1;\nsetp.lt.u32 %p1, %r1, 1000000;\n@%p1 bra again;\nret;", 1000032);
    // The count goes through memory of the thread's own, of the block, and through a lane.
    expect_endless_end(
        ".local .align 4 .u32 own;\nmov.u32 %r1, 0;\nst.local.u32 [own], %r1;\nagain:\nld.local.u32 %r1, [own];\n"
        "add.u32 %r1, %r1, 1;\nst.local.u32 [own], %r1;\nsetp.lt.u32 %p1, %r1, 1000000;\n@%p1 bra again;\n"
        "st.global.u32 [%rd10], %r1;\nret;",
        1000000);
    expect_endless_end(
        "again:\nld.volatile.shared.u32 %r1, [tile];\nadd.u32 %r1, %r1, 1;\nbar.warp.sync -1;\n"
        "st.volatile.shared.u32 [tile], %r1;\nbar.warp.sync -1;\nsetp.lt.u32 %p1, %r1, 600000;\n@%p1 bra again;\n"
        "st.global.u32 [%rd10], %r1;\nret;",
        600000);
    expect_endless_end(
        "mov.u32 %r1, 0;\nagain:\nadd.u32 %r2, %r1, 1;\nshfl.sync.idx.b32 %r1, %r2, 5, 31, -1;\n"
        "setp.lt.u32 %p1, %r1, 1000000;\n@%p1 bra again;\nst.global.u32 [%rd10], %r1;\nret;",
        1000000);
    expect_endless_end(
        "mov.u32 %r1, 0;\nagain:\nbar.sync 0;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 400000;\n@%p1 bra again;\n"
        "st.global.u32 [%rd10], %r1;\nret;",
        400000, {.block = {64, 1, 1}});
}

// However late: what looks at nothing but a clock sees much time pass.
TEST(Endless, WhoeverWaitsForAClockGetsOn) {
    expect_endless_end(
        "mov.u64 %rd1, %globaltimer;\nagain:\nmov.u64 %rd2, %globaltimer;\nsub.u64 %rd3, %rd2, %rd1;\n"
        "setp.lt.u64 %p1, %rd3, 60000000000;\n@%p1 bra again;\nmov.u32 %r1, 7;\nst.global.u32 [%rd10], %r1;\nret;",
        7);
    expect_endless_end(
        "mov.u32 %r1, %clock;\nagain:\nmov.u32 %r2, %clock;\nsub.u32 %r3, %r2, %r1;\n"
        "setp.lt.u32 %p1, %r3, 3000000000;\n@%p1 bra again;\nmov.u32 %r1, 7;\nst.global.u32 [%rd10], %r1;\nret;",
        7);
    // A flag that never comes, given up in time.
    expect_endless_end(
        "mov.u64 %rd1, %clock64;\nagain:\nld.volatile.global.u32 %r2, [%rd10+4];\nsetp.eq.u32 %p2, %r2, 77;\n"
        "@%p2 bra done;\nmov.u64 %rd2, %clock64;\nsub.u64 %rd3, %rd2, %rd1;\n"
        "setp.lt.u64 %p1, %rd3, 60000000000;\n@%p1 bra again;\ndone:\nmov.u32 %r1, 7;\n"
        "st.global.u32 [%rd10], %r1;\nret;",
        7);
    // Bits of a clock come round, however far it is put on.
    expect_endless_end(
        "again:\nmov.u64 %rd1, %clock64;\nand.b64 %rd2, %rd1, 4194303;\nsetp.gt.u64 %p1, %rd2, 8;\n@%p1 bra again;\n"
        "mov.u32 %r1, 7;\nst.global.u32 [%rd10], %r1;\nret;",
        7);
    // Twenty waits one after the other, each from a moment of its own.
    expect_endless_end(
        "mov.u32 %r1, 0;\nnext:\nmov.u64 %rd1, %clock64;\nagain:\nmov.u64 %rd2, %clock64;\n"
        "sub.u64 %rd3, %rd2, %rd1;\nsetp.lt.u64 %p1, %rd3, 1000000;\n@%p1 bra again;\nadd.u32 %r1, %r1, 1;\n"
        "setp.lt.u32 %p2, %r1, 20;\n@%p2 bra next;\nst.global.u32 [%rd10], %r1;\nret;",
        20);
}

TEST(Endless, WhoeverIsWaitedForMayTakeItsTime) {
    // Warp 1 counts for long before it writes what warp 0 polls.
    expect_endless_end(
        "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra wait;\nmov.u32 %r2, 0;\nwork:\n"
        "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 1500000;\n@%p2 bra work;\n"
        "st.volatile.shared.u32 [tile], %r2;\nret;\nwait:\nld.volatile.shared.u32 %r3, [tile];\n"
        "setp.eq.u32 %p3, %r3, 0;\n@%p3 bra wait;\nst.global.u32 [%rd10], %r3;\nret;",
        1500000, {.block = {64, 1, 1}});
}

}  // namespace
}  // namespace tilescope::test
