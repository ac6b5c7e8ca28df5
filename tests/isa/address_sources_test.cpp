// What code says of the addresses of its accesses: indices that are data, structures that are asked for in parts.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scope/isa/lower.h"
#include "scope/ptx/parser.h"

namespace tilescope::isa {
namespace {

// Of the accesses to global memory, in the order of the text.
std::vector<machine::OpFacts> accesses_of(const std::string& body) {
    const auto module = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n"
        "{\n.reg .pred %p<8>;\n.reg .b32 %r<20>;\n.reg .f32 %f<20>;\n.reg .b64 %rd<20>;\n"
        "ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"
        "add.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n" +
            body + "\nret;\n}\n",
        "test.ptx");
    if (!module) ADD_FAILURE() << render(module.errors());
    LowerRequest request;
    request.module = &*module;
    request.entry = "k";
    auto program = lower(request);
    if (!program) ADD_FAILURE() << render(program.errors()) << body;
    std::vector<machine::OpFacts> found;
    for (const machine::OpFacts& facts : (*program)->facts)
        if (facts.memory == Counter::kGlobalLoadInstructions || facts.memory == Counter::kGlobalStoreInstructions)
            found.push_back(facts);
    return found;
}

TEST(AddressSources, AnIndexThatALoadBroughtIsData) {
    const auto facts = accesses_of(
        "ld.global.u32 %r2, [%rd4];\nmul.wide.u32 %rd6, %r2, 4;\nadd.s64 %rd7, %rd2, %rd6;\n"
        "ld.global.f32 %f1, [%rd7];\nst.global.f32 [%rd5], %f1;");
    ASSERT_EQ(facts.size(), 3u);
    EXPECT_FALSE(facts[0].by_data);
    EXPECT_TRUE(facts[1].by_data);
    EXPECT_FALSE(facts[2].by_data) << "the value is, its place is not";
}

TEST(AddressSources, AWalkThatBeginsAtDataIsNone) {
    // for (k = starts[i]; k < n; ++k) sum += x[k];
    const auto facts = accesses_of(
        "ld.global.u32 %r2, [%rd4];\nagain:\nmul.wide.u32 %rd6, %r2, 4;\nadd.s64 %rd7, %rd2, %rd6;\n"
        "ld.global.f32 %f1, [%rd7];\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 100;\n@%p1 bra again;\n"
        "st.global.f32 [%rd5], %f1;");
    ASSERT_EQ(facts.size(), 3u);
    EXPECT_FALSE(facts[1].by_data);
    // at = next[at]: each load brings the next one's place.
    const auto chase = accesses_of(
        "mov.u32 %r2, %r1;\nagain:\nmul.wide.u32 %rd6, %r2, 4;\nadd.s64 %rd7, %rd2, %rd6;\n"
        "ld.global.u32 %r2, [%rd7];\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, 100;\n@%p1 bra again;\n"
        "st.global.u32 [%rd5], %r2;");
    ASSERT_EQ(chase.size(), 2u);
    EXPECT_TRUE(chase[0].by_data);
}

TEST(AddressSources, PartsOfAStructure) {
    const std::string place = "mul.wide.u32 %rd8, %r1, 16;\nadd.s64 %rd9, %rd1, %rd8;\n";
    const auto four =
        accesses_of(place +
                    "ld.global.f32 %f1, [%rd9+4];\nld.global.f32 %f2, [%rd9];\nld.global.f32 %f3, "
                    "[%rd9+12];\nld.global.f32 %f4, [%rd9+8];\nst.global.v4.f32 [%rd5], {%f1,%f2,%f3,%f4};");
    ASSERT_EQ(four.size(), 5u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(four[i].structure_bytes, 16u) << i;
    EXPECT_TRUE(four[0].is_further_part);
    EXPECT_FALSE(four[1].is_further_part) << "the one at its begin";
    EXPECT_EQ(four[4].structure_bytes, 0u);
    const auto three =
        accesses_of(place + "st.global.f32 [%rd9], %f1;\nst.global.f32 [%rd9+4], %f1;\nst.global.f32 [%rd9+8], %f1;");
    ASSERT_EQ(three.size(), 3u);
    EXPECT_EQ(three[2].structure_bytes, 12u);
}

// Threads that take one structure after the other, as many further on as there are threads.
TEST(AddressSources, StructuresInALoopOverAllThreads) {
    const auto facts = accesses_of(
        "mov.u32 %r4, %ntid.x;\nagain:\nmul.wide.u32 %rd8, %r1, 8;\nadd.s64 %rd9, %rd1, %rd8;\n"
        "ld.global.f32 %f1, [%rd9];\nld.global.f32 %f2, [%rd9+4];\nadd.u32 %r1, %r1, %r4;\n"
        "setp.lt.u32 %p1, %r1, 100;\n@%p1 bra again;\nst.global.v2.f32 [%rd5], {%f1,%f2};");
    ASSERT_EQ(facts.size(), 3u);
    EXPECT_EQ(facts[1].structure_bytes, 8u);
    EXPECT_FALSE(facts[1].by_data);
}

// A row that a thread walks along, two elements at a time.
TEST(AddressSources, ARowIsNoStructure) {
    const auto facts = accesses_of(
        "mov.u32 %r3, 0;\nagain:\nmul.wide.u32 %rd11, %r3, 4;\nadd.s64 %rd12, %rd1, %rd11;\n"
        "ld.global.f32 %f1, [%rd12];\nld.global.f32 %f2, [%rd12+4];\nadd.u32 %r3, %r3, 2;\n"
        "setp.lt.u32 %p1, %r3, 100;\n@%p1 bra again;\nst.global.v2.f32 [%rd5], {%f1,%f2};");
    ASSERT_EQ(facts.size(), 3u);
    EXPECT_EQ(facts[1].structure_bytes, 0u);
}

TEST(AddressSources, NoPartsOfAStructure) {
    const std::string place = "mul.wide.u32 %rd8, %r1, 16;\nadd.s64 %rd9, %rd1, %rd8;\n";
    for (const std::string& body :
         {// A gap; more than an access can hold; another register between; a row that a loop walks along.
          place + "ld.global.f32 %f1, [%rd9];\nld.global.f32 %f2, [%rd9+8];\nst.global.v2.f32 [%rd5], {%f1,%f2};",
          place + "ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd9];\nld.global.v4.f32 {%f5,%f6,%f7,%f8}, [%rd9+16];\n"
                  "st.global.v4.f32 [%rd5], {%f1,%f2,%f5,%f6};",
          place + "ld.global.f32 %f1, [%rd9];\nadd.s64 %rd9, %rd9, 4096;\nld.global.f32 %f2, [%rd9+4];\n"
                  "st.global.v2.f32 [%rd5], {%f1,%f2};",
          place + "again:\nld.global.f32 %f1, [%rd9];\nld.global.f32 %f2, [%rd9+4];\nadd.s64 %rd9, %rd9, 8;\n"
                  "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, 100;\n@%p1 bra again;\n"
                  "st.global.v2.f32 [%rd5], {%f1,%f2};"}) {
        for (const machine::OpFacts& facts : accesses_of(body)) EXPECT_EQ(facts.structure_bytes, 0u) << body;
    }
}

}  // namespace
}  // namespace tilescope::isa
