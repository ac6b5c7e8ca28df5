// Every mathematical function and arithmetic intrinsic that our headers supply, in float, double and integers.
#include <cmath>

__global__ void floats(float* o, const float* a, int n) {
    const float x = a[0], y = a[1], z = a[2];
    float s, c;
    int k;
    *o++ = sinf(x) + cosf(x) + tanf(x) + asinf(x) + acosf(x) + atanf(x) + atan2f(x, y);
    *o++ = sinhf(x) + coshf(x) + tanhf(x) + asinhf(x) + acoshf(x) + atanhf(x);
    *o++ = expf(x) + exp2f(x) + exp10f(x) + expm1f(x) + logf(x) + log2f(x) + log10f(x) + log1pf(x);
    *o++ = powf(x, y) + sqrtf(x) + rsqrtf(x) + cbrtf(x) + rcbrtf(x) + hypotf(x, y) + rhypotf(x, y);
    *o++ = fabsf(x) + floorf(x) + ceilf(x) + truncf(x) + rintf(x) + nearbyintf(x) + roundf(x);
    *o++ = fminf(x, y) + fmaxf(x, y) + fmaf(x, y, z) + fmodf(x, y) + remainderf(x, y) + fdimf(x, y) + copysignf(x, y);
    *o++ = erff(x) + erfcf(x) + erfinvf(x) + erfcinvf(x) + erfcxf(x) + lgammaf(x) + tgammaf(x) + normcdff(x);
    *o++ = ldexpf(x, n) + scalbnf(x, n) + frexpf(x, &k) + modff(x, &s) + k + s + logbf(x) + ilogbf(x);
    sincosf(x, &s, &c);
    *o++ = s * c + sinpif(x) + cospif(x) + nextafterf(x, y) + j0f(x) + j1f(x) + y0f(x) + y1f(x);
    *o++ = remquof(x, y, &k) + k + normf(n, a) + rnormf(n, a);
    *o++ = lrintf(x) + llrintf(x) + lroundf(x) + llroundf(x);
    *o++ = isnan(x) + isinf(x) + isfinite(x) + signbit(x);
    *o++ = __sinf(x) + __cosf(x) + __tanf(x) + __expf(x) + __exp10f(x) + __logf(x) + __log2f(x) + __log10f(x);
    *o++ = __powf(x, y) + __fdividef(x, y) + __saturatef(x) + __frsqrt_rn(x);
    __sincosf(x, &s, &c);
    *o++ = s + c + norm3df(x, y, z) + rnorm3df(x, y, z);
    *o++ = __fadd_rn(x, y) + __fadd_rz(x, y) + __fadd_ru(x, y) + __fadd_rd(x, y) + __fsub_rz(x, y) + __fmul_ru(x, y);
    *o++ = __fmaf_rn(x, y, z) + __fmaf_rz(x, y, z) + __fdiv_rn(x, y) + __fdiv_rd(x, y) + __frcp_rn(x) + __fsqrt_rz(x);
    *o++ = std::sin(x) + std::exp(x) + std::sqrt(x) + std::abs(x) + std::pow(x, y) + std::fma(x, y, z) + std::floor(x);
    *o++ = sin(x) + cos(x) + exp(x) + log(x) + sqrt(x) + rsqrt(x) + pow(x, 2) + abs(x) + fabs(x) + floor(x);
    *o++ = min(x, y) + max(x, y) + fmin(x, y) + fmax(x, 1.0f) + x / y + sqrtf(x) / 3.0f;
}

__global__ void doubles(double* o, const double* a, int n) {
    const double x = a[0], y = a[1], z = a[2];
    double s, c;
    int k;
    *o++ = sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + atan2(x, y) + sinh(x) + cosh(x) + tanh(x);
    *o++ = exp(x) + exp2(x) + exp10(x) + expm1(x) + log(x) + log2(x) + log10(x) + log1p(x) + pow(x, y) + cbrt(x);
    *o++ = sqrt(x) + rsqrt(x) + hypot(x, y) + fabs(x) + floor(x) + ceil(x) + trunc(x) + rint(x) + round(x);
    *o++ = fmin(x, y) + fmax(x, y) + fma(x, y, z) + fmod(x, y) + remainder(x, y) + fdim(x, y) + copysign(x, y);
    *o++ = erf(x) + erfc(x) + lgamma(x) + tgamma(x) + ldexp(x, n) + frexp(x, &k) + modf(x, &s) + k + s;
    sincos(x, &s, &c);
    *o++ = s * c + sinpi(x) + cospi(x) + isnan(x) + isinf(x) + isfinite(x) + signbit(x) + min(x, y) + max(x, y);
    *o++ = remquo(x, y, &k) + k + norm(n, a) + rnorm(n, a);
    *o++ = __dadd_rn(x, y) + __dsub_rd(x, y) + __dmul_rz(x, y) + __ddiv_ru(x, y) + __drcp_rn(x) + __dsqrt_rn(x);
    *o++ = __fma_rn(x, y, z) + x / y + llrint(x) + lround(x) + max(x, 1.0f);
}

__global__ void integers(int* o, const int* a, const unsigned* b, long long* w, double* d, float* f) {
    const int x = a[0], y = a[1];
    const unsigned u = b[0], v = b[1];
    const long long l = w[0];
    *o++ = abs(x) + min(x, y) + max(x, y) + (int)min(u, v) + (int)max(u, v) + (int)min(u, 3u) + (int)max(l, 7ll);
    *o++ = __popc(u) + __popcll(l) + __clz(x) + __clzll(l) + __ffs(x) + __ffsll(l) + (int)__brev(u) + (int)__brevll(l);
    *o++ = __mul24(x, y) + (int)__umul24(u, v) + __mulhi(x, y) + (int)__umulhi(u, v) + (int)__mul64hi(l, l);
    *o++ = (int)__byte_perm(u, v, 0x3210) + (int)__sad(x, y, u) + (int)__usad(u, v, u) + __hadd(x, y) + __rhadd(x, y);
    *o++ = (int)__funnelshift_l(u, v, 3) + (int)__funnelshift_r(u, v, 3) + (int)__funnelshift_lc(u, v, 40);
    *o++ = __dp4a(x, y, 1) + (int)__dp4a(u, v, 1u) + __dp2a_lo(x, y, 3);
    *o++ = __float_as_int(f[0]) + (int)__float_as_uint(f[0]) + __double2hiint(d[0]) + __double2loint(d[0]);
    f[1] = __int_as_float(x) + __uint_as_float(u) + __int2float_rn(x) + __uint2float_rz(u) + __ll2float_rn(l);
    d[1] = __hiloint2double(x, y) + __longlong_as_double(l) + __int2double_rn(x) + __ll2double_rn(l);
    w[1] = __double_as_longlong(d[0]) + __double2ll_rz(d[0]) + __float2ll_rn(f[0]);
    *o++ = __float2int_rn(f[0]) + __float2int_rz(f[0]) + __float2int_ru(f[0]) + __float2int_rd(f[0]);
    *o++ = (int)__float2uint_rn(f[0]) + __double2int_rz(d[0]) + (int)__double2uint_rn(d[0]);
    f[2] = __double2float_rn(d[0]) + __double2float_rz(d[0]);
}

int main() {
    float host = rsqrtf(4.0f) + fminf(1.0f, 2.0f) + max(1, 2) + min(1.0f, 2.0f);
    return host > 0 ? 0 : 1;
}
