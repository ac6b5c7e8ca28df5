// Blocks that wait for each other: which kernels take turns, in what order, on which SM, and what it comes to.
#include <gtest/gtest.h>

#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

KernelRun run_waiting(const std::string& body, const KernelShape& shape, std::size_t words = 4096) {
    return run_kernel(ptx_kernel(body), "k", {Words(words)}, shape);
}

void expect_waiting_end(const std::string& body, const KernelShape& shape, const Words& first) {
    for (const unsigned jobs : {1u, 2u}) {
        KernelShape with = shape;
        with.jobs = jobs;
        const KernelRun ran = run_waiting(body, with);
        ASSERT_EQ(ran.problem + ran.fault, "") << body;
        EXPECT_EQ(Words(ran.buffers[0].begin(), ran.buffers[0].begin() + static_cast<std::ptrdiff_t>(first.size())),
                  first)
            << body;
    }
}

// Block 0 waits until block 1, which works for a while, has written a flag, and then writes what came with it. WAIT has
// to leave the flag in %r2; `done` is not 0 behind it.
std::string wait_for_block_1(const std::string& wait) {
    std::string text =
        "mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra first;\nmov.u32 %r3, 0;\nwork:\n"
        "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 300000;\n@%p2 bra work;\nst.global.u32 [%rd10+4], %r3;\n"
        "membar.gl;\nst.volatile.global.u32 [flag], 1;\nret;\nfirst:\nmov.u32 %r9, 0;\nWAIT\nmembar.gl;\n"
        "ld.global.u32 %r4, [%rd10+4];\nst.global.u32 [%rd10], %r4;\nret;";
    return text.replace(text.find("WAIT"), 4, wait);
}

TEST(Waiting, EveryWayToWaitForALaterBlockIsFound) {
    const KernelShape shape{.grid = {2, 1, 1}};
    for (const char* wait : {
             "again:\nld.volatile.global.u32 %r2, [flag];\nsetp.eq.u32 %p3, %r2, 0;\n@%p3 bra again;",
             "again:\nld.acquire.gpu.global.u32 %r2, [flag];\nnanosleep.u32 20;\nsetp.eq.u32 %p3, %r2, 0;\n"
             "@%p3 bra again;",
             "again:\natom.global.add.u32 %r2, [flag], 0;\nsetp.eq.u32 %p3, %r2, 0;\n@%p3 bra again;",
             "again:\natom.global.cas.b32 %r2, [flag], 1, 1;\nsetp.ne.u32 %p3, %r2, 1;\n@%p3 bra again;",
             "again:\nld.global.cv.u32 %r2, [flag];\nsetp.eq.u32 %p3, %r2, 0;\n@%p3 bra again;",
             // Nobody takes a plain load out of the loop here, and nothing but another block can end it.
             "again:\nld.global.u32 %r2, [flag];\nsetp.eq.u32 %p3, %r2, 0;\n@%p3 bra again;",
             // The way out stands in the middle, or is chosen by a value that only follows from the flag's.
             "again:\nld.volatile.global.u32 %r2, [flag];\nsetp.ne.u32 %p3, %r2, 0;\n@%p3 bra out;\n"
             "add.u32 %r9, %r9, 1;\nbra again;\nout:",
             "again:\nld.volatile.global.u32 %r2, [flag];\nmov.u32 %r5, 0;\nsetp.eq.u32 %p3, %r2, 0;\n@%p3 bra no;\n"
             "mov.u32 %r5, 1;\nno:\nsetp.eq.u32 %p4, %r5, 0;\n@%p4 bra again;",
             // Through a vote of the warp, a barrier that votes, and memory of the block and of the thread.
             "again:\nld.volatile.global.u32 %r2, [flag];\nsetp.eq.u32 %p3, %r2, 0;\nvote.sync.any.pred %p4, %p3, -1;\n"
             "@%p4 bra again;",
             "again:\nld.volatile.global.u32 %r2, [flag];\nsetp.eq.u32 %p3, %r2, 0;\nbar.red.or.pred %p4, 0, %p3;\n"
             "@%p4 bra again;",
             "again:\nld.volatile.global.u32 %r2, [flag];\nst.shared.u32 [tile], %r2;\nbar.sync 0;\n"
             "ld.shared.u32 %r5, [tile];\nsetp.eq.u32 %p3, %r5, 0;\nbar.sync 0;\n@%p3 bra again;",
             ".local .align 4 .u32 own;\nagain:\nld.volatile.global.u32 %r2, [flag];\nst.local.u32 [own], %r2;\n"
             "ld.local.u32 %r5, [own];\nsetp.eq.u32 %p3, %r5, 0;\n@%p3 bra again;",
             // With a count of tries that is far too large, and one loop around another.
             "again:\nld.volatile.global.u32 %r2, [flag];\nadd.u32 %r9, %r9, 1;\nsetp.eq.u32 %p3, %r2, 0;\n"
             "setp.lt.and.u32 %p4, %r9, 4000000000, %p3;\n@%p4 bra again;",
             "outer:\nmov.u32 %r9, 0;\ninner:\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p4, %r9, 50;\n@%p4 bra inner;\n"
             "ld.volatile.global.u32 %r2, [flag];\nsetp.eq.u32 %p3, %r2, 0;\n@%p3 bra outer;",
         })
        expect_waiting_end(wait_for_block_1(wait), shape, {300000, 300000});
}

// All blocks meet by a counter: works as long as they are resident together.
const std::string kMeet =
    "mov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra meet;\natom.global.add.u32 %r2, [count], 1;\n"
    "mov.u32 %r3, %nctaid.x;\nwait:\natom.global.add.u32 %r4, [count], 0;\nsetp.lt.u32 %p2, %r4, %r3;\n"
    "@%p2 bra wait;\nmeet:\nbar.sync 0;\nmov.u32 %r5, %ctaid.x;\nmul.wide.u32 %rd1, %r5, 4;\n"
    "add.u64 %rd1, %rd10, %rd1;\nmov.u32 %r6, %smid;\nst.global.u32 [%rd1], %r6;\nret;";

TEST(Waiting, AsManyBlocksMeetAsFitOnTheDevice) {
    // An H200 has 132 SMs with 2,048 threads each: two blocks of 1,024.
    Words sms(264);
    for (std::uint32_t i = 0; i < sms.size(); ++i) sms[i] = i % 132;
    expect_waiting_end(kMeet, {.grid = {264, 1, 1}, .block = {1024, 1, 1}}, sms);
    const KernelRun ran = run_waiting(kMeet, {.grid = {266, 1, 1}, .block = {1024, 1, 1}});
    EXPECT_EQ(ran.fault.substr(0, 9), "deadlock ") << ran.fault;
    EXPECT_NE(ran.fault.find("reading count, which holds 264 and which nobody can change any more: 2 blocks of the "
                             "grid have not started; if it waits for one of them, the kernel needs all 266 blocks "
                             "resident at once; 264 fit on the device"),
              std::string::npos)
        << ran.fault;
}

TEST(Waiting, TheNextBlockGoesToTheSmThatHasRoom) {
    // Block 3 ends last of the first 264; all others wait for it, but for block 1, whose SM takes blocks 264 and on.
    const std::string body =
        "mov.u32 %r5, %ctaid.x;\nmul.wide.u32 %rd1, %r5, 4;\nadd.u64 %rd1, %rd10, %rd1;\nmov.u32 %r6, %smid;\n"
        "st.global.u32 [%rd1], %r6;\nsetp.eq.u32 %p1, %r5, 1;\n@%p1 bra out;\nsetp.ge.u32 %p1, %r5, 264;\n"
        "@%p1 bra late;\nwait:\nld.volatile.global.u32 %r1, [flag];\nsetp.eq.u32 %p2, %r1, 0;\n@%p2 bra wait;\nret;\n"
        "late:\nsetp.ne.u32 %p1, %r5, 269;\n@%p1 bra out;\nst.volatile.global.u32 [flag], 1;\nout:\nret;";
    Words sms(270);
    for (std::uint32_t i = 0; i < sms.size(); ++i) sms[i] = i < 264 ? i % 132 : 1;
    expect_waiting_end(body, {.grid = {270, 1, 1}, .block = {1024, 1, 1}}, sms);
}

TEST(Waiting, ABlockThatFaultsEndsTheLaunch) {
    const std::string body =
        "mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 5;\n@%p1 trap;\nagain:\nld.volatile.global.u32 %r2, [flag];\n"
        "setp.eq.u32 %p3, %r2, 0;\n@%p3 bra again;\nret;";
    const KernelRun ran = run_waiting(body, {.grid = {8, 1, 1}});
    EXPECT_EQ(ran.fault.substr(0, 5), "trap ") << ran.fault;
    ASSERT_EQ(ran.hazards.size(), 1u);
    EXPECT_EQ(ran.hazards[0].block, (Dim3{5, 0, 0}));
}

TEST(Waiting, BlocksThatEachWaitForTheOtherAreADeadlock) {
    const std::string body =
        "mov.u32 %r1, %ctaid.x;\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %rd10, %rd1;\nxor.b32 %r2, %r1, 1;\n"
        "mul.wide.u32 %rd2, %r2, 4;\nadd.u64 %rd2, %rd10, %rd2;\nagain:\nld.volatile.global.u32 %r3, [%rd1];\n"
        "MORE\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra again;\nst.volatile.global.u32 [%rd2], 1;\nret;";
    for (const char* more : {"", "add.u32 %r9, %r9, 1;\nst.global.u32 [%rd1+64], %r9;", "nanosleep.u32 100;",
                             "atom.global.add.u32 %r8, [%rd1+64], 1;"}) {
        std::string text = body;
        const KernelRun ran = run_waiting(text.replace(text.find("MORE"), 4, more), {.grid = {2, 1, 1}});
        EXPECT_EQ(ran.fault.substr(0, 9), "deadlock ") << more << ran.fault;
        EXPECT_NE(ran.fault.find("reading the buffer of argument 0, which holds 0"), std::string::npos) << ran.fault;
    }
}

}  // namespace
}  // namespace tilescope::test
