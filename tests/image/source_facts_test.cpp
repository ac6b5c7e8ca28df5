// What a compiler knows of the source: out of clang's debug information, in the PTX's comments, beside the text.
#include "scope/image/source_facts.h"

#include <gtest/gtest.h>

#include "scope/image/debug_facts.h"

namespace tilescope::image {
namespace {

using Names = std::vector<std::string>;
using Shape = std::vector<std::uint64_t>;

// A kernel as clang describes it with -g, shortened: an array in an inner block, one of a size that the launch gives,
// one of another function.
constexpr const char* kCode = R"(@Mds = internal addrspace(3) global [16 x [17 x float]] undef, align 4, !dbg !0
@one = internal addrspace(3) global i32 undef, align 4, !dbg !30
@raw = external addrspace(3) global [0 x i8], align 1
@other = internal addrspace(3) global [4 x i32] undef, align 4, !dbg !32
define dso_local void @_Z5tiledPKfi(ptr noundef %0, i32 noundef %1) #0 !dbg !2 {
  %3 = alloca ptr, align 8
  call void @llvm.dbg.declare(metadata ptr %3, metadata !10, metadata !DIExpression()), !dbg !12
    #dbg_declare(ptr %3, !10, !DIExpression(), !12)
  store float 0.0, ptr %3, align 4, !dbg !13
}
define dso_local void @_Z6helperv() #0 !dbg !20 {
  ret void, !dbg !13
}
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "Mds", scope: !2, file: !3, line: 26, type: !40, isLocal: true, isDefinition: true)
!2 = distinct !DISubprogram(name: "tiled", linkageName: "_Z5tiledPKfi", scope: !7, file: !3, line: 25, type: !4, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6, templateParams: !8, retainedNodes: !9)
!3 = !DIFile(filename: "a, (b.cu", directory: "/tmp")
!4 = !DISubroutineType(types: !5)
!5 = !{null, !41, !42}
!6 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !9, globals: !9, splitDebugInlining: false)
!7 = !DINamespace(name: "ns", scope: null)
!8 = !{}
!9 = !{}
!10 = !DILocalVariable(name: "M", arg: 1, scope: !2, file: !3, line: 25, type: !41)
!11 = !DILocalVariable(name: "sum", scope: !2, file: !3, line: 26, type: !42)
!12 = !DILocation(line: 25, column: 30, scope: !2)
!13 = !DILocation(line: 27, column: 3, scope: !15, inlinedAt: !12)
!14 = distinct !DILexicalBlock(scope: !2, file: !3, line: 26, column: 3)
!15 = distinct !DILexicalBlock(scope: !14, file: !3, line: 27, column: 5)
!20 = distinct !DISubprogram(name: "helper", scope: !3, file: !3, line: 3, type: !4, unit: !6)
!21 = !{ptr @_Z5tiledPKfi, !"kernel", i32 1}
!30 = distinct !DIGlobalVariable(name: "one", scope: !15, file: !3, line: 24, type: !43)
!32 = distinct !DIGlobalVariable(name: "other", scope: !20, file: !3, line: 4, type: !40)
!40 = !DICompositeType(tag: DW_TAG_array_type, baseType: !44, size: 8704, elements: !45)
!41 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !44, size: 64)
!42 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!43 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !42)
!44 = !DIDerivedType(tag: DW_TAG_typedef, name: "Real", file: !3, line: 1, baseType: !46)
!45 = !{!47, !48}
!46 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!47 = !DISubrange(count: 16)
!48 = !DISubrange(count: 17)
)";

TEST(DebugFacts, KernelsAreDescribed) {
    const SourceFacts facts = source_facts(kCode);
    ASSERT_EQ(facts.size(), 1u);  // a helper is no kernel
    const KernelSource& kernel = facts.at("_Z5tiledPKfi");
    EXPECT_EQ(kernel.parameters, (Names{"M", ""}));
    ASSERT_EQ(kernel.shared.size(), 2u);
    EXPECT_EQ(kernel.shared[0].name, "one");  // in the order of lines
    EXPECT_EQ(kernel.shared[0].type, "int");
    EXPECT_EQ(kernel.shared[0].shape, Shape{});
    EXPECT_EQ(kernel.shared[1].name, "Mds");
    EXPECT_EQ(kernel.shared[1].type, "float");
    EXPECT_EQ(kernel.shared[1].shape, (Shape{16, 17}));
}

TEST(DebugFacts, KernelsOfTypedPointersAreFound) {
    std::string code = kCode;
    const std::string opaque = "!{ptr @";
    code.replace(code.find(opaque), opaque.size(), "!{void (float*, i32)* @");
    EXPECT_EQ(source_facts(code).count("_Z5tiledPKfi"), 1u);
}

TEST(DebugFacts, TheLinesAloneAreKept) {
    const std::string lean = keep_line_tables(kCode);
    for (const char* gone : {"call void @llvm.dbg", "#dbg_declare", "FullDebug", "retainedTypes",
                             "globals: ", "linkageName", "templateParams", "undef, align 4, !dbg"})
        EXPECT_EQ(lean.find(gone), std::string::npos) << gone << "\n" << lean;
    for (const char* kept :
         {"@Mds = internal addrspace(3) global [16 x [17 x float]] undef, align 4\n",
          "  store float 0.0, ptr %3, align 4, !dbg !13\n",
          "!13 = !DILocation(line: 27, column: 3, scope: !2, inlinedAt: !12)\n",
          "emissionKind: LineTablesOnly, splitDebugInlining: false)\n",
          "!2 = distinct !DISubprogram(name: \"tiled\", scope: !3, file: !3, line: 25, type: !4, scopeLine: 25, flags: "
          "DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6, retainedNodes: !9)\n",
          "declare void @llvm.dbg.declare(metadata, metadata, metadata) #1\n"})
        EXPECT_NE(lean.find(kept), std::string::npos) << kept << "\n" << lean;
    EXPECT_EQ(keep_line_tables(lean), lean);
    EXPECT_TRUE(source_facts(lean).empty());
}

TEST(DebugFacts, AnyTextIsSafe) {
    const std::string code = kCode;
    for (std::size_t length = 0; length < code.size(); length += 7) {
        (void)source_facts(code.substr(0, length));
        (void)keep_line_tables(code.substr(0, length));
    }
    for (const char* text :
         {"!", "!1", "!1 = ", "!1 = !DILocation(", "!1 = !DILocation(scope: \"", "!1 = !DILocation(scope: !1)",
          "!1 = distinct !DILexicalBlock(scope: !1)\n!2 = !DILocation(scope: !1)", "@",
          "@a addrspace(3) !dbg !1\n!1 = !{!1}", "define @", "!9999999999999999999999 = !{}",
          "!1 = !{\n!1 = !{!\"kernel\", i32 1", "!1 = distinct !DISubprogram(file: !1",
          "!1 = distinct !DICompileUnit(globals: !2"}) {
        (void)source_facts(text);
        (void)keep_line_tables(text);
    }
}

TEST(SourceFacts, GoThroughPtxUnchanged) {
    const SourceFacts facts = source_facts(kCode);
    const std::string comments = facts_as_comments(facts), ptx = ".version 7.8\n.target sm_90\n" + comments;
    const SourceFacts read = facts_in(ptx);
    ASSERT_EQ(read.size(), 1u);
    const KernelSource& kernel = read.at("_Z5tiledPKfi");
    EXPECT_EQ(kernel.parameters, (Names{"M", ""}));
    ASSERT_EQ(kernel.shared.size(), 2u);
    EXPECT_EQ(kernel.shared[1].shape, (Shape{16, 17}));
    EXPECT_EQ(facts_as_comments(read), comments);
    EXPECT_TRUE(facts_in(".version 7.8\n// kernel k\n").empty());
}

TEST(SourceFacts, LinesWithoutSenseAreLeftOut) {
    const std::string mark = "// tilescope: ";
    const SourceFacts read =
        facts_in(mark + "parameter lost\n" + mark + "kernel k\n" + mark + "shared s\n" + mark + "shared s 4\n" + mark +
                 "shared s 4x int\n" + mark + "shared s 0 int\n" + mark + "shared s 99999999999999999999 int\n" + mark +
                 "verse 4\n" + mark + "shared good - unsigned char");
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read.at("k").parameters, Names{});
    ASSERT_EQ(read.at("k").shared.size(), 1u);
    EXPECT_EQ(read.at("k").shared[0].type, "unsigned char");
}

TEST(SourceFacts, TheTextAddsWhatTheCompilerDoesNotDescribe) {
    const KernelSource compiled = {
        {"x"}, {{"tile", "float", {4, 8}}, {"twice", "int", {1}}, {"twice", "int", {2}}, {"made", "int", {3}}}};
    const KernelSource text = {{"x"}, {{"raw", "unsigned char", {}}, {"twice", "int", {5}}, {"tile", "Real", {}}}};
    const KernelSource all = completed(compiled, text);
    ASSERT_EQ(all.shared.size(), 4u);
    EXPECT_EQ(all.shared[0].name, "raw");
    EXPECT_EQ(all.shared[1].shape, Shape{5});  // two of one name: which is meant, the compiler's list does not say
    EXPECT_EQ(all.shared[2].type, "float");
    EXPECT_EQ(all.shared[2].shape, (Shape{4, 8}));
    EXPECT_EQ(all.shared[3].name, "made");
    // The text of another kernel of this name says nothing.
    const KernelSource other = {{"y"}, {{"raw", "int", {}}}};
    EXPECT_EQ(completed(compiled, other).shared.size(), 4u);
    EXPECT_EQ(completed(compiled, other).shared[0].name, "tile");
    EXPECT_EQ(completed(compiled, std::nullopt).parameters, Names{"x"});
}

}  // namespace
}  // namespace tilescope::image
