// Templates by name expressions: kernels of several types, a namespace, variables of constant and global memory.
#include "compile.h"
#include "device.h"

int main() {
    Request request{R"(
namespace shapes {
template <class T, int N>
struct Scale {
    static __device__ T of(T value) { return value * T(N); }
};
__constant__ int offsets[4];
__device__ float factor;
}

template <class T, int N>
__global__ void scaled(T* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = shapes::Scale<T, N>::of(values[i]) + T(shapes::offsets[i % 4]);
}

namespace shapes {
__global__ void by_factor(float* values) { values[threadIdx.x] *= factor; }
}
)"};
    request.expressions = {"scaled<int, 3>", "scaled<float,2>",   "&shapes::offsets",
                           "shapes::factor", "shapes::by_factor", "  &scaled<double , 4>"};
    Compiled made = compile_well(request);
    for (const std::string& each : request.expressions)
        std::printf("%s: %s\n", each.c_str(), made.lowered[each].c_str());
    Device device;
    const CUmodule module = load(made.ptx);
    CUdeviceptr offsets = 0, factor = 0;
    size_t bytes = 0;
    CU(cuModuleGetGlobal(&offsets, &bytes, module, made.lowered["&shapes::offsets"].c_str()));
    expect(bytes == 16, "the constants' size");
    const int values[] = {10, 20, 30, 40};
    CU(cuMemcpyHtoD(offsets, values, sizeof values));
    CU(cuModuleGetGlobal(&factor, &bytes, module, made.lowered["shapes::factor"].c_str()));
    const float half = 0.5f;
    CU(cuMemcpyHtoD(factor, &half, sizeof half));

    const Array<int> integers({1, 2, 3, 4, 5});
    launch(function_in(module, made.lowered["scaled<int, 3>"]), 1, 8, integers.at(), 5);
    expect(integers.values() == std::vector<int>({13, 26, 39, 52, 25}), "integers");
    const Array<float> floats({1, 2, 3, 4});
    launch(function_in(module, made.lowered["scaled<float,2>"]), 1, 8, floats.at(), 4);
    expect(floats.values() == std::vector<float>({12, 24, 36, 48}), "floats");
    launch(function_in(module, made.lowered["shapes::by_factor"]), 1, 4, floats.at());
    expect(floats.values() == std::vector<float>({6, 12, 18, 24}), "a kernel of a namespace");
    const Array<double> doubles({1, 2});
    launch(function_in(module, made.lowered["  &scaled<double , 4>"]), 1, 2, doubles.at(), 2);
    expect(doubles.values() == std::vector<double>({14, 28}), "doubles");
    return verdict();
}
