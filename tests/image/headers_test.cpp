// Our CUDA headers: programs that use all of them compile with every clang to PTX that NVIDIA's assembler takes, the
// same programs are CUDA to nvcc, and every number is the one in NVIDIA's own headers.
#include <regex>

#include "scope/image/compile.h"
#include "tests/image/support.h"
#include "tests/places.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;
using test::clangs;
using test::nvcc;

const fs::path kPrograms = fs::path(source_dir()) / "tests/image/programs";

class Headers : public test::Scratch, public ::testing::WithParamInterface<const char*> {
protected:
    fs::path source() const { return kPrograms / (std::string(GetParam()) + ".cu"); }

    CompileOptions options(Compiler kind, const fs::path& program) const {
        CompileOptions options;
        options.compiler = kind;
        options.compiler_path = program;
        options.cache_dir = folder() / "cache";
        return options;
    }
};

TEST_P(Headers, DeviceHalfThroughEveryClang) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    for (const fs::path& clang : clangs()) {
        const auto made = compile_to_ptx(source(), options(Compiler::kClang, clang));
        ASSERT_TRUE(made) << clang << "\n" << render(made.errors());
        EXPECT_EQ(made->messages, "") << clang;
        if (find_ptxas().empty()) continue;
        // -c: the functions of libdevice stay undefined.
        run({find_ptxas().string(), "-c", "-arch=sm_90", write("k.ptx", made->ptx).string(), "-o",
             (folder() / "k.cubin").string()});
    }
}

TEST_P(Headers, HostHalfThroughEveryClang) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    for (const fs::path& clang : clangs()) {
        CompileOptions with = options(Compiler::kClang, clang);
        with.runtime_lib_dir = folder();
        with.extra_flags = {"-Wall", "-Wno-unused-variable", "-Wl,--unresolved-symbols=ignore-all"};
        run({clang.string(), "-shared", "-fPIC", write("empty.cpp", "").string(), "-o",
             (folder() / "libcudart.so.12").string(), "-Wl,-soname,libcudart.so.12"});
        const auto made = compile_program({source()}, with);
        ASSERT_TRUE(made) << clang << "\n" << render(made.errors());
    }
}

TEST_P(Headers, TheProgramIsCudaToNvcc) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const auto made = compile_to_ptx(source(), options(Compiler::kNvcc, nvcc()));
    ASSERT_TRUE(made) << render(made.errors());
}

INSTANTIATE_TEST_SUITE_P(Programs, Headers, ::testing::Values("halves", "lanes", "mathematics", "memory", "runtime"),
                         [](const auto& info) { return std::string(info.param); });

class HeaderNumbers : public test::Scratch {};

TEST_F(HeaderNumbers, AreThoseOfTheToolkit) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    std::string ours;
    const fs::path folder_of_headers = default_headers_dir();
    for (const auto& file : fs::recursive_directory_iterator(folder_of_headers))
        if (file.is_regular_file()) ours += test::read_text(file.path());
    // Every enumerator, and every macro that is a plain number.
    std::string checks = "#include <cuda_runtime.h>\n";
    std::size_t count = 0;
    const auto check = [&](const std::string& name, const std::string& value) {
        ++count;
        checks += "static_assert(" + name + " == " + value + ", \"" + name + "\");\n";
    };
    const std::regex enumerator("\n    (cuda\\w+) = (-?\\d+),"), macro("\n#define (cuda\\w+) (0x[0-9a-fA-F]+)");
    for (std::sregex_iterator at(ours.begin(), ours.end(), enumerator), end; at != end; ++at) check((*at)[1], (*at)[2]);
    for (std::sregex_iterator at(ours.begin(), ours.end(), macro), end; at != end; ++at) check((*at)[1], (*at)[2]);
    EXPECT_GT(count, 400u);
    run({nvcc().string(), "-c", "-o", (folder() / "checks.o").string(), write("checks.cu", checks).string()});
}

TEST_F(HeaderNumbers, SizesAreThoseOfTheToolkit) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    // Types that are the same in CUDA 12 and 13.
    std::string program = "#include <cuda_runtime.h>\n#include <cstdio>\nint main() {\n";
    for (const char* type : {"cudaMemcpy3DParms",
                             "cudaChannelFormatDesc",
                             "cudaTextureDesc",
                             "cudaFuncAttributes",
                             "cudaPitchedPtr",
                             "cudaExtent",
                             "cudaLaunchConfig_t",
                             "cudaLaunchAttribute",
                             "cudaMemPoolProps",

                             "cudaAccessPolicyWindow",
                             "dim3",
                             "char1",
                             "char3",
                             "uchar4",
                             "short2",
                             "ushort3",
                             "int3",
                             "uint4",
                             "long2",
                             "long3",
                             "ulonglong2",
                             "float1",
                             "float2",
                             "float3",
                             "float4",
                             "double1",
                             "double2",
                             "double3"})
        program +=
            std::string("    std::printf(\"") + type + " %zu %zu\\n\", sizeof(" + type + "), alignof(" + type + "));\n";
    program += "}\n";
    const fs::path source = write("sizes.cu", program);
    run({nvcc().string(), source.string(), "-o", (folder() / "theirs").string()});
    // Host C++ alone: our headers serve it as well.
    run({clangs().back().string(), "-x", "c++", "-std=c++17", "-I" + default_headers_dir().string(), source.string(),
         "-o", (folder() / "ours").string()});
    const std::string theirs = run({(folder() / "theirs").string()});
    EXPECT_EQ(run({(folder() / "ours").string()}), theirs);
    EXPECT_NE(theirs.find("float4 16 16"), std::string::npos);
}

}  // namespace
}  // namespace tilescope::image
