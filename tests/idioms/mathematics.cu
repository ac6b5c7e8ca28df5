// Mathematical functions whose results are given to the bit, or are rounded enough that releases of a library agree.
// options: --compile-flags=--expt-relaxed-constexpr
#include <math_constants.h>
#include <cmath>

#include "idioms.cuh"

__global__ void directed(float* out, double* wide) {
    const float x = 1.0f + threadIdx.x * 0.37f, y = 0.1f * threadIdx.x + 0.3f;
    float* o = out + threadIdx.x * 16;
    o[0] = __fadd_rn(x, y), o[1] = __fadd_rz(x, y), o[2] = __fadd_ru(x, y), o[3] = __fadd_rd(x, y);
    o[4] = __fmul_rn(x, y), o[5] = __fmul_ru(x, y), o[6] = __fmaf_rz(x, y, x), o[7] = __fdiv_rn(x, y);
    o[8] = __fdiv_rd(x, y), o[9] = __frcp_rn(x), o[10] = __fsqrt_rn(x), o[11] = __fsqrt_ru(x);
    o[12] = __fsub_rz(x, y), o[13] = __fmaf_rn(x, y, -x), o[14] = __frsqrt_rn(x), o[15] = __frcp_ru(x);
    double* w = wide + threadIdx.x * 8;
    const double a = x, b = y;
    w[0] = __dadd_rz(a, b), w[1] = __dmul_ru(a, b), w[2] = __fma_rd(a, b, a), w[3] = __ddiv_rn(a, b);
    w[4] = __dsqrt_rn(a), w[5] = __drcp_rn(a), w[6] = __dsub_rd(a, b), w[7] = __ddiv_ru(b, a);
}
IDIOM(directed_rounding) {
    Buffer<float> out(32 * 16);
    Buffer<double> wide(32 * 8);
    directed<<<1, 32>>>(out, wide);
    report.add(out), report.add(wide);
    report.check(out[7] == 1.0f / 0.3f && wide[4] == 1.0);
}

__global__ void exact(float* out) {
    const float x = (static_cast<int>(threadIdx.x) - 16) * 0.73f;
    float* o = out + threadIdx.x * 16;
    int exponent = 0;
    float whole = 0;
    o[0] = floorf(x), o[1] = ceilf(x), o[2] = truncf(x), o[3] = rintf(x), o[4] = roundf(x), o[5] = fabsf(x);
    o[6] = fmodf(x, 1.5f), o[7] = copysignf(2.0f, x), o[8] = ldexpf(x, 3), o[9] = frexpf(x, &exponent) + exponent;
    o[10] = modff(x, &whole) + 10 * whole, o[11] = nextafterf(x, 100.0f), o[12] = fdimf(x, 1.0f),
    o[13] = remainderf(x, 2.0f);
    o[14] = fmaf(x, x, 1.0f), o[15] = scalbnf(x, -2) + logbf(x + 20.0f) + ilogbf(x + 20.0f);
}
IDIOM(functions_that_are_exact) {
    Buffer<float> out(32 * 16);
    exact<<<1, 32>>>(out);
    report.add(out);
    for (int i = 0; i < 32; ++i) {
        const float x = (i - 16) * 0.73f;
        report.check(out[i * 16 + 4] == roundf(x) && out[i * 16 + 6] == fmodf(x, 1.5f) &&
                     out[i * 16 + 13] == remainderf(x, 2.0f));
    }
}

__global__ void conversions(int* out, long long* wide) {
    const float x = (static_cast<int>(threadIdx.x) - 16) * 1.5f;
    int* o = out + threadIdx.x * 8;
    o[0] = __float2int_rn(x), o[1] = __float2int_rz(x), o[2] = __float2int_ru(x), o[3] = __float2int_rd(x);
    o[4] = __float2uint_rz(x), o[5] = static_cast<int>(lrintf(x)), o[6] = __double2int_rn(x),
    o[7] = static_cast<int>(x);
    wide[threadIdx.x] =
        __float2ll_rd(x) + __double2ll_rn(x * 1e12) + llroundf(x) + static_cast<long long>(__int2float_rz(16777217));
}
IDIOM(conversions_with_rounding) {
    Buffer<int> out(32 * 8);
    Buffer<long long> wide(32);
    conversions<<<1, 32>>>(out, wide);
    report.add(out), report.add(wide);
    report.check(out[0] == -24 && out[8] == -22 && out[9] == -22);
}

__global__ void rounded_functions(int* out) {
    const float x = 0.05f + threadIdx.x * 0.11f;
    const double d = x;
    int* o = out + threadIdx.x * 16;
    auto rounded = [](double v) { return static_cast<int>(rint(v * 1e4)); };
    o[0] = rounded(sinf(x)), o[1] = rounded(cosf(x)), o[2] = rounded(tanhf(x)), o[3] = rounded(expf(x)),
    o[4] = rounded(logf(x));
    o[5] = rounded(powf(x, 1.7f)), o[6] = rounded(atan2f(x, 0.5f)), o[7] = rounded(erff(x)), o[8] = rounded(rsqrtf(x));
    o[9] = rounded(cbrtf(x)), o[10] = rounded(hypotf(x, 2)), o[11] = rounded(sin(d) + exp(d)),
    o[12] = rounded(lgamma(d + 1));
    o[13] = rounded(log1pf(x) + expm1f(x)), o[14] = rounded(exp2f(x) + log2f(x) + log10f(x)),
    o[15] = rounded(tgammaf(x + 1));
}
IDIOM(functions_to_four_places) {
    Buffer<int> out(32 * 16);
    rounded_functions<<<1, 32>>>(out);
    report.add(out);
    for (int i = 0; i < 32; ++i) report.check(std::abs(out[i * 16] - std::rint(std::sin(0.05 + i * 0.11) * 1e4)) <= 1);
}

__global__ void fast_functions(int* out) {
    const float x = 0.3f + threadIdx.x * 0.07f;
    float s, c;
    __sincosf(x, &s, &c);
    auto rounded = [](float v) { return __float2int_rn(v * 1000); };
    int* o = out + threadIdx.x * 8;
    o[0] = rounded(__sinf(x) + s), o[1] = rounded(__cosf(x) + c), o[2] = rounded(__expf(x)), o[3] = rounded(__logf(x));
    o[4] = rounded(__powf(x, 2.5f)), o[5] = rounded(__fdividef(x, 3.0f)), o[6] = rounded(__log2f(x) + __log10f(x)),
    o[7] = rounded(__saturatef(x) + __tanf(x / 4) + __exp10f(x / 2));
}
IDIOM(fast_functions_to_three_places) {
    Buffer<int> out(32 * 8);
    fast_functions<<<1, 32>>>(out);
    report.add(out);
    for (int i = 0; i < 32; ++i) report.check(std::abs(out[i * 8 + 5] - (0.3 + i * 0.07) / 3 * 1000) < 1);
}

__global__ void special_values(unsigned* out) {
    const float inf = CUDART_INF_F, nan = CUDART_NAN_F, zero = threadIdx.x * 0.0f;
    unsigned r = 0;
    r |= isinf(inf) ? 1 : 0, r |= isnan(nan) ? 2 : 0, r |= isfinite(1.0f) ? 4 : 0, r |= signbit(-zero) ? 8 : 0;
    r |= fminf(nan, 3.0f) == 3.0f ? 16 : 0, r |= fmaxf(-inf, -5.0f) == -5.0f ? 32 : 0, r |= 1.0f / zero == inf ? 64 : 0;
    r |= nan != nan ? 128 : 0, r |= isnan(sqrtf(-1.0f - zero)) ? 256 : 0, r |= inf - inf == 0 ? 0 : 512;
    r |= max(3, 5) == 5 && min(2.5, 1.0) == 1.0 && max(7u, 2u) == 7 ? 1024 : 0, r |= isnormal(1e-40f + zero) ? 0 : 2048;
    r |= std::isnan(nan) && !std::isinf(1.0) ? 4096 : 0,
        r |= __float_as_uint(copysignf(0.0f, -1)) == 0x80000000u ? 8192 : 0;
    out[threadIdx.x] = r;
}
IDIOM(special_values_of_floats) {
    Buffer<unsigned> out(2);
    special_values<<<1, 2>>>(out);
    report.expect(out, [](int) { return 16383; });
}

__global__ void standard_names(double* out) {
    const double x = threadIdx.x * 0.5;
    out[threadIdx.x] = std::sqrt(x) + std::abs(-x) + std::floor(x) + std::fabs(x - 3) + std::max(1, 2) +
                       std::min(x, 4.0) + std::fma(x, x, 1.0) + std::sqrt(4.0f) + std::abs(-7) + std::fmax(x, 2.0) +
                       std::trunc(x) + std::ceil(1.5f);
}
IDIOM(names_of_std_in_device_code) {
    Buffer<double> out(20);
    standard_names<<<1, 20>>>(out);
    report.expect(out, [](int i) {
        const double x = i * 0.5;
        return std::sqrt(x) + std::abs(-x) + std::floor(x) + std::fabs(x - 3) + 2 + std::fmin(x, 4.0) +
               std::fma(x, x, 1.0) + 2.0 + 7 + std::fmax(x, 2.0) + std::trunc(x) + 2;
    });
}

__global__ void norms(float* out) {
    const float v[3] = {threadIdx.x * 3.0f, threadIdx.x * 4.0f, 0};
    out[threadIdx.x] = rintf(norm3df(v[0], v[1], v[2]) + normf(3, v) + hypotf(v[0], v[1]) + rnorm3df(3, 4, 0) * 5);
    float s, c;
    sincospif(threadIdx.x * 0.5f, &s, &c);
    out[threadIdx.x] += 100 * s + 1000 * c + 10000 * sinpif(threadIdx.x * 0.5f) + cospif(0.0f);
}
IDIOM(norms_and_multiples_of_pi) {
    Buffer<float> out(8);
    norms<<<1, 8>>>(out);
    report.expect(out, [](int i) {
        const int s[] = {0, 1, 0, -1}, c[] = {1, 0, -1, 0};
        return i * 15 + 1 + 100 * s[i % 4] + 1000 * c[i % 4] + 10000 * s[i % 4] + 1;
    });
}

template <class T>
__host__ __device__ T newton_root(T x) {
    T guess = x > 1 ? x / 2 : x;
    for (int i = 0; i < 20; ++i) guess = (guess + x / guess) / 2;
    return guess;
}
__global__ void roots(double* out) {
    out[threadIdx.x] = newton_root(threadIdx.x + 1.0) + newton_root(threadIdx.x + 1.0f);
}
IDIOM(newton_on_both_sides) {
    Buffer<double> out(32);
    roots<<<1, 32>>>(out);
    report.expect(out, [](int i) { return newton_root(i + 1.0) + newton_root(i + 1.0f); });
}

__global__ void kahan(const float* x, int n, float* out) {
    float sum = 0, lost = 0;
    for (int i = 0; i < n; ++i) {
        const float y = __fsub_rn(x[i], lost), t = __fadd_rn(sum, y);
        lost = __fsub_rn(__fsub_rn(t, sum), y);
        sum = t;
    }
    *out = sum;
}
IDIOM(compensated_sum) {
    Buffer<float> x(2000), out(1);
    for (int i = 0; i < 2000; ++i) x[i] = 1.0f / (i + 1);
    kahan<<<1, 1>>>(x, 2000, out);
    double sum = 0;
    for (int i = 0; i < 2000; ++i) sum += x[i];
    report.expect(out, [&](int) { return sum; });
}
