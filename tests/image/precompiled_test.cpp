// Headers that are read once for many sources: what is made of a source is the same, and so is what is said of it.
#include "scope/image/precompiled.h"

#include "scope/image/compile.h"
#include "scope/image/container_object.h"
#include "scope/image/elf_view.h"
#include "tests/image/support.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

class Precompiled : public test::Scratch {
protected:
    CompileOptions options_for(const fs::path& clang, const std::string& cache) const {
        CompileOptions options;
        options.compiler = Compiler::kClang;
        options.compiler_path = clang;
        options.cache_dir = folder() / cache;
        return options;
    }
    // Two sources with the same flags, after which their headers are kept.
    void warm(const CompileOptions& options) {
        for (const char* name : {"first.cu", "second.cu"})
            EXPECT_TRUE(compile_to_ptx(write(name, "__global__ void k() {}\n"), options)) << name;
    }
    std::size_t kept(const CompileOptions& options) const {
        std::size_t count = 0;
        for (const auto& file : fs::recursive_directory_iterator(options.cache_dir))
            count += file.path().filename() == "headers.pch";
        return count;
    }
};

constexpr const char* kSource = R"(
#include <cuda_runtime.h>
#include <cstdio>
#include <cmath>
#ifndef TILE
#define TILE 4
#endif
__device__ int seen;
__global__ void k(float* a, int n) {
    __shared__ float part[TILE];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x % TILE] = i < n ? sinf(a[i]) : 0.0f;
    __syncthreads();
    if (i < n) a[i] = part[0] + std::sqrt(a[i]);
    if (i == 0) printf("%d\n", atomicAdd(&seen, 1));
}
)";

TEST_F(Precompiled, ASourceBecomesTheSame) {
    TILESCOPE_NEEDS(test::clangs(), "clang 14 to 19");
    for (const fs::path& clang : test::clangs()) {
        const fs::path source = write("k.cu", kSource);
        const CompileOptions plain = options_for(clang, "plain" + clang.filename().string());
        const CompileOptions warmed = options_for(clang, "warm" + clang.filename().string());
        warm(warmed);
        const auto before = compile_to_ptx(source, plain), after = compile_to_ptx(source, warmed);
        ASSERT_TRUE(before && after) << clang << (after ? "" : render(after.errors()));
        EXPECT_EQ(after->ptx, before->ptx) << clang;
        EXPECT_EQ(after->messages, before->messages) << clang;
        EXPECT_EQ(kept(plain), 0U) << clang;
        EXPECT_EQ(kept(warmed), 1U) << clang;
    }
}

TEST_F(Precompiled, ErrorsAreToldInTheSameWords) {
    TILESCOPE_NEEDS(test::clangs(), "clang 14 to 19");
    for (const fs::path& clang : test::clangs()) {
        const fs::path source = write("wrong.cu",
                                      "#include <cuda_runtime.h>\n__global__ void k(float* a) { a = b; }\n"
                                      "void f(float* a) { cudaMalloc(a, \"x\", 1); k<<<1>>>(a); }\n");
        const CompileOptions plain = options_for(clang, "plain" + clang.filename().string());
        const CompileOptions warmed = options_for(clang, "warm" + clang.filename().string());
        warm(warmed);
        ASSERT_EQ(kept(warmed), 1U);
        const auto before = compile_to_ptx(source, plain), after = compile_to_ptx(source, warmed);
        ASSERT_FALSE(before) << clang;
        ASSERT_FALSE(after) << clang;
        EXPECT_EQ(render(after.errors()), render(before.errors())) << clang;
    }
}

TEST_F(Precompiled, AMacroOfTheProgramSharesTheHeaders) {
    TILESCOPE_NEEDS(test::clangs(), "clang 14 to 19");
    CompileOptions options = options_for(test::clangs().back(), "cache");
    warm(options);
    for (const char* tile : {"8", "16", "32"}) {
        options.extra_flags = {std::string("-DTILE=") + tile};
        const auto made = compile_to_ptx(write("k.cu", kSource), options);
        ASSERT_TRUE(made) << render(made.errors());
        EXPECT_NE(made->ptx.find("[" + std::to_string(4 * std::stoi(tile)) + "]"), std::string::npos) << made->ptx;
    }
    EXPECT_EQ(kept(options), 1U);
}

// A macro that headers ask for is no business of the program alone.
TEST_F(Precompiled, AMacroOfTheHeadersDoesNot) {
    TILESCOPE_NEEDS(test::clangs(), "clang 14 to 19");
    CompileOptions options = options_for(test::clangs().back(), "cache");
    const auto has_variable = [&](const char* value, bool wanted) {
        options.extra_flags = {std::string("-DASKED=") + value, "-I" + (folder() / "late").string()};
        const auto made = compile_to_ptx(
            write("k.cu", "#include <cmath>\n__global__ void k(int* p) { *p = FROM_HEADER; }\n"), options);
        ASSERT_TRUE(made) << render(made.errors());
        EXPECT_EQ(made->ptx.find("1002") != std::string::npos, wanted) << value << made->ptx;
    };
    // Stands before the system's own, which our headers read.
    write("late/stdlib.h",
          "#pragma once\n#include_next <stdlib.h>\n#if ASKED == 2\n#define FROM_HEADER 1002\n#else\n"
          "#define FROM_HEADER 1001\n#endif\n");
    for (int i = 0; i < 3; ++i) {
        has_variable("1", false);
        has_variable("2", true);
    }
}

TEST_F(Precompiled, AHeaderThatChangesOrIsFoundFirstIsSeen) {
    TILESCOPE_NEEDS(test::clangs(), "clang 14 to 19");
    CompileOptions options = options_for(test::clangs().back(), "cache");
    options.extra_flags = {"-I" + (folder() / "late").string()};
    write("late/other.h", "");
    warm(options);
    EXPECT_EQ(kept(options), 1U);
    for (const char* value : {"1002", "1003"}) {
        write("late/stdlib.h",
              "#pragma once\n#include_next <stdlib.h>\n#define FROM_HEADER " + std::string(value) + "\n");
        for (int i = 0; i < 2; ++i) {
            const fs::path source =
                write("k.cu", "__global__ void k(int* p) { *p = FROM_HEADER + " + std::to_string(1000 * i) + "; }\n");
            const auto made = compile_to_ptx(source, options);
            ASSERT_TRUE(made) << render(made.errors());
            EXPECT_NE(made->ptx.find(std::to_string(std::stoi(value) + 1000 * i)), std::string::npos) << made->ptx;
        }
    }
}

TEST(Container, TheHostHalfNamesItWhereItPointedToItsStandIn) {
    const std::string text(kContainerStandIn), size = std::to_string(text.size());
    const std::string before = "@0 = private constant [2 x i8] c\"k\\00\"\n@1 = private constant [" + size +
                               " x i8] c\"" + text + "\", section \".nv_fatbin\", align 8\n";
    const auto changed = with_container_outside(
        before + "@__cuda_fatbin_wrapper = internal constant { i32, ptr, ptr } { i32 1, ptr @1, ptr null }\n", "here");
    ASSERT_TRUE(changed);
    EXPECT_EQ(*changed, "@0 = private constant [2 x i8] c\"k\\00\"\n@1 = private constant [" + size +
                            " x i8] zeroinitializer, align 8\n@here = external hidden constant [" + size +
                            " x i8]\n@__cuda_fatbin_wrapper = internal constant { i32, ptr, ptr } { i32 1, ptr @here, "
                            "ptr null }\n");
    EXPECT_FALSE(with_container_outside(before + "@wrapper = constant ptr @1\n", "here"));
    EXPECT_FALSE(with_container_outside("; " + text + "\n", "here"));
    EXPECT_EQ(with_container_outside("@0 = global i32 0\n", "here"), "@0 = global i32 0\n");
}

TEST(Container, TheObjectHoldsItAsASymbol) {
    const std::vector<std::byte> bytes(37, std::byte{0x5A}), object = container_object(bytes, "here");
    const auto view = ElfView::open(object);
    ASSERT_TRUE(view);
    const ElfSection* section = view->find(".nv_fatbin");
    ASSERT_NE(section, nullptr);
    EXPECT_TRUE(std::equal(section->contents.begin(), section->contents.end(), bytes.begin(), bytes.end()));
    EXPECT_NE(view->find(".note.GNU-stack"), nullptr);
}

}  // namespace
}  // namespace tilescope::image
