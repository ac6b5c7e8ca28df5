// The driver's linker over what NVRTC made.
#include "compile.h"
#include "device.h"

int main() {
    const Compiled made =
        compile_well({"extern \"C\" __global__ void fill(int* x) { x[threadIdx.x] = 5; }\n", "fill.cu", {}});
    Device device;
    CUlinkState link = nullptr;
    void* code = nullptr;
    size_t bytes = 0;
    CU(cuLinkCreate(0, nullptr, nullptr, &link));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(made.ptx.data()), made.ptx.size(), "fill.ptx", 0,
                     nullptr, nullptr));
    CU(cuLinkComplete(link, &code, &bytes));
    CUmodule module = nullptr;
    CU(cuModuleLoadData(&module, code));
    const Array<int> out({0, 0});
    launch(function_in(module, "fill"), 1, 2, out.at());
    expect(out.values() == std::vector<int>({5, 5}), "what was linked runs");
    CU(cuLinkDestroy(link));
    return verdict();
}
