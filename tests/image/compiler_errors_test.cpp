// What is told of a compiler's words: the user's lines and never ours.
#include <gtest/gtest.h>

#include "scope/image/compile_steps.h"

namespace tilescope::image {
namespace {

constexpr const char* kOurs = "/ours/";

TEST(CompilerErrors, CandidatesOfOursAreTheirHeads) {
    const Diagnostics errors = compiler_errors(
        "In file included from a.cu:1:\n"
        "b.h:3:5: warning: unused [-Wunused]\n"
        "    3 | int x;\n"
        "a.cu:8:3: error: no matching function for call to 'cudaMalloc'\n"
        "    8 |   cudaMalloc(p, 12);\n"
        "      |   ^~~~~~~~~~\n"
        "/ours/api.h:135:13: note: candidate function not viable: no known conversion\n"
        "  135 | cudaError_t cudaMalloc(void** devPtr, size_t size);\n"
        "      |             ^          ~~~~~~~~~~~~~\n"
        "/ours/tilescope/atomics.h:28:1: note: candidate function not viable: wrong type\n"
        "   28 | TILESCOPE_ATOMIC_OP(Add, float)\n"
        "<scratch space>:51:1: note: expanded from here\n"
        "   51 | atomicAdd\n"
        "mine.h:2:1: note: candidate function not viable: requires 1 argument\n"
        "    2 | void cudaMalloc(int);\n"
        "1 warning and 1 error generated.\n",
        "clang", kOurs);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].location.file, "a.cu");
    EXPECT_EQ(errors[0].location.line, 8u);
    EXPECT_EQ(errors[0].message,
              "no matching function for call to 'cudaMalloc'\n"
              "    8 |   cudaMalloc(p, 12);\n"
              "      |   ^~~~~~~~~~\n"
              "mine.h:2:1: note: candidate function not viable: requires 1 argument\n"
              "    2 | void cudaMalloc(int);\n"
              "there is cudaError_t cudaMalloc(void** devPtr, size_t size): no known conversion\n"
              "wrong type");
}

TEST(CompilerErrors, AnErrorInOursIsWhereTheUserLedToIt) {
    const Diagnostics errors = compiler_errors(
        "/ours/groups.h:190:19: error: static assertion failed: at most a warp\n"
        "  190 |     static_assert(Size == 1,\n"
        "/ours/groups.h:200:1: note: in instantiation of template class 'a' requested here\n"
        "  200 | b\n"
        "a.cu:3:38: note: in instantiation of template class 'c' requested here\n"
        "    3 | cg::tiled_partition<33>(x)\n",
        "clang", kOurs);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].location.file, "a.cu");
    EXPECT_EQ(errors[0].message, "static assertion failed: at most a warp\n    3 | cg::tiled_partition<33>(x)");
}

TEST(CompilerErrors, ManyCandidatesAreCounted) {
    std::string text = "a.cu:1:1: error: no\n";
    for (int i = 0; i < 7; ++i) text += "/ours/a.h:1:1: note: candidate not viable: reason " + std::to_string(i) + "\n";
    EXPECT_EQ(compiler_errors(text, "clang", kOurs)[0].message,
              "no\nreason 0\nreason 1\nreason 2\nreason 3\nand 3 more");
}

TEST(CompilerErrors, NvccsForm) {
    const Diagnostics errors = compiler_errors(
        "a.cu(2): error: identifier \"x\" is undefined\n"
        "      x = 1;\n"
        "      ^\n\n"
        "1 error detected in the compilation of \"a.cu\".\n",
        "nvcc", kOurs);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].location.line, 2u);
    EXPECT_EQ(errors[0].message, "identifier \"x\" is undefined\n      x = 1;\n      ^");
    EXPECT_EQ(compiler_errors("killed\n", "nvcc", kOurs)[0].message, "it failed, saying: killed\n");
}

}  // namespace
}  // namespace tilescope::image
