// Several source files and their flags, through every kind of compiler that is there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scope/cli/exit_status.h"
#include "tests/cli/tilescope_program.h"
#include "tests/places.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

namespace fs = std::filesystem;

class Sources : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (std::string(GetParam()) == "nvcc" && system("nvcc --version > /dev/null 2>&1") != 0)
            GTEST_SKIP() << "nvcc is not installed";
    }

    std::string write(const std::string& name, const std::string& text) const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    // Options in front of the files that `files` names.
    Ran run(const std::string& options, const std::string& command = "run") const {
        return run_tilescope(command + " --color never --compiler " + GetParam() + " " + options);
    }

    const fs::path folder_ = scratch_folder();
};

constexpr const char* kScale = R"(
static __device__ int helper(int x) { return 3 * x; }
static __global__ void hidden(int* p) { p[threadIdx.x] = helper(p[threadIdx.x]); }
__global__ void scale(int* p, int by) { p[threadIdx.x] *= by; }
void run_hidden_of_scale(int* p) { hidden<<<1, 32>>>(p); }
)";

constexpr const char* kMain = R"(
#include <cstdio>
#include <cmath>
#include "sizes.h"
static __device__ int helper(int x) { return x + ADD; }
static __global__ void hidden(int* p) { p[threadIdx.x] = helper(p[threadIdx.x]); }
__global__ void scale(int* p, int by);
void run_hidden_of_scale(int* p);
int library(int);
extern "C" int from_cpp(int* device, int n);
int main() {
    int* p = nullptr;
    cudaMalloc(&p, 32 * sizeof(int));
    cudaMemset(p, 0, 32 * sizeof(int));
    hidden<<<1, 32>>>(p);
    scale<<<1, 32>>>(p, kFactor);
    run_hidden_of_scale(p);
    const int value = from_cpp(p, 32);
    std::printf("VALUE %d %d\n", value, library(static_cast<int>(std::sqrt(16.0 + value - value))));
    return 0;
}
)";

constexpr const char* kPlain = R"(
#include <cuda_runtime.h>
#include <vector>
#include <concepts>
template <std::integral T> T first(const std::vector<T>& all) { return all[0]; }
extern "C" int from_cpp(int* device, int n) {
    std::vector<int> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
    return first(host);
}
)";

TEST_P(Sources, FilesAreCompiledAndLinkedWithTheirFlags) {
    write("inc/sizes.h", "constexpr int kFactor = 5;\n");
    const std::string library = write("library.cpp", "int library(int x) { return 10 * x; }\n");
    const std::string object = (folder_ / "library.o").string();
    ASSERT_EQ(
        system(("c++ -c " + library + " -o " + object + " && ar rc " + (folder_ / "libten.a").string() + " " + object)
                   .c_str()),
        0);
    const std::string files =
        write("main.cu", kMain) + " " + write("scale.cu", kScale) + " " + write("plain.cpp", kPlain);
    const std::string flags = "-I" + (folder_ / "inc").string() + " -D ADD=7 -std=c++20 -L" + folder_.string() +
                              " -lten -lm --compile-flags '-O2 -Xcompiler -Wall' ";
    const Ran ran = run(flags + files);
    ASSERT_EQ(ran.status, kRan) << ran.output;
    EXPECT_TRUE(holds(ran, "VALUE 105 40\n")) << ran.output;  // ((0 + 7) * 5) * 3
    EXPECT_TRUE(holds(ran, "3 launches")) << ran.output;
    EXPECT_TRUE(holds(ran, "scale.cu:4")) << ran.output;
}

TEST_P(Sources, LambdasOnTheDevice) {
    const std::string file = write("lambda.cu", R"(
#include <cstdio>
template <class F> __global__ void each(int* p, F f) { p[threadIdx.x] = f(threadIdx.x); }
int main() {
    int* p = nullptr;
    int value = 0;
    cudaMalloc(&p, 32 * sizeof(int));
    const int by = 6;
    each<<<1, 32>>>(p, [=] __device__(int i) { return i * by; });
    cudaMemcpy(&value, p + 7, sizeof value, cudaMemcpyDeviceToHost);
    std::printf("VALUE %d\n", value);
}
)");
    const Ran ran = run("--extended-lambda " + file);
    ASSERT_EQ(ran.status, kRan) << ran.output;
    EXPECT_TRUE(holds(ran, "VALUE 42\n")) << ran.output;
}

TEST_P(Sources, WhatTheLinkerSaysIsShown) {
    const std::string file =
        write("main.cu", "int missing_function(int);\nint main() { return missing_function(1); }\n");
    const Ran undefined = run(file);
    EXPECT_EQ(undefined.status, kUsage);
    EXPECT_TRUE(holds(undefined, "missing_function(int)")) << undefined.output;
    EXPECT_TRUE(holds(undefined, "image-link")) << undefined.output;
    EXPECT_TRUE(holds(undefined, "main.cu")) << undefined.output;
    const Ran library = run("-lnosuchlibrary " + write("empty.cu", "int main() {}\n"));
    EXPECT_EQ(library.status, kUsage);
    EXPECT_TRUE(holds(library, "nosuchlibrary")) << library.output;
}

TEST_P(Sources, AVariableOfAnotherFileIsRefusedByName) {
    const std::string uses = write("uses.cu", R"(
extern __device__ int counter_elsewhere;
__global__ void add() { atomicAdd(&counter_elsewhere, 1); }
int main() { add<<<1, 32>>>(); return cudaDeviceSynchronize() == cudaSuccess ? 0 : 9; }
)");
    const Ran ran = run(uses + " " + write("defines.cu", "__device__ int counter_elsewhere = 3;\n"));
    EXPECT_NE(ran.status, kRan) << ran.output;
    EXPECT_TRUE(holds(ran, "counter_elsewhere")) << ran.output;
    EXPECT_TRUE(holds(ran, "-rdc=true")) << ran.output;
}

TEST_P(Sources, AFunctionOfAnotherFileIsRefusedByName) {
    const std::string uses = write("uses.cu", R"(
__device__ int function_elsewhere(int);
__global__ void call(int* p) { *p = function_elsewhere(*p); }
int main() { call<<<1, 1>>>(nullptr); return cudaDeviceSynchronize() == cudaSuccess ? 0 : 9; }
)");
    const Ran ran = run(uses + " " + write("defines.cu", "__device__ int function_elsewhere(int x) { return x; }\n"));
    EXPECT_NE(ran.status, kRan) << ran.output;
    EXPECT_TRUE(holds(ran, "function_elsewhere")) << ran.output;
    EXPECT_TRUE(holds(ran, "-rdc=true")) << ran.output;
    const Ran linked = run("--compile-flags -rdc=true " + uses);
    EXPECT_NE(linked.status, kRan) << linked.output;
    EXPECT_TRUE(holds(linked, "function_elsewhere")) << linked.output;
}

TEST_P(Sources, LaunchAndTraceTakeFlags) {
    write("inc/sizes.h", "#define COUNT 3\n");
    const std::string file = write("k.cu",
                                   "#include \"sizes.h\"\n"
                                   "__global__ void k(int* p) { p[threadIdx.x] = COUNT + EXTRA; }\n"
                                   "int main() { int* p; cudaMalloc(&p, 128); k<<<1, 32>>>(p); "
                                   "return cudaDeviceSynchronize(); }\n");
    const std::string flags = "-I " + (folder_ / "inc").string() + " -DEXTRA=4 --no-ptxas ";
    const Ran launched = run(flags + file + " --kernel k --block 32 --arg buffer:i32[32]=zeros", "launch");
    EXPECT_EQ(launched.status, kRan) << launched.output;
    const Ran traced = run(flags + file, "trace");
    EXPECT_EQ(traced.status, kRan) << traced.output;
}

TEST_P(Sources, VirtualFunctionsAndTablesOfFunctions) {
    const std::string file = write("table.cu", R"(
#include <cstdio>
#include <new>
typedef int (*Function)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ Function table[] = {twice, square};
struct Shape { __device__ virtual int area() const = 0; };
struct Square : Shape { int side; __device__ Square(int s) : side(s) {} __device__ int area() const override { return side * side; } };
struct Strip : Shape { int length; __device__ Strip(int n) : length(n) {} __device__ int area() const override { return length; } };
__global__ void make(char* storage) {
    if (threadIdx.x % 2) new (storage + 16 * threadIdx.x) Square(threadIdx.x);
    else new (storage + 16 * threadIdx.x) Strip(threadIdx.x);
}
__global__ void use(char* storage, int* out) {
    out[threadIdx.x] = reinterpret_cast<Shape*>(storage + 16 * threadIdx.x)->area() + 1000 * table[threadIdx.x % 2](threadIdx.x);
}
int main() {
    char* storage; int* out; int host[32], wrong = 0;
    cudaMalloc(&storage, 16 * 32); cudaMalloc(&out, sizeof host);
    make<<<1, 32>>>(storage);
    use<<<1, 32>>>(storage, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) wrong += host[i] != (i % 2 ? i * i + 1000 * i * i : i + 2000 * i);
    std::printf("WRONG %d\n", wrong);
}
)");
    const Ran ran = run(file);
    EXPECT_EQ(ran.status, kRan) << ran.output;
    EXPECT_TRUE(holds(ran, "WRONG 0\n")) << ran.output;
}

INSTANTIATE_TEST_SUITE_P(Compilers, Sources, ::testing::Values("clang", "nvcc"),
                         [](const auto& info) { return std::string(info.param); });

TEST(SourceFlags, AreRefusedWhereNothingIsCompiled) {
    const Ran ran = run_tilescope("run -DN=1 /bin/true");
    EXPECT_EQ(ran.status, kUsage);
    EXPECT_NE(ran.output.find("-DN=1"), std::string::npos) << ran.output;
    const Ran ptx = run_tilescope("launch -std=c++20 " + source_dir() + "/tests/cli/data/copy.ptx --kernel twice");
    EXPECT_EQ(ptx.status, kUsage);
    EXPECT_NE(ptx.output.find("-std=c++20"), std::string::npos) << ptx.output;
}

TEST(SourceFlags, UnknownOptionsAreStillCaught) {
    for (const char* option : {"--extended-lamda", "-Wx", "--fmadd=false", "--no-such-flag"}) {
        const Ran ran = run_tilescope(std::string("run ") + option + " x.cu");
        EXPECT_EQ(ran.status, kUsage) << option;
        EXPECT_NE(ran.output.find("cli-usage"), std::string::npos) << option << ": " << ran.output;
    }
}

TEST(SourceFlags, AnExecutableStandsAlone) {
    const Ran ran = run_tilescope("run /bin/true /bin/false");
    EXPECT_EQ(ran.status, kUsage);
    EXPECT_NE(ran.output.find("cli-program"), std::string::npos) << ran.output;
    EXPECT_NE(ran.output.find("an executable is run alone"), std::string::npos) << ran.output;
}

}  // namespace
}  // namespace tilescope::cli
