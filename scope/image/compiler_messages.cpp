// Running a compiler or a linker, and what to do about what it says.
#include <string_view>

#include "scope/image/cache.h"
#include "scope/image/compile_inputs.h"
#include "scope/image/compile_steps.h"
#include "scope/image/process.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

// Whether a linker misses the driver's library, or one of its functions: "undefined reference to `cuInit'".
bool calls_driver(const std::string& said) {
    for (const std::string_view mark : {"undefined reference to `cu", "undefined symbol: cu"})
        for (std::size_t at = said.find(mark); at != std::string::npos; at = said.find(mark, at + 1))
            if (const char next = said.c_str()[at + mark.size()]; next >= 'A' && next <= 'Z') return true;
    return said.find("cannot find -lcuda:") != std::string::npos;
}

constexpr std::string_view kDriverHint =
    "functions of the driver (cuda.h, names that begin with cu) are in its library: link it with -lcuda";

// Headers of libraries that run on the host and are no part of tilescope, by how their names start.
struct HostLibrary {
    std::string_view header;
    std::string_view library;
    bool headers_alone = false;
};
constexpr HostLibrary kHostLibraries[] = {{"cublasLt", "cuBLASLt"},
                                          {"cublas", "cuBLAS"},
                                          {"cusparse", "cuSPARSE"},
                                          {"cusolver", "cuSOLVER"},
                                          {"cufft", "cuFFT"},
                                          {"curand.h", "cuRAND"},
                                          {"cudnn", "cuDNN"},
                                          {"nccl", "NCCL"},
                                          {"nvml", "NVML"},
                                          {"npp", "NPP"},
                                          {"nvjpeg", "nvJPEG"},
                                          {"nvtx3/", "NVTX", true},
                                          {"cub/", "CUB", true},
                                          {"cuda/", "libcu++", true},
                                          {"thrust/", "Thrust", true},
                                          {"cutensor", "cuTENSOR"},
                                          {"nvshmem", "NVSHMEM"},
                                          {"cufile", "cuFile"},
                                          {"cutlass/", "CUTLASS", true},
                                          {"cute/", "CUTLASS", true},
                                          {"c10/", "PyTorch"},
                                          {"torch/", "PyTorch"},
                                          {"ATen/", "PyTorch"},
                                          {"cuda_gl_interop.h", "OpenGL"},
                                          {"omp.h", "OpenMP"},
                                          {"mpi.h", "MPI"}};

// The header that is not there, in clang's words ("'cublas_v2.h' file not found") or those of nvcc's host compiler
// ("fatal error: cublas_v2.h: No such file or directory"); empty when it is not a header that is missing.
std::string missing_header(const std::string& said) {
    if (const std::size_t end = said.find("' file not found"); end != std::string::npos)
        return said.substr(said.rfind('\'', end - 1) + 1, end - said.rfind('\'', end - 1) - 1);
    constexpr std::string_view kBefore = "fatal error: ", kAfter = ": No such file or directory";
    const std::size_t end = said.find(kAfter);
    const std::size_t start = end == std::string::npos ? end : said.rfind(kBefore, end);
    if (start == std::string::npos) return {};
    const std::string name = said.substr(start + kBefore.size(), end - start - kBefore.size());
    return name.find('\n') == std::string::npos ? name : std::string();
}

// What to do about a header that is not there.
std::string hint_for_missing(const std::string& header, bool clang) {
    // Those of NVIDIA's cuda-samples, which most of the samples and many that grew from them include.
    if (header.starts_with("helper_") || header == "exception.h" || header == "rendercheck_gl.h")
        return header +
               " is no part of CUDA: it comes with NVIDIA's cuda-samples, in the folder Common; say where that "
               "lies (-I FOLDER)";
    for (const auto& [name, library, headers_alone] : kHostLibraries) {
        if (!header.starts_with(name)) continue;
        const std::string has = std::string(library);
        if (library == "MPI")
            return "MPI is no part of tilescope, which runs one process: build without it, or say where its headers "
                   "and library lie (-I FOLDER -L FOLDER -lmpi)";
        if (library == "OpenMP")
            return "OpenMP belongs to the host's compiler: install its headers (libomp-dev for clang)";
        if (library == "PyTorch" || library == "OpenGL")
            return has +
                   " is no part of tilescope: build the program without it, or call its kernels from a main of your "
                   "own";
        if (headers_alone)
            return has +
                   " is headers alone, which are not part of tilescope: say where they lie (--cuda-include FOLDER), "
                   "install libcub-dev and libthrust-dev, or use --compiler nvcc, which has them";
        return has +
               " is a library of machine code, which is not emulated: what calls it cannot run here. Guard the calls "
               "(#ifdef) to look at the program's own kernels, or put a kernel of your own in their place";
    }
    if (!clang) return {};
    return "with clang only tilescope's own CUDA headers are there; a program that needs more of the toolkit needs "
           "--compiler nvcc";
}

// What a user can do about the errors that the ways of compiling here bring with them.
std::string hint_for(const CompileJob& job, const std::string& said) {
    if (const std::string header = missing_header(said); !header.empty())
        return hint_for_missing(header, job.toolchain.kind == Compiler::kClang);
    if (said.find("Unresolved extern") != std::string::npos ||
        said.find("is treated as a static definition") != std::string::npos)
        return "each file's device code stands alone: have it linked over the files (--compile-flags=-rdc=true), "
               "or define what the kernels use in the same file";
    if (said.find("reference to __global__ function") != std::string::npos)
        return "a kernel that launches kernels (dynamic parallelism) is not supported: launch them from the host";
    if (said.find("no template named 'texture'") != std::string::npos ||
        said.find("texture is not a template") != std::string::npos)
        return "texture references (texture<...>, cudaBindTexture) went away with CUDA 12: make a texture object "
               "(cudaCreateTextureObject) and hand it to the kernel";
    if (said.find("Instruction 'wgmma") != std::string::npos)
        return "wgmma is an instruction of compute capability 9.0 alone: --device h100 or h200";
    for (const std::string_view mark : {"undeclared identifier 'CU", "unknown type name 'CU"})
        if (said.find(mark) != std::string::npos) return std::string(kDriverHint);
    return {};
}

std::string with_all_replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

Result<ProcessOutput> run_tool(const CompileJob& job, const std::vector<std::string>& arguments) {
    return run_process(arguments, {}, compiler_environment(job.scratch));
}

}  // namespace

Status run_compiler(CompileJob& job, const std::vector<std::string>& arguments) {
    const auto run = run_tool(job, arguments);
    if (!run) return run.errors();
    const std::string said = run->errors + run->output;
    if (run->status != 0) {
        Diagnostics errors = compiler_errors(said, arguments[0], job.options->headers_dir.string() + "/");
        errors.back().hint = hint_for(job, said);
        return errors;
    }
    job.messages += said;
    return Success{};
}

Status run_linker(CompileJob& job, const std::vector<std::string>& arguments) {
    const auto run = run_tool(job, arguments);
    if (!run) return run.errors();
    std::string said = run->errors + run->output;
    for (const CompiledUnit& unit : job.units)
        said = with_all_replaced(said, unit.object.string(), unit.source.string());
    if (run->status == 0) {
        job.messages += said;
        return Success{};
    }
    while (said.ends_with('\n')) said.pop_back();
    std::string hint;
    if (calls_driver(said))
        hint = kDriverHint;
    else if (said.find("__cudaRegisterLinkedBinary") != std::string::npos)
        hint =
            "device code of a library is linked where the library is named as a file (tilescope run a.cu libb.a "
            "--compile-flags=-rdc=true), not by -l";
    else if (said.find("undefined reference") != std::string::npos ||
             said.find("undefined symbol") != std::string::npos)
        hint = "name the file that defines it as well (tilescope run a.cu b.cu), or its library (-L FOLDER -l NAME)";
    else if (said.find("cannot find -l") != std::string::npos || said.find("library not found") != std::string::npos)
        hint = "say where the library lies with -L FOLDER";
    return error("image-link", {job.units.front().source.string(), 0, 0}, "it compiles, but does not link:\n" + said,
                 hint);
}

void add_dependencies(CompileJob& job, const fs::path& rule_file) {
    const auto rule = read_file(rule_file);
    if (!rule) return;
    const std::string ours = job.options->headers_dir.string() + "/", scratch = job.scratch.string() + "/";
    for (fs::path& path : parse_dependencies(*rule))
        if (!path.string().starts_with(ours) && !path.string().starts_with(scratch))
            job.dependencies.push_back(std::move(path));
}

}  // namespace tilescope::image
