// cuda_fp8.h: every half, bfloat16 and many floats and doubles to 8 bits, and all of these back; a digest for each.
#include <cuda_fp8.h>

#include "digests.cuh"

template <class T>
__host__ __device__ unsigned long long bits(T x) {
    unsigned long long words[2] = {};
    memcpy(words, &x, sizeof(x));
    return words[0] * 3 + words[1];
}
__host__ __device__ unsigned long long bits(float x) {
    unsigned u;
    memcpy(&u, &x, 4);
    return x != x ? 0x7fffffffu : u;
}
__host__ __device__ unsigned long long bits(float2 x) { return bits(x.x) * 3 + bits(x.y); }
__host__ __device__ unsigned long long bits(float4 x) {
    return bits(x.x) * 27 + bits(x.y) * 9 + bits(x.z) * 3 + bits(x.w);
}

// clang-format off
#define RAW(F, kind, name)                                                                                        \
    F(half_##name, __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, kind))                                              \
    F(half_no_##name, __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, kind))                                               \
        F(bfloat_##name, __nv_cvt_bfloat16raw_to_fp8(b, __NV_SATFINITE, kind))                                    \
            F(bfloat_no_##name, __nv_cvt_bfloat16raw_to_fp8(b, __NV_NOSAT, kind))                                 \
                F(float_##name, __nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind))                                   \
                    F(float_no_##name, __nv_cvt_float_to_fp8(f, __NV_NOSAT, kind))                                \
                        F(double_##name, __nv_cvt_double_to_fp8(d, __NV_SATFINITE, kind))                         \
                            F(double_no_##name, __nv_cvt_double_to_fp8(d, __NV_NOSAT, kind))                      \
                                F(pair_##name, __nv_cvt_float2_to_fp8x2(make_float2(f, g), __NV_SATFINITE, kind)) \
                                    F(back_##name, __nv_cvt_fp8_to_halfraw(i & 255, kind).x)                      \
                                        F(pair_back_##name, __nv_cvt_fp8x2_to_halfraw2(i, kind))
#define CLASSES(F, type, name)                                                                                    \
    F(c_float_##name, __nv_fp8_##type(f).__x)                                                                     \
    F(c_double_##name, __nv_fp8_##type(d).__x) F(c_int_##name, __nv_fp8_##type((int)i - 900).__x)                 \
        F(c_two_##name, __nv_fp8x2_##type(make_float2(f, g)).__x)                                                 \
            F(c_four_##name, __nv_fp8x4_##type(make_float4(f, g, g, f)).__x)                                      \
                F(to_float_##name, static_cast<float>(__nv_fp8_##type(f)))                                        \
                    F(to_int_##name, static_cast<int>(__nv_fp8_##type(f)))                                        \
                        F(to_uchar_##name, static_cast<unsigned char>(__nv_fp8_##type(f)))                        \
                            F(to_bool_##name, static_cast<bool>(__nv_fp8_##type(f)))                              \
                                F(to_float2_##name, static_cast<float2>(__nv_fp8x2_##type(make_float2(f, g)))) F( \
                                    to_float4_##name, static_cast<float4>(__nv_fp8x4_##type(make_float4(f, g, g, f))))
#define POWERS(F, name, mode)                                                                                     \
    F(bfloat_##name, __nv_cvt_bfloat16raw_to_e8m0(b, __NV_SATFINITE, mode))                                       \
    F(bfloat_no_##name, __nv_cvt_bfloat16raw_to_e8m0(b, __NV_NOSAT, mode))                                        \
        F(float_##name, __nv_cvt_float_to_e8m0(wide, __NV_SATFINITE, mode))                                       \
            F(float_no_##name, __nv_cvt_float_to_e8m0(wide, __NV_NOSAT, mode))                                    \
                F(double_##name, __nv_cvt_double_to_e8m0(wide * (1 + 0x1p-40), __NV_SATFINITE, mode))             \
                    F(pair_##name, __nv_cvt_float2_to_e8m0x2(make_float2(wide, g), __NV_SATFINITE, mode))
#define POWER_CLASSES(F)                                                                                          \
    F(e8m0_back, __nv_cvt_e8m0x2_to_bf162raw(i))                                                                  \
    F(e8m0_half, __nv_fp8_e8m0(__half(h)).__x) F(e8m0_int, __nv_fp8_e8m0((int)i).__x)                             \
        F(e8m0_long, __nv_fp8_e8m0((i % 2 ? 1ll : -1ll) * ((1ll << i % 60) + i % 3)).__x)                                                 \
            F(e8m0_float, static_cast<float>(power)) F(e8m0_double, static_cast<double>(power))                   \
                F(e8m0_to_half, __half_raw(static_cast<__half>(power)))                                           \
                    F(e8m0_to_char, static_cast<char>(power)) F(e8m0_to_uchar, static_cast<unsigned char>(power)) \
                        F(e8m0_to_ushort, static_cast<unsigned short>(power)) F(e8m0_to_int, static_cast<int>(power)) \
                            F(e8m0_to_long, static_cast<long long>(power))                                        \
                                F(e8m0_to_ulong, static_cast<unsigned long long>(power))                          \
                                    F(e8m0_four, __nv_fp8x4_e8m0(make_float4(wide, f, g, f)).__x)                 \
                                        F(e8m0_to_four, static_cast<float4>(__nv_fp8x4_e8m0(make_float4(wide, f, g, f))))
#define FUNCTIONS(F)                                                                                      \
    RAW(F, __NV_E4M3, e4m3)                                                                               \
    RAW(F, __NV_E5M2, e5m2) CLASSES(F, e4m3, e4m3) CLASSES(F, e5m2, e5m2) POWERS(F, down, cudaRoundZero)  \
        POWERS(F, up, cudaRoundPosInf) POWER_CLASSES(F)
// clang-format on

__host__ __device__ float number(unsigned i) {
    const unsigned u = mixed(i), word = (u & 0x80000000u) | (u % 61 == 0 ? 255 : 127 - 22 + u % 42) << 23 |
                                        (u % 3 ? u >> 9 & 0x7fffffu : u % 5 << 20);
    float x;
    memcpy(&x, &word, 4);
    return x;
}
#define ARGUMENTS                                                   \
    __half_raw h;                                                   \
    __nv_bfloat16_raw b;                                            \
    h.x = b.x = static_cast<unsigned short>(i);                     \
    const float f = number(i), g = number(i + 100000);              \
    const double d = f + (i % 3 ? 0x1p-40 * f : 0.0);               \
    float wide; /* of every exponent, some of them powers of two */ \
    const unsigned word = i % 7 ? mixed(i) : i << 23;               \
    memcpy(&wide, &word, 4);                                        \
    __nv_fp8_e8m0 power;                                            \
    power.__x = static_cast<unsigned char>(i);                      \
    (void)h, (void)b, (void)d, (void)g, (void)wide, (void)power;
#define ADD(name, expression) digest_here(sums, at++, i, bits(expression));
#define NAME(name, expression) #name,
const char* const names[] = {FUNCTIONS(NAME)};

__global__ void kernel(unsigned long long* sums) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = 0;
    ARGUMENTS
    FUNCTIONS(ADD)
}

int main() {
    unsigned long long *device, sums[std::size(names)] = {};
    cudaMallocManaged(&device, sizeof(sums));
    kernel<<<256, 256>>>(device);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n");
    for (unsigned i = 0; i < 65536; i += 7) {
        int at = 0;
        ARGUMENTS
        FUNCTIONS(ADD)
    }
    for (std::size_t k = 0; k < std::size(names); ++k) {
        print_digest("fp8", "device", names[k], device[k]);
        print_digest("fp8", "host", names[k], sums[k]);
    }
}
