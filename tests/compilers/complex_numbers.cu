// cuComplex.h over numbers of every size: a digest for each function, on both sides.
#include <cuComplex.h>

#include "digests.cuh"

template <class T>
__host__ __device__ unsigned long long bits(T x) {
    unsigned long long u = 0;
    memcpy(&u, &x, sizeof(x));
    return x != x ? 0x7fffffffull : u;
}
__host__ __device__ unsigned long long bits(cuFloatComplex x) {
    return bits(x.x) * 3 + bits(x.y) * 0x9e3779b97f4a7c15ull;
}
__host__ __device__ unsigned long long bits(cuDoubleComplex x) {
    return bits(x.x) * 3 + bits(x.y) * 0x9e3779b97f4a7c15ull;
}

// clang-format off
#define FUNCTIONS(F)                                                                                                   \
    F(addf, cuCaddf(a, b))                                                                                             \
    F(subf, cuCsubf(a, b)) F(mulf, cuCmulf(a, b)) F(divf, cuCdivf(a, b)) F(absf, cuCabsf(a)) F(fmaf, cuCfmaf(a, b, c)) \
        F(conjf, cuConjf(a)) F(to_double, cuComplexFloatToDouble(a)) F(add, cuCadd(x, y)) F(sub, cuCsub(x, y))         \
            F(mul, cuCmul(x, y)) F(div, cuCdiv(x, y)) F(abs, cuCabs(x)) F(fma, cuCfma(x, y, z)) F(conj, cuConj(x))     \
                F(to_float, cuComplexDoubleToFloat(x)) F(real, cuCrealf(a) + cuCreal(x))                               \
                    F(imag, cuCimagf(b) + cuCimag(y))
// clang-format on

// A float of any exponent within reach; some are zero or infinite.
__host__ __device__ float number(unsigned i) {
    const unsigned u = mixed(i);
    float x;
    const unsigned field = u % 61 == 0 ? 0 : u % 67 == 0 ? 255 : 127 - 40 + u % 80;
    const unsigned word = (u & 0x80000000u) | field << 23 | (field % 255 ? u >> 9 & 0x7fffffu : 0);
    memcpy(&x, &word, 4);
    return x;
}
__host__ __device__ double wide(unsigned i) { return number(i) / (3.0 + number(i + 7) * 0x1p-60); }

#define ARGUMENTS                                                                       \
    const cuFloatComplex a = make_cuComplex(number(6 * i), number(6 * i + 1)),          \
                         b = make_cuFloatComplex(number(6 * i + 2), number(6 * i + 3)), \
                         c = make_cuFloatComplex(number(6 * i + 4), number(6 * i + 5)); \
    const cuDoubleComplex x = make_cuDoubleComplex(wide(6 * i), wide(6 * i + 1)),       \
                          y = make_cuDoubleComplex(wide(6 * i + 2), wide(6 * i + 3)),   \
                          z = make_cuDoubleComplex(wide(6 * i + 4), wide(6 * i + 5));
// A kernel for each function, and arguments from memory: compilers share products between two functions, and swap the
// factors of those that they know, and then fuse others.
#define KERNEL(name, expression)                                                                                 \
    __global__ void name##_kernel(unsigned long long* sums, const cuFloatComplex* f, const cuDoubleComplex* d) { \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                                \
        const cuFloatComplex a = f[3 * i], b = f[3 * i + 1], c = f[3 * i + 2];                                   \
        const cuDoubleComplex x = d[3 * i], y = d[3 * i + 1], z = d[3 * i + 2];                                  \
        (void)a, (void)b, (void)c, (void)x, (void)y, (void)z;                                                    \
        digest_here(sums, 0, i, bits(expression));                                                               \
    }
FUNCTIONS(KERNEL)

constexpr unsigned kCount = 4096;

#define RUN(name, expression)                                       \
    sums[0] = host[0] = 0;                                          \
    name##_kernel<<<kCount / 128, 128>>>(sums, f, d);               \
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n"); \
    for (unsigned i = 0; i < kCount; ++i) {                         \
        ARGUMENTS                                                   \
        digest_here(host, 0, i, bits(expression));                  \
    }                                                               \
    print_digest("complex", "device", #name, sums[0]);              \
    print_digest("complex", "host", #name, host[0]);

int main() {
    unsigned long long *sums, host[1];
    cuFloatComplex* f;
    cuDoubleComplex* d;
    cudaMallocManaged(&sums, sizeof(*sums));
    cudaMallocManaged(&f, 3 * kCount * sizeof(*f));
    cudaMallocManaged(&d, 3 * kCount * sizeof(*d));
    for (unsigned i = 0; i < kCount; ++i) {
        ARGUMENTS
        f[3 * i] = a, f[3 * i + 1] = b, f[3 * i + 2] = c;
        d[3 * i] = x, d[3 * i + 1] = y, d[3 * i + 2] = z;
    }
    FUNCTIONS(RUN)
}
