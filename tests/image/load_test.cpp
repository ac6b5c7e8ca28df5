#include "scope/image/load.h"
#include "scope/image/static_runtime.h"

#include <span>

#include "scope/image/code_in_memory.h"
#include "scope/image/elf_view.h"
#include "scope/image/executable.h"
#include "scope/image/process.h"
#include "tests/image/support.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;
using test::clangs;
using test::kEmptyKernel;
using test::nvcc;

constexpr const char* kKernelToLoad = "extern \"C\" __global__ void k(float* p) { p[threadIdx.x] *= 2.0f; }\n";

class Load : public test::Scratch {
protected:
    CompileOptions options() const {
        CompileOptions options;
        options.cache_dir = folder() / "cache";
        return options;
    }
    fs::path write_bytes(const std::string& name, const std::vector<std::byte>& bytes) {
        return write(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    std::string code_of_loading(const fs::path& path) {
        const auto image = load_image(path, options(), 90);
        return image ? "loaded" : image.errors().front().code;
    }
    fs::path program(const std::vector<std::string>& flags) {
        const fs::path source = write("p.cu", "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n");
        std::vector<std::string> command = {nvcc().string(), source.string(), "-o", (folder() / "p").string()};
        command.insert(command.end(), flags.begin(), flags.end());
        run(command);
        return folder() / "p";
    }
};

TEST_F(Load, PtxText) {
    const auto image = load_image(write("k.ptx", kEmptyKernel), options(), 90, false);
    ASSERT_TRUE(image) << render(image.errors());
    ASSERT_EQ(image->ptx.size(), 1u);
    EXPECT_EQ(image->ptx[0].text, kEmptyKernel);
    EXPECT_EQ(image->ptx[0].sm, 90u);
    EXPECT_TRUE(image->resources.empty());
    EXPECT_EQ(image->resources_from, ResourcesFrom::kNone);
}

TEST_F(Load, PtxGetsItsFiguresFromPtxas) {
    TILESCOPE_NEEDS(find_ptxas(), "ptxas");
    const auto image = load_image(write("k.ptx", kEmptyKernel), options(), 90);
    ASSERT_TRUE(image) << render(image.errors());
    EXPECT_EQ(image->resources_from, ResourcesFrom::kPtxas);
    ASSERT_EQ(image->resources.size(), 1u);
    EXPECT_EQ(image->resources[0].name, "k");
    EXPECT_GT(image->resources[0].registers, 0u);
}

TEST_F(Load, SourceIsCompiled) {
    if (nvcc().empty() && clangs().empty()) GTEST_SKIP() << "neither nvcc nor clang is installed";
    const auto image = load_image(write("k.cu", kKernelToLoad), options(), 90, false);
    ASSERT_TRUE(image) << render(image.errors());
    EXPECT_FALSE(image->compiler_name.empty());
    EXPECT_NE(image->ptx.at(0).text.find(".entry k("), std::string::npos);
}

TEST_F(Load, FatBinaryWithItsCubin) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const fs::path fat = folder() / "k.fatbin";
    run({nvcc().string(), "-fatbin", "-gencode", "arch=compute_90,code=[compute_90,sm_90]", "-gencode",
         "arch=compute_80,code=compute_80", write("k.cu", kKernelToLoad).string(), "-o", fat.string()});
    const auto image = load_image(fat, options(), 90);
    ASSERT_TRUE(image) << render(image.errors());
    EXPECT_EQ(image->ptx.size(), 2u);
    EXPECT_EQ(image->resources_from, ResourcesFrom::kCubin);
    ASSERT_EQ(image->resources.size(), 1u);
    EXPECT_EQ(image->resources[0].name, "k");
    EXPECT_EQ(select_ptx(image->ptx, 90)->sm, 90u);
    EXPECT_EQ(select_ptx(image->ptx, 86)->sm, 80u);
    EXPECT_EQ(select_ptx(image->ptx, 75), nullptr);
}

TEST_F(Load, WhatCannotBeLaunchedSaysWhy) {
    EXPECT_EQ(code_of_loading(folder() / "none.ptx"), "image-unreadable");
    EXPECT_EQ(code_of_loading(folder()), "image-unreadable");
    EXPECT_EQ(code_of_loading(write("a.txt", "hello\n")), "image-unknown");
    EXPECT_EQ(code_of_loading(write("empty.ptx", "")), "image-unknown");
    EXPECT_EQ(code_of_loading(write("cut.fatbin", "\x50\xed\x55\xba")), "image-fatbin");
    EXPECT_EQ(code_of_loading("/proc/self/exe"), "image-executable");
}

TEST_F(Load, ACubinAloneHoldsNoPtx) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const fs::path cubin = folder() / "k.cubin";
    run({nvcc().string(), "-cubin", "-arch=sm_90", write("k.cu", kKernelToLoad).string(), "-o", cubin.string()});
    EXPECT_EQ(code_of_loading(cubin), "image-no-ptx");
}

TEST(SelectPtx, TheHighestThatTheDeviceRuns) {
    std::vector<LoadedPtx> all = {{"", 70, false, false, "70"},   {"", 90, false, false, "90"},
                                  {"", 90, true, false, "90a"},   {"", 80, false, false, "80"},
                                  {"", 100, false, true, "100f"}, {"", 100, true, false, "100a"}};
    EXPECT_EQ(select_ptx(all, 90)->text, "90a");
    EXPECT_EQ(select_ptx(all, 89)->text, "80");
    EXPECT_EQ(select_ptx(all, 103)->text, "100f");
    EXPECT_EQ(select_ptx(all, 100)->text, "100a");
    EXPECT_EQ(select_ptx(all, 120)->text, "90");
    EXPECT_EQ(select_ptx(all, 61), nullptr);
}

TEST_F(Load, AnExecutableWithTheSharedRuntime) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const auto found =
        inspect_executable(program({"-cudart", "shared", "-gencode", "arch=compute_90,code=[compute_90,sm_90]"}));
    ASSERT_TRUE(found) << render(found.errors());
    EXPECT_EQ(found->cudart, "libcudart.so." + std::to_string(found->cudart_major));
    EXPECT_GE(found->cudart_major, 11u);
    const FatEntry* ptx = select_ptx(found->entries, 90);
    ASSERT_NE(ptx, nullptr);
    EXPECT_NE(ptx->text().find(".entry _Z1kv"), std::string_view::npos);
    EXPECT_NE(select_cubin(found->entries, 90), nullptr);
    EXPECT_EQ(select_cubin(found->entries, 100), nullptr);
}

TEST_F(Load, AnExecutableWithTheRuntimeLinkedIn) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const fs::path path = program({"-gencode", "arch=compute_90,code=[compute_90,sm_90]"});
    const auto found = inspect_executable(path);
    ASSERT_TRUE(found) << render(found.errors());
    EXPECT_TRUE(found->has_static_runtime);
    EXPECT_EQ(found->cudart, "libcudart.so." + std::to_string(found->cudart_major));
    EXPECT_NE(select_ptx(found->entries, 90), nullptr);
    // Without symbols its functions cannot be found.
    run({"strip", path.string()});
    const auto stripped = inspect_executable(path);
    ASSERT_FALSE(stripped);
    EXPECT_EQ(stripped.errors().front().code, "image-static-runtime");
    EXPECT_NE(stripped.errors().front().hint.find("-cudart shared"), std::string::npos);
    EXPECT_NE(stripped.errors().front().hint.find("CUDA_RUNTIME_LIBRARY"), std::string::npos);
}

TEST(StaticRuntime, IsOfTheReleaseThatItsFunctionsAreOf) {
    const auto function = [](const char* name) {
        return ElfSymbol{.name = name, .type = 2, .section = 1, .is_local = true};
    };
    std::vector<ElfSymbol> symbols = {function("cudaMalloc"), function("main")};
    EXPECT_EQ(static_runtime_release(symbols), 0u);
    symbols.push_back(function("__cudaRegisterFatBinary"));
    EXPECT_EQ(static_runtime_release(symbols), 13u);
    symbols.push_back(function("cudaThreadExit"));
    EXPECT_EQ(static_runtime_release(symbols), 12u);
    symbols.push_back(function("cudaBindTexture"));
    EXPECT_EQ(static_runtime_release(symbols), 11u);
    // A program's own functions of these names are no runtime; NVIDIA's may be seen by all.
    for (ElfSymbol& symbol : symbols) symbol.is_local = false;
    EXPECT_EQ(static_runtime_release(symbols), 0u);
    symbols.push_back(function("libcudart_static_0123"));
    EXPECT_EQ(static_runtime_release(symbols), 11u);
    // What is only named is in another library.
    for (ElfSymbol& symbol : symbols) symbol.section = 0;
    EXPECT_EQ(static_runtime_release(symbols), 0u);
}

TEST(StaticRuntime, SymbolsOfAFileAreLocalOrForAll) {
    const auto bytes = read_file("/proc/self/exe");
    ASSERT_TRUE(bytes);
    const auto elf = ElfView::open(std::as_bytes(std::span(*bytes)));
    ASSERT_TRUE(elf);
    std::size_t local = 0, others = 0;
    for (const ElfSymbol& symbol : elf->symbols()) (symbol.is_local ? local : others) += 1;
    EXPECT_GT(local, 0u);
    EXPECT_GT(others, 0u);
}

TEST_F(Load, ExecutablesThatMustBeRebuiltSayHow) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const auto bare = inspect_executable(program({"-cudart", "shared", "-gencode", "arch=compute_90,code=sm_90"}));
    ASSERT_FALSE(bare);
    EXPECT_EQ(bare.errors().front().code, "image-no-ptx");
    EXPECT_NE(bare.errors().front().hint.find("code=compute_90"), std::string::npos);
}

TEST_F(Load, AnExecutableThatUsesTheDriver) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const fs::path source =
        write("driver.cpp", "extern \"C\" int cuInit(unsigned); int main() { return cuInit(0); }\n");
    const fs::path path = folder() / "driver";
    run({nvcc().string(), source.string(), "-cudart", "none", "-lcuda", "-o", path.string()});
    const auto found = inspect_executable(path);
    ASSERT_TRUE(found) << render(found.errors());
    EXPECT_TRUE(found->uses_driver);
    EXPECT_FALSE(found->has_static_runtime);
    const auto both = inspect_executable(
        program({"-lcuda", "-Xlinker", "--no-as-needed", "-gencode", "arch=compute_90,code=compute_90"}));
    ASSERT_TRUE(both) << render(both.errors());
    EXPECT_TRUE(both->has_static_runtime);
}

TEST_F(Load, PythonHasItsOwnWord) {
    for (const char* name : {"python", "python3", "/usr/bin/python3.11", "train.py"})
        EXPECT_TRUE(is_unsupported(check_interpreter(name).errors())) << name;
    for (const char* name : {"pythonic", "py", "a.cu", "python.d/x"}) EXPECT_TRUE(check_interpreter(name)) << name;
}

TEST_F(Load, TheCodeOfAnExecutableIsThereWhateverItsRuntime) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const auto fixed = embedded_code(program({"-gencode", "arch=compute_90,code=[compute_90,sm_90]"}));
    ASSERT_TRUE(fixed) << render(fixed.errors());
    EXPECT_NE(select_ptx(*fixed, 90), nullptr);
    EXPECT_NE(select_cubin(*fixed, 90), nullptr);
    const auto bare = embedded_code(program({"-cudart", "shared", "-gencode", "arch=compute_90,code=sm_90"}));
    ASSERT_TRUE(bare) << render(bare.errors());
    EXPECT_EQ(select_ptx(*bare, 90), nullptr);
    EXPECT_NE(select_cubin(*bare, 90), nullptr);
    EXPECT_EQ(embedded_code("/proc/self/exe").errors().front().code, "image-no-cuda");
    EXPECT_EQ(embedded_code(write("a.txt", "hello\n")).errors().front().code, "image-not-executable");
}

TEST_F(Load, OtherFilesAreNoCudaPrograms) {
    EXPECT_EQ(inspect_executable("/proc/self/exe").errors().front().code, "image-no-cuda");
    EXPECT_EQ(inspect_executable(write("a.txt", "hello\n")).errors().front().code, "image-not-executable");
    const Diagnostic script = inspect_executable(write("a.sh", "#!/bin/sh\n")).errors().front();
    EXPECT_NE(script.hint.find("tilescope run -- "), std::string::npos) << script.hint;
    const auto bytes = test::read_bytes("/proc/self/exe");
    EXPECT_EQ(inspect_executable(write_bytes("cut", {bytes.begin(), bytes.begin() + 4096})).errors().size(), 1u);
}

// What programs hand over in memory, with and without its length.
TEST(CodeInMemory, IsToldApartByItsFirstBytes) {
    const std::string ptx = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";
    const auto code_of = [](const void* code, std::optional<std::size_t> bytes) {
        const auto loaded = load_code(code, bytes, "x", 90, false);
        return loaded ? std::string("ptx ") + std::to_string(loaded->ptx.size()) : loaded.errors().front().code;
    };
    EXPECT_EQ(code_of(ptx.c_str(), std::nullopt), "ptx 1");
    EXPECT_EQ(code_of(ptx.c_str(), ptx.size()), "ptx 1");
    EXPECT_EQ(code_of(ptx.c_str(), 4), "image-unknown");
    EXPECT_EQ(code_of("", std::nullopt), "image-unknown");
    EXPECT_EQ(code_of("\177ELF", std::nullopt), "image-no-ptx");
    const auto container = container_of_ptx(ptx, 90);
    EXPECT_EQ(code_of(container.data(), std::nullopt), "ptx 1");
    EXPECT_EQ(code_of(container.data(), container.size()), "ptx 1");
    for (std::size_t bytes = 0; bytes < container.size(); ++bytes)
        EXPECT_NE(code_of(container.data(), bytes), "ptx 1") << bytes;
    const FatbinWrapper wrapper{kFatbinWrapperMagic, 1, container.data(), nullptr};
    EXPECT_EQ(code_of(&wrapper, std::nullopt), "ptx 1");
    // An address within bytes of a file is nobody's.
    EXPECT_NE(code_of(&wrapper, sizeof wrapper), "ptx 1");
}

}  // namespace
}  // namespace tilescope::image
