// -arch=sm_90: what a program takes for machine code, as a module and as a library.
#include "compile.h"
#include "device.h"

int main() {
    const Compiled made = compile_well({R"(
__constant__ int table[2];
extern "C" __global__ void look(int* x) { x[threadIdx.x] = table[threadIdx.x & 1]; }
)",
                                        "look.cu",
                                        {"-arch=sm_90"}});
    expect(!made.cubin.empty(), "there is machine code");
    expect(made.ptx.find(".target sm_90") != std::string::npos, "and PTX");
    Device device;
    const int values[] = {7, 9};
    const Array<int> out({0, 0, 0});
    CUdeviceptr table = 0;
    size_t bytes = 0;
    const CUmodule module = load(made.cubin);
    CU(cuModuleGetGlobal(&table, &bytes, module, "table"));
    CU(cuMemcpyHtoD(table, values, sizeof values));
    launch(function_in(module, "look"), 1, 3, out.at());
    expect(out.values() == std::vector<int>({7, 9, 7}), "as a module");

    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    CUfunction function = nullptr;
    CU(cuLibraryLoadData(&library, made.cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    CU(cuLibraryGetKernel(&kernel, library, "look"));
    CU(cuKernelGetFunction(&function, kernel));
    CU(cuLibraryGetGlobal(&table, &bytes, library, "table"));
    CU(cuMemcpyHtoD(table, values + 1, sizeof(int)));
    launch(function, 1, 1, out.at());
    expect(out.values()[0] == 9, "as a library");
    CU(cuLibraryUnload(library));
    return verdict();
}
