// Spellings of nvcc's as clang takes them, and text that has none of them.
#include "scope/image/toolkit_spellings.h"

#include <gtest/gtest.h>

namespace tilescope::image {
namespace {

TEST(ToolkitSpellings, AlignmentBehindTheMemory) {
    EXPECT_EQ(for_clang("__shared__ alignas(16) int s[4];"), "__shared__ _Alignas(16) int s[4];");
    EXPECT_EQ(for_clang("#define ROOM __shared__\talignas(T)"), "#define ROOM __shared__\t_Alignas(T)");
}

TEST(ToolkitSpellings, AlignmentBehindTheMemoryWhateverIsBetween) {
    EXPECT_EQ(for_clang("__shared__ /*16*/ alignas(16) int s;"), "__shared__ /*16*/ _Alignas(16) int s;");
    EXPECT_EQ(for_clang("__shared__ [[maybe_unused]] alignas(16) int s;"),
              "__shared__                  _Alignas(16) int s;");
    EXPECT_EQ(for_clang("__device__ alignas(8) alignas(16) T s;"), "__device__ _Alignas(8) _Alignas(16) T s;");
    EXPECT_EQ(for_clang("__managed__ alignas(sizeof(T) * 2) T s;"), "__managed__ _Alignas(sizeof(T) * 2) T s;");
}

TEST(ToolkitSpellings, AlignmentBehindAnArrayOrAloneInAMacroBecomesAnAttribute) {
    EXPECT_EQ(for_clang("int s[4] alignas(16);"), "int s[4] __attribute__((aligned(16)));");
    EXPECT_EQ(for_clang("#define A(n) alignas(n)\n"), "#define A(n) __attribute__((aligned(n)))\n");
    EXPECT_EQ(for_clang("# define A16 alignas(16)"), "# define A16 __attribute__((aligned(16)))");
}

TEST(ToolkitSpellings, AlignmentBehindATypeIsMarked) {
    EXPECT_EQ(for_clang("int alignas(8) b;"), "int __tilescope_alignas_behind_type(8) b;");
    EXPECT_EQ(for_clang("Tile<4> alignas(8)\nb[2];"), "Tile<4> __tilescope_alignas_behind_type(8)\nb[2];");
    EXPECT_EQ(for_clang("SHARED alignas(8) Tile<4> b;"), "SHARED _Alignas(8) Tile<4> b;");  // the macro may be a memory
}

TEST(ToolkitSpellings, RegistersInAssemblyWithOperands) {
    EXPECT_EQ(for_clang("asm(\"mov.u32 %0, %laneid;\" : \"=r\"(x));"), "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));");
    EXPECT_EQ(for_clang("asm volatile(\"mov.u32 %0, %tid.x;\" : \"=r\"(x));"),
              "asm volatile(\"mov.u32 %0, %%tid.x;\" : \"=r\"(x));");
}

TEST(ToolkitSpellings, TheRestStaysAsItIs) {
    for (const char* text : {"struct alignas(16) S {};",
                             "int b alignas(16);",
                             "static alignas(16) int b;",
                             "template <class T> struct alignas(T) S;",
                             "[[nodiscard]] alignas(8) int b;",

                             "alignas(",
                             "[[",
                             "#define",
                             "alignas",

                             "alignas(8) __shared__ int s;",
                             "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));",
                             "asm volatile(\"bar.warp.sync %membermask;\");",
                             "printf(\"%laneid\", 1);",
                             "// __shared__ alignas(4)",
                             "\"__shared__ alignas(4)\"",
                             "asm(\"add %0, %1; turn_%=:\" : \"+r\"(x) : \"r\"(y));",
                             "asm(\"",
                             "asm",
                             "'",
                             "1'000"})
        EXPECT_EQ(for_clang(text), text);
}

TEST(ToolkitSpellings, FilesAreThoseThatClangNames) {
    Diagnostic error;
    error.location = {"a.cu", 3, 1};
    error.message = "an attribute list cannot appear here";
    Diagnostic other = error;
    other.location.file = "b.cu";
    other.message = "expected ';'";
    EXPECT_EQ(files_with_toolkit_spellings({error, error, other}), std::vector<std::string>{"a.cu"});
    error.message =
        "'alignas' attribute cannot be applied to types\n__shared__ A(8) int s;\na.h:1:14: note: expanded from macro "
        "'A'";
    EXPECT_EQ(files_with_toolkit_spellings({error}), (std::vector<std::string>{"a.cu", "a.h"}));
}

}  // namespace
}  // namespace tilescope::image
