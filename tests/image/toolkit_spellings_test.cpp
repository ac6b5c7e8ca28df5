// Spellings of nvcc's as clang takes them, and text that has none of them.
#include "scope/image/toolkit_spellings.h"

#include <gtest/gtest.h>

namespace tilescope::image {
namespace {

TEST(ToolkitSpellings, AlignmentBehindTheMemory) {
    EXPECT_EQ(for_clang("__shared__ alignas(16) int s[4];"), "__shared__ _Alignas(16) int s[4];");
    EXPECT_EQ(for_clang("#define ROOM __shared__\talignas(T)"), "#define ROOM __shared__\t_Alignas(T)");
}

TEST(ToolkitSpellings, RegistersInAssemblyWithOperands) {
    EXPECT_EQ(for_clang("asm(\"mov.u32 %0, %laneid;\" : \"=r\"(x));"), "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));");
    EXPECT_EQ(for_clang("asm volatile(\"mov.u32 %0, %tid.x;\" : \"=r\"(x));"),
              "asm volatile(\"mov.u32 %0, %%tid.x;\" : \"=r\"(x));");
}

TEST(ToolkitSpellings, TheRestStaysAsItIs) {
    for (const char* text :
         {"struct alignas(16) S {};", "alignas(8) __shared__ int s;", "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));",
          "asm volatile(\"bar.warp.sync %membermask;\");", "printf(\"%laneid\", 1);", "// __shared__ alignas(4)",
          "\"__shared__ alignas(4)\"", "asm(\"add %0, %1; turn_%=:\" : \"+r\"(x) : \"r\"(y));", "asm(\"", "asm", "'",
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
}

}  // namespace
}  // namespace tilescope::image
