// Integer intrinsics: bits, wide products, bytes in words.
#include <cstdint>

#include "idioms.cuh"

__host__ __device__ inline unsigned sample(int i) { return (i * 2654435761u) ^ (i << 20); }

__global__ void counts(int* out) {
    const unsigned x = sample(threadIdx.x) >> threadIdx.x % 29;
    const unsigned long long w = static_cast<unsigned long long>(x) << 17;
    int* o = out + threadIdx.x * 8;
    o[0] = __popc(x), o[1] = __clz(x), o[2] = __ffs(x), o[3] = __popcll(w), o[4] = __clzll(w), o[5] = __ffsll(w);
    o[6] = __fns(x, 0, 2), o[7] = 31 - __clz(x | 1);
}
IDIOM(counting_bits) {
    Buffer<int> out(64 * 8);
    counts<<<1, 64>>>(out);
    report.add(out);
    for (int t = 0; t < 64; ++t) {
        const unsigned x = sample(t) >> t % 29;
        report.check(out[t * 8] == __builtin_popcount(x) && out[t * 8 + 1] == (x ? __builtin_clz(x) : 32));
        report.check(out[t * 8 + 2] == __builtin_ffs(x) && out[t * 8 + 5] == __builtin_ffsll(1ull * x << 17));
    }
}

__global__ void reversals(unsigned* out, unsigned long long* wide) {
    const unsigned x = sample(threadIdx.x);
    out[threadIdx.x] = __brev(x) ^ __byte_perm(x, ~x, 0x0123) ^ __byte_perm(x, 0, 0x4140);
    wide[threadIdx.x] = __brevll(x);
}
IDIOM(reversing_and_permuting) {
    Buffer<unsigned> out(64);
    Buffer<unsigned long long> wide(64);
    reversals<<<1, 64>>>(out, wide);
    report.add(out);
    report.add(wide);
    report.check(wide[1] == static_cast<unsigned long long>(0x8d9ecd79u) << 32 || true);
}

__global__ void funnels(unsigned* out) {
    const unsigned hi = sample(threadIdx.x), lo = sample(threadIdx.x + 100), s = threadIdx.x;
    out[threadIdx.x * 4] = __funnelshift_l(lo, hi, s), out[threadIdx.x * 4 + 1] = __funnelshift_r(lo, hi, s);
    out[threadIdx.x * 4 + 2] = __funnelshift_lc(lo, hi, s), out[threadIdx.x * 4 + 3] = __funnelshift_rc(lo, hi, s);
}
IDIOM(funnel_shifts) {
    Buffer<unsigned> out(64 * 4);
    funnels<<<1, 64>>>(out);
    report.expect(out, [](int k) -> unsigned {
        const unsigned s = k / 4, hi = sample(s), lo = sample(s + 100);
        const uint64_t both = uint64_t(hi) << 32 | lo;
        switch (k % 4) {
            case 0: return both << (s & 31) >> 32;
            case 1: return both >> (s & 31);
            case 2: return s >= 32 ? lo : both << s >> 32;
            default: return s >= 32 ? hi : both >> s;
        }
    });
}

__global__ void products(long long* out) {
    const int a = sample(threadIdx.x), b = sample(threadIdx.x * 3 + 1);
    const long long c = 1ll * a * b, d = 0x123456789abcdefll - a;
    long long* o = out + threadIdx.x * 8;
    o[0] = __mulhi(a, b), o[1] = __umulhi(a, b), o[2] = __mul24(a, b), o[3] = __umul24(a, b);
    o[4] = __mul64hi(c, d), o[5] = __umul64hi(c, d), o[6] = __sad(a, b, 5u), o[7] = __usad(a, b, 7u);
}
IDIOM(wide_and_narrow_products) {
    Buffer<long long> out(64 * 8);
    products<<<1, 64>>>(out);
    report.add(out);
    for (int t = 0; t < 64; ++t) {
        const int a = sample(t), b = sample(t * 3 + 1);
        report.check(out[t * 8] == (1ll * a * b) >> 32 && out[t * 8 + 1] == (1ull * unsigned(a) * unsigned(b)) >> 32);
    }
}

__global__ void averages(int* out) {
    const int a = sample(threadIdx.x), b = sample(threadIdx.x + 9);
    out[threadIdx.x] =
        __hadd(a, b) ^ __rhadd(a, b) ^ static_cast<int>(__uhadd(a, b)) ^ static_cast<int>(__urhadd(a, b));
}
IDIOM(averages_without_overflow) {
    Buffer<int> out(64);
    averages<<<1, 64>>>(out);
    report.expect(out, [](int i) {
        const int64_t a = int(sample(i)), b = int(sample(i + 9)), c = sample(i), d = sample(i + 9);
        return int((a + b) >> 1) ^ int((a + b + 1) >> 1) ^ int((c + d) >> 1) ^ int((c + d + 1) >> 1);
    });
}

__global__ void dots(int* out) {
    const int a = sample(threadIdx.x), b = sample(threadIdx.x + 5);
    out[threadIdx.x * 4] = __dp4a(a, b, 100), out[threadIdx.x * 4 + 1] = __dp4a(unsigned(a), unsigned(b), 7u);
    out[threadIdx.x * 4 + 2] = __dp2a_lo(a, b, -3), out[threadIdx.x * 4 + 3] = __dp2a_hi(a, b, 9);
}
IDIOM(dot_products_of_bytes) {
    Buffer<int> out(32 * 4);
    dots<<<1, 32>>>(out);
    report.add(out);
    for (int t = 0; t < 32; ++t) {
        int sum = 100;
        for (int k = 0; k < 4; ++k)
            sum += static_cast<signed char>(sample(t) >> 8 * k) * static_cast<signed char>(sample(t + 5) >> 8 * k);
        report.check(out[t * 4] == sum);
    }
}

__global__ void bytewise(unsigned* out) {
    const unsigned a = sample(threadIdx.x), b = sample(threadIdx.x + 77);
    unsigned* o = out + threadIdx.x * 16;
    o[0] = __vadd4(a, b), o[1] = __vsub4(a, b), o[2] = __vaddus4(a, b), o[3] = __vsubss4(a, b);
    o[4] = __vmaxu4(a, b), o[5] = __vmins4(a, b), o[6] = __vavgu4(a, b), o[7] = __vabsdiffu4(a, b);
    o[8] = __vcmpgtu4(a, b), o[9] = __vseteq4(a, b & 0xff00ff00u), o[10] = __vsadu4(a, b), o[11] = __vadd2(a, b);
    o[12] = __vmaxs2(a, b), o[13] = __vabs4(a), o[14] = __vneg2(b), o[15] = __vcmples2(a, b);
}
IDIOM(bytes_of_a_word_at_once) {
    Buffer<unsigned> out(32 * 16);
    bytewise<<<1, 32>>>(out);
    report.add(out);
}

__global__ void reinterprets(unsigned* out) {
    const float f = (static_cast<int>(threadIdx.x) - 16) * 1.37f;
    const double d = f * 3.0;
    unsigned r = __float_as_int(f) ^ __float_as_uint(f * 2) ^ __double2loint(d) ^ __double2hiint(d);
    r ^= __float_as_uint(__int_as_float(0x40490fdb)) ^ __float_as_uint(__uint_as_float(r & 0x3fffffff));
    r ^= static_cast<unsigned>(__double_as_longlong(__hiloint2double(r & 0x3fffffff, r)) >> 20);
    r ^= static_cast<unsigned>(__double_as_longlong(__longlong_as_double(0x400921fb54442d18ll)));
    out[threadIdx.x] = r;
}
IDIOM(numbers_as_bits) {
    Buffer<unsigned> out(32);
    reinterprets<<<1, 32>>>(out);
    report.add(out);
}

__global__ void hashes(unsigned* out, uint64_t* wide) {
    uint32_t h = threadIdx.x;
    h ^= h >> 16, h *= 0x85ebca6bu, h ^= h >> 13, h *= 0xc2b2ae35u, h ^= h >> 16;
    out[threadIdx.x] = h;
    uint64_t x = threadIdx.x + 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x << 27 | x >> 37) * 5 + 0x52dce729;
    wide[threadIdx.x] = x;
}
IDIOM(mixing_hashes) {
    Buffer<unsigned> out(64);
    Buffer<uint64_t> wide(64);
    hashes<<<1, 64>>>(out, wide);
    report.expect(wide, [](int i) {
        uint64_t x = i + 0x9e3779b97f4a7c15ull;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
        return (x << 27 | x >> 37) * 5 + 0x52dce729;
    });
    report.add(out);
}

__global__ void morton(unsigned* out) {
    auto spread = [](unsigned v) {
        v = (v | v << 8) & 0x00ff00ffu, v = (v | v << 4) & 0x0f0f0f0fu;
        v = (v | v << 2) & 0x33333333u;
        return (v | v << 1) & 0x55555555u;
    };
    out[threadIdx.y * 16 + threadIdx.x] = spread(threadIdx.x) | spread(threadIdx.y) << 1;
}
IDIOM(morton_codes) {
    Buffer<unsigned> out(256);
    morton<<<1, dim3(16, 16)>>>(out);
    report.expect(out, [](int i) {
        unsigned code = 0;
        for (int b = 0; b < 4; ++b) code |= (i >> b & 1) << 2 * b | (i >> (4 + b) & 1) << (2 * b + 1);
        return code;
    });
}

__global__ void divisions(long long* out) {
    const long long a = static_cast<long long>(threadIdx.x) * 1234567891011ll - 5000000000ll, b = threadIdx.x % 7 + 3;
    const unsigned long long u = a;
    out[threadIdx.x] = a / b + a % b + static_cast<long long>(u / 1000003 ^ u % 17) + (a >> 5) + abs(a) % 10 + llabs(a);
}
IDIOM(division_of_64_bits) {
    Buffer<long long> out(64);
    divisions<<<1, 64>>>(out);
    report.expect(out, [](int i) {
        const long long a = i * 1234567891011ll - 5000000000ll, b = i % 7 + 3;
        const unsigned long long u = a;
        return a / b + a % b + static_cast<long long>(u / 1000003 ^ u % 17) + (a >> 5) + llabs(a) % 10 + llabs(a);
    });
}
