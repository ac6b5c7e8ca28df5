// Every line of the table, run by the emulator: it gives what the hardware gave.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/truth/isa/emulate.h"

namespace tilescope::truth {
namespace {

const Table& table() {
    static const Table read = read_table(text_of_file(table_file()));
    return read;
}

std::vector<const Line*> lines_about(const std::string& opcode) {
    std::vector<const Line*> lines;
    for (const Line& line : table().lines)
        if (opcode_of(line) == opcode) lines.push_back(&line);
    return lines;
}

std::vector<std::string> all_opcodes() {
    std::vector<std::string> opcodes;
    for (const Line& line : table().lines) opcodes.push_back(opcode_of(line));
    std::sort(opcodes.begin(), opcodes.end());
    opcodes.erase(std::unique(opcodes.begin(), opcodes.end()), opcodes.end());
    return opcodes;
}

void check(const Line& line, const std::vector<Lanes>& got) {
    ASSERT_EQ(line.results.size(), line.outputs.size())
        << "line " << line.number << " has no outputs yet: measure it, or tilescope_isa_table --fill";
    for (std::size_t r = 0; r < got.size(); ++r)
        for (unsigned lane = 0; lane < kLanes; ++lane)
            EXPECT_TRUE(is_close(line.results[r], line.outputs[r][lane], got[r][lane], line.closeness))
                << "line " << line.number << ", " << line.instruction << ", result " << r << " of lane " << lane
                << "\nthe table: " << print_lanes(line.outputs[r]) << "\ngot:       " << print_lanes(got[r]);
}

class IsaTruth : public testing::TestWithParam<std::string> {};

TEST_P(IsaTruth, IsWhatHardwareGave) {
    const std::vector<const Line*> lines = lines_about(GetParam());
    const Answers alone = emulate(lines, 1), shared = emulate(lines, 2);
    ASSERT_EQ("", alone.problem);
    for (const Line* line : lines) check(*line, alone.outputs.at(line->number));
    EXPECT_TRUE(alone.outputs == shared.outputs) << "one job and two differ in results";
    EXPECT_EQ(alone.profile, shared.profile) << "one job and two differ in counts";
}

INSTANTIATE_TEST_SUITE_P(Opcodes, IsaTruth, testing::ValuesIn(all_opcodes()),
                         [](const auto& opcode) { return opcode.param; });

// The table held this much when it took the place of a file for each opcode. It may grow.
TEST(IsaTable, IsWholeAndOfHardware) {
    EXPECT_EQ(std::vector<std::string>{}, table().problems);
    std::size_t lines = 0, values = 0;
    std::vector<std::string> instructions;
    for (const Line& line : table().lines) {
        instructions.push_back(line.instruction);
        if (line.origin != Origin::kHardware) continue;
        ++lines;
        for (const std::string& type : line.results)
            values += kLanes * (type == "f16x2" || type == "bf16x2" || type == "b128" ? 2 : 1);
    }
    EXPECT_GE(lines, 1629u);
    EXPECT_GE(values, 28688u);
    std::sort(instructions.begin(), instructions.end());
    const auto twice = std::adjacent_find(instructions.begin(), instructions.end());
    EXPECT_EQ(instructions.end(), twice) << "stands there twice: " << *twice;
}

}  // namespace
}  // namespace tilescope::truth
