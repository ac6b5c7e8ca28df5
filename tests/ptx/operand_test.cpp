#include "tests/ptx/helpers.h"

namespace tilescope::ptx {
namespace {

const Symbol& symbol(const Operand& operand) { return std::get<Symbol>(operand.value); }
std::int64_t integer(const Operand& operand) { return std::get<IntegerLiteral>(operand.value).value; }
const AddressOperand& address(const Operand& operand) { return std::get<AddressOperand>(operand.value); }

TEST(Operand, ReadsSymbols) {
    auto operands = operands_of("%r1, %tid.x, _, table+16, table-4, !%p, -%r2.h1, table[3], a[1+1]");
    ASSERT_EQ(operands.size(), 9u);
    EXPECT_EQ(symbol(operands[0]).name, "%r1");
    EXPECT_EQ(symbol(operands[0]).index, -1);
    EXPECT_EQ(symbol(operands[1]).name, "%tid");
    EXPECT_EQ(symbol(operands[1]).component, "x");
    EXPECT_EQ(symbol(operands[2]).name, "_");
    EXPECT_EQ(symbol(operands[3]).offset, 16);
    EXPECT_EQ(symbol(operands[4]).offset, -4);
    EXPECT_TRUE(operands[5].negated);
    EXPECT_TRUE(operands[6].minus);
    EXPECT_EQ(symbol(operands[6]).component, "h1");
    EXPECT_EQ(symbol(operands[7]).index, 3);
    EXPECT_EQ(symbol(operands[8]).index, 2);
}

TEST(Operand, ReadsConstants) {
    auto operands = operands_of("5, -5, 0x10U, (1 + 2) * 3, WARP_SZ, 0f3F800000, 1.5, (.s64)7, 1 ? 2 : 3");
    ASSERT_EQ(operands.size(), 9u);
    EXPECT_EQ(integer(operands[0]), 5);
    EXPECT_EQ(integer(operands[1]), -5);
    EXPECT_TRUE(std::get<IntegerLiteral>(operands[2].value).is_unsigned);
    EXPECT_EQ(integer(operands[3]), 9);
    EXPECT_EQ(integer(operands[4]), 32);
    EXPECT_TRUE(std::get<FloatLiteral>(operands[5].value).is_single);
    EXPECT_EQ(std::get<FloatLiteral>(operands[6].value).bits, 0x3FF8000000000000u);
    EXPECT_EQ(integer(operands[7]), 7);
    EXPECT_EQ(integer(operands[8]), 2);
}

TEST(Operand, ReadsAddresses) {
    auto operands = operands_of("[%rd1], [%rd1+16], [%rd1+-16], [x - 4], [128], [%rd1 + 4*2].unified");
    ASSERT_EQ(operands.size(), 6u);
    EXPECT_EQ(address(operands[0]).base->name, "%rd1");
    EXPECT_EQ(address(operands[0]).offset, 0);
    EXPECT_EQ(address(operands[1]).offset, 16);
    EXPECT_EQ(address(operands[2]).offset, -16);
    EXPECT_EQ(address(operands[3]).offset, -4);
    EXPECT_FALSE(address(operands[4]).base);
    EXPECT_EQ(address(operands[4]).offset, 128);
    EXPECT_FALSE(address(operands[4]).is_unified);
    EXPECT_EQ(address(operands[5]).offset, 8);
    EXPECT_TRUE(address(operands[5]).is_unified);
}

TEST(Operand, ReadsCoordinates) {
    auto operands = operands_of("[tex, sampler, {%f1, %f2}], [%rd1, {%r1}]");
    const AddressOperand& with_sampler = address(operands.at(0));
    ASSERT_EQ(with_sampler.coordinates.size(), 2u);
    EXPECT_EQ(symbol(with_sampler.coordinates[0]).name, "sampler");
    EXPECT_EQ(std::get<VectorOperand>(with_sampler.coordinates[1].value).elements.size(), 2u);
    EXPECT_EQ(address(operands.at(1)).coordinates.size(), 1u);
}

TEST(Operand, ReadsVectorsAndPairs) {
    auto operands = operands_of("{%f1, _, 3}, %p1|%p2, _|%p3, {%r1, %r2}|%p4, {}");
    const auto& vector = std::get<VectorOperand>(operands.at(0).value).elements;
    ASSERT_EQ(vector.size(), 3u);
    EXPECT_EQ(integer(vector[2]), 3);
    const auto& pair = std::get<PairOperand>(operands.at(1).value).elements;
    ASSERT_EQ(pair.size(), 2u);
    EXPECT_EQ(symbol(pair[1]).name, "%p2");
    EXPECT_EQ(symbol(std::get<PairOperand>(operands.at(2).value).elements.at(0)).name, "_");
    const auto& texel = std::get<PairOperand>(operands.at(3).value).elements;
    EXPECT_EQ(std::get<VectorOperand>(texel.at(0).value).elements.size(), 2u);
    EXPECT_TRUE(std::get<VectorOperand>(operands.at(4).value).elements.empty());
}

TEST(Operand, ReadsCalls) {
    auto operands = instruction_of("call.uni (ret0), f, (a, 5, (.s64)6), prototype;").operands;
    ASSERT_EQ(operands.size(), 4u);
    EXPECT_EQ(std::get<ListOperand>(operands[0].value).elements.size(), 1u);
    EXPECT_EQ(symbol(operands[1]).name, "f");
    const auto& arguments = std::get<ListOperand>(operands[2].value).elements;
    ASSERT_EQ(arguments.size(), 3u);
    EXPECT_EQ(integer(arguments[2]), 6);
    EXPECT_EQ(symbol(operands[3]).name, "prototype");
    auto constants = instruction_of("call f, (1, 2);").operands;
    EXPECT_EQ(std::get<ListOperand>(constants.at(1).value).elements.size(), 2u);
    EXPECT_EQ(instruction_of("call f;").operands.size(), 1u);
    EXPECT_TRUE(std::get<ListOperand>(instruction_of("call f, ();").operands.at(1).value).elements.empty());
}

TEST(Operand, KnowsItsPosition) {
    auto operands = operands_of("%r1,\n  [%r2]");
    EXPECT_EQ(operands.at(0).position.line, 6u);
    EXPECT_EQ(operands.at(0).position.column, 4u);
    EXPECT_EQ(operands.at(1).position.line, 7u);
    EXPECT_EQ(operands.at(1).position.column, 3u);
}

}  // namespace
}  // namespace tilescope::ptx
