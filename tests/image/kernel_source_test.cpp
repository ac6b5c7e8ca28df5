#include "scope/image/kernel_source.h"

#include <gtest/gtest.h>

namespace tilescope::image {
namespace {

using Names = std::vector<std::string>;
using Shape = std::vector<std::uint64_t>;

TEST(KernelSource, ArgumentsAreNamedInOrder) {
    const auto source = read_kernel_source(
        R"(// __global__ void k(int wrong) {}
           const char* text = "__global__ void k(int wrong) {";
           __global__ void __launch_bounds__(256, 2) k(const float* __restrict__ M, std::size_t n, unsigned count,
               float (&rows)[4], const Pair<int, float>& pair, long long /* not this */ last = 3) { M; })",
        "k(...)", 6);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->parameters, (Names{"M", "n", "count", "rows", "pair", "last"}));
}

TEST(KernelSource, ParametersMayHaveNoName) {
    const auto source = read_kernel_source("__global__ void k(int, float*, unsigned, std::size_t, T x[]) {}", "k()", 5);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->parameters, (Names{"", "", "", "", "x"}));
}

TEST(KernelSource, TheDefinitionWithTheRightNumberOfParametersCounts) {
    const char* text = R"(__global__ void k(int a);
        __global__ void k(int a, int b) { __shared__ int s[3]; }
        namespace deep { __global__ void k(int c) { __shared__ double t[7]; } })";
    const auto one = read_kernel_source(text, "deep::k(int)", 1), two = read_kernel_source(text, "k(int, int)", 2);
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->parameters, Names{"c"});
    ASSERT_EQ(one->shared.size(), 1u);
    EXPECT_EQ(one->shared[0].type, "double");
    EXPECT_EQ(two->parameters, (Names{"a", "b"}));
    EXPECT_FALSE(read_kernel_source(text, "k()", 3));
    EXPECT_FALSE(read_kernel_source(text, "other(int)", 1));
}

TEST(KernelSource, ShapesOfSharedArraysAreWorkedOut) {
    const auto source = read_kernel_source(
        R"(#define TILE 16
           #define PAD(x) ((x) + 1)
           constexpr int kRows = 2 * TILE, kOther = 3;
           template <int kT, class T>
           __global__ void k(T* x) {
               const int half = kT / 2;
               __shared__ float Mds[kT][kT + 1], Nds[kRows][half];
               __shared__ __align__(16) T typed[0x10u][(1 << 2) * 3];
               __shared__ float unknown[sizeof(x)];
               __shared__ int single;
               extern __shared__ unsigned char raw[];
           })",
        "k<8, double>(double*)", 1);
    ASSERT_TRUE(source);
    ASSERT_EQ(source->shared.size(), 6u);
    EXPECT_EQ(source->shared[0].name, "Mds");
    EXPECT_EQ(source->shared[0].shape, (Shape{8, 9}));
    EXPECT_EQ(source->shared[1].shape, (Shape{32, 4}));
    EXPECT_EQ(source->shared[1].type, "float");
    EXPECT_EQ(source->shared[2].type, "double");
    EXPECT_EQ(source->shared[2].shape, (Shape{16, 12}));
    EXPECT_EQ(source->shared[3].shape, Shape{});
    EXPECT_EQ(source->shared[4].name, "single");
    EXPECT_EQ(source->shared[5].name, "raw");
    EXPECT_EQ(source->shared[5].type, "unsigned char");
}

TEST(KernelSource, ConstantsOfOneNameAndTwoValuesAreNotGuessed) {
    const auto source = read_kernel_source(
        "struct A { static constexpr int n = 2; }; struct B { static constexpr int n = 3; };"
        "__global__ void k() { __shared__ int s[n]; }",
        "k()", 0);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->shared[0].shape, Shape{});
}

TEST(KernelSource, AnyTextIsSafe) {
    for (const char* text : {"", "__global__", "__global__ void k(", "__global__ void k(int a", "__global__ void k() {",
                             "__global__ void k() { __shared__", "__global__ void k() { __shared__ x[", "\"", "R\"(",
                             "#define", "#define A \\", "/*", "__global__ void k() { __shared__ int s[((((((]; }",
                             "constexpr int a = b; constexpr int b = a; __global__ void k() { __shared__ int s[a]; }"})
        (void)read_kernel_source(text, "k()", 0);
}

}  // namespace
}  // namespace tilescope::image
