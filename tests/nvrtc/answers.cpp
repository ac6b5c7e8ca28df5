// What NVRTC answers to right and wrong calls, line by line: the same of NVIDIA's library and of ours (answers.txt has
// what that of CUDA 13.0 says).
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

const char* name_of(nvrtcResult code) { return nvrtcGetErrorString(code); }

const char* kKernel = "extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = 1; }\n";

std::string log_of(nvrtcProgram program) {
    size_t bytes = 0;
    nvrtcGetProgramLogSize(program, &bytes);
    std::string log(bytes, 'x');
    nvrtcGetProgramLog(program, log.data());
    return log.c_str();
}

const char* amount(size_t bytes) { return bytes == 0 ? "none" : bytes == 1 ? "one" : "some"; }

void tell_sizes(nvrtcProgram program) {
    size_t bytes = 0;
    const nvrtcResult ptx = nvrtcGetPTXSize(program, &bytes);
    std::printf("  PTX %s %s,", name_of(ptx), amount(bytes));
    const nvrtcResult cubin = nvrtcGetCUBINSize(program, &bytes);
    std::printf(" code %s %s,", name_of(cubin), amount(bytes));
    const nvrtcResult lto = nvrtcGetLTOIRSize(program, &bytes);
    std::printf(" LTO %s %s,", name_of(lto), amount(bytes));
    const nvrtcResult optix = nvrtcGetOptiXIRSize(program, &bytes);
    std::printf(" OptiX %s %s,", name_of(optix), amount(bytes));
    std::printf(" PCH %s\n", name_of(nvrtcGetPCHCreateStatus(program)));
}

void compile(const char* title, const char* source, const char* name, std::vector<const char*> options,
             std::vector<const char*> expressions = {}, std::vector<const char*> headers = {},
             std::vector<const char*> names = {}) {
    nvrtcProgram program = nullptr;
    std::printf("%s\n  create %s\n", title,
                name_of(nvrtcCreateProgram(&program, source, name, static_cast<int>(headers.size()), headers.data(),
                                           names.data())));
    const char* lowered = nullptr;
    for (const char* each : expressions) {
        std::printf("  add %s %s\n", each, name_of(nvrtcAddNameExpression(program, each)));
        std::printf("  too early %s\n", name_of(nvrtcGetLoweredName(program, each, &lowered)));
    }
    tell_sizes(program);
    std::printf("  compile %s\n",
                name_of(nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data())));
    std::printf("<<%s>>\n", log_of(program).c_str());
    tell_sizes(program);
    for (const char* each : expressions) {
        lowered = nullptr;
        const nvrtcResult code = nvrtcGetLoweredName(program, each, &lowered);
        std::printf("  lowered %s %s %s\n", each, name_of(code), lowered == nullptr ? "-" : lowered);
    }
    std::printf("  unknown %s\n", name_of(nvrtcGetLoweredName(program, "nothing", &lowered)));
    std::printf("  too late %s\n", name_of(nvrtcAddNameExpression(program, "k")));
    const nvrtcResult gone = nvrtcDestroyProgram(&program);
    std::printf("  destroy %s %s\n", name_of(gone), program == nullptr ? "null" : "kept");
}

// A wrong option is told with its words; of a right one no word is expected but a warning.
void ask_option(std::vector<const char*> words) {
    nvrtcProgram program = nullptr;
    nvrtcCreateProgram(&program, kKernel, "k.cu", 0, nullptr, nullptr);
    const nvrtcResult code = nvrtcCompileProgram(program, static_cast<int>(words.size()), words.data());
    for (const char* word : words) std::printf("[%s] ", word);
    std::printf("%s <<%s>>\n", name_of(code), log_of(program).c_str());
    nvrtcDestroyProgram(&program);
}

void ask_options() {
    const std::vector<std::vector<const char*>> all = {{"-DX=3"},
                                                       {"-D", "X=3"},
                                                       {"-D X=3"},
                                                       {"-DX"},
                                                       {"-DX="},
                                                       {"--define-macro=X=3"},
                                                       {"--define-macro", "X=3"},
                                                       {"--define-macro X=3"},
                                                       {"-UX"},
                                                       {"-U", "X"},
                                                       {"--undefine-macro=X"},
                                                       {"-arch", "sm_90"},
                                                       {"-arch sm_90"},
                                                       {"--gpu-architecture", "compute_90a"},
                                                       {"-arch=sm_90a"},
                                                       {"-arch=compute_90"},
                                                       {" -arch=sm_90"},
                                                       {"-arch=sm_52"},
                                                       {"-arch=sm_999"},
                                                       {"-arch=native"},
                                                       {"-arch=90"},
                                                       {"-arch=sm90"},
                                                       {"-arch="},
                                                       {"-arch"},
                                                       {"-arch=sm_80", "-arch=sm_90"},
                                                       {"-arch=sm_90", "-arch=sm_90"},
                                                       {"--gpu-architecture compute_90"},
                                                       {"-std", "c++20"},
                                                       {"-std=c++23"},
                                                       {"-std=gnu++17"},
                                                       {"--std=c++14"},
                                                       {"-std=c++20", "--std=c++14"},
                                                       {"-std=c++99"},
                                                       {"-maxrregcount", "32"},
                                                       {"-maxrregcount=32"},
                                                       {"--maxrregcount 32"},
                                                       {"-maxrregcount=many"},
                                                       {"--fmad"},
                                                       {"-fmad=true"},
                                                       {"-fmad", "false"},
                                                       {"-fmad=1"},
                                                       {"--ftz", "true"},
                                                       {"-prec-div=false"},
                                                       {"-prec-sqrt", "false"},
                                                       {"--use_fast_math"},
                                                       {"--use_fast_math=true"},
                                                       {"-use-fast-math"},
                                                       {"-lineinfo"},
                                                       {"-lineinfo=true"},
                                                       {"--generate-line-info"},
                                                       {"-generate-line-info"},
                                                       {"-Xptxas=-v"},
                                                       {"--ptxas-options", "-v"},
                                                       {"-dopt=on"},
                                                       {"-dopt=off"},
                                                       {"-dopt", "on"},
                                                       {"--device-debug", "-w"},
                                                       {"-I"},
                                                       {"-I/tmp"},
                                                       {"-I", "/tmp"},
                                                       {"--include-path=/tmp"},
                                                       {"--include-path", "/tmp"},
                                                       {"-i/tmp"},
                                                       {"-w"},
                                                       {"--disable-warnings"},
                                                       {"--restrict"},
                                                       {"-restrict"},
                                                       {"-extra-device-vectorization"},
                                                       {"--modify-stack-limit=true"},
                                                       {"-builtin-move-forward=true"},
                                                       {"--builtin-initializer-list=true"},
                                                       {"-no-source-include"},
                                                       {"--device-int128"},
                                                       {"-diag-suppress=177"},
                                                       {"--diag-suppress=177,550"},
                                                       {"-diag-error=177"},
                                                       {"--diag-warn=177"},
                                                       {"-diag-suppress", "177"},
                                                       {"--diag-suppress=a"},
                                                       {"--diag-suppress=0"},
                                                       {"--brief-diagnostics=true"},
                                                       {"-split-compile=0"},
                                                       {"--minimal"},
                                                       {"--device-stack-protector=true"},
                                                       {"--no-cache"},
                                                       {"--pch-dir=/tmp"},
                                                       {"-rdc=false"},
                                                       {"--version-ident=true"},
                                                       {"--frandom-seed=foo"},
                                                       {"--Ofast-compile=min"},
                                                       {"--jump-table-density=50"},
                                                       {"-c"},
                                                       {"-O3"},
                                                       {"-g"},
                                                       {"-lm"},
                                                       {"-v"},
                                                       {"--help"},
                                                       {"-x cu"},
                                                       {"@file"},
                                                       {"-keep"},
                                                       {"--options-file=/tmp/options"},
                                                       {"--extended-lambda"},
                                                       {"-default-stream=legacy"},
                                                       {"-gpu-architecture=sm_90"},
                                                       {"-pre-include=x"},
                                                       {"--include=x"},
                                                       {""},
                                                       {" "},
                                                       {"-"},
                                                       {"--"},
                                                       {"frob"},
                                                       {"--frobnicate", "-arch=sm_999"},
                                                       {"$(touch /tmp/tilescope-was-here)"},
                                                       {"-I/tmp/$(touch /tmp/tilescope-was-here)"},
                                                       {"-DX=$(touch /tmp/tilescope-was-here)"},
                                                       {"-DX=`touch /tmp/tilescope-was-here`"},
                                                       {"--maxrregcount=32 --fmad=false"}};
    for (const auto& words : all) ask_option(words);
}

void ask_wrongly() {
    nvrtcProgram program = nullptr;
    size_t bytes = 0;
    int number = 0;
    const char* const wrong = "-bad";
    std::printf("version %s\n", name_of(nvrtcVersion(nullptr, &number)));
    std::printf("architectures %s %s\n", name_of(nvrtcGetNumSupportedArchs(nullptr)),
                name_of(nvrtcGetSupportedArchs(nullptr)));
    std::printf("no source %s\n", name_of(nvrtcCreateProgram(&program, nullptr, "x", 0, nullptr, nullptr)));
    std::printf("no program %s\n", name_of(nvrtcCreateProgram(nullptr, kKernel, "x", 0, nullptr, nullptr)));
    std::printf("headers %s %s\n", name_of(nvrtcCreateProgram(&program, kKernel, "x", -1, nullptr, nullptr)),
                name_of(nvrtcCreateProgram(&program, kKernel, "x", 1, nullptr, nullptr)));
    std::printf("null %s", name_of(nvrtcCompileProgram(nullptr, 0, nullptr)));
    program = nullptr;
    std::printf(" %s %s\n", name_of(nvrtcDestroyProgram(&program)), name_of(nvrtcDestroyProgram(nullptr)));
    nvrtcCreateProgram(&program, kKernel, "x", 0, nullptr, nullptr);
    std::printf("no place %s %s %s\n", name_of(nvrtcGetPTXSize(program, nullptr)),
                name_of(nvrtcGetProgramLogSize(program, nullptr)), name_of(nvrtcGetPTX(program, nullptr)));
    std::printf("options %s %s\n", name_of(nvrtcCompileProgram(program, -1, nullptr)),
                name_of(nvrtcCompileProgram(program, 1, nullptr)));
    std::printf("expression %s\n", name_of(nvrtcAddNameExpression(program, nullptr)));
    std::printf("right %s\n", name_of(nvrtcCompileProgram(program, 0, nullptr)));
    std::printf("then wrong %s", name_of(nvrtcCompileProgram(program, 1, &wrong)));
    nvrtcGetPTXSize(program, &bytes);
    std::printf(" %s\n", amount(bytes));
    std::printf("heap %s %zu", name_of(nvrtcGetPCHHeapSize(&bytes)), bytes);
    std::printf(" %s %s\n", name_of(nvrtcSetPCHHeapSize(1 << 20)), name_of(nvrtcGetPCHHeapSize(nullptr)));
    int calls = 0;
    const auto goes_on = [](void* payload, void*) { return ++*static_cast<int*>(payload), 0; };
    const auto ends = [](void*, void*) { return 1; };
    std::printf("flow %s %s", name_of(nvrtcSetFlowCallback(program, nullptr, nullptr)),
                name_of(nvrtcSetFlowCallback(program, goes_on, &calls)));
    std::printf(" %s", name_of(nvrtcCompileProgram(program, 0, nullptr)));
    std::printf(" %s %s", calls > 0 ? "asked" : "not asked", name_of(nvrtcSetFlowCallback(program, ends, &calls)));
    std::printf(" %s\n", name_of(nvrtcCompileProgram(program, 0, nullptr)));
    std::printf("destroy %s\n", name_of(nvrtcDestroyProgram(&program)));
}

}  // namespace

int main() {
    int major = 0, minor = 0, count = 0;
    nvrtcVersion(&major, &minor);
    std::printf("%d.%d\n", major, minor);
    nvrtcGetNumSupportedArchs(&count);
    std::vector<int> architectures(static_cast<size_t>(count));
    nvrtcGetSupportedArchs(architectures.data());
    for (const int each : architectures) std::printf(" %d", each);
    std::printf("\n");
    for (int code = -1; code < 20; ++code) std::printf("%d %s\n", code, name_of(static_cast<nvrtcResult>(code)));

    compile("plain", kKernel, "k.cu", {});
    compile("without a name", kKernel, nullptr, {});
    compile("machine code", kKernel, "k.cu", {"-arch=sm_90"});
    compile("empty", "", "k.cu", {});
    compile("errors", "__global__ void k(float* x) {\n  x[0] = y;\n  z();\n}\n", "kernel.cu", {});
    compile("syntax", "__global__ void k(int* x) { x[0] = 1 \n}\n", "kernel.cu", {});
    compile("a type of the host", "__global__ void k(int* x) {\n  uint32_t a = 1;\n  x[0] = a;\n}\n", "kernel.cu", {});
    compile("#error", "\n#error stop here\n__global__ void k(int* x) {}\n", "dir/kernel.cu", {"-no-source-include"});
    compile("no header", "#include \"my.h\"\n", "kernel.cu", {"-I/tmp"});
    compile("errors in a header", "#include \"a.h\"\n__global__ void k(int* x) { x[0] = C; }\n", "kernel.cu", {}, {},
            {"#define A 1\n__device__ int b = q;\n"}, {"a.h"});
    compile("names",
            "template <class T> __global__ void k(T* x) { x[0] = 1; }\n"
            "namespace n { __constant__ int c[3]; __device__ float d; __global__ void q(int*) {} }\n",
            "kernel.cu", {},
            {"k<float>", "k<int>", "&n::c", "&n::d", "n::q", "(n::q)", "  k<double> ", "&n::q", "n::c"});
    compile("types of its own",
            "typedef unsigned long long uint64_t;\ntypedef long long int64_t;\n"
            "namespace std { template <class T> struct is_same {}; }\n"
            "__global__ void k(uint64_t* x) { x[0] = sizeof(int64_t); }\n",
            "k.cu", {});
    ask_wrongly();
    ask_options();
    return 0;
}
