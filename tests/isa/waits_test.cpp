// Which kernels are taken to wait for other blocks. Those that do are in tests/session/waiting_test.cpp; here are those
// that do not, whose blocks go on running on all cores.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "scope/isa/lower.h"
#include "scope/ptx/parser.h"

namespace tilescope::isa {
namespace {

std::unique_ptr<machine::Program> lowered_for_waits(const std::string& body) {
    const auto module = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .u32 flag;\n.visible .entry k(.param .u64 p)\n"
        "{\n.reg .pred %p<8>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.shared .align 4 .u32 tile[64];\n"
        "ld.param.u64 %rd10, [p];\nmov.u32 %r9, 0;\n" +
            body + "\nret;\n}\n",
        "test.ptx");
    if (!module) ADD_FAILURE() << render(module.errors());
    LowerRequest request;
    request.module = &*module;
    request.entry = "k";
    request.address_of = [](std::string_view) { return std::optional<std::uint64_t>(1 << 20); };
    auto program = lower(request);
    if (!program) ADD_FAILURE() << render(program.errors()) << body;
    return std::move(*program);
}

std::size_t polls_of(const machine::Program& program) {
    return static_cast<std::size_t>(std::count_if(
        program.blocks.begin(), program.blocks.end(),
        [](const machine::BasicBlock& block) { return block.end.kind == machine::TerminatorKind::kPollBranch; }));
}

TEST(Waits, LoopsThatEndByThemselves) {
    for (const char* body : {
             // A count; data that is read on the way, strongly or not, and does not decide.
             "again:\nld.global.u32 %r1, [%rd10];\nadd.u32 %r9, %r9, 1;\nst.global.u32 [%rd10+4], %r1;\n"
             "setp.lt.u32 %p1, %r9, 10;\n@%p1 bra again;",
             "again:\nld.volatile.global.u32 %r1, [%rd10];\nadd.u32 %r9, %r9, 1;\nadd.u32 %r2, %r2, %r1;\n"
             "setp.lt.u32 %p1, %r9, 10;\n@%p1 bra again;",
             "again:\natom.global.add.u32 %r1, [%rd10], 1;\nadd.u32 %r9, %r9, 1;\nst.global.u32 [%rd10+4], %r1;\n"
             "setp.lt.u32 %p1, %r9, 10;\n@%p1 bra again;",
             // An end that is read again each time, as rows of sparse matrices do; a walk along a list; halving.
             "again:\nld.global.u32 %r1, [%rd10];\nadd.u32 %r9, %r9, 1;\nst.global.u32 [%rd10+4], %r9;\n"
             "setp.lt.u32 %p1, %r9, %r1;\n@%p1 bra again;",
             "again:\nld.global.u32 %r1, [%rd10];\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, %r1;\n@%p1 bra again;",
             "again:\nld.global.u64 %rd1, [%rd10];\nmov.u64 %rd10, %rd1;\nsetp.ne.u64 %p1, %rd1, 0;\n@%p1 bra again;",
             "again:\nshr.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra again;",
             // Memory of the block is its own affair, and what was read before the loop stays.
             "again:\nld.volatile.shared.u32 %r1, [tile];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra again;",
             "again:\natom.shared.add.u32 %r1, [tile], 1;\nsetp.lt.u32 %p1, %r1, 99;\n@%p1 bra again;",
             "ld.volatile.global.u32 %r1, [flag];\nagain:\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, %r1;\n"
             "@%p1 bra again;",
             // No loop at all.
             "ld.volatile.global.u32 %r1, [flag];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra out;\n"
             "st.global.u32 [%rd10], 1;\nout:",
         }) {
        const auto program = lowered_for_waits(body);
        EXPECT_FALSE(program->may_wait) << body;
        EXPECT_EQ(polls_of(*program), 0u) << body;
    }
}

TEST(Waits, OnlyTheInnermostLoopPolls) {
    // Work, then a barrier of the grid, many times over: neither the work nor the steps are polls.
    const auto program = lowered_for_waits(
        "steps:\nmov.u32 %r1, 0;\nwork:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 100;\n@%p1 bra work;\n"
        "atom.global.add.u32 %r2, [flag], 1;\nwait:\nld.acquire.gpu.global.u32 %r3, [flag];\n"
        "setp.lt.u32 %p2, %r3, 64;\n@%p2 bra wait;\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p3, %r9, 10;\n@%p3 bra steps;");
    EXPECT_TRUE(program->may_wait);
    ASSERT_EQ(polls_of(*program), 1u);
    const auto poll = std::find_if(
        program->blocks.begin(), program->blocks.end(),
        [](const machine::BasicBlock& block) { return block.end.kind == machine::TerminatorKind::kPollBranch; });
    EXPECT_EQ(program->facts[poll->end.op->index].text_line, 23u);
}

TEST(Waits, ARetriedAtomicMayWait) {
    EXPECT_TRUE(
        lowered_for_waits("ld.global.u32 %r1, [%rd10];\nagain:\nmov.u32 %r2, %r1;\nadd.u32 %r3, %r2, 1;\n"
                          "atom.global.cas.b32 %r1, [%rd10], %r2, %r3;\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra again;")
            ->may_wait);
}

}  // namespace
}  // namespace tilescope::isa
