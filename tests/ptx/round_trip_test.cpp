// parse(print(m)) equals m, for compilers' output and for the forms written by hand; and equal() sees differences.
#include <filesystem>

#include "scope/ptx/equality.h"
#include "scope/ptx/printer.h"
#include "tests/places.h"
#include "tests/ptx/helpers.h"

namespace tilescope::ptx {
namespace {

std::vector<std::filesystem::path> data_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/tests/ptx/data")) {
        if (entry.path().extension() == ".ptx") files.push_back(entry.path());
    }
    return files;
}

TEST(RoundTrip, HoldsForEveryFile) {
    auto files = data_files();
    ASSERT_GE(files.size(), 5u);
    for (const auto& file : files) {
        SCOPED_TRACE(file.string());
        Module first = must_parse(read_file(file.string()));
        EXPECT_FALSE(first.functions.empty());
        std::string printed = print(first);
        Module second = must_parse(printed);
        EXPECT_TRUE(equal(first, second)) << printed;
        EXPECT_EQ(print(second), printed);
    }
}

TEST(RoundTrip, FindsTheKernelsOfTheCompilers) {
    Module hopper = must_parse(read_file(source_dir() + "/tests/ptx/data/hopper.ptx"));
    std::size_t entries = 0, instructions = 0, with_loc = 0;
    for (const Function& function : hopper.functions) {
        entries += function.is_entry;
        if (!function.body) continue;
        for (const Statement& statement : function.body->statements) {
            const auto* instruction = std::get_if<Instruction>(&statement);
            if (instruction == nullptr) continue;
            ++instructions;
            with_loc += instruction->loc >= 0;
        }
    }
    EXPECT_EQ(entries, 6u);
    EXPECT_GT(instructions, 150u);
    EXPECT_EQ(with_loc, instructions);
    EXPECT_EQ(hopper.files.at(0).name, "hopper.cu");
}

TEST(Print, WritesAnInstruction) {
    for (const char* text : {
             "@!%p1 add.s32 %r1, %r2, 5;",
             "ret;",
             "ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16];",
             "st.shared::cta.u32 [%r1+-4], -7;",
             "setp.lt.and.s32 %p1|%p2, %r1, WIDE+4, !%p3;",
             "call.uni (r), f, (a, b), p;",
             "mov.f32 %f1, 0f3F800000;",
             "mov.f64 %fd1, 0d3FF8000000000000;",
             "mov.u64 %rd1, 18446744073709551615U;",
             "mov.s64 %rd1, (.s64)9223372036854775808;",
             "tex.2d.v4.f32.f32 {%f1, _}|%p1, [tex, sampler, {%f5, %tid.x}];",
             "ld.global.u32 %r1, folded[3];",
             "ld.local.b32 %r1, [64].unified;",
         }) {
        EXPECT_EQ(print(instruction_of(text)), text);
    }
}

TEST(Equal, IgnoresPositionsOnly) {
    Module a = module_of(".entry k() { add %r1, %r2, 5; }");
    EXPECT_TRUE(equal(a, must_parse("\n\n" + kHeader + " .entry\nk()\n{\nadd\n%r1,%r2,5;}")));
    for (const char* other : {
             ".entry l() { add %r1, %r2, 5; }",
             ".func k() { add %r1, %r2, 5; }",
             ".visible .entry k() { add %r1, %r2, 5; }",
             ".entry k(.param .u32 p) { add %r1, %r2, 5; }",
             ".entry k() .maxnreg 5 { add %r1, %r2, 5; }",
             ".entry k() { add.u32 %r1, %r2, 5; }",
             ".entry k() { @%p add %r1, %r2, 5; }",
             ".entry k() { sub %r1, %r2, 5; }",
             ".entry k() { add %r1, %r2, 5U; }",
             ".entry k() { add %r1, %r2, 6; }",
             ".entry k() { add %r1, -%r2, 5; }",
             ".entry k() { add %r1, [%r2], 5; }",
             ".entry k() { add %r1, %r2; }",
             ".entry k() { .loc 1 1 1\n add %r1, %r2, 5; }",
             ".entry k() { add %r1, %r2, 5; } .global .u32 x;",
             ".entry k();",
         }) {
        EXPECT_FALSE(equal(a, module_of(other))) << other;
    }
}

TEST(Equal, SeesEveryPartOfAVariable) {
    Module a = module_of(".global .align 4 .b8 x[4] = {1, y+4};");
    for (const char* other : {
             ".const .align 4 .b8 x[4] = {1, y+4};",
             ".global .align 8 .b8 x[4] = {1, y+4};",
             ".global .align 4 .u8 x[4] = {1, y+4};",
             ".global .align 4 .b8 x[5] = {1, y+4};",
             ".global .align 4 .b8 x[4] = {2, y+4};",
             ".global .align 4 .b8 x[4] = {1, y+8};",
             ".global .align 4 .b8 x[4] = {1, generic(y)+4};",
             ".global .align 4 .b8 x[4] = {1, 0xFF(y+4)};",
             ".global .align 4 .b8 x[4] = {1};",
             ".global .align 4 .b8 x[4];",
             ".global .attribute(.managed) .align 4 .b8 x[4] = {1, y+4};",
             ".weak .global .align 4 .b8 x[4] = {1, y+4};",
         }) {
        EXPECT_FALSE(equal(a, module_of(other))) << other;
    }
}

}  // namespace
}  // namespace tilescope::ptx
