#include "scope/image/compile_flags.h"

#include <gtest/gtest.h>

#include "scope/image/compile_inputs.h"

namespace tilescope::image {
namespace {

using Words = std::vector<std::string>;

TEST(CompileFlags, WordsAreSplitAsShellsDo) {
    EXPECT_EQ(split_words("-O2  -DNAME='a b' -DS=\"\\\"x\\\"\"\t-I/with\\ space ''"),
              (Words{"-O2", "-DNAME=a b", "-DS=\"x\"", "-I/with space", ""}));
    EXPECT_EQ(split_words(""), Words{});
}

TEST(CompileFlags, FoldersAndLibraries) {
    EXPECT_EQ(folder_of_flag("-Iinc", ""), "inc");
    EXPECT_EQ(folder_of_flag("-I", "inc"), "inc");
    EXPECT_EQ(folder_of_flag("-isystem", "inc"), "inc");
    EXPECT_EQ(folder_of_flag("--include-path=inc", ""), "inc");
    EXPECT_EQ(folder_of_flag("-L/lib", ""), "/lib");
    EXPECT_EQ(folder_of_flag("-DI", ""), std::nullopt);
    EXPECT_EQ(library_of_flag("-lm", ""), "m");
    EXPECT_EQ(library_of_flag("-l", "m"), "m");
    EXPECT_EQ(library_of_flag("-lineinfo", ""), std::nullopt);
    EXPECT_EQ(library_of_flag("--library-path=x", ""), std::nullopt);
}

TEST(CompileFlags, HalvesForBothCompilers) {
    const Words flags = {"-Iinc", "--extended-lambda", "-Xcompiler", "-fopenmp,-g", "-lm", "-L", "lib", "-lineinfo"};
    EXPECT_EQ(flags_for_nvcc(flags).compile,
              (Words{"-Iinc", "--extended-lambda", "-Xcompiler", "-fopenmp,-g", "-lineinfo"}));
    EXPECT_EQ(flags_for_nvcc(flags).link, flags);
    EXPECT_EQ(flags_for_clang(flags).host, (Words{"-Iinc", "-fopenmp", "-g"}));
    EXPECT_EQ(flags_for_clang(flags).device, (Words{"-Iinc"}));
    EXPECT_EQ(flags_for_clang(flags).link, (Words{"-Iinc", "-fopenmp", "-g", "-lm", "-L", "lib"}));
}

TEST(CompileFlags, TheDefaultStreamIsAMacroForClang) {
    const std::vector<std::string> own = {"-DCUDA_API_PER_THREAD_DEFAULT_STREAM"};
    EXPECT_EQ(flags_for_clang({"--default-stream", "per-thread"}).host, own);
    EXPECT_EQ(flags_for_clang({"-default-stream=per-thread"}).device, own);
    EXPECT_TRUE(flags_for_clang({"--default-stream", "legacy"}).host.empty());
    EXPECT_EQ(flags_for_clang({"--default-stream", "mine"}).host, std::vector<std::string>{"--default-stream=mine"});
}

TEST(CompileFlags, OneHalfsFlagsAreNotTheOthers) {
    const auto host = flags_for_clang({"-Xarch_host", "-O0", "-Xcompiler", "-O1,-DN=5", "-Xarch_device", "-O2"});
    EXPECT_EQ(host.host, (Words{"-O0", "-O1", "-DN=5"}));
    EXPECT_EQ(host.device, (Words{"-DN=5", "-O2"}));
    EXPECT_EQ(flags_for_clang({"-Xarch_host"}).host, Words{"-Xarch_host"});  // for clang to refuse
}

TEST(CompileFlags, FusedOrNot) {
    for (const Words& off : {Words{"-fmad=false"}, Words{"--fmad", "false"}, Words{"-fmad=true", "--fmad=false"}}) {
        EXPECT_EQ(flags_for_clang(off).device.back(), "-ffp-contract=off");
        EXPECT_TRUE(flags_for_clang(off).host.empty());
        EXPECT_EQ(assembler_options(off), " --fmad false");
    }
    EXPECT_EQ(assembler_options({"-fmad=false", "-fmad", "true", "-O3"}), "");
    EXPECT_EQ(assembler_options({"-ffp-contract=off"}), " --fmad false");
    EXPECT_EQ(assembler_options({"-ffp-contract=off", "-ffp-contract=fast"}), "");
    EXPECT_EQ(assembler_options({"-Xarch_host", "-ffp-contract=off", "-Xcompiler", "-ffp-contract=off"}), "");
    EXPECT_EQ(assembler_options({"-Xptxas", "-O0,-v", "--ptxas-options=-g"}), " -O0 -v -g");
    EXPECT_EQ(flags_for_clang({"-fmad=maybe"}).device, Words{"-ffp-contract=maybe"});  // for clang to refuse
}

TEST(CompileFlags, FloatArithmeticFollowsNvccsFlags) {
    const auto choices = [](const Words& flags) {
        const FloatArithmetic of = float_arithmetic(flags);
        return std::vector<bool>{of.is_fast, of.flushes, of.divides_exactly, of.takes_roots_exactly};
    };
    EXPECT_EQ(choices({"-O3"}), (std::vector<bool>{false, false, true, true}));
    EXPECT_EQ(choices({"-use_fast_math"}), (std::vector<bool>{true, true, false, false}));
    EXPECT_EQ(choices({"--ftz=true", "-prec-div", "false"}), (std::vector<bool>{false, true, false, true}));
    // A flag of its own wins wherever it is written; of two the last one.
    EXPECT_EQ(choices({"-prec-div=true", "--use_fast_math", "-ftz=false"}),
              (std::vector<bool>{true, false, true, false}));
    EXPECT_EQ(choices({"-prec-sqrt=false", "-prec-sqrt=true"}), (std::vector<bool>{false, false, true, true}));
    // No compiler but the device's gets any of it.
    const auto clang = flags_for_clang({"-use_fast_math", "-ftz=true", "--prec-div", "false", "-prec-sqrt=true"});
    EXPECT_TRUE(clang.host.empty());
    EXPECT_TRUE(clang.device.empty());
    EXPECT_EQ(flags_for_clang({"-ftz=maybe"}).device, Words{"-ftz=maybe"});  // for clang to refuse
}

TEST(CompileFlags, DefaultsYield) {
    EXPECT_EQ(defaults_beside({}), (Words{"-O3", "-std=c++17"}));
    EXPECT_EQ(defaults_beside({"-std=c++20"}), (Words{"-O3"}));
    EXPECT_EQ(defaults_beside({"-O0", "--std", "c++14"}), Words{});
    EXPECT_EQ(defaults_beside({"-Xcompiler", "-O0", "-Xptxas", "-O1"}), (Words{"-O3", "-std=c++17"}));
}

TEST(CompileFlags, RelocatableCodeIsRecognised) {
    EXPECT_TRUE(asks_to_link({"-O2", "-rdc=true"}));
    EXPECT_TRUE(asks_to_link({"-rdc", "true"}));
    EXPECT_FALSE(asks_to_link({"-rdc=false", "-DC"}));
    EXPECT_TRUE(names_library({"-O2", "-lm"}));
    EXPECT_FALSE(names_library({"-O2", "-dc"}));
    // No compiler is given them.
    const Words flags = {"-rdc=true", "-O2", "-rdc", "true", "-dc", "-rdc=false", "-lm"};
    EXPECT_EQ(flags_for_nvcc(flags).compile, Words{"-O2"});
    EXPECT_EQ(flags_for_nvcc(flags).link, (Words{"-O2", "-lm"}));
    EXPECT_EQ(flags_for_clang(flags).device, Words{"-O2"});
    EXPECT_EQ(flags_for_clang(flags).link, (Words{"-O2", "-lm"}));
}

TEST(CompileFlags, FoldersOfOpenHeaders) {
    const Words flags = {"--cuda-include=/a b", "-O2", "--cuda-include=c"};
    EXPECT_EQ(cuda_folders(flags), (Words{"/a b", "c"}));
    EXPECT_EQ(folder_of_flag(flags[0], flags[1]), "/a b");
    EXPECT_EQ(flags_for_nvcc(flags).compile, (Words{"-I/a b", "-O2", "-Ic"}));
    EXPECT_EQ(flags_for_nvcc(flags).link, Words{"-O2"});
    EXPECT_EQ(flags_for_clang(flags).host, Words{"-O2"});
}

TEST(CompileInputs, WhatASourceAsksOfItsSurroundings) {
    EXPECT_TRUE(tells_the_time("const char* built = __DATE__;"));
    EXPECT_FALSE(tells_the_time("int date;"));
    EXPECT_EQ(names_asked_for("#if __has_include(<fast.h>) || __has_include ( \"a/b.h\" )\n#ifdef __has_include\n"),
              (Words{"fast.h", "a/b.h"}));
}

}  // namespace
}  // namespace tilescope::image
