// By which operands lanes meet: any names them, any are handed over, as their row says.
#include "scope/isa/lower/meeting.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scope/isa/families.h"

namespace tilescope::isa {
namespace {

using machine::Bank;
using machine::Operand;

BoundOperand value(std::uint32_t offset, std::uint8_t bytes, bool negated = false) {
    BoundOperand operand;
    operand.kind = BoundKind::kValue;
    operand.slot = Operand(Bank::kRegisters, offset);
    operand.bytes = bytes;
    operand.negated = negated;
    return operand;
}

BoundOperand vector_of(std::vector<BoundOperand> elements) {
    BoundOperand operand;
    operand.kind = BoundKind::kVector;
    operand.elements = std::move(elements);
    return operand;
}

struct Placed {
    std::vector<machine::Brought> brought;
    machine::Terminator end;
};

Placed place(const Meets& meets, const std::vector<BoundOperand>& operands) {
    Placed placed;
    machine::Program program;
    program.brought.push_back({});  // of an instruction before
    placed.end.member_mask = Operand(Bank::kConstants, 128);
    place_meeting(meets, operands, program, placed.end);
    EXPECT_EQ(placed.end.first_brought, 1u);
    EXPECT_EQ(placed.end.first_brought + placed.end.brought_count, program.brought.size());
    placed.brought.assign(program.brought.begin() + 1, program.brought.end());
    return placed;
}

TEST(Meeting, AnyOperandNamesTheLanes) {
    const std::vector<BoundOperand> operands = {value(0, 4), value(128, 4), value(256, 4)};
    for (std::uint8_t i = 0; i < 3; ++i) {
        const Placed placed = place(meet_by(i), operands);
        EXPECT_EQ(placed.end.member_mask.offset(), i * 128u);
        EXPECT_EQ(placed.end.member_mask.bank(), static_cast<unsigned>(Bank::kRegisters));
        EXPECT_EQ(placed.end.brought_count, 0u);
    }
}

TEST(Meeting, WithoutOneAllThatLiveMeet) {
    const Placed placed = place({}, {value(0, 4)});
    EXPECT_EQ(placed.end.member_mask.bank(), static_cast<unsigned>(Bank::kConstants));
    EXPECT_EQ(place({}, {}).end.brought_count, 0u);
}

// As a matrix instruction has them: fragments of two matrices and what is added to, each in several registers.
TEST(Meeting, AnyNumberOfOperandsIsHandedOver) {
    const std::vector<BoundOperand> operands = {
        vector_of({value(0, 4), value(128, 4)}),
        vector_of({value(256, 4), value(384, 4)}),
        value(512, 8),
        BoundOperand{},
        value(768, 0, true),
    };
    const Placed placed = place(meet_by(Meets::kNoOperand, {1, 2, 3, 4}), operands);
    ASSERT_EQ(placed.end.brought_count, 4u);
    const std::uint32_t offsets[] = {256, 384, 512, 768};
    const unsigned bytes[] = {4, 4, 8, 0};
    for (unsigned k = 0; k < 4; ++k) {
        EXPECT_EQ(placed.brought[k].from.offset(), offsets[k]);
        EXPECT_EQ(placed.brought[k].bytes, bytes[k]);
        EXPECT_EQ(placed.brought[k].negated, k == 3);
    }
}

// What a row names is an operand of its form, and what names lanes is not handed over.
TEST(Meeting, RowsNameOperandsThatTheyHave) {
    unsigned rows = 0;
    for (const Family* family : families())
        for (std::size_t i = 0; i < family->count; ++i) {
            const Row& row = family->rows[i];
            const auto tokens = static_cast<unsigned>(std::count(row.operands.begin(), row.operands.end(), ' ') +
                                                      !row.operands.empty());
            if (row.control != Control::kConverge) {
                EXPECT_EQ(row.meets.brought, 0u) << row.syntax;
                EXPECT_EQ(row.meets.members, Meets::kNoOperand) << row.syntax;
                continue;
            }
            ++rows;
            EXPECT_EQ(row.meets.brought >> tokens, 0u) << row.syntax;
            if (row.meets.members == Meets::kNoOperand) continue;
            EXPECT_LT(row.meets.members, tokens) << row.syntax;
            EXPECT_EQ(row.meets.brought >> row.meets.members & 1u, 0u) << row.syntax;
        }
    EXPECT_GE(rows, 10u);
}

}  // namespace
}  // namespace tilescope::isa
