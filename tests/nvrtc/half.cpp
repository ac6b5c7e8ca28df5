// CUDA's own headers: half and bfloat16, by a folder of the toolkit where one is given.
#include "compile.h"
#include "device.h"

int main(int count, char** arguments) {
    Request request{R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void sum(const __half* a, const __half2* b, float* out) {
    const __half2 pair = __hadd2(b[threadIdx.x], __float2half2_rn(1.0f));
    const __nv_bfloat16 coarse = __float2bfloat16(1.0f + 1.0f / 512.0f);
    out[threadIdx.x] = __half2float(a[threadIdx.x] + a[threadIdx.x]) + __low2float(pair) * __high2float(pair) +
                       __bfloat162float(coarse);
}
)"};
    request.options = {"-arch=compute_80"};
    if (count > 1) request.options.push_back("--include-path=" + std::string(arguments[1]));
    const Compiled made = compile_well(request);
    Device device;
    const Array<unsigned short> a({0x3c00, 0x4000});                  // 1, 2
    const Array<unsigned short> b({0x3c00, 0x4000, 0x4200, 0x4400});  // (1, 2), (3, 4)
    const Array<float> out({0, 0});
    launch(function_in(load(made.ptx), "sum"), 1, 2, a.at(), b.at(), out.at());
    expect(out.values() == std::vector<float>({9, 25}), "half and bfloat16");
    return verdict();
}
