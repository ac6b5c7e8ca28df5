// Lanes that meet at different places hand over several values each. The program is made by hand, without PTX.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "scope/machine/grid.h"

namespace tilescope::machine {
namespace {

constexpr std::uint32_t kHalf = 0x0000ffff;

void do_nothing(Warp&, const Op&) {}

struct Seen {
    std::uint32_t lanes = 0, executed = 0, predicates = 0;
    std::uint64_t wide[kWarpSize];
    std::uint32_t narrow[kWarpSize];
};
std::vector<Seen> g_seen;

// Takes down what an instruction gets of all that take part.
void take_down(Warp& warp, const Op&) {
    Seen& seen = g_seen.emplace_back();
    seen.executed = warp.exec;
    if (warp.meeting == nullptr) return;
    seen.lanes = warp.meeting->lanes;
    std::memcpy(seen.wide, warp.meeting->brought[0], sizeof seen.wide);
    std::memcpy(&seen.predicates, warp.meeting->brought[1], sizeof seen.predicates);
    std::memcpy(seen.narrow, warp.meeting->brought[2], sizeof seen.narrow);
}

// Block 0 parts the lanes; they meet from blocks 1 and 2, each with operands of its own, and end in block 3.
class TwoPlaces : public ::testing::Test {
protected:
    TwoPlaces() {
        program_.ops.resize(4);
        program_.facts.resize(4);
        for (std::uint32_t i = 0; i < 4; ++i) {
            program_.ops[i].index = i;
            program_.ops[i].fn = i == 1 || i == 2 ? &take_down : &do_nothing;
            BasicBlock block;
            block.first = i;
            block.end.op = &program_.ops[i];
            block.end.next = i == 0 ? 2 : 3;
            program_.blocks.push_back(block);
        }
        program_.blocks[0].end.kind = TerminatorKind::kBranch;
        program_.blocks[0].end.target = 1;
        program_.ops[0].guarded = &do_nothing;
        program_.ops[0].guard = constant(std::vector<std::uint32_t>{kHalf});
        for (std::uint32_t place : {1, 2}) {
            Terminator& end = program_.blocks[place].end;
            end.kind = TerminatorKind::kConverge;
            end.member_mask = constant(std::vector<std::uint32_t>(kWarpSize, kFullMask));
            std::vector<std::uint64_t> wide(kWarpSize);
            std::vector<std::uint32_t> narrow(kWarpSize);
            for (unsigned i = 0; i < kWarpSize; ++i) {
                wide[i] = std::uint64_t{place} << 40 | i;
                narrow[i] = place * 100 + i;
            }
            end.first_brought = static_cast<std::uint32_t>(program_.brought.size());
            end.brought_count = 3;
            program_.brought.push_back({constant(wide), 8});
            program_.brought.push_back({constant(std::vector<std::uint32_t>{0x00ff00ff}), 0, place == 2});
            program_.brought.push_back({constant(narrow), 4});
        }
        program_.blocks[3].end.kind = TerminatorKind::kExit;
        program_.functions.emplace_back();
        request_.program = &program_;
        request_.memory = &memory_;
        request_.budget = &budget_;
        request_.shape.block[0] = kWarpSize;
        g_seen.clear();
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
};

TEST_F(TwoPlaces, EachLaneHandsOverWhatItHoldsWhereItStands) {
    const GridResult result = run_grid(request_);
    ASSERT_FALSE(result.fault);
    ASSERT_EQ(g_seen.size(), 2u);  // for the lanes of each place
    EXPECT_EQ(g_seen[0].executed ^ g_seen[1].executed, kFullMask);
    for (const Seen& seen : g_seen) {
        EXPECT_EQ(seen.lanes, kFullMask);
        for (unsigned i = 0; i < kWarpSize; ++i) {
            const unsigned place = kHalf >> i & 1 ? 1 : 2;
            EXPECT_EQ(seen.wide[i], std::uint64_t{place} << 40 | i) << i;
            EXPECT_EQ(seen.narrow[i], place * 100 + i) << i;
        }
        // True of lanes 0 to 7; of place 2, which hands over what is not, 24 to 31. Whoever negates gets it to negate.
        const bool negates = seen.executed != kHalf;
        EXPECT_EQ(negates ? ~seen.predicates : seen.predicates, 0xff0000ffu);
    }
}

TEST_F(TwoPlaces, NothingNeedBeHandedOver) {
    for (BasicBlock& block : program_.blocks) block.end.brought_count = 0;
    program_.ops[2].fn = program_.ops[1].fn = [](Warp& warp, const Op&) {
        g_seen.emplace_back().lanes = warp.meeting ? warp.meeting->lanes : 0;
    };
    ASSERT_FALSE(run_grid(request_).fault);
    ASSERT_EQ(g_seen.size(), 2u);
    EXPECT_EQ(g_seen[0].lanes, kFullMask);
    EXPECT_EQ(g_seen[1].lanes, kFullMask);
}

}  // namespace
}  // namespace tilescope::machine
