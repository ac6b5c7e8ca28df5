// Where automatic variables lie, out of clang's code before and after its optimizer.
#include "scope/image/automatic_variables.h"

#include <gtest/gtest.h>

#include "scope/image/debug_facts.h"

namespace tilescope::image {
namespace {

using Shape = std::vector<std::uint64_t>;

// A kernel with a scalar, an array that unrolling dissolves and one that it cannot; a helper with memory of another
// type.
constexpr const char* kDescribed = R"(define dso_local void @_Z1kPf(ptr noundef %0) #0 !dbg !2 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca [4 x float], align 4
  %5 = alloca [8 x i32], align 4
    #dbg_declare(ptr %2, !10, !DIExpression(), !13)
    #dbg_declare(ptr %3, !11, !DIExpression(), !13)
    #dbg_declare(ptr %4, !12, !DIExpression(), !13)
  call void @llvm.dbg.declare(metadata ptr %5, metadata !14, metadata !DIExpression()), !dbg !13
  ret void, !dbg !13
}
define dso_local void @_Z6helperv() #0 !dbg !20 {
  %1 = alloca [2 x i64], align 8
    #dbg_declare(ptr %1, !22, !DIExpression(), !13)
  ret void
}
!2 = distinct !DISubprogram(name: "k", scope: !3, file: !3, line: 1, type: !4, unit: !6)
!3 = !DIFile(filename: "k.cu", directory: "/tmp")
!4 = !DISubroutineType(types: !5)
!5 = !{null, !41}
!6 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "clang", emissionKind: FullDebug)
!10 = !DILocalVariable(name: "a", arg: 1, scope: !2, file: !3, line: 1, type: !41)
!11 = !DILocalVariable(name: "i", scope: !2, file: !3, line: 2, type: !42)
!12 = !DILocalVariable(name: "x", scope: !15, file: !3, line: 3, type: !43)
!13 = !DILocation(line: 2, scope: !2)
!14 = !DILocalVariable(name: "mine", scope: !15, file: !3, line: 4, type: !44)
!15 = distinct !DILexicalBlock(scope: !2, file: !3, line: 3, column: 3)
!20 = distinct !DISubprogram(name: "helper", scope: !3, file: !3, line: 9, type: !4, unit: !6)
!21 = !{ptr @_Z1kPf, !"kernel", i32 1}
!22 = !DILocalVariable(name: "pair", scope: !20, file: !3, line: 10, type: !42)
!41 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !45, size: 64)
!42 = !DIDerivedType(tag: DW_TAG_typedef, name: "Index", file: !3, line: 1, baseType: !46)
!43 = !DICompositeType(tag: DW_TAG_array_type, baseType: !45, size: 128, elements: !47)
!44 = !DICompositeType(tag: DW_TAG_array_type, baseType: !46, size: 256, elements: !48)
!45 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!46 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!47 = !{!49}
!48 = !{!50}
!49 = !DISubrange(count: 4)
!50 = !DISubrange(count: 8)
)";

std::vector<AutomaticVariable> places(const std::string& described, const std::string& optimized) {
    SourceFacts facts = source_facts(described);
    add_automatic_variables(described, optimized, facts);
    return facts.at("_Z1kPf").automatic;
}

std::string optimized_with(const std::string& memory) {
    return "define dso_local void @_Z1kPf(ptr noundef %0) #0 !dbg !2 {\n" + memory + "  ret void\n}\n";
}

TEST(AutomaticVariables, WhatHasMemoryLeftIsLocal) {
    const auto known = places(kDescribed, optimized_with("  %2 = alloca [8 x i32], align 4\n"));
    ASSERT_EQ(known.size(), 3u) << "a parameter is none";
    EXPECT_EQ(known[0].name, "i");
    EXPECT_EQ(known[0].type, "int");
    EXPECT_EQ(known[0].bytes, 4u);
    EXPECT_FALSE(known[0].has_memory);
    EXPECT_EQ(known[1].name, "x");
    EXPECT_EQ(known[1].shape, Shape{4});
    EXPECT_EQ(known[1].bytes, 16u);
    EXPECT_FALSE(known[1].has_memory);
    EXPECT_EQ(known[2].name, "mine");
    EXPECT_EQ(known[2].shape, Shape{8});
    EXPECT_TRUE(known[2].has_memory);
    for (const AutomaticVariable& one : places(kDescribed, optimized_with(""))) EXPECT_FALSE(one.has_memory);
}

// Memory that may be anybody's: a piece of an array, or that of a function which was inlined.
TEST(AutomaticVariables, WhatIsInDoubtIsLeftOut) {
    EXPECT_TRUE(places(kDescribed, optimized_with("  %2 = alloca [3 x i32], align 4\n")).empty());
    const auto beside = places(kDescribed, optimized_with("  %2 = alloca [2 x i64], align 8\n"
                                                          "  %3 = alloca [8 x i32], align 4\n"));
    ASSERT_EQ(beside.size(), 1u) << "the one whose memory it must be";
    EXPECT_EQ(beside[0].name, "mine");
    std::string twice = kDescribed;
    const std::string helpers = "alloca [2 x i64]";
    twice.replace(twice.find(helpers), helpers.size(), "alloca [8 x i32]");
    EXPECT_TRUE(places(twice, optimized_with("  %2 = alloca [8 x i32], align 4\n")).empty());
}

TEST(AutomaticVariables, GoThroughThePtx) {
    SourceFacts facts = source_facts(kDescribed);
    add_automatic_variables(kDescribed, optimized_with("  %2 = alloca [8 x i32], align 4\n"), facts);
    const std::string comments = facts_as_comments(facts);
    EXPECT_NE(comments.find("// tilescope: automatic x 4 16 registers float\n"), std::string::npos) << comments;
    EXPECT_NE(comments.find("// tilescope: automatic mine 8 32 memory int\n"), std::string::npos) << comments;
    EXPECT_EQ(facts_as_comments(facts_in(comments)), comments);
    const std::string mark = "// tilescope: ";
    const SourceFacts read =
        facts_in(mark + "kernel k\n" + mark + "automatic x\n" + mark + "automatic x 4 y memory int\n" + mark +
                 "automatic x 4 16 elsewhere int\n" + mark + "automatic x - 4 memory a b");
    ASSERT_EQ(read.at("k").automatic.size(), 1u);
    EXPECT_EQ(read.at("k").automatic[0].type, "a b");
}

TEST(AutomaticVariables, AnyTextIsSafe) {
    const std::string described = kDescribed, optimized = optimized_with("  %2 = alloca [8 x i32], align 4\n");
    for (std::size_t length = 0; length < described.size(); length += 7) {
        SourceFacts facts = source_facts(described);
        add_automatic_variables(described.substr(0, length), optimized, facts);
        add_automatic_variables(described, optimized.substr(0, length), facts);
    }
    for (const char* text :
         {"define ", "define @", "  % = alloca ", " = alloca x", "#dbg_declare(ptr %", "#dbg_declare(%1, !"}) {
        SourceFacts facts;
        add_automatic_variables(text, text, facts);
        EXPECT_TRUE(facts.empty());
    }
}

}  // namespace
}  // namespace tilescope::image
