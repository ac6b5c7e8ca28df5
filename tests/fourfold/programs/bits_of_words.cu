// Instructions about bits: counting, turning, finding, choosing bytes, shifting across two words, and high products.
#include "fourfold.cuh"

__global__ void compute(const unsigned* in, unsigned long long* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const unsigned a = in[i], b = in[(i + 1) % count];
    const unsigned long long wide = static_cast<unsigned long long>(a) << 32 | b;
    unsigned long long* to = out + i * 12;
    to[0] = __popc(a) + 100 * __popcll(wide);
    to[1] = __brev(a);
    to[2] = __brevll(wide);
    to[3] = __clz(a) + 100 * __clzll(b);
    to[4] = __ffs(a) + 100 * __ffsll(wide << 17);
    to[5] = __byte_perm(a, b, 0x5146);
    to[6] = __funnelshift_l(a, b, a & 63) ^ __funnelshift_rc(a, b, b & 63);
    to[7] = __umulhi(a, b);
    to[8] = __umul64hi(wide, wide * 3);
    to[9] = static_cast<unsigned>(__mulhi(static_cast<int>(a), static_cast<int>(b))) + __umul24(a, b);
    to[10] = __usad(a, b, 7) + __uhadd(a, b) + __urhadd(a, b);
    to[11] = __vabsdiffu4(a, b) ^ __vaddus4(a, b) ^ __vmaxs2(a, b);
}

int main() {
    constexpr int count = 64;
    std::vector<unsigned> in = numbers<unsigned>(count, 0, 4294967295.0);
    in[3] = 0, in[4] = ~0u;
    for (unsigned& x : in) x = x * 2654435761u;
    const Buffer<unsigned> words(in);
    const Buffer<unsigned long long> out(count * 12);
    compute<<<1, count>>>(words, out, count);
    const auto found = out.host();
    tell("bits", found);
    int off = 0;
    for (int i = 0; i < count; ++i) {
        const unsigned a = in[i], b = in[(i + 1) % count];
        const unsigned long long wide = static_cast<unsigned long long>(a) << 32 | b;
        off += found[i * 12] != unsigned(__builtin_popcount(a) + 100 * __builtin_popcountll(wide));
        off += found[i * 12 + 3] != unsigned((a ? __builtin_clz(a) : 32) + 100 * (b ? __builtin_clzll(b) : 64));
        off += found[i * 12 + 7] != (static_cast<unsigned long long>(a) * b) >> 32;
        off += found[i * 12 + 8] !=
               static_cast<unsigned long long>((static_cast<unsigned __int128>(wide) * (wide * 3)) >> 64);
    }
    return verdict("bits", off == 0);
}
