#include "scope/image/compile.h"

#include <cstdlib>

#include "scope/image/cache.h"
#include "scope/image/fatbinary.h"
#include "scope/image/source_facts.h"
#include "tests/image/support.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;
using test::clangs;
using test::nvcc;

constexpr const char* kProgram = R"(
#include <cstdio>
__global__ void twice(float* p) { p[threadIdx.x] *= 2.0f; }
int main() {
    float* p = nullptr;
    if (cudaMalloc(&p, 128) != cudaSuccess) return 1;
    twice<<<1, 32>>>(p);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
)";

class Compile : public test::Scratch {
protected:
    CompileOptions with_clang(const fs::path& program) const {
        CompileOptions options;
        options.compiler = Compiler::kClang;
        options.compiler_path = program;
        options.cache_dir = folder() / "cache";
        return options;
    }
    CompileOptions with_nvcc() const {
        CompileOptions options;
        options.compiler = Compiler::kNvcc;
        options.cache_dir = folder() / "cache";
        return options;
    }
    // A libcudart.so.12 with nothing in it, and the flag that lets a program link without its functions.
    void use_empty_runtime(CompileOptions& options) {
        const fs::path source = write("empty.cpp", "");
        options.runtime_lib_dir = folder();
        run({options.compiler_path.string(), "-shared", "-fPIC", source.string(), "-o",
             (folder() / "libcudart.so.12").string(), "-Wl,-soname,libcudart.so.12"});
        options.extra_flags.push_back("-Wl,--unresolved-symbols=ignore-all");
    }
    std::vector<std::string> files_in_cache() const {
        std::vector<std::string> names;
        for (const auto& file : fs::directory_iterator(folder() / "cache")) names.push_back(file.path().filename());
        return names;
    }
};

TEST_F(Compile, EveryClangMakesPtxOfTheArchitectureAskedFor) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    for (const fs::path& clang : clangs()) {
        const auto made = compile_to_ptx(write("k.cu", kProgram), with_clang(clang));
        ASSERT_TRUE(made) << clang << render(made.errors());
        const auto toolchain = toolchain_at(Compiler::kClang, clang);
        ASSERT_TRUE(toolchain);
        EXPECT_EQ(made->compiler_name, toolchain->name);
        EXPECT_EQ(made->sm, 90u) << clang;
        EXPECT_NE(made->ptx.find(".visible .entry _Z5twicePf("), std::string::npos) << clang;
        EXPECT_NE(made->ptx.find("\t.loc\t1 3 "), std::string::npos) << made->ptx;
        EXPECT_FALSE(made->from_cache);
    }
}

TEST_F(Compile, AskingForLessGivesLess) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    CompileOptions options = with_clang(clangs().back());
    options.arch = "sm_75";
    const auto made = compile_to_ptx(write("k.cu", kProgram), options);
    ASSERT_TRUE(made) << render(made.errors());
    EXPECT_EQ(made->sm, 75u);
    options.arch = "gfx90";
    const auto refused = compile_to_ptx(write("k.cu", kProgram), options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.errors().front().code, "image-bad-arch");
}

// Kernels see the architecture of the device, whatever the compiler calls the newest.
TEST_F(Compile, KernelsSeeTheArchitectureAskedFor) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    const fs::path source = write("k.cu", "__global__ void k(int* p) { *p = __CUDA_ARCH__; }\n");
    for (const fs::path& clang : clangs())
        for (const unsigned sm : {70U, 90U, 120U}) {
            CompileOptions options = with_clang(clang);
            options.arch = "sm_" + std::to_string(sm);
            const auto made = compile_to_ptx(source, options);
            ASSERT_TRUE(made) << clang << render(made.errors());
            EXPECT_EQ(made->sm, sm) << clang;
            EXPECT_NE(made->ptx.find(" " + std::to_string(10 * sm) + ";"), std::string::npos) << made->ptx;
            EXPECT_GE(ptx_version_of(made->ptx), sm >= 120 ? 87U : sm >= 90 ? 78U : 70U);
            EXPECT_EQ(made->messages, "");
        }
}

TEST_F(Compile, NvccTakesTheNewestArchitectureThatItKnows) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const fs::path source = write("k.cu", kProgram);
    CompileOptions options = with_nvcc();
    for (const unsigned sm : {75U, 89U, 90U}) {
        options.arch = "sm_" + std::to_string(sm);
        const auto made = compile_to_ptx(source, options);
        ASSERT_TRUE(made) << render(made.errors());
        EXPECT_EQ(made->sm, sm);
    }
    options.arch = "sm_99";  // none is called so: the newest before it is 90
    const auto before = compile_to_ptx(source, options);
    ASSERT_TRUE(before) << render(before.errors());
    EXPECT_EQ(before->sm, 90u);
    options.arch = "sm_20";
    const auto refused = compile_to_ptx(source, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.errors().front().code, "image-bad-arch");
}

TEST_F(Compile, AutoTurnsToClangForWhatNvccNoLongerKnows) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    CompileOptions options;
    options.cache_dir = folder() / "cache";
    options.arch = "sm_70";
    const auto made = compile_to_ptx(write("k.cu", kProgram), options);
    ASSERT_TRUE(made) << render(made.errors());
    EXPECT_EQ(made->sm, 70u);
    const auto found = find_toolchain(Compiler::kNvcc);
    ASSERT_TRUE(found);
    EXPECT_EQ(made->compiler_name.rfind(found->major >= 13 ? "clang " : "nvcc ", 0), 0u) << made->compiler_name;
}

TEST_F(Compile, ClangsProgramHoldsItsPtxAndNeedsTheSharedRuntime) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    for (const fs::path& clang : clangs()) {
        CompileOptions options = with_clang(clang);
        use_empty_runtime(options);
        const auto made = compile_program({write("k.cu", kProgram)}, options);
        ASSERT_TRUE(made) << clang << render(made.errors());
        const std::string program = test::read_text(made->executable);
        EXPECT_NE(program.find("libcudart.so.12"), std::string::npos);
        const std::size_t at = program.find("\x50\xed\x55\xba");
        ASSERT_NE(at, std::string::npos);
        const std::size_t size = container_size(program.data() + at);
        const auto entries =
            parse_fatbinary({reinterpret_cast<const std::byte*>(program.data() + at), size}, made->executable);
        ASSERT_TRUE(entries) << render(entries.errors());
        ASSERT_EQ(entries->size(), 1u);
        EXPECT_NE(entries->front().text().find(".entry _Z5twicePf"), std::string_view::npos);
    }
}

TEST_F(Compile, NvccsProgramNeedsTheSharedRuntime) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const auto made = compile_program({write("k.cu", kProgram)}, with_nvcc());
    ASSERT_TRUE(made) << render(made.errors());
    EXPECT_EQ(made->compiler_name.rfind("nvcc ", 0), 0u);
    EXPECT_NE(test::read_text(made->executable).find("libcudart.so."), std::string::npos);
}

TEST_F(Compile, AutoPrefersNvcc) {
    CompileOptions options;
    options.cache_dir = folder() / "cache";
    const auto made = compile_to_ptx(write("k.cu", kProgram), options);
    if (nvcc().empty() && clangs().empty()) GTEST_SKIP() << "neither nvcc nor clang is installed";
    ASSERT_TRUE(made) << render(made.errors());
    EXPECT_EQ(made->compiler_name.rfind(nvcc().empty() ? "clang " : "nvcc ", 0), 0u) << made->compiler_name;
}

TEST_F(Compile, AnUnchangedSourceComesFromTheCache) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    const CompileOptions options = with_clang(clangs().back());
    write("part.h", "constexpr float factor = 3.0f;\n");
    const fs::path source = write("k.cu",
                                  "#include \"part.h\"\n"
                                  "__global__ void k(float* p) { p[threadIdx.x] *= factor; }\n");
    // Files younger than the start of a compilation are never trusted.
    for (const char* name : {"part.h", "k.cu"})
        fs::last_write_time(folder() / name, fs::file_time_type::clock::now() - std::chrono::hours(1));
    const auto first = compile_to_ptx(source, options);
    ASSERT_TRUE(first) << render(first.errors());
    EXPECT_FALSE(first->from_cache);
    const auto second = compile_to_ptx(source, options);
    ASSERT_TRUE(second);
    EXPECT_TRUE(second->from_cache);
    EXPECT_EQ(second->ptx, first->ptx);

    // What it includes is part of it, and so are the flags.
    write("part.h", "constexpr float factor = 5.0f;\n");
    fs::last_write_time(folder() / "part.h", fs::file_time_type::clock::now() - std::chrono::hours(1));
    const auto changed = compile_to_ptx(source, options);
    ASSERT_TRUE(changed);
    EXPECT_FALSE(changed->from_cache);
    EXPECT_NE(changed->ptx, first->ptx);
    EXPECT_TRUE(compile_to_ptx(source, options)->from_cache);
    CompileOptions other = options;
    other.extra_flags = {"-DANYTHING"};
    EXPECT_FALSE(compile_to_ptx(source, other)->from_cache);
    for (const std::string& name : files_in_cache()) EXPECT_EQ(name.find("making-"), std::string::npos) << name;
}

TEST_F(Compile, NvccsIncludedFilesAreTracked) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    write("part.h", "constexpr float factor = 3.0f;\n");
    const fs::path source = write("k.cu",
                                  "#include \"part.h\"\n"
                                  "__global__ void k(float* p) { p[threadIdx.x] *= factor; }\n");
    for (const char* name : {"part.h", "k.cu"})
        fs::last_write_time(folder() / name, fs::file_time_type::clock::now() - std::chrono::hours(1));
    ASSERT_TRUE(compile_to_ptx(source, with_nvcc()));
    EXPECT_TRUE(compile_to_ptx(source, with_nvcc())->from_cache);
    write("part.h", "constexpr float factor = 5.0f;\n");
    EXPECT_FALSE(compile_to_ptx(source, with_nvcc())->from_cache);
}

TEST_F(Compile, ErrorsCarryTheCompilersPlaceAndWords) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    const fs::path source = write("bad.cu",
                                  "__global__ void k(float* p) {\n"
                                  "    p[0] = first_unknown;\n"
                                  "    p[1] = second_unknown;\n"
                                  "}\n");
    const auto made = compile_to_ptx(source, with_clang(clangs().back()));
    ASSERT_FALSE(made);
    ASSERT_EQ(made.errors().size(), 2u) << render(made.errors());
    EXPECT_EQ(made.errors()[0].code, "image-compile");
    EXPECT_EQ(made.errors()[0].location.file, source.string());
    EXPECT_EQ(made.errors()[0].location.line, 2u);
    EXPECT_EQ(made.errors()[0].location.column, 12u);
    EXPECT_NE(made.errors()[0].message.find("first_unknown"), std::string::npos);
    EXPECT_EQ(made.errors()[1].location.line, 3u);
    for (const std::string& name : files_in_cache()) EXPECT_EQ(name.find("making-"), std::string::npos) << name;
}

TEST_F(Compile, NvccsErrorsCarryTheirPlaceToo) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const fs::path source = write("bad.cu", "__global__ void k(float* p) {\n    p[0] = first_unknown;\n}\n");
    const auto made = compile_to_ptx(source, with_nvcc());
    ASSERT_FALSE(made);
    EXPECT_EQ(made.errors()[0].location.file, source.string());
    EXPECT_EQ(made.errors()[0].location.line, 2u);
    EXPECT_NE(made.errors()[0].message.find("first_unknown"), std::string::npos);
}

TEST_F(Compile, AMissingHeaderSaysWhatClangLacks) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    const auto made =
        compile_to_ptx(write("k.cu", "#include <no_such_cuda_header.cuh>\n"), with_clang(clangs().back()));
    ASSERT_FALSE(made);
    EXPECT_NE(made.errors().front().hint.find("--compiler nvcc"), std::string::npos);
}

// Both compilers' words for what most programs that grew from NVIDIA's samples, or from courses of before CUDA 12,
// hold.
TEST_F(Compile, WhatIsNotThereIsExplainedInBothCompilersWords) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    std::vector<CompileOptions> compilers = {with_clang(clangs().back())};
    if (!nvcc().empty()) compilers.push_back(with_nvcc());
    const auto hint_of = [&](const std::string& text, const CompileOptions& options) {
        const auto made = compile_to_ptx(write("k.cu", text), options);
        return made ? std::string("compiled") : made.errors().back().hint;
    };
    for (const CompileOptions& options : compilers) {
        EXPECT_NE(hint_of("#include <helper_cuda.h>\n", options).find("cuda-samples"), std::string::npos);
        EXPECT_NE(hint_of("#include \"cutensor.h\"\n", options).find("cuTENSOR"), std::string::npos);
        EXPECT_NE(hint_of("texture<float, 2> t;\n", options).find("cudaCreateTextureObject"), std::string::npos);
        EXPECT_EQ(hint_of("float x = 1\n", options), "");
    }
}

TEST_F(Compile, AMissingSourceIsUnreadable) {
    const auto made = compile_to_ptx(folder() / "none.cu", CompileOptions());
    ASSERT_FALSE(made);
    EXPECT_EQ(made.errors().front().code, "image-unreadable");
}

TEST_F(Compile, WhatIsNotAClangIsRefused) {
    const auto found = toolchain_at(Compiler::kClang, "/bin/true");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.errors().front().code, "image-no-compiler");
}

TEST_F(Compile, InstructionsOfHeadersCarryTheCallersLine) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    const fs::path source = write("k.cu",
                                  "__global__ void k(int* p) {\n"
                                  "    int i = threadIdx.x;\n"
                                  "    atomicAdd(p, i);\n"
                                  "    p[1] = __shfl_xor_sync(~0u, i, 1);\n"
                                  "}\n");
    for (const fs::path& clang : clangs()) {
        const auto made = compile_to_ptx(source, with_clang(clang));
        ASSERT_TRUE(made) << render(made.errors());
        EXPECT_EQ(made->ptx.find("__clang_cuda"), std::string::npos) << made->ptx;
        EXPECT_NE(made->ptx.find("\t.loc\t1 3 "), std::string::npos) << made->ptx;
        EXPECT_NE(made->ptx.find("\t.loc\t1 4 "), std::string::npos) << made->ptx;
    }
}

TEST_F(Compile, AlignedCopiesAreOneAccessOfSixteenBytes) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    const fs::path source = write("k.cu",
                                  "struct alignas(16) Body { float x, y, z, mass; };\n"
                                  "__global__ void vectors(const float4* in, float4* out) {\n"
                                  "    out[threadIdx.x] = in[threadIdx.x];\n"
                                  "}\n"
                                  "__global__ void bodies(const Body* in, Body* out) {\n"
                                  "    out[threadIdx.x] = in[threadIdx.x];\n"
                                  "}\n"
                                  "__global__ void zeros(float4* out) {\n"
                                  "    out[threadIdx.x] = make_float4(0, 0, 0, 0);\n"
                                  "}\n");
    for (const fs::path& clang : clangs()) {
        const auto made = compile_to_ptx(source, with_clang(clang));
        ASSERT_TRUE(made) << render(made.errors());
        std::size_t loads = 0, stores = 0;
        for (std::size_t at = 0; (at = made->ptx.find("ld.global.v4", at)) != std::string::npos; ++at) ++loads;
        for (std::size_t at = 0; (at = made->ptx.find("st.global.v4", at)) != std::string::npos; ++at) ++stores;
        EXPECT_EQ(loads, 2u) << made->ptx;
        EXPECT_EQ(stores, 3u) << made->ptx;
    }
}

TEST_F(Compile, LoadsAreAsWideAsTheProgramWroteThem) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    const fs::path source = write("k.cu",
                                  "__global__ void k(const int* in, int* out, const long long* wide, short* half) {\n"
                                  "    out[threadIdx.x] = in[threadIdx.x] & 255;\n"
                                  "    half[threadIdx.x] = (short)wide[threadIdx.x];\n"
                                  "}\n");
    for (const fs::path& clang : clangs()) {
        const auto made = compile_to_ptx(source, with_clang(clang));
        ASSERT_TRUE(made) << render(made.errors());
        EXPECT_NE(made->ptx.find("ld.global.u32"), std::string::npos) << made->ptx;
        EXPECT_NE(made->ptx.find("ld.global.u64"), std::string::npos) << made->ptx;
        EXPECT_EQ(made->ptx.find("ld.global.u8"), std::string::npos) << made->ptx;
        EXPECT_EQ(made->ptx.find("ld.global.u16"), std::string::npos) << made->ptx;
    }
}

// What takes a compiler to know; and telling it changes nothing else.
TEST_F(Compile, ClangsPtxTellsOfItsSource) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    const fs::path source = write("k.cu", R"(
constexpr int rows(int n) { return n * 2; }
enum { kColumns = sizeof(double) };
using Real = float;
namespace a { __global__ void k(const int* wrong) {} }
namespace b {
template <class T> __global__ void k(T* right, int) {
    __shared__ Real tile[rows(3)][kColumns];
    extern __shared__ T raw[];
    tile[threadIdx.x][0] = raw[threadIdx.x];
    __syncthreads();
    right[threadIdx.x] = tile[0][threadIdx.x];
}
template __global__ void k<double>(double*, int);
}
)");
    for (const fs::path& clang : clangs()) {
        for (const char* level : {"-O0", "-O3"}) {
            CompileOptions options = with_clang(clang);
            options.extra_flags = {level};
            const auto made = compile_to_ptx(source, options);
            ASSERT_TRUE(made) << render(made.errors());
            const SourceFacts facts = facts_in(made->ptx);
            const auto kernel = facts.find("_ZN1b1kIdEEvPT_i");
            ASSERT_NE(kernel, facts.end()) << clang << level << made->ptx;
            EXPECT_EQ(kernel->second.parameters, (std::vector<std::string>{"right", ""}));
            ASSERT_EQ(kernel->second.shared.size(), 1u);
            EXPECT_EQ(kernel->second.shared[0].name, "tile");
            EXPECT_EQ(kernel->second.shared[0].type, "float");
            EXPECT_EQ(kernel->second.shared[0].shape, (std::vector<std::uint64_t>{6, 8}));
            EXPECT_EQ(facts.at("_ZN1a1kEPKi").parameters, std::vector<std::string>{"wrong"});

            // What clang's driver asks for by itself when only lines are wanted.
            const bool plain = std::string_view(level) == "-O0";
            options.extra_flags = {
                level, "-Xclang",
                plain ? "-debug-info-kind=line-tables-only" : "-debug-info-kind=line-directives-only"};
            const auto silent = compile_to_ptx(source, options);
            ASSERT_TRUE(silent) << render(silent.errors());
            EXPECT_TRUE(facts_in(silent->ptx).empty());
            const std::string told = facts_as_comments(facts);
            const std::size_t at = made->ptx.find(told);
            ASSERT_NE(at, std::string::npos);
            EXPECT_EQ(made->ptx.substr(0, at) + made->ptx.substr(at + told.size()), silent->ptx) << clang;
        }
    }
}

TEST_F(Compile, DependencyFilesAreRead) {
    const auto paths = parse_dependencies("a.o: /x/a.cu /x/with\\ space.h \\\n /x/money$$.h\n");
    ASSERT_EQ(paths.size(), 3u);
    EXPECT_EQ(paths[0], "/x/a.cu");
    EXPECT_EQ(paths[1], "/x/money$.h");
    EXPECT_EQ(paths[2], "/x/with space.h");
}

}  // namespace
}  // namespace tilescope::image
