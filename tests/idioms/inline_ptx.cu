// Inline PTX in the forms that people write it.
#include <cstdint>

#include "idioms.cuh"

__device__ __forceinline__ unsigned lane_id() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__device__ __forceinline__ unsigned lanes_below() {
    unsigned mask;
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}
__global__ void special(unsigned* out) {
    unsigned warp, tid, ntid, le, ge;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm("mov.u32 %0, %%tid.x;" : "=r"(tid));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(ntid));
    asm("mov.u32 %0, %%lanemask_le;\n\tmov.u32 %1, %%lanemask_ge;" : "=r"(le), "=r"(ge));
    out[tid] = lane_id() + ntid + (lanes_below() ^ le) + (le & ge);
}
IDIOM(special_registers) {
    Buffer<unsigned> out(64);
    special<<<1, 64>>>(out);
    report.expect(out, [](int i) { return i % 32 + 64 + 2 * (1u << i % 32); });
}

__global__ void add_128(const uint64_t* a, const uint64_t* b, uint64_t* out) {
    uint64_t lo, hi;
    asm("add.cc.u64 %0, %2, %4;\n\t"
        "addc.u64 %1, %3, %5;"
        : "=l"(lo), "=l"(hi)
        : "l"(a[0]), "l"(a[1]), "l"(b[0]), "l"(b[1]));
    out[0] = lo;
    out[1] = hi;
    asm("sub.cc.u64 %0, %2, %4; subc.u64 %1, %3, %5;"
        : "=l"(lo), "=l"(hi)
        : "l"(a[0]), "l"(a[1]), "l"(b[0]), "l"(b[1]));
    out[2] = lo;
    out[3] = hi;
}
IDIOM(carries_of_128_bits) {
    Buffer<uint64_t> a(2), b(2), out(4);
    a[0] = 0xfffffffffffffff0ull, a[1] = 5, b[0] = 0x20, b[1] = 9;
    add_128<<<1, 1>>>(a, b, out);
    using Wide = unsigned __int128;
    const Wide x = Wide(5) << 64 | a[0], y = Wide(9) << 64 | b[0];
    const uint64_t expected[] = {uint64_t(x + y), uint64_t((x + y) >> 64), uint64_t(x - y), uint64_t((x - y) >> 64)};
    report.expect(out, [&](int i) { return expected[i]; });
}

__global__ void multiply_add_carry(unsigned* out, unsigned a, unsigned b) {
    const unsigned c = a * threadIdx.x + 77;
    unsigned lo, hi;
    asm("mad.lo.cc.u32 %0, %2, %3, %4;\n\t"
        "madc.hi.u32 %1, %2, %3, 0;"
        : "=r"(lo), "=r"(hi)
        : "r"(c), "r"(b), "r"(0xfffffff0u));
    out[2 * threadIdx.x] = lo;
    out[2 * threadIdx.x + 1] = hi;
}
IDIOM(multiply_add_with_carry) {
    Buffer<unsigned> out(64);
    multiply_add_carry<<<1, 32>>>(out, 0x12345678u, 0x9abcdef1u);
    report.expect(out, [](int i) {
        const unsigned c = 0x12345678u * (i / 2) + 77;
        const uint64_t r = uint64_t(c) * 0x9abcdef1u + 0xfffffff0u;
        return i % 2 ? r >> 32 : r;
    });
}

__global__ void bit_work(unsigned* out) {
    const unsigned x = threadIdx.x * 0x01234567u + 0x89abcdefu;
    unsigned r[8];
    asm("prmt.b32 %0, %1, %2, 0x1234;" : "=r"(r[0]) : "r"(x), "r"(~x));
    asm("bfe.u32 %0, %1, 5, 9;" : "=r"(r[1]) : "r"(x));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r[2]) : "r"(x), "r"(7), "r"(6));
    asm("bfi.b32 %0, %1, %2, 8, 12;" : "=r"(r[3]) : "r"(x), "r"(0xffffffffu));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r[4]) : "r"(x), "r"(x << 3), "r"(x >> 5));
    asm("bfind.u32 %0, %1;" : "=r"(r[5]) : "r"(x >> threadIdx.x));
    asm("shf.l.wrap.b32 %0, %1, %2, 13;" : "=r"(r[6]) : "r"(x), "r"(~x));
    asm("brev.b32 %0, %1;" : "=r"(r[7]) : "r"(x));
    for (int k = 0; k < 8; ++k) out[threadIdx.x * 8 + k] = r[k];
}
IDIOM(bit_instructions) {
    Buffer<unsigned> out(8 * 32);
    bit_work<<<1, 32>>>(out);
    report.add(out);
    for (int t = 0; t < 32; ++t) {
        const unsigned x = t * 0x01234567u + 0x89abcdefu;
        report.check(out[t * 8 + 1] == (x >> 5 & 511));
        report.check(out[t * 8 + 3] == ((~0u & ~0xfff00u) | (x & 0xfff) << 8));
        report.check(out[t * 8 + 4] == (x ^ x << 3 ^ x >> 5));
        report.check(out[t * 8 + 6] == (~x << 13 | x >> 19));
    }
}

__device__ __forceinline__ float4 load_streaming(const float4* p) {
    float4 v;
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p));
    return v;
}
__device__ __forceinline__ void store_streaming(float4* p, float4 v) {
    asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
                 : "memory");
}
__global__ void copy_by_four(const float4* in, float4* out) {
    store_streaming(out + threadIdx.x, load_streaming(in + threadIdx.x));
}
IDIOM(vector_loads_and_stores) {
    Buffer<float> in(128), out(128);
    for (int i = 0; i < 128; ++i) in[i] = 1.0f / (i + 1);
    copy_by_four<<<1, 32>>>(reinterpret_cast<float4*>(in.get()), reinterpret_cast<float4*>(out.get()));
    report.expect(out, [&](int i) { return in[i]; });
}

__global__ void shared_addresses(int* out) {
    __shared__ int s[64];
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&s[threadIdx.x]));
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(threadIdx.x * 9) : "memory");
    __syncthreads();
    unsigned other;
    uint64_t wide;
    asm volatile("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }"
                 : "=r"(other)
                 : "l"(&s[63 - threadIdx.x]));
    asm("cvta.to.global.u64 %0, %1;" : "=l"(wide) : "l"(out));
    int value;
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(value) : "r"(other) : "memory");
    asm volatile("st.global.s32 [%0], %1;" ::"l"(wide + 4 * threadIdx.x), "r"(value) : "memory");
}
IDIOM(address_conversions) {
    Buffer<int> out(64);
    shared_addresses<<<1, 64>>>(out);
    report.expect(out, [](int i) { return (63 - i) * 9; });
}

__global__ void reductions(int* sums, unsigned* most, unsigned* bits) {
    asm volatile("red.global.add.s32 [%0], %1;" ::"l"(sums), "r"(static_cast<int>(threadIdx.x) - 20) : "memory");
    asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" ::"l"(most), "r"(threadIdx.x * 7 % 50) : "memory");
    unsigned before;
    asm volatile("atom.global.or.b32 %0, [%1], %2;" : "=r"(before) : "l"(bits), "r"(1u << threadIdx.x % 32) : "memory");
    if (before == 0) atomicAdd(sums + 1, 1);
}
IDIOM(reductions_in_memory) {
    Buffer<int> sums(2);
    Buffer<unsigned> most(1), bits(1);
    reductions<<<1, 64>>>(sums, most, bits);
    report.expect(sums, [](int i) { return i ? 1 : 64 * 63 / 2 - 20 * 64; });
    report.expect(most, [](int) { return 49; });
    report.expect(bits, [](int) { return 0xffffffffu; });
}

__global__ void predicates(int* out, int limit) {
    const int i = threadIdx.x;
    int r;
    asm("{\n\t"
        ".reg .pred p, q;\n\t"
        "setp.lt.s32 p, %1, %2;\n\t"
        "setp.eq.and.s32 q, %1, 3, p;\n\t"
        "selp.s32 %0, %1, -1, p;\n\t"
        "@q mov.s32 %0, 1000;\n\t"
        "@!p add.s32 %0, %0, %2;\n\t"
        "}"
        : "=r"(r)
        : "r"(i), "r"(limit));
    out[i] = r;
}
IDIOM(predicates_and_scopes) {
    Buffer<int> out(32);
    predicates<<<1, 32>>>(out, 20);
    report.expect(out, [](int i) { return i == 3 ? 1000 : i < 20 ? i : 19; });
}

__global__ void branches(unsigned* out) {
    unsigned n = threadIdx.x, r = 1;
    asm volatile(
        "{\n\t"
        ".reg .pred more;\n\t"
        "turn_%=:\n\t"
        "setp.eq.u32 more, %1, 0;\n\t"
        "@more bra end_%=;\n\t"
        "mul.lo.u32 %0, %0, 3;\n\t"
        "sub.u32 %1, %1, 1;\n\t"
        "bra turn_%=;\n\t"
        "end_%=:\n\t"
        "}"
        : "+r"(r), "+r"(n));
    out[threadIdx.x] = r;
}
IDIOM(loop_in_assembly) {
    Buffer<unsigned> out(32);
    branches<<<1, 32>>>(out);
    report.expect(out, [](int i) {
        unsigned r = 1;
        while (i-- > 0) r *= 3;
        return r;
    });
}

__global__ void rounding(float* out, double* wide) {
    const float x = 1.0f + threadIdx.x * 1.1920929e-7f, y = 3.0f;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(out[threadIdx.x * 4]) : "f"(x), "f"(y), "f"(-3.0f));
    asm("add.rz.ftz.f32 %0, %1, %2;" : "=f"(out[threadIdx.x * 4 + 1]) : "f"(x), "f"(1e8f));
    asm("div.rn.f32 %0, %1, %2;" : "=f"(out[threadIdx.x * 4 + 2]) : "f"(x), "f"(y));
    asm("sqrt.rp.f32 %0, %1;" : "=f"(out[threadIdx.x * 4 + 3]) : "f"(x));
    asm("{ .reg .f64 t; cvt.f64.f32 t, %1; mul.rm.f64 %0, t, 0d3FB999999999999A; }" : "=d"(wide[threadIdx.x]) : "f"(x));
}
IDIOM(rounding_modes_in_assembly) {
    Buffer<float> out(4 * 16);
    Buffer<double> wide(16);
    rounding<<<1, 16>>>(out, wide);
    report.add(out);
    report.add(wide);
}

__global__ void halves_of_words(uint16_t* out, uint64_t* joined, unsigned long long x) {
    const unsigned i = threadIdx.x;
    unsigned short lo, hi;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(lo), "=h"(hi) : "r"(0x12340000u + i * 257));
    out[2 * i] = lo;
    out[2 * i + 1] = hi;
    unsigned low, high;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(x + i));
    asm("mov.b64 %0, {%1, %2};" : "=l"(joined[i]) : "r"(high), "r"(low));
    static_assert(sizeof(x) == 8, "");
    asm("" : "+l"(x)::);
    asm("shl.b64 %0, %1, %2;" : "=l"(x) : "l"(x), "n"(4));
    joined[i] ^= x;
}
IDIOM(packing_of_registers) {
    Buffer<uint16_t> out(32);
    Buffer<uint64_t> joined(16);
    halves_of_words<<<1, 16>>>(out, joined, 0x0123456789abcdefull);
    report.expect(out, [](int i) { return i % 2 ? 0x1234 + (i / 2 * 257 >> 16) : i / 2 * 257; });
    report.expect(joined, [](int i) {
        const uint64_t x = 0x0123456789abcdefull;
        return ((x + i) << 32 | (x + i) >> 32) ^ x << 4;
    });
}
