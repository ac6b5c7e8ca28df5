// Two programs whose kernels have one name, and one program compiled twice.
#include "compile.h"
#include "device.h"

int main() {
    const auto source = [](int value) {
        return "extern \"C\" __global__ void answer(int* x) { x[threadIdx.x] = " + std::to_string(value) + "; }\n";
    };
    Device device;
    const CUmodule first = load(compile_well({source(1)}).ptx), second = load(compile_well({source(2)}).ptx);
    const Array<int> a({0}), b({0});
    launch(function_in(first, "answer"), 1, 1, a.at());
    launch(function_in(second, "answer"), 1, 1, b.at());
    expect(a.values()[0] == 1 && b.values()[0] == 2, "each module has its own kernel");
    CU(cuModuleUnload(first));
    launch(function_in(second, "answer"), 1, 1, a.at());
    expect(a.values()[0] == 2, "the other stays when one goes");
    expect(compile_well({source(1)}).ptx == compile_well({source(1)}).ptx, "a program compiled twice is the same");
    return verdict();
}
