// Functions of one half over all 65,536 of them: the correctly rounded result, to the bit. An H100 gives just that for
// hexp, hlog, hsqrt, hrsqrt and hrcp (checksums of its results, 25 November 2026); CUDA documents the same for the
// others. Of bfloat16, where the compiler has it: within one unit, two of hexp10.
#include <cuda_fp16.h>
#if defined(__NVCC__) && !defined(__clang__)
#include <cuda_bf16.h>
#define HAS_BFLOAT16 1
#endif

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#define FUNCTIONS(X)              \
    X(hexp, std::exp(x))          \
    X(hexp2, std::exp2(x))        \
    X(hexp10, std::pow(10.0L, x)) \
    X(hlog, std::log(x))          \
    X(hlog2, std::log2(x))        \
    X(hlog10, std::log10(x))      \
    X(hsin, std::sin(x))          \
    X(hcos, std::cos(x))          \
    X(hrcp, 1 / x)                \
    X(hrsqrt, 1 / std::sqrt(x))   \
    X(hsqrt, std::sqrt(x))

#define KERNEL(name, reference)                                                                              \
    __global__ void k_##name(unsigned short* out) {                                                          \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                            \
        out[i] = __half_as_ushort(name(__ushort_as_half(static_cast<unsigned short>(i))));                   \
    }                                                                                                        \
    __global__ void k_pair_##name(unsigned short* out) {                                                     \
        const unsigned i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);                                      \
        const __half2 r = h2##name##_(__halves2half2(__ushort_as_half(static_cast<unsigned short>(i)),       \
                                                     __ushort_as_half(static_cast<unsigned short>(i + 1)))); \
        out[i] = __half_as_ushort(__low2half(r));                                                            \
        out[i + 1] = __half_as_ushort(__high2half(r));                                                       \
    }
#define h2hexp_ h2exp
#define h2hexp2_ h2exp2
#define h2hexp10_ h2exp10
#define h2hlog_ h2log
#define h2hlog2_ h2log2
#define h2hlog10_ h2log10
#define h2hsin_ h2sin
#define h2hcos_ h2cos
#define h2hrcp_ h2rcp
#define h2hrsqrt_ h2rsqrt
#define h2hsqrt_ h2sqrt
FUNCTIONS(KERNEL)

#ifdef HAS_BFLOAT16
#define KERNEL16(name, reference)                                                                  \
    __global__ void k_b_##name(unsigned short* out) {                                              \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                  \
        out[i] = __bfloat16_as_ushort(name(__ushort_as_bfloat16(static_cast<unsigned short>(i)))); \
    }
FUNCTIONS(KERNEL16)
#endif

// A format of 16 bits: so many bits of fraction, the exponent of 1.
struct Format {
    int fraction, bias;
    int top() const { return (1 << (15 - fraction)) - 1; }

    long double value(unsigned bits) const {
        const int exponent = static_cast<int>(bits >> fraction) & top();
        const unsigned part = bits & ((1u << fraction) - 1);
        const long double sign = (bits & 0x8000u) != 0 ? -1 : 1;
        if (exponent == top()) return part == 0 ? sign * INFINITY : NAN;
        if (exponent == 0) return sign * std::ldexp(static_cast<long double>(part), 1 - bias - fraction);
        return sign * std::ldexp(static_cast<long double>(part | 1u << fraction), exponent - bias - fraction);
    }
    // To the nearest, ties to even.
    unsigned rounded(long double x) const {
        if (std::isnan(x)) return 0x7fff;
        const unsigned sign = std::signbit(x) ? 0x8000u : 0u;
        x = std::fabs(x);
        const unsigned infinity = static_cast<unsigned>(top()) << fraction;
        if (std::isinf(x)) return sign | infinity;
        unsigned low = 0, high = infinity;  // value(low) <= x
        while (high - low > 1) {
            const unsigned middle = (low + high) / 2;
            (value(middle) <= x ? low : high) = middle;
        }
        const long double above = high == infinity ? std::ldexp(1.0L, top() - bias) : value(high);
        const long double down = x - value(low), up = above - x;
        return sign | (down < up || (down == up && low % 2 == 0) ? low : high);
    }
    bool is_nan(unsigned bits) const { return (bits & 0x7fffu) > static_cast<unsigned>(top()) << fraction; }
    int order(unsigned bits) const {
        return (bits & 0x8000u) != 0 ? -static_cast<int>(bits & 0x7fffu) : static_cast<int>(bits);
    }
};

static bool all_right = true;

template <class Reference>
void check(const char* name, const Format& format, int units, const std::vector<unsigned short>& found,
           Reference reference) {
    int wrong = 0;
    for (unsigned i = 0; i < 65536; ++i) {
        const unsigned expected = format.rounded(reference(format.value(i)));
        if (format.is_nan(expected) && format.is_nan(found[i])) continue;
        const bool same_kind = format.is_nan(expected) == format.is_nan(found[i]);
        if (same_kind &&
            (found[i] == expected || std::abs(format.order(found[i]) - format.order(expected)) <= (units ? units : -1)))
            continue;
        if (++wrong <= 3) printf("FAIL %s(%04x) is %04x, not %04x\n", name, i, found[i], expected);
    }
    if (wrong != 0) printf("FAIL %s: %d of 65536\n", name, wrong);
    all_right = all_right && wrong == 0;
}

static unsigned long long checksum(const std::vector<unsigned short>& values) {
    unsigned long long sum = 1469598103934665603ull;
    for (unsigned short value : values) {
        sum ^= value;
        sum *= 1099511628211ull;
        sum ^= sum >> 29;
    }
    return sum;
}

int main(int argc, char** argv) {
    const bool prints = argc > 1 && !std::strcmp(argv[1], "print");  // for a card: its bits, and no verdict
    const Format half = {10, 15};
    unsigned short* out;
    std::vector<unsigned short> host(65536);
    if (cudaMalloc(&out, 2 * host.size()) != cudaSuccess) return 1;
    const auto fetch = [&](const char* name) {
        if (cudaMemcpy(host.data(), out, 2 * host.size(), cudaMemcpyDeviceToHost) != cudaSuccess) {
            printf("FAIL %s does not run\n", name);
            all_right = false;
        }
        if (!prints) return;
        printf("%s %016llx", name, checksum(host));
        for (unsigned short value : host) printf(" %04x", value);
        printf("\n");
    };
#define CHECK(name, reference)                                                                      \
    k_##name<<<256, 256>>>(out);                                                                    \
    fetch(#name);                                                                                   \
    check(#name, half, 0, host, [](long double x) { return static_cast<long double>(reference); }); \
    k_pair_##name<<<128, 256>>>(out);                                                               \
    fetch("pair of " #name);                                                                        \
    check("pair of " #name, half, 0, host, [](long double x) { return static_cast<long double>(reference); });
    FUNCTIONS(CHECK)
#ifdef HAS_BFLOAT16
    const Format bfloat16 = {7, 127};
#define CHECK16(name, reference)   \
    k_b_##name<<<256, 256>>>(out); \
    fetch("bfloat16 " #name);      \
    check("bfloat16 " #name, bfloat16, 1, host, [](long double x) { return static_cast<long double>(reference); });
    FUNCTIONS(CHECK16)
#endif
    cudaFree(out);
    if (all_right) printf("PASS all 65,536 arguments of each\n");
    return all_right || prints ? 0 : 1;
}
