// Warps of a group of four that wait for each other at an instruction. The program is made by hand, without PTX.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "scope/machine/grid.h"

namespace tilescope::machine {
namespace {

std::vector<std::string> g_steps;
std::uint32_t g_odd = 3;  // the warp that goes another way

void run_nothing(Warp&, const Op&) {}
void choose(Warp& warp, const Op& op) { warp.set_predicate(op.dst, warp.index == g_odd ? kFullMask : 0); }
void note_arrival(Warp& warp, const Op&) { g_steps.push_back("comes " + std::to_string(warp.index)); }
void note_run(Warp& warp, const Op&) { g_steps.push_back("runs " + std::to_string(warp.index)); }

// Each warp comes to an instruction of block 1, or of block 2 if it is the odd one, and ends in block 3.
class WarpGroups : public ::testing::Test {
protected:
    enum Blocks : std::uint32_t { kStart, kMost, kOdd, kEnd, kBlocks };

    WarpGroups() {
        program_.ops.resize(kBlocks * 2);
        program_.facts.resize(program_.ops.size());
        for (std::uint32_t i = 0; i < program_.ops.size(); ++i) {
            program_.ops[i].index = i;
            program_.ops[i].fn = i % 2 == 0 ? &note_arrival : &note_run;
        }
        const Operand is_odd(Bank::kRegisters, 0);
        program_.ops[0].fn = &choose;
        program_.ops[0].dst = is_odd;
        program_.ops[1].guarded = program_.ops[6].fn = program_.ops[7].fn = &run_nothing;
        program_.ops[1].guard = is_odd;
        const Operand everyone = constant(std::vector<std::uint32_t>(kWarpSize, kFullMask));
        for (std::uint32_t i = 0; i < kBlocks; ++i) {
            BasicBlock& block = program_.blocks.emplace_back();
            block.first = i * 2;
            block.count = 1;
            block.end.op = &program_.ops[i * 2 + 1];
            block.end.next = i == kStart ? kMost : kEnd;
            block.end.kind = TerminatorKind::kConverge;
            block.end.member_mask = everyone;
            block.end.wants_all = block.end.wants_group = block.end.meets_group = true;
        }
        program_.blocks[kStart].end.kind = TerminatorKind::kBranch;
        program_.blocks[kStart].end.target = kOdd;
        program_.blocks[kStart].end.reconvergence = kEnd;
        program_.blocks[kEnd].end.kind = TerminatorKind::kExit;
        program_.functions.emplace_back().frame_bytes = program_.max_frame_bytes = 256;
        request_.program = &program_;
        request_.memory = &memory_;
        request_.budget = &budget_;
        request_.shape.block[0] = 4 * kWarpSize;
        g_steps.clear();
        g_odd = 3;
    }

    template <class T>
    Operand constant(const std::vector<T>& lanes) {
        const auto offset = static_cast<std::uint32_t>(program_.constants.size());
        program_.constants.resize(offset + 256);
        std::memcpy(program_.constants.data() + offset, lanes.data(), lanes.size() * sizeof(T));
        return Operand(Bank::kConstants, offset);
    }

    Program program_;
    Memory memory_;
    InstructionBudget budget_;
    GridRequest request_;
    BarrierSite barrier_;
};

TEST_F(WarpGroups, RunWhenAllFourHaveComeWhereverEachStands) {
    ASSERT_FALSE(run_grid(request_).fault);
    EXPECT_EQ(g_steps, (std::vector<std::string>{"comes 0", "comes 1", "comes 2", "comes 3", "runs 0", "runs 1",
                                                 "runs 2", "runs 3"}));
}

TEST_F(WarpGroups, WaitForNoOtherGroup) {
    request_.shape.block[0] = 8 * kWarpSize;
    g_odd = 8;
    ASSERT_FALSE(run_grid(request_).fault);
    ASSERT_EQ(g_steps.size(), 16u);
    EXPECT_EQ(g_steps[7], "runs 3");
    EXPECT_EQ(g_steps[8], "comes 4");
}

TEST_F(WarpGroups, WaitForNobodyAtAnInstructionThatOnlyNeedsThem) {
    for (BasicBlock& block : program_.blocks) block.end.meets_group = false;
    ASSERT_FALSE(run_grid(request_).fault);
    EXPECT_EQ(g_steps[1], "runs 0");
}

TEST_F(WarpGroups, EndTheKernelIfOneEndsWhileTheOthersWait) {
    program_.blocks[kOdd].end.kind = TerminatorKind::kExit;
    const GridResult result = run_grid(request_);
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->kind, FaultKind::kIllegalInstruction);
    EXPECT_EQ(result.fault->op, 3u);
    EXPECT_EQ(result.fault->thread[0], 0u);
    EXPECT_NE(result.fault->message.find("warp 3 (threads 96-127) ended at"), std::string::npos)
        << result.fault->message;
}

TEST_F(WarpGroups, EndTheKernelIfOneHasEndedBeforeTheOthersCome) {
    g_odd = 0;
    program_.blocks[kOdd].end.kind = TerminatorKind::kExit;
    const GridResult result = run_grid(request_);
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->kind, FaultKind::kIllegalInstruction);
    EXPECT_EQ(result.fault->thread[0], 32u);
    EXPECT_NE(result.fault->message.find("warp 0 (threads 0-31) ended at"), std::string::npos) << result.fault->message;
}

TEST_F(WarpGroups, AreADeadlockIfOneWaitsAtABarrier) {
    barrier_.id = constant(std::vector<std::uint32_t>(kWarpSize, 5));
    program_.ops[5].extra = &barrier_;
    program_.blocks[kOdd].end.kind = TerminatorKind::kBarrier;
    const GridResult result = run_grid(request_);
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->kind, FaultKind::kDeadlock);
    EXPECT_NE(result.fault->message.find("threads 0-95 wait at"), std::string::npos) << result.fault->message;
    EXPECT_NE(result.fault->message.find("for the rest of their warpgroup: warp 3 (threads 96-127), which waits at "
                                         "barrier 5 in"),
              std::string::npos)
        << result.fault->message;
}

TEST_F(WarpGroups, AreIncompleteInABlockOfThreeWarps) {
    for (BasicBlock& block : program_.blocks) block.end.meets_group = false;
    request_.shape.block[0] = 3 * kWarpSize;
    const GridResult result = run_grid(request_);
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->kind, FaultKind::kIllegalInstruction);
    EXPECT_NE(result.fault->message.find("has only 96 threads from thread 0 on"), std::string::npos)
        << result.fault->message;
}

}  // namespace
}  // namespace tilescope::machine
