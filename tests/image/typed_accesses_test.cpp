#include "scope/image/typed_accesses.h"

#include <gtest/gtest.h>

#include "scope/base/copy_mark.h"

namespace tilescope::image {
namespace {

// float4 and a record without an alignment of its own, as clang describes them with -new-struct-path-tbaa.
constexpr const char* kTypes =
    "!1 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"float4\", size: 128, align: 128, identifier: "
    "\"_ZTS6float4\")\n"
    "!2 = !{!\"Simple C++ TBAA\"}\n"
    "!3 = !{!2, i64 1, !\"omnipotent char\"}\n"
    "!4 = !{!3, i64 4, !\"float\"}\n"
    "!5 = !{!3, i64 16, !\"_ZTS6float4\", !4, i64 0, i64 4, !4, i64 4, i64 4, !4, i64 8, i64 4, !4, i64 12, i64 4}\n"
    "!6 = !{!5, !5, i64 0, i64 16}\n"
    "!7 = !{!5, !4, i64 8, i64 4}\n"
    "!8 = !{!4, !4, i64 0, i64 4}\n"
    "!9 = !{!3, i64 16, !\"_ZTS5Plain\", !4, i64 0, i64 4, !4, i64 4, i64 4, !4, i64 8, i64 4, !4, i64 12, i64 4}\n"
    "!10 = !{!9, !9, i64 0, i64 16}\n"
    "!11 = !{!3, !3, i64 0, i64 0}\n";

std::string code_of(const std::string& body) {
    const std::string text = type_accesses("define void @k(ptr %0, ptr %1) {\n" + body + "}\n" + kTypes);
    return text.substr(0, text.find("}\n") + 2);
}
std::string as_function(const std::string& body) { return "define void @k(ptr %0, ptr %1) {\n" + body + "}\n"; }

TEST(TypeAccesses, CopiesFloat4BetweenMemoriesAsOneVector) {
    EXPECT_EQ(code_of("  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %0, ptr align 16 %1, i64 16, i1 false), !dbg !7, "
                      "!tbaa !6, !tbaa.struct !12\n"),
              as_function("  %tilescope.typed.0 = load <4 x float>, ptr %1, align 16, !dbg !7\n"
                          "  %tilescope.typed.1 = freeze <4 x float> %tilescope.typed.0, !dbg !7\n"
                          "  store <4 x float> %tilescope.typed.1, ptr %0, align 16, !dbg !7\n"));
}

TEST(TypeAccesses, TakesTheVectorApartForALocalVariable) {
    const std::string code = code_of(
        "  %2 = alloca %struct.float4, align 16\n"
        "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %2, ptr align 4 %1, i64 16, i1 false), !tbaa !6\n");
    EXPECT_NE(code.find("= load <4 x float>, ptr %1, align 16\n"), std::string::npos) << code;
    EXPECT_NE(code.find("= extractelement <4 x float> %tilescope.typed.1, i32 3\n"), std::string::npos) << code;
    EXPECT_NE(code.find("  store float %tilescope.typed.2, ptr %2, align 4\n"), std::string::npos) << code;
    EXPECT_EQ(code.find("memcpy"), std::string::npos) << code;
}

TEST(TypeAccesses, KeepsCopiesWhoseTypeHasNoAlignment) {
    EXPECT_EQ(
        code_of("  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %0, ptr align 4 %1, i64 16, i1 false), !tbaa !10\n"),
        as_function("  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %0, ptr align 4 %1, i64 16, i1 false)\n"));
    // Of a union nothing but its words is known.
    EXPECT_NE(code_of("  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %0, ptr align 16 %1, i64 16, i1 false), !tbaa "
                      "!11\n")
                  .find("= load <4 x i32>, ptr %1, align 16\n"),
              std::string::npos);
}

TEST(TypeAccesses, AlignsMembersAndScalarsByTheirTypes) {
    EXPECT_EQ(code_of("  %3 = load float, ptr %1, align 4, !tbaa !7\n"),
              as_function("  %3 = load float, ptr %1, align 8, !tbaa !7\n"));
    const std::string bytes =
        "  %3 = getelementptr inbounds [64 x i8], ptr addrspacecast (ptr addrspace(3) @s to ptr), "
        "i64 0, i64 %2\n";
    EXPECT_EQ(code_of(bytes + "  store float 0.0, ptr %3, align 1, !tbaa !8\n"),
              as_function(bytes + "  store float 0.0, ptr %3, align 4, !tbaa !8\n"));
    // The layout of a record says how its members are aligned: it may be packed.
    const std::string member =
        "  %3 = getelementptr inbounds %struct.Packed, ptr %1, i32 0, i32 1\n"
        "  store float 0.0, ptr %3, align 1, !tbaa !8\n";
    EXPECT_EQ(code_of(member), as_function(member));
}

TEST(TypeAccesses, LeavesTheMetadataThatPassesExpect) {
    const std::string text = type_accesses(as_function("  %3 = load float, ptr %1, align 8, !tbaa !7\n") + kTypes);
    EXPECT_NE(text.find("!4 = !{!\"float\", !3, i64 0}\n"), std::string::npos) << text;
    EXPECT_NE(text.find("!5 = !{!\"_ZTS6float4\", !4, i64 0, !4, i64 4, !4, i64 8, !4, i64 12}\n"), std::string::npos);
    EXPECT_NE(text.find("!7 = !{!5, !4, i64 8}\n"), std::string::npos);
}

TEST(TypeAccesses, MarksThePlacesOfCopiesOfAlignedRecords) {
    const auto places = [](const std::string& copy, const std::string& place) {
        const std::string text =
            type_accesses(as_function("  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %0, ptr align 4 %1, i64 16, "
                                      "i1 false), !dbg !20, !tbaa !" +
                                      copy + "\n  %3 = load float, ptr %1, align 4, !dbg !20, !tbaa !8\n") +
                          kTypes + "!20 = " + place + "\n");
        // The scalar at the same place keeps its own.
        EXPECT_NE(text.find("%3 = load float, ptr %1, align 4, !dbg !20, !tbaa !8\n"), std::string::npos) << text;
        const std::size_t at = text.find("!21 = ");
        return at == std::string::npos ? std::string() : text.substr(at);
    };
    EXPECT_EQ(mark_copy(9, 16), 61449u);
    EXPECT_EQ(places("6", "!DILocation(line: 3, column: 9, scope: !30)"),
              "!21 = !DILocation(line: 3, column: 61449, scope: !30)\n");
    EXPECT_EQ(places("10", "!DILocation(line: 3, column: 9, scope: !30)"), "");  // no alignment of its own
    EXPECT_EQ(places("6", "!DILocation(line: 3, scope: !30)"), "");
    EXPECT_EQ(places("6", "!DILocation(line: 3, column: 2048, scope: !30)"), "");
}

TEST(CopyMarks, TellTheirWindowAndTheColumn) {
    for (const std::uint32_t window : {4u, 8u, 16u}) {
        EXPECT_EQ(copy_window(mark_copy(77, window)), window);
        EXPECT_EQ(column_without_mark(mark_copy(77, window)), 77u);
        EXPECT_LE(mark_copy(kLastColumn, window), 0xffffu);
    }
    for (const std::uint32_t column : {0u, 77u, 2048u, 65535u, 61449u + 65536u}) {
        EXPECT_EQ(copy_window(column), 0u) << column;
        EXPECT_EQ(column_without_mark(column), column);
    }
    EXPECT_EQ(mark_copy(77, 2), 77u);
    EXPECT_EQ(mark_copy(kLastColumn + 1, 16), kLastColumn + 1);
}

TEST(UnmarkVectors, LoadsTheOneLaneThatIsUsed) {
    EXPECT_EQ(unmark_vectors("define void @k(ptr %0) {\n"
                             "  %tilescope.typed.0 = load <4 x float>, ptr %0, align 16\n"
                             "  %tilescope.typed.1 = freeze <4 x float> %tilescope.typed.0\n"
                             "  %2 = extractelement <4 x float> %tilescope.typed.1, i64 2\n"
                             "}\n"),
              "define void @k(ptr %0) {\n"
              "  %tilescope.typed.0.at = getelementptr inbounds <4 x float>, ptr %0, i64 0, i64 2\n"
              "  %tilescope.typed.0 = load float, ptr %tilescope.typed.0.at, align 8\n"
              "  %2 = bitcast float %tilescope.typed.0 to float\n"
              "}\n");
}

TEST(UnmarkVectors, KeepsVectorsOfWhichSeveralLanesAreUsed) {
    EXPECT_EQ(unmark_vectors("define void @k(<4 x float>* %0) {\n"
                             "  %tilescope.typed.0 = load <4 x float>, <4 x float>* %0, align 16\n"
                             "  %tilescope.typed.1 = freeze <4 x float> %tilescope.typed.0\n"
                             "  %2 = extractelement <4 x float> %tilescope.typed.1, i64 2\n"
                             "  %3 = extractelement <4 x float> %tilescope.typed.1, i64 3\n"
                             "}\n"),
              "define void @k(<4 x float>* %0) {\n"
              "  %tilescope.typed.0 = load <4 x float>, <4 x float>* %0, align 16\n"
              "  %tilescope.typed.1 = bitcast <4 x float> %tilescope.typed.0 to <4 x float>\n"
              "  %2 = extractelement <4 x float> %tilescope.typed.1, i64 2\n"
              "  %3 = extractelement <4 x float> %tilescope.typed.1, i64 3\n"
              "}\n");
}

}  // namespace
}  // namespace tilescope::image
