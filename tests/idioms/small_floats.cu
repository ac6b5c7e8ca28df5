// Half, bfloat16 and 8-bit floats as programs use them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "idioms.cuh"

__global__ void halves(__half* out) {
    const int i = threadIdx.x;
    const __half a = __float2half(i * 0.37f), b = __int2half_rn(i - 10);
    out[i * 8 + 0] = __hadd_rn(a, b);
    out[i * 8 + 1] = __hmul_rn(a, b);
    out[i * 8 + 2] = __hfma(a, b, __float2half(0.5f));
    out[i * 8 + 3] = __hsub_rn(a, b);
    out[i * 8 + 4] = __hdiv(a, __float2half(3.0f));
    out[i * 8 + 5] = __hmax(a, b);
    out[i * 8 + 6] = __hneg(__habs(b));
    out[i * 8 + 7] = hsqrt(a);
}
IDIOM(half_arithmetic) {
    Buffer<__half> out(32 * 8);
    halves<<<1, 32>>>(out);
    report.add(out);
    report.check(__half2float(out[8 * 20]) == __half2float(__float2half(__half2float(__float2half(20 * 0.37f)) + 10)));
}

__global__ void half_operators(half* out) {
    half x = __float2half(0.25f * threadIdx.x);
    x += half(1.0f);
    x = -x * half(0.5f);
    ++x;
    out[threadIdx.x] = x > half(-3.0f) ? x : half(7);
}
IDIOM(half_with_operators) {
    Buffer<half> out(32);
    half_operators<<<1, 32>>>(out);
    report.add(out);
    report.check(static_cast<float>(out[4]) == 0.0f && static_cast<float>(out[31]) == 7.0f - 10.375f * 0);
}

__global__ void pairs(const __half2* a, const __half2* b, __half2* out) {
    const int i = threadIdx.x;
    __half2 sum = __hfma2(a[i], b[i], __float2half2_rn(1.0f));
    sum = __hadd2(sum, __halves2half2(__low2half(a[i]), __high2half(b[i])));
    out[2 * i] = __hmax2(sum, __lowhigh2highlow(sum));
    out[2 * i + 1] = __hgt2(a[i], b[i]);
}
IDIOM(pairs_of_halves) {
    Buffer<__half2> a(16), b(16), out(32);
    for (int i = 0; i < 16; ++i) a[i] = __floats2half2_rn(i, -i), b[i] = __floats2half2_rn(0.5f, i * 0.125f);
    pairs<<<1, 16>>>(a, b, out);
    report.add(out);
}

__global__ void dot(const half2* a, const half2* b, float* out, int n) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        const float2 x = __half22float2(a[i]), y = __half22float2(b[i]);
        sum = fmaf(x.x, y.x, sum), sum = fmaf(x.y, y.y, sum);
    }
    for (int m = 16; m > 0; m /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, m);
    if (threadIdx.x == 0) *out = sum;
}
IDIOM(half_dot_in_float) {
    Buffer<half2> a(64), b(64);
    Buffer<float> out(1);
    float expected = 0;
    for (int i = 0; i < 64; ++i)
        a[i] = __floats2half2_rn(i % 8, 1), b[i] = __floats2half2_rn(0.5f, i % 3), expected += i % 8 * 0.5f + i % 3;
    dot<<<1, 32>>>(a, b, out, 64);
    report.expect(out, [&](int) { return expected; });
}

__global__ void brains(__nv_bfloat16* out, float* back) {
    const int i = threadIdx.x;
    const __nv_bfloat16 a = __float2bfloat16(i * 1.7f), b = __float2bfloat16_rn(3.0f / (i + 1));
    out[i] = __hfma(a, b, a);
    back[i] = __bfloat162float(__hadd_rn(a, b)) + __bfloat162float(__hmul_rn(a, b));
}
IDIOM(bfloat_arithmetic) {
    Buffer<__nv_bfloat16> out(32);
    Buffer<float> back(32);
    brains<<<1, 32>>>(out, back);
    report.add(out);
    report.add(back);
}

__global__ void brain_pairs(__nv_bfloat162* out) {
    __nv_bfloat162 v = __floats2bfloat162_rn(threadIdx.x, threadIdx.x * 0.1f);
    v = __hmul2_rn(v, __float2bfloat162_rn(0.3f));
    const float2 f = __bfloat1622float2(v);
    out[threadIdx.x] = __float22bfloat162_rn(make_float2(f.y, f.x));
}
IDIOM(bfloat_pairs) {
    Buffer<__nv_bfloat162> out(32);
    brain_pairs<<<1, 32>>>(out);
    report.add(out);
}

__global__ void bytes(unsigned char* out, float* back) {
    const float x = (static_cast<int>(threadIdx.x) - 16) * 1.9f;
    const __nv_fp8_e4m3 e4(x);
    const __nv_fp8_e5m2 e5(x);
    out[2 * threadIdx.x] = e4.__x;
    out[2 * threadIdx.x + 1] = e5.__x;
    back[threadIdx.x] = static_cast<float>(e4) + static_cast<float>(e5);
}
IDIOM(floats_of_8_bits) {
    Buffer<unsigned char> out(64);
    Buffer<float> back(32);
    bytes<<<1, 32>>>(out, back);
    report.add(out);
    report.add(back);
}

IDIOM(conversions_on_the_host) {
    for (int i = 0; i < 300; ++i) {
        const float x = (i - 150) * 3.3e2f + 0.013f * i;
        report.value(__float2half(x)), report.value(__float2bfloat16(x)),
            report.value(__half2float(__float2half_rz(x)));
        report.value(__nv_fp8_e4m3(x).__x), report.value(__nv_fp8_e5m2(x).__x);
        report.value(__half_as_ushort(__ushort_as_half(static_cast<unsigned short>(i * 211))));
    }
    report.check(__half2float(__float2half(65520.0f)) > 65504.0f);
}

__global__ void adds(__half* h, __half2* h2, __nv_bfloat16* b) {
    atomicAdd(h, __float2half(1.0f));
    atomicAdd(h2, __floats2half2_rn(1.0f, 2.0f));
    atomicAdd(b, __float2bfloat16(1.0f));
}
IDIOM(atomic_sums_of_small_floats) {
    Buffer<__half> h(2);
    Buffer<__half2> h2(1);
    Buffer<__nv_bfloat16> b(2);
    adds<<<1, 64>>>(h, h2, b);
    report.add(h), report.add(h2), report.add(b);
    report.check(__half2float(h[0]) == 64 && __bfloat162float(b[0]) == 64 && __high2float(h2[0]) == 128);
}

template <class T>
__global__ void generic_scale(T* data, float s) {
    data[threadIdx.x] = static_cast<T>(static_cast<float>(data[threadIdx.x]) * s);
}
IDIOM(one_kernel_of_four_types) {
    Buffer<float> f(8);
    Buffer<double> d(8);
    Buffer<__half> h(8);
    Buffer<__nv_bfloat16> b(8);
    for (int i = 0; i < 8; ++i) f[i] = i, d[i] = i, h[i] = i * 1.0f, b[i] = i * 1.0f;
    generic_scale<<<1, 8>>>(f.get(), 1.1f), generic_scale<<<1, 8>>>(d.get(), 1.1f);
    generic_scale<<<1, 8>>>(h.get(), 1.1f), generic_scale<<<1, 8>>>(b.get(), 1.1f);
    report.add(f), report.add(d), report.add(h), report.add(b);
    report.check(static_cast<float>(h[1]) == static_cast<float>(__float2half(1.1f)));
}

__global__ void half_shuffles(__half* out, __half2* out2) {
    const __half h = __int2half_rn(threadIdx.x);
    out[threadIdx.x] = __shfl_down_sync(0xffffffffu, h, 3);
    out2[threadIdx.x] = __shfl_xor_sync(0xffffffffu, __half2half2(h), 5);
}
IDIOM(shuffles_of_halves) {
    Buffer<__half> out(32);
    Buffer<__half2> out2(32);
    half_shuffles<<<1, 32>>>(out, out2);
    report.add(out), report.add(out2);
    report.check(__half2float(out[4]) == 7 && __low2float(out2[1]) == 4);
}
