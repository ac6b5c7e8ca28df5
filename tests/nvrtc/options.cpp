// Options that change what comes out: macros, standards, roundings, warnings.
#include "compile.h"
#include "device.h"

static std::vector<float> run(const Compiled& made, std::vector<float> values) {
    const Array<float> array(values);
    launch(function_in(load(made.ptx), "kernel"), 1, static_cast<unsigned>(values.size()), array.at());
    return array.values();
}

int main() {
    Device device;
    const std::string macros = R"(
#ifdef GONE
#error GONE is defined
#endif
extern "C" __global__ void kernel(float* x) { x[threadIdx.x] = WIDTH + VALUE(threadIdx.x) + sizeof(TEXT); }
)";
    const Compiled defined = compile_well(
        {macros,
         "macros.cu",
         {"-D", "WIDTH=(2 + 3)", "-DVALUE(x)=(x) * 10", "--define-macro=TEXT=\"a b\"", "-DGONE", "-UGONE"}});
    expect(run(defined, {0, 0}) == std::vector<float>({9, 19}), "macros");

    const std::string newer = R"(
template <class T> concept Small = sizeof(T) <= 4;
template <Small T> __device__ T twice(T value) { return value + value; }
extern "C" __global__ void kernel(float* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }
)";
    expect(run(compile_well({newer, "newer.cu", {"--std=c++20"}}), {1, 2}) == std::vector<float>({2, 4}), "C++20");
    expect(compile({newer, "newer.cu", {"-std=c++17"}}).code == NVRTC_ERROR_COMPILATION, "C++17 has no concepts");

    const std::string product = R"(
extern "C" __global__ void kernel(float* x) { x[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x] - 1.0f; }
)";
    const float value = 1.0f + 1.0f / 4096.0f;  // whose square has more digits than a float
    const float rounded = run(compile_well({product, "fmad.cu", {"-fmad=false"}}), {value})[0];
    const float fused = run(compile_well({product, "fmad.cu", {"-fmad", "true"}}), {value})[0];
    expect(rounded == 1.0f / 2048.0f && fused == 1.0f / 2048.0f + 1.0f / 16777216.0f, "-fmad");

    const std::string tiny =
        "extern \"C\" __global__ void kernel(float* x) { x[threadIdx.x] = x[threadIdx.x] * 0.5f; }\n";
    expect(run(compile_well({tiny, "tiny.cu", {"--use_fast_math"}}), {2.0f})[0] == 1.0f, "--use_fast_math");
    expect(run(compile_well({tiny, "tiny.cu", {"-ftz=true"}}), {1e-39f})[0] == 0.0f, "-ftz");
    expect(run(compile_well({tiny, "tiny.cu", {}}), {1e-39f})[0] != 0.0f, "without -ftz");

    const std::string unused = "extern \"C\" __global__ void kernel(float* x) {\n#warning take care\n}\n";
    const Compiled warned = compile_well({unused, "warn.cu", {}}), again = compile_well({unused, "warn.cu", {}});
    expect(warned.log.find("warn.cu(2): warning") == 0 && warned.log.find("take care") != std::string::npos,
           warned.log.c_str());
    expect(warned.log == again.log, "a program that is compiled again warns again");
    expect(compile_well({unused, "warn.cu", {"-w"}}).log.empty(), "-w");
    return verdict();
}
