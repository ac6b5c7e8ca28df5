// Source in the program, to PTX, to a module, to a launch: as the documentation begins.
#include "compile.h"
#include "device.h"

int main() {
    constexpr unsigned threads = 128, blocks = 32, n = threads * blocks;
    const Compiled made = compile_well({R"(
extern "C" __global__ void saxpy(float a, float *x, float *y, float *out, size_t n)
{
    size_t tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < n) {
        out[tid] = a * x[tid] + y[tid];
    }
}
)",
                                        "saxpy.cu",
                                        {"--fmad=false"}});
    Device device;
    std::vector<float> x(n), y(n);
    for (unsigned i = 0; i < n; ++i) {
        x[i] = static_cast<float>(i);
        y[i] = static_cast<float>(i * 2);
    }
    const Array<float> dx(x), dy(y), out(std::vector<float>(n, -1.0f));
    launch(function_in(load(made.ptx), "saxpy"), blocks, threads, 5.1f, dx.at(), dy.at(), out.at(), size_t{n});
    const std::vector<float> found = out.values();
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; ++i) {
        const volatile float product = 5.1f * x[i];
        wrong += found[i] != product + y[i] ? 1 : 0;
    }
    expect(wrong == 0, "each element");
    expect(made.cubin.empty(), "no machine code was asked for");
    return verdict();
}
