// The table's format, and that nobody writes over what hardware gave.
#include "tests/truth/isa/table.h"

#include <gtest/gtest.h>

#include "tests/truth/isa/kernels.h"
#include "tests/truth/isa/propose.h"

namespace tilescope::truth {
namespace {

const std::string kHead = "device\tD\ndriver\t1\ncuda\t2\ndate\t3\nvalues\tb32\tb32\t0*15 1f\nvalues\tp\tpred\t1*16\n";

Table with_line(const std::string& line) { return read_table(kHead + line + "\n"); }

bool reads(const std::string& line) { return with_line(line).problems.empty(); }

bool close(const char* type, std::uint64_t a, std::uint64_t b, double ulps, double absolute) {
    return is_close(type, {a, 0}, {b, 0}, {true, {static_cast<std::uint64_t>(ulps), absolute}});
}

TEST(IsaTableFormat, ReadsALine) {
    const Table table = with_line("h200\t2 ulp or 1e-6\tfoo.f32 =f32|=pred, b32, b32+5, 0x96\t1*15 ab\t0*16");
    ASSERT_EQ(std::vector<std::string>{}, table.problems);
    const Line& line = table.lines.at(0);
    EXPECT_EQ(Origin::kHardware, line.origin);
    EXPECT_EQ(2u, line.closeness.within.ulps);
    EXPECT_EQ(1e-6, line.closeness.within.absolute);
    EXPECT_EQ((std::vector<std::string>{"f32", "pred"}), line.results);
    EXPECT_EQ("1*15 ab", print_lanes(line.outputs.at(0)));
    EXPECT_EQ("foo", opcode_of(line));
}

TEST(IsaTableFormat, RefusesWhatIsNone) {
    EXPECT_TRUE(reads("h200\texact\tfoo =b32, b32\t1*16"));
    EXPECT_FALSE(reads("mine\texact\tfoo =b32, b32\t1*16"));
    EXPECT_FALSE(reads("h200\tabout\tfoo =b32, b32\t1*16"));
    EXPECT_FALSE(reads("h200\texact\tfoo =b33, b32\t1*16"));
    EXPECT_FALSE(reads("h200\texact\tfoo b32\t1*16")) << "no result";
    EXPECT_FALSE(reads("h200\texact\tfoo =b32, b32\t1*15"));
    EXPECT_FALSE(reads("h200\texact\tfoo =b32, b32\t1*15 x"));
    EXPECT_FALSE(reads("h200\texact\tfoo =b32, b32\t1*15 100000000")) << "wider than its type";
    EXPECT_FALSE(reads("h200\texact\tfoo =b32, b32\t1*16\t1*16")) << "more columns than results";
    EXPECT_FALSE(reads("h200\texact\tfoo =b32, b32")) << "hardware that said nothing";
    EXPECT_TRUE(reads("ours\texact\tfoo =b32, b32")) << "new";
    EXPECT_FALSE(read_table("").problems.empty()) << "no device";
}

TEST(IsaTableFormat, OnlyLinesOfOursAreRewritten) {
    const std::vector<Lanes> outputs = {Lanes(kLanes, Bits{7, 0})};
    const Table hardware = with_line("h200\texact\tfoo =b32, b32\t1*16"),
                ours = with_line("ours\texact\tfoo =b32, b32");
    EXPECT_FALSE(with_outputs(hardware, hardware.lines.at(0), outputs));
    EXPECT_EQ(kHead + "ours\texact\tfoo =b32, b32\t7*16\n", with_outputs(ours, ours.lines.at(0), outputs));
}

TEST(IsaTableFormat, ClosenessIsOfTheType) {
    EXPECT_FALSE(is_close("f32", {0x7fc00000, 0}, {0x7fffffff, 0}, {}));
    EXPECT_FALSE(is_close("f32", {0, 0}, {0x80000000, 0}, {}));
    EXPECT_TRUE(close("f32", 0x7fc00000, 0x7fffffff, 0, 0));
    EXPECT_FALSE(close("f32", 0x7fc00000, 0x7f800000, 100, 100));
    EXPECT_FALSE(close("f32", 0, 0x80000000, 0, 0)) << "any NaN, but not any zero";
    EXPECT_TRUE(close("f32", 0x3f800000, 0x3f800002, 2, 0));
    EXPECT_FALSE(close("f32", 0x3f800000, 0x3f800003, 2, 0));
    EXPECT_TRUE(close("f64", 0x8000000000000001, 1, 2, 0));
    EXPECT_FALSE(close("f64", 0x8000000000000002, 1, 2, 0));
    EXPECT_TRUE(close("bf16", 0x3f80, 0x3f82, 2, 0));
    EXPECT_TRUE(close("f16", 0x3c00, 0x3bff, 0, 5e-4));  // 1 and 1 - 2^-11
    EXPECT_FALSE(close("f16", 0x3c00, 0x3c01, 0, 5e-4));
    EXPECT_TRUE(close("f16x2", 0x3c003c00, 0x3c013bff, 1, 0));
    EXPECT_FALSE(close("f16x2", 0x3c003c00, 0x3c023bff, 1, 0)) << "the high half";
    EXPECT_FALSE(close("f16x2", 0x3c003c00, 0x3c003bfe, 1, 0)) << "the low half";
    EXPECT_FALSE(close("b32", 1, 2, 100, 100)) << "no number";
}

TEST(IsaTableFormat, KernelsHaveTheirOwnValues) {
    const Table table = with_line("ours\texact\tfoo.b32 =b32, b32+3, p; bar ~b64");
    ASSERT_EQ(std::vector<std::string>{}, table.problems);
    const Line* line = &table.lines.at(0);
    const std::string ptx = ptx_for({&line, 1});
    EXPECT_NE(ptx.npos, ptx.find("foo.b32 %r0, %i0, %i2; bar %r1;")) << ptx;
    EXPECT_NE(ptx.npos, ptx.find("ld.global.b32 %i0, [%at+12];")) << ptx;
    EXPECT_NE(ptx.npos, ptx.find("setp.ne.b32 %i2, %i1, 0;")) << ptx;
    EXPECT_NE(ptx.npos, ptx.find("st.global.b32 [%out+0], %r0;")) << ptx;
}

// New lines are made as those that stand there.
TEST(IsaTableFormat, ProposalsAreLinesOfTheTable) {
    const Table table = read_table(text_of_file(table_file()));
    for (const char* opcode : {"abs", "madc", "cvt", "setp", "__nv_pow"}) EXPECT_NE("", propose({}, opcode)) << opcode;
    for (const char* opcode : {"abs", "mad", "madc", "sub", "setp", "__nv_pow"})
        EXPECT_EQ("", propose(table, opcode)) << "but it has them";
    EXPECT_EQ("ours\texact\t__nv_pow =f64, f64, f64+5\n", propose({}, "__nv_pow"));
    EXPECT_TRUE(propose({}, "shfl").starts_with("# not values to values: shfl"));
    EXPECT_EQ("", propose({}, "frobnicate"));
}

}  // namespace
}  // namespace tilescope::truth
