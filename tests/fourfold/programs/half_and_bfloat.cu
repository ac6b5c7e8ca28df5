// Numbers of sixteen bits in both forms: conversions with every rounding, pairs, comparisons, and functions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "fourfold.cuh"

__global__ void compute(const float* in, float* out, unsigned short* bits, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float x = in[i];
    const __half h = __float2half_rn(x);
    const __nv_bfloat16 b = __float2bfloat16_rn(x);
    const __half2 pair = __halves2half2(h, __hneg(h)), sum = __hadd2(__hmul2(pair, pair), __float2half2_rn(0.5f));
    const __nv_bfloat162 two =
        __hfma2(__bfloat162bfloat162(b), __floats2bfloat162_rn(2, 3), __floats2bfloat162_rn(1, 1));
    bits[i * 4] = __half_as_ushort(__float2half_rz(x));
    bits[i * 4 + 1] = __half_as_ushort(__float2half_ru(x));
    bits[i * 4 + 2] = __bfloat16_as_ushort(__float2bfloat16_rd(x));
    bits[i * 4 + 3] = static_cast<unsigned short>(__half2ushort_rz(__habs(h)) + 1000 * __hgt(h, __float2half(0.0f)));
    out[i * 4] = __low2float(sum) + __high2float(sum);
    out[i * 4 + 1] = __bfloat162float(__low2bfloat16(two)) + __bfloat162float(__high2bfloat16(two));
    out[i * 4 + 2] = __half2float(hsqrt(__habs(h))) + __half2float(hexp(h));
    out[i * 4 + 3] =
        __bfloat162float(__hmax(b, __float2bfloat16(0.25f))) - __half2float(__hmin(h, __float2half(-0.25f)));
}

int main() {
    constexpr int count = 100;
    const std::vector<float> values = numbers<float>(count, -4, 4);
    const Buffer<float> in(values), out(count * 4);
    const Buffer<unsigned short> bits(count * 4);
    compute<<<2, 64>>>(in, out, bits, count);
    const std::vector<float> found = out.host();
    tell("numbers", found);
    tell("bits", bits.host());
    int off = 0;
    for (int i = 0; i < count; ++i) {
        off += std::fabs(found[i * 4] - 2 * (values[i] * values[i] + 0.5f)) > 0.05f;
        off += std::fabs(found[i * 4 + 1] - (5 * values[i] + 2)) > 0.2f;
        off += std::fabs(found[i * 4 + 2] - (std::sqrt(std::fabs(values[i])) + std::exp(values[i]))) > 0.1f;
    }
    return verdict("near single precision", off == 0);
}
