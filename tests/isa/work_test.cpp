// The work of basic blocks: which loads are one wait, and what instructions count as.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scope/isa/lower.h"
#include "scope/ptx/parser.h"

namespace tilescope::isa {
namespace {

// A kernel of these lines: %d0 and %d1 are pointers, %r4 a number, %r6 where 1 KB of shared memory lies. By basic
// block.
std::vector<machine::BlockWork> works_of(const std::string& lines) {
    const std::string text = R"(.version 8.4
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in, .param .u32 n)
{
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %d<60>; .reg .f32 %f<99>; .reg .f64 %g<9>;
.shared .align 16 .b8 sm[1024];
ld.param.u64 %d0,[out]; ld.param.u64 %d1,[in]; ld.param.u32 %r4,[n]; mov.u32 %r6,sm; mov.u32 %r2,%tid.x;
)" + lines + "\nret;\n}\n";
    const auto module = ptx::parse(text, "test.ptx");
    EXPECT_TRUE(module) << lines;
    if (!module) return {};
    LowerRequest request;
    request.module = &*module;
    request.entry = "k";
    request.address_of = [](std::string_view) { return std::optional<std::uint64_t>(); };
    const auto program = lower(request);
    EXPECT_TRUE(program) << lines;
    if (!program) return {};
    EXPECT_EQ((*program)->work.size(), (*program)->blocks.size());
    return (*program)->work;
}

machine::BlockWork work_of_block(const std::string& lines, std::size_t block) {
    const std::vector<machine::BlockWork> works = works_of(lines);
    EXPECT_LT(block, works.size()) << lines;
    return block < works.size() ? works[block] : machine::BlockWork{};
}

// The sum over the basic blocks, each taken to run once.
machine::BlockWork work_of(const std::string& lines) {
    machine::BlockWork sum;
    for (const machine::BlockWork& block : works_of(lines)) {
        sum.PipeWork::add(block);
        sum.handed_over += block.handed_over;
    }
    return sum;
}

std::string repeated(const std::string& line, unsigned times) {
    std::string all;
    for (unsigned i = 0; i < times; ++i) all += line;
    return all;
}

TEST(Work, LoadsThatDoNotNeedEachOtherAreOneWait) {
    EXPECT_EQ(
        work_of("ld.global.f32 %f1,[%d1]; ld.global.f32 %f2,[%d1+64]; add.f32 %f3,%f1,%f2; st.global.f32 [%d0],%f3;")
            [Wait::kGlobal],
        1);
    // Both are used one after the other, the second was under way all along.
    EXPECT_EQ(work_of("ld.global.f32 %f1,[%d1]; add.f32 %f3,%f1,%f1; ld.global.f32 %f2,[%d1+64]; add.f32 %f3,%f3,%f2;"
                      "st.global.f32 [%d0],%f3;")[Wait::kGlobal],
              1);
}

TEST(Work, AnAddressThatIsLoadedIsAWaitOfItsOwn) {
    EXPECT_EQ(work_of("ld.global.u64 %d2,[%d1]; ld.global.f32 %f1,[%d2]; st.global.f32 [%d0],%f1;")[Wait::kGlobal], 2);
}

TEST(Work, ALoadThatNobodyUsesIsNotWaitedFor) {
    EXPECT_EQ(work_of("ld.volatile.global.f32 %f1,[%d1];")[Wait::kGlobal], 0);
}

TEST(Work, NoLoadPassesAStoreUnlessNobodyWritesThere) {
    const std::string more = "st.global.f32 [%d0],%f1; ";
    EXPECT_EQ(work_of("ld.global.f32 %f1,[%d1]; " + more +
                      "ld.global.f32 %f2,[%d1+64]; st.global.f32 [%d0+64],%f2;")[Wait::kGlobal],
              2);
    EXPECT_EQ(work_of("ld.global.f32 %f1,[%d1]; " + more +
                      "ld.global.nc.f32 %f2,[%d1+64]; st.global.f32 [%d0+64],%f2;")[Wait::kGlobal],
              1);
    // Off one register it shows that both lie apart, as long as that is what it was.
    EXPECT_EQ(work_of("ld.global.f32 %f1,[%d0+4]; " + more +
                      "ld.global.f32 %f2,[%d0+8]; st.global.f32 [%d0+8],%f2;")[Wait::kGlobal],
              1);
    EXPECT_EQ(work_of("ld.global.f32 %f1,[%d0+4]; " + more +
                      "ld.global.v2.f32 {%f2,%f3},[%d0]; st.global.f32 [%d0],%f3;")[Wait::kGlobal],
              2);
    EXPECT_EQ(work_of("ld.global.f32 %f1,[%d0+4]; " + more +
                      "add.u64 %d0,%d0,8; ld.global.f32 %f2,[%d0];"
                      "st.global.f32 [%d0],%f2;")[Wait::kGlobal],
              2);
    // A store to shared memory is in no load's way.
    EXPECT_EQ(work_of("ld.global.f32 %f1,[%d1]; st.shared.f32 [%r6],%f1; ld.global.f32 %f2,[%d1+64];"
                      "st.shared.f32 [%r6+64],%f2;")[Wait::kGlobal],
              1);
}

TEST(Work, WhatIsLoadedInOneBlockIsWaitedForInTheNext) {
    const std::string uses = "bar.sync 0; add.f32 %f2,%f1,%f1; st.global.f32 [%d0],%f2; add.f32 %f3,%f1,%f2;";
    EXPECT_EQ(work_of("ld.global.f32 %f1,[%d1]; " + uses)[Wait::kGlobal], 1);
    EXPECT_EQ(work_of("mov.f32 %f1,0f00000000; " + uses)[Wait::kGlobal], 0);
}

TEST(Work, ShortIfsBelongToWhatIsAroundThem) {
    // Two loads, each behind a check of its bounds, as tiled products have them: they are under way together.
    EXPECT_EQ(work_of("setp.lt.u32 %p1,%r2,%r4; mov.f32 %f1,0f00000000; mov.f32 %f2,0f00000000;"
                      "@!%p1 bra one; ld.global.f32 %f1,[%d1];\none: st.shared.f32 [%r6],%f1;"
                      "@!%p1 bra two; ld.global.f32 %f2,[%d1+64];\ntwo: st.shared.f32 [%r6+64],%f2;")[Wait::kGlobal],
              1);
}

// ptxas keeps 13 cycles between a comparison and the branch by it, and 5 behind the branch, but 4 before a selection:
// in steps of 4.
TEST(Work, ABranchIsFurtherBehindItsComparisonThanOtherSteps) {
    const std::string around = "setp.lt.u32 %p1,%r2,%r4; @%p1 bra over; ", over = "\nover: st.global.f32 [%d0],%f2;";
    const std::string chain = "add.u32 %r2,%r2,%r4; ";
    EXPECT_FLOAT_EQ(work_of_block(chain + around + over, 0).steps, 1 + 13 / 4.f + 5 / 4.f);
    EXPECT_FLOAT_EQ(work_of_block(chain + "xor.b32 %r2,%r2,%r4; " + around + over, 0).steps, 2 + 13 / 4.f + 5 / 4.f);
    const std::string select = "setp.lt.u32 %p1,%r2,%r4; selp.u32 %r7,%r2,%r4,%p1; st.shared.u32 [%r6],%r7; ";
    EXPECT_FLOAT_EQ(work_of_block(chain + select, 0).steps, 3);
}

// `@!P1 EXIT`: a predicate is read inverted, by what is under it or what combines it.
TEST(Work, InvertingAPredicateTakesNothing) {
    const std::string over = "\nover: st.global.f32 [%d0],%f2;";
    const machine::BlockWork plain = work_of_block("@%p2 bra over;" + over, 0);
    const machine::BlockWork inverted = work_of_block("not.pred %p1,%p2; @%p1 bra over;" + over, 0);
    EXPECT_EQ(inverted.instructions, plain.instructions);
    EXPECT_FLOAT_EQ(inverted.steps, plain.steps);
}

// As an H200 takes turns of loops that are not unrolled (bench/hardware/chains.cu): 10 cycles behind the branch back,
// which comes as soon as all is issued, and 13 cycles behind its comparison.
TEST(Work, ALoopsNextTurnComesTenCyclesBehindItsBranch) {
    const auto cycles = [](const std::string& body, const std::string& compared) {
        return 4 * work_of_block("again: .pragma \"nounroll\"; " + body + "sub.u32 %r4,%r4,1; setp.ne.u32 %p1," +
                                     compared + ",0; @%p1 bra again;",
                                 1)
                       .steps;
    };
    const std::string step = "mad.lo.u32 %r2,%r2,%r7,1; ";
    EXPECT_FLOAT_EQ(cycles("", "%r4"), 27);
    EXPECT_FLOAT_EQ(cycles(repeated(step, 8), "%r4"), 39);
    EXPECT_FLOAT_EQ(cycles(repeated(step, 32), "%r4"), 135);
    EXPECT_FLOAT_EQ(cycles(repeated(step, 32), "%r2"), 151);
    // Of a loop whose turns are all there, none.
    const std::string whole = "mov.u32 %r30,0;\nagain: " + step +
                              "add.s32 %r30,%r30,1; setp.lt.s32 %p1,%r30,4; @%p1 bra again;\nst.global.u32 [%d0],%r2;";
    EXPECT_FLOAT_EQ(work_of_block(whole, 1).steps, 1);
}

TEST(Work, LoopsWaitInEachTurnForWhatTheyLoadThere) {
    EXPECT_EQ(work_of("again: .pragma \"nounroll\"; ld.global.f32 %f1,[%d1]; add.f32 %f2,%f2,%f1; sub.u32 %r4,%r4,1;"
                      "setp.ne.u32 %p1,%r4,0; @%p1 bra again; st.global.f32 [%d0],%f2;")[Wait::kGlobal],
              1);
    // What was loaded before the loop is waited for once and not in each turn.
    EXPECT_EQ(work_of("ld.global.f32 %f1,[%d1];\nagain: add.f32 %f2,%f2,%f1; sub.u32 %r4,%r4,1;"
                      "setp.ne.u32 %p1,%r4,0; @%p1 bra again; st.global.f32 [%d0],%f2;")[Wait::kGlobal],
              0);
}

// A loop over %r4 with `body` in it: how many turns ptxas makes one stretch of, by the waits of one.
float waits_of_a_turn(const std::string& body, const std::string& begins = "mov.u32 %r30,0;",
                      const std::string& ends = "add.s32 %r30,%r30,1; setp.lt.s32 %p1,%r30,%r4; @%p1 bra again;") {
    return work_of(begins + "\nagain:" + body + ends + "\ndone: st.global.f32 [%d0],%f2;")[Wait::kGlobal];
}

TEST(Work, TurnsOfACountedLoopAreWaitedForTogether) {
    const std::string load = "ld.global.f32 %f1,[%d1]; add.s64 %d1,%d1,4; add.f32 %f2,%f2,%f1; ";
    const std::string more = "fma.rn.f32 %f2,%f2,%f3,%f3; ";
    EXPECT_EQ(waits_of_a_turn(load), 0.25f);
    // As far as ptxas 13.0 was seen to do it.
    EXPECT_EQ(waits_of_a_turn(load + repeated(more, 43)), 0.25f);
    EXPECT_EQ(waits_of_a_turn(load + repeated(more, 44)), 1);
    EXPECT_EQ(
        waits_of_a_turn(load, "mov.u32 %r30,%r2;", "add.s32 %r30,%r30,32; setp.lt.s32 %p1,%r30,%r4; @%p1 bra again;"),
        0.25f);
    // Left through a branch out of it, as clang writes some.
    EXPECT_EQ(waits_of_a_turn(load, "mov.u32 %r30,0;",
                              "add.s32 %r30,%r30,1; setp.eq.s32 %p1,%r30,%r4; @%p1 bra done; bra.uni again;"),
              0.25f);
    // By how much it counts, or up to where, is not known before, or it is told not to.
    EXPECT_EQ(
        waits_of_a_turn(load, "mov.u32 %r30,0;", "add.s32 %r30,%r30,%r2; setp.lt.s32 %p1,%r30,%r4; @%p1 bra again;"),
        1);
    EXPECT_EQ(waits_of_a_turn("ld.global.u64 %d1,[%d1]; ", "", "setp.ne.u64 %p1,%d1,0; @%p1 bra again;"), 1);
    EXPECT_EQ(waits_of_a_turn(".pragma \"nounroll\"; " + load), 1);
    // A part that may be left out is under a predicate.
    EXPECT_EQ(waits_of_a_turn("ld.global.f32 %f1,[%d1]; add.s64 %d1,%d1,4; setp.gt.f32 %p2,%f1,%f3; @%p2 bra over; "
                              "add.f32 %f2,%f2,%f1;\nover: "),
              0.25f);
}

// How often so many loads of one width, in a loop that is not unrolled, are waited for, each being added up where it is
// there. They lie at so many places that the loop counts on.
float waits_of_loads(unsigned loads, const std::string& width, const std::string& registers, unsigned places = 1) {
    std::string lines = "again: .pragma \"nounroll\"; ";
    for (unsigned i = 0; i < loads; ++i)
        lines += "ld.global" + width + " " + registers + ",[%d" + std::to_string(10 + i % places) + "+" +
                 std::to_string(512 * i) + "]; add.f32 %f2,%f2,%f1; ";
    for (unsigned i = 0; i < places; ++i)
        lines += "add.s64 %d" + std::to_string(10 + i) + ",%d" + std::to_string(10 + i) + ",65536; ";
    return work_of(lines +
                   "sub.u32 %r4,%r4,1; setp.ne.u32 %p1,%r4,0; @%p1 bra again; st.global.f32 [%d0],%f2;")[Wait::kGlobal];
}

// Machine code of ptxas 13.0 for loops of 8 to 128 loads from one place has 19 or 20 of 32 bits before the first is
// used, 9 or 10 of 64 bits, 5 of 128; from three places it has 16 to 18. A pointer takes two registers of 24, the sum
// and the counter one each.
TEST(Work, LoadsAreUnderWayForAsManyRegistersAsThereAre) {
    EXPECT_EQ(waits_of_loads(20, ".f32", "%f1"), 1);
    EXPECT_EQ(waits_of_loads(21, ".f32", "%f1"), 2);
    EXPECT_EQ(waits_of_loads(40, ".f32", "%f1"), 2);
    EXPECT_EQ(waits_of_loads(16, ".f32", "%f1", 3), 1);
    EXPECT_EQ(waits_of_loads(18, ".f32", "%f1", 3), 2);
    EXPECT_EQ(waits_of_loads(10, ".v2.f32", "{%f1,%f5}"), 1);
    EXPECT_EQ(waits_of_loads(11, ".v2.f32", "{%f1,%f5}"), 2);
    EXPECT_EQ(waits_of_loads(5, ".v4.f32", "{%f1,%f5,%f6,%f7}"), 1);
    EXPECT_EQ(waits_of_loads(6, ".v4.f32", "{%f1,%f5,%f6,%f7}"), 2);
    // Bytes have registers of their own.
    EXPECT_EQ(waits_of_loads(20, ".u8", "%r7"), 0);  // and nobody uses them
    std::string bytes;
    for (unsigned i = 0; i < 25; ++i)
        bytes += "ld.global.u8 %r" + std::to_string(40 + i) + ",[%d1+" + std::to_string(128 * i) + "]; ";
    for (unsigned i = 0; i < 25; ++i) bytes += "add.u32 %r4,%r4,%r" + std::to_string(40 + i) + "; ";
    EXPECT_EQ(work_of(bytes + "st.global.u32 [%d0],%r4;")[Wait::kGlobal], 2);
}

// As ptxas 13.0 has them: accesses stay where they are, sums do not.
TEST(Work, ValuesAreWaitedForBehindABarrier) {
    const std::string load = "ld.global.f32 %f1,[%d1]; ", sum = "add.f32 %f2,%f2,%f1; ",
                      next = "add.s64 %d1,%d1,4096; ";
    const std::string meet = "bar.sync 0; ";
    EXPECT_EQ(work_of(repeated(load + sum + next + meet, 4) + "st.global.f32 [%d0],%f2;")[Wait::kGlobal], 1);
    // What is put down for others has to be there before it.
    const std::string put = "st.shared.f32 [%r6],%f1; ", take = "ld.shared.f32 %f3,[%r6+4]; add.f32 %f2,%f2,%f3; ";
    const machine::BlockWork handed =
        work_of(repeated(load + next + put + meet + take + meet, 4) + "st.global.f32 [%d0],%f2;");
    EXPECT_EQ(handed[Wait::kGlobal], 4);
    // A wait for copies stays, and the next ones begin behind its barrier.
    const std::string copy = "cp.async.ca.shared.global [%r6],[%d1],16; cp.async.commit_group; cp.async.wait_group 0; ";
    EXPECT_EQ(work_of(repeated(copy + meet + take + meet, 4) + "st.global.f32 [%d0],%f2;")[Wait::kGlobal], 4);
    // What is loaded behind such a wait is not there with the copies.
    EXPECT_EQ(work_of(copy + load + "st.global.f32 [%d0],%f1;")[Wait::kGlobal], 2);
    // A wait that leaves a group under way is none.
    EXPECT_EQ(work_of("cp.async.ca.shared.global [%r6],[%d1],16; cp.async.commit_group; cp.async.wait_group 1; " +
                      load + "st.global.f32 [%d0],%f1;")[Wait::kGlobal],
              1);
    // Exchanges between lanes stop nothing.
    const std::string exchange =
        "mov.b32 %r7,%f1; shfl.sync.bfly.b32 %r8|%p2,%r7,1,31,-1; mov.b32 %f3,%r8; add.f32 %f2,%f2,%f3; ";
    EXPECT_EQ(work_of(repeated(load + next + exchange, 4) + "st.global.f32 [%d0],%f2;")[Wait::kGlobal], 1);
}

// As ptxas 13.0 has them: a word of 8-bit floats becomes two of f16, for whoever multiplies it next.
TEST(Work, WordsOf8BitFloatsAreMadeIntoOthersOnce) {
    const auto product = [](const std::string& b) {
        return "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f1,%f2,%f3,%f4},{%r10,%r11,%r12,%r13},{" + b +
               "},{%f1,%f2,%f3,%f4}; ";
    };
    const std::string end = "st.global.v4.f32 [%d0],{%f1,%f2,%f3,%f4};";
    const auto instructions = [&](const std::string& lines) { return work_of(lines + end).instructions; };
    const std::string first = product("%r14,%r15");
    const float one = instructions(first);
    EXPECT_EQ(instructions(first + first), one + 2 + 4);                         // products and sums
    EXPECT_EQ(instructions(first + product("%r16,%r17")), one + 2 + 4 + 2 * 2);  // and two words of B
    const std::string changed = "add.u32 %r14,%r14,1; ";
    EXPECT_EQ(instructions(first + changed + first), one + 1 + 2 + 4 + 2);
}

// bench/hardware/tensor_rates.cu.
TEST(Work, SparseProductsTakeALittleLonger) {
    const std::string sums = "{%f1,%f2,%f3,%f4}", end = "st.global.v4.f32 [%d0],{%f1,%f2,%f3,%f4};";
    EXPECT_FLOAT_EQ(work_of("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 " + sums +
                            ",{%r10,%r11,%r12,%r13},{%r14,%r15,%r16,%r17}," + sums + ",%r18,0; " + end)[Pipe::kTensor],
                    8.1f);
    EXPECT_FLOAT_EQ(work_of("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + sums +
                            ",{%r10,%r11},{%r14,%r15}," + sums + ",%r18,0; " + end)[Pipe::kTensor],
                    6.1f);
}

TEST(Work, ProductsOfGroupsAreNoWaitForMemory) {
    EXPECT_EQ(work_of("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; st.global.f32 [%d0],%f1;")
                  [Wait::kGlobal],
              0);
}

// Each counts 1 where it is decided whether a loop is unrolled by four.
TEST(Work, LoopsWithBarriersAndExchangesAreUnrolled) {
    const std::string load = "ld.global.f32 %f1,[%d1]; add.s64 %d1,%d1,4; add.f32 %f2,%f2,%f1; ";
    const std::string more = "fma.rn.f32 %f2,%f2,%f3,%f3; ";
    EXPECT_EQ(waits_of_a_turn(load + "bar.sync 0; "), 0.25f);
    EXPECT_EQ(waits_of_a_turn(load + repeated(more, 42) + "bar.sync 0; "), 0.25f);
    EXPECT_EQ(waits_of_a_turn(load + repeated(more, 43) + "bar.sync 0; "), 1);
    EXPECT_EQ(waits_of_a_turn(load + repeated(more, 42) + "shfl.sync.bfly.b32 %r8|%p2,%r7,1,31,-1; "), 0.25f);
    EXPECT_EQ(waits_of_a_turn(load + repeated(more, 43) + "shfl.sync.bfly.b32 %r8|%p2,%r7,1,31,-1; "), 1);
    // A barrier under a predicate is looked at turn by turn.
    EXPECT_EQ(waits_of_a_turn(load + "@%p3 bar.sync 0; "), 1);
}

// Of turns that go together the counter goes on once, whichever way.
TEST(Work, ACounterThatGoesDownIsAsOneThatGoesUp) {
    const auto cycles = [](const std::string& counts) {
        return 4 *
               work_of_block("again: mad.lo.u32 %r2,%r2,%r7,1; " + counts + "setp.ne.u32 %p1,%r4,0; @%p1 bra again;", 1)
                   .steps;
    };
    EXPECT_FLOAT_EQ(cycles("sub.u32 %r4,%r4,1; "), cycles("add.u32 %r4,%r4,-1; "));
    EXPECT_LE(cycles("sub.u32 %r4,%r4,1; "), 27.0 / 4);  // a counter's own way, shared by four
}

TEST(Work, StoresOfOneTurnDoNotStopLoadsOfTheNextOffTheSameRegister) {
    const std::string load = "ld.global.f32 %f1,[%d1]; add.f32 %f2,%f1,%f3; ";
    EXPECT_EQ(waits_of_a_turn(load + "st.global.f32 [%d1],%f2; add.s64 %d1,%d1,4; "), 0.25f);
    EXPECT_EQ(waits_of_a_turn(load + "st.global.f32 [%d0],%f2; add.s64 %d1,%d1,4; add.s64 %d0,%d0,4; "), 1);
}

TEST(Work, AllTurnsOfAKnownNumberAreOneStretchAndWhatFollowsFromTheCounterIsConstant) {
    const std::string body =
        "ld.global.f32 %f1,[%d1]; add.s64 %d1,%d1,4096; cvt.rn.f32.s32 %f4,%r30; "
        "mul.f32 %f5,%f4,0f3DCCCCCD; fma.rn.f32 %f2,%f1,%f5,%f2; ";
    const auto known = [&](const std::string& lines, unsigned turns) {
        return work_of("mov.u32 %r30,0;\nagain:" + lines + "add.s32 %r30,%r30,1; setp.ne.s32 %p1,%r30," +
                       std::to_string(turns) + "; @%p1 bra again; st.global.f32 [%d0],%f2;");
    };
    EXPECT_FLOAT_EQ(known(body, 8)[Wait::kGlobal], 1 / 8.f);
    EXPECT_FLOAT_EQ(known(body, 8)[Pipe::kFp32], 1);  // of a turn: neither the product nor the conversion
    EXPECT_FLOAT_EQ(known(body, 7)[Wait::kGlobal], 1 / 7.f);
    EXPECT_FLOAT_EQ(known(body + repeated("fma.rn.f32 %f2,%f2,%f3,%f3; ", 90), 8)[Wait::kGlobal], 1);
}

TEST(Work, OtherMemoryHasWaitsOfItsOwn) {
    EXPECT_EQ(work_of("ld.shared.f32 %f1,[%r6]; add.f32 %f1,%f1,%f1; st.shared.f32 [%r6],%f1;")[Wait::kShared], 1);
    EXPECT_EQ(work_of("atom.global.add.u32 %r7,[%d0],1; st.shared.u32 [%r6],%r7;")[Wait::kAtomic], 1);
    EXPECT_EQ(work_of("red.global.add.u32 [%d0],1;")[Wait::kAtomic], 0);
}

TEST(Work, InstructionsByPipe) {
    // What is loaded must be used, or the assembler drops it.
    const std::string uses = "st.global.u64 [%d0],%d1; st.global.u32 [%d0+8],%r4; st.global.u32 [%d0+12],%r2;";
    const machine::BlockWork none = work_of(uses);
    const auto more = [&](const std::string& lines) {
        machine::BlockWork work = work_of(lines + uses);
        work.instructions -= none.instructions;
        return work;
    };
    EXPECT_EQ(more("fma.rn.f32 %f1,%f2,%f3,%f1;")[Pipe::kFp32], 1);
    EXPECT_EQ(more("fma.rn.f64 %g1,%g2,%g3,%g1;")[Pipe::kFp64], 1);
    EXPECT_EQ(more("xor.b32 %r7,%r4,%r2;")[Pipe::kInteger], 1);
    EXPECT_EQ(more("mad.lo.s32 %r7,%r4,%r2,%r2;")[Pipe::kFp32], 1);
    EXPECT_EQ(more("ex2.approx.f32 %f1,%f2;")[Pipe::kSpecial], 1);
    EXPECT_EQ(more("cvt.rn.f32.s32 %f1,%r2;")[Pipe::kSpecial], 0);  // at the rate of integers
    EXPECT_EQ(more("cvt.rzi.s32.f32 %r7,%f2;")[Pipe::kSpecial], 1);
    EXPECT_EQ(more("cvt.rni.f32.f32 %f1,%f2;")[Pipe::kSpecial], 1);
    EXPECT_EQ(more("popc.b32 %r7,%r2;")[Pipe::kSpecial], 1);
    EXPECT_EQ(more("mov.b32 %r7,%r4;").instructions, 0);
    // An address is one instruction: the multiplication adds as well.
    EXPECT_EQ(more("mul.wide.u32 %d2,%r2,4; add.s64 %d3,%d2,%d1;").instructions, 1);
    // A divisor's reciprocal is worked out once.
    const float once = more("rem.u32 %r7,%r2,%r4;").instructions;
    const float twice = more("rem.u32 %r7,%r2,%r4; rem.u32 %r8,%r7,%r4;").instructions;
    EXPECT_GT(once, 15);
    EXPECT_LT(twice, 2 * once - 5);
    EXPECT_EQ(more("add.f32 %f1,%f2,%f3; add.f32 %f4,%f1,%f3; add.f32 %f5,%f2,%f2;").steps - none.steps, 2);
}

// Held against what ptxas 13.0 made of the same lines for sm_90, stores of the results and all (of shared memory
// without finding out where it lies, which is done once).
TEST(Work, WhatIsPartOfAnotherInstructionIsNone) {
    const std::string uses = "st.global.u32 [%d0+8],%r4; st.global.u32 [%d0+12],%r2; st.global.u64 [%d0],%d1;";
    const float none = work_of(uses).instructions;
    const auto more = [&](const std::string& lines, const std::string& results) {
        std::string all = lines;
        for (const char digit : results) all += std::string("st.global.u32 [%d0+16],%r") + digit + ";";
        return work_of(all + uses).instructions - none - static_cast<float>(results.size());
    };
    const struct {
        std::string lines;
        std::string results;
        float instructions;
    } kSeen[] = {
        {"add.s32 %r7,%r2,%r4; add.s32 %r8,%r7,%r2;", "8", 1},
        {"add.s32 %r7,%r2,%r4; add.s32 %r8,%r7,%r2;", "78", 2},
        {"add.s32 %r7,%r2,%r4; add.s32 %r8,%r7,%r2; add.s32 %r9,%r8,%r4;", "9", 2},
        {"add.s32 %r7,%r2,%r4; add.s32 %r8,%r7,5;", "8", 1},
        {"sub.s32 %r7,%r2,%r4; add.s32 %r8,%r7,%r2;", "8", 1},
        {"and.b32 %r7,%r2,%r4; or.b32 %r8,%r7,%r2;", "8", 1},
        {"and.b32 %r7,%r2,%r4; or.b32 %r8,%r7,%r2; xor.b32 %r9,%r8,%r4;", "9", 2},
        {"and.b32 %r7,%r2,7; or.b32 %r8,%r7,%r4;", "8", 1},
        {"and.b32 %r7,%r2,7; or.b32 %r8,%r7,24;", "8", 2},
        {"shl.b32 %r7,%r2,2; add.s32 %r8,%r7,%r4;", "8", 1},
        {"shl.b32 %r7,%r2,2; add.s32 %r8,%r7,%r4; add.s32 %r9,%r7,%r2;", "89", 2},
        {"shl.b32 %r7,%r2,2; or.b32 %r8,%r7,%r4;", "8", 2},
        {"shl.b32 %r7,%r2,2; sub.s32 %r8,%r7,%r4;", "8", 1},
        {"mul.lo.s32 %r7,%r2,%r4; add.s32 %r8,%r7,%r2;", "8", 1},
        {"mul.lo.s32 %r7,%r2,12; add.s32 %r8,%r7,%r4;", "8", 1},
        {"add.s32 %r7,%r6,%r2; ld.shared.u32 %r8,[%r7];", "8", 1},
        {"shl.b32 %r7,%r2,2; add.s32 %r9,%r6,%r7; ld.shared.u32 %r8,[%r9];", "8", 2},
        {"and.b32 %r5,%r2,63; shl.b32 %r7,%r5,2; add.s32 %r9,%r6,%r7; ld.shared.u32 %r8,[%r9];", "8", 3},
        {"shl.b32 %r5,%r2,2; and.b32 %r7,%r5,252; add.s32 %r9,%r6,%r7; ld.shared.u32 %r8,[%r9];", "8", 3},
        {"add.s32 %r7,%r2,64; ld.shared.u32 %r8,[%r7];", "8", 1},
        {"mul.wide.u32 %d2,%r2,4; add.s64 %d3,%d2,%d1; add.s64 %d4,%d3,64; ld.global.u32 %r8,[%d4];", "8", 2},
        {"cvt.u64.u32 %d2,%r2; shl.b64 %d3,%d2,2; add.s64 %d4,%d3,%d1; ld.global.u32 %r8,[%d4];", "8", 3},
        {"mul.wide.u32 %d2,%r2,4; add.s64 %d3,%d2,%d1; mul.wide.u32 %d4,%r4,4; add.s64 %d5,%d3,%d4; "
         "ld.global.u32 %r8,[%d5];",
         "8", 3},
        {"mul.wide.u32 %d2,%r2,4; add.s64 %d3,%d2,%d1; add.s64 %d4,%d2,%d0; ld.global.u32 %r8,[%d3]; "
         "ld.global.u32 %r9,[%d4];",
         "89", 4},
        {"ld.global.u64 %d2,[%d1]; ld.global.u64 %d3,[%d1+64]; add.s64 %d4,%d2,%d3; st.global.u64 [%d0+32],%d4;", "",
         5},
        {"ld.global.u64 %d2,[%d1]; ld.global.u64 %d3,[%d1+64]; and.b64 %d4,%d2,%d3; st.global.u64 [%d0+32],%d4;", "",
         5},
        {"ld.global.u64 %d2,[%d1]; shl.b64 %d4,%d2,3; st.global.u64 [%d0+32],%d4;", "", 4},
        {"setp.lt.s32 %p1,%r2,%r4; setp.lt.s32 %p2,%r4,%r2; and.pred %p3,%p1,%p2; selp.u32 %r8,%r2,%r4,%p3;", "8", 3},
        {"setp.lt.s32 %p1,%r2,%r4; setp.lt.s32 %p2,%r4,%r2; or.pred %p3,%p1,%p2; setp.gt.s32 %p4,%r2,5; "
         "setp.gt.s32 %p5,%r4,9; or.pred %p6,%p4,%p5; and.pred %p7,%p3,%p6; selp.u32 %r8,%r2,%r4,%p7;",
         "8", 6},
        {"setp.lt.s32 %p1,%r2,%r4; setp.lt.s32 %p2,%r4,%r2; or.pred %p3,%p1,%p2; setp.gt.s32 %p4,%r2,5; "
         "or.pred %p5,%p1,%p4; selp.u32 %r8,%r2,%r4,%p3; selp.u32 %r9,%r2,%r4,%p5;",
         "89", 5},
        {"and.b32 %r7,%r2,%r4; setp.ne.s32 %p1,%r7,0; selp.u32 %r8,%r2,%r4,%p1;", "8", 2},
        {"and.b32 %r7,%r2,5; setp.eq.s32 %p1,%r7,1; selp.u32 %r8,%r2,%r4,%p1;", "8", 3},
    };
    for (const auto& [lines, results, instructions] : kSeen) EXPECT_EQ(more(lines, results), instructions) << lines;
}

// Where sums and logical operations take turns, ptxas makes multiply-adds of all sums; where all are sums, of every
// other.
TEST(Work, SumsAreSharedOutOverTwoPipes) {
    const auto work = [](const std::string& line) {
        return work_of("mov.u32 %r7,%r2; " + repeated(line, 8) + "st.global.u32 [%d0],%r7;");
    };
    const machine::BlockWork none = work("");
    const machine::BlockWork both = work("add.s32 %r7,%r7,%r4; xor.b32 %r7,%r7,%r2; ");
    EXPECT_EQ(both.on_pipes()[Pipe::kInteger] - none.on_pipes()[Pipe::kInteger], 8);
    EXPECT_EQ(both.on_pipes()[Pipe::kFp32] - none.on_pipes()[Pipe::kFp32], 8);
    const machine::BlockWork sums = work("shl.b32 %r7,%r7,1; ");
    EXPECT_EQ(sums.on_pipes()[Pipe::kInteger] - none.on_pipes()[Pipe::kInteger], 4);
    EXPECT_EQ(sums.on_pipes()[Pipe::kFp32] - none.on_pipes()[Pipe::kFp32], 4);
    const machine::BlockWork logic = work("xor.b32 %r7,%r7,%r4; ");
    EXPECT_EQ(logic.on_pipes()[Pipe::kInteger] - none.on_pipes()[Pipe::kInteger], 8);
}

// A pointer that a number known before the loop is added to is multiplied and added anew, in one instruction.
TEST(Work, APointerThatGoesOnByAProductIsOneInstruction) {
    const auto turn = [](const std::string& adds) {
        return work_of(
                   "mul.wide.u32 %d2,%r4,4;\nagain: .pragma \"nounroll\"; ld.global.f32 %f1,[%d1]; "
                   "add.f32 %f2,%f2,%f1; " +
                   adds + "sub.u32 %r4,%r4,1; setp.ne.u32 %p1,%r4,0; @%p1 bra again; st.global.f32 [%d0],%f2;")
            .instructions;
    };
    EXPECT_EQ(turn("add.s64 %d1,%d1,%d2; ") - turn(""), 1);
    EXPECT_EQ(turn("add.s64 %d1,%d1,2048; ") - turn(""), 2);
}

// What somebody may hand over to keep the tool busy: nothing here may take more than the code is long.
TEST(Work, LongCodeTakesNoLongerThanItIs) {
    const auto counters = [](unsigned first, unsigned count, const std::string& line) {
        std::string all;
        for (unsigned i = first; i < first + count; ++i) {
            std::string text = line;
            for (std::size_t at = 0; (at = text.find('#')) != std::string::npos;)
                text.replace(at, 1, std::to_string(i));
            all += text;
        }
        return all;
    };
    const auto named = [](const std::string& name, unsigned count) { return name + "<" + std::to_string(count) + ">"; };
    // A loop of 500 turns around 20,000 constants, and 150 loops that count in 300 registers each.
    const std::string constants = ".reg .b32 " + named("%c", 20000) +
                                  "; mov.u32 %r30,0;\nagain:" + counters(0, 20000, "add.u32 %c#,%r30,#; ") +
                                  "ld.global.f32 %f1,[%d1]; add.f32 %f2,%f2,%f1; add.u32 %r30,%r30,1; "
                                  "setp.lt.s32 %p1,%r30,500; @%p1 bra again; st.global.f32 [%d0],%f2;";
    EXPECT_EQ(work_of(constants)[Wait::kGlobal], 1);
    constexpr unsigned kLoops = 150, kCounters = 300;
    std::string loops = ".reg .b32 " + named("%c", kLoops * kCounters) + "; ";
    for (unsigned i = 0; i < kLoops; ++i) {
        const std::string label = "again" + std::to_string(i), first = "%c" + std::to_string(i * kCounters);
        loops += counters(i * kCounters, kCounters, "mov.u32 %c#,0; ") + "\n" + label + ":" +
                 counters(i * kCounters, kCounters, "add.u32 %c#,%c#,3; ") +
                 "ld.global.f32 %f1,[%d1]; add.f32 %f2,%f2,%f1; setp.lt.s32 %p1," + first + ",1500; @%p1 bra " + label +
                 "; ";
    }
    EXPECT_EQ(work_of(loops + "st.global.f32 [%d0],%f2;")[Wait::kGlobal], kLoops);
    // Ifs one behind the other are one stretch of code.
    std::string ifs = ".reg .b32 " + named("%c", 30000) + "; ";
    for (unsigned i = 0; i < 2000; ++i)
        ifs += "setp.lt.u32 %p1,%r2," + std::to_string(i) + "; @%p1 bra over" + std::to_string(i) + "; " +
               counters(15 * i, 15, "ld.volatile.global.u32 %c#,[%d1]; ") + "\nover" + std::to_string(i) + ": ";
    EXPECT_EQ(work_of(ifs)[Pipe::kMemory], 30000);
}

}  // namespace
}  // namespace tilescope::isa
