// nvcc's flags as each compiler takes them here, and the notes on those that have no effect.
#include "scope/image/toolkit_flags.h"

#include <gtest/gtest.h>

namespace tilescope::image {
namespace {

using Words = std::vector<std::string>;

ToolkitFlags for_clang_compiler(const Words& flags) { return apply_toolkit_flags(flags, Compiler::kClang, "sm_90"); }

TEST(ToolkitFlags, DropsTheArchitectureForEachCompilerWithANote) {
    for (const Words& flags : {Words{"-arch=sm_86"}, Words{"-arch", "sm_86"}, Words{"--gpu-architecture=compute_86"},
                               Words{"-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_86,code=sm_86"}})
        for (const Compiler compiler : {Compiler::kClang, Compiler::kNvcc}) {
            const auto made = apply_toolkit_flags(flags, compiler, "sm_90");
            EXPECT_TRUE(made.flags.empty());
            ASSERT_EQ(made.notes.size(), 1U);
            EXPECT_NE(made.notes[0].find("--device"), std::string::npos);
            EXPECT_EQ(made.arch, "sm_90");
        }
}

TEST(ToolkitFlags, TakesTheSuffixOfTheDevicesOwnArchitecture) {
    const auto full = for_clang_compiler({"-arch=sm_90a"});
    EXPECT_EQ(full.arch, "sm_90a");
    EXPECT_TRUE(full.notes.empty());
    const auto one_of = for_clang_compiler(
        {"-gencode", "arch=compute_86,code=sm_86", "-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]"});
    EXPECT_EQ(one_of.arch, "sm_90a");
    EXPECT_TRUE(one_of.notes.empty());
    EXPECT_TRUE(for_clang_compiler({"-arch=native"}).notes.empty());
}

TEST(ToolkitFlags, SpellsForClangWhatNvccSpellsOtherwise) {
    EXPECT_EQ(for_clang_compiler({"-O", "3", "-std", "c++20", "--define-macro", "X=1", "--include-path=inc"}).flags,
              (Words{"-O3", "-std=c++20", "-DX=1", "-Iinc"}));
    EXPECT_EQ(for_clang_compiler({"-Werror", "all-warnings"}).flags, Words{"-Werror"});
    EXPECT_EQ(for_clang_compiler({"-Xcompiler", "-O", "-O2", "-g"}).flags, (Words{"-Xcompiler", "-O", "-O2", "-g"}));
}

TEST(ToolkitFlags, NotesWhatHasNoEffectThroughClang) {
    const auto made =
        for_clang_compiler({"-maxrregcount", "32", "-Xptxas", "-v", "--restrict", "-ccbin=g++", "-t", "4"});
    EXPECT_TRUE(made.flags.empty());
    EXPECT_EQ(made.notes.size(), 4U);
}

TEST(ToolkitFlags, LeavesNvccsOwnFlagsToNvcc) {
    const Words flags = {"-maxrregcount", "32", "-Xptxas", "-v", "--restrict", "-t", "4"};
    EXPECT_EQ(apply_toolkit_flags(flags, Compiler::kNvcc, "sm_90").flags, flags);
    const auto made = apply_toolkit_flags({"-o", "prog"}, Compiler::kNvcc, "sm_90");
    EXPECT_TRUE(made.flags.empty());
    EXPECT_EQ(made.notes.size(), 1U);
}

TEST(ToolkitFlags, CountsTheWordsOfAFlag) {
    for (const char* flag : {"-arch=sm_86", "-O3", "--restrict", "-use_fast_math", "-rdc=true", "--ptxas-options=-v"})
        EXPECT_EQ(words_of_toolkit_flag(flag, "x.cu"), 1U) << flag;
    for (const char* flag : {"-arch", "-gencode", "-maxrregcount", "-Xptxas", "-Xcompiler", "-o"})
        EXPECT_EQ(words_of_toolkit_flag(flag, "value"), 2U) << flag;
    for (const char* flag : {"x.cu", "--std", "--json", "-v", "-q", "--", "-", "", "-O"})
        EXPECT_EQ(words_of_toolkit_flag(flag, "x.cu"), 0U) << flag;
}

}  // namespace
}  // namespace tilescope::image
