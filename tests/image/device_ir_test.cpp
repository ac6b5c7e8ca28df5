#include "scope/image/device_ir.h"

#include <gtest/gtest.h>

namespace tilescope::image {
namespace {

TEST(WidenCopies, OpaquePointers) {
    EXPECT_EQ(
        widen_copies("  tail call void @llvm.memcpy.p0.p3.i64(ptr noundef nonnull align 16 dereferenceable(16) %6, "
                     "ptr addrspace(3) align 16 @tile, i64 16, i1 false), !dbg !24, !tbaa.struct !25\n"),
        "  %tilescope.0 = load <4 x i32>, ptr addrspace(3) @tile, align 16, !dbg !24\n"
        "  store <4 x i32> %tilescope.0, ptr %6, align 16, !dbg !24\n");
}

TEST(WidenCopies, TypedPointersAndTwoPieces) {
    EXPECT_EQ(
        widen_copies("  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %7, i8* align 32 %8, i64 32, i1 false)\n"),
        "  %tilescope.0 = bitcast i8* %8 to <4 x i32>*\n"
        "  %tilescope.1 = load <4 x i32>, <4 x i32>* %tilescope.0, align 16\n"
        "  %tilescope.2 = getelementptr inbounds i8, i8* %8, i64 16\n"
        "  %tilescope.3 = bitcast i8* %tilescope.2 to <4 x i32>*\n"
        "  %tilescope.4 = load <4 x i32>, <4 x i32>* %tilescope.3, align 16\n"
        "  %tilescope.5 = bitcast i8* %7 to <4 x i32>*\n"
        "  store <4 x i32> %tilescope.1, <4 x i32>* %tilescope.5, align 16\n"
        "  %tilescope.6 = getelementptr inbounds i8, i8* %7, i64 16\n"
        "  %tilescope.7 = bitcast i8* %tilescope.6 to <4 x i32>*\n"
        "  store <4 x i32> %tilescope.4, <4 x i32>* %tilescope.7, align 16\n");
}

TEST(WidenCopies, Zeros) {
    EXPECT_EQ(widen_copies("  call void @llvm.memset.p0.i64(ptr align 16 %4, i8 0, i64 16, i1 false), !dbg !43\n"),
              "  store <4 x i32> zeroinitializer, ptr %4, align 16, !dbg !43\n");
}

TEST(WidenCopies, ConstantExpressionsAreOperandsToo) {
    EXPECT_EQ(widen_copies("  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %4, ptr align 16 getelementptr inbounds "
                           "([4 x float], ptr @a, i64 1), i64 16, i1 false)\n"),
              "  %tilescope.0 = load <4 x i32>, ptr getelementptr inbounds ([4 x float], ptr @a, i64 1), align 16\n"
              "  store <4 x i32> %tilescope.0, ptr %4, align 16\n");
}

// As nvcc's loop does: one access after the other, each as wide as both operands are aligned.
TEST(WidenCopies, OfMoreThan128BytesAsAccessesOneByOne) {
    const auto count = [](const std::string& text, const std::string& part) {
        std::size_t times = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
        return times;
    };
    const std::string wide = widen_copies(
        "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %4, ptr align 16 %5, i64 256, i1 false), !dbg !7\n");
    EXPECT_EQ(count(wide, " = load <4 x i32>, ptr "), 16u) << wide;
    EXPECT_EQ(count(wide, "  store <4 x i32> "), 16u);
    EXPECT_EQ(count(wide, "align 16, !dbg !7\n"), 32u);
    const std::string narrow =
        widen_copies("  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 %4, i8* align 16 %5, i64 160, i1 false)\n");
    EXPECT_EQ(count(narrow, " = load i32, i32* "), 40u) << narrow;
    EXPECT_EQ(count(narrow, "  store i32 "), 40u);
}

TEST(WidenCopies, AllElseStays) {
    for (const char* line : {
             "  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %4, ptr align 16 %5, i64 16, i1 false)\n",
             "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %4, ptr align 16 %5, i64 24, i1 false)\n",
             "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %4, ptr align 16 %5, i64 4112, i1 false)\n",
             "  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %4, ptr align 16 %5, i64 256, i1 false)\n",
             "  call void @llvm.memmove.p0.p0.i64(ptr align 16 %4, ptr align 16 %5, i64 256, i1 false)\n",
             "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %4, ptr align 16 %5, i64 16, i1 true)\n",
             "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %4, ptr align 16 %5, i64 %6, i1 false)\n",
             "  call void @llvm.memset.p0.i64(ptr align 16 %4, i8 1, i64 16, i1 false)\n",
             "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %4, ptr align 16 %5, i64 16\n",
             "  call void @llvm.memcpy.p0.p0.i64(ptr unheard_of align 16 %4, ptr align 16 %5, i64 16, i1 false)\n",
             "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg) #1\n",
         })
        EXPECT_EQ(widen_copies(line), line);
}

TEST(KeepLoadWidths, OfWhatIsMaskedShiftedOrCut) {
    EXPECT_EQ(keep_load_widths("define void @k() {\n"
                               "  %2 = load i32, ptr %1, align 4, !dbg !7\n"
                               "  %3 = and i32 %2, 255\n"
                               "  %4 = load i64, ptr %1, align 8\n"
                               "  %5 = trunc i64 %4 to i32\n"
                               "  %6 = load i16, i16* %9, align 2\n"
                               "  %7 = lshr exact i16 %6, 8\n"
                               "}\n"),
              "define void @k() {\n"
              "  %tilescope.load.2 = load i32, ptr %1, align 4, !dbg !7\n"
              "  %2 = freeze i32 %tilescope.load.2\n"
              "  %3 = and i32 %2, 255\n"
              "  %tilescope.load.4 = load i64, ptr %1, align 8\n"
              "  %4 = freeze i64 %tilescope.load.4\n"
              "  %5 = trunc i64 %4 to i32\n"
              "  %tilescope.load.6 = load i16, i16* %9, align 2\n"
              "  %6 = freeze i16 %tilescope.load.6\n"
              "  %7 = lshr exact i16 %6, 8\n"
              "}\n");
}

TEST(KeepLoadWidths, AllElseStays) {
    for (const char* text : {
             "define void @k() {\n  %2 = load i32, ptr %1, align 4\n  %3 = add i32 %2, 255\n}\n",
             "define void @k() {\n  %2 = load i8, ptr %1, align 1\n  %3 = and i8 %2, 15\n}\n",
             "define void @k() {\n  %2 = load float, ptr %1, align 4\n  %3 = and i32 %4, 15\n}\n",
             "define void @k() {\n  %2 = load volatile i32, ptr %1, align 4\n  %3 = and i32 %2, 15\n}\n",
             // %2 of another function
             "define void @k() {\n  %2 = load i32, ptr %1, align 4\n}\n"
             "define void @m() {\n  %3 = and i32 %2, 15\n}\n",
             "define void @k() {\n  %2 = load i32, ptr %1, align 4\n  %3 = and i32 %22, 15\n}\n",
         })
        EXPECT_EQ(keep_load_widths(text), text);
}

constexpr const char* kMetadata =
    "!1 = !DIFile(filename: \"/home/k.cu\", directory: \"\")\n"
    "!2 = !DIFile(filename: \"here/warp.h\", directory: \"/headers\")\n"
    "!3 = distinct !DISubprogram(name: \"k\", scope: !1, file: !1, line: 1)\n"
    "!4 = distinct !DISubprogram(name: \"outer\", scope: !2, file: !2, line: 10)\n"
    "!5 = distinct !DILexicalBlock(scope: !4, file: !2, line: 11, column: 1)\n"
    "!6 = distinct !DILocation(line: 7, column: 3, scope: !3)\n"
    "!7 = distinct !DILocation(line: 12, column: 1, scope: !5, inlinedAt: !6)\n";

TEST(CreditCallers, ThroughEveryHeader) {
    const std::string text =
        std::string(kMetadata) + "!8 = !DILocation(line: 20, column: 5, scope: !4, inlinedAt: !7)\n";
    const std::string out = credit_callers(text, {"/headers/"});
    EXPECT_NE(out.find("!8 = !DILocation(line: 7, column: 3, scope: !3)\n"), std::string::npos) << out;
    EXPECT_NE(out.find("!7 = distinct !DILocation(line: 7, column: 3, scope: !3)\n"), std::string::npos) << out;
    EXPECT_NE(out.find("!4 = distinct !DISubprogram(name: \"outer\", scope: !2, file: !2, line: 10)\n"),
              std::string::npos);
}

TEST(CreditCallers, NotTheProgramsOwnFunctions) {
    const std::string text =
        std::string(kMetadata) + "!8 = !DILocation(line: 3, column: 5, scope: !3, inlinedAt: !6)\n";
    EXPECT_EQ(credit_callers(text, {"/elsewhere/"}), text);
}

TEST(CreditCallers, HeaderCodeThatNobodyInlinedStays) {
    const std::string text = std::string(kMetadata) + "!8 = !DILocation(line: 3, column: 5, scope: !4)\n";
    EXPECT_NE(credit_callers(text, {"/headers/"}).find("!8 = !DILocation(line: 3, column: 5, scope: !4)\n"),
              std::string::npos);
}

}  // namespace
}  // namespace tilescope::image
