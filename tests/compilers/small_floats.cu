// __half and __nv_bfloat16 over all their values: a digest for each function, the same through every compiler that has
// the toolkit's headers or ours.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "digests.cuh"

template <class T>
struct Kind;
template <>
struct Kind<__half> {
    using Pair = __half2;
    static constexpr const char* name = "half";
    __host__ __device__ static __half of(unsigned short bits) { return __ushort_as_half(bits); }
    __host__ __device__ static unsigned bits(__half x) { return __half_as_ushort(x); }
};
template <>
struct Kind<__nv_bfloat16> {
    using Pair = __nv_bfloat162;
    static constexpr const char* name = "bfloat16";
    __host__ __device__ static __nv_bfloat16 of(unsigned short bits) { return __ushort_as_bfloat16(bits); }
    __host__ __device__ static unsigned bits(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
};
__host__ __device__ unsigned bits(__half x) { return Kind<__half>::bits(x); }
__host__ __device__ unsigned bits(__nv_bfloat16 x) { return Kind<__nv_bfloat16>::bits(x); }
__host__ __device__ unsigned bits(__half2 x) { return bits(x.x) | bits(x.y) << 16; }
__host__ __device__ unsigned bits(__nv_bfloat162 x) { return bits(x.x) | bits(x.y) << 16; }
__host__ __device__ unsigned bits(float x) {
    unsigned u;
    memcpy(&u, &x, 4);
    return x != x ? 0x7fffffffu : u;
}
template <class T>
__host__ __device__ unsigned long long bits(T x) {
    return static_cast<unsigned long long>(x);
}

// What is asked of one element a, of b and c beside it, of pairs x, y and z, and of an integer n. On both sides: all,
// but the sign and payload of a NaN is whatever it likes to be.
// clang-format off
#define EITHER_SIDE(F)                                                                                                 \
    F(to_float, static_cast<float>(a))                                                                                 \
    F(to_int, static_cast<int>(a)) F(to_uchar, static_cast<unsigned char>(a)) F(                                       \
        to_schar, static_cast<signed char>(a)) F(to_ull, static_cast<unsigned long long>(a))                           \
        F(to_ll, static_cast<long long>(a)) F(to_short, static_cast<short>(a)) F(to_bool, static_cast<bool>(a)) F(     \
            from_int, T(static_cast<int>(n))) F(from_uint, T(static_cast<unsigned>(n))) F(from_ll, T(n))               \
            F(from_ull, T(static_cast<unsigned long long>(n))) F(from_short, T(static_cast<short>(n))) F(              \
                from_double, T(static_cast<double>(n) * 0x1p-40)) F(from_float, T(static_cast<float>(n) * 0x1p-30f))   \
                F(heq, __heq(a, b)) F(hne, __hne(a, b)) F(hle, __hle(a, b)) F(hge, __hge(a, b)) F(hlt, __hlt(a, b))    \
                    F(hgt, __hgt(a, b)) F(hequ, __hequ(a, b)) F(hneu, __hneu(a, b)) F(hleu, __hleu(a, b)) F(           \
                        hgeu, __hgeu(a, b)) F(hltu, __hltu(a, b)) F(hgtu, __hgtu(a, b))                                \
                        F(heq2, __heq2(x, y)) F(hltu2, __hltu2(x, y)) F(hne2, __hne2(x, y)) F(hgeu2, __hgeu2(x, y)) F( \
                            hgt2_mask, __hgt2_mask(x, y))                                                              \
                            F(hneu2_mask, __hneu2_mask(x, y)) F(hble2, __hble2(x, y)) F(hbneu2, __hbneu2(x, y)) F(     \
                                hisnan, __hisnan(a)) F(hisnan2, __hisnan2(x))                                          \
                                F(hisinf, __hisinf(a)) F(hmax, __hmax(a, b)) F(hmin, __hmin(a, b))                     \
                                    F(hmax_nan, __hmax_nan(a, b)) F(hmin_nan, __hmin_nan(a, b)) F(                     \
                                        hmax2, __hmax2(x, y)) F(hmin2_nan, __hmin2_nan(x, y))                          \
                                        F(hadd, __hadd(a, b)) F(hsub, __hsub(a, b)) F(hmul, __hmul(a, b))              \
                                            F(hdiv, __hdiv(a, b)) F(hadd2, __hadd2(x, y))                              \
                                                F(hmul2_rn, __hmul2_rn(x, y)) F(h2div, __h2div(x, y))                  \
                                                    F(hadd_sat, __hadd_sat(a, b)) F(hsub2_sat, __hsub2_sat(x, y))      \
                                                        F(hmul_sat, __hmul_sat(a, b)) F(lowhigh, __lowhigh2highlow(x)) \
                                                            F(operators, a + b - c)                                    \
                                                                F(pair_operators, (x + y) * z - x) F(pair_div, x / y)  \
                                                                    F(equal, a == b) F(unequal, a != b)                \
                                                                        F(pair_equal, x == y) F(pair_unequal, x != y)  \
                                                                            F(pair_less, x < y)
#define DEVICE_SIDE(F)                                                                                               \
    F(hfma, __hfma(a, b, c))                                                                                         \
    F(hfma_sat, __hfma_sat(a, b, c)) F(hfma_relu, __hfma_relu(a, b, c)) F(hfma2, __hfma2(x, y, z))                   \
        F(hfma2_sat, __hfma2_sat(x, y, z)) F(hfma2_relu, __hfma2_relu(x, y, z)) F(hcmadd, __hcmadd(x, y, z))         \
            F(hneg, __hneg(a)) F(habs, __habs(a)) F(hneg2, __hneg2(x)) F(hceil, hceil(a)) F(hfloor, hfloor(a))       \
                F(htrunc, htrunc(a)) F(hrint, hrint(a)) F(h2rint, h2rint(x)) F(hexp, hexp(a)) F(hexp2, hexp2(a))     \
                    F(hexp10, hexp10(a)) F(hlog, hlog(a)) F(hlog2, hlog2(a)) F(hlog10, hlog10(a)) F(hsin, hsin(a))   \
                        F(hcos, hcos(a)) F(hsqrt, hsqrt(a)) F(hrsqrt, hrsqrt(a)) F(hrcp, hrcp(a)) F(htanh, htanh(a)) \
                            F(htanh_approx, htanh_approx(a)) F(h2tanh, h2tanh(x)) F(h2exp, h2exp(x))                 \
                                F(shuffle, __shfl_xor_sync(0xffffffffu, a, 5))                                       \
                                    F(pair_shuffle, __shfl_down_sync(0xffffffffu, x, 3)) F(load, __ldg(in + i))      \
                                        F(pair_load, __ldcg(reinterpret_cast<const Pair*>(in) + i / 2))
#define HALF_SIDE(F)                                                                                                \
    F(int_rn, __half2int_rn(a))                                                                                     \
    F(int_rd, __half2int_rd(a)) F(int_ru, __half2int_ru(a)) F(uint_ru, __half2uint_ru(a)) F(ll_rn, __half2ll_rn(a)) \
        F(ushort_rd, __half2ushort_rd(a)) F(of_int_rz, __int2half_rz((int)n)) F(of_int_rd, __int2half_rd((int)n))   \
            F(of_ull_ru, __ull2half_ru(n)) F(of_ll_rd, __ll2half_rd(n))                                             \
                F(of_float_rz, __float2half_rz((float)n * 0x1p-30f))                                                \
                    F(of_float_rd, __float2half_rd((float)n * 0x1p-30f))                                            \
                        F(of_float_ru, __float2half_ru((float)n * 0x1p-30f)) F(low2, __low2half2(x))                \
                            F(highs, __highs2half2(x, y))
#define BFLOAT_SIDE(F)                                                                                              \
    F(int_rn, __bfloat162int_rn(a))                                                                                 \
    F(int_rd, __bfloat162int_rd(a)) F(int_ru, __bfloat162int_ru(a)) F(uint_ru, __bfloat162uint_ru(a))               \
        F(ll_rn, __bfloat162ll_rn(a)) F(ushort_rd, __bfloat162ushort_rd(a)) F(of_int_rz, __int2bfloat16_rz((int)n)) \
            F(of_int_rd, __int2bfloat16_rd((int)n)) F(of_ull_ru, __ull2bfloat16_ru(n))                              \
                F(of_ll_rd, __ll2bfloat16_rd(n)) F(of_float_rz, __float2bfloat16_rz((float)n * 0x1p-30f))           \
                    F(of_float_rd, __float2bfloat16_rd((float)n * 0x1p-30f))                                        \
                        F(of_float_ru, __float2bfloat16_ru((float)n * 0x1p-30f)) F(low2, __low2bfloat162(x))        \
                            F(highs, __highs2bfloat162(x, y)) F(from_half, __nv_bfloat16(__ushort_as_half(i)))      \
                                F(to_half, __half(a))
// clang-format on

#define ARGUMENTS                                                                                            \
    using Pair = typename Kind<T>::Pair;                                                                     \
    const unsigned short second = mixed(i) & 1 ? i ^ (mixed(i) >> 20) : mixed(i) >> 8;                       \
    const unsigned short third = mixed(i + 77) >> 4;                                                         \
    T a = Kind<T>::of(i), b = Kind<T>::of(second), c = Kind<T>::of(third);                                   \
    const Pair x(a, b), y(b, c), z(c, a);                                                                    \
    const unsigned spread = mixed(i + 12345);                                                                \
    const long long n =                                                                                      \
        static_cast<long long>((static_cast<unsigned long long>(mixed(i)) << 32) | spread) >> (spread % 64); \
    (void)x, (void)y, (void)z, (void)n;

#define ADD(name, expression) digest_here(sums, at++, i, bits(expression));
#define NAME(name, expression) #name,
#define ON_DEVICE(group, list)                                                                \
    template <class T>                                                                        \
    __global__ void group##_kernel(unsigned long long* sums, const T* in, unsigned* failed) { \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                             \
        int at = 0;                                                                           \
        ARGUMENTS(void) in, (void)failed;                                                     \
        list(ADD)                                                                             \
    }                                                                                         \
    const char* const group##_names[] = {list(NAME)};
ON_DEVICE(either, EITHER_SIDE)
ON_DEVICE(device, DEVICE_SIDE)
ON_DEVICE(half, HALF_SIDE)
ON_DEVICE(bfloat, BFLOAT_SIDE)

template <class T>
void host_side() {
    unsigned long long sums[std::size(either_names)] = {};
    for (unsigned i = 0; i < 65536; i += 3) {
        int at = 0;
        ARGUMENTS
        EITHER_SIDE(ADD)
    }
    for (std::size_t k = 0; k < std::size(either_names); ++k)
        print_digest(Kind<T>::name, "host", either_names[k], sums[k]);
}

template <class T, std::size_t N, class Kernel>
void device_side(Kernel kernel, const char* const (&names)[N], const T* in) {
    unsigned long long* sums;
    cudaMallocManaged(&sums, sizeof(*sums) * N);
    kernel<<<65536 / 256, 256>>>(sums, in, nullptr);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n");
    for (std::size_t k = 0; k < N; ++k) print_digest(Kind<T>::name, "device", names[k], sums[k]);
    cudaFree(sums);
}

template <class T>
T* all_values() {
    T* in;
    cudaMallocManaged(&in, 65536 * sizeof(T));
    for (unsigned i = 0; i < 65536; ++i) in[i] = Kind<T>::of(i);
    return in;
}

int main() {
    const __half* halves = all_values<__half>();
    const __nv_bfloat16* bfloats = all_values<__nv_bfloat16>();
    device_side<__half>(either_kernel<__half>, either_names, halves);
    device_side<__nv_bfloat16>(either_kernel<__nv_bfloat16>, either_names, bfloats);
    device_side<__half>(device_kernel<__half>, device_names, halves);
    device_side<__nv_bfloat16>(device_kernel<__nv_bfloat16>, device_names, bfloats);
    device_side<__half>(half_kernel<__half>, half_names, halves);
    device_side<__nv_bfloat16>(bfloat_kernel<__nv_bfloat16>, bfloat_names, bfloats);
    host_side<__half>();
    host_side<__nv_bfloat16>();
}
