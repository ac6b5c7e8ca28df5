// Functions of mathematics in both precisions, exact and fast, and roundings by name.
#include "fourfold.cuh"

__global__ void doubles(const double* in, double* out, int count) {
    const int i = threadIdx.x;
    if (i >= count) return;
    const double x = in[i];
    double* to = out + i * 10;
    to[0] = exp(x), to[1] = log1p(x), to[2] = sin(x) * cos(x), to[3] = atan2(x, 2.0), to[4] = cbrt(x);
    to[5] = erf(x), to[6] = tgamma(x + 1), to[7] = hypot(x, 3.0), to[8] = fmod(x * 7, 1.3), to[9] = sinh(x);
}
__global__ void floats(const double* in, float* out, int count) {
    const int i = threadIdx.x;
    if (i >= count) return;
    const float x = static_cast<float>(in[i]);
    float* to = out + i * 10;
    int exponent;
    float whole;
    to[0] = __expf(x) + __logf(x) + __sinf(x) + __powf(x, 1.5f), to[1] = __fadd_ru(x, 0.1f) - __fadd_rd(x, 0.1f),
    to[2] = __fdiv_rz(x, 3.0f);
    to[3] = __fsqrt_ru(x), to[4] = j0f(x), to[5] = lgammaf(x + 2),
    to[6] = rintf(x * 4) + truncf(-x) + ceilf(x) + floorf(-x);
    to[7] = frexpf(x * 9, &exponent) + exponent, to[8] = modff(x * 5, &whole) + whole,
    to[9] = nextafterf(x, 9) - x + copysignf(x, -1.0f);
}

int main() {
    constexpr int count = 50;
    const std::vector<double> values = numbers<double>(count, 0.01, 4);
    std::vector<double> expected;
    for (const double x : values)
        for (const double y :
             {std::exp(x), std::log1p(x), std::sin(x) * std::cos(x), std::atan2(x, 2.0), std::cbrt(x), std::erf(x),
              std::tgamma(x + 1), std::hypot(x, 3.0), std::fmod(x * 7, 1.3), std::sinh(x)})
            expected.push_back(y);
    const Buffer<double> in(values), out(count * 10);
    const Buffer<float> small(count * 10);
    doubles<<<1, 64>>>(in, out, count);
    floats<<<1, 64>>>(in, small, count);
    tell("single", small.host());
    return near("double", out.host(), expected, 1e-12);
}
